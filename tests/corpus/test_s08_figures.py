"""Every computed figure in section s08, recomputed from the data printed there."""

from statistics import median

from tests.corpus.reading import data, says

SID = "s08"


def _harbour():
    return data(SID, "620, 655, 690, 710, 740, 765, 790, 835, 880, 940, 1,450. The flat")


def _hill():
    return data(SID, "540, 580, 605, 640, 660, 685, 705, 730, 745, 780, 860, 975 pounds")


def _race():
    return data(
        SID,
        "171, 183, 188, 196, 204, 209, 214, 218, 223, 227, 231, 236, 238, 238, 242, 247, 255, 261, 268, 274, "
        "285, 297, 318, 341 minutes",
    )


def _marks():
    return data(SID, "31, 35, 39, 42, 42, 45, 46, 48, 48, 50, 51, 53, 54, 56, 58. A script")


def _halves(values):
    ordered = sorted(values)
    half = len(ordered) // 2
    return ordered[:half], ordered[-half:]


def _quartiles(values):
    lower, upper = _halves(values)
    return median(lower), median(values), median(upper)


def _cutoffs(values):
    q1, _, q3 = _quartiles(values)
    return q1 - 1.5 * (q3 - q1), q3 + 1.5 * (q3 - q1)


def _located(values, k):
    """The location and the percentile there, by the convention of the book."""
    ordered = sorted(values)
    place = k * (len(ordered) + 1) / 100
    below = int(place)
    if place == below:
        return place, ordered[below - 1]
    return place, (ordered[below - 1] + ordered[below]) / 2


def _standing(values, value):
    below, equal = sum(v < value for v in values), sum(v == value for v in values)
    return below, equal, (below + 0.5 * equal) / len(values) * 100


def test_all_lists_are_printed_in_order():
    for values in (_harbour(), _hill(), _race(), _marks()):
        assert values == sorted(values)
    assert [len(_harbour()), len(_hill()), len(_race()), len(_marks())] == [11, 12, 24, 15]


def test_the_median_harbour_rent_and_its_place_are_recomputed():
    rents = _harbour()
    n, middle = len(rents), median(rents)
    says(
        SID,
        "the harbour rents n = {}, so the median is in place {:.0f}, and it equals {:.0f} pounds",
        n,
        (n + 1) / 2,
        middle,
    )
    assert sum(r < middle for r in rents) == sum(r > middle for r in rents) == 5
    says(SID, "Five advertised rents are lower and five are higher")
    says(SID, "The flat at {:.0f} sits in the middle place", middle)


def test_the_halves_and_quartiles_of_the_harbour_rents_are_recomputed():
    rents = _harbour()
    lower, upper = _halves(rents)
    q1, q2, q3 = _quartiles(rents)
    says(
        SID,
        "with {:.0f} set aside, is {:.0f}, {:.0f}, {:.0f}, {:.0f}, {:.0f}, whose median gives Q1 = {:.0f}",
        q2,
        *lower,
        q1,
    )
    says(SID, "The upper half is {:,.0f}, {:,.0f}, {:,.0f}, {:,.0f}, {:,.0f}, and so Q3 = {:.0f}", *upper, q3)


def test_the_five_number_summary_and_the_iqr_of_the_harbour_rents_are_recomputed():
    rents = _harbour()
    q1, q2, q3 = _quartiles(rents)
    says(
        SID,
        "The five-number summary is therefore {:.0f}, {:.0f}, {:.0f}, {:.0f}, {:,.0f} and the interquartile range is {:.0f} pounds",
        min(rents),
        q1,
        q2,
        q3,
        max(rents),
        q3 - q1,
    )
    says(SID, "within a band {:.0f} pounds wide", q3 - q1)


def test_the_quartiles_and_the_iqr_of_the_hill_rents_are_recomputed():
    rents = _hill()
    q1, q2, q3 = _quartiles(rents)
    lower, upper = _halves(rents)
    says(SID, "The median is ({:.0f} + {:.0f})/2 = {:.0f}", lower[-1], upper[0], q2)
    says(SID, "the first quartile is ({:.0f} + {:.0f})/2 = {:.1f}", lower[2], lower[3], q1)
    says(
        SID,
        "the third is ({:.0f} + {:.0f})/2 = {:.1f}, giving an IQR of {:.0f} pounds",
        upper[2],
        upper[3],
        q3,
        q3 - q1,
    )


def test_the_gap_between_the_typical_rents_is_recomputed():
    says(
        SID,
        "Judged by the medians, a hill flat costs {:.0f} pounds less than a harbour flat",
        median(_harbour()) - median(_hill()),
    )
    a, _, b = _quartiles(_harbour())
    c, _, d = _quartiles(_hill())
    assert d - c < b - a


def test_the_outlier_cutoffs_of_the_harbour_rents_are_recomputed():
    rents = _harbour()
    q1, _, q3 = _quartiles(rents)
    low, high = _cutoffs(rents)
    says(
        SID,
        "cut-offs are {:.0f} − 1.5 × {:.0f} = {:.0f} and {:.0f} + 1.5 × {:.0f} = {:,.0f}",
        q1,
        q3 - q1,
        low,
        q3,
        q3 - q1,
        high,
    )
    says(SID, "No rent is below {:.0f}, but {:,.0f} exceeds {:,.0f}", low, max(rents), high)
    assert [r for r in rents if not low <= r <= high] == [max(rents)]


def test_the_outlier_cutoffs_and_the_flagged_rent_on_the_hill_are_recomputed():
    rents = _hill()
    low, high = _cutoffs(rents)
    says(SID, "the 1.5 × IQR rule gives cut-offs of {:.1f} and {:.1f} pounds", low, high)
    flagged = [r for r in rents if not low <= r <= high]
    assert len(flagged) == 1
    says(SID, "the rent of {:.0f} is flagged, by a margin of only {:.1f} pounds", flagged[0], flagged[0] - high)


def test_the_rent_flagged_on_the_hill_would_pass_at_the_harbour():
    low, high = _cutoffs(_harbour())
    rent = max(_hill())
    assert low < rent < high
    says(
        SID,
        "a rent of {:.0f} in the harbour district would have passed unremarked, being well under {:,.0f}",
        rent,
        high,
    )


def test_the_20th_percentile_of_the_marathon_is_recomputed():
    (k,) = data(SID, "For the 20th percentile, i")
    place, value = _located(_race(), k)
    says(SID, "i = {:.2f} × {} = {:.0f}, and the fifth time is {:.0f} minutes", k / 100, len(_race()) + 1, place, value)
    assert place == 5
    says(SID, "About {:.0f} per cent of the runners took {:.0f} minutes or less", k, value)
    says(SID, "about {:.0f} per cent took {:.0f} minutes or more", 100 - k, value)
    n = len(_race())
    assert abs(100 * sum(t <= value for t in _race()) / n - k) < 5
    assert abs(100 * sum(t >= value for t in _race()) / n - (100 - k)) < 5


def test_the_90th_percentile_of_the_marathon_is_recomputed():
    (k,) = data(SID, "For the 90th percentile, i")
    race = _race()
    place, value = _located(race, k)
    below = int(place)
    says(
        SID,
        "i = {:.2f} × {} = {:.1f}, so the {}nd and {}rd times are averaged: ({:.0f} + {:.0f})/2 = {:.1f} minutes",
        k / 100,
        len(race) + 1,
        place,
        below,
        below + 1,
        race[below - 1],
        race[below],
        value,
    )
    assert round(10 * sum(t <= value for t in race) / len(race)) == 9


def test_the_percentile_of_a_marathon_time_of_238_minutes_is_recomputed():
    (value,) = data(SID, "of the marathon times are 238 minutes")
    below, equal, share = _standing(_race(), value)
    says(
        SID,
        "x = {} times, with y = {}, so ({} + 0.5 × {})/{} × 100 = {:.1f}",
        below,
        equal,
        below,
        equal,
        len(_race()),
        share,
    )
    says(SID, "A time of {:.0f} minutes is at the {}th percentile", value, round(share))
    middle = median(_race())
    says(SID, "{:.0f} minute slower than the median time, {:.0f} minutes", value - middle, middle)


def test_counting_all_or_none_of_the_tied_runners_is_recomputed():
    (value,) = data(SID, "of the marathon times are 238 minutes")
    below, equal, _ = _standing(_race(), value)
    n = len(_race())
    says(SID, "would give {:.0f} per cent of times at or below {:.0f}", 100 * (below + equal) / n, value)
    says(SID, "leaving both out would give {:.0f} per cent below it", 100 * below / n)
    assert equal == 2


def test_the_percentile_of_the_slowest_marathon_time_is_recomputed():
    slowest = max(_race())
    below, equal, share = _standing(_race(), slowest)
    says(
        SID,
        "the slowest marathon time, {:.0f} minutes, comes out at ({} + 0.5)/{} × 100 = {:.1f}",
        slowest,
        below,
        len(_race()),
        share,
    )
    assert equal == 1
    says(SID, "the {}th percentile", round(share))


def test_the_percentage_and_the_percentile_of_a_mark_are_recomputed():
    (full,) = data(SID, "On a test marked out of 60")
    (mark,) = data(SID, "A script with 42 marks")
    says(SID, "has earned {:.0f}/{:.0f}, which is {:.0f} per cent", mark, full, 100 * mark / full)
    below, equal, share = _standing(_marks(), mark)
    says(
        SID,
        "({} + 0.5 × {})/{} × 100 = {:.1f}, so it stands at the {}th percentile",
        below,
        equal,
        len(_marks()),
        share,
        round(share),
    )


def test_the_five_number_summary_of_the_marks_is_recomputed():
    marks = _marks()
    q1, q2, q3 = _quartiles(marks)
    says(
        SID,
        "of the test marks is {:.0f}, {:.0f}, {:.0f}, {:.0f}, {:.0f}: the eighth mark",
        min(marks),
        q1,
        q2,
        q3,
        max(marks),
    )
    assert marks[7] == q2
    lower, upper = _halves(marks)
    assert len(lower) == 7
    assert (lower[3], upper[3]) == (q1, q3)


def test_the_cutoffs_of_the_marks_are_recomputed_and_flag_nothing():
    marks = _marks()
    q1, _, q3 = _quartiles(marks)
    low, high = _cutoffs(marks)
    step = 1.5 * (q3 - q1)
    says(
        SID,
        "The IQR is {:.0f} marks and the cut-offs are {:.0f} − {:.1f} = {:.1f} and {:.0f} + {:.1f} = {:.1f}",
        q3 - q1,
        q1,
        step,
        low,
        q3,
        step,
        high,
    )
    assert all(low <= m <= high for m in marks)
    (full,) = data(SID, "On a test marked out of 60")
    says(SID, "Since {:.1f} is more than the full {:.0f} marks", high, full)
    assert high > full


def test_the_distances_of_the_harbour_quartiles_from_the_median_are_recomputed():
    q1, q2, q3 = _quartiles(_harbour())
    says(SID, "the median is {:.0f} pounds above Q1 but {:.0f} below Q3", q2 - q1, q3 - q2)
    says(SID, 'to read Q1 = {:.0f} as "a quarter of the rents are {:.0f} pounds"', q1, q1)


def test_the_two_conventions_disagree_on_ten_harbour_rents():
    ten = sorted(_harbour())[:-1]
    says(SID, "Remove the {:,.0f} flat, purely for illustration, and ten harbour rents remain", max(_harbour()))
    assert len(ten) == 10
    q1, _, _ = _quartiles(ten)
    says(SID, "gives Q1 = {:.0f}, the third rent", q1)
    assert ten[2] == q1
    place, value = _located(ten, 25)
    below = int(place)
    says(
        SID,
        "gives i = {:.2f} and hence ({:.0f} + {:.0f})/2 = {:.1f}",
        place,
        ten[below - 1],
        ten[below],
        value,
    )

"""Every computed figure in section s07, recomputed from the data printed there."""

import math

import numpy as np

from tests.corpus.reading import data, says, table

SID = "s07"


def _bulbs():
    return data(
        SID,
        "512, 568, 603, 641, 662, 689, 715, 738, 770, 796, 804, 818, 829, 843, 851, 866, 877, 889, 902, 915, "
        "931, 944, 955, 963, 978, 990, 1,004, 1,017, 1,033, 1,052, 1,071, 1,090, 1,108, 1,125, 1,151, 1,180, "
        "1,206, 1,237, 1,284, 1,372",
    )


def _edges():
    columns = table(SID, "From (hours)")
    return columns["From (hours)"] + columns["Up to (hours)"][-1:]


def _counts(edges):
    return np.histogram(_bulbs(), bins=edges)[0]


def _lake():
    return data(SID, "3.12, 3.20, 3.41, 3.78, 4.02, 3.95, 3.70, 3.38, 3.10, 2.94, 2.91, 3.04")


def _sunflowers():
    columns = table(SID, "From (cm)")
    low, high = np.array(columns["From (cm)"]), np.array(columns["Up to (cm)"])
    return low, high, (low + high) / 2, np.array(columns["Border plants"]), np.array(columns["Bed plants"])


def test_the_rack_holds_forty_sorted_lifetimes():
    bulbs = _bulbs()
    assert bulbs == sorted(bulbs)
    says(SID, "divided by the same number, {:.0f};", len(bulbs))


def test_the_suggested_number_of_classes_is_recomputed():
    n = len(_bulbs())
    says(SID, "√{} ≈ {:.1f}, which suggests {:.0f} classes", n, math.sqrt(n), round(math.sqrt(n)))


def test_the_range_and_the_class_width_of_the_bulbs_are_recomputed():
    low, high = min(_bulbs()), max(_bulbs())
    classes = round(math.sqrt(len(_bulbs())))
    spread = high - low
    says(SID, "The range is {:,.0f} − {:.0f} = {:.0f} hours", high, low, spread)
    raw = spread / classes
    width = np.diff(_edges())[0]
    assert raw < width
    says(SID, "{:.0f} / {} = {:.1f}, rounded up to a width of {:.0f} hours", spread, classes, raw, width)


def test_six_classes_of_the_rounded_down_width_do_not_cover_the_range():
    classes = round(math.sqrt(len(_bulbs())))
    raw = (max(_bulbs()) - min(_bulbs())) / classes
    narrow = math.floor(raw / 10) * 10
    says(SID, "six classes of {:.0f} hours span only {:.0f} hours", narrow, narrow * classes)
    assert narrow * classes < max(_bulbs()) - min(_bulbs())


def test_the_last_boundary_is_recomputed_from_the_first():
    first, width, last = data(SID, "Starting at 499.5 and adding 150 six times brings the last boundary to 1,399.5")
    assert first + round(math.sqrt(len(_bulbs()))) * width == last
    edges = _edges()
    assert (edges[0], edges[-1]) == (first, last)
    assert first < min(_bulbs())
    assert max(_bulbs()) < last


def test_the_bulb_classes_join_and_share_one_width():
    columns = table(SID, "From (hours)")
    assert columns["From (hours)"][1:] == columns["Up to (hours)"][:-1]
    assert len(set(np.diff(_edges()))) == 1


def test_the_bulb_frequencies_and_relative_frequencies_are_recounted():
    columns = table(SID, "From (hours)")
    counts = _counts(_edges())
    assert columns["Bulbs"] == list(counts)
    assert columns["Relative frequency"] == [round(count / len(_bulbs()), 2) for count in counts]
    assert math.isclose(sum(columns["Relative frequency"]), 1)


def test_the_tallest_bar_and_its_right_hand_neighbour_are_recomputed():
    edges, counts, n = _edges(), _counts(_edges()), len(_bulbs())
    top = int(np.argmax(counts))
    says(
        SID,
        "over {:.1f} to {:.1f} hours and holds {} bulbs, {:.0f} per cent of the rack",
        edges[top],
        edges[top + 1],
        counts[top],
        100 * counts[top] / n,
    )
    both = counts[top] + counts[top + 1]
    says(SID, "on its right it accounts for {} bulbs, or {:.0f} per cent", both, 100 * both / n)


def test_the_share_of_bulbs_left_of_the_tallest_bar_is_recomputed():
    edges, counts, n = _edges(), _counts(_edges()), len(_bulbs())
    top = int(np.argmax(counts))
    left = sum(counts[:top])
    says(SID, "left of {:.1f} hours lie {} bulbs, which is {:.0f} per cent", edges[top], left, 100 * left / n)


def test_a_promise_of_800_hours_fails_for_one_bulb_in_four():
    (promise,) = data(SID, "A shop promising 800 hours would have been wrong about one bulb in four")
    assert sum(life < promise for life in _bulbs()) * 4 == len(_bulbs())


def test_the_hump_is_centred_a_little_above_900_hours():
    (place,) = data(SID, "one hump, centred a little above 900 hours")
    assert place < np.median(_bulbs()) < place + 50
    counts = list(_counts(_edges()))
    top = counts.index(max(counts))
    assert counts[: top + 1] == sorted(counts[: top + 1])
    assert counts[top:] == sorted(counts[top:], reverse=True)


def test_the_three_wide_bars_are_recounted():
    start, width = data(SID, "from the same starting point, 499.5, but with a width of 300 hours, the bulbs give")
    assert start == _edges()[0]
    edges = np.arange(_edges()[0], _edges()[-1] + 1, width)
    counts = _counts(edges)
    says(SID, "just {} bars of {}, {} and {}", len(counts), *counts)


def test_the_narrow_classes_and_their_empty_place_are_recounted():
    (width,) = data(SID, "With a width of 50 hours there are")
    edges = np.arange(_edges()[0], _edges()[-1] + 1, width)
    counts = _counts(edges)
    says(SID, "there are {} classes, none holding more than {} bulbs", len(counts), max(counts))
    empty = [i for i, count in enumerate(counts) if count == 0]
    says(
        SID,
        "exactly {} class is empty, the one from {:,.1f} to {:,.1f} hours",
        len(empty),
        edges[empty[0]],
        edges[empty[0] + 1],
    )


def test_the_merged_class_is_recounted_and_its_density_recomputed():
    edges, n = _edges(), len(_bulbs())
    low, high = edges[-3], edges[-1]
    count = sum(low < life < high for life in _bulbs())
    says(SID, "running from {:,.1f} to {:,.1f} hours", low, high)
    says(SID, "holds {} bulbs, a relative frequency of {:.2f}", count, count / n)
    says(SID, "is twice as wide as the others")
    assert (high - low) / (edges[1] - edges[0]) == 2
    says(
        SID,
        "is {:.2f} / {:.0f}, rounded at the end to {:.3f} per 100 hours",
        count / n,
        (high - low) / 100,
        100 * count / n / (high - low),
    )


def test_the_merged_bar_is_lower_although_it_holds_more_bulbs():
    edges, n = _edges(), len(_bulbs())
    low, high = data(SID, "For the class from 649.5 to 799.5 hours")
    count = sum(low < life < high for life in _bulbs())
    density = count / n / (high - low)
    says(SID, "the density is {:.2f} / {:.1f}, or {:.3f} per 100 hours", count / n, (high - low) / 100, 100 * density)
    merged = sum(edges[-3] < life for life in _bulbs())
    says(SID, "although it stands for {} bulbs against {}, must be lower", merged, count)
    assert merged > count
    assert merged / n / (edges[-1] - edges[-3]) < density


def test_the_two_sunflower_plots_add_up_to_the_plants_announced():
    *_, border, bed = _sunflowers()
    says(SID, "a shaded border of {:.0f} plants and an open bed of {:.0f}", border.sum(), bed.sum())


def test_the_sunflower_counts_and_shares_point_in_opposite_directions():
    _, _, mid, border, bed = _sunflowers()
    (point,) = data(SID, "Above the midpoint 130 cm")
    i = list(mid).index(point)
    says(
        SID, "Above the midpoint {:.0f} cm the bed shows {:.0f} plants and the border {:.0f}", mid[i], bed[i], border[i]
    )
    b, s = bed[i] / bed.sum(), border[i] / border.sum()
    says(SID, "as shares they are {:.0f} per cent and {:.0f} per cent, the opposite order", 100 * b, 100 * s)
    assert bed[i] > border[i]
    assert b < s


def test_the_closing_points_of_the_polygons_are_recomputed():
    low, high, mid, border, bed = _sunflowers()
    width = high[0] - low[0]
    first = [mid[np.flatnonzero(counts)[0]] - width for counts in (border, bed)]
    last = [mid[np.flatnonzero(counts)[-1]] + width for counts in (border, bed)]
    assert first[0] == first[1]
    says(SID, "both start from zero at {:.0f} cm", first[0])
    says(SID, "the border's returns to zero at {:.0f} cm and the bed's at {:.0f} cm", *last)


def test_the_peaks_of_the_two_polygons_are_recomputed():
    low, high, mid, border, bed = _sunflowers()
    i, j = int(np.argmax(border)), int(np.argmax(bed))
    says(SID, "They show the border peaking at {:.0f} cm with {:.0f} per cent", mid[i], 100 * border[i] / border.sum())
    says(SID, "the bed peaking at {:.0f} cm with {:.0f} per cent", mid[j], 100 * bed[j] / bed.sum())
    assert mid[j] - mid[i] == high[0] - low[0]
    says(SID, "peaks one class width, {:.0f} cm, further right", mid[j] - mid[i])


def test_the_shares_of_tall_sunflowers_are_recomputed():
    low, _, _, border, bed = _sunflowers()
    (limit,) = data(SID, "Sunflowers of at least 160 cm")
    tall = low >= limit
    says(
        SID,
        "make up {:.0f} per cent of the border and {:.0f} per cent of the bed",
        100 * border[tall].sum() / border.sum(),
        100 * bed[tall].sum() / bed.sum(),
    )


def test_the_sunflower_polygon_is_shifted_by_half_a_class():
    low, high, *_ = _sunflowers()
    says(SID, "by half a class, {:.0f} cm", (high[0] - low[0]) / 2)


MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]


def test_the_highest_and_lowest_lake_levels_are_found_in_their_months():
    lake = _lake()
    top, low = int(np.argmax(lake)), int(np.argmin(lake))
    says(SID, f"climbs to {{:.2f}} m in {MONTHS[top]}", lake[top])
    says(SID, f"sinks to {{:.2f}} m in {MONTHS[low]}", lake[low])


def test_the_steepest_monthly_rise_of_the_lake_is_recomputed():
    steps = np.diff(_lake())
    i = int(np.argmax(steps))
    says(SID, f"steepest monthly rise being {{:.2f}} m from {MONTHS[i]} to {MONTHS[i + 1]}", steps[i])


def test_the_fall_of_the_lake_and_its_monthly_average_are_recomputed():
    lake = _lake()
    months = int(np.argmin(lake)) - int(np.argmax(lake))
    fall = max(lake) - min(lake)
    says(SID, "a fall of {:.2f} m in {} months, on average {:.3f} m a month", fall, months, fall / months)


def test_the_two_januaries_of_the_lake_are_compared():
    (following,) = data(SID, "If the following January reads 2.98 m")
    says(SID, "it is {:.2f} m lower", _lake()[0] - following)


def test_the_axis_of_the_lake_graph_starts_below_the_lowest_level():
    (start,) = data(SID, "the vertical axis may start at 2.5 m")
    assert start < min(_lake())


def test_the_lake_levels_below_three_and_a_half_metres_are_counted():
    lake = _lake()
    (limit,) = data(SID, "lie below 3.50 m")
    says(SID, "{} of the {} lie below {:.2f} m", sum(level < limit for level in lake), len(lake), limit)

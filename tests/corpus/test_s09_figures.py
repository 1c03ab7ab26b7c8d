"""Every computed figure in section s09, recomputed from the data printed there."""

from statistics import mean, median

from tests.corpus.reading import data, says, table

SID = "s09"


def _island():
    return data(SID, "0, 1, 2, 3, 3, 4, 5, 6, 7, 9, 12, 14, 18, 21, 46")


def _harbour():
    return data(SID, "4, 5, 6, 7, 7, 8, 9, 9, 10, 11, 11, 12, 13, 15")


def _window():
    return data(SID, "1, 2, 2, 2, 2, 2, 2, 3, 3, 4, 4, 5")


def _kiosk():
    return data(SID, "0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 4, 5, 8")


def _north():
    return data(SID, "at a north gate of 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11")


def _south():
    return data(SID, "at a south gate of 1, 3, 3, 3, 3, 6, 9, 9, 9, 9, 11")


def _summary(values):
    ordered = sorted(values)
    half = len(ordered) // 2
    return ordered[0], median(ordered[:half]), median(ordered), median(ordered[-half:]), ordered[-1]


def _fences(values):
    _, q1, _, q3, _ = _summary(values)
    return q1 - 1.5 * (q3 - q1), q3 + 1.5 * (q3 - q1)


def _whiskers(values):
    low, high = _fences(values)
    inside = [v for v in values if low <= v <= high]
    return min(inside), max(inside)


def _dots(values):
    low, high = _fences(values)
    return [v for v in values if not low <= v <= high]


def _model(letter):
    low, q1, q2, q3, high = table(SID, "Hours")[f"Model {letter}"]
    return low, q1, q2, q3, high


def test_the_delays_are_printed_in_order_and_counted():
    for values, count in ((_island(), 15), (_harbour(), 14)):
        assert values == sorted(values)
        assert len(values) == count


def test_the_quartiles_of_the_island_delays_are_recomputed():
    _, q1, q2, q3, _ = _summary(_island())
    says(SID, "have their eighth value, {:.0f}, as the median", q2)
    assert sorted(_island())[7] == q2
    says(
        SID,
        "the lower half has median Q1 = {:.0f} and the upper half has median Q3 = {:.0f}, so the IQR is {:.0f} minutes",
        q1,
        q3,
        q3 - q1,
    )


def test_the_fences_of_the_island_delays_are_recomputed():
    _, q1, _, q3, _ = _summary(_island())
    low, high = _fences(_island())
    step = 1.5 * (q3 - q1)
    says(SID, "The fences are {:.0f} − {:.1f} = {:.1f} and {:.0f} + {:.1f} = {:.1f}", q1, step, low, q3, step, high)
    says(SID, "right whisker of the island plot up to {:.1f}", high)
    says(SID, "no crossing was {:.1f} minutes late", high)


def test_the_dot_and_the_whiskers_of_the_island_plot_are_recomputed():
    _, q1, _, q3, _ = _summary(_island())
    dots = _dots(_island())
    assert len(dots) == 1
    says(SID, "Only the delay of {:.0f} minutes lies outside", dots[0])
    left, right = _whiskers(_island())
    says(
        SID,
        "The left whisker runs from {:.0f} to {:.0f}, and the right whisker runs from {:.0f} to {:.0f}",
        q1,
        left,
        q3,
        right,
    )


def test_the_whiskers_of_the_plain_island_plot_are_the_extremes():
    says(SID, "to the minimum and the maximum, for the island delays {:.0f} and {:.0f}", min(_island()), max(_island()))


def test_the_quartiles_of_the_harbour_delays_are_recomputed():
    _, q1, q2, q3, _ = _summary(_harbour())
    says(SID, "For the harbour delays, n = {} is even", len(_harbour()))
    says(SID, "The median is {:.0f}, Q1 is {:.0f}, Q3 is {:.0f}, and the IQR is {:.0f} minutes", q2, q1, q3, q3 - q1)


def test_the_fences_and_whiskers_of_the_harbour_plot_are_recomputed():
    assert _dots(_harbour()) == []
    says(SID, "Fences at {:.0f} and {:.0f} enclose every crossing", *_fences(_harbour()))
    says(SID, "the whiskers run out to {:.0f} and {:.0f}", *_whiskers(_harbour()))


def test_the_harbour_box_lies_near_the_middle_of_the_island_box():
    _, a1, _, a3, _ = _summary(_island())
    _, b1, _, b3, _ = _summary(_harbour())
    assert a1 < b1
    assert b3 < a3
    assert abs((a1 + a3) / 2 - (b1 + b3) / 2) < 0.1 * (a3 - a1)


def test_the_difference_between_the_ferry_medians_is_recomputed():
    a, b = median(_island()), median(_harbour())
    says(SID, "the island median of {:.0f} minutes beats the harbour median of {:.0f} by {:.0f} minutes", a, b, b - a)


def test_the_ratio_of_the_ferry_iqrs_is_recomputed():
    _, a1, _, a3, _ = _summary(_island())
    _, b1, _, b3, _ = _summary(_harbour())
    says(
        SID,
        "the island IQR of {:.0f} is nearly three times the harbour IQR of {:.0f} (the ratio is {:.2f})",
        a3 - a1,
        b3 - b1,
        (a3 - a1) / (b3 - b1),
    )


def test_the_crossings_more_than_15_minutes_late_are_counted():
    limit = data(SID, "per cent, were more than 15 minutes late")[0]
    late = sum(d > limit for d in _island())
    says(
        SID,
        "{} of the {} crossings, or {:.0f} per cent, were more than {:.0f} minutes late",
        late,
        len(_island()),
        100 * late / len(_island()),
        limit,
    )
    says(SID, "on the harbour route none was")
    assert not any(d > limit for d in _harbour())


def test_the_connections_made_with_8_minutes_to_spare_are_counted():
    (spare,) = data(SID, "A traveller with only 8 minutes to spare")
    a, b = sum(d <= spare for d in _island()), sum(d <= spare for d in _harbour())
    says(SID, "on {} of the {} island crossings, {:.0f} per cent", a, len(_island()), 100 * a / len(_island()))
    says(
        SID,
        "on just {} of the {} harbour crossings, about {:.0f} per cent",
        b,
        len(_harbour()),
        100 * b / len(_harbour()),
    )


def test_the_connections_made_with_16_minutes_to_spare_are_counted():
    (spare,) = data(SID, "With 16 minutes to spare")
    assert all(d <= spare for d in _harbour())
    says(SID, "the harbour route would have succeeded every time")
    says(
        SID,
        "the island route on only {:.0f} per cent of occasions",
        100 * sum(d <= spare for d in _island()) / len(_island()),
    )


def test_the_lengths_of_the_two_parts_of_the_island_box_are_recomputed():
    _, q1, q2, q3, _ = _summary(_island())
    says(SID, "the stretch from {:.0f} to {:.0f} is {:.0f} minutes long", q1, q2, q2 - q1)
    says(SID, "the one from {:.0f} to {:.0f} is {:.0f} minutes long", q2, q3, q3 - q2)


def test_model_b_has_the_highest_median_battery_life():
    _, q1, q2, q3, _ = _model("B")
    assert q2 > max(_model("A")[2], _model("C")[2])
    says(SID, "Model B has the highest median, {:.1f} hours", q2)
    says(SID, "The lower part of that box is {:.1f} hours long and the upper part {:.1f} hour", q2 - q1, q3 - q2)
    says(SID, "may fall far short of {:.0f} hours", q2)


def test_the_two_parts_of_the_box_of_model_c_are_recomputed():
    low, q1, q2, q3, _ = _model("C")
    says(SID, "its weaker half is bunched between {:.1f} and {:.1f} hours", low, q2)
    says(SID, "its best quarter lasts {:.1f} hours or more", q3)
    says(SID, "its box reaching {:.1f} hours below the median and {:.1f} above", q2 - q1, q3 - q2)


def test_the_iqrs_of_the_three_battery_models_are_recomputed():
    iqr = {letter: _model(letter)[3] - _model(letter)[1] for letter in "ABC"}
    says(SID, "with an IQR of {:.1f} hour against {:.1f} for B and {:.1f} for C", iqr["A"], iqr["B"], iqr["C"])


def test_the_first_quartile_of_model_c_equals_the_median_of_model_a():
    assert _model("C")[1] == _model("A")[2]
    says(SID, "The first quartile of model C, {:.1f} hours, equals the median of model A", _model("C")[1])


def test_the_first_quartile_of_model_b_is_below_the_shortest_life_of_model_a():
    assert _model("B")[1] < _model("A")[0]
    says(SID, "Since B has its Q1 at {:.1f}, below the shortest A life of {:.1f}", _model("B")[1], _model("A")[0])


def test_the_coinciding_median_and_quartile_of_the_ticket_window_are_recomputed():
    _, q1, q2, q3, _ = _summary(_window())
    assert q1 == q2
    says(SID, "A ticket window is looked at {} times in a day", len(_window()))
    says(SID, "The median is {:.0f}, Q1 is also {:.0f}, and Q3 is {:.1f}", q2, q1, q3)


def test_the_share_of_counts_at_the_median_of_the_ticket_window_is_recomputed():
    queue = _window()
    middle = median(queue)
    tied = sum(v == middle for v in queue)
    says(
        SID,
        "{} of the {} counts, {:.0f} per cent, are exactly {:.0f}",
        tied,
        len(queue),
        100 * tied / len(queue),
        middle,
    )
    assert set(sorted(queue)[len(queue) // 4 : len(queue) // 2]) == {middle}


def test_the_missing_whisker_of_the_kiosk_is_recomputed():
    low, q1, q2, q3, _ = _summary(_kiosk())
    assert len(_kiosk()) == 16
    assert low == q1
    says(
        SID,
        "the minimum and Q1 are both {:.0f} and there is no left whisker; the median is {:.0f} and Q3 is {:.0f}",
        q1,
        q2,
        q3,
    )
    zeros = _kiosk().count(low)
    says(SID, "{} of the {} counts are heaped on zero", zeros, len(_kiosk()))


def test_the_upper_fence_of_the_kiosk_and_its_dot_are_recomputed():
    dots = _dots(_kiosk())
    assert len(dots) == 1
    says(
        SID,
        "The upper fence is {:.1f}, so {:.0f} becomes a dot and the right whisker stops at {:.0f}",
        _fences(_kiosk())[1],
        dots[0],
        _whiskers(_kiosk())[1],
    )


def test_the_delays_in_the_right_part_of_the_island_box_are_counted():
    _, _, q2, q3, _ = _summary(_island())
    inside = sum(q2 <= d <= q3 for d in _island())
    says(SID, "most crossings are {:.0f} to {:.0f} minutes late", q2, q3)
    says(SID, "only {} of the {} delays fall in that range, end points included", inside, len(_island()))


def test_the_two_gates_share_one_five_number_summary():
    assert _summary(_north()) == _summary(_south())
    assert _dots(_north()) == _dots(_south()) == []
    says(SID, "the same five-number summary: {:.0f}, {:.0f}, {:.0f}, {:.0f}, {:.0f}", *_summary(_north()))


def test_the_south_gate_has_two_peaks_and_the_north_gate_none():
    north, south = _north(), _south()
    assert {north.count(v) for v in north} == {1}
    says(SID, "at the north gate each length from {:.0f} to {:.0f} occurs once", min(north), max(north))
    most = max(south.count(v) for v in south)
    peaks = sorted({v for v in south if south.count(v) == most})
    says(SID, "two peaks, at {:.0f} and at {:.0f}", *peaks)
    assert len(peaks) == 2


def test_the_mean_island_delay_is_recomputed():
    says(
        SID,
        "for the island delays it is {:.0f}/{}, or {:.1f} minutes when rounded at the end",
        sum(_island()),
        len(_island()),
        mean(_island()),
    )
    says(SID, "to the right of the median line at {:.0f}", median(_island()))

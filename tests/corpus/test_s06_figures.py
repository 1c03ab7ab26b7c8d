"""The worked figures of section s06, recomputed from the data its text gives."""

from itertools import accumulate
from statistics import median, stdev

from tests.corpus.reading import data, says, table

S = "s06"

SCIENCE_ROWS = {2: "8", 3: "8 7 6 4 3 1", 4: "9 7 5 2 2 1", 5: "6 2"}
HISTORY_ROWS = {1: "9", 2: "2 4 5 7 9", 3: "1 3 4 4 8", 4: "1 6", 5: "8", 6: "3"}


def lambs() -> list[float]:
    return data(
        S,
        "4.2, 3.8, 5.1, 4.6, 3.3, 4.9, 4.4, 5.6, 3.9, 4.7, 2.8, 4.1, 5.3, 4.5, 4.0, 3.6, 4.8, 5.0, 4.4, 7.3 and 4.6",
    )


def leaves(values: list[float]) -> dict[int, list[int]]:
    """Every stem from the smallest to the largest with its leaves in increasing order."""
    tenths = sorted(round(10 * v) for v in values)
    return {stem: [t % 10 for t in tenths if t // 10 == stem] for stem in range(tenths[0] // 10, tenths[-1] // 10 + 1)}


def episodes() -> tuple[list[float], list[float]]:
    """The lengths read out of the back-to-back plot, whose rows must stand in the text."""
    stems = table(S, "Science")["Stem"]
    science, history = [], []
    for stem in stems:
        left, right = SCIENCE_ROWS.get(int(stem), ""), HISTORY_ROWS.get(int(stem), "")
        row = f"| {left} | {stem:.0f} | {right} |".replace("|  |", "| |")
        science += [10 * stem + leaf for leaf in data(S, row)[: len(left.split())]]
        history += [10 * stem + leaf for leaf in data(S, row)[len(left.split()) + 1 :]]
    return sorted(science), sorted(history)


def trams() -> list[float]:
    return data(S, "120, 410, 530, 290, 180, 200, 260 and 310")


def jobs() -> list[float]:
    return table(S, "Cause of delay")["Jobs"]


def test_the_lamb_plot_shows_exactly_the_weights():
    rows = [f"{stem} | {' '.join(map(str, found))}".strip() for stem, found in leaves(lambs()).items()]
    says(S, " ".join(rows))


def test_the_lambs_are_twenty_one():
    assert len(lambs()) == 21
    says(S, "Twenty-one lambs born on a hill farm")
    counts = [len(found) for found in leaves(lambs()).values()]
    says(S, "Counting leaves gives {} + {} + {} + {} + {} + {} = {}", *counts, sum(counts))


def test_the_first_lamb_illustrates_stem_and_leaf():
    stem, leaf = divmod(round(10 * lambs()[0]), 10)
    says(S, "so {:.1f} becomes stem {}, leaf {}", lambs()[0], stem, leaf)
    says(S, "{} | {} means {:.1f} kg", stem, leaf, lambs()[0])


def test_the_share_of_lambs_in_the_fullest_row_is_recomputed():
    n, rows = len(lambs()), leaves(lambs())
    stem = max(rows, key=lambda s: len(rows[s]))
    says(
        S,
        "{} of the {} lambs, or {:.1f}%, weighed from {:.1f} to {:.1f} kg",
        len(rows[stem]),
        n,
        100 * len(rows[stem]) / n,
        stem,
        stem + 0.9,
    )


def test_the_middle_lamb_is_found_by_counting_leaves():
    n, rows = len(lambs()), leaves(lambs())
    place = (n + 1) // 2
    before = len(rows[2]) + len(rows[3])
    says(S, "The middle one of {} weights is the {}th", n, place)
    says(
        S,
        "the first two rows hold {} leaves, so count {} further into the row of stem {} and arrive at {:.1f}",
        before,
        place - before,
        int(median(lambs())),
        median(lambs()),
    )


def test_the_gap_below_the_heaviest_lamb_is_recomputed():
    *_, neighbour, heaviest = sorted(lambs())
    says(
        S,
        "the lamb of {:.1f} kg stands {:.1f} kg above its nearest neighbour of {:.1f} kg",
        heaviest,
        heaviest - neighbour,
        neighbour,
    )
    empty = [stem for stem, found in leaves(lambs()).items() if not found]
    says(S, "the empty stem {} of the lamb plot exposes one", *empty)
    assert len(empty) == 1


def test_the_split_stem_of_the_lamb_plot_is_recomputed():
    row = leaves(lambs())[4]
    low, high = [x for x in row if x <= 4], [x for x in row if x >= 5]
    says(
        S,
        f"a row with {len(low)} leaves, {' '.join(map(str, low))}, and a row with {len(high)} leaves, {' '.join(map(str, high))}",
    )


def test_long_values_are_trimmed_not_rounded():
    values = data(S, "such as 1,836 and 2,074")
    says(S, "trimmed to {:.0f} and {:.0f} hundreds", *(v // 100 for v in values))


def test_the_key_of_the_back_to_back_plot_fits_its_rows():
    science, history = episodes()
    left, stem, right = data(S, "8 | 2 | 4 means")
    assert 10 * stem + left in science
    assert 10 * stem + right in history
    says(
        S,
        "means a science episode of {:.0f} minutes and a history episode of {:.0f} minutes",
        10 * stem + left,
        10 * stem + right,
    )


def test_the_middle_episode_lengths_are_recomputed():
    science, history = episodes()
    assert len(science) == len(history)
    says(S, "Each podcast has {} episodes, so the middle length is the {}th", len(science), (len(science) + 1) // 2)
    says(S, "{:.0f} minutes for science and {:.0f} minutes for history", median(science), median(history))


def test_the_ranges_of_the_episode_lengths_are_recomputed():
    science, history = episodes()
    says(
        S,
        "Science runs from {:.0f} to {:.0f} minutes, a range of {:.0f} minutes",
        science[0],
        science[-1],
        science[-1] - science[0],
    )
    says(
        S,
        "history stretches from {:.0f} to {:.0f}, a range of {:.0f}",
        history[0],
        history[-1],
        history[-1] - history[0],
    )


def test_the_long_episodes_are_counted():
    science, history = episodes()
    limit = data(S, "Episodes of 40 minutes or more")[0]
    for name, lengths in (("science", science), ("history", history)):
        long = sum(x >= limit for x in lengths)
        says(S, "{} of {} ({:.1f}%) on the " + name + " side", long, len(lengths), 100 * long / len(lengths))


def test_the_two_longest_episodes_are_history():
    science, history = episodes()
    assert sorted(science + history)[-2:] == history[-2:]
    assert science[-1] < history[-2]
    says(S, "the two longest of all, at {:.0f} and {:.0f} minutes, are history", *history[-2:])


def test_the_tram_counts_fill_the_hours_named():
    start, _, end, _ = data(S, "in the eight hours from 6:00 to 14:00")
    assert len(trams()) == end - start == 8


def test_the_vertical_scale_of_the_tram_graph_holds_every_count():
    low, high = data(S, "a vertical scale from 0 to 600")
    assert low <= min(trams())
    assert max(trams()) <= high


def test_the_science_lengths_vary_less():
    science, history = episodes()
    assert science[-1] - science[0] < history[-1] - history[0]
    assert stdev(science) < stdev(history)
    assert median(science) > median(history)


def test_the_heaviest_lamb_is_also_an_outlier_by_the_numerical_rule_of_the_book():
    weights = sorted(lambs())
    half = len(weights) // 2
    q1, q3 = median(weights[:half]), median(weights[-half:])
    low, high = q1 - 1.5 * (q3 - q1), q3 + 1.5 * (q3 - q1)
    assert [w for w in weights if not low <= w <= high] == weights[-1:]


def test_the_steepest_rise_of_the_tram_graph_is_recomputed():
    steps = [(b - a, a, b) for a, b in zip(trams(), trams()[1:], strict=False)]
    rise, a, b = max(steps)
    assert (a, b) == tuple(trams()[:2])
    assert rise == max(abs(step) for step, _, _ in steps)
    says(S, "The steepest segment joins the first two hours, a rise of {:.0f} − {:.0f} = {:.0f} passengers", b, a, rise)


def test_the_steepest_fall_of_the_tram_graph_is_recomputed():
    fall, a, b = min((b - a, a, b) for a, b in zip(trams(), trams()[1:], strict=False))
    assert a == max(trams())
    says(
        S,
        "the steepest fall, from {:.0f} to {:.0f}, loses {:.0f}, or {:.1f}% of the peak",
        a,
        b,
        -fall,
        -100 * fall / a,
    )


def test_the_trams_recover_after_the_low():
    later = trams()[3:]
    low = min(later)
    says(S, "After the low of {:.0f} passengers the line climbs again", low)
    after = later[later.index(low) :]
    assert after == sorted(after)


def test_the_pareto_percentages_are_recomputed():
    total = data(S, "A repair shop looked into 200 jobs")[0]
    assert sum(jobs()) == total
    for count, running in zip(jobs(), accumulate(jobs()), strict=False):
        says(S, "| {:.0f} | {:.0f} | {:.0f} |", count, 100 * count / total, 100 * running / total)


def test_the_pareto_bars_descend_before_other():
    *named, _ = jobs()
    assert named == sorted(named, reverse=True)


def test_the_leading_causes_are_recomputed():
    total = sum(jobs())
    says(
        S,
        "Waiting for parts explains {:.0f} of {:.0f} late jobs, {:.0f}%, and the first three causes together {:.0f}%",
        jobs()[0],
        total,
        100 * jobs()[0] / total,
        100 * sum(jobs()[:3]) / total,
    )


def test_the_causes_from_the_third_onwards_are_recomputed():
    rest, total = sum(jobs()[2:]), sum(jobs())
    assert rest < jobs()[0]
    says(S, "which make up {:.0f} jobs or {:.0f}%", rest, 100 * rest / total)


def test_the_late_courier_share_is_recomputed():
    says(S, "the late courier, with {:.0f}%, at the front", 100 * min(jobs()) / sum(jobs()))


def test_the_histogram_class_of_the_lambs_is_counted():
    says(S, "From the lamb plot all {} weights can be recovered", len(lambs()))
    says(S, "only that {} lambs fell in one class", max(len(found) for found in leaves(lambs()).values()))


def test_the_cut_axis_exaggerates_the_tram_increase():
    before, after = data(S, "carried 4,800 passengers last week and 5,040 this week")
    start = data(S, "a vertical axis that starts at 4,700")[0]
    says(S, "an increase of {:.0f}%", 100 * (after - before) / before)
    says(
        S,
        "Their heights are then {:.0f} and {:.0f} units, so the second bar stands {:.1f} times as tall",
        before - start,
        after - start,
        (after - start) / (before - start),
    )


def test_doubling_both_sides_of_a_picture_quadruples_its_area():
    high, wide = data(S, "2 × 2")
    says(S, "{:.0f} × {:.0f} = {:.0f} times the area", high, wide, high * wide)

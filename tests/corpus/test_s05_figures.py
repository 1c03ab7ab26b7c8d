"""The worked figures of section s05, recomputed from the data its text gives."""

from itertools import combinations
from statistics import mean

from tests.corpus.reading import data, says, table

S = "s05"


def coffee() -> dict[str, tuple[float, float]]:
    """Adults and short sleepers; the order of the four rows is checked against their names."""
    columns = table(S, "Group")
    names = ["Night work, heavy coffee", "Night work, light coffee", "Day work, heavy coffee", "Day work, light coffee"]
    rows = dict(zip(names, zip(columns["Adults"], columns["Short sleepers"], strict=False), strict=True))
    for name, counts in rows.items():
        says(S, "| " + name + " | {:.0f} | {:.0f} |", *counts)
    return rows


def pooled(part: str) -> tuple[float, float]:
    rows = [counts for name, counts in coffee().items() if part in name]
    return sum(adults for adults, _ in rows), sum(short for _, short in rows)


def percent(part: str) -> float:
    adults, short = pooled(part)
    return 100 * short / adults


def spread() -> list[float]:
    return data(S, "The spread group scored 21, 24, 19, 26, 23, 22, 25 and 20")


def evening() -> list[float]:
    return data(S, "the single-evening group scored 18, 22, 17, 20, 19, 21, 16 and 19")


def relief() -> dict[str, float]:
    size, remedy = data(S, "A headache remedy is given to 60 sufferers, and two hours later 39 of them")
    other, placebo = data(
        S,
        "Another 60 sufferers, assigned at random in that way, receive a *placebo*, a tablet of the same look and taste with nothing active in it, and 27 of them",
    )
    third, nothing = data(S, "a third randomly assigned group of 60 gets no tablet at all and 15 of them")
    return {"remedy": 100 * remedy / size, "placebo": 100 * placebo / other, "nothing": 100 * nothing / third}


def tomatoes() -> tuple[list[float], list[float]]:
    columns = table(S, "Bed")
    return columns["With fertiliser (kg)"], columns["Without (kg)"]


def test_the_pooled_coffee_percentages_are_recomputed():
    heavy, light = pooled("heavy"), pooled("light")
    assert heavy[0] == light[0]
    says(S, "Of {:.0f} adults who answered a survey, half drank at least three cups", heavy[0] + light[0])
    says(S, "{:.0f} of the {:.0f} heavy drinkers, or {:.0f}%", heavy[1], heavy[0], percent("heavy"))
    says(S, "{:.0f} of the {:.0f} light drinkers, or {:.0f}%", light[1], light[0], percent("light"))


def test_the_gap_in_the_pooled_coffee_figures_is_recomputed():
    says(S, "the gap of {:.0f} percentage points in the pooled figures", percent("heavy") - percent("light"))


def test_coffee_makes_no_difference_among_night_workers():
    heavy, light = pooled("Night work, heavy"), pooled("Night work, light")
    says(
        S,
        "{:.0f} of {:.0f} heavy drinkers are short sleepers, which is {:.0f}%",
        heavy[1],
        heavy[0],
        percent("Night work, heavy"),
    )
    says(
        S,
        "for the light drinkers it is {:.0f} of {:.0f}, again {:.0f}%",
        light[1],
        light[0],
        percent("Night work, light"),
    )


def test_coffee_makes_no_difference_among_day_workers():
    assert percent("Day work, heavy") == percent("Day work, light")
    says(S, "Among day workers both groups show {:.0f}%", percent("Day work, heavy"))


def test_night_workers_drink_more_coffee():
    night, day = pooled("Night")[0], pooled("Day")[0]
    heavy_night, heavy_day = pooled("Night work, heavy")[0], pooled("Day work, heavy")[0]
    says(S, "{:.0f} of {:.0f} of them, {:.0f}%, are heavy drinkers", heavy_night, night, 100 * heavy_night / night)
    says(S, "compared with {:.1f}% of day workers", 100 * heavy_day / day)


def test_night_workers_sleep_less():
    assert percent("Night") > percent("Day")


def test_the_mean_scores_of_the_two_schedules_are_recomputed():
    a, b = spread(), evening()
    says(S, "The totals are {:.0f} and {:.0f}", sum(a), sum(b))
    says(S, "the means are {:.0f}/{} = {:.1f} and {:.0f}/{} = {:.1f}", sum(a), len(a), mean(a), sum(b), len(b), mean(b))
    says(S, "a difference of {:.1f} words in favour of spreading the work", mean(a) - mean(b))


def test_the_volunteers_are_numbered_to_the_last():
    says(S, "from {:02d} to {:02d}", 1, len(spread()) + len(evening()))


def test_the_number_of_ways_to_split_the_scores_is_enumerated():
    a, b = spread(), evening()
    splits = [sum(chosen) for chosen in combinations(a + b, len(a))]
    as_good = sum(total >= sum(a) for total in splits)
    says(S, "eight to each, in {:,} ways", len(splits))
    says(
        S,
        "finds only {}, or {:.1f}%, that favour the spread schedule by {:.1f} words or more",
        as_good,
        100 * as_good / len(splits),
        mean(a) - mean(b),
    )


def test_the_relief_percentages_are_recomputed():
    says(S, "39 of them, {:.0f}%, report relief", relief()["remedy"])
    says(S, "27 of them, {:.0f}%, report relief", relief()["placebo"])
    says(S, "15 of them, {:.0f}%, report relief", relief()["nothing"])


def test_the_effect_of_the_active_ingredient_is_the_difference_from_placebo():
    r = relief()
    says(S, "{:.0f}% − {:.0f}% = {:.0f} percentage points", r["remedy"], r["placebo"], r["remedy"] - r["placebo"])


def test_the_placebo_effect_is_the_difference_from_no_tablet():
    r = relief()
    says(S, "{:.0f}% is roughly what time alone achieves", r["nothing"])
    says(S, "{:.0f}% − {:.0f}% = {:.0f} points", r["placebo"], r["nothing"], r["placebo"] - r["nothing"])
    says(S, "so its {:.0f}% deserves more caution", r["nothing"])


def test_the_uncontrolled_figure_credits_the_remedy_with_over_three_times_its_due():
    r = relief()
    assert 3 < r["remedy"] / (r["remedy"] - r["placebo"]) < 3.5
    says(S, "would have credited the remedy with {:.0f}%, more than three times its due", r["remedy"])


def test_the_gains_within_the_tomato_beds_are_recomputed():
    gains = [a - b for a, b in zip(*tomatoes(), strict=True)]
    assert min(gains) > 0
    says(S, "gains of {:.1f}, {:.1f}, {:.1f}, {:.1f}, {:.1f} and {:.1f} kg, all positive", *gains)
    says(S, "with mean {:.1f}/{} = {:.2f} kg", sum(gains), len(gains), mean(gains))


def test_the_column_means_of_the_tomato_table_are_recomputed():
    treated, untreated = tomatoes()
    says(S, "The column means are {:.2f} and {:.2f} kg", mean(treated), mean(untreated))
    says(S, "their rounded values differ by {:.2f}", round(mean(treated), 2) - round(mean(untreated), 2))


def test_the_range_of_the_unfertilised_plots_is_recomputed():
    _, untreated = tomatoes()
    low, high = min(untreated), max(untreated)
    says(S, "run from {:.1f} to {:.1f} kg, a range of {:.1f} kg", low, high, high - low)


def test_a_hundred_times_the_survey_is_the_larger_sample_named():
    bigger, actual = data(S, "with 20,000 adults in place of 200")
    assert actual == pooled("coffee")[0]
    assert bigger > actual

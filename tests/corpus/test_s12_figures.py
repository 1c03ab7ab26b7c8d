"""The worked figures of s12 (variance and standard deviation), recomputed from the data in the text."""

import itertools
import math
import statistics

import numpy as np

from tests.corpus.reading import WORDS, data, says, table


def blue() -> list[float]:
    return data("s12", "3, 4, 4, 5, 5, 6, 6 and 7 minutes late")


def green() -> list[float]:
    return data("s12", "0, 1, 2, 3, 5, 7, 9 and 13 minutes late")


def red() -> list[float]:
    return data("s12", "0, 4, 4, 4, 5, 5, 5 and 13 minutes late")


def jars() -> list[float]:
    return data("s12", "247, 249, 250, 250, 252 and 252")


def steps() -> list[float]:
    return data("s12", "6,200, 7,500, 8,000, 9,100 and 10,200 steps")


def nests() -> tuple[np.ndarray, np.ndarray]:
    columns = table("s12", "Eggs")
    return np.array(columns["Eggs"]), np.array(columns["Nests"])


def every_nest() -> np.ndarray:
    eggs, count = nests()
    return np.repeat(eggs, count.astype(int))


def squares(values: list[float]) -> float:
    return float(((np.array(values) - np.mean(values)) ** 2).sum())


def listed(values) -> str:
    shown = [f"{value:.0f}" for value in values]
    return ", ".join(shown[:-1]) + " and " + shown[-1]


def test_the_bus_lines_share_a_mean_delay():
    assert np.mean(blue()) == np.mean(green()) == np.mean(red())
    assert len(blue()) == len(green()) == len(red())
    says("s12", "On {} mornings", WORDS[len(blue())])
    says("s12", "Both lines have a mean delay of {:.0f} minutes", np.mean(blue()))
    says("s12", "Its mean is again {:.0f}", np.mean(red()))


def test_the_ranges_of_the_bus_delays_are_recomputed():
    calm, wild = blue(), green()
    says("s12", "{:.0f} - {:.0f} = {:.0f} minutes for the blue line", max(calm), min(calm), max(calm) - min(calm))
    says("s12", "{:.0f} - {:.0f} = {:.0f} minutes for the green", max(wild), min(wild), max(wild) - min(wild))
    says("s12", "its range again {:.0f}", max(red()) - min(red()))
    says("s12", "the red and green lines share a range of {:.0f} minutes", np.ptp(green()))
    assert np.ptp(green()) == np.ptp(red())


def test_six_of_eight_red_delays_lie_within_a_minute_of_the_mean():
    near = sum(abs(delay - np.mean(red())) <= 1 for delay in red())
    says("s12", "{} of its {} delays", WORDS[near], WORDS[len(red())])
    says("s12", "rests on only {} unusual mornings", WORDS[len(red()) - near])


def test_the_deviations_of_the_green_line_cancel():
    deviations = np.array(green()) - np.mean(green())
    says("s12", "the deviations are " + listed(deviations))
    assert deviations.sum() == 0
    above = deviations[deviations > 0].sum()
    below = -deviations[deviations < 0].sum()
    says("s12", "{} minutes below are cancelled exactly by {} above", WORDS[int(below)], WORDS[int(above)])


def test_the_mean_and_deviations_of_the_jars_are_recomputed():
    volume = np.array(jars())
    says("s12", "x̄ = {:,.0f} / {} = {:.0f} ml", volume.sum(), len(volume), volume.mean())
    deviations = volume - volume.mean()
    says("s12", "Deviations: " + listed(deviations))
    says("s12", "Squares: " + listed(deviations**2))
    assert deviations.sum() == 0
    says("s12", "{} hit the mean exactly", WORDS[int((deviations == 0).sum())])
    says("s12", "one misses it by {:.0f}", abs(deviations).max())


def test_the_sample_variance_of_the_jars_is_recomputed():
    volume = jars()
    says("s12", "Σ(x - x̄)² = {:.0f}", squares(volume))
    says(
        "s12",
        "divide by n - 1 = {}, so s² = {:.0f} / {} = {:.1f} square",
        len(volume) - 1,
        squares(volume),
        len(volume) - 1,
        statistics.variance(volume),
    )


def test_the_sample_standard_deviation_of_the_jars_is_recomputed():
    volume = jars()
    says("s12", "s = √{:.1f} = {:.2f} ml", statistics.variance(volume), statistics.stdev(volume))
    says("s12", "about {:.1f} ml from their mean", statistics.stdev(volume))
    says("s12", "is {:.1f} ml away", statistics.stdev(volume))
    says("s12", "compared with s = {:.2f} ml", statistics.stdev(volume))


def test_the_mean_distance_of_the_jars_differs_from_their_standard_deviation():
    volume = np.array(jars())
    distance = abs(volume - volume.mean())
    says("s12", "{:.0f} / {} = {:.2f} ml", distance.sum(), len(volume), distance.mean())
    says("s12", "the jar at {:.0f} more weight", volume[distance.argmax()])


def test_the_jars_as_a_population_are_recomputed():
    volume = jars()
    says(
        "s12",
        "σ² = {:.0f} / {} = {:.0f} and σ = √{:.0f} = {:.2f} ml",
        squares(volume),
        len(volume),
        statistics.pvariance(volume),
        statistics.pvariance(volume),
        statistics.pstdev(volume),
    )


def test_the_standard_deviations_of_the_bus_delays_are_recomputed():
    says(
        "s12",
        "add to {:.0f} for the blue line, {:.0f} for the green and {:.0f} for the red",
        squares(blue()),
        squares(green()),
        squares(red()),
    )
    says("s12", "dividing each by {}", len(blue()) - 1)
    says(
        "s12",
        "standard deviations of {:.2f}, {:.2f} and {:.2f} minutes",
        *(statistics.stdev(line) for line in (blue(), green(), red())),
    )
    says("s12", "more than {} times as variable", WORDS[int(statistics.stdev(green()) / statistics.stdev(blue()))])


def toy_population() -> list[float]:
    return data("s12", "overfilled by 1, 2 and 6 ml")


def test_the_variance_of_the_toy_population_is_recomputed():
    toy = toy_population()
    parts = " + ".join(f"{part:.0f}" for part in (np.array(toy) - np.mean(toy)) ** 2)
    says("s12", "μ = {:.0f} and σ² = (" + parts + ") / {} = {:.2f}", np.mean(toy), len(toy), np.var(toy))


def test_dividing_by_n_minus_one_is_right_on_average():
    toy = toy_population()
    samples = list(itertools.product(toy, repeat=2))
    says("s12", "there are {} equally likely ordered samples", WORDS[len(samples)])
    unbiased = np.mean([np.var(sample, ddof=1) for sample in samples])
    biased = np.mean([np.var(sample) for sample in samples])
    assert math.isclose(unbiased, np.var(toy))
    says("s12", "average exactly σ², that is {:.2f}", unbiased)
    says("s12", "they average only {:.2f}", biased)


def test_the_mean_clutch_is_recomputed():
    eggs, count = nests()
    says("s12", "Σfx / n = {:.0f} / {:.0f} = {:.1f} eggs", (eggs * count).sum(), count.sum(), every_nest().mean())
    says("s12", "{} nests of one bird species", {30: "Thirty"}[int(count.sum())])


def test_the_columns_of_the_nest_table_are_recomputed():
    eggs, count = nests()
    columns = table("s12", "Eggs")
    deviation = eggs - every_nest().mean()
    assert np.allclose(columns["Deviation"], deviation)
    assert np.allclose(columns["Squared"], deviation**2)
    assert np.allclose(columns["Nests × squared"], count * deviation**2)


def test_the_variance_and_standard_deviation_of_the_clutches_are_recomputed():
    clutch = every_nest()
    says(
        "s12",
        "adds to {:.2f}, so s² = {:.2f} / {} = {:.3f} and s = {:.2f} eggs",
        squares(clutch),
        squares(clutch),
        len(clutch) - 1,
        clutch.var(ddof=1),
        clutch.std(ddof=1),
    )


def test_the_nests_within_one_standard_deviation_are_counted():
    clutch = every_nest()
    low, high = clutch.mean() - clutch.std(ddof=1), clutch.mean() + clutch.std(ddof=1)
    inside = clutch[(low <= clutch) & (clutch <= high)]
    says("s12", "reaches from {:.2f} to {:.2f} eggs", low, high)
    says("s12", "the nests with {:.0f} or {:.0f} eggs, {} of the {}", *sorted(set(inside)), len(inside), len(clutch))


def test_dividing_by_the_rows_gives_an_impossible_variance():
    eggs, _ = nests()
    clutch = every_nest()
    wrong = squares(clutch) / (len(eggs) - 1)
    says("s12", "Dividing by {}, one less than the number of rows", len(eggs) - 1)
    says("s12", "a variance of {:.1f}", wrong)
    farthest = abs(clutch - clutch.mean()).max()
    says("s12", "no squared deviation exceeds {:.2f}, which cannot be for {} nests", farthest**2, len(clutch))
    assert wrong > farthest**2 * len(clutch) / (len(clutch) - 1)


def test_the_step_counts_are_summarised_correctly():
    says(
        "s12",
        "on {} days, with mean {:,.0f} and standard deviation {:,.0f} steps",
        WORDS[len(steps())],
        np.mean(steps()),
        statistics.stdev(steps()),
    )


def test_adding_a_constant_moves_the_mean_only():
    (missed,) = data("s12", "missed the first 500 steps")
    shifted = [count + missed for count in steps()]
    says("s12", "raises the mean to {:,.0f}", np.mean(shifted))
    says("s12", "so does the standard deviation of {:,.0f}", statistics.stdev(shifted))


def test_multiplying_stretches_mean_and_standard_deviation():
    (length,) = data("s12", "each step covers 0.7 m")
    metres = [length * count for count in steps()]
    says("s12", "mean {:.1f} × {:,.0f} = {:,.0f} m", length, np.mean(steps()), np.mean(metres))
    says(
        "s12",
        "standard deviation {:.1f} × {:,.0f} = {:,.0f} m",
        length,
        statistics.stdev(steps()),
        statistics.stdev(metres),
    )
    says("s12", "multiplied by {:.1f}² = {:.2f}", length, statistics.variance(metres) / statistics.variance(steps()))


def test_one_very_late_bus_more_than_doubles_the_standard_deviation():
    worst, instead = data("s12", "had been 29 minutes late instead of 13")
    delayed = [worst if delay == instead else delay for delay in green()]
    assert instead == max(green())
    says("s12", "from {:.2f} to {:.2f} minutes", statistics.stdev(green()), statistics.stdev(delayed))

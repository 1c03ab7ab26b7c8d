"""The worked figures of s11 (skewness and shape), recomputed from the data in the text."""

import statistics

import numpy as np
from scipy import stats

from tests.corpus.reading import WORDS, data, says


def waits() -> list[float]:
    return data("s11", "4, 5, 6, 6, 7, 7, 7, 8, 9, 10, 12, 14, 19, 27 and 44")


def marks() -> list[float]:
    return data("s11", "31, 52, 64, 71, 78, 82, 85, 88, 90, 91, 93, 94, 94, 94 and 96")


def houses() -> list[float]:
    return data("s11", "185, 198, 205, 210, 220, 228, 240, 255, 275 and 310")


def houses_and_mansion() -> list[float]:
    return houses() + data("s11", "sells for 1,450 thousand pounds")


def claims() -> list[float]:
    return data("s11", "40, 90, 160, 250, 400, 640, 1,000, 1,800 and 4,000")


def parcels() -> list[float]:
    pairs = data("s11", "9 parcels held 1 item, 10 held 2, 1 held 3 and 1 held 5")
    return [items for count, items in zip(pairs[::2], pairs[1::2], strict=False) for _ in range(int(count))]


def quartiles(values: list[float]) -> tuple[float, float, float]:
    """Medians of the halves, the overall median left out of both when n is odd."""
    ordered, half = sorted(values), len(values) // 2
    return statistics.median(ordered[:half]), statistics.median(ordered), statistics.median(ordered[-half:])


def test_the_mean_and_median_wait_at_the_clinic_are_recomputed():
    times = waits()
    says("s11", "{} waits, noted in minutes", WORDS[len(times)].capitalize())
    says("s11", "The median of the {} waits is {:.0f} minutes", WORDS[len(times)], statistics.median(times))
    says("s11", "their mean is {:.0f} / {} = {:.1f} minutes", sum(times), len(times), statistics.mean(times))
    says("s11", "seen within {} minutes", WORDS[int(statistics.median(times))])
    says("s11", "the average wait is over {}", WORDS[int(statistics.mean(times))])
    assert sum(time <= statistics.median(times) for time in times) >= len(times) / 2


def test_the_stem_plot_shows_the_clinic_waits():
    times = sorted(waits())
    for stem in range(int(times[-1]) // 10 + 1):
        leaves = " ".join(f"{time % 10:.0f}" for time in times if time // 10 == stem)
        says("s11", f"| {stem} | {leaves} |" if leaves else f"| {stem} | |")


def test_the_order_of_the_three_centres_of_the_waits_is_recomputed():
    times = waits()
    (mode,) = statistics.multimode(times)
    says("s11", "mode {:.0f}, median {:.0f}, mean {:.1f}", mode, statistics.median(times), statistics.mean(times))
    assert mode < statistics.median(times) < statistics.mean(times)
    assert stats.skew(times) > 1


def test_the_car_park_stays_are_symmetric_with_two_peaks():
    stays = data("s11", "2, 3, 3, 3, 4, 8, 9, 9, 9 and 10")
    mean, middle = statistics.mean(stays), statistics.median(stays)
    low, high = statistics.multimode(stays)
    says("s11", "{} stays in a car park", WORDS[len(stays)].capitalize())
    says("s11", "Their mean is {:.0f} and their median is {:.0f}", mean, middle)
    says("s11", "one peak, at {:.0f} hours, and office workers the other, at {:.0f}", low, high)
    assert sorted(2 * mean - stay for stay in stays) == sorted(stays)
    assert min(abs(stay - mean) for stay in stays) >= 2
    says("s11", "anything like {} hours", WORDS[int(mean)])


def test_the_centres_of_the_easy_examination_are_recomputed():
    got = marks()
    (mode,) = statistics.multimode(got)
    says("s11", "Its {} marks", WORDS[len(got)])
    says(
        "s11",
        "The mean is {:,.0f} / {} = {:.1f}, the median is {:.0f} and the mode is {:.0f}",
        sum(got),
        len(got),
        statistics.mean(got),
        statistics.median(got),
        mode,
    )
    assert statistics.mean(got) < statistics.median(got) < mode
    assert stats.skew(got) < -1
    assert sum(mark > statistics.mean(got) for mark in got) > len(got) / 2


def test_the_three_centres_of_the_bread_rolls_agree():
    rolls = data("s11", "57, 58, 59, 59, 60, 60, 60, 61, 61, 62 and 63")
    (mode,) = statistics.multimode(rolls)
    says("s11", "{} bread rolls", WORDS[len(rolls)].capitalize())
    says(
        "s11",
        "the mean is {:.0f} / {} = {:.0f}, the median is {:.0f}",
        sum(rolls),
        len(rolls),
        statistics.mean(rolls),
        statistics.median(rolls),
    )
    says("s11", "hence the mode, is at {:.0f}", mode)
    assert sorted(2 * mode - roll for roll in rolls) == sorted(rolls)


def test_the_quartiles_of_the_waits_and_their_distances_are_recomputed():
    first, middle, third = quartiles(waits())
    says("s11", "Q1 = {:.0f}, median {:.0f} and Q3 = {:.0f}", first, middle, third)
    says("s11", "The median is {:.0f} minutes above Q1 but {:.0f} minutes below Q3", middle - first, third - middle)
    says("s11", "{} times as long as the lower", WORDS[int((third - middle) / (middle - first))])
    assert third - middle == 3 * (middle - first)


def test_the_upper_cut_off_of_the_waits_is_recomputed():
    first, _, third = quartiles(waits())
    spread = third - first
    limit = third + 1.5 * spread
    beyond = [time for time in waits() if time > limit]
    says("s11", "The interquartile range is {:.0f} minutes", spread)
    says("s11", "{:.0f} + 1.5 × {:.0f} = {:.0f}", third, spread, limit)
    assert len(beyond) == 2
    says("s11", "the waits of {:.0f} and {:.0f} exceed it", *beyond)


def test_eleven_of_the_fifteen_waits_lie_below_the_mean():
    times = waits()
    mean = statistics.mean(times)
    below = sum(time < mean for time in times)
    says("s11", "{} of the {} waits lie below the mean of {:.1f} minutes", WORDS[below], WORDS[len(times)], mean)


def test_the_house_prices_before_the_mansion_are_recomputed():
    prices = houses()
    says("s11", "{} houses in a street sold", WORDS[len(prices)].capitalize())
    says(
        "s11",
        "The mean price is {:.1f} thousand and the median {:.0f} thousand",
        statistics.mean(prices),
        statistics.median(prices),
    )
    assert 0 < stats.skew(prices) < 1


def test_the_house_prices_with_the_mansion_are_recomputed():
    prices = houses_and_mansion()
    says("s11", "the list has {} prices", WORDS[len(prices)])
    says(
        "s11",
        "the mean price becomes {:,.0f} / {} = {:.1f} thousand pounds",
        sum(prices),
        len(prices),
        statistics.mean(prices),
    )
    says("s11", "the median moves only to {:.0f} thousand", statistics.median(prices))
    assert statistics.mean(prices) > max(houses())
    assert stats.skew(prices) > 2 * stats.skew(houses())


def test_what_the_mansion_adds_to_mean_and_median_is_recomputed():
    before, after = houses(), houses_and_mansion()
    says(
        "s11",
        "lifted the mean by {:.1f} thousand and the median by {:.0f} thousand",
        statistics.mean(after) - statistics.mean(before),
        statistics.median(after) - statistics.median(before),
    )


def test_the_mansion_lies_beyond_the_upper_cut_off_of_the_prices():
    prices = houses_and_mansion()
    first, _, third = quartiles(prices)
    spread = third - first
    limit = third + 1.5 * spread
    says("s11", "the upper cut-off of {:.0f} + 1.5 × {:.0f} = {:.0f} thousand", third, spread, limit)
    assert [price for price in prices if price > limit or price < first - 1.5 * spread] == [max(prices)]


def test_the_parcels_have_a_right_tail_but_a_mean_below_the_median():
    items = parcels()
    (mode,) = statistics.multimode(items)
    says("s11", "{} parcels held the following numbers", WORDS[len(items)].capitalize())
    assert mode == statistics.median(items)
    says(
        "s11",
        "the median and the mode are both {:.0f} while the mean is {:.0f} / {} = {:.2f}",
        mode,
        sum(items),
        len(items),
        statistics.mean(items),
    )
    assert stats.skew(items) > 1
    assert statistics.mean(items) < statistics.median(items)


def test_the_mean_and_median_claim_are_recomputed():
    pounds = claims()
    says("s11", "{} insurance claims", WORDS[len(pounds)].capitalize())
    says(
        "s11",
        "Their mean, {:.1f} pounds, is more than twice their median, {:.0f} pounds",
        statistics.mean(pounds),
        statistics.median(pounds),
    )
    assert 2 < statistics.mean(pounds) / statistics.median(pounds) < 3


def test_the_logarithms_of_the_claims_are_recomputed():
    logs = np.log10(claims())
    says("s11", "the mean is {:.2f} and the median is {:.2f} as well", logs.mean(), np.median(logs))
    assert abs(stats.skew(logs)) < 0.1
    assert max(claims()) == 10 * statistics.median(claims())
    assert 10 * min(claims()) == statistics.median(claims())
    says("s11", "{:,.0f} is ten times the median claim, and {:.0f} is one tenth of it", max(claims()), min(claims()))


def test_the_geometric_mean_claim_and_the_shortfall_are_recomputed():
    pounds = claims()
    geometric = 10 ** np.log10(pounds).mean()
    says("s11", "gives about {:.0f} pounds", geometric)
    says("s11", "the ordinary mean of {:.1f} pounds", statistics.mean(pounds))
    says("s11", "multiplied {:.0f} by the number of claims", geometric)
    says(
        "s11",
        "about {:,.0f} pounds (using the unrounded geometric mean), while the true total is {:,.0f}",
        geometric * len(pounds),
        sum(pounds),
    )

"""Worked figures of section s01, recomputed from the data in its text."""

from itertools import combinations
from statistics import mean

from tests.corpus.reading import data, says

S = "s01"


def _counters():
    return data(S, "in bicycles, are 412, 655, 238, 890, 507, 1,120, 346 and 472.")


def _all_counters():
    return data(S, "A city has set 48 automatic counters")[0]


def _true_total():
    return data(S, "the full total turns out to be 27,312.")[0]


def _loaves():
    return data(S, "Six loaves on a cooling rack weigh 792, 798, 801, 805, 809 and 813 grams")


def _means(size):
    return [mean(some) for some in combinations(_loaves(), size)]


def _within():
    return data(S, "have a mean within 3 grams of μ")[0]


def _near(size):
    return sum(abs(m - mean(_loaves())) <= _within() for m in _means(size))


def test_the_mean_of_the_eight_counters_is_recomputed():
    x = _counters()
    says(S, "They add up to {:,.0f}", sum(x))
    says(S, "x̄ = {:,.0f} / {} = {:.0f} bicycles per counter", sum(x), len(x), mean(x))
    says(S, "both {:.0f} and", mean(x))
    says(S, "conclude from a sample mean of {:.0f} bicycles", mean(x))


def test_the_proportion_of_busy_counters_is_recomputed():
    x = _counters()
    limit = data(S, "Four of the eight readings exceed 500")[0]
    busy = sum(v > limit for v in x)
    says(S, "{} of the eight readings exceed", ["None", "One", "Two", "Three", "Four", "Five"][busy])
    says(S, "the sample proportion p̂ = {} / {} = {:.2f}", busy, len(x), busy / len(x))
    says(S, "both {:.0f} and {:.2f} are statistics", mean(x), busy / len(x))


def test_the_estimated_total_of_all_counters_is_recomputed():
    n, m = _all_counters(), mean(_counters())
    says(S, "is {:.0f}, which corresponds to a total of {:.0f} × {:.0f} = {:,.0f} registrations", m, n, m, n * m)


def test_the_parameter_and_the_miss_of_the_statistic_are_recomputed():
    mu = _true_total() / _all_counters()
    miss = mean(_counters()) - mu
    says(S, "Then μ = {:,.0f} / {:.0f} = {:.0f}, a parameter", _true_total(), _all_counters(), mu)
    says(S, "the statistic was {:.0f} bicycles too high, about {:.1f}% of the true value", miss, 100 * miss / mu)


def test_the_population_mean_of_the_loaves_is_recomputed():
    x = _loaves()
    says(S, "μ = {:,.0f} / {} = {:.0f} grams", sum(x), len(x), mean(x))


def test_the_pairs_of_loaves_and_their_extreme_means_are_recomputed():
    pairs = _means(2)
    says(S, "There are {} possible pairs", len(pairs))
    says(S, "run from {:.0f} grams, for the two lightest loaves, to {:.0f} grams", min(pairs), max(pairs))


def test_only_one_pair_of_loaves_hits_the_population_mean():
    mu = mean(_loaves())
    hits = [pair for pair in combinations(_loaves(), 2) if mean(pair) == mu]
    assert len(hits) == 1
    says(S, "Just one pair, {:.0f} and {:.0f}, hits {:.0f} exactly", *hits[0], mu)


def test_the_average_of_all_pair_means_is_the_population_mean():
    pairs = _means(2)
    assert mean(pairs) == mean(_loaves())
    says(S, "the population of six loaves with mean μ = {:.0f} grams", mean(_loaves()))
    says(S, "the average of the means of all {} pairs is exactly {:.0f} grams", len(pairs), mean(pairs))


def test_the_share_of_pairs_near_the_population_mean_is_recomputed():
    says(S, "{} of the {} have a mean within {:.0f} grams of μ", _near(2), len(_means(2)), _within())


def test_the_means_of_four_loaves_stray_less_and_are_recomputed():
    fours = _means(4)
    assert _near(4) > _near(2)
    says(S, "There are also {} ways to choose four loaves", len(fours))
    says(S, "their means lie only between {:.0f} and {:.0f} grams", min(fours), max(fours))
    says(S, "{} of the {} are within {:.0f} grams", _near(4), len(fours), _within())


def test_the_four_crews_proportions_are_recomputed():
    (bottles,) = data(S, "Four crews each fill 20 bottles")
    over = data(S, "the numbers of bottles over a warning level for nitrate are 7, 4, 6 and 9.")
    says(S, "the sample proportions {:.2f}, {:.2f}, {:.2f} and {:.2f} is description", *(k / bottles for k in over))
    says(S, "report proportions of {:.2f} and {:.2f}", min(over) / bottles, max(over) / bottles)


def test_the_combined_proportion_of_the_crews_is_recomputed():
    (bottles,) = data(S, "Four crews each fill 20 bottles")
    over = data(S, "the numbers of bottles over a warning level for nitrate are 7, 4, 6 and 9.")
    n = bottles * len(over)
    says(S, "to combine them as {:.0f} / {:.0f} = {:.3f}", sum(over), n, sum(over) / n)
    assert abs(sum(over) / n - 1 / 3) < 0.01
    says(S, "roughly a third of all the bottles")

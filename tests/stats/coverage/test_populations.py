"""The truths of the simulated populations, by other means than those that state them."""

import re
from math import sqrt

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import expit, logit
from scipy.stats import expon, norm

from evalcore.stats.agreement import kappas
from evalcore.stats.coverage.kinds import PLACES
from evalcore.stats.coverage.populations import (
    CLUSTERS,
    EFFECTS,
    MEANS,
    PAIRS,
    RATERS,
    RATES,
    SCORE_PAIRS,
    SCORES,
    TABLES,
)

# prevalence, sensitivity, specificity, spread of the topics' shift
STATED = {
    "prevalence 0.70": (0.70, 0.85, 0.75, 0.5),
    "prevalence 0.85": (0.85, 0.90, 0.60, 0.5),
    "prevalence 0.93": (0.93, 0.95, 0.50, 0.7),
}


def drawn(population, size, simulations=4_000):
    return population.draw(np.random.default_rng(3), simulations, size)


def assert_mean(values, truth):
    """Within five standard errors, ``values`` being independent."""
    assert values.mean() == pytest.approx(truth, abs=5 * values.std() / sqrt(values.size))


@pytest.mark.parametrize("name", [*MEANS, *PAIRS])
def test_the_truth_of_scores_is_their_mean(name):
    population = (MEANS | PAIRS)[name]
    assert_mean(drawn(population, (20,)).ravel(), population.truth)


def test_the_differences_with_a_d_z_are_those_with_a_mean():
    assert list(EFFECTS) == list(PAIRS)
    for name, population in EFFECTS.items():
        assert (drawn(population, (20,), 50) == drawn(PAIRS[name], (20,), 50)).all()


@pytest.mark.parametrize("name", EFFECTS)
def test_the_truth_of_d_z_is_the_mean_over_the_standard_deviation(name):
    # the squares tell the spread: E x^2 = mean^2 + sd^2, and sd = mean / d_z
    mean, values = PAIRS[name].truth, drawn(EFFECTS[name], (100,)).ravel()
    assert_mean(values**2, mean**2 + (mean / EFFECTS[name].truth) ** 2)


def test_the_truths_of_d_z_are_those_of_scipys_distributions_and_of_the_law_of_total_variance():
    # 2 in 5 are normal(0.05, 0.2), the others 0: variance within and between
    mixed = 0.4 * 0.2**2 + 0.4 * 0.6 * 0.05**2
    skewed, against = expon(-0.05, 0.1), expon(0, 0.1)
    assert [population.truth for population in list(EFFECTS.values())[:4]] == pytest.approx(
        [
            norm(0.03, 0.12).mean() / norm(0.03, 0.12).std(),
            0.02 / sqrt(mixed),
            skewed.mean() / skewed.std(),
            (0.15 - against.mean()) / against.std(),
        ],
        abs=1e-15,
    )


def test_the_scores_with_few_relevant_passages_are_those_that_ndcg_can_take():
    possible = [0.0, *(1 / np.log2(1 + rank) for rank in range(5, 0, -1))]
    for share in ("seven of ten", "nine of ten", "95 of 100"):
        found = drawn(MEANS[f"one relevant passage, first in {share}"], (20,))
        assert np.unique(found) == pytest.approx(possible)


@pytest.mark.parametrize(("words", "first"), [("seven of ten", 0.7), ("nine of ten", 0.9), ("95 of 100", 0.95)])
def test_the_scores_of_a_strong_retriever_are_first_as_often_as_named_and_the_rest_in_the_same_proportions(
    words, first
):
    found = drawn(MEANS[f"one relevant passage, first in {words}"], (20,), 20_000).ravel()
    assert_mean(np.where(found == 1, 1.0, 0.0), first)
    # of those that are not first, two in five stand second and one in six is not returned
    rest = found[found < 1]
    assert_mean(np.where(np.abs(rest - 1 / np.log2(3)) < 1e-12, 1.0, 0.0), 0.4)
    assert_mean(np.where(rest == 0, 1.0, 0.0), 1 / 6)


@pytest.mark.parametrize("name", [name for name in PAIRS if "in 100 questions tie" in name])
def test_nearly_equal_rankers_tie_as_often_as_named_and_else_differ_by_a_step_of_ndcg(name):
    found = drawn(PAIRS[name], (40,), 5_000).ravel()
    grid = np.array([0.0, *(1 / np.log2(1 + rank) for rank in range(1, 6))])
    steps = np.abs(grid[:, None] - grid).ravel()
    assert np.abs(np.abs(np.unique(found))[:, None] - steps).min(axis=1).max() < 1e-12
    assert_mean(np.where(found == 0, 1.0, 0.0), int(name.split()[0]) / 100)
    assert_mean(np.where(found[found != 0] > 0, 1.0, 0.0), 1.0 if name.endswith("one way") else 0.6)


def test_populations_are_drawn_only_where_samples_mostly_have_an_interval():
    for row, (kind, design) in PLACES.items():
        tried = kind.drawn(design)
        assert tried
        assert set(kind.populations) - set(tried) == {n for n, p in kind.populations.items() if p.fewest > design.n}
        if row == "paired-t-40":
            # six of forty must differ: at 85 % ties that is so in 57 % of samples, at 90 % in 21 %
            assert [n for n in tried if "in 100" in n] == [
                "85 in 100 questions tie, nDCG steps both ways",
                "85 in 100 questions tie, nDCG steps one way",
            ]


@pytest.mark.parametrize("name", RATES)
def test_the_truth_of_hits_is_their_rate(name):
    assert RATES[name].truth == float(name.removeprefix("rate "))
    assert_mean(drawn(RATES[name], (24,)) / 24, RATES[name].truth)


@pytest.mark.parametrize("name", TABLES)
def test_the_truth_of_paired_hits_is_the_difference_of_their_rates(name):
    cells = drawn(TABLES[name], (40,))
    assert (cells.sum(axis=1) == 40).all()
    assert_mean((cells[:, 1] - cells[:, 2]) / 40, TABLES[name].truth)


@pytest.mark.parametrize("name", CLUSTERS)
def test_topics_have_their_rate_and_their_intraclass_correlation(name):
    rate, icc = (float(part.split()[1]) for part in name.split(", "))
    hits = drawn(CLUSTERS[name], (8, 7), 20_000)
    assert CLUSTERS[name].truth == rate
    assert_mean(hits.ravel() / 7, rate)
    # the variance of a beta-binomial count
    squares = (hits.ravel() - 7 * rate) ** 2
    assert_mean(squares, 7 * rate * (1 - rate) * (1 + 6 * icc))


@pytest.mark.parametrize("name", RATERS)
def test_the_truth_of_two_raters_is_kappa_by_numerical_integration(name):
    prevalence, sensitivity, specificity, spread = STATED[name]

    def expected(p):
        found, _ = quad(lambda x: expit(logit(p) + spread * x) * norm.pdf(x), -10, 10, epsabs=1e-12)
        return found

    hit, rejected = expected(sensitivity), expected(specificity)
    agree = prevalence * hit + (1 - prevalence) * rejected
    yes = prevalence * hit + (1 - prevalence) * (1 - rejected)
    chance = prevalence * yes + (1 - prevalence) * (1 - yes)
    assert RATERS[name].truth == pytest.approx((agree - chance) / (1 - chance), abs=1e-9)


@pytest.mark.parametrize("name", RATERS)
def test_many_topics_of_two_raters_have_the_stated_kappa_and_prevalence(name):
    topics = drawn(RATERS[name], (40_000, 7), 1)[0]
    assert (topics.sum(axis=1) == 7).all()
    assert kappas(topics.sum(axis=0)) == pytest.approx(RATERS[name].truth, abs=0.02)
    assert topics[:, :2].sum() / topics.sum() == pytest.approx(STATED[name][0], abs=0.005)


@pytest.mark.parametrize("name", SCORES)
def test_the_truth_of_an_auc_is_the_share_of_pairs_won(name):
    scores = drawn(SCORES[name], (1, 1), 40_000)
    assert SCORES[name].truth == float(name.split()[1].rstrip(","))
    assert_mean(np.where(scores[:, 0] > scores[:, 1], 1.0, 0.0), SCORES[name].truth)


@pytest.mark.parametrize("name", SCORE_PAIRS)
def test_the_truth_of_two_scores_is_the_difference_of_the_shares_of_pairs_won(name):
    first, second, correlation = (float(part) for part in re.findall(r"\d\.\d+", name))
    scores = drawn(SCORE_PAIRS[name], (1, 1), 40_000)
    assert SCORE_PAIRS[name].truth == first - second
    for i, auc in enumerate((first, second)):
        assert_mean(np.where(scores[:, i, 0] > scores[:, i, 1], 1.0, 0.0), auc)
    for group in (scores[:, :, 0], scores[:, :, 1]):
        apart = group - group.mean(axis=0)
        assert_mean(apart[:, 0] ** 2, 1.0)
        assert_mean(apart[:, 1] ** 2, 1.0)
        assert_mean(apart.prod(axis=1), correlation)


def test_two_scores_of_different_questions_have_nothing_in_common():
    scores = drawn(SCORE_PAIRS["AUC 0.8 and 0.8, correlated 0.8"], (2, 2), 20_000)
    apart = scores - scores.mean(axis=0)
    for i, j in ((0, 1), (0, 2), (2, 3)):
        assert_mean(apart[:, 0, i] * apart[:, 1, j], 0.0)

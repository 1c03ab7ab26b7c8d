"""The intervals and tests written by hand against those of scipy, which draws otherwise or enumerates."""

import numpy as np
import pytest
from scipy.stats import binomtest, bootstrap, permutation_test, ttest_1samp
from statsmodels.stats.proportion import confint_proportions_2indep

from tests.independent import data, estimates, inference
from tests.independent.ranking import MEANS, measures, per_question

PAIRS = data.plan()["family"]["pairs"]
LOOSELY = 0.01


def by_scipy(values, method, seed):
    interval = bootstrap(
        (values,),
        np.mean,
        n_resamples=data.plan()["statistics"]["resamples"],
        confidence_level=data.plan()["statistics"]["level"],
        method=method,
        rng=np.random.default_rng(seed),
    ).confidence_interval
    return interval.low, interval.high


def differences(names, measure):
    return per_question(names[0], measure) - per_question(names[1], measure)


def near(mine, other, gap=LOOSELY):
    return bool(np.all(np.abs(np.subtract(mine, other)) <= gap))


@pytest.mark.parametrize("measure", MEANS)
@pytest.mark.parametrize("run", data.RANKERS)
def test_bca_is_near_to_scipys_on_another_stream(run, measure):
    values = per_question(run, measure)
    assert near(inference.bca(values), by_scipy(values, "BCa", 1))
    assert not near(np.add(inference.bca(values), 2 * LOOSELY), by_scipy(values, "BCa", 1))


@pytest.mark.parametrize("measure", MEANS)
@pytest.mark.parametrize("run", data.RANKERS)
def test_the_percentile_interval_is_near_to_scipys_on_another_stream(run, measure):
    values = per_question(run, measure)
    assert near(inference.percentile(values), by_scipy(values, "percentile", 1))


@pytest.mark.parametrize("measure", MEANS)
@pytest.mark.parametrize("run", data.RANKERS)
def test_students_interval_is_scipys(run, measure):
    values = per_question(run, measure)[:8]
    interval = ttest_1samp(values, 0).confidence_interval(data.plan()["statistics"]["level"])
    assert near(inference.student(values), (interval.low, interval.high), 1e-12)


def test_students_interval_may_reach_past_0_and_1():
    low, high = inference.student(np.array([0.0, 1.0, 0.0, 1.0]))
    assert low < 0
    assert high > 1


@pytest.mark.parametrize(("n", "method"), [(2, "t(n - 1)"), (29, "t(n - 1)"), (30, "BCa bootstrap")])
def test_below_30_questions_students_interval_stands_beside_a_mean_and_bca_from_30_on(n, method):
    row = estimates.beside(np.arange(n) / n)
    assert (row["method"], row["n"], row["reason"]) == (method, n, None)
    assert row["low"] < row["value"] < row["high"]


@pytest.mark.parametrize("measure", MEANS)
@pytest.mark.parametrize("names", PAIRS)
def test_the_sign_flip_test_is_scipys_exactly_or_within_its_monte_carlo_error(names, measure):
    p, vectors, every = inference.sign_flip(differences(names, measure))
    moved = inference.non_zero(differences(names, measure))
    other = permutation_test(
        (moved, np.zeros(len(moved))),
        lambda first, second, axis: np.sum(first - second, axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=vectors,
        rng=np.random.default_rng(1),
    ).pvalue
    error = 0 if every else 4 * np.sqrt(2 * p * (1 - p) / vectors)
    assert near(p, other, error + 1e-12)


@pytest.mark.parametrize("names", PAIRS)
def test_mcnemar_is_the_binomial_test_of_the_flips(names):
    for measure in measures():
        if measure not in MEANS:
            table = inference.cells(*(per_question(name, measure) for name in names))
            assert near(inference.mcnemar_exact(*table), binomtest(table[1], table[1] + table[2]).pvalue, 1e-12)


def test_wilson_is_scipys():
    for hits in range(len(data.question_ids()) + 1):
        interval = binomtest(hits, len(data.question_ids())).proportion_ci(method="wilson")
        assert near(inference.wilson(hits, len(data.question_ids())), (interval.low, interval.high), 1e-12)


@pytest.mark.parametrize(
    ("table", "low", "high"),
    [
        ((36, 12, 2, 0), 0.0569, 0.3404),
        ((20, 12, 2, 16), 0.0562, 0.3292),
        ((18, 14, 0, 18), 0.1441, 0.3963),
        ((0, 29, 1, 0), 0.6666, 0.9882),
        ((0, 30, 0, 0), 0.8395, 1.0),
        ((54, 0, 0, 0), -0.0664, 0.0664),
        ((27, 0, 0, 27), -0.0351, 0.0351),
    ],
)
def test_newcombes_published_intervals_are_met(table, low, high):
    """Statistics in Medicine 17, 1998, table III, method 10."""
    assert near(inference.newcombe(*table), (low, high), 1e-4)


def test_without_correlation_the_paired_score_interval_is_the_one_for_independent_groups():
    """The correlation of this table is positive, and lowered by n/2 to exactly 0."""
    table = (10, 10, 9, 11)
    assert inference.phi(*table) == 0
    assert inference.phi(13, 7, 7, 13) > 0
    unpaired = confint_proportions_2indep(20, 40, 19, 40, compare="diff", method="newcomb")
    assert near(inference.newcombe(*table), unpaired, 1e-12)


def test_exchanging_the_rankers_mirrors_the_paired_score_interval():
    low, high = inference.newcombe(12, 9, 6, 13)
    assert near(inference.newcombe(12, 6, 9, 13), (-high, -low), 1e-12)


def test_a_family_member_without_a_p_counts_as_1():
    assert near(inference.holm([0.028, None, 0.2]), [0.084, 1.0, 0.4], 1e-12)


@pytest.mark.parametrize("interval", [inference.percentile, inference.bca, inference.student])
@pytest.mark.parametrize("n", [1, 8, 40])
def test_a_mean_of_equal_values_has_no_interval(n, interval):
    assert interval(np.ones(n)) == (None, None)


@pytest.mark.parametrize("row", [estimates.mean_with_reason, estimates.beside])
@pytest.mark.parametrize(("n", "value", "shown"), [(40, 1.0, "1"), (7, 0.0, "0"), (3, 2 / 3, "0.666667")])
def test_a_mean_of_equal_values_says_why_it_has_no_interval(n, value, shown, row):
    why = "resampling cannot see past a constant sample, so there is no interval"
    found = row(np.full(n, value))
    assert (found["low"], found["high"]) == (None, None)
    assert found["reason"] == f"all {n} values are equal ({shown}); {why}"


def test_fewer_than_six_non_zero_differences_have_no_paired_interval():
    assert inference.paired_percentile(np.array([0.2] * 5 + [0.0] * 35)) == (None, None)
    assert inference.paired_percentile(np.array([0.2] * 6 + [0.0] * 34)) != (None, None)


def test_equal_differences_have_neither_an_interval_nor_a_standardised_difference():
    assert inference.paired_percentile(np.full(40, 0.1)) == (None, None)
    assert inference.d_z(np.full(40, 0.1)) is None


def test_identical_runs_give_a_p_of_1():
    assert inference.sign_flip(np.zeros(40))[0] == 1

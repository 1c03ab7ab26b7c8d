import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from evalcore.evidence import Basis, Estimate, Source
from evalcore.stats.beside import exact_beside
from evalcore.stats.means import BCA, STUDENT_T, beside_percentile, bootstrap_mean
from evalcore.stats.paired import (
    Settings,
    beside_paired,
    compare_hits,
    compare_means,
    d_z,
    draws_for_family,
    sign_flip,
)
from evalcore.stats.resampling import resampled_means, sign_flip_sums
from tests.oracle import EXTRA, STATS

STREAM = EXTRA["bootstrap_stream"]
PAIRED = EXTRA["paired_bootstrap_stream"]
scores = st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.63, 1.0]), min_size=2, max_size=40)


def array(values):
    return np.array(values, dtype=float)


def test_the_resampling_stream_is_the_documented_one():
    first_row = np.random.default_rng(20241009).integers(0, 10, (10_000, 10))[0]
    assert first_row.tolist() == STREAM["first_row"]
    values = array(STREAM["values"])
    assert resampled_means(values, seed=20241009, resamples=10_000)[0] == pytest.approx(values[first_row].mean())


def test_the_percentile_interval_of_a_mean_is_the_worked_one():
    interval = bootstrap_mean(array(STREAM["values"]))
    assert interval.value == pytest.approx(STREAM["mean"], abs=5e-7)
    assert (interval.low, interval.high) == pytest.approx((STREAM["low"], STREAM["high"]), abs=5e-7)


def test_the_paired_comparison_is_the_worked_one():
    result = compare_means(array(STREAM["values"]), array(PAIRED["second"]), Settings())
    assert result.interval.value == pytest.approx(PAIRED["difference"], abs=5e-7)
    assert (result.interval.low, result.interval.high) == pytest.approx((PAIRED["low"], PAIRED["high"]), abs=5e-7)
    assert result.d_z == pytest.approx(PAIRED["d_z"], abs=5e-7)
    assert (result.wins, result.ties, result.losses) == (PAIRED["wins"], PAIRED["ties"], PAIRED["losses"])
    assert result.test.p == pytest.approx(PAIRED["sign_flip_p"], abs=5e-7)


def test_a_long_stream_in_blocks_is_the_same_stream():
    values = np.random.default_rng(0).random(1_200)
    whole = np.random.default_rng(5).integers(0, 1_200, (5_000, 1_200))
    assert resampled_means(values, seed=5, resamples=5_000) == pytest.approx(values[whole].mean(axis=1), abs=1e-12)
    differences = np.random.default_rng(1).normal(size=700)
    signs = 1 - 2 * np.random.default_rng(5).integers(0, 2, (8_000, 700))
    assert sign_flip_sums(differences, seed=5, draws=8_000) == pytest.approx(signs @ differences, abs=1e-9)


@pytest.mark.parametrize("k", [1, 17, 40, 64, 65])
def test_a_short_sign_stream_is_a_prefix_of_the_kept_one(k):
    differences = np.random.default_rng(k).normal(size=k)
    signs = 1 - 2 * np.random.default_rng(9).integers(0, 2, (2_000, k))
    assert sign_flip_sums(differences, seed=9, draws=2_000) == pytest.approx(signs @ differences, abs=1e-12)


def test_a_constant_sample_has_no_interval_and_says_why():
    interval = bootstrap_mean(np.ones(40))
    assert (interval.value, interval.low, interval.high) == (1.0, None, None)
    assert "cannot see past a constant sample" in interval.reason


def test_one_question_has_a_value_and_no_interval():
    assert bootstrap_mean(array([0.5])).low is None
    single = compare_means(array([0.5]), array([0.3]), Settings())
    assert single.interval.value == pytest.approx(0.2)
    assert (single.interval.low, single.d_z, single.test.p) == (None, None, 1.0)


def test_below_thirty_the_t_interval_stands_beside_and_from_there_on_bca():
    values = np.random.default_rng(3).beta(2, 1, 40)
    few = beside_percentile(values[:29])
    expected = stats.t.interval(0.95, 28, values[:29].mean(), stats.sem(values[:29]))
    assert few.method == STUDENT_T
    assert (few.low, few.high) == pytest.approx(expected)
    many = beside_percentile(values)
    theirs = stats.bootstrap((values,), np.mean, n_resamples=40_000, rng=1).confidence_interval
    assert many.method == BCA
    assert (many.low, many.high) == pytest.approx(tuple(theirs), abs=0.004)


@pytest.mark.parametrize("case", STATS["sign_flip_exact"], ids=lambda c: str(c["p"]))
def test_few_differences_are_enumerated_exactly(case):
    result = sign_flip(array(case["differences"]))
    assert result.p == pytest.approx(case["p"], abs=5e-9)
    assert "exact" in result.method


def test_many_differences_are_drawn_and_p_counts_the_observed_vector():
    case = EXTRA["sign_flip_monte_carlo"]
    differences = array(case["differences"])
    assert sign_flip(differences).p == pytest.approx((1 + case["hits"]) / 20_001, abs=1e-12)
    assert sign_flip(differences, exact_up_to=18).p == pytest.approx(case["p_by_full_enumeration"], abs=5e-7)


def test_p_is_never_zero():
    assert sign_flip(np.full(200, 0.1)).p == pytest.approx(1 / 20_001)


def test_a_large_family_takes_more_draws():
    assert draws_for_family(3, 0.05) == 20_000
    assert 1_500 / (draws_for_family(1_500, 0.05) + 1) <= 0.05


def test_four_questions_that_differ_give_no_interval_and_say_so():
    case = EXTRA["few_nonzero_differences"]
    result = compare_means(array([0.2] * 4 + [0.0] * 36), np.zeros(40), Settings())
    assert (result.interval.low, result.interval.high) == (None, None)
    assert "only 4 of 40 questions differ" in result.interval.reason
    assert result.test.p == pytest.approx(case["sign_flip_p"])
    plain = bootstrap_mean(array([0.2] * 4 + [0.0] * 36))
    assert (plain.low, plain.high) == pytest.approx(case["plain_percentile_bootstrap"], abs=1e-9)


def test_six_questions_that_differ_give_an_interval():
    result = compare_means(array([0.2] * 6 + [0.0] * 34), np.zeros(40), Settings())
    assert result.interval.low is not None
    assert compare_means(array([0.2] * 5 + [0.0] * 35), np.zeros(40), Settings()).interval.low is None


def test_identical_runs_give_p_one_and_no_interval():
    values = np.random.default_rng(0).random(40)
    result = compare_means(values, values, Settings())
    assert (result.test.p, result.d_z, result.interval.low) == (1.0, None, None)
    assert (result.wins, result.ties, result.losses) == (0, 40, 0)
    assert "constant sample" in result.interval.reason


@pytest.mark.parametrize("case", EXTRA["d_z_undefined"], ids=lambda c: str(c["differences"])[:24])
def test_d_z_of_no_spread_is_undefined_not_huge(case):
    assert d_z(array(case["differences"])) is None


def test_hits_that_all_agree_still_get_newcombes_interval():
    result = compare_hits(np.ones(40), np.ones(40), Settings())
    assert (result.interval.low, result.interval.high) == pytest.approx((-0.087622, 0.087622), abs=5e-7)
    assert (result.test.p, result.ties, result.d_z) == (1.0, 40, None)


@settings(max_examples=40, deadline=None)
@given(scores.flatmap(lambda a: st.tuples(st.just(a), st.lists(st.sampled_from(a), min_size=len(a), max_size=len(a)))))
def test_a_comparison_never_warns_and_never_claims_more_than_the_test(pair):
    first, second = array(pair[0]), array(pair[1])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        there, back = (
            compare_means(first, second, Settings(resamples=300)),
            compare_means(second, first, Settings(resamples=300)),
        )
    assert there.test.p == back.test.p
    assert 0 < there.test.p <= 1
    assert there.wins + there.ties + there.losses == len(first)
    if there.interval.low is not None:
        assert there.wins + there.losses >= 6
        assert there.interval.low <= there.interval.value <= there.interval.high


@given(st.lists(st.floats(-1, 1, width=16), min_size=8, max_size=40), st.sampled_from([0.8, 0.95, 0.99]))
def test_the_second_interval_of_a_difference_is_students_t(values, level):
    differences = array(values)
    found = beside_paired(differences, level=level)
    first = compare_means(differences, np.zeros(len(values)), Settings(level=level, resamples=100, sign_vectors=1))
    assert (found.low is None) == (first.interval.low is None)
    if found.low is not None:
        low, high = stats.t.interval(level, len(values) - 1, differences.mean(), stats.sem(differences))
        assert (found.low, found.high) == (pytest.approx(low), pytest.approx(high))


def test_the_second_interval_of_a_difference_is_not_given_where_the_first_is_not():
    few = array([0.2] * 4 + [0.0] * 36)
    assert beside_paired(few).low is None
    assert "only 4 of 40 questions differ" in beside_paired(few).reason
    assert beside_paired(array([0.1] * 10)).reason.startswith("all 10 values are equal")
    assert beside_paired(array([])).reason == "no questions"


def test_clopper_and_pearsons_interval_stands_beside_wilsons_of_the_same_count():
    wilson = Estimate(4 / 6, 0.3, 0.9, 0.95, 6, "Wilson", Basis.ASSUMED, (Source("four of six", chosen_by="a test"),))
    beside = exact_beside(wilson)
    expected = stats.binomtest(4, 6).proportion_ci(0.95, "exact")
    assert (beside.low, beside.high) == (pytest.approx(expected.low), pytest.approx(expected.high))
    assert (beside.value, beside.n, beside.method, beside.basis) == (4 / 6, 6, "Clopper-Pearson", Basis.ASSUMED)
    assert exact_beside(beside) is None

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import nct, ttest_1samp
from scipy.stats import t as student_t
from statsmodels.stats.power import TTestPower

from evalcore.stats.paired import sign_flip
from evalcore.stats.power import (
    MOST_QUESTIONS,
    d_z_limits,
    detectable_d_z,
    exact_questions,
    fewest_for_sign_flips,
    paired_power,
    power_at_the_edge,
    questions_needed,
)
from tests.oracle import EXTRA, STATS

MORE = EXTRA["power_more"]
STUDIES = 20_000
alphas = st.sampled_from([0.05, 0.05 / 3, 0.01, 0.1])
powers = st.sampled_from([0.5, 0.8, 0.9, 0.95])
effects = st.floats(0.05, 1.5)


def name(case):
    return "-".join(f"{value:g}" for value in case.values() if not isinstance(value, str))


@pytest.mark.parametrize("case", MORE["power"], ids=name)
def test_the_power_is_the_published_one(case):
    assert float(paired_power(case["d_z"], case["n"], case["alpha"])) == pytest.approx(case["power"], abs=5e-7)


@pytest.mark.parametrize("case", STATS["paired_t_power"], ids=name)
def test_the_questions_needed_are_the_published_ones(case):
    asked = case["d_z"], case["alpha"], case["power"]
    assert questions_needed(*asked) == case["n"]
    assert exact_questions(*asked) == pytest.approx(case["n_exact"], abs=5.1e-5)


@pytest.mark.parametrize("case", MORE["minimum_detectable_d_z"], ids=name)
def test_the_detectable_effect_is_the_published_one(case):
    assert detectable_d_z(case["n"], case["alpha"], case["power"]) == pytest.approx(case["d_z"], abs=5e-7)


@pytest.mark.parametrize("case", MORE["d_z_interval"], ids=name)
def test_the_limits_of_an_observed_effect_are_the_published_ones(case):
    limits = d_z_limits(case["d_z"], case["n"], case["level"])
    assert limits == pytest.approx((case["low"], case["high"]), abs=5e-7)


@given(effects, st.integers(3, 40), alphas)
def test_the_power_is_the_two_tails_of_scipys_noncentral_t(d_z, n, alpha):
    edge, shift = student_t.isf(alpha / 2, n - 1), d_z * n**0.5
    lower = np.nan_to_num(nct.cdf(-edge, n - 1, shift))
    assert float(paired_power(d_z, n, alpha)) == pytest.approx(nct.sf(edge, n - 1, shift) + lower, abs=1e-9)


@given(effects, st.integers(3, 200), alphas)
def test_the_power_is_statsmodels_wherever_that_is_a_number(d_z, n, alpha):
    theirs = float(TTestPower().power(d_z, n, alpha))
    ours = float(paired_power(d_z, n, alpha))
    assert ours == pytest.approx(theirs, abs=1e-9) or np.isnan(theirs)


@pytest.mark.parametrize(("d_z", "alpha"), [(0.36, 0.05), (0.36, 0.05 / 3), (0.2, 0.05), (0.8, 0.01), (0.5, 0.1)])
def test_the_unrounded_questions_are_statsmodels(d_z, alpha):
    theirs = TTestPower().solve_power(effect_size=d_z, alpha=alpha, power=0.8)
    assert exact_questions(d_z, alpha) == pytest.approx(float(np.squeeze(theirs)), abs=1e-4)


@pytest.mark.parametrize("alpha", [0.05, 0.05 / 3])
@pytest.mark.parametrize(("d_z", "n"), [(0.0, 12), (0.2, 30), (0.36, 40), (0.36, 84), (1.2, 6), (-0.5, 20)])
def test_the_power_agrees_with_simulated_t_tests_of_normal_differences(d_z, n, alpha):
    differences = np.random.default_rng(7).normal(d_z, 1, (STUDIES, n))
    found = float((ttest_1samp(differences, 0, axis=1).pvalue < alpha).mean())
    expected = float(paired_power(d_z, n, alpha))
    assert abs(found - expected) <= 4 * (expected * (1 - expected) / STUDIES) ** 0.5


def test_a_certain_power_is_one_and_not_a_missing_number():
    assert float(paired_power(0.36, 1000)) == 1.0
    assert paired_power(np.array([0.36, 2.0, 5.0]), np.array([1000, 84, 10_000])).tolist() == [1.0, 1.0, 1.0]
    grid = paired_power(np.linspace(0, 20, 401), np.array([[2], [3], [10], [100], [1000], [100_000]]))
    assert ((grid >= 0) & (grid <= 1 + 1e-12)).all()


@given(effects, st.floats(1.5, 500), alphas)
def test_the_sign_of_the_effect_does_not_change_the_power(d_z, n, alpha):
    assert float(paired_power(-d_z, n, alpha)) == float(paired_power(d_z, n, alpha))


@given(st.integers(2, 2000), alphas)
def test_without_an_effect_the_power_is_alpha(n, alpha):
    assert float(paired_power(0.0, n, alpha)) == pytest.approx(alpha, abs=1e-10)


@given(effects, st.integers(2, 300), st.floats(0.001, 0.3))
def test_the_power_rises_with_the_questions_the_effect_and_alpha(d_z, n, alpha):
    power = float(paired_power(d_z, n, alpha))
    for more in (paired_power(d_z, n + 1, alpha), paired_power(d_z * 1.1, n, alpha), paired_power(d_z, n, alpha * 1.1)):
        assert float(more) > power or power > 1 - 1e-9


def test_the_power_of_many_effects_is_each_ones_own():
    effects, sizes = np.array([0.1, 0.36, 0.8]), np.array([40, 84, 12])
    together = paired_power(effects, sizes, 0.01)
    assert together.shape == (3,)
    assert together.tolist() == [
        float(paired_power(d_z, n, 0.01)) for d_z, n in zip(effects.tolist(), sizes.tolist(), strict=True)
    ]


@given(effects, alphas, powers)
def test_the_questions_needed_reach_the_power_and_one_fewer_do_not(d_z, alpha, power):
    n = questions_needed(d_z, alpha, power)
    assert float(paired_power(d_z, n, alpha)) >= power - 1e-9
    assert n == 2 or float(paired_power(d_z, n - 1, alpha)) < power


@given(st.floats(0.05, 1.0), alphas, st.sampled_from([0.8, 0.95]))
def test_at_the_unrounded_questions_the_power_is_met_exactly(d_z, alpha, power):
    n = exact_questions(d_z, alpha, power)
    assert float(paired_power(d_z, n, alpha)) == pytest.approx(power, abs=1e-9)
    assert questions_needed(-d_z, alpha, power) == questions_needed(d_z, alpha, power)
    assert n <= questions_needed(d_z, alpha, power) + 1e-8 < n + 1 + 1e-7


def test_two_questions_are_the_fewest():
    assert questions_needed(50.0) == 2
    assert float(paired_power(50.0, 2)) > 0.8
    with pytest.raises(ValueError, match="two questions reach it already"):
        exact_questions(50.0)


def test_an_effect_that_needs_three_questions_gets_them():
    assert float(paired_power(4.0, 2)) < 0.8 < float(paired_power(4.0, 3))
    assert questions_needed(4.0) == 3


@pytest.mark.parametrize("d_z", [0.0, 0.0005, -0.0005])
@pytest.mark.parametrize("ask", [exact_questions, questions_needed])
def test_an_effect_too_small_for_ten_million_questions_is_refused(ask, d_z):
    assert MOST_QUESTIONS == 10_000_000
    with pytest.raises(ValueError, match=f"a d_z of {d_z:g} needs more than 10,000,000 questions"):
        ask(d_z)


def test_a_tiny_effect_needs_what_the_normal_distribution_says():
    assert exact_questions(0.001) == pytest.approx((1.959963985 + 0.841621234) ** 2 / 0.001**2, rel=1e-4)


@given(st.integers(2, 3000), alphas, powers)
def test_the_detectable_effect_is_detected_with_the_power_asked_for(n, alpha, power):
    d_z = detectable_d_z(n, alpha, power)
    assert d_z > 0
    assert float(paired_power(d_z, n, alpha)) == pytest.approx(power, abs=1e-8)


@given(st.integers(3, 2000), alphas, powers)
def test_the_detectable_effect_needs_just_the_questions_it_was_asked_for(n, alpha, power):
    assert exact_questions(detectable_d_z(n, alpha, power), alpha, power) == pytest.approx(n, rel=1e-7)


@given(st.integers(2, 500), alphas)
def test_more_questions_detect_a_smaller_effect_and_more_power_needs_a_larger_one(n, alpha):
    d_z = detectable_d_z(n, alpha)
    assert detectable_d_z(n + 1, alpha) < d_z < detectable_d_z(n, alpha, 0.9)


@pytest.mark.parametrize("n", [1, 0, -3])
def test_an_effect_from_fewer_than_two_questions_is_refused(n):
    with pytest.raises(ValueError, match="a paired test needs at least 2 questions"):
        detectable_d_z(n)
    with pytest.raises(ValueError, match="d_z needs at least 2 questions"):
        d_z_limits(0.36, n)


def refuses_the_power(alpha, power):
    with pytest.raises(ValueError, match=rf"^a power of {power:g} does not lie between alpha, {alpha:g}, and 1$"):
        detectable_d_z(40, alpha, power)


@pytest.mark.parametrize(("alpha", "power"), [(0.05, 0.05), (0.05, 0.01), (0.2, 0.1), (0.05, 0.0), (0.05, -0.5)])
def test_a_power_that_chance_gives_is_refused(alpha, power):
    refuses_the_power(alpha, power)


@pytest.mark.parametrize("alpha", [0.05, 0.2])
@pytest.mark.parametrize("power", [1.0, 1.5, 80.0, float("nan")])
def test_a_power_that_no_effect_gives_is_refused(alpha, power):
    refuses_the_power(alpha, power)


@settings(max_examples=60)
@given(st.floats(-1.5, 1.5) | st.floats(-0.001, 0.001), st.integers(2, 120), st.sampled_from([0.8, 0.9, 0.95]))
def test_at_each_limit_the_observed_effect_is_a_tail_of_scipys_noncentral_t(d_z, n, level):
    low, high = d_z_limits(d_z, n, level)
    # rounded, since scipy's distribution is not a number where the square of t underflows
    t = round(d_z * n**0.5, 12)
    # scipy's inverse takes a t this near to 0 for 0: the tail is off by t times the density, which is 0.4 at most
    tolerance = 1e-6 + (0.4 * abs(t) if abs(t) < 1e-3 else 0.0)
    assert nct.cdf(t, n - 1, low * n**0.5) == pytest.approx((1 + level) / 2, abs=tolerance)
    assert nct.cdf(t, n - 1, high * n**0.5) == pytest.approx((1 - level) / 2, abs=tolerance)
    assert low < d_z < high


@given(st.floats(-1.5, 1.5), st.integers(2, 500))
def test_the_limits_of_the_opposite_effect_are_mirrored_and_narrower_at_a_lower_level(d_z, n):
    low, high = d_z_limits(d_z, n)
    assert d_z_limits(-d_z, n) == pytest.approx((-high, -low), abs=1e-6)
    narrow_low, narrow_high = d_z_limits(d_z, n, 0.9)
    assert low < narrow_low
    assert narrow_high < high


@given(st.integers(2, 500), alphas)
def test_a_limit_is_zero_when_the_t_test_is_just_significant(n, alpha):
    edge = float(student_t.isf(alpha / 2, n - 1)) / n**0.5
    assert d_z_limits(edge, n, 1 - alpha)[0] == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize(("alpha", "least"), [(0.5, 3), (0.0625, 6), (0.05, 6), (0.05 / 3, 7), (0.01, 8), (1e-4, 15)])
def test_the_fewest_questions_of_the_sign_flip_test_are_those_whose_smallest_p_is_below_alpha(alpha, least):
    assert fewest_for_sign_flips(alpha) == least
    assert sign_flip(np.ones(least)).p == 2 / 2**least < alpha <= sign_flip(np.ones(least - 1)).p


@given(st.integers(10, 100_000))
def test_the_power_computed_from_a_result_at_the_edge_is_about_a_half(n):
    assert 0.45 < power_at_the_edge(n) < 0.55


@given(st.integers(2, 500), alphas)
def test_the_power_at_the_edge_is_the_power_at_the_effect_whose_p_is_alpha(n, alpha):
    edge = float(student_t.isf(alpha / 2, n - 1)) / n**0.5
    assert power_at_the_edge(n, alpha) == pytest.approx(float(paired_power(edge, n, alpha)), abs=1e-9)

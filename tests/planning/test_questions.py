import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import nct

from evalcore.evidence import Basis
from evalcore.planning.questions import HitPlan, MeanPlan
from tests.oracle import EXTRA, STATS

MORE = EXTRA["power_more"]
LESSON = MeanPlan(0.36, 0.05, 0.8, 3, 40)


def hit_plan(first, second, *, alpha=0.05, power=0.8, family=3, now=40):
    return HitPlan(first, second, alpha, power, family, now)


@pytest.mark.parametrize("case", STATS["paired_t_power"], ids=lambda c: str(c["n"]))
def test_the_questions_for_a_d_z_are_the_published_ones(case):
    plan = MeanPlan(case["d_z"], 0.05, case["power"], 3, 40)
    family = case["alpha"] < 0.05
    assert (plan.for_the_family if family else plan.for_one_test).value == case["n"]
    assert plan.exactly(case["alpha"]).value == pytest.approx(case["n_exact"], abs=5e-4)


def test_the_lessons_plan_takes_63_questions_for_one_test_and_84_for_the_family():
    assert (LESSON.for_one_test.value, LESSON.for_the_family.value) == (63, 84)
    assert LESSON.first_step == pytest.approx(0.05 / 3)


@pytest.mark.parametrize("case", MORE["power"], ids=lambda c: f"{c['d_z']}-{c['n']}-{c['alpha']:.3f}")
def test_the_power_there_is_now_is_the_published_one(case):
    found = MeanPlan(case["d_z"], 0.05, 0.8, 3, case["n"]).power_now(case["alpha"])
    assert found.value == pytest.approx(case["power"], abs=5e-7)
    assert found.n == case["n"]


@pytest.mark.parametrize("case", MORE["minimum_detectable_d_z"], ids=lambda c: f"{c['n']}-{c['alpha']:.3f}")
def test_the_detectable_d_z_is_the_published_one(case):
    found = MeanPlan(0.36, 0.05, case["power"], 3, case["n"]).detectable(case["alpha"])
    assert found.value == pytest.approx(case["d_z"], abs=5e-7)


def test_a_d_z_seen_once_is_compatible_with_the_published_interval():
    (case,) = MORE["d_z_interval"]
    seen = MeanPlan(case["d_z"], 0.05, 0.8, 3, case["n"]).d_z_seen
    assert (seen.value, seen.level, seen.method) == (case["d_z"], case["level"], case["method"])
    assert (seen.low, seen.high) == pytest.approx((case["low"], case["high"]), abs=5e-7)


@given(st.floats(0.05, 2), st.integers(2, 300))
def test_the_limits_of_a_seen_d_z_are_those_at_which_it_would_be_at_the_edge(d_z, n):
    seen = MeanPlan(d_z, 0.05, 0.8, 3, n).d_z_seen
    t = d_z * n**0.5
    assert nct.cdf(t, n - 1, seen.low * n**0.5) == pytest.approx(0.975, abs=1e-6)
    assert nct.cdf(t, n - 1, seen.high * n**0.5) == pytest.approx(0.025, abs=1e-6)


@given(st.floats(0.1, 3), st.sampled_from([0.01, 0.05, 0.2]), st.sampled_from([0.5, 0.8, 0.95]), st.integers(1, 20))
def test_with_the_questions_found_the_power_is_reached_and_with_one_fewer_it_is_not(d_z, alpha, power, family):
    plan = MeanPlan(d_z, alpha, power, family, 40)
    for level, needed in ((alpha, plan.for_one_test), (plan.first_step, plan.for_the_family)):
        n = int(needed.value)
        assert MeanPlan(d_z, alpha, power, family, n).power_now(level).value >= power - 1e-9
        if n > 2:
            # one fewer has less power, or none since the sign-flip test cannot come below alpha
            assert MeanPlan(d_z, alpha, power, family, n - 1).power_now(level).value < power
    assert plan.for_the_family.value >= plan.for_one_test.value


@given(st.integers(7, 400), st.sampled_from([0.5, 0.8, 0.95]))
def test_the_detectable_d_z_has_just_the_wanted_power(n, power):
    plan = MeanPlan(0.36, 0.05, power, 3, n)
    d_z = plan.detectable(plan.first_step).value
    assert MeanPlan(d_z, 0.05, power, 3, n).power_now(plan.first_step).value == pytest.approx(power, abs=1e-7)


def test_a_family_of_one_asks_for_no_more_than_one_test():
    plan = MeanPlan(0.36, 0.05, 0.8, 1, 40)
    assert plan.first_step == 0.05
    assert plan.for_the_family == plan.for_one_test


@pytest.mark.parametrize(("n", "alpha", "family"), [(5, 0.05, 1), (6, 0.05, 3), (9, 0.05, 20), (7, 0.01, 1)])
def test_where_the_sign_flip_test_cannot_come_below_alpha_there_is_no_power_and_nothing_is_detected(n, alpha, family):
    plan = MeanPlan(2.0, alpha, 0.8, family, n)
    assert 2 / 2**n > plan.first_step > 2 / 2 ** (n + 1) > 0
    assert plan.power_now(plan.first_step).value == 0
    found = plan.detectable(plan.first_step)
    assert (found.value, found.basis) == (None, Basis.NOT_ASSESSED)
    assert found.reason == (
        f"the sign-flip test of {n} questions has p {2 / 2**n:.3g} at the least and cannot come below alpha "
        f"{plan.first_step:.3g}; {n + 1} questions can"
    )
    enough = MeanPlan(2.0, alpha, 0.8, family, n + 1)
    assert enough.power_now(plan.first_step).value > 0.5
    assert enough.detectable(plan.first_step).value is not None


@pytest.mark.parametrize(("alpha", "least"), [(0.05, 6), (0.05 / 3, 7), (0.05 / 20, 10), (0.2, 4), (0.01, 8)])
def test_a_large_effect_needs_the_fewest_questions_that_the_sign_flip_test_can_decide(alpha, least):
    needed = MeanPlan(20.0, alpha, 0.8, 1, 40).for_one_test
    assert needed.value == least
    assert needed.method == "the fewest that the sign-flip test can decide: 2/2ⁿ below alpha"


def test_the_curves_are_zero_below_the_fewest_questions_of_each_step():
    n, one, family = MeanPlan(2.0, 0.05, 0.8, 3, 5).curve(100)
    assert n[one > 0].min() == 6
    assert n[family > 0].min() == 7
    assert (one[n < 6] == 0).all()


def test_power_after_the_fact_is_about_one_half_whatever_was_seen():
    assert LESSON.after_the_fact.value == pytest.approx(0.51, abs=0.005)
    assert MeanPlan(2.0, 0.05, 0.8, 3, 40).after_the_fact.value == LESSON.after_the_fact.value
    for n in (10, 84, 1000):
        assert MeanPlan(0.36, 0.05, 0.8, 3, n).after_the_fact.value == pytest.approx(0.5, abs=0.04)


def test_the_curves_are_the_powers_at_each_number():
    n, one, family = LESSON.curve(200)
    assert (n[0], n[-1], n.shape) == (2, 200, one.shape)
    assert (one >= family).all()
    assert (np.diff(one[n >= 6]) > 0).all()
    at = n.tolist().index(40)
    assert (one[at], family[at]) == pytest.approx((0.602803, 0.420505), abs=5e-7)


def test_a_d_z_that_needs_more_than_ten_million_questions_is_not_assessed_and_says_so():
    plan = MeanPlan(0.0005, 0.05, 0.8, 3, 40)
    for needed in (plan.for_one_test, plan.for_the_family, plan.exactly(0.05)):
        assert (needed.value, needed.basis) == (None, Basis.NOT_ASSESSED)
        assert needed.reason == "a d_z of 0.0005 needs more than 10,000,000 questions"


def test_where_two_questions_are_enough_there_is_no_crossing_to_report():
    plan = MeanPlan(30.0, 0.05, 0.8, 1, 40)
    assert plan.exactly(0.05).value is None
    assert plan.exactly(0.05).reason == "two questions reach it already"


def test_the_answers_about_a_mean_carry_the_numbers_of_the_plan():
    assert {a.key: a.shown for a in LESSON.answers()} == {
        "questions_one_test": "63",
        "questions_family": "84",
        "power_now_one_test": "0.603",
        "power_now_family": "0.421",
        "detectable_one_test": "0.454",
        "detectable_family": "0.531",
        "d_z_seen": "0.360",
    }


@pytest.mark.parametrize("case", MORE["mcnemar_n"], ids=lambda c: str(c["n_exact"]))
def test_the_answers_about_hit_rates_are_the_published_ones(case):
    plan = hit_plan(case["only_first"], case["only_second"], alpha=case["alpha"], power=case["power"])
    found = {a.key: a.estimate.value for a in plan.answers()}
    assert found["questions_one_test"] == case["n_exact"]
    assert found["connor_one_test"] == case["n_connor_1987"]
    assert found["power_there"] == pytest.approx(case["exact_power"], abs=5e-7)
    assert found["power_at_connor"] == pytest.approx(case["exact_power_at_that_n"], abs=1e-6)
    assert found["questions_family"] > found["questions_one_test"]
    assert found["power_now_family"] < found["power_now_one_test"]


def test_a_hit_plan_of_a_family_is_that_of_one_test_at_its_first_step():
    three, one = hit_plan(0.15, 0.05), hit_plan(0.15, 0.05, alpha=0.05 / 3, family=1)
    assert three.first_step == one.alpha
    assert three.needed(three.first_step) == one.needed(one.alpha)
    assert three.needed(three.first_step).value == 215


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5])
def test_equal_shares_are_not_assessed_and_the_power_now_is_still_told(share):
    found = {a.key: a.estimate for a in hit_plan(share, share).answers()}
    assert set(found) == {
        "questions_one_test",
        "questions_family",
        "connor_one_test",
        "power_now_one_test",
        "power_now_family",
    }
    for key in ("questions_one_test", "questions_family", "connor_one_test"):
        assert (found[key].value, found[key].basis) == (None, Basis.NOT_ASSESSED)
        assert found[key].reason == "equal shares are no difference to find"
    assert 0 <= found["power_now_family"].value <= found["power_now_one_test"].value <= 0.05


def test_shares_that_need_more_than_the_table_holds_are_not_assessed():
    found = {a.key: a.estimate for a in hit_plan(0.15, 0.14).answers()}
    assert found["questions_one_test"].reason == "these shares need more than 5,000 questions"
    assert "power_there" not in found
    assert found["connor_one_test"].value > 5_000
    assert "are more than the 5,000 that are enumerated" in found["power_at_connor"].reason


@settings(max_examples=20)
@given(st.floats(0, 0.5), st.floats(0, 0.5), st.integers(10, 200))
def test_the_curves_about_hits_are_the_powers_at_each_number(first, second, most):
    plan = hit_plan(first, second)
    n, one, family = plan.curve(most)
    assert (n[0], n[-1]) == (2, most)
    assert one[-1] == plan.power_with(most, plan.alpha).value
    assert family[-1] == plan.power_with(most, plan.first_step).value
    assert (one >= family - 1e-12).all()


def test_shares_above_one_are_refused_by_the_answers():
    with pytest.raises(ValueError, match="sum to 1 at most"):
        hit_plan(0.7, 0.4).answers()

from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, binomtest

from evalcore.evidence import Basis
from evalcore.evidence.claims import number
from evalcore.planning.rates import (
    HALF_WIDTHS,
    SIZES,
    Funnel,
    GateChance,
    SupposedRate,
    half_width_answers,
    half_width_table,
    leaves_the_scale,
    rate_answers,
    width,
)
from evalcore.stats.widths import half_widths
from tests.oracle import EXTRA, STATS

GATES = EXTRA["power_more"]["gate_operating_characteristic"]
counts = st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def shown(estimate, digits=2):
    return number(estimate.low, digits), number(estimate.high, digits)


@pytest.mark.parametrize(
    ("rate", "n", "hits"),
    [(0.67, 6, 4), (0.5, 5, 3), (0.125, 4, 1), (0.145, 100, 15), (0.5, 1, 1), (0.49, 1, 0), (0.8, 40, 32), (1, 9, 9)],
)
def test_the_hits_nearest_to_a_rate_are_found_with_halves_up(rate, n, hits):
    assert SupposedRate.near(rate, n) == SupposedRate(hits, n)


@given(st.floats(0, 1), st.integers(1, 10_000))
def test_the_hits_near_a_rate_are_within_half_a_question_and_fit_into_the_questions(rate, n):
    hits = SupposedRate.near(rate, n).hits
    assert abs(hits - rate * n) <= 0.5 + 1e-6
    assert 0 <= hits <= n


@given(counts)
def test_a_rate_that_can_be_hit_is_hit(case):
    hits, n = case
    assert SupposedRate.near(hits / n, n).hits == hits


def test_four_of_six_is_thirty_to_ninety_per_cent():
    wilson = SupposedRate.near(0.67, 6).wilson
    assert wilson.value == pytest.approx(2 / 3)
    assert shown(wilson) == ("0.30", "0.90")


@pytest.mark.parametrize("case", STATS["wilson"], ids=lambda c: f"{c['x']}-{c['n']}")
def test_a_supposed_rate_has_the_published_wilson_interval(case):
    wilson = SupposedRate(case["x"], case["n"]).wilson
    assert (wilson.low, wilson.high) == pytest.approx((case["low"], case["high"]), abs=5e-7)
    assert (wilson.level, wilson.n) == (case["level"], case["n"])


def test_the_panels_of_the_lesson_have_its_limits_and_widths():
    assert SIZES == (10, 40, 100, 400)
    panels = [SupposedRate.near(0.8, n) for n in SIZES]
    assert [panel.hits for panel in panels] == [8, 32, 80, 320]
    limits = [("0.50", "1.00"), ("0.68", "0.93"), ("0.72", "0.87"), ("0.76", "0.84")]
    assert [shown(panel.bootstrap) for panel in panels] == limits
    assert shown(panels[1].bootstrap, 3) == ("0.675", "0.925")
    assert [number(width(panel.bootstrap).value, 2) for panel in panels] == ["0.50", "0.25", "0.15", "0.08"]
    assert [number(width(panel.normal).value, 2) for panel in panels] == ["0.50", "0.25", "0.16", "0.08"]
    assert [number(panel.one_question.value, 4) for panel in panels] == ["0.1000", "0.0250", "0.0100", "0.0025"]


def test_the_normal_approximation_leaves_the_scale_at_eight_of_ten_and_not_at_thirty_two_of_forty():
    ten, forty = SupposedRate(8, 10), SupposedRate(32, 40)
    assert leaves_the_scale(ten.normal)
    assert ten.normal.high == pytest.approx(0.8 + 1.959963984540054 * 0.016**0.5)
    assert not leaves_the_scale(forty.normal)
    assert leaves_the_scale(SupposedRate(2, 10).normal)


@given(counts)
def test_wilsons_and_the_exact_interval_stay_on_the_scale_and_are_scipys(case):
    supposed, theirs = SupposedRate(*case), binomtest(*case)
    for ours, method in ((supposed.wilson, "wilson"), (supposed.exact, "exact")):
        limits = theirs.proportion_ci(method=method)
        assert (ours.low, ours.high) == pytest.approx((limits.low, limits.high), abs=1e-9)
        assert not leaves_the_scale(ours)


@pytest.mark.parametrize("hits", [0, 6])
def test_where_all_or_none_hit_the_methods_that_would_claim_certainty_give_no_interval_and_say_why(hits):
    supposed = SupposedRate(hits, 6)
    for estimate in (supposed.normal, supposed.bootstrap):
        assert (estimate.value, estimate.low, estimate.high, estimate.level) == (hits / 6, None, None, None)
        assert estimate.reason
        assert not leaves_the_scale(estimate)
        gone = width(estimate)
        assert (gone.value, gone.basis, gone.reason) == (None, Basis.NOT_ASSESSED, estimate.reason)
    assert shown(supposed.wilson, 3) == (("0.000", "0.390") if hits == 0 else ("0.610", "1.000"))


def test_the_methods_stand_side_by_side_under_their_keys():
    answers = rate_answers(SupposedRate(32, 40))
    assert [a.key for a in answers] == ["wilson", "normal", "bootstrap", "exact", "one_question"]
    assert answers[0].title == "Wilson"
    assert answers[2].title == answers[2].estimate.method == "percentile bootstrap of hits"
    assert [a.shown for a in answers] == ["0.800"] * 4 + ["0.025"]
    bootstrap = answers[2].estimate
    assert (bootstrap.seed, bootstrap.resamples) == (20241009, 10_000)


def test_the_picture_of_the_bootstrap_is_the_one_that_its_limits_come_from():
    supposed = SupposedRate(8, 10)
    rates, times = supposed.resampled
    assert (np.diff(rates) > 0).all()
    assert times.sum() == 10_000
    every = np.repeat(rates, times.astype(int))
    assert np.quantile(every, [0.025, 0.975]) == pytest.approx([supposed.bootstrap.low, supposed.bootstrap.high])
    expected = 10_000 * binom.pmf(np.rint(rates * 10), 10, 0.8)
    assert np.abs(times - expected).max() < 5 * 50  # five standard deviations of a count of 10,000 at the most


def test_the_half_widths_of_the_lesson_take_62_246_and_984_questions():
    rows = half_width_table(0.8)
    assert [row.half_width for row in rows] == list(HALF_WIDTHS) == [0.1, 0.05, 0.025]
    assert [row.normal.value for row in rows] == [62, 246, 984]
    assert [row.wilson.value for row in rows] == [60, 245, 982]
    assert [row.ruled_out.value for row in rows] == pytest.approx([0.70, 0.75, 0.775])
    assert [row.ruled_out.n for row in rows] == [62, 246, 984]


def test_the_half_width_answers_are_those_of_the_table():
    answers = {a.key: a.estimate.value for a in half_width_answers(0.8, (0.1, 0.025))}
    assert answers == {
        "half_width_0.1": 62,
        "half_width_0.1_wilson": 60,
        "half_width_0.025": 984,
        "half_width_0.025_wilson": 982,
    }


@given(st.floats(0.02, 0.98), st.integers(4, 5_000))
def test_the_funnel_narrows_from_four_questions_to_the_most_and_holds_wilsons_widths(rate, most):
    funnel = Funnel.at(rate, most)
    assert all(getattr(funnel, field.name).shape == funnel.n.shape for field in fields(funnel))
    assert (funnel.n[0], funnel.n[-1]) == (4, max(most, 5))
    assert (np.diff(funnel.n) >= 1).all()
    assert funnel.half_wilson == pytest.approx(half_widths(rate, funnel.n), abs=1e-12)
    assert (np.diff(funnel.half_wilson) < 0).all()
    assert (funnel.wilson_low >= 0).all()
    assert (funnel.wilson_high <= 1).all()
    assert funnel.normal_high - rate == pytest.approx(rate - funnel.normal_low)


def test_the_funnel_at_forty_questions_is_the_interval_of_the_supposed_rate():
    funnel, supposed = Funnel.at(0.8, 40), SupposedRate(32, 40)
    assert (funnel.wilson_low[-1], funnel.wilson_high[-1]) == pytest.approx((supposed.wilson.low, supposed.wilson.high))
    assert (funnel.normal_low[-1], funnel.normal_high[-1]) == pytest.approx((supposed.normal.low, supposed.normal.high))


@pytest.mark.parametrize("case", GATES, ids=lambda c: f"{c['gate']}-{c['n']}")
def test_a_gates_need_and_chances_are_the_published_ones(case):
    gate = GateChance(float(case["gate"].split()[-1]), ">=" in case["gate"], case["n"])
    assert gate.needed == (case["needs"] if gate.at_least else case["needs_at_most"])
    for rate, chance in case["pass_probability_if_true_rate"].items():
        assert gate.passes(float(rate)).value == pytest.approx(chance, abs=5.1e-4)


@pytest.mark.parametrize(
    ("limit", "rates"),
    [
        (0.8, [0.6, 0.7, 0.8, 0.9, 1.0]),
        (0.1, [0.0, 0.05, 0.1, 0.15, 0.2]),
        (0.05, [0.0, 0.05, 0.1, 0.15]),
        (0.15, [0.05, 0.1, 0.15, 0.2, 0.25]),
        (0.5, [0.3, 0.4, 0.5, 0.6, 0.7]),
        (1.0, [0.9, 0.95, 1.0]),
        (0.0, [0.0, 0.05, 0.1]),
    ],
)
def test_the_gate_is_tried_at_rates_around_its_limit_that_lie_on_the_scale(limit, rates):
    gate = GateChance(limit, True, 20)
    assert [rate for rate, _ in gate.table()] == rates
    assert [chance.value for _, chance in gate.table()] == pytest.approx(gate.curve(np.array(rates)), abs=1e-12)


@pytest.mark.parametrize(("limit", "at_least"), [(0.8, True), (0.1, False), (0.95, True)])
def test_exactly_on_its_bound_a_gate_passes_about_half_the_time_with_very_many_questions_by_steps_up_and_down(
    limit, at_least
):
    chances = [GateChance(limit, at_least, n).passes(limit).value for n in (*range(20, 60), 1_000_000)]
    assert chances[-1] == pytest.approx(0.5, abs=0.002)
    steps = np.diff(chances[:-1])
    assert (steps > 0).any()
    assert (steps < 0).any()


@pytest.mark.parametrize(("limit", "at_least"), [(1, True), (0, False), (0, True), (1, False)])
@pytest.mark.parametrize("n", [1, 24])
def test_exactly_on_a_bound_at_the_end_of_the_scale_a_gate_always_passes(limit, at_least, n):
    assert GateChance(limit, at_least, n).passes(limit).value == 1


@pytest.mark.parametrize(("half_width", "normal", "wilson"), [(0.1, 0.7, 0.6843), (0.05, 0.75, 0.7456)])
def test_what_a_measured_rate_rules_out_is_wilsons_lower_limit_at_the_normal_approximations_number(
    half_width, normal, wilson
):
    (row,) = half_width_table(0.8, [half_width])
    assert row.ruled_out.value == pytest.approx(normal)
    assert row.ruled_out_wilson.value == pytest.approx(wilson, abs=5e-5)


def test_a_half_width_that_reaches_below_zero_rules_nothing_out_by_the_normal_approximation():
    (row,) = half_width_table(0.05, [0.1])
    assert (row.ruled_out.value, row.ruled_out.basis) == (None, Basis.NOT_ASSESSED)
    assert "it lies at or below 0" in row.ruled_out.reason
    assert 0 < row.ruled_out_wilson.value < 0.05


def test_a_gate_that_every_or_no_count_meets_passes_always_or_never():
    assert GateChance(0.0, True, 5).passes(0.0).value == 1.0
    assert GateChance(1.0, False, 5).passes(1.0).value == 1.0
    assert GateChance(1.0, True, 2).passes(0.5).value == pytest.approx(0.25)
    assert GateChance(0.0, False, 2).passes(0.5).value == pytest.approx(0.25)
    assert GateChance(0.8, True, 24).inputs == "gate at least 0.8 on 24 questions"
    assert GateChance(0.1, False, 84).inputs == "gate at most 0.1 on 84 questions"


@pytest.mark.parametrize(
    ("rate", "half_width", "why"),
    [
        (0.99, 0.1, "0.890 to 1.090 leaves 0 to 1; 0.04 misses are expected, fewer than 5"),
        (0.01, 0.05, "−0.040 to 0.060 leaves 0 to 1; 0.16 hits are expected, fewer than 5"),
        (0.99, 0.01, "3.8 misses are expected, fewer than 5"),
        (0.95, 0.06, "0.890 to 1.010 leaves 0 to 1; 2.6 misses are expected, fewer than 5"),
        (0.8, 0.1, None),
        (0.5, 0.05, None),
        (0.95, 0.025, None),
    ],
)
def test_near_the_ends_of_the_scale_a_row_says_why_the_normal_approximation_is_not_to_be_trusted(rate, half_width, why):
    (row,) = half_width_table(rate, [half_width])
    assert row.caution == why


@pytest.mark.parametrize(("rate", "n", "hits"), [(0.99, 40, 40), (0.01, 40, 0), (0.5, 5, 3), (0.67, 6, 4)])
def test_a_rate_that_is_no_count_of_questions_is_said_to_be_rounded(rate, n, hits):
    said = SupposedRate.near(rate, n).rounding(rate)
    assert said.startswith(f"A rate of {rate:g} of {n} questions is ")
    assert said.endswith(f"the nearest whole number is {hits}, a rate of {hits / n:.3f}")


@pytest.mark.parametrize(("rate", "n"), [(0.8, 40), (0.29, 100), (0.99, 1000), (0.07, 100)])
def test_a_rate_that_is_a_count_of_questions_is_not_said_to_be_rounded(rate, n):
    assert SupposedRate.near(rate, n).rounding(rate) is None

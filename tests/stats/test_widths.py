from math import ceil

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, binomtest, norm

from evalcore.stats.proportions import wilson
from evalcore.stats.widths import (
    MOST_QUESTIONS,
    gate_passes,
    half_widths,
    needed_hits,
    questions_for_half_width,
    wilson_questions_for_half_width,
)
from tests.oracle import EXTRA, STATS

GATES = EXTRA["power_more"]["gate_operating_characteristic"]
QUESTIONS = [questions_for_half_width, wilson_questions_for_half_width]
rates = st.floats(0.001, 0.999)
wanted = st.floats(0.001, 0.49)
levels = st.sampled_from([0.8, 0.9, 0.95, 0.99])
gates = st.tuples(st.floats(0, 1), st.integers(1, 80))


def half_width(rate, n, level=0.95):
    return float(half_widths(rate, np.array([n]), level=level)[0])


@pytest.mark.parametrize("case", STATS["precision_n"], ids=lambda c: str(c["half_width"]))
def test_the_questions_for_a_half_width_are_the_published_ones(case):
    assert questions_for_half_width(case["p"], case["half_width"], level=case["level"]) == case["n"]


@given(rates, wanted, levels)
def test_with_the_questions_found_the_normal_half_width_is_reached_and_with_one_fewer_it_is_not(rate, half, level):
    n = questions_for_half_width(rate, half, level=level)
    z, variance = norm.ppf(0.5 + level / 2), rate * (1 - rate)
    assert z * (variance / n) ** 0.5 <= half * (1 + 1e-8)
    assert n == 1 or z * (variance / (n - 1)) ** 0.5 > half


@given(rates, wanted, levels)
def test_with_the_questions_found_wilsons_half_width_is_reached_and_with_one_fewer_it_is_not(rate, half, level):
    n = wilson_questions_for_half_width(rate, half, level=level)
    assert half_width(rate, n, level) <= half + 1e-9
    assert n == 1 or half_width(rate, n - 1, level) > half


@given(st.floats(0.0005, 0.49), levels)
def test_for_a_rate_of_a_half_wilsons_questions_have_a_closed_form(half, level):
    z = norm.ppf(0.5 + level / 2)
    exact = z * z * (1 / (4 * half * half) - 1)
    n = wilson_questions_for_half_width(0.5, half, level=level)
    assert n == pytest.approx(max(exact, 1), abs=1.01)
    assert n >= exact - 0.01


def test_wilson_needs_fewer_questions_than_the_formula_for_a_half_and_more_for_a_rare_miss():
    assert wilson_questions_for_half_width(0.5, 0.1) == ceil(96.03647 - 3.84146) == 93
    assert questions_for_half_width(0.5, 0.1) == 97
    assert wilson_questions_for_half_width(0.99, 0.02) > questions_for_half_width(0.99, 0.02)


@given(st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), levels)
def test_the_half_width_of_a_count_is_half_of_its_wilson_interval(case, level):
    hits, n = case
    theirs = binomtest(hits, n).proportion_ci(level, method="wilson")
    ours = wilson(hits, n, level=level)
    assert half_width(hits / n, n, level) == pytest.approx((theirs.high - theirs.low) / 2, abs=1e-9)
    assert half_width(hits / n, n, level) == pytest.approx((ours.high - ours.low) / 2, abs=1e-12)


@given(rates, st.integers(1, 5000), levels)
def test_the_half_width_falls_with_the_questions_and_is_the_same_for_hits_and_misses(rate, n, level):
    assert half_width(rate, n + 1, level) < half_width(rate, n, level) < 0.5
    assert half_width(1 - rate, n, level) == pytest.approx(half_width(rate, n, level), abs=1e-12)


def test_the_half_widths_of_many_sizes_are_each_ones_own():
    sizes = np.array([1, 40, 84, 1000])
    assert half_widths(0.8, sizes).tolist() == [half_width(0.8, n) for n in sizes.tolist()]


@given(rates, levels)
def test_one_question_is_the_fewest_for_any_half_width_above_a_half(rate, level):
    assert wilson_questions_for_half_width(rate, 0.5, level=level) == 1
    assert wilson_questions_for_half_width(rate, 3.0, level=level) == 1


@pytest.mark.parametrize("ask", QUESTIONS)
@pytest.mark.parametrize("rate", [0.0, 1.0, -0.1, 1.1, float("nan")])
def test_a_rate_without_spread_is_refused(ask, rate):
    with pytest.raises(ValueError, match="the rate must lie between 0 and 1"):
        ask(rate, 0.1)


@pytest.mark.parametrize("ask", QUESTIONS)
@pytest.mark.parametrize("half", [0.0, -0.05])
def test_a_half_width_that_is_not_positive_is_refused(ask, half):
    with pytest.raises(ValueError, match="the half-width must be positive"):
        ask(0.8, half)


def test_a_half_width_that_needs_more_than_ten_million_questions_is_refused():
    assert MOST_QUESTIONS == 10_000_000
    # z^2 (1/(4 h^2) - 1) in closed form
    assert ceil(1.959963984540054**2 * (1 / (4 * 0.0004**2) - 1)) == 6_002_276
    assert wilson_questions_for_half_width(0.5, 0.0004) == 6_002_276
    for half in (0.0002829, 0.0001):
        with pytest.raises(ValueError, match=f"a half-width of {half:g} needs more than 10,000,000 questions"):
            wilson_questions_for_half_width(0.5, half)


def test_up_to_ten_million_questions_are_found():
    exact = 1.959963984540054**2 * (1 / (4 * 0.00031**2) - 1)
    assert 9_900_000 < exact < MOST_QUESTIONS
    assert wilson_questions_for_half_width(0.5, 0.00031) == pytest.approx(exact, abs=1.01)


@pytest.mark.parametrize("n", [0, -1])
@pytest.mark.parametrize("at_least", [True, False])
def test_a_gate_without_a_question_is_refused(n, at_least):
    with pytest.raises(ValueError, match="a gate needs at least one question"):
        needed_hits(0.8, n, at_least=at_least)
    with pytest.raises(ValueError, match="a gate needs at least one question"):
        gate_passes(0.8, n, 0.5, at_least=at_least)


@pytest.mark.parametrize("case", GATES, ids=lambda c: f"{c['gate']}-{c['n']}")
def test_the_gates_needs_and_chances_are_the_published_ones(case):
    limit, at_least = float(case["gate"].split()[-1]), ">=" in case["gate"]
    needs = case["needs"] if at_least else case["needs_at_most"]
    assert needed_hits(limit, case["n"], at_least=at_least) == needs
    true = case["pass_probability_if_true_rate"]
    chances = gate_passes(limit, case["n"], np.array([float(rate) for rate in true]), at_least=at_least)
    assert chances == pytest.approx(list(true.values()), abs=5.1e-4)


@given(gates, st.floats(0.001, 0.999), st.booleans())
def test_a_gate_passes_as_often_as_a_binomial_count_meets_it(gate, true, at_least):
    limit, n = gate
    counts = np.arange(n + 1)
    passing = counts / n >= limit - 1e-9 if at_least else counts / n <= limit + 1e-9
    chance = float(gate_passes(limit, n, true, at_least=at_least))
    assert chance == pytest.approx(float(binom.pmf(counts[passing], n, true).sum()), abs=1e-10)


@given(gates)
def test_the_needed_hits_meet_the_gate_and_the_next_count_does_not(gate):
    limit, n = gate
    fewest, most = needed_hits(limit, n, at_least=True), needed_hits(limit, n, at_least=False)
    assert fewest / n >= limit - 1e-9
    assert fewest == 0 or (fewest - 1) / n < limit
    assert most / n <= limit + 1e-9
    assert (most + 1) / n > limit


@pytest.mark.parametrize(("hits", "n"), [(12, 15), (3, 5), (7, 10), (29, 100), (57, 100)])
def test_a_limit_that_a_count_meets_exactly_is_met_from_both_sides(hits, n):
    for limit in (hits / n, hits * (1 / n), hits / n - 1e-10, hits / n + 1e-10):
        assert needed_hits(limit, n, at_least=True) == hits
        assert needed_hits(limit, n, at_least=False) == hits


def test_twelve_of_fifteen_are_four_fifths_and_the_slack_is_no_more_than_rounding():
    assert needed_hits(0.8, 15, at_least=True) == 12
    assert float(gate_passes(0.8, 15, 0.8, at_least=True)) == pytest.approx(binom.sf(11, 15, 0.8), abs=1e-12)
    assert needed_hits(0.8 + 1e-8, 15, at_least=True) == 13
    assert needed_hits(0.8 - 1e-8, 15, at_least=False) == 11


@pytest.mark.parametrize(
    ("limit", "at_least", "needed", "chances"),
    [
        (0.0, True, 0, [1.0, 1.0, 1.0]),
        (1.0, True, 4, [0.0, 0.0625, 1.0]),
        (1.2, True, 5, [0.0, 0.0, 0.0]),
        (-0.5, True, 0, [1.0, 1.0, 1.0]),
        (0.0, False, 0, [1.0, 0.0625, 0.0]),
        (1.0, False, 4, [1.0, 1.0, 1.0]),
        (1.2, False, 4, [1.0, 1.0, 1.0]),
        (-0.1, False, -1, [0.0, 0.0, 0.0]),
    ],
)
def test_a_gate_at_or_beyond_an_end_always_or_never_passes_or_asks_for_all_or_none(limit, at_least, needed, chances):
    assert needed_hits(limit, 4, at_least=at_least) == needed
    found = gate_passes(limit, 4, np.array([0.0, 0.5, 1.0]), at_least=at_least)
    assert found.shape == (3,)
    assert found.tolist() == pytest.approx(chances, abs=1e-12)
    assert float(gate_passes(limit, 4, 0.5, at_least=at_least)) == pytest.approx(chances[1], abs=1e-12)


@given(gates, st.floats(0, 0.9), st.booleans())
def test_a_better_system_passes_at_least_as_often(gate, true, at_least):
    limit, n = gate
    worse, better = gate_passes(limit, n, np.array([true, true + 0.1]), at_least=at_least)[:: 1 if at_least else -1]
    assert better >= worse - 1e-12


@given(gates, st.floats(0, 1))
def test_a_gate_on_hits_from_below_is_one_on_misses_from_above(gate, true):
    limit, n = gate
    hits = float(gate_passes(limit, n, true, at_least=True))
    assert hits == pytest.approx(float(gate_passes(1 - limit, n, 1 - true, at_least=False)), abs=1e-9)

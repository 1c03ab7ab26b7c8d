from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.abstention.cost import (
    Costs,
    cheapest,
    cost_per_1000,
    coverage_at,
    read_costs,
    risk_coverage,
    risk_coverage_area,
    unsupported_share,
)
from evalcore.abstention.cuts import Cut
from evalcore.abstention.scored import CORRECT, FALSE, SCOPE, decides_nothing, feasible
from evalcore.abstention.sweep import sweep
from evalcore.abstention.words import cheapest_in_words, needs, window
from evalcore.evidence import Basis
from evalcore.files import BadInput
from evalcore.gates import Gate
from tests.abstention.toy import scored

SCORES = [i / 10 for i in range(-3, 12)]
SHARES = [Fraction(i, 20) for i in range(21)]
INNER = SHARES[1:-1]
BOUNDS = [Fraction(i, 12) for i in range(13)]
NAN, INF = float("nan"), float("inf")
COSTS_OUT = [(-1, 1), (1, -1), (0, 0), (NAN, 1), (1, NAN), (INF, 1), (1, INF), (1e300, 1), (1, 1_000_001)]


def row():
    return st.tuples(st.booleans(), st.sampled_from(SCORES), st.booleans())


def files():
    both = st.lists(row(), min_size=2, max_size=24).filter(lambda rows: len({a for a, _, _ in rows}) == 2)
    return both.map(lambda rows: tuple(map(list, zip(*rows, strict=True))))


def built(columns):
    answerable, scores, scope = columns
    return scored(answerable, scores, scope, scope)


def every_cut(scores):
    """Each score, a point between each two, one below all and one above all."""
    distinct = sorted(set(scores))
    between = [(a + b) / 2 for a, b in pairwise(distinct)]
    return [distinct[0] - 1, *distinct, *between, distinct[-1] + 1]


def counted(columns, cut):
    """Answerable refused, unanswerable refused, wrong scope served, by a loop over questions."""
    false = correct = wrong = 0
    for answerable, score, scope in zip(*columns, strict=True):
        served = score >= cut
        false += answerable and not served
        correct += not answerable and not served
        wrong += answerable and served and not scope
    return false, correct, wrong


def exact_cost(columns, cut, costs, share):
    false, correct, _ = counted(columns, cut)
    answerable = sum(columns[0])
    unanswerable = len(columns[0]) - answerable
    unsupported = share * costs[0] * Fraction(unanswerable - correct, unanswerable)
    return 1000 * (unsupported + (1 - share) * costs[1] * Fraction(false, answerable))


def inside(intervals, cut):
    return any((c.low is None or cut > c.low) and (c.high is None or cut <= c.high) for c in intervals)


@given(files(), st.randoms(use_true_random=False))
def test_the_order_of_rows_changes_nothing(columns, random):
    order = list(range(len(columns[0])))
    random.shuffle(order)
    answerable, scores, scope = columns
    one, other = built(columns), scored(answerable, scores, scope, scope, order=order)
    assert one.table.ids == other.table.ids
    for mine, theirs in (
        (one.scores, other.scores),
        (one.answerable, other.answerable),
        (one.table.hit, other.table.hit),
        (one.sweep.thresholds, other.sweep.thresholds),
        (one.sweep.refused_answerable, other.sweep.refused_answerable),
        (one.sweep.refused_unanswerable, other.sweep.refused_unanswerable),
        (one.sweep.wrong_scope, other.sweep.wrong_scope),
        (one.sweep.false_band[0], other.sweep.false_band[0]),
    ):
        assert mine.tobytes() == theirs.tobytes()
    assert one.pairs == other.pairs
    assert one.area(0.1).value == other.area(0.1).value
    assert one.area().value == other.area().value
    assert one.recall.value == other.recall.value


@given(files())
def test_the_counts_are_those_of_a_loop_over_questions(columns):
    run, n = built(columns), len(columns[0])
    answerable = sum(columns[0])
    for cut in every_cut(columns[1]):
        false, correct, wrong = counted(columns, cut)
        at = run.sweep.at(cut)
        assert (run.sweep.refused_answerable[at], run.sweep.refused_unanswerable[at]) == (false, correct)
        assert run.sweep.wrong_scope[at] == wrong
        assert run.sweep.served_answerable[at] == answerable - false
        assert run.sweep.served_unanswerable[at] == n - answerable - correct
        assert run.sweep.served[at] == n - false - correct
        assert run.sweep.coverage[at] == (n - false - correct) / n
        assert run.false_abstention(at).value == run.sweep.false_abstention[at] == false / answerable
        assert run.correct_abstention(at).value == run.sweep.correct_abstention[at] == correct / (n - answerable)
    assert (run.sweep.n, run.sweep.share) == (n, (n - answerable) / n)


@given(files())
def test_raising_the_threshold_never_lowers_either_abstention_rate(columns):
    swept = built(columns).sweep
    assert (np.diff(swept.thresholds) > 0).all()
    assert (np.diff(swept.false_abstention) >= 0).all()
    assert (np.diff(swept.correct_abstention) >= 0).all()
    assert (np.diff(swept.served) < 0).all()
    assert (np.diff(swept.wrong_scope) <= 0).all()


@given(files())
def test_a_cut_equals_the_smallest_candidate_at_or_above_it(columns):
    swept = built(columns).sweep
    distinct = sorted(set(columns[1]))
    for cut in every_cut(columns[1]):
        above = [score for score in distinct if score >= cut]
        assert swept.threshold(swept.at(cut)) == (min(above) if above else None)
    assert swept.at(None) == len(swept) - 1 == len(distinct)
    assert swept.threshold(swept.at(None)) is None


@given(files())
def test_the_first_and_the_last_candidate_are_the_two_trivial_rules(columns):
    run = built(columns)
    last = len(run.sweep) - 1
    assert (run.sweep.served[0], run.sweep.served[last]) == (run.sweep.n, 0)
    assert run.unsupported(last).value is None
    assert run.unsupported(last).reason == "no question is served, so there is no share of served answers"
    assert run.unsupported_at(last, 0.1).value is None
    assert (
        run.unsupported_at(last, 0.1).reason == "nothing is served at this mix, so there is no share of served answers"
    )
    assert run.unsupported_at(last, 0.1).basis is Basis.NOT_ASSESSED


@given(files())
def test_at_the_files_own_mix_shares_and_costs_are_those_of_the_counts(columns):
    run = built(columns)
    swept, share, costs = run.sweep, run.sweep.share, Costs(3, 1)
    for at in range(len(swept)):
        unsupported, served, refused = swept.served_unanswerable[at], swept.served[at], swept.refused_answerable[at]
        if served:
            assert unsupported_share(swept, share)[at] == pytest.approx(unsupported / served)
            assert run.unsupported(at).value == unsupported / served
        assert coverage_at(swept, share)[at] == pytest.approx(served / swept.n)
        direct = 1000 * (3 * unsupported + refused) / swept.n
        assert cost_per_1000(swept, costs, share)[at] == pytest.approx(direct)
        assert run.cost(at, costs).value == pytest.approx(direct)


@given(files(), st.integers(0, 5), st.integers(0, 5), st.sampled_from(SHARES))
def test_a_cut_costs_the_least_inside_a_cheapest_interval_and_more_outside(columns, unsupported, refusal, share):
    if unsupported + refusal == 0:
        unsupported = 1
    found = cheapest(built(columns).sweep, Costs(unsupported, refusal), float(share))
    costs = {cut: exact_cost(columns, cut, (unsupported, refusal), share) for cut in every_cut(columns[1])}
    least = min(costs.values())
    assert found.cost == pytest.approx(float(least), abs=1e-9)
    for cut, cost in costs.items():
        assert inside(found.cuts, cut) is (cost == least)
    for lower, upper in pairwise(found.cuts):
        assert lower.high < upper.low  # adjacent ones would have been merged


@given(files(), st.sampled_from(SHARES))
def test_the_area_is_the_sum_of_steps_from_the_highest_score_down(columns, share):
    run, area, before = built(columns), Fraction(0), Fraction(0)
    answerable = sum(columns[0])
    unanswerable = len(columns[0]) - answerable
    for cut in sorted(set(columns[1]), reverse=True):
        false, correct, _ = counted(columns, cut)
        unsupported = share * Fraction(unanswerable - correct, unanswerable)
        coverage = unsupported + (1 - share) * Fraction(answerable - false, answerable)
        if coverage:
            area += (coverage - before) * unsupported / coverage
        before = coverage
    assert risk_coverage_area(run.sweep, float(share)) == pytest.approx(float(area), abs=1e-9)


@given(files(), st.sampled_from(INNER))
def test_the_risk_coverage_curve_ends_with_everything_served(columns, share):
    swept = built(columns).sweep
    coverage, risk = risk_coverage(swept, float(share))
    assert len(coverage) == len(risk) == len(set(columns[1]))
    assert (np.diff(coverage) > 0).all()
    assert (coverage[-1], risk[-1]) == pytest.approx((1.0, float(share)))


@given(files(), st.sampled_from(INNER), st.floats(0, 1))
def test_a_generation_error_never_lowers_the_unsupported_share(columns, share, error):
    run, pi = built(columns), float(share)
    floor, raised = unsupported_share(run.sweep, pi)[:-1], unsupported_share(run.sweep, pi, generation_error=error)[:-1]
    assert (raised >= floor - 1e-12).all()
    assert raised == pytest.approx(floor + error * (1 - floor))
    estimate = run.unsupported_at(0, pi, generation_error=error)
    assert estimate.basis is Basis.ASSUMED
    assert ("generation error" in estimate.method) is (error > 0)


@given(files(), st.sampled_from(BOUNDS), st.sampled_from(BOUNDS))
def test_a_gate_set_is_flagged_exactly_when_a_trivial_rule_passes_it(columns, correct, false):
    run = built(columns)
    gates = {CORRECT: Gate(CORRECT, at_least=float(correct)), FALSE: Gate(FALSE, at_most=float(false))}
    said = decides_nothing(run, gates)
    assert (said is not None) is (correct == 0 or false == 1)
    if said is not None:
        assert ("answering everything" in said) is (correct == 0)
        assert ("refusing everything" in said) is (false == 1)
        verb = "pass" if correct == 0 and false == 1 else "passes"
        assert said.endswith(f" everything {verb} the abstention gates that were set")


@given(files(), st.sampled_from(BOUNDS[1:]), st.sampled_from(BOUNDS[:-1]), st.integers(0, 3))
def test_the_feasible_thresholds_are_those_of_a_loop_in_whole_numbers(columns, correct, false, wrong):
    run, answerable = built(columns), sum(columns[0])
    unanswerable = len(columns[0]) - answerable
    gates = {
        CORRECT: Gate(CORRECT, at_least=float(correct)),
        FALSE: Gate(FALSE, at_most=float(false)),
        SCOPE: Gate(SCOPE, at_most=wrong),
    }
    found, passed = feasible(run, gates), {}
    for cut in every_cut(columns[1]):
        f, c, w = counted(columns, cut)
        passed[cut] = Fraction(c, unanswerable) >= correct and Fraction(f, answerable) <= false and w <= wrong
        assert inside(found, cut) is passed[cut]
    said = window(run, gates)
    assert ("what has to change is the score, not the gates" in said) is not any(passed.values())
    assert said.startswith("Thresholds that pass all gates") is any(passed.values())


@given(files(), st.sampled_from(BOUNDS[1:]))
def test_what_correct_abstention_needs_is_the_lowest_cut_that_gives_it(columns, correct):
    run, answerable = built(columns), sum(columns[0])
    unanswerable = len(columns[0]) - answerable
    rates = {cut: counted(columns, cut) for cut in [*sorted(set(columns[1])), max(columns[1]) + 1]}
    lowest = min(cut for cut, (_, c, _) in rates.items() if Fraction(c, unanswerable) >= correct)
    below = max(score for score in columns[1] if score < lowest)
    shown = f"{below:.6g}".replace("-", "−")
    said = needs(run, {CORRECT: Gate(CORRECT, at_least=float(correct))})
    assert f"needs a threshold above {shown}, where {rates[lowest][0]} of {answerable} answerable" in said


def test_a_rate_one_float_below_its_bound_still_meets_it():
    run = scored([1, 0, 0, 0], [0.9, 0.1, 0.2, 0.9])
    gates = {CORRECT: Gate(CORRECT, at_least=2 / 3 + 1e-10), FALSE: Gate(FALSE, at_most=0.0)}
    assert feasible(run, gates) == (Cut(0.2, 0.9),)
    assert feasible(run, gates | {CORRECT: Gate(CORRECT, at_least=2 / 3 + 1e-8)}) == ()


def test_correct_abstention_that_no_rule_gives_is_out_of_reach():
    run = scored([1, 0], [0.9, 0.1])
    said = window(run, {CORRECT: Gate(CORRECT, at_least=1.5)})
    assert "Correct abstention at least 1.50 is out of reach." in said


def test_without_a_gate_on_abstention_nothing_is_claimed():
    run = scored([1, 0], [0.9, 0.1])
    assert window(run, {CORRECT: Gate(CORRECT)}) == "No gate on abstention was set."
    assert decides_nothing(run, {CORRECT: Gate(CORRECT)}) is None
    assert needs(run, {FALSE: Gate(FALSE, at_most=0.1)}) == ""


@pytest.mark.parametrize(("unsupported", "refusal"), COSTS_OUT)
def test_costs_that_make_no_rule_are_refused(unsupported, refusal):
    with pytest.raises(ValueError, match="costs are between 0 and 1,000,000, and not both 0"):
        Costs(unsupported, refusal)


def test_costs_may_be_nothing_on_one_side_and_a_million_on_both():
    assert Costs(0, 1e6).answer_above == 0
    assert Costs(1e6, 1e6).answer_above == 0.5


def test_answering_is_cheaper_above_the_unsupported_cost_over_both():
    assert (Costs(3, 1).answer_above, Costs(0, 1).answer_above, Costs(1, 0).answer_above) == (0.75, 0.0, 1.0)


@pytest.mark.parametrize("kind", [True, False])
def test_a_sweep_of_one_kind_of_question_is_refused(kind):
    with pytest.raises(ValueError, match="a sweep needs answerable and unanswerable questions"):
        sweep(np.array([kind, kind]), np.array([0.1, 0.2]))


def test_a_plan_without_costs_is_named(tmp_path):
    (tmp_path / "plan.toml").write_text("version = 1\n")
    with pytest.raises(BadInput, match=r"plan\.toml: cannot be read \('costs'\)"):
        read_costs(tmp_path / "plan.toml")


def test_the_difference_of_two_scores_does_not_depend_on_the_order_of_rows():
    answerable, first, second = [1, 1, 1, 0, 0, 0], [0.9, 0.8, 0.3, 0.4, 0.2, 0.1], [0.9, 0.2, 0.3, 0.4, 0.6, 0.1]
    order = [3, 5, 0, 2, 4, 1]
    one = scored(answerable, first).auc_minus(scored(answerable, second))
    other = scored(answerable, first, order=order).auc_minus(scored(answerable, second, order=order))
    assert one.value == pytest.approx(8 / 9 - 5 / 9)
    assert (one.value, one.low, one.high) == (other.value, other.low, other.high)
    assert one.low < one.value < one.high


def test_a_scope_gate_without_a_column_is_named_and_never_said_to_pass():
    run = scored([1, 1, 1, 0, 0, 0], [0.9, 0.8, 0.2, 0.3, 0.1, 0.05])
    gates = {CORRECT: Gate(CORRECT, at_least=0.6), FALSE: Gate(FALSE, at_most=0.4), SCOPE: Gate(SCOPE, at_most=0)}
    said = window(run, gates)
    assert said.startswith("Thresholds that pass all gates (correct abstention at least 0.60; false abstention at most")
    assert said.endswith("Wrong scope served at most 0 cannot be assessed, and that is no pass.")
    assert "wrong scope served" not in said.split(").")[0]


def test_refusing_everything_is_said_where_it_alone_is_cheapest():
    run = scored([1, 0, 0, 0], [0.5, 0.9, 0.1, 0.2])
    found = cheapest(run.sweep, Costs(3, 1), 0.9)
    assert found.threshold is None
    assert cheapest_in_words(run, found).startswith("above 0.9 (refuse everything), ")


def test_close_scores_are_told_apart_in_words():
    assert str(Cut(0.50001, 0.50002)) == "(0.50001, 0.50002]"
    assert str(Cut(0.50000001, 0.50000002)) == "(0.50000001, 0.50000002]"
    assert str(Cut(1.0, 1.0 + 2**-52)) == "(1, 1.0000000000000002]"

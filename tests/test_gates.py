import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.evidence import Basis, Count, Estimate, Result, Source
from evalcore.gates import Gate, decide, read_gates
from evalcore.goldset.schema import GOLD
from evalcore.stats.proportions import wilson
from tests.oracle import EXTRA

FILE = Source("scores.csv", "c3" * 32)


def rate(count, n, low=None, high=None):
    reason = "no interval asked for" if low is None else None
    level = None if low is None else 0.95
    return Estimate(count / n, low, high, level, n, "count / n", Basis.RETRIEVAL, (FILE,), reason=reason)


def gate(sign, bound):
    return Gate("gate", at_least=bound) if sign == ">=" else Gate("gate", at_most=bound)


@pytest.mark.parametrize("case", EXTRA["gate_arithmetic"]["must_pass"])
def test_a_rate_that_meets_its_bound_exactly_passes(case):
    count, n, sign, bound = re.fullmatch(r"(\d+)/(\d+) (>=|<=) (\S+)", case).groups()
    assert gate(sign, float(bound)).result(rate(int(count), int(n))) is Result.PASS


def test_a_bound_met_but_for_float_noise_is_met():
    below = 1 - 4 / 5
    assert not below >= 0.2  # the trap
    noisy = Estimate(below, None, None, None, 5, "1 - rate", Basis.RETRIEVAL, (FILE,), reason="none")
    assert Gate("gate", at_least=0.2).result(noisy) is Result.PASS


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n), st.integers(0, n))))
def test_a_gate_agrees_with_whole_numbers(case):
    count, n, needed = case
    expected = Result.PASS if count >= needed else Result.FAIL
    assert gate(">=", needed / n).result(rate(count, n)) is expected
    assert gate("<=", needed / n).result(rate(count, n)) is (Result.PASS if count <= needed else Result.FAIL)


def test_a_miss_of_more_than_the_slack_fails():
    assert gate(">=", 0.8 + 2e-9).result(rate(4, 5)) is Result.FAIL
    assert gate("<=", 0.8 - 2e-9).result(rate(4, 5)) is Result.FAIL


@pytest.mark.parametrize("sign", [">=", "<="])
def test_what_cannot_be_assessed_is_no_pass(sign):
    nothing = Estimate.not_assessed("no scope column", method="count / n")
    assert gate(sign, 0.0 if sign == ">=" else 1.0).result(nothing) is Result.NOT_ASSESSED


@pytest.mark.parametrize("count", [0, 3, 5])
def test_a_gate_without_a_bound_is_never_passed(count):
    assert Gate("named only").result(rate(count, 5)) is Result.NOT_ASSESSED


def test_a_gate_with_both_bounds_needs_both():
    both = Gate("gate", at_least=0.2, at_most=0.4)
    assert [both.result(rate(c, 10)) for c in (1, 2, 4, 5)] == [Result.FAIL, Result.PASS, Result.PASS, Result.FAIL]


@pytest.mark.parametrize(
    ("low", "high", "decided"),
    [(0.81, 0.95, True), (0.5, 0.79, True), (0.7, 0.9, False), (0.8, 0.9, True), (0.5, 0.8, True)],
)
def test_beside_the_result_stands_whether_the_interval_lies_on_one_side(low, high, decided):
    estimate = rate(17, 20, low, high) if low <= 0.85 <= high else rate(15, 20, low, high)
    assert gate(">=", 0.8).decided_by_interval(estimate) is decided
    assert gate("<=", 0.8).decided_by_interval(estimate) is decided


def test_nothing_is_decided_without_an_interval_or_a_bound():
    assert gate(">=", 0.8).decided_by_interval(rate(4, 5)) is None
    assert Gate("named only").decided_by_interval(rate(4, 5, 0.3, 0.9)) is None


def test_at_a_true_rate_on_the_bound_no_interval_decides():
    limits = wilson(38, 48)
    assert gate(">=", 0.8).decided_by_interval(rate(38, 48, limits.low, limits.high)) is False


def test_a_bound_says_itself_in_words():
    words = [g.bound for g in (gate(">=", 0.8), gate("<=", 0.1), Gate("named only"))]
    assert words == ["at least 0.80", "at most 0.10", "not set"]


@pytest.mark.parametrize("level", [0.0, 0.35, 1.0])
def test_a_gate_at_another_level_keeps_its_side_its_name_and_its_notes(level):
    least = Gate("recall", at_least=0.8, measure="Success@5", note="by hand")
    most = Gate("false", at_most=0.1, note="by hand")
    assert least.at(level) == replace(least, at_least=level)
    assert most.at(level) == replace(most, at_most=level)
    assert (least.at(level).limit, most.at(level).limit) == (level, level)
    assert (least.at_least, most.at_most) == (0.8, 0.1)


def test_a_gate_at_a_level_of_nothing_is_still_set():
    assert Gate("recall", at_least=0.8).at(0.0).is_set
    assert Gate("false", at_most=0.1).at(0.0).result(rate(1, 5)) is Result.FAIL


def test_the_plans_gates_are_read_with_their_bounds_and_those_not_set_stay_open_to_view():
    gates = read_gates(GOLD / "plan.toml")
    assert {name: (g.at_least, g.at_most) for name, g in gates.items()} == {
        "recall_at_5": (0.8, None),
        "correct_abstention": (0.8, None),
        "false_abstention": (None, 0.1),
        "wrong_scope_served": (None, None),
        "generated_answer_competence": (None, None),
    }
    assert gates["recall_at_5"].measure == "Success@5"
    assert "not assessed" in gates["wrong_scope_served"].note


def test_the_results_have_their_words_on_screen():
    assert [r.value for r in Result] == ["pass", "fail", "not assessed"]


def none(reason="no column"):
    return Estimate.not_assessed(reason, method="count / n")


@pytest.mark.parametrize(
    ("measured", "go", "said"),
    [
        ([rate(3, 5), rate(4, 5)], True, "Go: every gate that was set passes."),
        ([rate(3, 5), none()], None, "No decision yet: 1 of the gates that were set cannot be assessed"),
        ([none(), rate(1, 5)], False, "No go: 1 of 2 results fail."),
    ],
)
def test_gates_together_go_only_when_each_that_was_set_passes(measured, go, said):
    gates = [Gate(f"gate {i}", at_least=0.5) for i in range(len(measured))]
    decision = decide(zip(gates, measured, strict=True))
    assert decision.go is go
    assert decision.sentence.startswith(said)


def test_a_gate_that_was_not_set_is_no_part_of_go():
    decision = decide([(Gate("named only"), none())])
    assert (decision.go, decision.sentence, decision.reasons) == (None, "No gate was set.", ())


def test_a_blocking_count_is_held_against_its_bound_as_a_count():
    one = Count(1, 10, "questions served from the wrong scope", Basis.RETRIEVAL, (FILE,))
    gate = Gate("wrong_scope_served", at_most=0)
    assert gate.result(one) is Result.FAIL
    assert gate.result(replace(one, count=0)) is Result.PASS
    assert (gate.bound, gate.side(one)) == ("at most 0", "–")
    assert decide([(gate, one)]).reasons == ("wrong scope served is 1, bound at most 0",)


def test_reasons_name_each_failing_gate_and_each_that_cannot_be_assessed():
    gates = [Gate("false_abstention", at_most=0.1), Gate("recall_at_5", at_least=0.8), Gate("passes", at_least=0.1)]
    decision = decide(zip(gates, [rate(2, 10), none("the file has no column hit"), rate(4, 5)], strict=True))
    assert decision.reasons == (
        "false abstention is 0.200, bound at most 0.10",
        "recall at 5 cannot be assessed: the file has no column hit",
    )


def test_a_set_that_a_trivial_rule_passes_is_no_go_even_when_every_gate_passes():
    decision = decide([(Gate("gate", at_least=0.5), rate(4, 5))], decides_nothing="refusing everything passes it")
    assert decision.go is False
    assert decision.reasons == ("refusing everything passes it",)

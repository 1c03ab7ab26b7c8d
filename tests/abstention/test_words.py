from dataclasses import replace

import pytest

from evalcore.abstention.cost import Costs, Declared
from evalcore.abstention.scored import CORRECT, FALSE, RECALL, SCOPE
from evalcore.abstention.words import below_the_headline, departures, headline, may_not_be_said, window
from evalcore.gates import Gate
from evalcore.studies import synthetic_pair
from tests.abstention.toy import scored, toy

PLAN = Declared(Costs(3, 1), 0.1)
GATES = {
    RECALL: Gate(RECALL, at_least=0.8),
    CORRECT: Gate(CORRECT, at_least=0.8),
    FALSE: Gate(FALSE, at_most=0.1),
    SCOPE: Gate(SCOPE, at_most=0),
}
HARD = {CORRECT: GATES[CORRECT], FALSE: GATES[FALSE]}
LOOSE = {CORRECT: Gate(CORRECT, at_least=0.6), FALSE: Gate(FALSE, at_most=0.2)}
TRIVIAL = {CORRECT: Gate(CORRECT, at_least=0.0), FALSE: Gate(FALSE, at_most=1.0)}
INVENTED = "Anything about a real system: these scores are invented."
UNREVIEWED = "That the labels are final: language models wrote and read the questions, and no person has."


def departed(now=GATES, *, costs=PLAN.costs, share=PLAN.unanswerable_share, declared=GATES):
    return departures(declared, now, PLAN, costs, share)


def test_where_everything_is_as_declared_no_departure_is_said():
    assert departed() == ()
    assert departed(dict(reversed(GATES.items())), costs=Costs(3.0, 1.0)) == ()


@pytest.mark.parametrize(
    ("name", "level", "said"),
    [
        (CORRECT, 0.7, "correct abstention at least 0.70, loosened: the plan says at least 0.80"),
        (CORRECT, 0.9, "correct abstention at least 0.90, tightened: the plan says at least 0.80"),
        (CORRECT, 0.0, "correct abstention at least 0, loosened: the plan says at least 0.80"),
        (RECALL, 0.75, "recall at 5 at least 0.75, loosened: the plan says at least 0.80"),
        (RECALL, 0.85, "recall at 5 at least 0.85, tightened: the plan says at least 0.80"),
        (FALSE, 0.2, "false abstention at most 0.20, loosened: the plan says at most 0.10"),
        (FALSE, 0.05, "false abstention at most 0.05, tightened: the plan says at most 0.10"),
        (FALSE, 0.0, "false abstention at most 0, tightened: the plan says at most 0.10"),
        (SCOPE, 1, "wrong scope served at most 1.00, loosened: the plan says at most 0"),
    ],
)
def test_a_moved_gate_is_called_loosened_or_tightened_by_what_it_lets_through(name, level, said):
    assert departed(GATES | {name: GATES[name].at(level)}) == (said,)


def test_a_gate_that_the_plan_leaves_open_departs_from_nothing():
    assert departed(GATES, declared=GATES | {SCOPE: Gate(SCOPE)}) == ()


@pytest.mark.parametrize(("costs", "shown"), [(Costs(20, 1), "20 : 1"), (Costs(3, 2), "3 : 2"), (Costs(6, 2), "6 : 2")])
def test_other_costs_are_called_re_priced(costs, shown):
    assert departed(costs=costs) == (f"costs {shown}, re-priced: the plan says 3 : 1",)


def test_another_share_of_traffic_is_said():
    assert departed(share=0.05) == ("unanswerable share 0.05: the plan says 0.1",)


def test_every_departure_is_said_gates_in_the_plans_order_then_costs_then_the_share():
    now = {FALSE: Gate(FALSE, at_most=0.2), CORRECT: Gate(CORRECT, at_least=0.9)}
    said = departed(GATES | now, costs=Costs(1, 1), share=0.5)
    starts = ("correct abstention at least 0.90, tight", "false abstention at most 0.20, loose", "costs 1", "unansw")
    assert len(said) == len(starts)
    assert all(s.startswith(start) for s, start in zip(said, starts, strict=True))


@pytest.mark.parametrize(
    ("gates", "said"),
    [
        ({}, "No gate that a threshold on Top-1 can be held against was set."),
        ({CORRECT: Gate(CORRECT)}, "No gate that a threshold on Top-1 can be held against was set."),
        ({RECALL: GATES[RECALL]}, "No gate that a threshold on Top-1 can be held against was set."),
        (TRIVIAL, "These gates decide nothing: a rule without a threshold passes them."),
        ({CORRECT: GATES[CORRECT]}, "These gates decide nothing: a rule without a threshold passes them."),
        (HARD, "No threshold on Top-1 passes every gate."),
        (LOOSE, "Some thresholds on Top-1 pass every gate on abstention."),
        (LOOSE | {SCOPE: Gate(SCOPE, at_most=1)}, "Some thresholds on Top-1 pass every gate on abstention."),
        (LOOSE | {SCOPE: GATES[SCOPE]}, "No threshold on Top-1 passes every gate."),
    ],
)
def test_the_headline_says_whether_any_threshold_passes(gates, said):
    assert headline(toy(), gates, "Top-1") == said


def test_below_the_headline_the_window_is_said_without_what_the_headline_said():
    run = toy()
    said = below_the_headline(run, HARD)
    assert said.startswith(
        "The gates: correct abstention at least 0.80; false abstention at most 0.10. "
        "Correct abstention at least 0.80 needs a threshold above 0.48, where 3 of 10 answerable questions are refused."
    )
    assert "No threshold" not in said
    first = "No threshold passes all gates (correct abstention at least 0.80; false abstention at most 0.10). "
    assert window(run, HARD) == first + said.partition("at most 0.10. ")[2]


@pytest.mark.parametrize(
    "gates",
    [{}, LOOSE, TRIVIAL, {FALSE: GATES[FALSE]}, {SCOPE: GATES[SCOPE]}],
    ids=["none", "loose", "trivial", "one", "scope"],
)
def test_below_any_other_headline_stands_the_whole_window(gates):
    assert below_the_headline(toy(), gates) == window(toy(), gates)


@pytest.mark.parametrize("gates", [HARD, {CORRECT: Gate(CORRECT, at_least=0.6), FALSE: Gate(FALSE, at_most=0.4)}])
def test_below_the_headline_a_scope_that_cannot_be_assessed_is_named(gates):
    run = scored([1, 1, 1, 0, 0, 0], [0.9, 0.3, 0.2, 0.8, 0.1, 0.05])
    said = below_the_headline(run, gates | {SCOPE: GATES[SCOPE]})
    assert said.endswith(" Wrong scope served at most 0 cannot be assessed, and that is no pass.")
    assert said.startswith(below_the_headline(run, gates))
    assert "wrong scope served" not in said


@pytest.mark.parametrize("provisional", [None, False])
def test_of_a_users_file_three_things_may_not_be_said(provisional):
    said = may_not_be_said(replace(toy(), provisional=provisional))
    assert len(said) == 3
    assert "Held-out: not assessed." in said[0]
    assert said[1].startswith("That the unsupported share is that of live traffic")
    assert said[2] == "That a served answer is right: only retrieval was measured."


def test_of_provisional_scores_it_is_said_that_no_person_reviewed_them():
    said = may_not_be_said(replace(toy(), provisional=True))
    assert (len(said), said[1]) == (4, UNREVIEWED)
    assert INVENTED not in said


def test_of_synthetic_scores_it_is_said_first_that_they_are_invented():
    for run in synthetic_pair().values():
        said = may_not_be_said(run)
        assert (len(said), said[0]) == (4, INVENTED)
        assert UNREVIEWED not in said
    both = may_not_be_said(replace(toy(), synthetic=True, provisional=True))
    assert (len(both), both[0], both[2]) == (5, INVENTED, UNREVIEWED)


def test_a_headline_never_says_every_gate_where_one_cannot_be_assessed():
    run = scored([1, 1, 1, 0, 0, 0], [0.9, 0.8, 0.2, 0.3, 0.1, 0.05])
    loose = {CORRECT: Gate(CORRECT, at_least=0.6), FALSE: Gate(FALSE, at_most=0.4), SCOPE: GATES[SCOPE]}
    assert headline(run, loose, "X") == "Some thresholds on X pass every gate on abstention that can be assessed."


def test_a_gate_that_is_left_out_or_unset_is_loosened():
    said = "false abstention not set, loosened: the plan says at most 0.10"
    assert departed({**GATES, FALSE: Gate(FALSE)}) == (said,)
    assert departed({name: gate for name, gate in GATES.items() if name != FALSE}) == (said,)

from fractions import Fraction

import numpy as np
import pytest

from evalcore.abstention.calibration import Calibration, reweighted
from evalcore.abstention.cost import (
    Costs,
    cheapest,
    cost_per_1000,
    coverage_at,
    read_costs,
    risk_coverage_area,
    unsupported_share,
)
from evalcore.abstention.cuts import Cut
from evalcore.abstention.scored import CORRECT, FALSE, RECALL, SCOPE, decides_nothing, feasible
from evalcore.abstention.words import cheapest_in_words, joined, needs, separation, window
from evalcore.evidence import Basis, Result
from evalcore.files import read_qrels, read_run
from evalcore.files.scores import read_scores
from evalcore.gates import Gate, decide, read_gates
from evalcore.measures import Measure
from evalcore.stats.means import bootstrap_mean
from evalcore.study import join
from tests.abstention.toy import FOLDER, PLAN, of_table, threshold, toy
from tests.oracle import EXTRA, TOY

EXPECTED, MORE = TOY["expected"], EXTRA["toy_run_more"]
COSTS = Costs(TOY["costs"]["unsupported_answer"], TOY["costs"]["refusal"])
NAMES = {"recall@5": RECALL, "correct_abstention": CORRECT, "false_abstention": FALSE, "wrong_scope_top1_served": SCOPE}
SUCCESS, RECALL_5, RR_5 = Measure.parse("Success@5"), Measure.parse("R@5"), Measure.parse("RR@5")


@pytest.fixture(scope="module")
def run():
    return toy()


@pytest.fixture(scope="module")
def study():
    qrels = read_qrels(FOLDER / "qrels.trec", name="qrels.trec")
    return join(qrels, [read_run(FOLDER / "run.trec", name="toy")], measures=(SUCCESS, RECALL_5, RR_5))


def ends(intervals):
    return [[cut.low, cut.high] for cut in intervals]


def loosened(case):
    return {
        CORRECT: Gate(CORRECT, at_least=case["correct_at_least"]),
        FALSE: Gate(FALSE, at_most=case["false_at_most"]),
    }


def test_the_score_file_is_the_lessons(run):
    rows = {row["query_id"]: (row["answerable"], row["score"]) for row in TOY["queries"]}
    assert dict(zip(run.table.ids, zip(run.answerable.tolist(), run.scores.tolist(), strict=True), strict=True)) == rows


def test_the_plan_holds_the_lessons_gates_costs_and_threshold():
    gates, declared = read_gates(PLAN), read_costs(PLAN)
    assert (gates[RECALL].at_least, gates[CORRECT].at_least) == (0.8, 0.8)
    assert (gates[FALSE].at_most, gates[SCOPE].at_most) == (0.1, 0)
    assert (declared.costs, declared.unanswerable_share) == (COSTS, 0.1)
    assert threshold() == TOY["default_threshold"]


@pytest.mark.parametrize("row", EXPECTED["sweep"], ids=lambda row: str(row["threshold"]))
def test_every_row_of_the_sweep_is_reproduced(run, row):
    swept, at = run.sweep, run.sweep.at(row["threshold"])
    assert f"{swept.refused_answerable[at]}/{swept.answerable}" == row["false_abstention"]
    assert f"{swept.refused_unanswerable[at]}/{swept.unanswerable}" == row["correct_abstention"]
    assert (swept.served[at], swept.served_unanswerable[at]) == (row["served"], row["unsupported_served"])
    assert swept.wrong_scope[at] == row["wrong_scope_served"]
    assert run.unsupported(at).value == pytest.approx(row["unsupported_share"], abs=5e-7)
    assert run.cost(at, COSTS).value == pytest.approx(row["cost_per_1000_test_mix"])
    assert run.cost(at, COSTS, 0.1).value == pytest.approx(row["cost_per_1000_at_10pct"])


@pytest.mark.parametrize("row", EXPECTED["sweep"], ids=lambda row: str(row["threshold"]))
def test_every_row_says_the_same_as_labelled_numbers(run, row):
    at = run.sweep.at(row["threshold"])
    assert run.false_abstention(at).value == float(Fraction(row["false_abstention"]))
    assert run.correct_abstention(at).value == float(Fraction(row["correct_abstention"]))
    assert run.coverage(at).value == row["served"] / 16
    assert (run.wrong_scope(at).count, run.wrong_scope(at).total) == (row["wrong_scope_served"], 10)
    cells = {(a, s): run.outcome(at, answerable=a, served=s) for a in (True, False) for s in (True, False)}
    assert cells[True, False].count == int(row["false_abstention"].split("/")[0])
    assert cells[False, False].count == int(row["correct_abstention"].split("/")[0])
    assert cells[False, True].count == row["unsupported_served"]
    assert cells[True, True].count == row["served"] - row["unsupported_served"]
    assert [cell.total for cell in cells.values()] == [10, 10, 6, 6]


@pytest.mark.parametrize("name", list(MORE["trivial_rows"]))
def test_the_two_trivial_rules_are_rows(run, name):
    row, swept = MORE["trivial_rows"][name], run.sweep
    at = 0 if name == "answer_everything" else len(swept) - 1
    assert swept.threshold(at) == row["threshold"]
    assert swept.at(row["threshold"]) == at
    assert swept.served[at] == row["served"]
    assert f"{swept.refused_answerable[at]}/{swept.answerable}" == row["false_abstention"]
    assert f"{swept.refused_unanswerable[at]}/{swept.unanswerable}" == row["correct_abstention"]
    assert run.unsupported(at).value == row["unsupported_share"]
    assert run.cost(at, COSTS).value == pytest.approx(row["cost_per_1000_test_mix"])
    assert run.cost(at, COSTS, 0.1).value == pytest.approx(row["cost_per_1000_at_10pct"])


def test_auc_counts_the_pairs_and_has_newcombes_limits(run):
    case = EXTRA["auc_newcombe_method_5"]["cases"][0]
    assert (run.pairs.won, run.pairs.pairs) == (EXPECTED["auc"]["pairs_won"], EXPECTED["auc"]["pairs"])
    assert run.auc.value == pytest.approx(EXPECTED["auc"]["value"], abs=5e-7)
    assert (run.auc.low, run.auc.high) == pytest.approx((case["low"], case["high"]), abs=1e-6)
    assert separation(run) == (
        "an answerable question scores above an unanswerable one in 51.5 of 60 pairs "
        "(AUC 0.858, 95 % interval 0.560 to 0.962; a tie counts half)."
    )


def test_no_threshold_passes_and_what_correct_abstention_needs_is_said(run):
    gates = read_gates(PLAN)
    assert list(feasible(run, gates)) == EXPECTED["feasible_thresholds"]
    refused, of = EXPECTED["false_abstentions_at_that_cut"].split("/")
    above = EXPECTED["correct_abstention_gate_needs_threshold_above"]
    said = needs(run, gates)
    assert said == (
        f"Correct abstention at least 0.80 needs a threshold above {above:g}, "
        f"where {refused} of {of} answerable questions are refused."
    )
    assert said in window(run, gates)
    assert "what has to change is the score, not the gates" in window(run, gates)


@pytest.mark.parametrize("case", EXPECTED["cheapest"], ids=lambda case: str(case["unanswerable_share"]))
def test_the_cheapest_interval_at_both_mixes(run, case):
    found = cheapest(run.sweep, COSTS, case["unanswerable_share"])
    (cut,) = found.cuts
    assert f"({cut.low}, {cut.high}]" == case["interval"]
    assert found.cost == pytest.approx(case["cost_per_1000"])
    assert found.threshold == cut.high


@pytest.mark.parametrize("case", MORE["cheapest_ties"], ids=lambda c: f"{c['cost_unsupported']}:{c['cost_refusal']}")
def test_cheapest_thresholds_that_tie_or_are_unbounded(run, case):
    costs = Costs(case["cost_unsupported"], case["cost_refusal"])
    found = cheapest(run.sweep, costs, case["unanswerable_share"])
    assert ends(found.cuts) == case["intervals"]
    assert found.cost == pytest.approx(case["cost_per_1000"])
    assert found.threshold == case["intervals"][0][1]


def test_cheapest_thresholds_in_words(run):
    assert cheapest_in_words(run, cheapest(run.sweep, COSTS, 0.375)) == "(0.52, 0.55], 313 per 1,000 questions"
    assert cheapest_in_words(run, cheapest(run.sweep, COSTS, 1.0)) == "above 0.52, 0 per 1,000 questions"
    assert cheapest_in_words(run, cheapest(run.sweep, Costs(0, 1), 0.375)) == "up to 0.39, 0 per 1,000 questions"
    refuse = cheapest(run.sweep, Costs(1000, 1), 0.99)
    assert "refuse everything" not in cheapest_in_words(run, refuse)
    assert joined((Cut(None, None),)) == "any threshold"
    assert joined(()) == "none"


@pytest.mark.parametrize("case", MORE["feasible_if_gates_loosened"][:2], ids=lambda c: str(c["correct_at_least"]))
def test_loosened_gates_leave_their_interval(run, case):
    gates = loosened(case)
    assert ends(feasible(run, gates)) == case["intervals"]
    assert decides_nothing(run, gates) is None
    low, high = case["intervals"][0]
    assert window(run, gates) == (
        f"Thresholds that pass all gates (correct abstention at least {case['correct_at_least']:.2f}; "
        f"false abstention at most {case['false_at_most']:.2f}): ({low:g}, {high:g}]."
    )


def test_gates_that_a_trivial_rule_passes_are_flagged_and_are_no_go(run):
    case = MORE["feasible_if_gates_loosened"][2]
    gates, at = loosened(case), run.sweep.at(threshold())
    why = decides_nothing(run, gates)
    assert why == "answering everything and refusing everything pass the abstention gates that were set"
    rows = run.against(gates, at)
    assert [gate.result(measured) for gate, measured in rows] == [Result.PASS, Result.PASS]
    assert decide(rows, decides_nothing=why).go is False
    assert why in decide(rows, decides_nothing=why).sentence
    assert decide(rows).go is True  # what the flag is for
    assert window(run, gates) == f"These gates decide nothing: {why}."


@pytest.mark.parametrize("row", EXPECTED["traffic_mix_at_0_45"], ids=lambda row: str(row["unanswerable_share"]))
def test_the_unsupported_share_at_other_mixes_of_traffic(run, row):
    swept, share, at = run.sweep, row["unanswerable_share"], run.sweep.at(0.45)
    value = row["unsupported_share_of_served"]
    assert unsupported_share(swept, share)[at] == pytest.approx(value, abs=5e-7)
    assert run.unsupported_at(at, share).value == pytest.approx(value, abs=5e-7)
    assert run.unsupported_at(at, share).basis is Basis.ASSUMED
    assert coverage_at(swept, share)[at] == pytest.approx(row["unsupported_part"] + row["answerable_part"], abs=1e-6)


def test_the_areas_under_the_risk_coverage_curve(run):
    areas = MORE["aurc_step"]
    assert risk_coverage_area(run.sweep, run.sweep.share) == pytest.approx(areas["file_mix"], abs=5e-7)
    assert risk_coverage_area(run.sweep, 0.1) == pytest.approx(areas["at_10pct"], abs=5e-7)
    assert (run.area().basis, run.area(0.1).basis) == (Basis.RETRIEVAL, Basis.ASSUMED)
    assert run.area().value == pytest.approx(areas["file_mix"], abs=5e-7)
    assert run.area(0.1).value == pytest.approx(areas["at_10pct"], abs=5e-7)


def test_logistic_calibration_has_the_maximum_likelihood_fit_and_its_cuts(run):
    fitted, calibration = MORE["logistic_maximum_likelihood"], Calibration.of(run)
    assert calibration.fit.intercept == pytest.approx(fitted["intercept"], abs=1e-5)
    assert calibration.fit.slopes == pytest.approx((fitted["slope"],), abs=1e-5)
    assert calibration.q(np.array([0.45]))[0] == pytest.approx(fitted["q_at_0_45"], abs=1e-6)
    assert COSTS.answer_above == 0.75
    cuts = {name: calibration.cut(COSTS, s).value for name, s in (("file_mix", None), ("at_10pct", 0.1))}
    cuts["at_5pct"] = calibration.cut(COSTS, 0.05).value
    assert cuts == pytest.approx(fitted["score_where_q_is_0_75"], abs=1e-6)


@pytest.mark.parametrize("case", EXTRA["bayes_reweighting"]["cases"], ids=lambda case: str(case["pi"]))
def test_a_probability_is_reweighted_to_another_mix(case):
    assert reweighted(np.array([case["q"]]), case["pi0"], case["pi"])[0] == pytest.approx(case["q_at_pi"], abs=5e-7)


def test_recall_and_reciprocal_rank_of_the_ranking_with_the_bootstrap_interval(study):
    values, expected = study.values["toy"], EXPECTED["recall_at_5"]
    assert len(study.questions) == expected["n"]
    for measure in (SUCCESS, RECALL_5):
        assert values[measure].sum() == expected["hits"]
        interval = bootstrap_mean(values[measure], seed=57, resamples=2000)
        assert interval.value == pytest.approx(expected["value"])
        assert [interval.low, interval.high] == pytest.approx(expected["bootstrap_2000_seed57"])
    assert values[RR_5].mean() == pytest.approx(EXPECTED["mrr_at_5"])


def test_the_column_of_hits_is_what_the_ranking_gives(run, study):
    hits = dict(zip(run.table.ids, run.table.hit.tolist(), strict=True))
    assert [float(hits[q]) for q in study.questions] == study.values["toy"][SUCCESS].tolist()
    assert (run.recall.value, run.recall.n) == (EXPECTED["recall_at_5"]["value"], EXPECTED["recall_at_5"]["n"])


def test_the_gates_at_the_threshold_of_the_plan_and_no_go(run):
    expected, gates = EXPECTED["at_0_45"], read_gates(PLAN)
    at = run.sweep.at(threshold())
    assert run.correct_abstention(at).value == pytest.approx(expected["correct_abstention"], abs=5e-7)
    assert run.false_abstention(at).value == expected["false_abstention"]
    assert run.wrong_scope(at).count == expected["wrong_scope_top1_served"]
    rows = run.against(gates, at)
    results = {gate.name: gate.result(measured).value for gate, measured in rows}
    assert {said: results[name] for said, name in NAMES.items()} == expected["gates"]
    decision = decide(rows, decides_nothing=decides_nothing(run, gates))
    assert decision.go is expected["pilot_go"]
    assert decision.sentence == "No go: 3 of 4 results fail."
    assert decision.reasons == (
        "correct abstention is 0.667, bound at least 0.80",
        "false abstention is 0.200, bound at most 0.10",
        "wrong scope served is 1, bound at most 0",
    )


def test_competence_of_answers_stands_beside_the_gates_not_assessed_and_without_part_in_go(run):
    gates = read_gates(PLAN)
    (row,) = [(g, m) for g, m in run.against(gates, 0) if g.name == "generated_answer_competence"]
    assert row[0].result(row[1]) is Result.NOT_ASSESSED
    assert row[1].reason == "no generated answer has been read"
    assert decide([row]).go is None


def test_a_scope_gate_without_a_scope_column_is_named_and_is_no_pass(run):
    text = b"query_id,answerable,score\na,1,0.9\nb,0,0.1\n"
    bare = of_table(read_scores(text, name="bare.csv"))
    assert bare.sweep.wrong_scope is None
    assert bare.recall.reason == "the file has no column hit"
    rows = bare.against({SCOPE: Gate(SCOPE, at_most=0)}, 1)
    assert decide(rows).go is None
    assert decide(rows).reasons == ("wrong scope served cannot be assessed: the file has no column scope_ok",)


def test_costs_at_the_plans_mix_are_one_array_over_all_candidates(run):
    cost = cost_per_1000(run.sweep, COSTS, 0.1)
    assert cost.shape == (len(run.sweep),) == (16,)  # 0.52 is there twice
    assert cost.min() == pytest.approx(EXPECTED["cheapest"][1]["cost_per_1000"])


FAILS, PASSES = Gate(CORRECT, at_least=0.8), Gate(FALSE, at_most=0.2)
UNKNOWN = Gate("generated_answer_competence", at_least=0.9)


@pytest.mark.parametrize(
    ("gates", "go", "sentence"),
    [
        ([PASSES], True, "Go: every gate that was set passes."),
        ([PASSES, Gate(CORRECT)], True, "Go: every gate that was set passes."),
        ([FAILS, PASSES], False, "No go: 1 of 2 results fail."),
        ([UNKNOWN, FAILS], False, "No go: 1 of 2 results fail."),
        (
            [PASSES, UNKNOWN],
            None,
            "No decision yet: 1 of the gates that were set cannot be assessed, and that is no pass.",
        ),
        ([Gate(CORRECT)], None, "No gate was set."),
        ([], None, "No gate was set."),
    ],
    ids=["pass", "one not set", "fail", "fail and unknown", "unknown", "none set", "none"],
)
def test_go_needs_every_gate_that_was_set_to_pass(run, gates, go, sentence):
    decision = decide(run.against({gate.name: gate for gate in gates}, run.sweep.at(threshold())))
    assert (decision.go, decision.sentence) == (go, sentence)


def test_a_failed_gate_and_one_that_waits_are_both_among_the_reasons(run):
    rows = run.against({UNKNOWN.name: UNKNOWN, CORRECT: FAILS}, run.sweep.at(threshold()))
    assert decide(rows * 2).reasons == (
        "correct abstention is 0.667, bound at least 0.80",
        "generated answer competence cannot be assessed: no generated answer has been read",
    )


def test_a_blocking_count_meets_its_bound_as_a_count(run):
    (gate, two), (_, none) = (run.against({SCOPE: Gate(SCOPE, at_most=1)}, at)[0] for at in (0, len(run.sweep) - 1))
    assert (two.count, none.count) == (2, 0)
    assert (gate.result(two), gate.result(none)) == (Result.FAIL, Result.PASS)
    assert gate.decided_by_interval(two) is None
    assert gate.side(two) == "–"


def test_beside_a_rate_stands_whether_its_interval_lies_on_one_side(run):
    false = run.false_abstention(run.sweep.at(0.45))  # 2 of 10: 0.057 to 0.510
    assert Gate(FALSE, at_most=0.2).side(false) == "no, 0.20 lies inside it"
    assert Gate(FALSE, at_most=0.6).side(false) == "yes"

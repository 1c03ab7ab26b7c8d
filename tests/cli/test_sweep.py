import csv
import json
import random
from itertools import pairwise

import pytest
from click.testing import CliRunner

from evalcore.cli import main
from evalcore.goldset.schema import GOLD
from tests.oracle import EXTRA, TOY

TOY_FILE, TEXTBOOK = GOLD / "toy" / "scores.csv", GOLD / "scores.csv"
EXPECTED, MORE = TOY["expected"], EXTRA["toy_run_more"]
DISTINCT = sorted({query["score"] for query in TOY["queries"]})
GATES = ("--gate-recall=0.8", "--gate-correct=0.8", "--gate-false=0.1", "--gate-wrong-scope=0")
NAMES = {"recall_at_5": "recall@5", "wrong_scope_served": "wrong_scope_top1_served"}
COSTS = {"cost_per_1000_test_mix", "cost_per_1000"}
RATES = {"coverage", "false_abstention", "correct_abstention", "unsupported_share"}
CANDIDATE = {"threshold", "served", "wrong_scope_served", *RATES, *COSTS}
CUT = {"low", "high"}
DECLARED = ("cost_unsupported", "cost_refusal", "unanswerable_share")
WITHOUT = {
    "--gate-wrong-scope=0": "wrong scope served cannot be assessed: the file has no column scope_ok",
    "--gate-recall=0.8": "recall at 5 cannot be assessed: the file has no column hit",
}


def sweep(*options, file=TOY_FILE):
    return CliRunner().invoke(main, ["sweep", f"--scores={file}", *options])


def printed(*options, file=TOY_FILE):
    """The JSON of a sweep, whatever its gates said."""
    done = sweep("--json", *options, file=file)
    assert done.exit_code in (0, 1)
    return json.loads(done.stdout)


def written(folder, text, name="scores.csv"):
    (folder / name).write_bytes(text.encode())
    return folder / name


def read(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def intervals(cuts):
    return [[cut["low"], cut["high"]] for cut in cuts]


def is_the_row(row, expected):
    assert (row["threshold"], row["served"]) == (expected["threshold"], expected["served"])
    assert row["coverage"] == expected["served"] / 16
    for name in ("false_abstention", "correct_abstention"):
        count, n = expected[name].split("/")
        assert row[name] == int(count) / int(n)
    assert row["unsupported_share"] == pytest.approx(expected["unsupported_share"], abs=5e-7)
    assert row["cost_per_1000_test_mix"] == pytest.approx(expected["cost_per_1000_test_mix"])
    assert row["cost_per_1000"] == pytest.approx(expected["cost_per_1000_at_10pct"])


def on_wilsons_ends(row, name, count, n):
    """Each limit p of a count solves (count/n - p)^2 = z^2 p (1 - p) / n."""
    low, high = row[f"{name}_low"], row[f"{name}_high"]
    for end in (low, high):
        assert (count / n - end) ** 2 == pytest.approx(1.959964**2 * end * (1 - end) / n, abs=1e-6)
    return low < high


def test_the_json_holds_the_keys_that_the_design_names():
    found = printed(*GATES)
    assert {"auc", "feasible", "cheapest", "candidates", "candidates_total", "at_threshold"} <= set(found)
    assert {"by_mix", "gates", "go", "reasons"} <= set(found)
    assert set(found["auc"]) == {"value", "low", "high", "pairs_won", "pairs"}
    assert set(found["cheapest"]) == {"test_mix", "chosen_mix"}
    assert [set(row) for row in found["candidates"]] == [CANDIDATE] * 16
    assert set(found["at_threshold"]) > CANDIDATE
    (mix,) = found["by_mix"]
    assert set(mix) == {"unanswerable_share", "unsupported_share", "cost_per_1000", "cheapest"}
    for cuts in (*found["cheapest"].values(), mix["cheapest"]):
        assert [set(cut) for cut in cuts] == [{*CUT, "cost_per_1000"}]
    assert [set(gate) for gate in found["gates"]] == [{"name", "value", "bound", "result", *CUT}] * 4
    assert [set(cut) for cut in printed("--gate-correct=0.8", "--gate-false=0.3")["feasible"]] == [CUT]


def test_the_toy_runs_separation_window_and_cheapest_thresholds_are_the_lessons():
    found = printed(*GATES)
    auc = found["auc"]
    assert auc["value"] == pytest.approx(EXPECTED["auc"]["value"], abs=5e-7)
    assert (auc["pairs_won"], auc["pairs"]) == (EXPECTED["auc"]["pairs_won"], EXPECTED["auc"]["pairs"])
    assert auc["low"] < auc["value"] < auc["high"]
    assert found["feasible"] == EXPECTED["feasible_thresholds"] == []
    for place, expected in zip(("test_mix", "chosen_mix"), EXPECTED["cheapest"], strict=True):
        (cut,) = found["cheapest"][place]
        assert f"({cut['low']}, {cut['high']}]" == expected["interval"]
        assert cut["cost_per_1000"] == pytest.approx(expected["cost_per_1000"])


@pytest.mark.parametrize("expected", EXPECTED["sweep"], ids=lambda row: str(row["threshold"]))
def test_every_row_of_the_lessons_sweep_is_reproduced_with_intervals(expected):
    row = printed(f"--threshold={expected['threshold']}")["at_threshold"]
    is_the_row(row, expected)
    assert row["wrong_scope_served"] == expected["wrong_scope_served"]
    for name, n in (("false_abstention", 10), ("correct_abstention", 6)):
        assert on_wilsons_ends(row, name, int(expected[name].split("/")[0]), n)
    assert on_wilsons_ends(row, "unsupported_share", expected["unsupported_served"], expected["served"])


def test_candidates_are_the_distinct_scores_between_the_two_trivial_rules():
    found, trivial = printed(), MORE["trivial_rows"]
    rows = found["candidates"]
    assert [row["threshold"] for row in rows] == [*DISTINCT, None]
    assert found["candidates_total"] == len(DISTINCT) + 1 == 16
    for row, name in ((rows[0], "answer_everything"), (rows[-1], "refuse_everything")):
        is_the_row(row, trivial[name])


def test_each_traffic_mix_has_its_unsupported_share_cost_and_cheapest_thresholds():
    mixes = EXPECTED["traffic_mix_at_0_45"]
    options = [f"--unanswerable-share={mix['unanswerable_share']}" for mix in mixes]
    found = printed("--threshold=0.45", *options)["by_mix"]
    assert [mix["unanswerable_share"] for mix in found] == [0.05, 0.1, 0.2, 0.375, 0.5]
    for mix, expected in zip(found, mixes, strict=True):
        unsupported, answered = expected["unsupported_part"], expected["answerable_part"]
        assert mix["unsupported_share"] == pytest.approx(expected["unsupported_share_of_served"], abs=5e-7)
        refusals = 1 - expected["unanswerable_share"] - answered
        assert mix["cost_per_1000"] == pytest.approx(1000 * (3 * unsupported + refusals), abs=2e-3)
    lowest = [[0.36, 0.39], [0.36, 0.39], [0.4, 0.41], [0.52, 0.55]]
    assert [intervals(mix["cheapest"]) for mix in found[:4]] == [[cut] for cut in lowest]


@pytest.mark.parametrize("case", MORE["cheapest_ties"])
def test_cheapest_thresholds_that_tie_are_all_there_and_an_unbounded_end_is_null(case):
    found = printed(*(f"--{name.replace('_', '-')}={case[name]}" for name in DECLARED))
    chosen = found["cheapest"]["chosen_mix"]
    assert intervals(chosen) == case["intervals"]
    assert [cut["cost_per_1000"] for cut in chosen] == pytest.approx([case["cost_per_1000"]] * len(chosen))
    if case["unanswerable_share"] == 0.375:
        assert intervals(found["cheapest"]["test_mix"]) == case["intervals"]
    # the gates are read at the upper end of the lowest of them
    assert found["at_threshold"]["threshold"] == case["intervals"][0][1]


def test_the_gates_of_the_lesson_come_out_as_it_says_and_the_exit_code_is_one():
    done = sweep(*GATES, "--threshold=0.45", "--json")
    found, expected = json.loads(done.stdout), EXPECTED["at_0_45"]
    assert done.exit_code == 1
    gates = {NAMES.get(gate["name"], gate["name"]): gate for gate in found["gates"]}
    assert {name: gate["result"] for name, gate in gates.items()} == expected["gates"]
    values = {name: expected[name] for name in expected["gates"] if name in expected}
    values["recall@5"] = EXPECTED["recall_at_5"]["value"]
    assert {name: gate["value"] for name, gate in gates.items()} == pytest.approx(values, abs=5e-7)
    assert [gate["bound"] for gate in gates.values()] == [0.8, 0.8, 0.1, 0]
    assert found["go"] is expected["pilot_go"] is False
    assert len(found["reasons"]) == 3


@pytest.mark.parametrize(
    ("options", "threshold", "correct", "false"),
    [
        ((), 0.39, 3 / 6, 0 / 10),
        (("--unanswerable-share=0.2", "--unanswerable-share=0.1"), 0.41, 4 / 6, 1 / 10),
        (("--cost-unsupported=1", "--cost-refusal=0"), None, 1.0, 1.0),
        (("--threshold=0.45",), 0.45, 4 / 6, 2 / 10),
    ],
)
def test_gates_are_read_at_the_threshold_or_at_the_cheapest_one_of_the_first_share(options, threshold, correct, false):
    found = printed("--gate-correct=0.8", "--gate-false=0.1", *options)
    assert found["at_threshold"]["threshold"] == threshold
    assert [gate["value"] for gate in found["gates"]] == [correct, false]


def test_without_a_gate_nothing_is_decided_and_with_gates_that_all_pass_it_is_go():
    done = sweep("--json")
    assert (done.exit_code, json.loads(done.stdout)["go"], done.stderr) == (0, None, "")
    done = sweep("--gate-correct=0.6", "--gate-false=0.2", "--gate-recall=0.8", "--threshold=0.45", "--json")
    found = json.loads(done.stdout)
    assert (done.exit_code, found["go"], found["reasons"]) == (0, True, [])
    assert [gate["result"] for gate in found["gates"]] == ["pass"] * 3


@pytest.mark.parametrize(("gate", "reason"), WITHOUT.items())
def test_a_gate_that_cannot_be_assessed_is_named_and_is_no_pass(tmp_path, gate, reason):
    file = written(tmp_path, "query_id,answerable,score\na,1,0.9\nb,0,0.1\n")
    done = sweep(gate, "--gate-correct=1", "--gate-false=0", "--threshold=0.5", "--json", file=file)
    found = json.loads(done.stdout)
    assert (done.exit_code, found["go"], found["reasons"]) == (1, None, [reason])
    assert [g["result"] for g in found["gates"]].count("not assessed") == 1


def test_a_gate_that_fails_beside_one_that_is_not_assessed_is_no_go(tmp_path):
    file = written(tmp_path, "query_id,answerable,score\na,1,0.1\nb,0,0.9\nc,1,0.95\n")
    found = printed("--gate-wrong-scope=0", "--gate-correct=1", "--gate-false=0", "--threshold=0.5", file=file)
    assert (found["go"], len(found["reasons"])) == (False, 3)


@pytest.mark.parametrize(
    ("gates", "rules"),
    [
        (("--gate-correct=0", "--gate-false=1"), "answering everything and refusing everything pass"),
        (("--gate-correct=0.8",), "refusing everything passes"),
        (("--gate-false=0.1",), "answering everything passes"),
    ],
)
def test_gates_that_a_trivial_rule_passes_decide_nothing_and_are_no_go(gates, rules):
    done = sweep(*gates, "--threshold=0.49", "--json")
    found = json.loads(done.stdout)
    assert (done.exit_code, found["go"]) == (1, False)
    assert found["reasons"][0] == f"{rules} the abstention gates that were set"


def test_every_candidate_is_written_with_the_trivial_rules_marked(tmp_path):
    assert sweep(f"--all-candidates={tmp_path / 'all.csv'}").exit_code == 0
    rows = read(tmp_path / "all.csv")
    assert [row["rule"] for row in rows] == ["answer everything", *[""] * 14, "refuse everything"]
    assert [row["threshold"] for row in rows] == [*map(str, DISTINCT), ""]
    assert set(rows[0]) > CANDIDATE
    assert {(row["rates_basis"], row["costs_basis"]) for row in rows} == {("Measured, retrieval-only", "Assumed")}
    assert {tuple(float(row[name]) for name in DECLARED) for row in rows} == {(3, 1, 0.1)}


def test_a_name_that_a_spreadsheet_would_run_is_escaped(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    written(tmp_path, TOY_FILE.read_text(), name="=scores.csv")
    assert sweep("--all-candidates=all.csv", file="=scores.csv").exit_code == 0
    assert {row["scores"] for row in read(tmp_path / "all.csv")} == {"'=scores.csv, score"}


@pytest.mark.parametrize(("questions", "shown"), [(1999, 2000), (2000, 2000), (4999, 2000)])
def test_above_two_thousand_candidates_the_json_is_thinned_evenly_and_the_file_is_not(tmp_path, questions, shown):
    file = written(tmp_path, "query_id,answerable,score\n" + "".join(f"q{i},{i % 2},{i}\n" for i in range(questions)))
    found = printed(f"--all-candidates={tmp_path / 'all.csv'}", file=file)
    places = [questions if row["threshold"] is None else int(row["threshold"]) for row in found["candidates"]]
    assert (found["candidates_total"], len(places)) == (questions + 1, shown)
    assert (places[0], places[-1], found["candidates"][-1]["threshold"]) == (0, questions, None)
    gaps = {after - before for before, after in pairwise(places)}
    assert gaps <= {min(gaps), min(gaps) + 1}
    assert min(gaps) >= 1
    assert len((tmp_path / "all.csv").read_text().splitlines()) == questions + 2


def shuffled(text):
    head, *rows = text.splitlines(keepends=True)
    random.Random(5).shuffle(rows)
    return "".join([head, *rows])


DRESSES = {"shuffled": shuffled, "BOM": lambda text: "\ufeff" + text, "CRLF": lambda text: text.replace("\n", "\r\n")}


@pytest.mark.parametrize("dressed", DRESSES.values(), ids=DRESSES)
def test_order_and_dress_of_the_file_change_nothing_but_its_hash(tmp_path, dressed):
    changed = dressed(TOY_FILE.read_text())
    assert changed != TOY_FILE.read_text()
    plain, other = printed(*GATES), printed(*GATES, file=written(tmp_path, changed))
    assert plain["study"].pop("scores_sha256") != other["study"].pop("scores_sha256")
    assert other == plain


def test_a_column_of_the_textbooks_scores_is_provisional_and_a_copy_with_one_other_byte_is_not_known(tmp_path):
    found = printed("--score=best_sentence", file=TEXTBOOK)
    rows = [(row["answerable"], float(row["best_sentence"])) for row in read(TEXTBOOK)]
    pairs = [(a > u) + (a == u) / 2 for one, a in rows for other, u in rows if (one, other) == ("1", "0")]
    assert (found["auc"]["pairs_won"], found["auc"]["pairs"], len(pairs)) == (sum(pairs), 960, 960)
    assert (found["study"]["score"], found["study"]["provisional"]) == ("best_sentence", True)
    assert "Provisional: no person has reviewed these questions." in sweep("--score=combined", file=TEXTBOOK).stdout
    text = TEXTBOOK.read_text()
    assert printed("--score=best_sentence", file=written(tmp_path, text))["study"]["provisional"] is True
    changed = written(tmp_path, text.replace("0.469263", "0.469264", 1))
    assert printed("--score=best_sentence", file=changed)["study"]["provisional"] is None


def test_the_text_says_that_no_window_exists_and_what_would_have_to_change():
    text = sweep(*GATES, "--threshold=0.45").stdout
    assert "No threshold passes all gates" in text
    above, refusals = EXPECTED["correct_abstention_gate_needs_threshold_above"], "3 of 10 answerable questions"
    assert f"needs a threshold above {above}, where {refusals} are refused" in text
    assert "what has to change is the score, not the gates" in text
    assert "No go: 3 of 4 results fail." in text


@pytest.mark.parametrize("case", MORE["feasible_if_gates_loosened"][:2])
def test_looser_gates_have_a_window_and_the_text_says_it(case):
    correct, false = case["correct_at_least"], case["false_at_most"]
    options = (f"--gate-correct={correct}", f"--gate-false={false}")
    assert intervals(printed(*options)["feasible"]) == case["intervals"]
    ((low, high),) = case["intervals"]
    gates = f"correct abstention at least {correct:.2f}; false abstention at most {false:.2f}"
    assert f"Thresholds that pass all gates ({gates}): ({low}, {high}]." in sweep(*options).stdout


@pytest.mark.parametrize("options", [(), GATES, ("--cost-unsupported=2", "--unanswerable-share=0.05")])
def test_the_text_names_what_is_not_assessed_and_what_is_assumed(options):
    text = sweep(*options).stdout
    assert "generated-answer competence: not assessed" in text
    costs, chosen = ("2 : 1", "0.05") if "--unanswerable-share=0.05" in options else ("3 : 1", "0.1")
    assert f"Expected cost per 1,000 questions is assumed: costs {costs}." in text
    assert f"Cheapest at an unanswerable share of {chosen} (assumed): (0.36, 0.39]" in text
    assert printed(*options)["generated_answer_competence"] == "not assessed"

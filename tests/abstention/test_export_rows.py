import csv
import io

import pytest

from evalcore.abstention.cost import Costs
from evalcore.abstention.export import estimates_csv, gates_csv
from evalcore.abstention.scored import CORRECT, FALSE, GENERATED, RECALL, SCOPE
from evalcore.gates import Gate
from tests.abstention.toy import scored, toy

ESTIMATE = ["what", "value", "low", "high", "n", "method", "basis", "reason"]
GATE = ["name", "value", "low", "high", "bound", "result", "interval_on_one_side", "basis", "reason"]
STAMP = {"file": "scores.csv", "plan_sha256": "a" * 64, "provisional": True}
DANGEROUS = ["=1+1", "+1", "-1", "@sum", "\tx", "\rx"]


def read(text):
    return list(csv.DictReader(io.StringIO(text, newline="")))


def estimates():
    run = toy()
    at = run.sweep.at(0.45)
    last = len(run.sweep) - 1
    return {
        "correct abstention": run.correct_abstention(at),
        "cost": run.cost(at, Costs(3, 1), 0.1),
        "nothing served": run.unsupported(last),
    }


def gates():
    run = toy()
    wanted = {
        RECALL: Gate(RECALL, at_least=0.8),
        CORRECT: Gate(CORRECT, at_least=0.8),
        FALSE: Gate(FALSE, at_most=0.6),
        SCOPE: Gate(SCOPE, at_most=0),
        GENERATED: Gate(GENERATED, at_least=0.9),
    }
    return run.against(wanted, run.sweep.at(0.45))


def test_estimates_are_rows_of_numbers_with_interval_method_label_and_reason():
    rows = read(estimates_csv(estimates().items(), {}))
    assert [list(row) for row in rows] == [ESTIMATE] * 3
    for row, (name, e) in zip(rows, estimates().items(), strict=True):
        assert (row["what"], row["method"], row["basis"]) == (name, e.method, e.basis.value)
        for column, value in (("value", e.value), ("low", e.low), ("high", e.high)):
            assert (None if row[column] == "" else float(row[column])) == value
        assert (row["n"], row["reason"]) == (str(e.n), e.reason or "")
    assert [row["basis"] for row in rows] == ["Measured, retrieval-only", "Assumed", "Not assessed"]
    assert rows[2]["reason"] == "no question is served, so there is no share of served answers"


def test_gates_are_rows_with_what_was_measured_the_result_and_the_side():
    rows = read(gates_csv(gates(), {}))
    assert [list(row) for row in rows] == [GATE] * 5
    assert [row["name"] for row in rows] == [RECALL, CORRECT, FALSE, SCOPE, GENERATED]
    assert [row["result"] for row in rows] == ["pass", "fail", "pass", "fail", "not assessed"]
    assert [row["interval_on_one_side"] for row in rows] == ["False", "False", "True", "", ""]
    assert [float(row["bound"]) for row in rows] == [0.8, 0.8, 0.6, 0, 0.9]
    assert [row["value"] for row in rows[:4]] == ["0.8", str(4 / 6), "0.2", "1"]
    for row, (_, measured) in zip(rows[:3], gates(), strict=False):
        assert (float(row["low"]), float(row["high"])) == (measured.low, measured.high)
    assert [(row["low"], row["high"]) for row in rows[3:]] == [("", "")] * 2
    assert (rows[4]["value"], rows[4]["reason"]) == ("", "no generated answer has been read")


def test_a_scope_that_was_not_recorded_is_a_gate_without_a_value_and_with_its_reason():
    run = scored([1, 0], [0.9, 0.1])
    (row,) = read(gates_csv(run.against({SCOPE: Gate(SCOPE, at_most=0)}, 0), {}))
    assert (row["value"], row["result"], row["reason"]) == ("", "not assessed", "the file has no column scope_ok")


@pytest.mark.parametrize("written", [lambda s: estimates_csv(estimates().items(), s), lambda s: gates_csv(gates(), s)])
def test_the_stamp_stands_last_in_every_row(written):
    rows = read(written(STAMP))
    assert len(rows) > 1
    for row in rows:
        assert list(row)[-3:] == list(STAMP)
        assert {name: row[name] for name in STAMP} == {name: str(value) for name, value in STAMP.items()}


@pytest.mark.parametrize("text", DANGEROUS)
def test_a_text_that_a_spreadsheet_would_run_is_escaped(text):
    one = estimates()["cost"]
    (row,) = read(estimates_csv([(text, one)], {"file": text}))
    assert (row["what"], row["file"]) == ("'" + text, "'" + text)
    (row,) = read(gates_csv([(Gate(text, at_most=300), one)], {"file": text}))
    assert (row["name"], row["file"]) == ("'" + text, "'" + text)


def test_a_number_below_nothing_stays_a_number():
    difference = toy().auc_minus(scored(toy().answerable.tolist(), (1 - toy().scores).tolist()))
    below = scored(toy().answerable.tolist(), (1 - toy().scores).tolist()).auc_minus(toy())
    rows = read(estimates_csv([("above", difference), ("below", below)], STAMP))
    assert float(rows[1]["value"]) == -float(rows[0]["value"]) < 0

import importlib
import json
import shutil

import pytest
from click.testing import CliRunner

from evalcore.cli import main
from evalcore.evidence import Result
from evalcore.files import read_qrels
from evalcore.goldset.checks import Check
from evalcore.goldset.schema import GOLD, GoldSet
from tests.goldset.repository import apart

MODULE = importlib.import_module("evalcore.cli.gold")


@pytest.fixture
def gold(tmp_path, monkeypatch):
    folder = tmp_path / "gold"
    shutil.copytree(GOLD, folder)
    apart(monkeypatch, tmp_path)
    monkeypatch.setattr(MODULE, "GoldSet", lambda: GoldSet(folder))
    return folder


def check(*options):
    return CliRunner().invoke(main, ["gold", "check", *options])


def outcomes(monkeypatch, *checks):
    """Has the first check come out as one of the answerable questions, the others as those of the slice."""
    monkeypatch.setattr(MODULE, "check_all", lambda gold, corpus: list(checks[:1]))
    monkeypatch.setattr(MODULE, "check_near", lambda gold, corpus: list(checks[1:]))


def test_a_set_that_keeps_its_rules_exits_with_zero_and_history_that_is_not_there_is_named(gold):
    done = check()
    assert done.exit_code == 0
    lines = [line for line in done.stdout.splitlines() if not line.startswith(" ")]
    assert len(lines) == 20
    assert [line.split("  ")[0] for line in lines[:3]] == ["not assessed", "not assessed", "pass"]
    assert "there is no git history here" in done.stdout


def test_a_broken_rule_exits_with_one_and_is_named(gold):
    path = gold / "qrels.trec"
    path.write_text(path.read_text().replace(" 0\n", " 1\n", 1))
    done = check()
    assert done.exit_code == 1
    (line,) = (line for line in done.stdout.splitlines() if line.startswith("fail"))
    assert line.endswith("qrels.trec and section_qrels.trec follow from spans, readings and judgements")
    assert "- qrels.trec is not what the files say; run: python -m evalcore gold build" in done.stdout


def test_not_assessed_alone_fails_nothing(monkeypatch):
    outcomes(monkeypatch, Check("a", Result.PASS), Check("b", Result.NOT_ASSESSED, ("the clone is shallow",)))
    done = check()
    assert done.exit_code == 0
    assert done.stdout == "pass          a\nnot assessed  b\n              - the clone is shallow\n"


def test_one_failure_among_many_fails(monkeypatch):
    outcomes(monkeypatch, Check("a", Result.PASS), Check("b", Result.FAIL, ("x",)), Check("c", Result.PASS))
    assert check().exit_code == 1
    assert check("--json").exit_code == 1


def test_five_faults_of_a_rule_are_shown_and_the_rest_is_counted(monkeypatch):
    outcomes(monkeypatch, Check("a", Result.FAIL, tuple(f"fault {i}" for i in range(8))))
    lines = check().stdout.splitlines()
    assert [line.strip() for line in lines[1:]] == [*(f"- fault {i}" for i in range(5)), "- and 3 more"]
    outcomes(monkeypatch, Check("a", Result.FAIL, tuple(f"fault {i}" for i in range(5))))
    assert "more" not in check().stdout


def test_the_json_holds_every_rule_its_outcome_and_all_details(monkeypatch):
    outcomes(monkeypatch, Check("a", Result.FAIL, tuple("abcdefg")), Check("b", Result.PASS))
    assert json.loads(check("--json").stdout) == [
        {"rule": "a", "result": "fail", "details": list("abcdefg")},
        {"rule": "b", "result": "pass", "details": []},
    ]


def test_a_line_that_does_not_fit_fails_the_check_with_file_and_line(gold):
    path = gold / "judgements.jsonl"
    path.write_text(path.read_text(encoding="utf-8").replace('"grade":0', '"grade":7', 1), encoding="utf-8")
    done = check()
    assert done.exit_code == 1
    assert "judgements.jsonl line 1: grade: Input should be 0, 1 or 2" in done.stdout


def test_building_the_qrels_gives_the_stored_ones_byte_for_byte(gold):
    for name in ("qrels.trec", "section_qrels.trec"):
        (gold / name).unlink()
    assert CliRunner().invoke(main, ["gold", "build", "qrels"]).exit_code == 0
    for name in ("qrels.trec", "section_qrels.trec"):
        assert (gold / name).read_bytes() == (GOLD / name).read_bytes()
        assert len(read_qrels(gold / name, name=name).grades) == 40


def test_building_the_runs_gives_the_stored_order(gold):
    shutil.rmtree(gold / "runs")
    assert CliRunner().invoke(main, ["gold", "build", "runs"]).exit_code == 0
    stored = sorted(p.name for p in (GOLD / "runs").iterdir())
    assert sorted(p.name for p in (gold / "runs").iterdir()) == stored
    for name in stored:
        order = [
            [line.split()[:4:2] for line in (folder / "runs" / name).read_text().splitlines()]
            for folder in (gold, GOLD)
        ]
        assert order[0] == order[1]

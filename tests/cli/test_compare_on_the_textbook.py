import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from evalcore.cli import main
from evalcore.export import comparison_json
from evalcore.goldset.schema import GOLD, RANKERS, GoldSet
from evalcore.textbook import Textbook
from tests.small import places

ROOT = GOLD.parent
OLD, NEW = places(*[2] * 8), places(*[1] * 8)
GOLD_RUNS = [f"--run={name}={GOLD / 'runs' / name}.trec" for name in RANKERS]


def gold(*options, qrels=GOLD / "qrels.trec", runs=GOLD_RUNS):
    return CliRunner().invoke(main, ["compare", f"--qrels={qrels}", *runs, *options])


@pytest.fixture(scope="module")
def textbook():
    return Textbook(GoldSet())


@pytest.mark.parametrize("name", ["qrels.trec", "a copy.txt"])
def test_the_textbooks_judgements_are_known_by_their_hash_under_any_name_and_bring_the_plan(tmp_path, name, textbook):
    copy = tmp_path / name
    shutil.copy(GOLD / "qrels.trec", copy)
    done = gold("--json", qrels=copy)
    assert (done.exit_code, done.stderr) == (0, "")
    printed = json.loads(done.stdout)
    study = printed["study"]
    assert (study["provisional"], study["plan_sha256"]) == (True, textbook.plan.sha256)
    assert printed == comparison_json(textbook.rankers)


def test_judgements_that_differ_in_one_grade_are_a_users_own(tmp_path):
    text = (GOLD / "qrels.trec").read_text()
    (tmp_path / "qrels").write_text(text.replace(" 0\n", " 1\n", 1))
    study = json.loads(gold("--json", qrels=tmp_path / "qrels").stdout)["study"]
    assert (study["provisional"], study["plan_sha256"]) == (None, None)


def test_the_table_says_that_the_gold_set_is_provisional():
    assert "Provisional: no person has reviewed this gold set." in gold().stdout


def test_two_of_the_declared_rankers_stay_in_a_family_of_three_and_the_absent_pairs_are_named():
    done = gold("--json", runs=GOLD_RUNS[:2])
    assert done.stderr == (
        "Of the declared family, absent here and counted as p = 1: bm25 and the plan's hybrid, "
        "dense and the plan's hybrid.\n"
    )
    printed = json.loads(done.stdout)
    assert printed["family"]["k"] == 3
    (pair,) = (p for p in printed["pairs"] if p["in_family"])
    assert pair["p_holm"] == pytest.approx(min(1, 3 * pair["p"]))


def test_the_plans_runs_are_known_by_their_hash_under_any_name(textbook):
    renamed = [option.replace("--run=", "--run=my-") for option in GOLD_RUNS]
    done = gold("--json", runs=renamed)
    assert (done.exit_code, done.stderr) == (0, "")
    printed, expected = json.loads(done.stdout), comparison_json(textbook.rankers)
    assert printed["study"]["plan_sha256"] == textbook.plan.sha256
    for mine, theirs in zip(printed["pairs"], expected["pairs"], strict=True):
        assert (mine["first"], mine["second"]) == (f"my-{theirs['first']}", f"my-{theirs['second']}")
        kept = set(theirs) - {"first", "second"}
        assert {name: mine[name] for name in kept} == {name: theirs[name] for name in kept}


def test_another_run_under_a_declared_name_is_not_the_declared_analysis(tmp_path):
    other = tmp_path / "other.trec"
    other.write_text((GOLD / "runs" / "bm25.trec").read_text().replace(" bm25\n", " mine\n"))
    done = gold("--json", runs=[f"--run=bm25={other}", *GOLD_RUNS[1:2]])
    assert done.stderr == (
        "These are not the plan's runs: the family is that of the runs given, not the declared analysis.\n"
    )
    printed = json.loads(done.stdout)
    assert (printed["study"]["plan_sha256"], printed["study"]["provisional"]) == (None, True)
    assert printed["family"]["k"] == 1


def test_a_declared_run_given_twice_is_not_the_declared_analysis():
    twice = [f"--run=again={GOLD / 'runs' / 'bm25.trec'}", *GOLD_RUNS[:2]]
    study = json.loads(gold("--json", runs=twice).stdout)["study"]
    assert (study["plan_sha256"], study["provisional"]) == (None, True)


@pytest.mark.parametrize(
    "option", ["--seed=1", "--resamples=500", "--alpha=0.01", "--primary=RR@10", "--relevant-grade=1"]
)
def test_an_option_that_departs_from_the_plan_drops_its_hash_and_says_so(option):
    done = gold("--json", option)
    assert done.exit_code == 0
    assert done.stderr == "The options depart from the declared plan: this is not the declared analysis.\n"
    study = json.loads(done.stdout)["study"]
    assert (study["plan_sha256"], study["provisional"]) == (None, True)


def test_an_option_that_repeats_the_plan_keeps_its_hash(textbook):
    options = ["--seed=20241009", "--resamples=10000", "--alpha=0.05", "--primary=nDCG@10", "--relevant-grade=2"]
    done = gold("--json", *options)
    assert (done.exit_code, done.stderr) == (0, "")
    assert json.loads(done.stdout)["study"]["plan_sha256"] == textbook.plan.sha256


def test_a_gate_on_a_measure_outside_the_plan_keeps_the_declared_analysis(textbook):
    done = gold("--json", "--fail-if=hybrid:bm25 nDCG@5 difference < -0.9")
    assert done.exit_code == 0
    assert done.stderr.startswith("gate holds: ")
    printed = json.loads(done.stdout)
    assert printed["study"]["plan_sha256"] == textbook.plan.sha256
    assert {p["measure"]: p["verdict"] for p in printed["pairs"]}["nDCG@5"] is None


def test_the_section_judgements_are_provisional_too_and_exploratory_throughout(textbook):
    runs = [f"--run={arm}={GOLD / 'runs' / f'section-{arm}.trec'}" for arm in ("sections", "chunks")]
    done = gold("--json", qrels=GOLD / "section_qrels.trec", runs=runs)
    assert done.exit_code == 0
    assert json.loads(done.stdout) == comparison_json(textbook.chunking)
    printed = json.loads(done.stdout)
    assert printed["study"]["provisional"] is True
    assert {p["verdict"] for p in printed["pairs"]} == {None}


def program(*arguments):
    return subprocess.run(
        [sys.executable, "-W", "error", "-m", "evalcore", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def test_the_issues_command_prints_the_published_numbers_as_a_program():
    runs = [f"--run={name}=gold/runs/{name}.trec" for name in RANKERS]
    done = program("compare", "--qrels", "gold/qrels.trec", *runs, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    report = json.loads(Path(GOLD / "report.json").read_text(encoding="utf-8"))
    printed = json.loads(done.stdout)
    assert printed == {key: report[key] for key in printed}


def test_the_program_reports_bad_input_without_a_traceback():
    done = program("compare", "--qrels=none.trec", "--run=a=none.trec", "--run=b=none.trec")
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr
    assert done.stderr.splitlines()[0].startswith("none.trec: cannot be read")

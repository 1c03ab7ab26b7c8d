"""The job in docs/ci.md does what the page says: its own shell lines, run on small files."""

import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.small import names, places, qrels_text, run_text

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
# 16 questions; the baseline has the hit first for 12 and second for 4
BASELINE = places(*[1] * 12, *[2] * 4)
SCORES = "query_id,answerable,score\n" + "".join(f"a{i},1,0.9\n" for i in range(10)) + "b0,0,0.1\nb1,0,0.2\n"


def fenced(kind):
    return [
        textwrap.dedent(m[1]) for m in re.finditer(rf"^ *```{kind}\n(.*?)^ *```$", DOCUMENT, re.DOTALL | re.MULTILINE)
    ]


def shell_steps(job):
    """Step name to the shell lines of its run."""
    found = {}
    for step in re.split(r"^      - ", job, flags=re.MULTILINE)[1:]:
        if (name := re.match(r"name: (.*)", step)) is None:
            continue
        block = re.search(r"^        run: \|\n((?: {10}.*\n?)+)", step, re.MULTILINE)
        line = re.search(r"^        run: (?!\|)(.*)$", step, re.MULTILINE)
        found[name[1]] = textwrap.dedent(block[1]) if block else line[1]
    return found


(JOB,) = fenced("yaml")
STEPS = shell_steps(JOB)
INSTALL, MAKE, COMPARE, SWEEP = STEPS


@pytest.fixture
def project(tmp_path):
    """A repository as the page describes it, with ``evalcore`` on the path as an install would put it."""
    (tmp_path / "bin").mkdir()
    command = tmp_path / "bin" / "evalcore"
    command.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m evalcore "$@"\n')
    command.chmod(0o755)
    (tmp_path / "eval").mkdir()
    (tmp_path / "eval" / "qrels.trec").write_text(qrels_text(names(16)))
    (tmp_path / "eval" / "baseline.trec").write_text(run_text(BASELINE))
    (tmp_path / "eval" / "scores.csv").write_text(SCORES)
    (tmp_path / "eval" / "make-run.sh").write_text('cp eval/code-as-it-is.trec "$1"\n')
    return tmp_path


def shell(project, lines):
    """Runs lines as the CI does: bash -e."""
    environment = {
        **os.environ,
        "PATH": f"{project / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "GITHUB_STEP_SUMMARY": str(project / "summary.md"),
    }
    return subprocess.run(
        ["bash", "-e", "-c", lines], cwd=project, env=environment, capture_output=True, text=True, check=False
    )


def summary(project):
    return (project / "summary.md").read_text(encoding="utf-8")


def compared(project, new):
    (project / "eval" / "code-as-it-is.trec").write_text(run_text(new))
    assert shell(project, STEPS[MAKE]).returncode == 0
    return shell(project, STEPS[COMPARE])


def counts(file):
    (suite,) = ET.parse(file).getroot().iter("testsuite")
    return [suite.get(name) for name in ("tests", "failures", "errors")]


def test_every_shell_line_of_the_job_is_known_and_the_install_is_that_of_a_folder():
    assert len(re.findall(r"^ *run:", JOB, re.MULTILINE)) == len(STEPS) == 4
    assert STEPS[INSTALL] == "python -m pip install ./evidence-lab"


def test_the_job_names_no_address_and_pins_every_action():
    assert "://" not in JOB
    uses = re.findall(r"uses: (\S+)", JOB)
    assert len(uses) == 4
    assert all(re.fullmatch(r"actions/[a-z-]+@v\d+\.\d+\.\d+", action) for action in uses)
    assert "-latest" not in JOB


def test_a_better_run_passes_and_its_comparison_is_in_the_summary(project):
    # 8 questions gain: hits at 2 and below become hits at 1, none loses
    (project / "eval" / "baseline.trec").write_text(run_text(places(*[1] * 8, *[2] * 8)))
    done = compared(project, places(*[1] * 15, 2))
    assert (done.returncode, done.stdout) == (0, "")
    assert [line.split(":")[0] for line in done.stderr.splitlines()] == ["gate holds", "gate holds"]
    assert "<code>new</code> is ahead of <code>baseline</code>" in summary(project)
    assert counts(project / "results" / "compare.xml") == ["2", "0", "0"]


def test_a_worse_run_fails_with_one_line_a_gate(project):
    # every hit moves to place 5: nDCG@10 = 1 / log2(6) = 0.387
    done = compared(project, places(*[5] * 14, 4, 4))
    assert done.returncode == 1
    assert [line.split(":")[0] for line in done.stderr.splitlines()] == ["gate fails", "gate fails"]
    assert summary(project).count("**fail**") == 2
    assert counts(project / "results" / "compare.xml") == ["2", "2", "0"]


def test_a_run_that_hardly_differs_is_not_assessed_and_stops_the_job(project):
    done = compared(project, places(*[1] * 13, *[2] * 3))
    assert done.returncode == 1
    assert "low is undefined: only 1 of 16 questions differ" in done.stderr
    assert counts(project / "results" / "compare.xml") == ["2", "0", "1"]


def test_an_unchanged_run_passes_without_a_comparison(project):
    done = compared(project, BASELINE)
    assert (done.returncode, done.stderr) == (0, "")
    assert "byte for byte" in summary(project)


def test_a_run_that_cannot_be_read_is_bad_input_and_leaves_no_report(project):
    (project / "eval" / "code-as-it-is.trec").write_text("q01 Q0 hit 1 high tag\n")
    shell(project, STEPS[MAKE])
    done = shell(project, STEPS[COMPARE])
    assert done.returncode == 2
    assert "line 1: the score 'high' is not a finite number" in done.stderr
    assert not (project / "results" / "compare.xml").exists()


@pytest.mark.parametrize(("low", "code"), [("0.1", 0), ("0.5", 1)])
def test_the_abstention_step_holds_its_gates_against_the_scores(project, low, code):
    (project / "eval" / "scores.csv").write_text(SCORES.replace("b0,0,0.1", f"b0,0,{low}"))
    done = shell(project, STEPS[SWEEP])
    assert (done.returncode, done.stdout) == (code, "")
    assert counts(project / "results" / "sweep.xml") == ["2", str(code), "0"]
    assert "Evidence Lab: abstention threshold" in summary(project)


def test_the_power_command_says_what_the_page_says_it_does(project):
    compared(project, places(*[1] * 6, *[2] * 7, *[1] * 3))
    (line,) = fenced("sh")
    done = shell(project, line)
    assert done.returncode == 0
    assert re.search(r"power [0-9.]+ for one test", done.stdout)


@pytest.mark.parametrize("condition", re.findall(r"^\| `(new[^`]*)` \|", DOCUMENT, re.MULTILINE))
def test_every_condition_of_the_table_can_be_read(project, condition):
    unchanged = "cp eval/baseline.trec eval/code-as-it-is.trec\n"
    shell(project, unchanged + STEPS[MAKE])
    runs = "--run new=results/new.trec --run baseline=eval/baseline.trec"
    done = shell(project, f'evalcore compare --qrels eval/qrels.trec {runs} --resamples 200 --fail-if "{condition}"')
    assert done.returncode in (0, 1)
    assert done.stderr.startswith("gate ")

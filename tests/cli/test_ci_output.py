"""Markdown and JUnit of compare and sweep: every gate there, nothing that a name could do."""

import json
import os
import re
import string
from html import unescape
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.cli import main
from evalcore.evidence import Result
from evalcore.goldset.schema import GOLD, RANKERS
from evalcore.reporting.comparison import comparison_markdown, comparison_properties
from evalcore.reporting.escaping import code, escaped
from evalcore.reporting.junit import junit
from evalcore.reporting.outcomes import Outcome
from tests.cli.test_compare import NEW, OLD, command, refused
from tests.small import compared, names, places, qrels_text, run_text

TOY = GOLD / "toy" / "scores.csv"
HOSTILE = "a|b`c`<img src=x onerror=alert(1)>[x](http://y.z)![i](//j)@all #1 www.k.l *m* _n_ \\| &amp; :o: ~~p~~"


@pytest.fixture
def files(tmp_path):
    (tmp_path / "qrels").write_text(qrels_text(names(8)))
    (tmp_path / "old").write_text(run_text(OLD))
    (tmp_path / "new").write_text(run_text(NEW))
    return tmp_path


def sweep(*options, file=TOY):
    return CliRunner().invoke(main, ["sweep", f"--scores={file}", *options])


def tables(markdown):
    """Tables as lists of rows of cells, split where a Markdown parser would."""
    found, before = [], False
    for line in markdown.splitlines():
        if line.startswith("| "):
            if not before:
                found.append([])
            found[-1].append([cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]])
        before = line.startswith("| ")
    return found


def suite(path):
    (found,) = ET.parse(path).getroot().iter("testsuite")
    return found


def properties(found):
    return {p.get("name"): p.get("value") for p in found.iter("property")}


def test_the_markdown_says_the_finding_what_may_not_be_said_and_every_number_with_its_interval(files):
    done = command(files, "--markdown", "--fail-if=new RR@10 < 0.9", "--fail-if=new:old RR@10 difference > 0.4")
    assert done.exit_code == 1
    text = done.stdout
    assert (
        "- <code>new</code> is ahead of <code>old</code> by 0.369 nDCG@10, a measured gain, still retrieval-only."
    ) in text
    (may_not,) = [line for line in text.splitlines() if line.startswith("**May not be said:**")]
    assert "only retrieval was measured" in may_not
    gates, means, pairs, rests = tables(text)
    assert [row[1] for row in gates[2:]] == ["**pass**", "**fail**"]
    assert [unescape(row[2].replace("<wbr>", "")) for row in gates[2:]] == [
        "the mean RR@10 is 1",
        "difference is 0.5",
    ]
    assert len(means) == 2 + 2 * 8
    assert means[2][:3] == ["<code>new</code>", "nDCG@10", "1.000"]
    assert means[2][3].startswith("none&#58; all 8 values are equal") or means[2][3].startswith("none: all 8 values")
    assert means[2][4:] == ["8", "percentile bootstrap", "Measured, retrieval-only"]
    assert pairs[2][0] == "<code>new</code> − <code>old</code>"
    assert [pairs[2][i] for i in (1, 2, 4, 5, 6, 7)] == [
        "nDCG@10",
        "+0.369",
        "8/0/0",
        "0.008",
        "0.008",
        "measured gain, still retrieval-only",
    ]
    assert {row[7] for row in pairs[3:]} == {"exploratory"}
    study = json.loads(command(files, "--json").stdout)["study"]
    assert [row[3] for row in rests[3:]] == [f"`{run['sha256']}`" for run in study["runs"]]
    assert "- Provisional: does not apply to files of your own" in text
    assert "- Seed 20241009, 200 resamples" in text
    assert "no plan file" in text


def test_the_markdown_of_the_textbook_names_its_plan_and_that_it_is_provisional():
    runs = [f"--run={name}={GOLD / 'runs' / name}.trec" for name in RANKERS]
    options = [f"--qrels={GOLD / 'qrels.trec'}", *runs]
    printed = CliRunner().invoke(main, ["compare", *options, "--markdown"]).stdout
    study = json.loads(CliRunner().invoke(main, ["compare", *options, "--json"]).stdout)["study"]
    assert f"plan sha256 `{study['plan_sha256']}`" in printed
    assert "- Provisional: yes, no person has reviewed this gold set" in printed
    assert "No gate was set." in printed
    assert len(re.findall(r"^- <code>", printed, re.MULTILINE)) == 3


def test_above_five_runs_the_table_holds_the_family_and_counts_what_it_leaves_out():
    several = {f"run{i}": places(*[1 + (i + q) % 4 for q in range(8)]) for i in range(7)}
    text = comparison_markdown(compared(8, several))
    (pairs,) = [t for t in tables(text) if t[0][0] == "pair"]
    assert len(pairs) == 2 + 6
    assert "78 pairs outside the family are in the JSON." in text  # 21 pairs on 4 measures, less the 6
    assert "- 1 more pairs are in the table." in text


@pytest.mark.parametrize("options", [("--json", "--markdown"), ("--markdown", "--json")])
def test_json_and_markdown_exclude_each_other(files, options):
    line = "--markdown: and --json exclude each other; give one of them"
    assert refused(command(files, *options)) == [line]
    assert refused(sweep(*options)) == [line]


def test_a_hostile_name_is_shown_and_does_nothing():
    text = comparison_markdown(
        compared(8, {HOSTILE: NEW, "old": OLD}), [Outcome(f"--fail-if {HOSTILE!r}", Result.PASS, HOSTILE)]
    )
    tags = set(re.findall(r"<[^>]*>", text))
    assert tags == {"<code>", "</code>", "<wbr>"}
    assert not re.search(r"\]\(|!\[|://|www\.|@all|(?<!&)#1|\*m\*|_n_|~~|onerror=", text)
    shown = re.sub(r"<[^>]*>", "", code(HOSTILE))
    assert unescape(shown) == HOSTILE


@given(st.text(min_size=1, max_size=40))
def test_any_text_is_one_cell_and_comes_back_whole_but_for_what_cannot_be_shown(text):
    cell = escaped(text)
    assert not set(cell.replace("<wbr>", "")) & set("|`<>[]()*_~\\!@\n\r\t\"'")
    expected = "".join(c if c.isprintable() else "\ufffd" for c in text)
    assert unescape(cell.replace("<wbr>", "")) == expected


NAMES = st.text(
    st.one_of(st.sampled_from(string.punctuation), st.characters()).filter(str.isprintable), min_size=1, max_size=12
).filter(str.strip)


@settings(max_examples=30, deadline=None)
@given(st.lists(NAMES, min_size=2, max_size=3, unique=True))
def test_whatever_the_runs_are_called_every_row_has_as_many_cells_as_its_head(called):
    runs = dict(zip(called, (NEW, OLD, places(*[3] * 8)), strict=False))
    study = compared(8, runs)
    outcomes = [Outcome(f"--fail-if {name!r}", Result.FAIL, name) for name in called]
    text = comparison_markdown(study, outcomes)
    found = tables(text)
    assert [len(t[0]) for t in found] == [3, 7, 8, 4]
    assert all(len(row) == len(t[0]) for t in found for row in t)
    assert set(re.findall(r"<[^>]*>", text)) <= {"<code>", "</code>", "<wbr>"}
    root = ET.fromstring(junit("compare", outcomes, comparison_properties(study)).encode())
    assert [case.get("name") for case in root.iter("testcase")] == [o.name for o in outcomes]


@given(st.text(max_size=30), st.text(max_size=30))
def test_any_text_makes_well_formed_xml_without_control_characters(name, reason):
    written = junit("compare", [Outcome(name, Result.NOT_ASSESSED, reason)], {name: reason})
    (case,) = ET.fromstring(written.encode()).iter("testcase")
    assert all(c.isprintable() or ord(c) > 0x9F for c in case.get("name"))
    assert set(case.get("name")) <= set(name)


def test_the_junit_file_has_a_case_a_gate_and_a_gate_not_assessed_is_an_error(files):
    conditions = ("new RR@10 < 0.9", "old RR@10 < 0.9", "new RR@10 low < 0.9")
    done = command(files, *(f"--fail-if={c}" for c in conditions), f"--junit={files / 'gates.xml'}")
    assert done.exit_code == 1
    found = suite(files / "gates.xml")
    assert {k: found.get(k) for k in ("name", "tests", "failures", "errors", "skipped")} == {
        "name": "evidence-lab compare",
        "tests": "3",
        "failures": "1",
        "errors": "1",
        "skipped": "0",
    }
    passed, failed, undefined = found.iter("testcase")
    assert [case.get("name") for case in (passed, failed, undefined)] == [f"--fail-if {c!r}" for c in conditions]
    assert [child.tag for child in passed] == ["system-out"]
    assert [(child.tag, child.get("message")) for child in failed] == [("failure", "the mean RR@10 is 0.5")]
    assert [child.tag for child in undefined] == ["error"]
    assert undefined[0].get("message").startswith("low is undefined: all 8 values are equal (1);")
    study = json.loads(command(files, "--json").stdout)["study"]
    kept = properties(found)
    assert [kept[f"run {run['name']} sha256"] for run in study["runs"]] == [run["sha256"] for run in study["runs"]]
    assert (kept["plan_sha256"], kept["seed"], kept["provisional"]) == ("null", "20241009", "null")
    assert len(kept["qrels_sha256"]) == 64


def test_the_junit_file_says_what_stderr_says(files):
    done = command(files, "--fail-if=new RR@10 < 0.9", "--fail-if=old RR@10 < 0.9", f"--junit={files / 'gates.xml'}")
    said = [case[0].text for case in suite(files / "gates.xml").iter("testcase")]
    assert said == done.stderr.splitlines()


@pytest.mark.parametrize("run", [lambda o, _: sweep(o), lambda o, folder: command(folder, o)])
def test_without_a_gate_the_suite_is_empty(files, run):
    assert run(f"--junit={files / 'gates.xml'}", files).exit_code == 0
    found = suite(files / "gates.xml")
    assert (found.get("tests"), list(found.iter("testcase"))) == ("0", [])


def test_the_junit_file_is_replaced_whole_and_leaves_nothing_beside_it(files):
    target = files / "out" / "gates.xml"
    target.parent.mkdir()
    target.write_text("old and longer than nothing " * 1000)
    command(files, f"--junit={target}")
    assert suite(target).get("tests") == "0"
    assert [path.name for path in target.parent.iterdir()] == ["gates.xml"]


def test_a_junit_file_that_cannot_be_written_or_would_overwrite_an_input_is_bad_input(files):
    (line,) = refused(command(files, f"--junit={files / 'none' / 'gates.xml'}"))
    assert line.endswith("cannot be written (No such file or directory); give a path in a folder that is there")
    assert refused(command(files, f"--junit={files}"))[0].startswith(f"{files}: cannot be written")
    before = (files / "new").read_bytes()
    for name in ("new", "qrels"):
        (line,) = refused(command(files, f"--junit={files / name}"))
        assert line.endswith("is also another file of this command; write to another file")
    assert (files / "new").read_bytes() == before
    assert "is also another file" in refused(sweep(f"--junit={TOY}"))[0]
    both = files / "all.csv"
    assert "is also another file" in refused(sweep(f"--junit={both}", f"--all-candidates={both}"))[0]


def test_a_pipe_is_written_to_and_not_replaced_by_a_file(files):
    os.mkfifo(files / "pipe")
    reader = os.open(files / "pipe", os.O_RDWR)
    assert command(files, f"--junit={files / 'pipe'}").exit_code == 0
    (found,) = ET.fromstring(os.read(reader, 1 << 16)).iter("testsuite")
    os.close(reader)
    assert found.get("name") == "evidence-lab compare"
    assert (files / "pipe").is_fifo()


def test_a_link_to_a_file_stays_a_link(files):
    (files / "real.xml").write_text("old")
    (files / "link.xml").symlink_to("real.xml")
    command(files, f"--junit={files / 'link.xml'}")
    assert (files / "link.xml").is_symlink()
    assert suite(files / "real.xml").get("tests") == "0"


def test_a_sweep_without_a_gate_says_so_once(files):
    text = sweep("--markdown").stdout
    assert text.splitlines()[2] == "No gate was set."


def test_a_sweep_says_each_gate_in_one_line_as_compare_does(tmp_path):
    # the lesson's toy run at 0.45: 4 of 6 refused rightly, 2 of 10 wrongly, a hit for 8 of 10, one of a wrong scope
    gates = ("--gate-recall=0.8", "--gate-correct=0.8", "--gate-false=0.1", "--gate-wrong-scope=0")
    done = sweep(*gates, "--threshold=0.45", f"--junit={tmp_path / 'gates.xml'}", "--json")
    assert done.exit_code == 1
    assert done.stderr.splitlines() == [
        "gate holds: --gate-recall 0.8, recall at 5 is 0.8",
        "gate fails: --gate-correct 0.8, correct abstention is 0.666667",
        "gate fails: --gate-false 0.1, false abstention is 0.2",
        "gate fails: --gate-wrong-scope 0, wrong scope served is 1",
    ]
    found = suite(tmp_path / "gates.xml")
    assert [found.get(k) for k in ("name", "tests", "failures", "errors")] == ["evidence-lab sweep", "4", "3", "0"]
    assert properties(found)["scores_sha256"] == json.loads(done.stdout)["study"]["scores_sha256"]


def test_a_gate_that_a_sweep_cannot_assess_is_an_error_and_its_line_says_why(tmp_path):
    (tmp_path / "scores.csv").write_text("query_id,answerable,score\na,1,0.9\nb,0,0.1\n")
    options = ("--gate-recall=0.8", "--gate-correct=1", "--gate-false=0", "--threshold=0.5")
    done = sweep(*options, f"--junit={tmp_path / 'gates.xml'}", file=tmp_path / "scores.csv")
    assert done.exit_code == 1
    line = "gate not assessed: --gate-recall 0.8, recall at 5 is undefined: the file has no column hit"
    assert done.stderr.splitlines()[0] == line
    assert [suite(tmp_path / "gates.xml").get(k) for k in ("failures", "errors")] == ["0", "1"]


def test_gates_that_decide_nothing_fail_as_a_case_of_their_own(tmp_path):
    done = sweep("--gate-correct=0.6", "--threshold=0.45", f"--junit={tmp_path / 'gates.xml'}")
    assert done.exit_code == 1
    assert done.stderr.splitlines()[1] == (
        "gate fails: the gates together, they decide nothing: refusing everything passes the abstention gates that "
        "were set"
    )
    found = suite(tmp_path / "gates.xml")
    assert [found.get(k) for k in ("tests", "failures")] == ["2", "1"]


def test_the_markdown_of_a_sweep_says_the_decision_the_rates_and_what_is_assumed(tmp_path):
    gates = ("--gate-correct=0.8", "--gate-false=0.1")
    done = sweep(*gates, "--threshold=0.45", "--markdown")
    assert done.exit_code == 1
    text = done.stdout
    assert "No threshold on <code>score</code> passes every gate. No go: 2 of 2 results fail." in text
    found, rates, rests = tables(text)
    assert [row[1] for row in found[2:]] == ["**fail**", "**fail**"]
    assert [row[1] for row in rates[2:4]] == ["0.667", "0.200"]
    assert [row[3] for row in rates[2:4]] == ["6", "10"]
    assert "costs are assumed, 3 : 1" in text
    assert "Held-out: not assessed" in text
    assert "may not be said" in text.lower()
    assert re.fullmatch(r"`[0-9a-f]{64}`", rests[2][1])


def test_a_hostile_column_of_scores_is_shown_and_does_nothing(tmp_path):
    column = "a|b`<b>[x](y)"
    (tmp_path / "scores.csv").write_text(f"query_id,answerable,{column}\na,1,0.9\nb,0,0.1\n")
    text = sweep(f"--score={column}", "--markdown", file=tmp_path / "scores.csv").stdout
    assert set(re.findall(r"<[^>]*>", text)) <= {"<code>", "</code>", "<wbr>"}
    assert all(len(row) == len(t[0]) for t in tables(text) for row in t)
    assert "[x](y)" not in text

import gzip
import json
import re

import pytest
from click.testing import CliRunner

from evalcore.cli import main
from evalcore.export import comparison_json
from evalcore.goldset.schema import GOLD, RANKERS
from tests.small import compared, names, ndcg, places, qrels_text, run_text

ROOT = GOLD.parent
OLD, NEW = places(*[2] * 8), places(*[1] * 8)
GOLD_RUNS = [f"--run={name}={GOLD / 'runs' / name}.trec" for name in RANKERS]


@pytest.fixture
def files(tmp_path):
    (tmp_path / "qrels").write_text(qrels_text(names(8)))
    (tmp_path / "old").write_text(run_text(OLD))
    (tmp_path / "new").write_text(run_text(NEW))
    return tmp_path


def command(folder, *more, new="new", old="old"):
    runs = [f"--run=new={folder / new}", f"--run=old={folder / old}"]
    return CliRunner().invoke(main, ["compare", f"--qrels={folder / 'qrels'}", *runs, "--resamples=200", *more])


def refused(done):
    """The lines of stderr of a command that was refused, and printed nothing else."""
    assert (done.exit_code, done.stdout) == (2, "")
    return done.stderr.splitlines()


def test_the_json_is_that_of_the_one_computation(files):
    done = command(files, "--json")
    assert (done.exit_code, done.stderr) == (0, "")
    printed = json.loads(done.stdout)
    assert list(printed) == ["study", "measures", "pairs", "family"]
    expected = comparison_json(compared(8, {"new": NEW, "old": OLD}))
    kept = {(r["run"], r["measure"]): r for r in printed["measures"]}
    for row in expected["measures"]:
        assert kept[row["run"], row["measure"]] == row
    assert [p for p in printed["pairs"] if p["measure"] == "nDCG@10"] == expected["pairs"][:1]
    assert printed["study"] == expected["study"]


def test_the_numbers_are_those_worked_by_hand(files):
    printed = json.loads(command(files, "--json").stdout)
    pair = printed["pairs"][0]
    assert (pair["first"], pair["second"], pair["measure"]) == ("new", "old", "nDCG@10")
    assert pair["difference"] == pytest.approx(1 - ndcg(2))
    assert (pair["wins"], pair["ties"], pair["losses"], pair["p"]) == (8, 0, 0, 2 / 256)
    assert pair["verdict"] == "measured gain, still retrieval-only"
    assert printed["family"] == {"k": 1, "alpha": 0.05}


def test_the_table_says_the_headline_and_every_measure(files):
    done = command(files)
    assert done.exit_code == 0
    assert "new is ahead of old by 0.369 nDCG@10, a measured gain, still retrieval-only." in done.stdout
    assert "The Holm-adjusted p over 1 comparison is 0.008 (raw 0.008), against alpha 0.05." in done.stdout
    assert done.stdout.splitlines()[0] == (
        "8 questions (0 without a relevant document left out); relevant means grade 1 or above; no plan; "
        "seed 20241009, 200 resamples"
    )
    for measure in ("nDCG@10", "RR@10", "R@5", "R@10", "Success@1", "Success@3", "Success@5", "Success@10"):
        assert re.search(rf"^{measure} \(", done.stdout, re.MULTILINE)
    assert done.stdout.count("exploratory") == 7
    assert "Provisional" not in done.stdout


def test_questions_that_a_run_does_not_return_are_counted_aloud(files):
    (files / "new").write_text(run_text(places(1, 1, 1, 1, 1, None, None, None)))
    assert "new: 3 of 8 questions returned nothing; counted as 0" in command(files).stdout
    printed = json.loads(command(files, "--json").stdout)
    assert [r["missing_questions"] for r in printed["study"]["runs"]] == [3, 0]


def test_a_gzipped_run_gives_the_same_numbers(files):
    plain = json.loads(command(files, "--json").stdout)
    (files / "zipped").write_bytes(gzip.compress((files / "new").read_bytes()))
    zipped = json.loads(command(files, "--json", new="zipped").stdout)
    assert (zipped["measures"], zipped["pairs"]) == (plain["measures"], plain["pairs"])


def test_options_reach_the_computation(files):
    done = command(files, "--json", "--seed=7", "--alpha=0.001", "--primary=RR@10")
    printed = json.loads(done.stdout)
    assert (printed["study"]["seed"], printed["study"]["resamples"], printed["family"]["alpha"]) == (7, 200, 0.001)
    assert {p["measure"] for p in printed["pairs"] if p["in_family"]} == {"RR@10"}
    assert [p["verdict"] for p in printed["pairs"] if p["in_family"]] == ["inconclusive"]


def test_a_primary_measure_of_another_depth_is_computed_beside_the_standard_ones(files):
    printed = json.loads(command(files, "--json", "--primary=nDCG@3").stdout)
    assert {p["measure"] for p in printed["pairs"] if p["in_family"]} == {"nDCG@3"}
    assert printed["pairs"][0]["difference"] == pytest.approx(1 - ndcg(2))
    assert "nDCG@10" in {p["measure"] for p in printed["pairs"]}


def test_a_users_own_files_are_not_provisional_and_bring_no_plan(files):
    study = json.loads(command(files, "--json").stdout)["study"]
    assert (study["provisional"], study["plan_sha256"]) == (None, None)


def test_a_users_own_files_count_grade_one_as_relevant(files):
    (files / "qrels").write_text("".join(f"{q} 0 hit 1\n{q} 0 x05 2\n" for q in names(8)))
    means = {
        grade: {
            r["measure"]: r["value"] for r in json.loads(command(files, "--json", *o).stdout)["measures"][: 2 * 8 : 2]
        }
        for grade, o in ((1, []), (2, ["--relevant-grade=2"]))
    }
    assert (means[1]["RR@10"], means[2]["RR@10"]) == (1.0, pytest.approx(1 / 5))
    assert means[1]["nDCG@10"] == means[2]["nDCG@10"]


@pytest.mark.parametrize(
    "condition",
    [
        "new:old nDCG@10 low < -0.02",
        "new:old nDCG@10 p_holm >= 0.05",
        "old:new RR@10 difference > 0",
        "new:old nDCG@10 d_z < -1",
        "new:old RR@3 high < 0",
    ],
)
def test_a_gate_whose_condition_does_not_hold_passes(files, condition):
    (files / "old").write_text(run_text(places(2, 2, 2, 2, 3, 3, 2, 0)))
    done = command(files, f"--fail-if={condition}")
    assert done.exit_code == 0
    assert done.stderr.startswith(f"gate holds: --fail-if '{condition}', ")


def test_a_gate_whose_condition_holds_fails_and_says_the_number(files):
    done = command(files, "--fail-if=old:new RR@10 difference < -0.02")
    assert done.exit_code == 1
    assert done.stderr == "gate fails: --fail-if 'old:new RR@10 difference < -0.02', difference is -0.5\n"
    assert "old - new" not in done.stdout
    assert "new is ahead of old" in done.stdout


@pytest.mark.parametrize(
    ("condition", "expected"),
    [("difference < -0.5", 0), ("difference <= -0.5", 1), ("difference > -0.5", 0), ("difference >= -0.5", 1)],
)
def test_a_bound_is_read_strictly_unless_it_says_or_equal(files, condition, expected):
    assert command(files, f"--fail-if=old:new RR@10 {condition}").exit_code == expected


def test_an_undefined_number_in_a_gate_fails_it_and_says_so(files):
    (files / "new").write_text(run_text(places(*[2] * 7, 1)))
    done = command(files, "--fail-if=new:old nDCG@10 low < -0.02")
    assert done.exit_code == 1
    assert done.stderr == (
        "gate not assessed: --fail-if 'new:old nDCG@10 low < -0.02', low is undefined: only 1 of 8 questions differ; "
        "no test of so few can reach the 95 % level, so the bootstrap would claim too much\n"
    )


def test_every_gate_says_how_it_came_out_and_one_that_does_not_hold_is_enough(files):
    conditions = {
        "new:old nDCG@10 p > 0.9": "holds",
        "new:old nDCG@10 p < 0.9": "fails",
        "new:old RR@10 p_holm < 0.05": "not assessed",
    }
    done = command(files, *(f"--fail-if={c}" for c in conditions), "--json")
    assert done.exit_code == 1
    assert [line.rsplit(",", 1)[0] for line in done.stderr.splitlines()] == [
        f"gate {word}: --fail-if {condition!r}" for condition, word in conditions.items()
    ]
    assert json.loads(done.stdout)["family"]["k"] == 1


def test_a_gate_that_names_two_pairs_is_bad_input(files):
    runs = [f"--run={name}={files / 'new'}" for name in ("a", "b:c", "a:b", "c")]
    done = CliRunner().invoke(main, ["compare", f"--qrels={files / 'qrels'}", *runs, "--fail-if=a:b:c nDCG@10 low < 0"])
    assert refused(done) == ["--fail-if: 'a:b:c' can be read as two pairs of runs; rename the runs"]


@pytest.mark.parametrize(
    ("condition", "what"),
    [
        ("new better than old", "cannot be read: 'new better than old'"),
        ("new:old nDCG@10 mean < 0", "cannot be read"),
        ("new:old nDCG@10 low = 0", "cannot be read"),
        ("", "cannot be read"),
        ("new:other nDCG@10 low < 0", "'new:other' names no two runs; use two of new, old as NEW:OLD"),
        ("new:new nDCG@10 low < 0", "'new:new' names no two runs"),
        ("new:old MAP low < 0", "there is no measure 'MAP'"),
        ("new:old nDCG@10 low < much", "the bound 'much' is not a number"),
        ("new:old nDCG@10 low < nan", "the bound 'nan' is not a number"),
        ("new:old nDCG@10 low < -inf", "the bound '-inf' is not a number"),
    ],
)
def test_a_gate_that_cannot_be_read_is_bad_input_and_never_a_pass(files, condition, what):
    (line,) = refused(command(files, f"--fail-if={condition}"))
    assert line.startswith("--fail-if: ")
    assert what in line


def test_five_problems_are_shown_each_with_file_line_what_and_remedy_and_then_the_total(files):
    (files / "new").write_text("".join(f"q{i} Q0 a 1 bad t\n" for i in range(4)) + "q1 Q0 a\n" * 3)
    lines = refused(command(files))
    assert lines == [
        *(
            f"{files / 'new'} line {i}: the score 'bad' is not a finite number; write scores as numbers, such as 12.5"
            for i in range(1, 5)
        ),
        f"{files / 'new'} line 5: expected 6 columns, found 3: 'q1 Q0 a'; write query_id Q0 doc_id rank score run_name",
        "7 problems in all; the first 5 are shown",
    ]


def test_the_problems_of_all_runs_are_told_together(files):
    (files / "new").write_text("q1 Q0 a 1 bad t\n")
    (files / "old").write_text("q1 Q0 a 1 worse t\n")
    assert [line.split(": ")[0] for line in refused(command(files))] == [
        *(f"{files / 'new'} line 1", f"{files / 'old'} line 1"),
    ]


def test_an_empty_run_is_bad_input(files):
    (files / "new").write_text("")
    assert refused(command(files)) == [f"{files / 'new'}: is empty; give a file with at least one line"]


def test_a_run_without_a_question_in_common_shows_three_ids_of_each_side(files):
    (files / "new").write_text("".join(f"{i} Q0 hit 1 1 t\n" for i in (1, 2, 3, 4)))
    assert refused(command(files)) == [
        f"new: shares no question with {files / 'qrels'} ('1', '2', '3', … against 'q01', 'q02', 'q03', …); "
        "check ids for another prefix, zero padding or case"
    ]


def test_three_ids_are_all_there_are_to_show(files):
    (files / "new").write_text("".join(f"{i} Q0 hit 1 1 t\n{i} Q0 x 2 0 t\n" for i in (1, 2, 3)))
    assert "('1', '2', '3' against 'q01', " in refused(command(files))[0]


def test_a_grade_that_nothing_reaches_is_bad_input_with_the_remedy(files):
    assert refused(command(files, "--relevant-grade=2")) == [
        f"{files / 'qrels'}: no judgement reaches grade 2 (the highest is 1); use --relevant-grade 1"
    ]


@pytest.mark.parametrize("grade", ["0", "-1", "1001", "x"])
def test_a_relevant_grade_below_one_or_beyond_every_grade_is_refused(files, grade):
    done = command(files, f"--relevant-grade={grade}")
    assert done.exit_code == 2
    assert "--relevant-grade" in done.stderr


def test_files_that_are_not_there_are_bad_input(files):
    assert "cannot be read (No such file or directory)" in refused(command(files, new="none"))[0]
    (files / "qrels").unlink()
    assert "cannot be read (No such file or directory)" in refused(command(files))[0]


@pytest.mark.parametrize(
    ("options", "what"),
    [
        (["--run", "a=x"], "--run: is there once; give two runs or more to compare"),
        (["--run", "a", "--run", "=x"], "--run: 'a' is not NAME=FILE; write it like --run new=new.trec"),
        (["--run", "a=x", "--run", "a=x"], "a: is the name of two runs; give each run a name of its own"),
        (["--run", "a=x", "--run", "b=x", "--primary", "MAP"], "--primary: there is no measure 'MAP'"),
        (["--run", "a\x1b[2J=x", "--run", "b=x"], r"--run: the run name 'a\x1b[2J' holds characters that cannot"),
    ],
)
def test_what_is_wrong_with_the_command_is_told(files, options, what):
    options = [o.replace("=x", f"={files / 'new'}") for o in options]
    done = CliRunner().invoke(main, ["compare", f"--qrels={files / 'qrels'}", *options])
    assert refused(done)[0].startswith(what)


@pytest.mark.parametrize(
    "option", ["--alpha=0", "--alpha=0.51", "--alpha=nan", "--seed=-1", "--resamples=1", "--nonsense"]
)
def test_an_option_out_of_range_is_bad_input(files, option):
    assert command(files, option).exit_code == 2

"""Bounds on one run beside bounds on a pair: worked by hand on eight questions, one relevant passage each."""

import json

import pytest

from tests.cli.test_compare import command, refused
from tests.small import names, places, qrels_text, run_text

MIXED = places(1, 1, 1, 1, 2, 2, 4, 4)  # RR: 4 at 1, 2 at 1/2, 2 at 1/4, so the mean is 5.5 / 8 = 0.6875


@pytest.fixture
def files(tmp_path):
    (tmp_path / "qrels").write_text(qrels_text(names(8)))
    (tmp_path / "old").write_text(run_text(places(*[2] * 8)))
    (tmp_path / "new").write_text(run_text(MIXED))
    return tmp_path


@pytest.mark.parametrize(
    ("condition", "code"),
    [
        ("new RR@10 < 0.6875", 0),
        ("new RR@10 <= 0.6875", 1),
        ("new RR@10 > 0.6875", 0),
        ("new RR@10 >= 0.6875", 1),
        ("new RR@10<0.7", 1),
        ("new Success@1 < 0.5", 0),
        ("new Success@1 < 0.51", 1),
    ],
)
def test_a_fixed_bound_is_held_against_the_mean_of_one_run(files, condition, code):
    assert command(files, f"--fail-if={condition}").exit_code == code


def test_the_line_says_which_mean_and_its_value(files):
    done = command(files, "--fail-if=new RR@10 < 0.7", "--fail-if=old RR@10 < 0.5")
    assert done.stderr.splitlines() == [
        "gate fails: --fail-if 'new RR@10 < 0.7', the mean RR@10 is 0.6875",
        "gate holds: --fail-if 'old RR@10 < 0.5', the mean RR@10 is 0.5",
    ]


@pytest.mark.parametrize(("bound", "code"), [("0.2151", 0), ("0.2153", 1)])
def test_a_limit_of_one_runs_interval_can_be_bounded(files, bound, code):
    # Wilson's limits at a rate of one half are 1/2 -+ sqrt(z2 / (n + z2)) / 2; 4 of 8, z2 = 3.84146: low 0.215216
    done = command(files, f"--fail-if=new Success@1 low < {bound}")
    assert done.exit_code == code
    assert done.stderr.rstrip().endswith("low is 0.215216")


def test_an_undefined_limit_of_one_run_is_no_pass_and_says_why(files):
    done = command(files, "--fail-if=old nDCG@10 low < 0.1")
    assert done.exit_code == 1
    assert done.stderr.startswith(
        "gate not assessed: --fail-if 'old nDCG@10 low < 0.1', low is undefined: all 8 values are equal (0.63093);"
    )
    assert len(done.stderr.splitlines()) == 1


def test_an_adjusted_p_outside_the_family_is_undefined_and_the_line_says_so(files):
    done = command(files, "--fail-if=new:old RR@10 p_holm > 0.05")
    assert (done.exit_code, done.stderr) == (
        1,
        "gate not assessed: --fail-if 'new:old RR@10 p_holm > 0.05', p_holm is undefined: the pair is outside the "
        "declared family\n",
    )


@pytest.mark.parametrize(
    ("condition", "what"),
    [
        ("other RR@10 < 0.5", "'other' names no run; use one of new, old, or two as NEW:OLD"),
        ("new RR@10 difference < 0.5", "'difference' is a number of a pair of runs, not of 'new'"),
        ("new RR@10 p < 0.5", "'p' is a number of a pair of runs, not of 'new'"),
        ("new:old RR@10 < 0.5", "'new:old' is a pair, and which of its numbers is meant is not said"),
        ("new MAP < 0.5", "there is no measure 'MAP'"),
        ("new RR@10 < half", "the bound 'half' is not a number"),
        ("new RR@10 < nan", "the bound 'nan' is not a number"),
        ("new < 0.5", "cannot be read: 'new < 0.5'"),
        ("RR@10 < 0.5", "cannot be read"),
        ("new RR@10 mean < 0.5", "cannot be read"),
        ("new RR@10 = 0.5", "cannot be read"),
        ("new RR@10 < 0.5 or so", "cannot be read"),
    ],
)
def test_a_bound_on_one_run_that_cannot_be_read_is_bad_input(files, condition, what):
    (line,) = refused(command(files, f"--fail-if={condition}"))
    assert line.startswith("--fail-if: ")
    assert what in line


def test_a_name_that_is_a_run_and_a_pair_is_bad_input(files):
    done = command(files, f"--run=new:old={files / 'old'}", "--fail-if=new:old RR@10 low < 0.5")
    assert refused(done) == ["--fail-if: 'new:old' can be read as a run and as a pair of runs; rename the runs"]


def test_a_run_whose_name_holds_spaces_can_be_bounded(files):
    done = command(files, f"--run=my new run={files / 'new'}", "--fail-if=my new run RR@10 < 0.7")
    assert done.stderr == "gate fails: --fail-if 'my new run RR@10 < 0.7', the mean RR@10 is 0.6875\n"
    done = command(files, f"--run=my new run={files / 'new'}", "--fail-if=my new run:old RR@10 difference < 0")
    assert done.stderr == "gate holds: --fail-if 'my new run:old RR@10 difference < 0', difference is 0.1875\n"


def test_a_measure_that_only_a_gate_names_is_computed(files):
    printed = json.loads(command(files, "--json", "--fail-if=new RR@3 < 0.6").stdout)
    assert {row["measure"]: row["value"] for row in printed["measures"] if row["run"] == "new"}["RR@3"] == 5 / 8


def test_the_json_lists_the_gates_beside_the_keys_of_the_design(files):
    conditions = ("new RR@10 < 0.7", "new:old RR@10 difference < -0.1", "old nDCG@10 low < 0.1")
    printed = json.loads(command(files, "--json", *(f"--fail-if={c}" for c in conditions)).stdout)
    assert list(printed) == ["study", "measures", "pairs", "family", "gates"]
    assert [tuple(gate.values())[:4] for gate in printed["gates"]] == [
        (conditions[0], 0.6875, 0.7, "fail"),
        (conditions[1], 0.1875, -0.1, "pass"),
        (conditions[2], None, 0.1, "not assessed"),
    ]
    assert [gate["reason"] is None for gate in printed["gates"]] == [True, True, False]
    assert "gates" not in json.loads(command(files, "--json").stdout)

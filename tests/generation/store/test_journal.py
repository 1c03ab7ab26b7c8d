"""The journal only grows, keeps its order, and loses nothing that was committed."""

import re
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from evalcore.generation.calls.outcomes import Outcome
from evalcore.generation.store.events import Purpose, Stopped
from evalcore.generation.store.journal import AlreadyCalled, Journal, NoSuchRun, is_run_id
from evalcore.generation.store.lock import Busy, held
from evalcore.generation.store.run import Run
from tests.generation.store.runs import NO, YES, began, called, ended, in_journal, rated, revealed, run_of, written

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def made(tmp_path):
    return in_journal(tmp_path, *written("t1"))


def test_the_journal_is_in_wal_mode(made):
    journal, _ = made
    with closing(sqlite3.connect(journal.path)) as base:
        assert base.execute("PRAGMA journal_mode").fetchone() == ("wal",)


@pytest.mark.parametrize(
    "change", ["UPDATE events SET event = '{}'", "DELETE FROM events", "UPDATE events SET run = 'x'"]
)
def test_no_event_can_be_changed_or_removed(change, made):
    journal, run = made
    before = journal.events(run)
    with closing(sqlite3.connect(journal.path)) as base, pytest.raises(sqlite3.IntegrityError, match="append only"):
        base.execute(change)
    assert journal.events(run) == before


def test_events_come_back_in_the_order_in_which_they_were_committed(made):
    journal, run = made
    told = [journal.append(run, rated("t1-m1", answer)) for answer in (YES, NO, None, YES)]
    assert list(journal.events(run)[-4:]) == told
    assert [event.what.answer for event in told] == [YES, NO, None, YES]
    moments = [event.at for event in journal.events(run)]
    assert moments == sorted(moments)
    assert journal.length(run) == len(moments) == 7


def test_events_of_one_moment_keep_their_order(tmp_path):
    events = run_of(*written("t1"), *(rated("t1-m1", answer) for answer in (YES, NO, None, NO, YES))).events
    journal, run = in_journal(tmp_path, *events)
    assert journal.events(run) == events


def test_runs_in_one_journal_do_not_mix(tmp_path):
    journal, one = in_journal(tmp_path, *written("t1"))
    other = journal.begin(written("t2"))
    journal.append(one, Stopped())
    assert (journal.length(one), journal.length(other)) == (4, 3)
    assert list(Run(journal.events(other)).topics) == ["t2"]


def test_an_unknown_run_is_said_to_be_unknown(made, tmp_path):
    journal, _ = made
    unknown = "x" * 22
    for call in (lambda: journal.events(unknown), lambda: journal.append(unknown, Stopped())):
        with pytest.raises(NoSuchRun):
            call()
    assert journal.length(unknown) == 0
    empty = Journal(tmp_path / "none" / "h.sqlite3")
    with pytest.raises(NoSuchRun):
        empty.events(unknown)
    assert empty.length(unknown) == 0
    assert not empty.path.exists()
    with pytest.raises(NoSuchRun):
        empty.append(unknown, Stopped())


def test_an_attempt_is_announced_once(made):
    journal, run = made
    with pytest.raises(AlreadyCalled):
        journal.append(run, called("t1"))
    journal.append(run, called("t1", attempt=2))
    journal.append(run, called("t1", purpose=Purpose.JUDGE))
    with pytest.raises(AlreadyCalled):
        journal.append(run, called("t1", attempt=2))
    assert journal.length(run) == 5


def test_of_many_threads_that_announce_one_attempt_one_may(made):
    journal, run = made
    barrier, found = threading.Barrier(6), []

    def announce():
        barrier.wait()
        try:
            found.append(journal.append(run, called("t1", attempt=2)))
        except AlreadyCalled:
            found.append(None)

    _together([announce] * 6)
    assert len(found) == 6
    assert len([event for event in found if event is not None]) == 1


def test_a_decision_that_fails_commits_nothing_and_leaves_the_journal_free(made):
    journal, run = made

    def refuse(events):
        raise LookupError(len(events))

    with pytest.raises(LookupError):
        journal.decide(run, refuse)
    assert journal.length(run) == 3
    journal.append(run, Stopped())


def test_a_whole_run_begun_anew_is_another_run_with_equal_events(made):
    journal, run = made
    journal.append(run, rated("t1-m1", YES))
    other = journal.begin(journal.events(run))
    assert other != run
    assert journal.events(other) == journal.events(run)
    journal.append(other, revealed("t1-m1"))
    assert journal.length(run) == 4


def test_a_run_of_which_an_event_cannot_be_stored_is_not_begun_at_all(tmp_path):
    journal = Journal(tmp_path / "h.sqlite3")
    with pytest.raises(AlreadyCalled):
        journal.begin([*written("t1"), called("t1")])
    with closing(sqlite3.connect(journal.path)) as base:
        assert base.execute("SELECT count(*) FROM events").fetchone() == (0,)


def test_ids_are_22_url_safe_characters_and_differ(tmp_path):
    journal = Journal(tmp_path / "h.sqlite3")
    ids = [journal.begin([began("t1")]) for _ in range(40)]
    assert len(set(ids)) == 40
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{22}", run) and is_run_id(run) for run in ids)
    assert len({run[:3] for run in ids}) > 30


@pytest.mark.parametrize("text", ["", "x" * 21, "x" * 23, "x" * 21 + "/", "x" * 22 + "\n", "../" + "x" * 19, "é" * 22])
def test_other_texts_are_no_id_of_a_run(text):
    assert not is_run_id(text)


def _together(tasks):
    threads = [threading.Thread(target=task) for task in tasks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)


def test_threads_that_append_side_by_side_lose_nothing(made):
    journal, run = made

    def rates(rater):
        for n in range(20):
            journal.append(run, rated(f"t1-m{1 + n % 4}", YES if n % 2 else NO, rater=rater))

    _together([lambda rater=rater: rates(rater) for rater in ("ana", "ben", "cy")])
    found = [event.what for event in journal.events(run)[3:]]
    assert len(found) == 60
    for rater in ("ana", "ben", "cy"):
        own = [(what.item, what.answer) for what in found if what.rater == rater]
        assert own == [(f"t1-m{1 + n % 4}", YES if n % 2 else NO) for n in range(20)]


def test_threads_may_make_the_file_at_the_same_moment(tmp_path):
    for n in range(5):
        journal = Journal(tmp_path / f"{n}.sqlite3")
        barrier, ids = threading.Barrier(4), []

        def begin(journal=journal, barrier=barrier, ids=ids):
            barrier.wait()
            ids.append(journal.begin(written("t1")))

        _together([begin] * 4)
        assert [journal.length(run) for run in ids] == [3] * 4


APPENDS = """
import sys
from pathlib import Path
from evalcore.generation.store.journal import Journal
from tests.generation.store.runs import YES, rated
journal, run, rater = Journal(Path(sys.argv[1])), sys.argv[2], sys.argv[3]
print("ready", flush=True)
sys.stdin.readline()
for n in range(25):
    journal.append(run, rated(f"t1-m{1 + n % 4}", YES, rater=rater))
    print(n, flush=True)
"""


def process(code, *given):
    command = [sys.executable, "-c", code, *map(str, given)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    return subprocess.Popen(command, cwd=ROOT, text=True, **pipes)


def test_processes_that_append_side_by_side_lose_nothing(made):
    journal, run = made
    with process(APPENDS, journal.path, run, "ana") as one, process(APPENDS, journal.path, run, "ben") as other:
        for each in (one, other):
            assert each.stdout.readline() == "ready\n"
        for each in (one, other):
            each.stdin.write("go\n")
            each.stdin.flush()
        for each in (one, other):
            each.communicate(timeout=60)
            assert each.returncode == 0
    found = [event.what for event in journal.events(run)[3:]]
    for rater in ("ana", "ben"):
        assert [w.item for w in found if w.rater == rater] == [f"t1-m{1 + n % 4}" for n in range(25)]
    assert len(found) == 50


def test_a_rating_that_was_told_of_survives_a_kill(made):
    journal, run = made
    with process(APPENDS, journal.path, run, "ana") as rating:
        assert rating.stdout.readline() == "ready\n"
        rating.stdin.write("go\n")
        rating.stdin.flush()
        told = [rating.stdout.readline() for _ in range(10)]
        rating.kill()
        told += rating.stdout.readlines()
        rating.wait(20)
    found = journal.events(run)[3:]
    assert len(told) <= len(found) <= 25
    assert [event.what.item for event in found] == [f"t1-m{1 + n % 4}" for n in range(len(found))]
    journal.append(run, rated("t1-m1", NO))
    assert Run(journal.events(run)).events[-1].what.answer is NO


def test_one_may_hold_a_run_and_another_another(tmp_path):
    with held(tmp_path, "a"), held(tmp_path, "b"):
        with pytest.raises(Busy), held(tmp_path, "a"):
            pass
        with pytest.raises(Busy), held(tmp_path, "b"):
            pass
    with held(tmp_path, "a"):
        pass


def test_a_run_is_what_its_events_add_up_to():
    run = run_of(
        began("t1", "t2", "t3", "t4"),
        called("t1"),
        ended("t1", Outcome.OVERLOADED),
        called("t1", 2),
        ended("t1", Outcome.REFUSED, 2),
        called("t1", 3),
        ended("t1", Outcome.OK, 3),
        called("t2"),
        ended("t2", Outcome.NETWORK),
        called("t3"),
    )
    # the model's first outcome is final, whatever came after it
    assert {topic: end.outcome for topic, end in run.outcomes.items()} == {
        "t1": Outcome.REFUSED,
        "t2": Outcome.NETWORK,
    }
    assert [run.standing(topic).value for topic in run.topics] == [
        "no valid output",
        "can be run again",
        "under way",
        "waiting",
    ]
    assert [call.unit for call in run.unfinished] == ["t3"]
    assert run.packs == {}
    assert run.planned_items == 28
    # two answers at $0.00011; of the failures only the dropped connection may have been billed
    assert run.spent == pytest.approx(0.00022)
    assert run.of_unknown_cost == 1
    assert run.next_attempt(Purpose.GENERATE, "t1") == 4

"""The journal: one append-only SQLite file (WAL), every event committed before anybody is told of it.

A connection lives for one operation, so that any thread and any process may use the same file.
"""

from __future__ import annotations

import json
import re
import secrets
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from evalcore.generation.store.events import Began, Called, Event, Record

_SCHEMA = """
CREATE TABLE IF NOT EXISTS events (
    place INTEGER PRIMARY KEY AUTOINCREMENT, run TEXT NOT NULL, once TEXT, event TEXT NOT NULL, UNIQUE (run, once)
);
CREATE INDEX IF NOT EXISTS events_of_run ON events (run, place);
CREATE TRIGGER IF NOT EXISTS never_changed BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'append only'); END;
CREATE TRIGGER IF NOT EXISTS never_removed BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'append only'); END;
"""
_ID = re.compile(r"[A-Za-z0-9_-]{22}")
_PATIENCE = 20.0


class NoSuchRun(LookupError):
    """The journal holds no run of this id."""


class AlreadyCalled(RuntimeError):
    """This attempt was begun before, perhaps by another tab: it must not be sent twice."""


@dataclass(frozen=True, slots=True)
class Journal:
    """All runs, each under an id that cannot be guessed."""

    path: Path

    def begin(self, events: Sequence[Event | Record]) -> str:
        """A new run with its first events (a whole run, when one is opened from a file); returns its id."""
        run = secrets.token_urlsafe(16)
        with self._writing() as base:
            for event in events:
                _insert(base, run, _dated(event))
        return run

    def append(self, run: str, record: Record) -> Event:
        """Commits one event.

        Raises:
            NoSuchRun: the journal has no such run.
            AlreadyCalled: the record announces a call that was announced before.

        """
        return self.decide(run, lambda _: record)

    def decide(self, run: str, make: Callable[[Sequence[Event]], Record]) -> Event:
        """Commits the event that ``make`` returns for the run as it stands; nobody can write in between."""
        with self._writing() as base:
            event = _dated(make(_read(base, run)))
            _insert(base, run, event)
        return event

    def events(self, run: str) -> tuple[Event, ...]:
        """All events of a run, in their order.

        Raises:
            NoSuchRun: the journal has no such run.

        """
        if not self.path.exists():
            raise NoSuchRun
        with closing(self._connected()) as base:
            return _read(base, run)

    def length(self, run: str) -> int:
        """How many events a run has; 0 for none. It only grows, so it says whether anything is new."""
        if not self.path.exists():
            return 0
        with closing(self._connected()) as base:
            found: int = base.execute("SELECT count(*) FROM events WHERE run = ?", (run,)).fetchone()[0]
            return found

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with closing(self._connected()) as base:
            base.executescript(_SCHEMA)
            base.execute("BEGIN IMMEDIATE")
            try:
                yield base
            except BaseException:
                base.execute("ROLLBACK")
                raise
            base.execute("COMMIT")

    def _connected(self) -> sqlite3.Connection:
        base = sqlite3.connect(self.path, timeout=_PATIENCE, isolation_level=None)
        _make_wal(base)
        # FULL: a commit is on the disk, not only with the operating system, before it is told
        base.execute("PRAGMA synchronous = FULL")
        return base


def _make_wal(base: sqlite3.Connection) -> None:
    """Turns a new file to WAL. Two that do so at the same moment get "locked" at once: SQLite does not wait here."""
    end = time.monotonic() + _PATIENCE
    while base.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        try:
            base.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError:
            if time.monotonic() > end:
                raise
            time.sleep(0.01)


def is_run_id(text: str) -> bool:
    """Whether a text has the form of a run's id."""
    return _ID.fullmatch(text) is not None


def _dated(event: Event | Record) -> Event:
    return event if isinstance(event, Event) else Event(at=datetime.now(UTC), what=event)


def _insert(base: sqlite3.Connection, run: str, event: Event) -> None:
    what = event.what
    once = None
    if isinstance(what, Called):
        once = f"{what.purpose.value} {what.unit} {what.attempt}"
    elif isinstance(what, Began):
        once = "began"
    try:
        base.execute(
            "INSERT INTO events (run, once, event) VALUES (?, ?, ?)",
            (run, once, json.dumps(event.model_dump(mode="json", by_alias=True), ensure_ascii=False)),
        )
    except sqlite3.IntegrityError as error:
        raise AlreadyCalled(f"{once} was begun before") from error


def _read(base: sqlite3.Connection, run: str) -> tuple[Event, ...]:
    try:
        rows = base.execute("SELECT event FROM events WHERE run = ? ORDER BY place", (run,)).fetchall()
    except sqlite3.OperationalError as error:
        if "no such table" in str(error):
            raise NoSuchRun from error
        raise
    if not rows:
        raise NoSuchRun
    return tuple(Event.model_validate_json(row[0]) for row in rows)

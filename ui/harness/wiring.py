"""What the page is plugged into: the journal on this server, the runs under way, and how a client is made.

The key is in none of it. A launcher of a test puts a client with another address, and another journal, in here before
the app starts; the app itself has no setting for either.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import streamlit as st
from pydantic import SecretStr

from evalcore.generation.calls.client import Client
from evalcore.generation.calls.runner import Pauses, Runner, Work
from evalcore.generation.limits import Limits
from evalcore.generation.store.journal import Journal
from evalcore.generation.store.lock import Busy
from evalcore.generation.store.run import Run
from evalcore.generation.topics import Materials
from ui import cached


@dataclass
class Wiring:
    """Set once, before the first page; ``client`` makes a client from a key."""

    folder: Path = Path(__file__).resolve().parents[2] / "var"
    client: Callable[[SecretStr], Client] = Client
    pauses: Pauses = field(default_factory=Pauses)


WIRING = Wiring()
_MOST_KEPT = 8


class UnderWay:
    """The runs that this server is asking for, shared by all tabs."""

    def __init__(self) -> None:
        self._runners: dict[str, Runner] = {}
        self._lock = threading.Lock()

    def start(self, run: str, key: SecretStr, work: list[Work]) -> bool:
        """Begins, unless it is under way already; says whether it did. The key goes to the client and nowhere else."""
        with self._lock:
            if self.alive(run):
                return False
            runner = Runner(
                journal(), run, partial(WIRING.client, key), Limits.of(), WIRING.folder / "locks", WIRING.pauses
            )
            try:
                runner.start(work)
            except Busy:
                return False
            self._runners = {name: other for name, other in self._runners.items() if other.alive} | {run: runner}
            return True

    def stop(self, run: str) -> None:
        """Ends its calls at once."""
        runner = self._runners.get(run)
        if runner is not None:
            runner.stop()
            runner.join(5)

    def alive(self, run: str) -> bool:
        """Whether it is being asked for."""
        runner = self._runners.get(run)
        return runner is not None and runner.alive


@st.cache_resource(show_spinner=False)
def under_way() -> UnderWay:
    """The one register of this server."""
    return UnderWay()


def journal() -> Journal:
    """The journal of this server."""
    return Journal(WIRING.folder / "harness.sqlite3")


def read_run(run: str) -> Run:
    """A run as the journal has it now.

    Raises:
        NoSuchRun: the journal has no such run.

    """
    return _kept().read(run)


def materials() -> Materials:
    """The eight topics with their passages."""
    return Materials.of(cached.corpus())


class _Kept:
    """The runs read last, each in its newest state only: an event that is there never changes, so its number tells."""

    def __init__(self) -> None:
        self._runs: dict[tuple[Path, str], tuple[int, Run]] = {}
        self._lock = threading.Lock()

    def read(self, run: str) -> Run:
        """A run as the journal has it now."""
        key, length = (WIRING.folder, run), journal().length(run)
        with self._lock:
            held = self._runs.pop(key, None)
        if held is None or held[0] != length:
            events = journal().events(run)
            held = len(events), Run(events)
        with self._lock:
            self._runs[key] = held
            while len(self._runs) > _MOST_KEPT:
                self._runs.pop(next(iter(self._runs)))
        return held[1]


@st.cache_resource(show_spinner=False)
def _kept() -> _Kept:
    return _Kept()

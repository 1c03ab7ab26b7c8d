"""A run at the fake server: the whole Runner with the real SDK, few topics, short pauses."""

import time
from collections import Counter
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path

from evalcore.generation.calls.client import Client
from evalcore.generation.calls.key import read_key
from evalcore.generation.calls.outcomes import Outcome
from evalcore.generation.calls.runner import Pauses, Runner
from evalcore.generation.limits import Limits
from evalcore.generation.setup import Settings, begin, packs_to_write
from evalcore.generation.store.events import Called, Checked, Ended, Purpose, Stopped
from evalcore.generation.store.journal import Journal
from evalcore.generation.store.run import Run
from evalcore.generation.topics import Materials
from evalcore.retrieval.corpus import Corpus
from tests.generation.fake_server import FakeAPI

CANARY = "sk-ant-canary-0123456789abcdefghij"
SHORT, NO_RETRY = Pauses((0.01, 0.01, 0.01)), Pauses(())
PRICED, UNPRICED, NO_TEMPERATURE = "claude-haiku-4-5", "claude-lab-preview", "claude-haiku-5-5"
LONG = 60.0


@cache
def materials():
    return Materials.of(Corpus.load())


@cache
def limits():
    return Limits.of()


def settings(**more):
    return Settings(**({"model": PRICED} | more))


@dataclass
class Bench:
    """One run in one folder, and what was seen of it."""

    folder: Path
    api: FakeAPI
    topics: int = 8
    chosen: Settings = field(default_factory=settings)
    deadline: float = 30.0
    run: str = ""

    def __post_init__(self):
        if not self.run:
            first = begin(self.chosen, materials(), limits())
            self.run = self.journal.begin([first.model_copy(update={"topics": first.topics[: self.topics]})])

    @property
    def journal(self):
        return Journal(self.folder / "journal" / "h.sqlite3")

    @property
    def locks(self):
        return self.folder / "journal" / "locks"

    @property
    def connect(self):
        return partial(Client, read_key(CANARY), self.api.url, deadline=self.deadline)

    @property
    def now(self):
        return Run(self.journal.events(self.run))

    def script(self, topic, *steps):
        self.api.script(f"Topic: {self.now.topics[topic].title}", *steps)

    def runner(self, pauses=SHORT, **more):
        given = {"journal": self.journal, "run": self.run, "connect": self.connect, "limits": limits()}
        return Runner(**(given | {"locks": self.locks, "pauses": pauses} | more))

    def go(self, pauses=SHORT, work=None, **more):
        """Runs what is open to its end."""
        runner = self.runner(pauses, **more)
        runner.start(packs_to_write(self.now) if work is None else work)
        finished(runner)
        assert runner._error is None, runner._error
        return self.now

    def started(self, pauses=SHORT, **more):
        runner = self.runner(pauses, **more)
        runner.start(packs_to_write(self.now))
        return runner

    def asked(self):
        """Topic id to how many requests about it reached the server."""
        titles = {f"Topic: {t.title}\n": t.id for t in self.now.topics.values()}
        return Counter(
            next(topic for mark, topic in titles.items() if mark in seen.body["messages"][0]["content"])
            for seen in self.posts()
        )

    def posts(self):
        return [seen for seen in self.api.requests if seen.method == "POST"]


def finished(runner, within=LONG):
    runner.join(within)
    assert not runner.alive


def until(true, within=20.0):
    """Waits for a state, not for a time."""
    end = time.monotonic() + within
    while not true():
        assert time.monotonic() < end, "it never came about"
        time.sleep(0.005)


def of_kind(run, kind):
    return [e.what for e in run.events if isinstance(e.what, kind)]


def calls(run):
    return of_kind(run, Called)


def ends(run):
    return of_kind(run, Ended)


def stops(run):
    return of_kind(run, Stopped)


def checks(run):
    return of_kind(run, Checked)


def outcomes(run):
    return {topic: end.outcome for topic, end in run.outcomes.items()}


def every_call_has_one_end(run):
    """And an end without a call is one of the spend cap's, which sent nothing."""
    of_calls = [(c.purpose, c.unit, c.attempt) for c in calls(run)]
    of_ends = [(e.purpose, e.unit, e.attempt) for e in ends(run)]
    assert len(set(of_calls)) == len(of_calls)
    assert len(set(of_ends)) == len(of_ends)
    assert set(of_calls) <= set(of_ends)
    unsent = [e for e in ends(run) if (e.purpose, e.unit, e.attempt) not in set(of_calls)]
    assert all(e.outcome is Outcome.SPEND_LIMIT for e in unsent)


def of_topic(run, topic):
    return run.of(Purpose.GENERATE, topic)

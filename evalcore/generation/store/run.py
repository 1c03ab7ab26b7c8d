"""A run as its events say it is: attempts, packs, checks and what was spent. Computed, never stored."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from evalcore.generation.calls.outcomes import Outcome
from evalcore.generation.calls.prompt import NotAsAsked, read_pack
from evalcore.generation.checks.findings import Finding
from evalcore.generation.items import PLANNED_ITEMS, Item, item_ids
from evalcore.generation.store.events import (
    Began,
    Called,
    Checked,
    Ended,
    Event,
    Purpose,
    StoredTopic,
)

Unit = tuple[Purpose, str]


class Damaged(ValueError):
    """The events are not those of a run; the message says what is wrong."""


class Standing(Enum):
    """Where a topic is; the value is the word on screen."""

    WAITING = "waiting"
    UNDER_WAY = "under way"
    READY = "ready"
    FAILED = "no valid output"
    OPEN = "can be run again"


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt: the call that was announced, and how it ended. Without a call, none was sent."""

    number: int
    called: Event | None
    ended: Event | None

    @property
    def end(self) -> Ended | None:
        """How it ended; None while under way."""
        return None if self.ended is None or not isinstance(self.ended.what, Ended) else self.ended.what

    @property
    def call(self) -> Called | None:
        """What was sent; None when nothing was."""
        return None if self.called is None or not isinstance(self.called.what, Called) else self.called.what


@dataclass(frozen=True)
class Run:
    """A run by its events.

    Raises:
        Damaged: the first event does not begin a run, or a valid answer in it cannot be read.

    """

    events: tuple[Event, ...]

    def __post_init__(self) -> None:
        if not self.events or not isinstance(self.events[0].what, Began):
            raise Damaged("the first event does not begin a run")
        if any(isinstance(event.what, Began) for event in self.events[1:]):
            raise Damaged("a run begins twice")
        _ = self.packs

    @property
    def began(self) -> Began:
        """How it was set up."""
        first = self.events[0].what
        if not isinstance(first, Began):
            raise Damaged("the first event does not begin a run")
        return first

    @cached_property
    def topics(self) -> dict[str, StoredTopic]:
        """Topic id to topic, in their order."""
        return {t.id: t for t in self.began.topics}

    @cached_property
    def attempts(self) -> dict[Unit, tuple[Attempt, ...]]:
        """Purpose and unit to attempts, in their order."""
        found: dict[Unit, dict[int, Attempt]] = defaultdict(dict)
        for event in self.events:
            what = event.what
            if isinstance(what, Called):
                found[what.purpose, what.unit][what.attempt] = Attempt(what.attempt, event, None)
            elif isinstance(what, Ended):
                of_unit = found[what.purpose, what.unit]
                before = of_unit.get(what.attempt)
                of_unit[what.attempt] = Attempt(what.attempt, before.called if before else None, event)
        return {unit: tuple(attempts[n] for n in sorted(attempts)) for unit, attempts in found.items()}

    def of(self, purpose: Purpose, unit: str) -> tuple[Attempt, ...]:
        """The attempts at one topic, or at judging one item."""
        return self.attempts.get((purpose, unit), ())

    def final(self, purpose: Purpose, unit: str) -> Ended | None:
        """The model's own outcome if there is one, which nothing replaces; else the last one."""
        ends = [a.end for a in self.of(purpose, unit) if a.end is not None]
        own = [end for end in ends if end.outcome.of_model]
        return own[0] if own else ends[-1] if ends else None

    def next_attempt(self, purpose: Purpose, unit: str) -> int:
        """The number of the next attempt, from 1."""
        return 1 + max((a.number for a in self.of(purpose, unit)), default=0)

    @cached_property
    def unfinished(self) -> tuple[Called, ...]:
        """Calls that were announced and have no end: under way, or lost with the server."""
        return tuple(
            a.call for attempts in self.attempts.values() for a in attempts if a.end is None and a.call is not None
        )

    def standing(self, topic: str) -> Standing:
        """Where a topic is."""
        if any(call.purpose is Purpose.GENERATE and call.unit == topic for call in self.unfinished):
            return Standing.UNDER_WAY
        end = self.final(Purpose.GENERATE, topic)
        if end is None:
            return Standing.WAITING
        if end.outcome is Outcome.OK:
            return Standing.READY
        return Standing.FAILED if end.outcome.of_model else Standing.OPEN

    @cached_property
    def outcomes(self) -> dict[str, Ended]:
        """Topic id to how it ended, for the topics that did."""
        ends = {topic: self.final(Purpose.GENERATE, topic) for topic in self.topics}
        return {topic: end for topic, end in ends.items() if end is not None}

    @cached_property
    def packs(self) -> dict[str, tuple[Item, ...]]:
        """Topic id to items, for the topics with valid output, in the topics' order."""
        found = {}
        for topic, end in self.outcomes.items():
            if end.outcome is Outcome.OK:
                try:
                    found[topic] = Item.of(topic, read_pack(end.text or ""))
                except NotAsAsked as problem:
                    raise Damaged(f"topic {topic}: the answer that counts as valid is not: {problem}") from None
        return found

    @cached_property
    def items(self) -> dict[str, Item]:
        """Item id to item, in topic order, then item order."""
        return {item.id: item for pack in self.packs.values() for item in pack}

    @property
    def planned_items(self) -> int:
        """How many items were asked for."""
        return PLANNED_ITEMS * len(self.topics)

    @cached_property
    def possible_items(self) -> tuple[str, ...]:
        """Items that are there, and those that topics without an outcome of the model's own may still bring."""
        to_come = (Standing.WAITING, Standing.UNDER_WAY, Standing.OPEN)
        return tuple(
            name
            for topic in self.topics
            if topic in self.packs or self.standing(topic) in to_come
            for name in item_ids(topic)
        )

    @cached_property
    def findings(self) -> dict[str, tuple[Finding, ...]]:
        """Item id to its checks; the last ones, since an earlier topic may have arrived after a later one."""
        return {e.what.item: e.what.findings for e in self.events if isinstance(e.what, Checked)}

    @cached_property
    def models(self) -> tuple[str, ...]:
        """The models that answered, as they signed; the one that was asked when none has."""
        signed = dict.fromkeys(end.model for end in self.outcomes.values() if end.model and end.outcome.of_model)
        return tuple(signed) or (self.began.model,)

    @property
    def date(self) -> str:
        """The day on which it began."""
        return self.events[0].at.date().isoformat()

    @cached_property
    def spent(self) -> float:
        """USD of the calls whose cost is known."""
        return sum(end.cost_usd for end in self._ends if end.cost_usd is not None)

    @cached_property
    def of_unknown_cost(self) -> int:
        """Calls that were sent and whose cost is not known; each may have been billed."""
        sent = [a for attempts in self.attempts.values() for a in attempts if a.call is not None]
        return sum(1 for a in sent if a.end is not None and a.end.cost_usd is None and _may_be_billed(a.end))

    @property
    def _ends(self) -> Sequence[Ended]:
        return [a.end for attempts in self.attempts.values() for a in attempts if a.end is not None]


def _may_be_billed(end: Ended) -> bool:
    """An error of the service is not billed; an answer is, and what was cut off on the way may be."""
    return end.outcome.of_model or end.outcome in (Outcome.STOPPED, Outcome.NETWORK)

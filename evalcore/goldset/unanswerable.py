"""The unanswerable slice: near questions that no section answers, with the readings that establish it.

Everything lies in gold/unanswerable: the plan, all drafts, what two readers said of each, the questions chosen by the
plan's rule, and off-topic questions that are shown for contrast and never counted.
"""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from pydantic import TypeAdapter

from evalcore.files import reading
from evalcore.goldset.schema import GOLD, Chapter, Kind, Record, Text, read_lines

Gap = Literal["undefined term", "one step beyond", "missing number"]
READERS = ("a", "b")


class NearDraft(Record):
    """A near question as its author wrote it, from titles and words alone."""

    draft: Text
    chapter: Chapter
    type: Kind
    gap: Gap
    text: Text


class NearQuestion(Record):
    """An unanswerable question of the study: the draft that it is, word for word, and the sections read for it."""

    id: Text
    chapter: Chapter
    type: Kind
    gap: Gap
    text: Text
    draft: Text
    sections_read: tuple[Text, ...]
    nearest: tuple[Text, ...]


class BookReading(Record):
    """One question read against the whole book: answered or not, where the text comes nearest, and what is missing.

    ``question`` is a draft, or one of the 40 answerable questions that were mixed in unmarked as a control.
    """

    question: Text
    reader: Literal["a", "b"]
    pack: Text
    item: Text
    answered: bool
    sections: tuple[Text, ...]
    quote: Text
    note: Text
    sections_read: tuple[Text, ...]
    read_by: Text
    date: Text


class OffTopic(Record):
    """A question about something else: for contrast, never counted."""

    id: Text
    text: Text


@dataclass(frozen=True)
class Slice:
    """The unanswerable slice as it stands on disk; each file is read when it is first asked for."""

    folder: Path = GOLD / "unanswerable"

    @cached_property
    def plan(self) -> dict[str, Any]:
        """The declaration that came before the drafts."""
        path = self.folder / "plan.toml"
        with reading(path):
            return tomllib.loads(path.read_text(encoding="utf-8"))

    @cached_property
    def drafts(self) -> list[NearDraft]:
        """All drafted questions, in the order in which they were drafted."""
        return read_lines(self.folder / "drafts.jsonl", NearDraft)

    @cached_property
    def readings(self) -> list[BookReading]:
        """What each reader said of each question."""
        return read_lines(self.folder / "readings.jsonl", BookReading)

    @cached_property
    def questions(self) -> list[NearQuestion]:
        """The unanswerable questions of the study."""
        return read_lines(self.folder / "questions.jsonl", NearQuestion)

    @cached_property
    def off_topic(self) -> list[OffTopic]:
        """Off-topic questions."""
        return read_lines(self.folder / "off_topic.jsonl", OffTopic)

    @cached_property
    def items(self) -> dict[str, str]:
        """Item of a pack to the question that it is."""
        path = self.folder / "packs" / "key.json"
        with reading(path):
            return TypeAdapter(dict[str, str]).validate_json(path.read_bytes())

    @cached_property
    def of_question(self) -> dict[str, dict[str, BookReading]]:
        """Question to reader to what that reader said."""
        found: dict[str, dict[str, BookReading]] = defaultdict(dict)
        for r in self.readings:
            found[r.question][r.reader] = r
        return dict(found)


def unanswered(said: Mapping[str, BookReading]) -> bool:
    """Whether both readers read the question and neither found an answer."""
    return set(said) == set(READERS) and not any(r.answered for r in said.values())


def select(drafts: Sequence[NearDraft], said: Mapping[str, Mapping[str, BookReading]], plan: Any) -> list[NearDraft]:
    """The plan's rule: per chapter the first that neither reader found answered.

    Where a type or a gap would fall below its minimum, the last chosen one that can be spared makes room for the first
    later one of its chapter that fills the want.
    """
    rules = plan["questions"]
    left = [d for d in drafts if unanswered(said.get(d.draft, {}))]
    chosen = []
    for chapter, count in rules["by_chapter"].items():
        chosen += [d for d in left if d.chapter == chapter][:count]
    least = [("type", kind, rules["at_least_of_each_type"]) for kind in rules["types"]]
    least += [("gap", gap, rules["at_least_of_each_gap"]) for gap in rules["gaps"]]
    for want in range(len(least)):
        while _missing(chosen, least)[want] and (swap := _swap(chosen, left, want, least)) is not None:
            out, into = swap
            chosen[chosen.index(out)] = into
    order = {d.draft: i for i, d in enumerate(drafts)}
    return sorted(chosen, key=lambda d: order[d.draft])


def _missing(chosen: Sequence[NearDraft], least: Sequence[tuple[str, str, int]]) -> list[int]:
    """How many questions each minimum still wants."""
    return [max(0, minimum - sum(getattr(d, field) == value for d in chosen)) for field, value, minimum in least]


def _swap(
    chosen: list[NearDraft], left: list[NearDraft], want: int, least: list[tuple[str, str, int]]
) -> tuple[NearDraft, NearDraft] | None:
    """The first later draft that fills the want, for the last chosen one that no other minimum misses then."""
    field, value, _ = least[want]
    before = _missing(chosen, least)
    for into in left:
        if into in chosen or getattr(into, field) != value:
            continue
        for out in reversed([d for d in chosen if d.chapter == into.chapter]):
            after = _missing([*(d for d in chosen if d is not out), into], least)
            if after[want] < before[want] and all(a <= b for a, b in zip(after, before, strict=True)):
                return out, into
    return None

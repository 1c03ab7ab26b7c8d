"""What a model is asked for: a pack of items on one topic, each with the passages that it cites."""

from __future__ import annotations

import string
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field

MULTIPLE_CHOICE, SHORT_ANSWER = 4, 3
PLANNED_ITEMS = MULTIPLE_CHOICE + SHORT_ANSWER


class Kind(Enum):
    """The two kinds of item; the value is the word on screen."""

    CHOICE = "multiple choice"
    SHORT = "short answer"


# Longer is no question for revision, and the checks, which try every pair of numbers, would take minutes over it.
LONGEST_TEXT, MOST_PARTS = 2_000, 20
_Text = Annotated[str, Field(max_length=LONGEST_TEXT)]
_Texts = Annotated[list[_Text], Field(max_length=MOST_PARTS)]


class _Answer(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class ChoiceAnswer(_Answer):
    """A multiple-choice item as the model writes it; ``key`` is the letter of the right option."""

    question: _Text
    options: _Texts
    key: _Text
    citations: _Texts


class ShortAnswer(_Answer):
    """A short-answer item as the model writes it."""

    question: _Text
    answer: _Text
    citations: _Texts


class PackAnswer(_Answer):
    """The whole answer on one topic."""

    multiple_choice: list[ChoiceAnswer]
    short_answer: list[ShortAnswer]


def item_ids(topic: str) -> tuple[str, ...]:
    """The ids of the items that are asked for on a topic."""
    choices = [f"{topic}-m{i}" for i in range(1, MULTIPLE_CHOICE + 1)]
    return (*choices, *(f"{topic}-s{i}" for i in range(1, SHORT_ANSWER + 1)))


@dataclass(frozen=True, slots=True)
class Item:
    """One item of a pack. ``options`` is empty, and ``key`` the answer itself, where the kind is short answer.

    ``id`` is unique in a run: the topic's id, then m1 to m4 or s1 to s3.
    """

    id: str
    topic: str
    kind: Kind
    question: str
    options: tuple[str, ...]
    key: str
    citations: tuple[str, ...]

    @classmethod
    def of(cls, topic: str, answer: PackAnswer) -> tuple[Self, ...]:
        """The items of a pack with the counts asked for, multiple choice first, in the model's order."""
        names = iter(item_ids(topic))
        choices = [
            cls(next(names), topic, Kind.CHOICE, a.question, tuple(a.options), a.key, tuple(a.citations))
            for a in answer.multiple_choice
        ]
        shorts = [
            cls(next(names), topic, Kind.SHORT, a.question, (), a.answer, tuple(a.citations))
            for a in answer.short_answer
        ]
        return (*choices, *shorts)

    @property
    def key_index(self) -> int | None:
        """Which option the key names, from 0; None when it names none. Letter case and a closing mark do not matter."""
        letter = self.key.strip().rstrip(".):").upper()
        if self.kind is Kind.SHORT or len(letter) != 1 or letter not in string.ascii_uppercase:
            return None
        place = string.ascii_uppercase.index(letter)
        return place if place < len(self.options) else None

    @property
    def answer(self) -> str | None:
        """The text of the right answer; None when the key names no option."""
        if self.kind is Kind.SHORT:
            return self.key
        return None if self.key_index is None else self.options[self.key_index]

    @property
    def distractors(self) -> tuple[str, ...]:
        """The options that are not the key; all of them when the key names none."""
        return tuple(o for i, o in enumerate(self.options) if i != self.key_index)

    @property
    def claim(self) -> str:
        """What the item asserts: its question and its right answer. Distractors are meant to be wrong."""
        return self.question if self.answer is None else f"{self.question} {self.answer}"

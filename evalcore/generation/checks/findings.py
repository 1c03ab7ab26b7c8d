"""What a check says of an item: a mark, and the evidence for it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Mark(Enum):
    """How a check came out; the value is the word on screen. Only a pass is a pass."""

    PASS = "pass"
    FAIL = "fail"
    DERIVED = "derived"
    DOES_NOT_APPLY = "does not apply"


class Check(Enum):
    """The checks, in the order in which they are shown; the value names a check in files."""

    CITES = "cites a retrieved passage"
    CITATIONS = "every citation is a retrieved passage"
    NUMBERS = "numbers are in the cited passages"
    WORDS = "content words are in the cited passages"
    KEY = "key is in the cited passages"
    OPTIONS = "four distinct options and a valid key"
    DISTRACTORS = "distractors on topic and of similar length"
    DUPLICATE = "no near-duplicate of an earlier item"


# What the automatic support check is made of: an item is supported when all of these pass.
SUPPORT = (Check.CITES, Check.CITATIONS, Check.NUMBERS, Check.WORDS, Check.KEY)
# Checks of an item's options: they do not apply to a short answer.
OF_OPTIONS = (Check.OPTIONS, Check.DISTRACTORS)


@dataclass(frozen=True, slots=True)
class Matched:
    """One word, number or option that was looked for: where it was found, or why it was not."""

    looked_for: str
    found: bool
    where: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """One check of one item: ``says`` is the verdict in a sentence, ``evidence`` what it rests on."""

    check: Check
    mark: Mark
    says: str
    evidence: tuple[Matched, ...] = ()

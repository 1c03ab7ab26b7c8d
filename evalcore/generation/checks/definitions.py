"""The published definition of each check, with its thresholds in words."""

from __future__ import annotations

from evalcore.generation.checks.findings import Check
from evalcore.generation.checks.key_check import SHORT
from evalcore.generation.checks.options import BRIEF
from evalcore.generation.limits import Limits

_SHARES = {0.25: "a quarter", 1 / 3: "a third", 0.5: "half", 2 / 3: "two thirds", 0.75: "three quarters"}
_COUNTS = dict(enumerate(["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]))


def _share(value: float) -> str:
    return _SHARES.get(value, f"{100 * value:g} %")


def _count(value: int) -> str:
    return _COUNTS.get(value, str(value))


def definitions(limits: Limits) -> dict[Check, str]:
    """What each check asks of an item, in one or two sentences."""
    allowed = limits.numbers_not_found
    numbers = "Every number" if not allowed else f"Every number, but for at most {_count(allowed)},"
    words = "word" if limits.shared_words == 1 else "words"
    return {
        Check.CITES: "At least one citation names a retrieved passage.",
        Check.CITATIONS: (
            "There is at least one citation, and each names a retrieved passage; "
            "letter case and brackets do not matter."
        ),
        Check.NUMBERS: (
            f"{numbers} of the question and its right answer is in the cited passages, with its unit (percent or "
            "currency), as stated or rounded from more digits. A number computed from stated ones is derived, which is "
            "not a pass."
        ),
        Check.WORDS: (
            f"At least {_share(limits.content_share)} of the distinct content words of the question and its right "
            "answer are in the cited passages, by stem."
        ),
        Check.KEY: (
            f"Each number of the right answer is in the cited passages, and at least {_share(limits.key_share)} of "
            f"its content words are in one of them: all of them where there are at most {_count(SHORT)} or only "
            "symbols. A bare yes or no has nothing to look for and does not pass."
        ),
        Check.OPTIONS: (
            f"There are exactly {_count(limits.options)} options, none empty and no two equal apart from letter case, "
            "spaces, punctuation and number format, and the key names one of them."
        ),
        Check.DISTRACTORS: (
            f"Each wrong option shares at least {_count(limits.shared_words)} content {words} with the question, the "
            "key or the retrieved passages (or is a number or symbol like the key), and is between "
            f"{limits.shortest_distractor:g} and {limits.longest_distractor:g} times as long as the key. Length is "
            f"not judged where all options have at most {BRIEF} characters."
        ),
        Check.DUPLICATE: (
            f"No earlier item has both a similar question (at least {_share(limits.duplicate_jaccard)} of all distinct "
            "content words and numbers of the two are shared) and the same answer."
        ),
    }

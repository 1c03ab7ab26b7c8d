"""The check of numbers: every number of an item's claim stands in the cited passages, by value and unit."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evalcore.generation.checks.citations import cited
from evalcore.generation.checks.derived import derivation, rounds_to
from evalcore.generation.checks.findings import Check, Finding, Mark, Matched
from evalcore.generation.checks.numbers import EXACT, Number, numbers
from evalcore.generation.items import Item
from evalcore.generation.limits import Limits

# Beyond these a derivation is not looked for: a passage of the text has under a hundred numbers, an item a few, and
# every pair of the one is tried for each of the other.
_MOST_STATED, _MOST_SOUGHT = 150, 12
_DIVISION = re.compile(r"(?<=[0-9])[ ]*/[ ]*(?=[0-9])")


@dataclass(frozen=True, slots=True)
class Sought:
    """One number that was looked for: PASS when stated, DERIVED when it follows from stated ones, FAIL when neither."""

    mark: Mark
    evidence: Matched


def sought(texts: Sequence[str], passages: Mapping[str, str]) -> tuple[Sought, ...]:
    """Each distinct number of the texts, looked for in the passages: as stated, then as rounded, then as derived."""
    stated = {name: mentions(passage) for name, passage in passages.items()}
    distinct: dict[object, Number] = {}
    for n in (n for text in texts for n in numbers(text)):
        distinct.setdefault((n.value, n.unit, n.decimals), n)
    few = len(distinct) <= _MOST_SOUGHT
    return tuple(_look(n, stated, derive=few) for n in distinct.values())


def mentions(passage: str) -> tuple[Number, ...]:
    """What a passage states. A fraction in digits, "151/15" or "151 / 15", states its two parts as well as its value.

    The value of a division written with spaces counts only where an item writes the fraction; a quotient worked out
    from it is derived.
    """
    found = numbers(_DIVISION.sub(" / ", passage))
    joined = numbers(_DIVISION.sub("/", passage))
    return (*found, *(n for n in joined if "/" in n.text))


def _look(number: Number, stated: Mapping[str, Sequence[Number]], *, derive: bool) -> Sought:
    if "/" not in number.text:
        stated = {name: [n for n in found if "/" not in n.text] for name, found in stated.items()}
    same = [name for name, found in stated.items() if any(_equal(number, n) for n in found)]
    if same:
        return Sought(Mark.PASS, Matched(number.text, True, ", ".join(same)))
    for name, found in stated.items():
        for n in found:
            if rounded_from(number, n):
                return Sought(Mark.PASS, Matched(number.text, True, f"{name}, rounded from {n.text}"))
    for name, found in stated.items():
        how = derivation(number, found) if derive and len(found) <= _MOST_STATED else None
        if how is not None:
            return Sought(Mark.DERIVED, Matched(number.text, False, f"derived: {how} ({name})"))
    where = "in none of the cited passages" if stated else "no retrieved passage is cited"
    return Sought(Mark.FAIL, Matched(number.text, False, where))


def _equal(a: Number, b: Number) -> bool:
    return a.value == b.value and a.unit == b.unit


def rounded_from(number: Number, stated: Number) -> bool:
    """Whether the number is a stated one with more digits, rounded half up or half to even; units have to be equal.

    A whole number below ten and a number in words have to be stated themselves: "3" is not taken for a rounded 2.8,
    since among the decimals of a passage almost every small count could be found.
    """
    if number.unit != stated.unit or number.decimals >= min(stated.decimals, EXACT):
        return False
    if not any(c.isdigit() for c in number.text) or (abs(number.value) < 10 and number.decimals <= 0):
        return False
    return number.value != 0 and rounds_to(stated.value, number)


def number_check(item: Item, retrieved: Mapping[str, str], limits: Limits) -> Finding:
    """Every number of the question and the right answer stands in the cited retrieved passages, by value and unit.

    A stated number with more digits, rounded to the item's last digit, counts as found. A sum, difference, product or
    ratio of two numbers of one cited passage, or a change between percent and proportion, is derived: no pass, and
    counted apart (looked for where the item has at most 12 numbers and the passage at most 150). An item without
    numbers passes.
    """
    # question and answer are read apart: joined, a question that ends in a number would make "−5" a range
    looked = sought([item.question, item.answer or ""], cited(item, retrieved))
    evidence = tuple(s.evidence for s in looked)
    if not looked:
        return Finding(Check.NUMBERS, Mark.PASS, "The question and its answer have no number.")
    missing = sum(s.mark is Mark.FAIL for s in looked)
    derived = sum(s.mark is Mark.DERIVED for s in looked)
    if missing + derived <= limits.numbers_not_found:
        mark = Mark.PASS
    else:
        # the numbers that follow from stated ones decide only where too many missing ones do not
        mark = Mark.FAIL if missing > limits.numbers_not_found else Mark.DERIVED
    counts = f"{len(looked) - missing - derived} of {len(looked)} numbers are in the cited passages"
    parts = [counts] + [f"{derived} derived"] * bool(derived) + [f"{missing} missing"] * bool(missing)
    return Finding(Check.NUMBERS, mark, ", ".join(parts) + ".", evidence)

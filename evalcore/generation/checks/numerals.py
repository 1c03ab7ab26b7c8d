"""Numbers spelled out in words: the grammar that the tokenizer looks for, and the value of what it finds."""

from __future__ import annotations

import re
from fractions import Fraction

_UNITS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
_TEENS = ["ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_VALUES = {word: i for i, word in enumerate(_UNITS + _TEENS)} | {word: 20 + 10 * i for i, word in enumerate(_TENS)}
SCALES = {"hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12}
_PARTS = {
    "half": 2,
    "third": 3,
    "quarter": 4,
    "fifth": 5,
    "sixth": 6,
    "seventh": 7,
    "eighth": 8,
    "ninth": 9,
    "tenth": 10,
}
_PLURALS = {"halves": 2} | {f"{word}s": n for word, n in _PARTS.items() if word != "half"}

# "one" is mostly a pronoun; before one of these it counts something.
_COUNTED = (
    r"second|minute|hour|day|week|month|year|point|degree|metre|meter|gram|kilogram|litre|liter|mile|euro|dollar"
    r"|cm|mm|km|kg|standard\s+(?:deviation|error)"
)
_SMALL = (
    rf"(?:(?:{'|'.join(_TENS)})(?:[\s-](?:{'|'.join(_UNITS[1:])}))?|{'|'.join(sorted(_TEENS + _UNITS, key=len)[::-1])})"
)
_HUNDREDS = rf"(?:(?:{_SMALL}|a)\s+hundred(?:\s+(?:and\s+)?{_SMALL})?|{_SMALL})\b"
_LARGE = "thousand|million|billion|trillion"
_GROUP = rf"\s+(?:{_LARGE})\b(?:\s+(?:and\s+)?{_HUNDREDS})?"
_ONE_ALONE = rf"one\b(?![\s-]+(?:hundred|{_LARGE}|{'|'.join(_PARTS)}|percent|per\s+cent|{_COUNTED})\b)(?!\s?%)"
FRACTION = (
    rf"\b(?:one[\s-](?:{'|'.join(_PARTS)})|{_SMALL}[\s-](?:{'|'.join(_PLURALS)})"
    r"|a\s+half|a\s+(?:third|quarter|fifth|tenth)(?=\s+of\b))\b"
)
WHOLE = rf"\b(?!{_ONE_ALONE})(?:{_HUNDREDS}|a(?=\s+(?:{_LARGE})\b))(?:{_GROUP})*"


def fraction(text: str) -> Fraction:
    """The value of a fraction in words: "two thirds", "three-quarters", "a half"."""
    *count, part = re.split(r"[\s-]+", text.lower())
    top = 1 if count == ["a"] else sum(_VALUES[word] for word in count)
    return Fraction(top, (_PARTS | _PLURALS)[part])


def whole(text: str) -> int:
    """The value of a whole number in words: "twenty-five", "two hundred and fifty", "a thousand"."""
    total = group = 0
    for word in re.split(r"[\s-]+", text.lower()):
        if word == "hundred":
            group *= 100
        elif word in SCALES:
            total, group = total + group * 10 ** SCALES[word], 0
        elif word != "and":
            group += 1 if word == "a" else _VALUES[word]
    return total + group

"""The number tokenizer: one reading of digits and number words, for items and for passages.

What is read: whole and decimal numbers with separators of thousands ("1,200" and 1200 are one value; "18,19,20" and
"18, 19, 20" are lists of three), signs, percent, currency, scale words ("3.5 million", "$35M"), powers of ten
("1.2e-3", "1.2 × 10^-3", "10³"), fractions ("2/3", "two thirds") and numbers in words ("twenty-five").

A hyphen or minus is a sign where it stands before a digit, at the start or after a space, bracket or operator, but
not after a number: 18-25, 18–25, 18 - 25 and 18 -25 are 18 and 25. Only percent and currency are units; a word such as
"minutes" is not compared. Years and the parts of a date or a time are plain numbers.

What is no number: ordinals ("first", "25th", also in "25th percentile"), list markers and heading numbers, section and
version numbers ("2.1.3", "Table 4"), anything in a word with a letter before its digit ("Q1", "s01-c03", "x2"),
exponents of letters ("r²", "r^2"), a superscript after a number other than 10 ("36.5²" is 36.5), runs of more than 30
digits, bare "half", and "one" unless it counts ("one hundred", "one third", "one %", "one minute"). Three-digit
lists without spaces ("100,200") cannot be told from thousands and are read as one number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from evalcore.generation.checks import numerals

# A fraction has no last decimal: its value is exact, and any decimal number may be rounded from it.
EXACT = 99
_SIGNS = "-−–"
_LETTER = r"[^\W\d_]"
_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_ATTACHED_SCALES = {"k": 3, "m": 6, "mn": 6, "b": 9, "bn": 9, "tn": 12}
_CURRENCY_WORDS = {"dollar": "$", "usd": "$", "euro": "€", "eur": "€", "gbp": "£"}

_NO_NUMBER = re.compile(
    rf"""
      ^[ \t]*\(?[0-9]{{1,3}}[.)](?=\s)                                  # list marker
    | ^\#{{1,6}}[ \t]+[0-9]+(?:[.):]|(?:\.[0-9]+)+[.):]?)(?=\s)         # heading number
    | \b(?:section|chapter|figure|fig\.|table|equation|eq\.|passage|question|option|step)[ ]+[0-9]+(?:\.[0-9]+)*\b
    | §\s*[0-9]+(?:\.[0-9]+)*
    | (?<![\w.])[0-9]+(?:\.[0-9]+){{2,}}                                # section or version number
    | {_LETTER}[\u0300-\u036f]*[0-9]\w*(?:[-.]\w*[0-9]\w*)*             # identifier: Q1, s01-c03
    | _\w+
    | (?<![\w.,])[0-9]+(?!e[0-9]{{1,2}}\b){_LETTER}+[0-9]\w*            # identifier: 8f3a
    | (?<=[\w)\]}}\u0300-\u036f])(?<![0-9])\^\{{?[-−+]?[0-9]+\}}?       # exponent of a letter or a bracket
    | [0-9]+(?:,[0-9]{{3}})*(?:st|nd|rd|th)\b                           # ordinal
    | [0-9]{{31,}}
    """,
    re.VERBOSE | re.MULTILINE | re.IGNORECASE,
)
# No text states a longer number; reading one would take time and, beyond the largest float, fail.
_MOST_DIGITS = 30
# How far back a dash looks for what makes it a range.
_BEFORE = 40
_DIGITS = (
    r"(?:(?<![0-9],)[1-9][0-9]{0,2}(?:,[0-9]{3})+(?![0-9]|,[0-9])"
    r"|[1-9][0-9]{0,2}(?:[\u2009\u202f\u00a0][0-9]{3})+(?![0-9])|[0-9]+)(?:\.[0-9]+)?|(?<![0-9.])\.[0-9]+"
)
_POWER = r"\^\{?(?P<caret>[-−+]?[0-9]{1,2})\}?(?![0-9])|(?P<super>[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2})"
_POWER_AFTER = _POWER.replace("caret", "caret2").replace("super", "super2")
_NUMBER = re.compile(
    rf"""
    (?P<fraction>{numerals.FRACTION})
    | (?P<whole>{numerals.WHOLE})
    | (?P<sign>[{_SIGNS}]?)(?:(?P<currency>[$€£])(?P<inner>[{_SIGNS}]?))?
      (?: (?<![0-9./])(?P<top>[0-9]+)/(?P<bottom>0*[1-9][0-9]*)(?![0-9]|[/.][0-9])
        | 10(?:{_POWER})
        | (?P<digits>{_DIGITS})
          (?:[eE](?P<e>[-−+]?[0-9]{{1,2}})(?!\w) | \s*[×x*]\s*10(?:{_POWER_AFTER}))?
      )
      (?:(?<=[0-9])(?P<attached>k|mn?|bn?|tn)\b)?
    """,
    re.VERBOSE | re.IGNORECASE,
)
_AFTER = re.compile(
    rf"""(?:\s+(?P<scale>{"|".join(numerals.SCALES)})\b)?
    (?:(?P<percent>\s?%|[\s-](?:percent(?:age\s+points?)?|per\s+cent)\b)
      | \s?(?P<symbol>[€£])(?!\s?[0-9]) | \s+(?P<word>dollar|euro|usd|eur|gbp)s?\b)?""",
    re.VERBOSE | re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Number:
    """One number: its exact value, its unit ("%", a currency sign or ""), and where and how it stands.

    ``decimals`` is the place of its last digit: 2 for 0.35, -5 for "3.5 million", ``EXACT`` for a fraction.
    """

    value: Fraction
    unit: str
    decimals: int
    text: str
    start: int


@lru_cache(maxsize=1024)
def numbers(text: str) -> tuple[Number, ...]:
    """Every number of a text, in order. Never fails: what cannot be read is no number."""
    found = list(_read(text))
    for i, (low, high) in enumerate(pairwise(found)):
        # "18–25 %" states 18 % and 25 %; "$5–10" states $5 and $10.
        between = text[low.start + len(low.text) : high.start]
        if re.fullmatch(r"\s*[-–—]\s*|\s+to\s+", between):
            if high.unit == "%" and not low.unit:
                found[i] = replace(low, unit="%")
            elif low.unit not in ("", "%") and not high.unit and not between.isspace() and " " not in between:
                found[i + 1] = replace(high, unit=low.unit)
    return tuple(found)


def _read(text: str) -> Iterator[Number]:
    # "#" is no part of any number, and keeps the places of all other characters
    readable = _NO_NUMBER.sub(lambda m: "#" * len(m[0]), text)
    at = 0
    while match := _NUMBER.search(readable, at):
        after = _AFTER.match(readable, match.end())
        at = max(match.end(), after.end() if after else 0)
        start = match.start()
        negative = bool(match["inner"])
        if match["sign"]:
            if _is_sign(readable[max(0, start - _BEFORE) : start]):
                negative = not negative
            else:
                start += 1
        if sum(map(str.isdigit, match[0])) > _MOST_DIGITS:
            continue
        value, decimals = _value(match)
        scale = 0
        unit = match["currency"] or ""
        if unit and match["attached"]:
            scale = _ATTACHED_SCALES[match["attached"].lower()]
        elif match["attached"]:
            # "5 m", "5k" without a currency: a unit that is not compared, so the text after it is not looked at
            at, after = match.end("attached") - len(match["attached"]), None
        if after:
            if after["scale"]:
                scale += numerals.SCALES[after["scale"].lower()]
            if after["percent"] and not unit:
                unit = "%"
            elif not unit:
                unit = after["symbol"] or _CURRENCY_WORDS.get((after["word"] or "").lower(), "")
        exact = decimals == EXACT
        yield Number(
            value * (-1 if negative else 1) * 10**scale,
            unit,
            EXACT if exact else decimals - scale,
            text[start:at],
            start,
        )


def _is_sign(before: str) -> bool:
    """Whether a dash after this text is a sign: not inside a word, and not after a number, which makes it a range."""
    if not before:
        return True
    if before[-1] in "([{\"'“‘=<>≤≥≈≠×*/+,;:|~√":
        return True
    left = before.rstrip()
    return before[-1].isspace() and not (left and (left[-1].isdigit() or left[-1] in "%)]"))


def _value(match: re.Match[str]) -> tuple[Fraction, int]:
    if match["fraction"]:
        return numerals.fraction(match["fraction"]), EXACT
    if match["whole"]:
        return Fraction(numerals.whole(match["whole"])), 0
    if match["top"]:
        return Fraction(int(match["top"]), int(match["bottom"])), EXACT
    digits = re.sub(r"[,\u2009\u202f\u00a0]", "", match["digits"] or "1")
    power = match["e"] or match["caret"] or match["super"] or match["caret2"] or match["super2"] or "0"
    exponent = int(power.replace("−", "-").translate(_SUPERSCRIPT))
    decimals = len(digits.partition(".")[2]) - exponent
    return Fraction(digits) * Fraction(10) ** exponent, decimals

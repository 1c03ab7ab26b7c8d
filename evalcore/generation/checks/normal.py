"""When two answers are the same answer, however they are typed."""

from __future__ import annotations

import re
import unicodedata

from evalcore.generation.checks.numbers import numbers

_LABEL = re.compile(r"\A\s*\(?[A-Ha-h][.):]\s+(?=\S)")
_FORMULA = re.compile(r"[/^*+=<>≤≥≈≠√Σ×]")
# Between two words of at least two letters a dash only joins; beside a digit, bracket or single letter it subtracts.
_MINUS = re.compile(r"(?<![^\W\d_]{2})\s?[-–−]\s?|\s?[-–−]\s?(?![^\W\d_]{2})")


def normal(text: str) -> str:
    """The text without letter case, spaces, punctuation, an option label, and with numbers by value and unit.

    "1,200" is 1200, "0.5" is .5; -5 and 5, x̄ and x, r and r², "<" and ">", 35 % and 35 stay apart. Brackets are
    dropped from words and kept in formulas.
    """
    plain = unicodedata.normalize("NFC", _LABEL.sub("", text, count=1)).replace("µ", "μ")
    plain = re.sub(r"(?<!\s)\s+", lambda m: m[0][0], plain)
    pieces, at = [], 0
    # a number becomes ⟨value unit⟩, so that its digits cannot run into what stands beside it
    for n in numbers(plain):
        pieces += [plain[at : n.start], f"⟨{n.value} {n.unit}⟩"]
        at = n.start + len(n.text)
    plain = _MINUS.sub("−", "".join([*pieces, plain[at:]]))
    brackets = "()[]" if _FORMULA.search(plain) else ""
    return "".join(_folded(c) for c in plain if _kept(c, brackets)).strip()


def _kept(character: str, brackets: str) -> bool:
    kind = unicodedata.category(character)
    return character in "⟨⟩/*%^#&" or character in brackets or (kind[0] in "LNMS" and character != "`")


def _folded(character: str) -> str:
    # capital Greek letters stay: Σ and σ mean different things
    return character if unicodedata.name(character, "").startswith("GREEK CAPITAL") else character.casefold()

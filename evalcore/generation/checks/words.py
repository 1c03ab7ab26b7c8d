"""The content words of a text: one reading for items and for passages.

A word begins with a letter and goes on with letters, digits, accents above it and raised or lowered digits: x̄, r², b₁,
σ and Q1 are words. So are ordinals in digits ("25th"), which are no numbers. Numbers are left out, and so are
function words and the scaffolding of questions ("which", "following", "passage", "true"). Words are lower-cased and
cut to Snowball's English stem; capital Greek letters stay, since Σ and σ mean different things.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

import Stemmer

from evalcore.generation.checks.numbers import numbers

_WORD = re.compile(r"(?<![0-9])[0-9]+(?:st|nd|rd|th)\b|[^\W\d_](?:[\w\u0300-\u036f]|['’](?=[^\W\d_]))*", re.IGNORECASE)
_FUNCTION = """
a about above after again against all along also although always am among an and another any are around as at away
back be became because become becomes been before being below between both but by came can cannot come comes could
did do does doing done down during each either else enough etc even ever every few for from further gave get gets
give given gives go goes got had has have having he hence her here hers herself him himself his how however i if in
instead into is it its itself just keep kept least less let lets like made make makes many may me might mine more most
much must my myself near neither no nor not now of off often on once one only onto or other others ought our ours out
over own per perhaps quite rather same see seen set shall she should since so some still such take taken takes than
that the their theirs them themselves then there therefore these they this those though through thus to together too
toward under unless until up upon us use used uses using very via was we were whatever when where whereas whether
while who whom whose why will with within without would yet you your yours yourself
"""
_SCAFFOLDING = """
according answer answers best choose chosen consider context correct correctly describe described describes excerpt
explain explained explains false following identify incorrect mentioned name named none option options passage
passages question questions select source state stated statement statements states text textbook true what which yes
"""
# a run's passages and items are read many times over: each item is held against all before it
_KEPT = 1024
_LEFT_OUT = frozenset(_FUNCTION.split() + _SCAFFOLDING.split())


@lru_cache(maxsize=_KEPT)
def content_words(text: str) -> Mapping[str, str]:
    """The distinct content words of a text: stem to the word as first written, in order of appearance."""
    # composed and decomposed accents are one letter, and so are the micro sign and mu
    plain = unicodedata.normalize("NFC", text).replace("µ", "μ")
    plain = re.sub(r"(?<=[^\W\d_])\^\{?([23])\}?(?!\d)", lambda m: "²" if m[1] == "2" else "³", plain)
    kept = list(plain)
    for number in numbers(plain):
        kept[number.start : number.start + len(number.text)] = " " * len(number.text)
    stemmer = Stemmer.Stemmer("english")
    found: dict[str, str] = {}
    for written in _WORD.findall("".join(kept)):
        word = _folded(written)
        if not word or word in _LEFT_OUT or word.endswith("n't") or not (word[0].isalpha() or word[0].isdigit()):
            continue
        stem = stemmer.stemWord(word) if word.isascii() and word.isalpha() else word
        found.setdefault(stem, written)
    return MappingProxyType(found)


def _folded(written: str) -> str:
    word = written.replace("’", "'")
    if unicodedata.name(word[0], "").startswith("GREEK CAPITAL"):
        return word
    return re.sub(r"'(?:s|re|ve|ll|d|m)?$", "", word.lower())


def is_symbol(word: str) -> bool:
    """Whether a content word is a symbol rather than a word: one letter, or with anything but plain letters in it."""
    letters = [c for c in unicodedata.normalize("NFD", word) if c.isalpha()]
    return len(letters) <= 1 or "GREEK" in unicodedata.name(letters[0], "")

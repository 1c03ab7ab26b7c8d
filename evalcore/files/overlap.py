"""Ids of two sources compared, and what would make them match.

Runs and judgements that share no id are the commonest fault of all, and a score of 0 hides it. Here the ids are counted
(in both, only here, only there) and a few transformations are tried on what is left over.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from evalcore.files.problems import short

EXAMPLES = 3
_SAMPLE = 200
_LONGEST = 40
_MANY = 100_000
_PROBE = 2_000
_MARKS = "\ufeff\u200b\u2060\u00a0"
_ZEROS = re.compile(r"(?<![0-9.])0+(?=[0-9])")
_WHOLE_FLOAT = re.compile(r"(?<=[0-9])\.0+$")
_LETTERS = re.compile(r"[^0-9]*")


@dataclass(frozen=True, slots=True)
class Hint:
    """What would make ids match: ``matched`` of the ``total`` ids of one side do so after ``change``."""

    change: str
    matched: int
    total: int

    def __str__(self) -> str:
        return f"{self.matched:,} of {self.total:,} ids match after {self.change}"


@dataclass(frozen=True, slots=True)
class Overlap:
    """How many ids are in both sources or in one only, three examples of each (ascending by bytes), and a hint."""

    both: int
    only_here: int
    only_there: int
    both_examples: tuple[str, ...]
    here_examples: tuple[str, ...]
    there_examples: tuple[str, ...]
    hint: Hint | None

    def sentence(self, here: str, there: str) -> str:
        """The counts with examples, and the hint."""
        parts = [f"{self.both:,} {'id' if self.both == 1 else 'ids'} in both"]
        for count, where, examples in (
            (self.only_here, here, self.here_examples),
            (self.only_there, there, self.there_examples),
        ):
            shown = ", ".join(map(short, examples)) + (", …" if count > len(examples) else "")
            parts.append(f"{count:,} only in {where}" + (f" ({shown})" if count else ""))
        return "; ".join(parts) + (f". {self.hint}" if self.hint else "")


@dataclass(frozen=True, slots=True)
class _Change:
    """One way of reading ids otherwise, for each side, in words."""

    words: str
    here: Callable[[str], str]
    there: Callable[[str], str]


def overlap(here: Iterable[str], there: Iterable[str]) -> Overlap:
    """Compares two sets of ids; the order and repetition of ids cannot matter."""
    mine, theirs = set(here), set(there)
    both, only_here, only_there = mine & theirs, mine - theirs, theirs - mine
    return Overlap(
        len(both),
        len(only_here),
        len(only_there),
        _some(both),
        _some(only_here),
        _some(only_there),
        _hint(sorted(only_here, key=_bytes), sorted(only_there, key=_bytes), len(both)),
    )


def _hint(here: Sequence[str], there: Sequence[str], already: int) -> Hint | None:
    """The change after which most ids match; of equals the simplest. None when it would mend less than half."""
    if not here or not there:
        return None
    many = max(len(here), len(there)) > _MANY
    probe = list(_spread(here, _PROBE)) if many else here
    best: tuple[int, _Change] | None = None
    for change in _changes(here, there, many):
        matched = _matched(change, probe, there)
        if matched and (best is None or matched > best[0]):
            best = (matched, change)
    if best is None:
        return None
    matched = _matched(best[1], here, there) if many else best[0]
    if 2 * matched < min(len(here), len(there)):
        return None
    return Hint(best[1].words, already + matched, already + len(here))


def _matched(change: _Change, here: Sequence[str], there: Sequence[str]) -> int:
    targets = {change.there(i) for i in there}
    return sum(change.here(i) in targets for i in here)


def _changes(here: Sequence[str], there: Sequence[str], many: bool) -> Iterator[_Change]:
    """What is tried, simple changes first, then a prefix or suffix on top (only that, when there are many ids)."""
    simple: list[tuple[str, Callable[[str], str]]] = [
        ("removing a byte-order mark or invisible character", _without_marks),
        ("removing spaces around them", str.strip),
        ("ignoring upper and lower case", str.casefold),
        ("removing zeros that pad numbers", _without_zeros),
        ("reading 7.0 as 7", _without_fraction),
        ("ignoring case, spaces and zeros that pad numbers", _all),
    ]
    for words, form in simple:
        yield _Change(words, form, form)
    for words, form in [("", _as_it_is), *([] if many else simple)]:
        yield from _affixes([form(i) for i in here], [form(i) for i in there], words, form)


def _affixes(here: Sequence[str], there: Sequence[str], words: str, form: Callable[[str], str]) -> Iterator[_Change]:
    also = f" and {words}" if words else ""

    def by(change: Callable[[str], str]) -> Callable[[str], str]:
        return lambda i: change(form(i))

    for kind, affix in _found(here, set(there)):
        yield _Change(f"removing the {kind} {affix!r}{also}", by(_without(kind, affix)), form)
    for kind, affix in _found(there, set(here)):
        yield _Change(f"adding the {kind} {affix!r}{also}", form, by(_without(kind, affix)))
    ours, others = _common(here), _common(there)
    if ours and others and ours != others:
        change = f"replacing the prefix {ours!r} by {others!r}{also}"
        yield _Change(change, by(_without("prefix", ours)), by(_without("prefix", others)))


def _found(longer: Sequence[str], shorter: set[str]) -> list[tuple[str, str]]:
    """The two commonest prefixes and suffixes without which a sample of ids is on the other side."""
    prefixes: Counter[str] = Counter()
    suffixes: Counter[str] = Counter()
    for i in _spread(longer, _SAMPLE):
        for cut in range(1, min(len(i), _LONGEST)):
            if not (i[cut - 1].isdigit() and i[cut].isdigit()) and i[cut:] in shorter:
                prefixes[i[:cut]] += 1
            if not (i[-cut].isdigit() and i[-cut - 1].isdigit()) and i[:-cut] in shorter:
                suffixes[i[-cut:]] += 1
    return [
        (kind, affix)
        for kind, counted in (("prefix", prefixes), ("suffix", suffixes))
        for affix, _ in sorted(counted.items(), key=lambda pair: (-pair[1], len(pair[0]), pair[0]))[:2]
    ]


def _spread(ids: Sequence[str], size: int) -> Iterator[str]:
    return islice(ids, 0, None, max(1, len(ids) // size))


def _without(kind: str, affix: str) -> Callable[[str], str]:
    if kind == "prefix":
        return lambda i: i.removeprefix(affix)
    return lambda i: i.removesuffix(affix)


def _common(ids: Sequence[str]) -> str:
    """What all ids start with, up to the first digit."""
    low, high = min(ids), max(ids)
    length = next((n for n, (a, b) in enumerate(zip(low, high, strict=False)) if a != b), min(len(low), len(high)))
    found = _LETTERS.match(low[:length])
    return found[0] if found else ""


def _as_it_is(i: str) -> str:
    return i


def _without_marks(i: str) -> str:
    return i.strip(_MARKS)


def _without_zeros(i: str) -> str:
    return _ZEROS.sub("", i)


def _without_fraction(i: str) -> str:
    return _WHOLE_FLOAT.sub("", i)


def _all(i: str) -> str:
    return _without_zeros(_without_marks(i).strip().casefold())


def _some(ids: set[str]) -> tuple[str, ...]:
    return tuple(sorted(ids, key=_bytes)[:EXAMPLES])


def _bytes(i: str) -> bytes:
    return i.encode()

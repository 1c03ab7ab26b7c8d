"""The stored figures: reading, finding and judging them, and what they look like in text."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from functools import lru_cache
from math import hypot, log
from pathlib import Path
from typing import Any

from evalcore.stats.coverage.kinds import FAMILY, PLACES
from evalcore.stats.coverage.limits import LEVEL

FIGURES = Path(__file__).with_name("figures.json")
TOLERANCE = 0.01
"""One point: how far an interval may stay below its level and still be said to keep its word. Chosen by us."""
MOST_WITHOUT = 0.05
"""The largest share of samples without an interval, at any population, beside a "yes". Chosen by us."""
REMEDY = "simulate them again with: python -m evalcore coverage --write"
_ERRORS = 2
_SLACK = 1e-12


@dataclass(frozen=True, slots=True)
class Coverage:
    """Share of simulated samples whose interval held the truth: the lowest over the populations.

    ``n`` counts all units and ``size`` says how they are arranged. ``error`` is the Monte Carlo standard error of
    ``share``. ``shares`` has every population's share of samples whose interval held the truth, of those that have an
    interval, and ``without`` every population's share of samples that have none: nothing was promised there, so that
    they count neither way. ``row`` is the name that links use.
    """

    interval: str
    n: int
    size: str
    share: float
    error: float
    population: str
    simulations: int
    shares: Mapping[str, float] = field(hash=False)
    without: Mapping[str, float] = field(hash=False)
    row: str

    @property
    def undefined(self) -> float:
        """The share of samples without an interval where ``share`` was found."""
        return self.without[self.population]

    @property
    def most_without(self) -> float:
        """The largest share of samples without an interval over the populations."""
        return max(self.without.values())

    @property
    def most_without_at(self) -> str:
        """The population at which most samples have no interval; of equals the first."""
        return max(self.without, key=lambda name: self.without[name])


class UnusableFigures(ValueError):
    """The stored figures cannot be used; the message says what is wrong with ``FIGURES``, :data:`REMEDY` what helps."""


class Word(StrEnum):
    """Whether an interval keeps its word, as far as the simulation can tell."""

    KEPT = "yes"
    BROKEN = "no"
    UNCLEAR = "too close to say"
    PARTLY = "not for every sample"


def keeps_word(figure: Coverage) -> Word:
    """Whether the lowest share reaches the level less the tolerance, 94 %, by two Monte Carlo errors either way.

    Within two errors the simulation's noise decides, so that nothing is said there: to call it kept would give the
    interval the benefit of our own doubt. Nor is a word kept for every sample where more than one in twenty has no
    interval at some population: whoever draws one of those is left without what was promised.
    """
    least, doubt = LEVEL - TOLERANCE, _ERRORS * figure.error
    if figure.share + doubt < least - _SLACK:
        return Word.BROKEN
    if figure.most_without > MOST_WITHOUT:
        return Word.PARTLY
    return Word.KEPT if figure.share - doubt >= least - _SLACK else Word.UNCLEAR


def better(figure: Coverage, figures: Sequence[Coverage]) -> Coverage | None:
    """What to read beside an interval that is not seen to keep its word; the planned method stays the first.

    Of the intervals of the same kind of number at the same size that leave no more samples without an interval, the
    one with the highest lowest share, when that is higher by more than twice the combined Monte Carlo error; of equals
    the first. Beside an interval that keeps its word but not for every sample, it need only keep its own. None where
    there is none, or where the word is kept.
    """
    word = keeps_word(figure)
    if word is Word.KEPT:
        return None
    others = [
        f
        for f in figures
        if FAMILY[f.interval] == FAMILY[figure.interval]
        and f.size == figure.size
        and f.most_without <= figure.most_without + _SLACK
        and (_holds_more(f, figure) or (word is Word.PARTLY and keeps_word(f) is Word.KEPT))
    ]
    return max(others, key=lambda f: f.share, default=None)


def _holds_more(other: Coverage, figure: Coverage) -> bool:
    return other.share - figure.share > _ERRORS * hypot(other.error, figure.error)


def write(figures: Sequence[Coverage]) -> None:
    """Stores the figures that the pages show."""
    replace_text(FIGURES, json.dumps([asdict(f) for f in figures], indent=1, ensure_ascii=False) + "\n")


def replace_text(path: Path, text: str) -> None:
    """Writes a file at once: a page that reads meanwhile has the old text or the new, never half of one."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_text(text, encoding="utf-8")
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def stored() -> Sequence[Coverage]:
    """The stored figures, in the order of the simulated intervals.

    Raises:
        UnusableFigures: the file is missing, damaged, or not of the intervals that are simulated here.

    """
    try:
        return _parsed(FIGURES.read_text(encoding="utf-8"))
    except OSError as error:
        raise UnusableFigures(f"cannot be read ({error.strerror})") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UnusableFigures("does not hold the figures of the simulated intervals") from error


def nearest(method: str, n: int, clusters: int | None = None) -> Coverage | None:
    """The stored figure of a method at the size nearest to ``n``; None for a method that is not simulated.

    For ``n`` items in a known number of topics it is the nearest shape: topics and items of each count alike, as
    ratios, since 8 topics of 20 are not 16 of 10.
    """
    mine = [f for f in stored() if f.interval == method]
    if clusters and n and all(len(PLACES[f.row][1].parts) == 2 for f in mine):
        return min(mine, key=lambda f: _apart(f, clusters, n / clusters), default=None)
    return min(mine, key=lambda f: abs(f.n - n), default=None)


def _apart(figure: Coverage, topics: int, items: float) -> float:
    theirs, each = PLACES[figure.row][1].parts
    return hypot(log(topics / theirs), log(items / each))


def lines(figures: Sequence[Coverage]) -> Iterator[str]:
    """The figures for reading."""
    for f in figures:
        none = f", no interval in {without(f)}" if f.most_without else ""
        yield (
            f"{f.interval}, {f.size}: {100 * f.share:.1f} % (Monte Carlo error {100 * f.error:.1f}), "
            f"lowest at: {f.population}{none}"
        )


def without(figure: Coverage) -> str:
    """The largest share of samples without an interval, and where."""
    share = 100 * figure.most_without
    if not share:
        return "0 %"
    # a share that one decimal would show as none is not none
    return f"up to {max(share, 0.1):.1f} % (at: {figure.most_without_at})"


def table(figures: Sequence[Coverage]) -> str:
    """The figures as a Markdown table; each row carries its name as a link target."""
    heads = (
        *("interval", "size", "coverage", "Monte Carlo error", "lowest at"),
        *("no interval", "keeps its word", "better beside it"),
    )
    rows = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    for f in figures:
        beside = better(f, figures)
        cells = (
            f'<a id="{f.row}"></a>{f.interval}',
            f.size,
            f"{100 * f.share:.1f} %",
            f"{100 * f.error:.1f}",
            f.population,
            without(f),
            str(keeps_word(f)),
            f"{beside.interval}, {100 * beside.share:.1f} %" if beside else "–",
        )
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


@lru_cache(maxsize=2)
def _parsed(text: str) -> tuple[Coverage, ...]:
    found = tuple(_figure(row) for row in json.loads(text, parse_constant=_refused))
    if [f.row for f in found] != list(PLACES):
        raise ValueError("an interval is missing, or there is one too many")
    return found


def _figure(row: Mapping[str, Any]) -> Coverage:
    """One figure, held against the interval that its row names: a page could not show half of one."""
    found = Coverage(**row)
    kind, design = PLACES[found.row]
    if (found.interval, found.n, found.size) != (kind.method, design.n, design.text):
        raise ValueError(f"{found.row} is another interval here")
    if found.population not in found.shares or set(found.shares) != set(found.without):
        raise ValueError(f"{found.row} lacks a population")
    for share in (found.share, found.error, *found.shares.values(), *found.without.values()):
        if isinstance(share, bool) or not 0 <= share <= 1:
            raise ValueError(f"{found.row} has a share that is none")
    if found.simulations < 1 or found.simulations != int(found.simulations):
        raise ValueError(f"{found.row} has no number of simulations")
    return found


def _refused(constant: str) -> float:
    raise ValueError(f"{constant} is no share")

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

from evalcore.stats.coverage.kinds import FAMILY, PLACES
from evalcore.stats.coverage.limits import LEVEL

FIGURES = Path(__file__).with_name("figures.json")
TOLERANCE = 0.01
"""One point: how far an interval may stay below its level and still be said to keep its word. Chosen by us."""
_ERRORS = 2
_SLACK = 1e-12


@dataclass(frozen=True, slots=True)
class Coverage:
    """Share of simulated samples whose interval held the truth: the lowest over the populations.

    ``n`` counts all units and ``size`` says how they are arranged. ``error`` is the Monte Carlo standard error of
    ``share``, ``undefined`` the share of samples at ``population`` without an interval, which count neither way.
    ``shares`` has every population's share; ``row`` is the name that links use.
    """

    interval: str
    n: int
    size: str
    share: float
    error: float
    population: str
    undefined: float
    simulations: int
    shares: Mapping[str, float] = field(hash=False)
    row: str


class Word(StrEnum):
    """Whether an interval keeps its word, as far as the simulation can tell."""

    KEPT = "yes"
    BROKEN = "no"
    UNCLEAR = "too close to say"


def keeps_word(figure: Coverage) -> Word:
    """Whether the lowest share reaches the level less the tolerance, 94 %, by two Monte Carlo errors either way.

    Within two errors the simulation's noise decides, so that nothing is said there: to call it kept would give the
    interval the benefit of our own doubt.
    """
    least, doubt = LEVEL - TOLERANCE, _ERRORS * figure.error
    if figure.share - doubt >= least - _SLACK:
        return Word.KEPT
    return Word.BROKEN if figure.share + doubt < least - _SLACK else Word.UNCLEAR


def better(figure: Coverage, figures: Sequence[Coverage]) -> Coverage | None:
    """What to read beside an interval that is not seen to keep its word; the planned method stays the first.

    Of the intervals of the same kind of number at the same size, the one with the highest lowest share, when that is
    higher by more than twice the combined Monte Carlo error; of equals the first. None where there is none, or where
    the word is kept.
    """
    if keeps_word(figure) is Word.KEPT:
        return None
    others = [
        f
        for f in figures
        if FAMILY[f.interval] == FAMILY[figure.interval]
        and f.size == figure.size
        and f.share - figure.share > _ERRORS * hypot(f.error, figure.error)
    ]
    return max(others, key=lambda f: f.share, default=None)


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
    """The stored figures, in the order of the simulated intervals."""
    return _parsed(FIGURES.read_text(encoding="utf-8"))


def nearest(method: str, n: int, clusters: int | None = None) -> Coverage | None:
    """The stored figure of a method at the size nearest to ``n``; None for a method that is not simulated.

    For ``n`` items in a known number of topics it is the nearest shape: topics and items of each count alike, as
    ratios, since 8 topics of 20 are not 16 of 10.
    """
    mine = [f for f in stored() if f.interval == method]
    if clusters and n:
        return min(mine, key=lambda f: _apart(f, clusters, n / clusters), default=None)
    return min(mine, key=lambda f: abs(f.n - n), default=None)


def _apart(figure: Coverage, topics: int, items: float) -> float:
    theirs, each = PLACES[figure.row][1].parts
    return hypot(log(topics / theirs), log(items / each))


def lines(figures: Sequence[Coverage]) -> Iterator[str]:
    """The figures for reading."""
    for f in figures:
        none = f", no interval in {100 * f.undefined:.1f} %" if f.undefined else ""
        yield (
            f"{f.interval}, {f.size}: {100 * f.share:.1f} % (Monte Carlo error {100 * f.error:.1f}), "
            f"lowest at: {f.population}{none}"
        )


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
            f"{100 * f.undefined:.1f} %",
            str(keeps_word(f)),
            f"{beside.interval}, {100 * beside.share:.1f} %" if beside else "–",
        )
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


@lru_cache(maxsize=2)
def _parsed(text: str) -> tuple[Coverage, ...]:
    return tuple(Coverage(**row) for row in json.loads(text))

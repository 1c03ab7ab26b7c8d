"""The sweep: every threshold that can be told from its neighbours, with the two errors counted at each.

A question is served when its score is at or above the threshold. Only distinct scores are candidates, since nothing
changes between two of them; the last candidate is "refuse everything", which has no threshold.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import ceil, floor, log10

import numpy as np
from numpy.typing import NDArray

from evalcore.stats.proportions import wilson_band

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Sweep:
    """Counts at each candidate, candidates ascending, "refuse everything" last; arrays of shape (k + 1,).

    ``thresholds`` has shape (k,): the distinct scores. ``wrong_scope`` is None where no scope was recorded.
    """

    answerable: int
    unanswerable: int
    thresholds: Floats
    refused_answerable: Counts
    refused_unanswerable: Counts
    wrong_scope: Counts | None

    def __len__(self) -> int:
        return len(self.thresholds) + 1

    @property
    def n(self) -> int:
        """All questions."""
        return self.answerable + self.unanswerable

    @property
    def share(self) -> float:
        """The file's own share of unanswerable questions."""
        return self.unanswerable / self.n

    @cached_property
    def served_answerable(self) -> Counts:
        """Answerable questions served."""
        return self.answerable - self.refused_answerable

    @cached_property
    def served_unanswerable(self) -> Counts:
        """Unanswerable questions served: answers that the corpus cannot support."""
        return self.unanswerable - self.refused_unanswerable

    @cached_property
    def served(self) -> Counts:
        """Questions served."""
        return self.served_answerable + self.served_unanswerable

    @cached_property
    def coverage(self) -> Floats:
        """Served over all, at the file's own mix."""
        return self.served / self.n

    @cached_property
    def false_abstention(self) -> Floats:
        """Answerable questions refused, over answerable questions."""
        return self.refused_answerable / self.answerable

    @cached_property
    def correct_abstention(self) -> Floats:
        """Unanswerable questions refused, over unanswerable questions."""
        return self.refused_unanswerable / self.unanswerable

    @cached_property
    def false_band(self) -> tuple[Floats, Floats]:
        """Wilson's limits of false abstention, pointwise."""
        return wilson_band(self.refused_answerable, self.answerable)

    @cached_property
    def correct_band(self) -> tuple[Floats, Floats]:
        """Wilson's limits of correct abstention, pointwise."""
        return wilson_band(self.refused_unanswerable, self.unanswerable)

    def at(self, threshold: float | None) -> int:
        """The candidate that a cut equals: the smallest at or above it; above all, and for None, refuse everything."""
        return len(self.thresholds) if threshold is None else int(np.searchsorted(self.thresholds, threshold, "left"))

    def threshold(self, candidate: int) -> float | None:
        """The candidate's threshold; None for "refuse everything"."""
        return float(self.thresholds[candidate]) if candidate < len(self.thresholds) else None


@dataclass(frozen=True, slots=True)
class Ruler:
    """A range for a threshold control: from below the lowest score to above the highest, in steps of a power of ten."""

    low: float
    high: float
    step: float
    digits: int


def ruler(swept: Sweep) -> Ruler:
    """At least a hundred steps between the lowest and the highest score."""
    first, last = float(swept.thresholds[0]), float(swept.thresholds[-1])
    # no finer than a float near the scores can follow; a constant score has thousandths around it where it can
    finest = max(abs(first), abs(last), 1e-3) * 1e-12
    power = floor(log10(max(last / 100 - first / 100, finest))) if last > first else max(-3, ceil(log10(finest)))
    step, digits = 10.0**power, max(0, -power)
    return Ruler(
        round((floor(first / step) - 1) * step, digits), round((ceil(last / step) + 1) * step, digits), step, digits
    )


def sweep(answerable: Flags, scores: Floats, scope_ok: Flags | None = None) -> Sweep:
    """Sorts once and counts, O(n log n).

    Args:
        answerable: shape (n,).
        scores: shape (n,), finite; higher speaks for answering.
        scope_ok: shape (n,) or None: whether the first passage is of the right scope, of answerable questions only.

    Raises:
        ValueError: no question of one kind.

    """
    total = int(answerable.sum())
    if not 0 < total < len(answerable):
        raise ValueError("a sweep needs answerable and unanswerable questions")
    thresholds = np.unique(scores)

    def below(mask: Flags) -> Counts:
        mine = np.sort(scores[mask])
        return np.append(np.searchsorted(mine, thresholds, "left"), len(mine)).astype(np.int64)

    wrong = None
    if scope_ok is not None:
        of_wrong_scope = answerable & ~scope_ok
        wrong = int(of_wrong_scope.sum()) - below(of_wrong_scope)
    return Sweep(total, len(answerable) - total, thresholds, below(answerable), below(~answerable), wrong)

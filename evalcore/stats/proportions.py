"""Hit rates: Wilson's interval for one; for two on the same questions Newcombe's of the difference, and McNemar's test.

A bootstrap of hits is the obvious method and the wrong one: at 40 of 40 it gives 1 to 1, and for four flips that all go
one way it excludes zero where the exact test has p = 0.125.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr, betaincinv, ndtri

from evalcore.stats.resampling import Floats
from evalcore.stats.result import Interval, Test

WILSON = "Wilson"
EXACT = "Clopper-Pearson"
NORMAL = "normal approximation"
NEWCOMBE = "Newcombe paired score, method 10"
UNPAIRED = "Newcombe unpaired score, method 10"
NO_QUESTIONS = "no questions"
MCNEMAR = "McNemar exact"


def normal_quantile(level: float) -> float:
    """z such that a standard normal lies within plus or minus z with probability ``level``."""
    return float(ndtri(0.5 + level / 2))


def wilson(hits: int, n: int, *, level: float = 0.95) -> Interval:
    """Wilson's score interval for ``hits`` of ``n``.

    Source: E. B. Wilson, JASA 22 (1927) 209-212. The low limit at 0 hits is exactly 0 and the high limit at n hits
    exactly 1, which the formula misses by a rounding error.

    Raises:
        ValueError: not 0 <= hits <= n.

    """
    _check(hits, n)
    if n == 0:
        return Interval(None, None, None, level, 0, WILSON, reason=NO_QUESTIONS)
    low, high = _wilson_limits(hits, n, level)
    return Interval(hits / n, low, high, level, n, WILSON)


def exact_rate(hits: int, n: int, *, level: float = 0.95) -> Interval:
    """Clopper and Pearson's interval for ``hits`` of ``n``: it never holds less often than ``level``.

    Source: C. J. Clopper and E. S. Pearson, Biometrika 26 (1934) 404-413, as quantiles of beta distributions.

    Raises:
        ValueError: not 0 <= hits <= n.

    """
    _check(hits, n)
    if n == 0:
        return Interval(None, None, None, level, 0, EXACT, reason=NO_QUESTIONS)
    tail = (1 - level) / 2
    low = 0.0 if hits == 0 else float(betaincinv(hits, n - hits + 1, tail))
    high = 1.0 if hits == n else float(betaincinv(hits + 1, n - hits, 1 - tail))
    return Interval(hits / n, low, high, level, n, EXACT)


def normal_rate(hits: int, n: int, *, level: float = 0.95) -> Interval:
    """The normal approximation p +- z sqrt(p (1 - p) / n), not clipped: where it leaves [0, 1] it should not be used.

    Shown only to be compared; at 0 or n hits its width is zero, which is no interval.

    Raises:
        ValueError: not 0 <= hits <= n.

    """
    _check(hits, n)
    if n == 0:
        return Interval(None, None, None, level, 0, NORMAL, reason=NO_QUESTIONS)
    p = hits / n
    if hits in (0, n):
        reason = f"at {hits} of {n} the normal approximation has no width"
        return Interval(p, None, None, level, n, NORMAL, reason=reason)
    half = normal_quantile(level) * sqrt(p * (1 - p) / n)
    return Interval(p, p - half, p + half, level, n, NORMAL)


@dataclass(frozen=True, slots=True)
class Paired:
    """Hits of two runs on the same questions, as counts of questions."""

    both: int
    first_only: int
    second_only: int
    neither: int

    @property
    def n(self) -> int:
        """All questions."""
        return self.both + self.first_only + self.second_only + self.neither

    def phi(self) -> float:
        """Correlation of the two hit vectors as Newcombe's method 10 uses it.

        The numerator ad - bc is lowered by n/2, but not below 0, when it is positive; with an empty margin phi is 0.
        """
        a, b, c, d = self.both, self.first_only, self.second_only, self.neither
        margins = (a + b) * (c + d) * (a + c) * (b + d)
        if margins == 0:
            return 0.0
        cross = float(a * d - b * c)
        if cross > 0:
            cross = max(cross - self.n / 2, 0.0)
        return cross / sqrt(margins)


def newcombe_paired(table: Paired, *, level: float = 0.95) -> Interval:
    """Interval for the difference of two paired hit rates, first minus second.

    Source: R. G. Newcombe, Statistics in Medicine 17 (1998) 2635-2650, method 10. Clipped to [-1, 1].
    """
    n = table.n
    if n == 0:
        return Interval(None, None, None, level, 0, NEWCOMBE, reason=NO_QUESTIONS)
    return _squared_and_added(table, table.phi(), level, NEWCOMBE)


def newcombe_unpaired(table: Paired, *, level: float = 0.95) -> Interval:
    """The same hits as if two groups of questions had been asked: what the pairing is worth.

    Source: R. G. Newcombe, Statistics in Medicine 17 (1998) 873-890, method 10. Not the analysis of a paired study.
    """
    if table.n == 0:
        return Interval(None, None, None, level, 0, UNPAIRED, reason=NO_QUESTIONS)
    return _squared_and_added(table, 0.0, level, UNPAIRED)


def mcnemar_exact(first_only: int, second_only: int) -> Test:
    """McNemar's exact test: the flips are a fair coin's under no difference; two-sided, p = 1 without flips.

    Source: Q. McNemar, Psychometrika 12 (1947) 153-157, with binomial tails in place of chi-squared.
    """
    flips = first_only + second_only
    tail = float(bdtr(min(first_only, second_only), flips, 0.5)) if flips else 1.0
    return Test(min(1.0, 2 * tail), MCNEMAR)


def wilson_band(hits: NDArray[np.int64], n: int, *, level: float = 0.95) -> tuple[Floats, Floats]:
    """Wilson's limits of many counts out of one n >= 1; shapes like ``hits``. Pointwise, not a simultaneous band."""
    return score_limits(hits / n, n, normal_quantile(level))


def score_limits(rate: Floats | float, n: Floats | float, quantile: float) -> tuple[Floats, Floats]:
    """Wilson's limits of a rate at any n > 0, also an effective one that is not whole, and any quantile, also t's."""
    p, z = np.asarray(rate, dtype=np.float64), quantile
    centre = p + z * z / (2 * n)
    half = z * np.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    return np.where(p == 0, 0.0, (centre - half) / scale), np.where(p == 1, 1.0, (centre + half) / scale)


def _wilson_limits(hits: int, n: int, level: float) -> tuple[float, float]:
    low, high = wilson_band(np.array(hits), n, level=level)
    return float(low), float(high)


def _squared_and_added(table: Paired, phi: float, level: float, method: str) -> Interval:
    """Limits of first minus second from Wilson's limits of each, their errors at an angle whose cosine is phi."""
    n = table.n
    hits1, hits2 = table.both + table.first_only, table.both + table.second_only
    p1, p2 = hits1 / n, hits2 / n
    low1, high1 = _wilson_limits(hits1, n, level)
    low2, high2 = _wilson_limits(hits2, n, level)
    down = _distance(p1 - low1, high2 - p2, phi)
    up = _distance(high1 - p1, p2 - low2, phi)
    difference = (table.first_only - table.second_only) / n
    return Interval(difference, max(difference - down, -1.0), min(difference + up, 1.0), level, n, method)


def _check(hits: int, n: int) -> None:
    if not 0 <= hits <= n:
        raise ValueError(f"{hits} hits of {n} is not a count")


def _distance(first: float, second: float, phi: float) -> float:
    """Length of two error arms at an angle whose cosine is phi; rounding may push a square below zero."""
    return sqrt(max(first * first - 2 * phi * first * second + second * second, 0.0))

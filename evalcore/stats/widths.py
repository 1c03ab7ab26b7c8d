"""How wide the interval of a hit rate will be, and what a gate on it will decide, before anyone labels a question."""

from __future__ import annotations

from math import ceil

import numpy as np
from scipy.special import bdtr, bdtrc

from evalcore.stats.proportions import normal_quantile, score_limits
from evalcore.stats.resampling import Floats

_SLACK, _ROUNDING = 1e-9, 1e-12
MOST_QUESTIONS = 10_000_000


def questions_for_half_width(rate: float, half_width: float, *, level: float = 0.95) -> int:
    """n = z^2 p (1 - p) / h^2, rounded up: the textbook formula of the normal approximation.

    Raises:
        ValueError: a half-width that is not positive, or a rate outside (0, 1).

    """
    _check(rate, half_width)
    z = normal_quantile(level)
    return ceil(z * z * rate * (1 - rate) / half_width**2 * (1 - _ROUNDING))


def wilson_questions_for_half_width(rate: float, half_width: float, *, level: float = 0.95) -> int:
    """The smallest n whose Wilson interval at this rate is at most 2 h wide, treating the rate as reachable at any n.

    Raises:
        ValueError: a half-width that is not positive, a rate outside (0, 1), or more than ten million questions.

    """
    _check(rate, half_width)

    def narrow(n: int) -> bool:
        return float(half_widths(rate, np.array([n]), level=level)[0]) <= half_width * (1 + _ROUNDING)

    if not narrow(MOST_QUESTIONS):
        raise ValueError(f"a half-width of {half_width:g} needs more than {MOST_QUESTIONS:,} questions")
    low, high = 0, MOST_QUESTIONS
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if narrow(middle) else (middle, high)
    return high


def half_widths(rate: float, n: Floats, *, level: float = 0.95) -> Floats:
    """Half the width of Wilson's interval at this rate for each n (shape (k,), n > 0)."""
    low, high = score_limits(rate, n, normal_quantile(level))
    return (high - low) / 2


def needed_hits(limit: float, n: int, *, at_least: bool) -> int:
    """The fewest hits of n with which a gate "at least" passes, or the most with which "at most" does.

    n + 1 or -1 when no count does.

    Raises:
        ValueError: no question.

    """
    if n < 1:
        raise ValueError("a gate needs at least one question")
    counts = np.arange(n + 1)
    passing = counts[counts / n >= limit - _SLACK] if at_least else counts[counts / n <= limit + _SLACK]
    if len(passing) == 0:
        return n + 1 if at_least else -1
    return int(passing[0] if at_least else passing[-1])


def gate_passes(limit: float, n: int, true_rate: Floats | float, *, at_least: bool) -> Floats:
    """Probability that a gate on a rate passes with n questions when the true rate is ``true_rate``.

    A count of n independent questions is binomial; a rate meets its bound with 1e-9 of slack, as gates do.
    """
    needed, true = needed_hits(limit, n, at_least=at_least), np.asarray(true_rate, dtype=np.float64)
    if at_least:
        return np.ones_like(true) if needed == 0 else np.zeros_like(true) if needed > n else bdtrc(needed - 1, n, true)
    return np.zeros_like(true) if needed < 0 else np.asarray(bdtr(needed, n, true))


def _check(rate: float, half_width: float) -> None:
    if not 0 < rate < 1:
        raise ValueError("the rate must lie between 0 and 1")
    if half_width <= 0:
        raise ValueError("the half-width must be positive")

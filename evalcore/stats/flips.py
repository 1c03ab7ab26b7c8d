"""The questions that decide a paired comparison of hits: those that change outcome between the two runs.

To the difference and its standard error agreements add nothing but n, so planning from the two hit rates alone is the
obvious method and the wrong one: 0.80 against 0.70 can mean ten flips one way or forty both ways.
"""

from __future__ import annotations

from functools import lru_cache
from math import ceil, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr, bdtrc, bdtrik, gammaln, ndtri, xlogy

from evalcore.stats.resampling import Floats

MOST_QUESTIONS = 5_000
_SMALLEST_TABLE = 256


def paired_error(n: int, first_only: int, second_only: int) -> float:
    """Standard error of the difference of two hit rates on the same n questions.

    sqrt((b + c)/n - ((b - c)/n)^2) / sqrt(n), where b and c questions are hit by the first and the second run only.
    The standard deviation of the differences (1, -1 or 0) has ddof 0 here, where d_z has ddof 1.

    Raises:
        ValueError: more flips than questions, or no question.

    """
    if n < 1 or min(first_only, second_only) < 0 or first_only + second_only > n:
        raise ValueError(f"{first_only} and {second_only} flips do not fit into {n} questions")
    b, c = first_only / n, second_only / n
    return sqrt(max(b + c - (b - c) ** 2, 0.0) / n)


def unpaired_error(n: int, first_hits: int, second_hits: int) -> float:
    """Standard error of the same difference if two groups of n questions had been asked.

    Raises:
        ValueError: hits that do not fit into n questions, or no question.

    """
    if n < 1 or not (0 <= first_hits <= n and 0 <= second_hits <= n):
        raise ValueError(f"{first_hits} and {second_hits} hits do not fit into {n} questions")
    p, q = first_hits / n, second_hits / n
    return sqrt((p * (1 - p) + q * (1 - q)) / n)


def mcnemar_power(only_first: float, only_second: float, n: int, alpha: float = 0.05) -> float:
    """Power of McNemar's exact test by enumeration over the number of flips among n questions.

    ``only_first`` and ``only_second`` are the assumed shares of questions that only one run hits. The number of flips
    is binomial with their sum; given it, those of the first run are binomial again, and the test rejects when its
    two-sided p is below ``alpha``.

    Raises:
        ValueError: shares that are negative or sum above 1.

    """
    _check(only_first, only_second)
    rejected = _rejections(only_first, only_second, _table_for(n), alpha)
    return float(_binomial(n, only_first + only_second) @ rejected[: n + 1])


def mcnemar_powers(only_first: float, only_second: float, sizes: list[int], alpha: float = 0.05) -> Floats:
    """:func:`mcnemar_power` at several n, shape (len(sizes),)."""
    return np.array([mcnemar_power(only_first, only_second, n, alpha) for n in sizes])


@lru_cache(maxsize=64)
def mcnemar_questions(only_first: float, only_second: float, alpha: float = 0.05, power: float = 0.8) -> int:
    """The smallest n with which McNemar's exact test has ``power``.

    The exact power is a saw: it can fall again by a little at the next n.

    Raises:
        ValueError: equal shares, shares that are no shares, or more than 5,000 questions.

    """
    _check(only_first, only_second)
    if only_first == only_second:
        raise ValueError("equal shares are no difference to find")
    # a bound on the power that never falls as n rises shows where the search may begin: below it no n can do
    low, high = 0, 1
    while _highest_power(only_first, only_second, high, alpha) < power:
        low, high = high, 2 * high
        if low > MOST_QUESTIONS:
            raise ValueError(f"these shares need more than {MOST_QUESTIONS:,} questions")
    while high - low > 1:
        middle = (low + high) // 2
        enough = _highest_power(only_first, only_second, middle, alpha) >= power
        low, high = (low, middle) if enough else (middle, high)
    for n in range(high, MOST_QUESTIONS + 1):
        if mcnemar_power(only_first, only_second, n, alpha) >= power:
            return n
    raise ValueError(f"these shares need more than {MOST_QUESTIONS:,} questions")


def _highest_power(only_first: float, only_second: float, n: int, alpha: float) -> float:
    """The power if a larger number of flips could only help: at least the power, and rising with n."""
    rejected = _rejections(only_first, only_second, _table_for(n), alpha)
    return float(_binomial(n, only_first + only_second) @ np.maximum.accumulate(rejected)[: n + 1])


def connor_questions(only_first: float, only_second: float, alpha: float = 0.05, power: float = 0.8) -> int:
    """The normal approximation of the same n: mostly too small for the exact test, too large for rare one-sided flips.

    Source: R. J. Connor, Biometrics 43 (1987) 207-211.
    """
    together, apart = only_first + only_second, only_first - only_second
    a, b = float(ndtri(1 - alpha / 2)), float(ndtri(power))
    return ceil((a * sqrt(together) + b * sqrt(max(together - apart**2, 0.0))) ** 2 / apart**2 - 1e-9)


def _table_for(n: int) -> int:
    """Tables grow by doubling, so that a search over n computes each of them once."""
    return max(_SMALLEST_TABLE, 1 << n.bit_length())


@lru_cache(maxsize=16)
def _rejections(only_first: float, only_second: float, most: int, alpha: float) -> Floats:
    """Probability that the test rejects, given each number of flips from 0 to ``most``."""
    together = only_first + only_second
    flips, edge = np.arange(most + 1), _edges(most, alpha)
    share = only_first / together if together else 0.5
    outer = bdtr(edge, flips, share) + bdtrc(flips - edge - 1, flips, share)
    return np.where(edge >= 0, outer, 0.0)


@lru_cache(maxsize=4)
def _edges(most: int, alpha: float) -> NDArray[np.int64]:
    """For each number of flips the largest count whose doubled lower tail is below alpha; -1 when there is none."""
    flips = np.arange(most + 1)
    edge = np.floor(np.nan_to_num(bdtrik(alpha / 2, flips, 0.5), nan=-1.0)).astype(np.int64)
    edge = np.clip(edge, -1, flips // 2)
    higher = 2 * bdtr(np.minimum(edge + 1, flips), flips, 0.5) < alpha
    edge = np.where(higher, edge + 1, edge)
    too_high = (edge >= 0) & (2 * bdtr(np.maximum(edge, 0), flips, 0.5) >= alpha)
    return np.where(too_high, edge - 1, edge)


def _binomial(n: int, share: float) -> Floats:
    """Probabilities of 0 to n, shape (n + 1,)."""
    k, share = np.arange(n + 1), min(share, 1.0)  # shares of 0.7 and 0.3 may sum to a hair above 1
    log = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)
    return np.asarray(np.exp(log + xlogy(k, share) + xlogy(n - k, 1 - share)))


def _check(only_first: float, only_second: float) -> None:
    if min(only_first, only_second) < 0 or only_first + only_second > 1 + 1e-12:
        raise ValueError("the shares of questions that only one run hits are not negative and sum to 1 at most")

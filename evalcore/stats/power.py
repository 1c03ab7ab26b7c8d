"""How many questions a paired comparison of means needs: power from the noncentral t.

The spread that counts is that of the paired differences. Planning from the two runs' own spreads forgets the pairing
and asks for several times too many questions.
"""

from __future__ import annotations

from math import ceil, floor, log2, sqrt

import numpy as np
from scipy.optimize import brentq
from scipy.special import nctdtr, stdtrit

from evalcore.stats.resampling import Floats

D_Z_INTERVAL = "noncentral t inversion"
MOST_QUESTIONS = 10_000_000


def paired_power(d_z: Floats | float, n: Floats | float, alpha: float = 0.05) -> Floats:
    """Power of the two-sided paired t test at level ``alpha`` with n questions (n > 1, need not be whole).

    Source: J. Cohen, Statistical Power Analysis (1988), chapter 2; noncentral t with n - 1 degrees of freedom and
    noncentrality d_z sqrt(n). The lower tail comes back as NaN when it is below about 1e-16, and is 0 then.
    """
    size = np.asarray(n, dtype=np.float64)
    critical, shift = stdtrit(size - 1, 1 - alpha / 2), np.abs(d_z) * np.sqrt(size)
    upper = 1 - nctdtr(size - 1, shift, critical)
    lower = nctdtr(size - 1, shift, -critical)
    # the upper tail is NaN only where it is certain to be reached
    return np.asarray(np.nan_to_num(upper, nan=1.0) + np.nan_to_num(lower, nan=0.0))


def exact_questions(d_z: float, alpha: float = 0.05, power: float = 0.8) -> float:
    """The n, not rounded, at which the paired t test reaches ``power``; see :func:`questions_needed`.

    Raises:
        ValueError: no n up to ten million does, or two questions do already.

    """
    # the power rises with n, so the crossing is bracketed by doubling
    if not _reaches(d_z, MOST_QUESTIONS, alpha, power):
        raise ValueError(f"a d_z of {d_z:g} needs more than {MOST_QUESTIONS:,} questions")
    if _reaches(d_z, 2, alpha, power):
        raise ValueError("two questions reach it already")
    high = 4.0
    while not _reaches(d_z, high, alpha, power):
        high *= 2
    return float(brentq(lambda n: float(paired_power(d_z, n, alpha)) - power, high / 2, high, xtol=1e-10))


def questions_needed(d_z: float, alpha: float = 0.05, power: float = 0.8) -> int:
    """The smallest number of questions, at least 2, with which the paired t test has ``power`` for ``d_z``.

    Raises:
        ValueError: more than ten million.

    """
    return 2 if _reaches(d_z, 2, alpha, power) else ceil(exact_questions(d_z, alpha, power) - 1e-9)


def detectable_d_z(n: int, alpha: float = 0.05, power: float = 0.8) -> float:
    """The smallest d_z for which the paired t test with n >= 2 questions has ``power``, which exceeds ``alpha``.

    Raises:
        ValueError: fewer than 2 questions, or a power that chance alone gives or that nothing gives.

    """
    if n < 2:
        raise ValueError("a paired test needs at least 2 questions")
    if not alpha < power < 1:
        raise ValueError(f"a power of {power:g} does not lie between alpha, {alpha:g}, and 1")
    high = 1.0
    while not _reaches(high, n, alpha, power):
        high *= 2
    return float(brentq(lambda d: float(paired_power(d, n, alpha)) - power, 0.0, high, xtol=1e-12))


def d_z_limits(d_z: float, n: int, level: float = 0.95) -> tuple[float, float]:
    """Limits of the true d_z when ``d_z`` was observed on n >= 2 questions with normal differences.

    Source: inversion of the noncentral t distribution, as in G. Cumming and S. Finch, Educational and Psychological
    Measurement 61 (2001) 532-574. SciPy's own inverse takes a small t for 0, so the root is found here.

    Raises:
        ValueError: fewer than 2 questions.

    """
    if n < 2:
        raise ValueError("d_z needs at least 2 questions")
    t = d_z * sqrt(n)

    def above(shift: float, tail: float) -> float:
        # the distribution function falls as the noncentrality rises; far out on either side it comes back as NaN
        return float(np.nan_to_num(nctdtr(n - 1, shift, t), nan=float(shift < t))) - tail

    def limit(tail: float) -> float:
        reach = 1.0
        while above(t - reach, tail) < 0 or above(t + reach, tail) > 0:
            reach *= 2
        return float(brentq(above, t - reach, t + reach, args=(tail,), xtol=1e-12)) / sqrt(n)

    return limit((1 + level) / 2), limit((1 - level) / 2)


def power_at_the_edge(n: int, alpha: float = 0.05) -> float:
    """Power computed after the fact from a result with p exactly alpha: it depends on n and alpha alone.

    That is a little over a half: at alpha 0.05 it is 0.557 with 5 questions and 0.505 with 40.
    """
    return float(paired_power(float(stdtrit(n - 1, 1 - alpha / 2)) / sqrt(n), n, alpha))


def fewest_for_sign_flips(alpha: float) -> int:
    """The fewest questions whose sign-flip test can come below ``alpha``: its smallest p, 2/2^n, must be less.

    The t test knows no such floor, so that a plan by its formula alone can name an n that decides nothing.
    """
    # one step above the logarithm's whole part; where alpha is itself 2/2^n that n does not come below it
    return floor(log2(2 / alpha)) + 1


def _reaches(d_z: float, n: float, alpha: float, power: float) -> bool:
    return float(paired_power(d_z, n, alpha)) >= power

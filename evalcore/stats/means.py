"""The mean of one run over questions, with its interval."""

from __future__ import annotations

from math import sqrt

import numpy as np
from scipy.special import ndtr, ndtri, stdtrit

from evalcore.stats.resampling import Floats, resampled_means
from evalcore.stats.result import CONSTANT_SAMPLE, Interval

SEED, RESAMPLES = 20241009, 10_000
PERCENTILE, BCA, STUDENT_T = "percentile bootstrap", "BCa bootstrap", "t(n - 1)"
HITS_RESAMPLED = "percentile bootstrap of hits"
SAME = 1e-9
BCA_FROM = 30


def bootstrap_mean(values: Floats, *, level: float = 0.95, seed: int = SEED, resamples: int = RESAMPLES) -> Interval:
    """Percentile bootstrap of a mean over questions.

    Source: B. Efron, Annals of Statistics 7 (1979) 1-26. Limits are linear quantiles of the resampled means.

    Args:
        values: shape (n,), one a question, in ascending order of question id (as bytes).
        level: confidence level.
        seed: of the resampling stream.
        resamples: number of bootstrap samples.

    """
    n = len(values)
    if n == 0:
        return Interval(None, None, None, level, 0, PERCENTILE, reason="no questions")
    mean = float(values.mean())
    if np.ptp(values) < SAME:
        reason = CONSTANT_SAMPLE.format(n=n, value=mean)
        return Interval(mean, None, None, level, n, PERCENTILE, reason=reason)
    means = resampled_means(values, seed=seed, resamples=resamples)
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return Interval(mean, float(low), float(high), level, n, PERCENTILE, seed=seed, resamples=resamples)


def beside_percentile(values: Floats, *, level: float = 0.95, seed: int = SEED, resamples: int = RESAMPLES) -> Interval:
    """The second interval that stands beside the percentile one: t(n - 1) below n = 30, BCa from there on.

    The percentile interval is too narrow at small n; a reader sees by how much.
    """
    percentile = bootstrap_mean(values, level=level, seed=seed, resamples=resamples)
    if percentile.low is None or percentile.value is None:
        return Interval(percentile.value, None, None, level, percentile.n, percentile.method, reason=percentile.reason)
    n, mean = percentile.n, percentile.value
    if n < BCA_FROM:
        half = float(stdtrit(n - 1, (1 + level) / 2) * values.std(ddof=1) / sqrt(n))
        return Interval(mean, mean - half, mean + half, level, n, STUDENT_T)
    means = resampled_means(values, seed=seed, resamples=resamples)
    low, high = np.quantile(means, bca_levels(values, means, level))
    return Interval(mean, float(low), float(high), level, n, BCA, seed=seed, resamples=resamples)


def bca_levels(values: Floats, means: Floats, level: float) -> Floats:
    """The two quantile levels of Efron's BCa (JASA 82 (1987) 171-185).

    A resampled mean equal to the observed one counts half, as in SciPy; the acceleration is the jackknife's.
    """
    observed = values.mean()
    below = (means < observed - 1e-12).mean() / 2 + (means <= observed + 1e-12).mean() / 2
    bias = ndtri(below)
    spread = values - observed
    acceleration = (spread**3).sum() / (6 * (spread**2).sum() ** 1.5)
    z = bias + ndtri(np.array([(1 - level) / 2, (1 + level) / 2]))
    return np.asarray(ndtr(bias + z / (1 - acceleration * z)))

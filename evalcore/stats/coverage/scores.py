"""Limits of means, of paired mean differences and of their d_z. Samples have shape (simulations, n)."""

from __future__ import annotations

from math import sqrt

import numpy as np
from scipy.special import stdtrit

from evalcore.stats.coverage.limits import LEVEL, RESAMPLES, Limits, of_each
from evalcore.stats.coverage.populations import Samples, Size
from evalcore.stats.means import SAME, bca_levels, bootstrap_mean
from evalcore.stats.paired import Settings, compare_means, d_z
from evalcore.stats.power import D_Z_INTERVAL, d_z_limits
from evalcore.stats.resampling import Floats, resampled_means
from evalcore.stats.result import Interval


def percentile(samples: Samples, _size: Size, seed: int) -> Limits:
    """The percentile bootstrap of a mean, as reported but with fewer resamples."""
    return of_each(samples, lambda x: bootstrap_mean(x, level=LEVEL, seed=seed, resamples=RESAMPLES))


def student(samples: Samples, _size: Size, _seed: int) -> Limits:
    """Mean +- t(n - 1) s / sqrt(n), at every n; the report has it below 30 only."""
    n = samples.shape[1]
    half = stdtrit(n - 1, (1 + LEVEL) / 2) * samples.std(axis=1, ddof=1) / sqrt(n)
    half[np.ptp(samples, axis=1) < SAME] = np.nan
    return samples.mean(axis=1) - half, samples.mean(axis=1) + half


def bca(samples: Samples, _size: Size, seed: int) -> Limits:
    """Efron's BCa of a mean, at every n; the report has it from 30 on only."""
    low, high = np.full((2, len(samples)), np.nan)
    for i in np.flatnonzero(np.ptp(samples, axis=1) >= SAME):
        sample = np.asarray(samples[i], dtype=np.float64)
        means = resampled_means(sample, seed=seed, resamples=RESAMPLES)
        low[i], high[i] = np.quantile(means, bca_levels(sample, means, LEVEL))
    return low, high


def paired_percentile(samples: Samples, _size: Size, seed: int) -> Limits:
    """The paired bootstrap of a mean difference, as reported but with fewer resamples."""
    return of_each(samples, lambda differences: _paired(differences, seed, RESAMPLES))


def paired_student(samples: Samples, size: Size, seed: int) -> Limits:
    """t(n - 1) of the differences, where the paired bootstrap has an interval."""
    return _where_enough_differ(samples, student(samples, size, seed))


def paired_bca(samples: Samples, size: Size, seed: int) -> Limits:
    """BCa of the differences, where the paired bootstrap has an interval."""
    return _where_enough_differ(samples, bca(samples, size, seed))


def effect(samples: Samples, _size: Size, _seed: int) -> Limits:
    """The noncentral t inversion of the observed d_z, where there is a d_z."""
    return of_each(samples, _effect)


def _effect(differences: Floats) -> Interval:
    n, observed = len(differences), d_z(differences)
    if observed is None:
        return Interval(None, None, None, LEVEL, n, D_Z_INTERVAL, reason="the differences do not vary")
    low, high = d_z_limits(observed, n, LEVEL)
    return Interval(observed, low, high, LEVEL, n, D_Z_INTERVAL)


def _where_enough_differ(samples: Samples, limits: Limits) -> Limits:
    """NaN where the report's rule gives none; the rule needs no resample, so one is drawn."""
    none = np.isnan(of_each(samples, lambda differences: _paired(differences, seed=0, resamples=1))[0])
    low, high = (np.where(none, np.nan, limit) for limit in limits)
    return low, high


def _paired(differences: Floats, seed: int, resamples: int) -> Interval:
    # the sign-flip test that comes with it is not wanted: one draw
    settings = Settings(level=LEVEL, seed=seed, resamples=resamples, sign_vectors=1, exact_up_to=0)
    return compare_means(differences, np.zeros(len(differences)), settings).interval

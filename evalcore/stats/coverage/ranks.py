"""Limits of an AUC and of a difference of two. The m positives stand before the n negatives in every sample."""

from __future__ import annotations

import numpy as np

from evalcore.stats.auc import auc_difference, newcombe_auc
from evalcore.stats.coverage.limits import LEVEL, RESAMPLES, Limits, of_each
from evalcore.stats.coverage.populations import Samples, Size


def auc_limits(samples: Samples, size: Size, _seed: int) -> Limits:
    """Newcombe's limits of samples of shape (simulations, m + n), once for each distinct number of pairs won.

    A positive of rank r among all has beaten r minus the positives up to it: the ranks' sum less m (m + 1) / 2. The
    populations are continuous, so there are no ties.
    """
    m, n = size
    positive = np.argsort(samples, axis=1) < m
    won = positive @ np.arange(1, m + n + 1) - m * (m + 1) // 2
    distinct, place = np.unique(won, return_inverse=True)
    low, high = np.array([newcombe_auc(w / (m * n), m, n, level=LEVEL) for w in distinct.tolist()]).T
    return low[place], high[place]


def difference_limits(samples: Samples, size: Size, seed: int) -> Limits:
    """The bootstrap of first less second, as reported but with fewer resamples; shape (simulations, 2, m + n)."""
    m, n = size
    positive = np.arange(m + n) < m
    return of_each(samples, lambda x: auc_difference(x[0], x[1], positive, level=LEVEL, seed=seed, resamples=RESAMPLES))

"""Limits of an AUC. Samples have shape (simulations, m + n), the m positives first."""

from __future__ import annotations

import numpy as np

from evalcore.stats.auc import newcombe_auc
from evalcore.stats.coverage.limits import LEVEL, Limits
from evalcore.stats.coverage.populations import Samples, Size


def auc_limits(samples: Samples, size: Size, _seed: int) -> Limits:
    """Newcombe's limits, once for each distinct number of pairs won.

    A positive of rank r among all has beaten r minus the positives up to it: the ranks' sum less m (m + 1) / 2. The
    populations are continuous, so there are no ties.
    """
    m, n = size
    positive = np.argsort(samples, axis=1) < m
    won = positive @ np.arange(1, m + n + 1) - m * (m + 1) // 2
    distinct, place = np.unique(won, return_inverse=True)
    low, high = np.array([newcombe_auc(w / (m * n), m, n, level=LEVEL) for w in distinct.tolist()]).T
    return low[place], high[place]

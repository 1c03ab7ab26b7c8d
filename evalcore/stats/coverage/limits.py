"""Limits of many samples at once: the report's own function is asked for each sample, or once for each distinct one."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from evalcore.stats.coverage.populations import Samples
from evalcore.stats.resampling import Floats
from evalcore.stats.result import Interval

LEVEL = 0.95
RESAMPLES = 2_000
Limits = tuple[Floats, Floats]


def of_each(samples: Samples, interval: Callable[[NDArray[np.float64]], Interval]) -> Limits:
    """Low and high limit of each row, shapes (simulations,); NaN where there is no interval."""
    low, high = np.full((2, len(samples)), np.nan)
    for i, sample in enumerate(samples):
        found = interval(sample)
        if found.low is not None and found.high is not None:
            low[i], high[i] = found.low, found.high
    return low, high


def of_distinct(samples: Samples, interval: Callable[[NDArray[np.float64]], Interval]) -> Limits:
    """As :func:`of_each`, for samples that are counts and therefore often the same."""
    distinct, place = np.unique(samples, axis=0, return_inverse=True)
    low, high = of_each(distinct, interval)
    return low[place.ravel()], high[place.ravel()]

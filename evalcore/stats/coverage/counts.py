"""Limits from counts: hit rates, paired differences of hit rates, rates and agreement over topics."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from evalcore.stats.agreement import Agreement, agreement
from evalcore.stats.clusters import cluster_rate
from evalcore.stats.coverage.limits import LEVEL, RESAMPLES, Limits, of_distinct, of_each
from evalcore.stats.coverage.populations import Samples, Size
from evalcore.stats.means import bootstrap_mean
from evalcore.stats.proportions import (
    Paired,
    exact_rate,
    newcombe_paired,
    normal_quantile,
    normal_rate,
    score_limits,
    wilson,
)
from evalcore.stats.resampling import Floats
from evalcore.stats.result import Interval

CLUSTER_WILSON_Z = "cluster-adjusted Wilson, z"
# resamples where only the jackknife is wanted, enough that one of them has a kappa
_UNUSED = 50


def wilson_rate(hits: Samples, size: Size, _seed: int) -> Limits:
    """Wilson's interval of hits, shape (simulations,)."""
    return of_distinct(hits, lambda x: wilson(int(x), size[0], level=LEVEL))


def clopper_pearson(hits: Samples, size: Size, _seed: int) -> Limits:
    """Clopper and Pearson's interval of hits, shape (simulations,)."""
    return of_distinct(hits, lambda x: exact_rate(int(x), size[0], level=LEVEL))


def normal_approximation(hits: Samples, size: Size, _seed: int) -> Limits:
    """The normal approximation of hits, shape (simulations,); none at 0 or n hits, where it has no width."""
    return of_distinct(hits, lambda x: normal_rate(int(x), size[0], level=LEVEL))


def hits_resampled(hits: Samples, size: Size, seed: int) -> Limits:
    """The percentile bootstrap of a list of hits, shape (simulations,); none at 0 or n hits, a constant list."""
    places = np.arange(size[0])

    def resampled(x: Floats) -> Interval:
        # the hits first, as the report lists them; their order decides which resamples they are in
        listed = (places < x).astype(np.float64)
        return bootstrap_mean(listed, level=LEVEL, seed=seed, resamples=RESAMPLES)

    return of_distinct(hits, resampled)


def newcombe_difference(tables: Samples, _size: Size, _seed: int) -> Limits:
    """Newcombe's interval of paired tables, shape (simulations, 4)."""
    return of_distinct(tables, lambda cells: newcombe_paired(Paired(*map(int, cells)), level=LEVEL))


def cluster_student(hits: Samples, size: Size, _seed: int) -> Limits:
    """The cluster-adjusted interval of hits by topic, shape (simulations, G)."""
    return of_distinct(_sorted(hits), lambda x: cluster_rate(x.tolist(), [size[1]] * len(x), level=LEVEL).interval)


def cluster_normal(hits: Samples, size: Size, _seed: int) -> Limits:
    """The same design effect with z in place of t(G - 1): simulated so that a reader sees why it is t."""
    return of_distinct(_sorted(hits), lambda x: cluster_wilson_z(x, size[1]))


def cluster_wilson_z(hits: Floats, items: int) -> Interval:
    """:func:`cluster_rate` of topics of ``items`` items each (``hits`` of shape (G,)), with z in place of t(G - 1)."""
    found = cluster_rate(hits.tolist(), [items] * len(hits), level=LEVEL)
    if found.interval.value is None or found.n_effective is None:
        return replace(found.interval, method=CLUSTER_WILSON_Z)
    low, high = score_limits(found.interval.value, found.n_effective, normal_quantile(LEVEL))
    return replace(found.interval, low=float(low), high=float(high), method=CLUSTER_WILSON_Z)


def kappa_resampled(topics: Samples, _size: Size, seed: int) -> Limits:
    """Kappa with topics resampled, as reported but with fewer resamples; shape (simulations, G, 4)."""
    return of_each(topics, lambda t: _agreement(t, seed, RESAMPLES).resampled)


def kappa_jackknife(topics: Samples, _size: Size, seed: int) -> Limits:
    """Kappa with the leave-one-topic-out jackknife, as reported; shape (simulations, G, 4)."""
    return of_each(topics, lambda t: _agreement(t, seed, _UNUSED).jackknife)


def _agreement(topics: Floats, seed: int, resamples: int) -> Agreement:
    return agreement(topics.astype(np.int64), level=LEVEL, seed=seed, resamples=resamples)


def _sorted(hits: Samples) -> Samples:
    """Topics of one size in any order have the same interval: fewer distinct samples."""
    return np.sort(hits, axis=1)

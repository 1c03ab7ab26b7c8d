"""A rate over items that come in clusters: the items of one topic share a prompt, passages and a model call.

Counting them as independent is the obvious method and the wrong one: eight topics of seven items that pass or fail
together are eight observations, not 56, and a bootstrap of topics gives 100 % to 100 % when every topic passes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import stdtrit

from evalcore.evidence import Basis, Estimate, Source
from evalcore.stats.proportions import score_limits
from evalcore.stats.resampling import Floats
from evalcore.stats.result import Interval

CLUSTER_WILSON = "cluster-adjusted Wilson, t(G - 1)"
_AT_AN_END = (
    "at {percent} % the spread between topics cannot be seen: this interval takes the {clusters} topics as the sample, "
    "the one beside it all {n} items as independent"
)


@dataclass(frozen=True, slots=True)
class ClusteredRate:
    """A rate over items in topics: ``interval`` with what went into it.

    ``icc_raw`` is the intraclass correlation before it is clipped to [0, 1]. At 0 % or 100 % ``icc`` and
    ``design_effect`` are None, ``interval`` takes the topics as the sample, and ``if_independent`` all the items.
    """

    interval: Interval
    clusters: int
    icc_raw: float | None = None
    icc: float | None = None
    design_effect: float | None = None
    n_effective: float | None = None
    if_independent: Interval | None = None

    def estimate(self, basis: Basis, sources: tuple[Source, ...]) -> Estimate:
        """The rate as evidence, with its topics, design effect and effective n."""
        return replace(
            self.interval.estimate(basis, sources),
            clusters=self.clusters,
            design_effect=self.design_effect,
            n_effective=self.n_effective,
        )

    def beside(self, basis: Basis, sources: tuple[Source, ...]) -> Estimate | None:
        """At 0 % or 100 %, the other end: the interval as if all items were independent."""
        if self.if_independent is None:
            return None
        found = self.if_independent.estimate(basis, sources)
        return replace(found, clusters=self.clusters, n_effective=float(found.n))


def cluster_rate(hits: Sequence[int], sizes: Sequence[int], *, level: float = 0.95) -> ClusteredRate:
    """``hits[g]`` of ``sizes[g]`` items in topic g; topics without an item are left out.

    Wilson's interval at n over Kish's design effect, with t(G - 1) in place of z: with z it holds about 87 % at eight
    topics of seven. Sources: L. Kish, Survey Sampling (1965), section 5.4; the ICC is the one-way analysis of
    variance's, for unequal sizes, as in A. Donner, International Statistical Review 54 (1986) 67-82.

    Raises:
        ValueError: a count that is not between 0 and its topic's size, or lists of different lengths.

    """
    if len(hits) != len(sizes) or any(not 0 <= x <= m for x, m in zip(hits, sizes, strict=True)):
        raise ValueError("each topic needs its hits, between 0 and its number of items")
    x = np.array([h for h, m in zip(hits, sizes, strict=True) if m], dtype=np.float64)
    m = np.array([m for m in sizes if m], dtype=np.float64)
    clusters, n = len(m), int(m.sum())
    if clusters < 2:
        value = float(x.sum() / n) if n else None
        reason = "fewer than two topics: the spread between topics cannot be seen"
        return ClusteredRate(Interval(value, None, None, level, n, CLUSTER_WILSON, reason=reason), clusters)
    value = float(x.sum() / n)
    t = float(stdtrit(clusters - 1, (1 + level) / 2))
    if value in (0.0, 1.0):
        reason = _AT_AN_END.format(percent=f"{100 * value:g}", clusters=clusters, n=n)
        few = _interval(value, clusters, t, level, n, reason)
        return ClusteredRate(
            few, clusters, n_effective=float(clusters), if_independent=_interval(value, n, t, level, n)
        )
    raw = intraclass_correlation(x, m)
    icc = min(max(raw, 0.0), 1.0)
    effect = design_effect(float((m**2).sum() / n), icc)
    return ClusteredRate(_interval(value, n / effect, t, level, n), clusters, raw, icc, effect, n / effect)


def intraclass_correlation(hits: Floats, sizes: Floats) -> float:
    """(MSB - MSW) / (MSB + (m0 - 1) MSW) of hits (0 or 1) in at least two topics, not clipped.

    Shapes (G,), sizes > 0, the rate neither 0 nor 1. With one item a topic there is nothing within: 0.
    """
    n, clusters = sizes.sum(), len(sizes)
    if n == clusters:
        return 0.0
    rates, rate = hits / sizes, hits.sum() / n
    between = float((sizes * (rates - rate) ** 2).sum() / (clusters - 1))
    within = float((sizes * rates * (1 - rates)).sum() / (n - clusters))
    m0 = float((n - (sizes**2).sum() / n) / (clusters - 1))
    return (between - within) / (between + (m0 - 1) * within)


def design_effect(items: float, icc: float) -> float:
    """Kish's 1 + (m - 1) ICC: how many clustered items tell as much as one independent item."""
    return 1 + (items - 1) * icc


def _interval(value: float, n: float, t: float, level: float, items: int, reason: str | None = None) -> Interval:
    low, high = score_limits(value, n, t)
    return Interval(value, float(low), float(high), level, items, CLUSTER_WILSON, reason=reason)

"""Items that come in topics: what a topic is worth, and how many topics against how many items in each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.special import stdtrit

from evalcore.evidence import Basis, Estimate, Source
from evalcore.planning.answers import WHO, Answer, impossible, planned
from evalcore.stats.clusters import CLUSTER_WILSON, ClusteredRate, cluster_rate, design_effect
from evalcore.stats.proportions import score_limits
from evalcore.stats.resampling import Floats

LEVEL = 0.95
TOPICS, ITEMS = (4, 8, 16, 32, 64), (1, 3, 7, 14, 28)
_PAIR = re.compile(r"(\d{1,6})\s*/\s*(\d{1,6})")
_SEPARATORS = re.compile(r"[\s,;]+")
MOST_TOPICS = 1000
_NO_ICC = 1e-9


@dataclass(frozen=True)
class TopicPlan:
    """``topics`` of ``items`` each, with an assumed intraclass correlation and rate."""

    topics: int
    items: int
    icc: float
    rate: float

    @property
    def inputs(self) -> str:
        """What was chosen."""
        return f"{self.topics} topics of {self.items} items, ICC {self.icc:g}, rate {self.rate:g}"

    @property
    def n(self) -> int:
        """All items."""
        return self.topics * self.items

    @property
    def design_effect(self) -> Estimate:
        """Kish's design effect."""
        return planned(design_effect(self.items, self.icc), "1 + (m − 1) ICC", self.inputs, n=self.n)

    @property
    def n_effective(self) -> Estimate:
        """How many independent items would tell as much."""
        return planned(self.n / design_effect(self.items, self.icc), "n / design effect", self.inputs, n=self.n)

    @property
    def ceiling(self) -> Estimate:
        """What the effective n approaches however many items each topic gets."""
        if self.icc < _NO_ICC:
            return impossible("with an ICC of 0 every item counts, so there is no ceiling", "topics / ICC")
        return planned(self.topics / self.icc, "topics / ICC", self.inputs, n=self.n)

    @cached_property
    def interval(self) -> Estimate:
        """The interval to expect at this rate: Wilson with the effective n and t(G - 1)."""
        low, high = self._limits(self.topics, self.items)
        return Estimate(
            self.rate,
            float(low),
            float(high),
            LEVEL,
            self.n,
            CLUSTER_WILSON,
            Basis.ASSUMED,
            (Source(self.inputs, chosen_by=WHO),),
            clusters=self.topics,
            design_effect=self.design_effect.value,
            n_effective=self.n_effective.value,
        )

    def half_width(self, topics: int, items: int) -> Estimate:
        """Half the width to expect with other numbers of topics and items, at the same ICC and rate."""
        low, high = self._limits(topics, items)
        inputs = replace(self, topics=topics, items=items).inputs
        return planned(float(high - low) / 2, CLUSTER_WILSON, inputs)

    def half_widths(self, topics: int, items: Floats) -> Floats:
        """Half-widths against the items of a topic (shape (k,))."""
        low, high = self._limits(topics, items)
        return (high - low) / 2

    def _limits(self, topics: int, items: Floats | float) -> tuple[Floats, Floats]:
        many = np.asarray(items, dtype=np.float64)
        t = float(stdtrit(topics - 1, (1 + LEVEL) / 2))
        return score_limits(self.rate, topics * many / (1 + (many - 1) * self.icc), t)

    def answers(self) -> list[Answer]:
        """The numbers for table, command line and export."""
        return [
            Answer("design_effect", "Design effect", self.design_effect, 2),
            Answer("n_effective", "Effective n", self.n_effective, 1),
            Answer("ceiling", "Effective n at most, however many items a topic", self.ceiling, 1),
            Answer("interval", f"Interval at a rate of {self.rate:g}", self.interval),
        ]


@dataclass(frozen=True)
class Pilot:
    """Hits of a pilot by topic, and what they say about its spread."""

    hits: tuple[int, ...]
    sizes: tuple[int, ...]

    @classmethod
    def read(cls, text: str) -> Pilot:
        """Topics as ``hits/items``, apart by spaces, commas or semicolons.

        Raises:
            ValueError: what is wrong, in which topic, and what to write instead.

        """
        parts = [part for part in _SEPARATORS.split(re.sub(r"\s*/\s*", "/", text.strip())) if part]
        if not parts:
            raise ValueError("no topic: write hits/items for each, for example 7/7, 5/7")
        if len(parts) > MOST_TOPICS:
            raise ValueError(f"{len(parts):,} topics: {MOST_TOPICS:,} are the most")
        hits, sizes = [], []
        for place, part in enumerate(parts, 1):
            found = _PAIR.fullmatch(part)
            if found is None:
                raise ValueError(f"topic {place}: {part[:20]!r} is not hits/items, for example 7/7")
            x, m = int(found[1]), int(found[2])
            if x > m:
                raise ValueError(f"topic {place}: {x} hits of {m} items")
            hits.append(x)
            sizes.append(m)
        return cls(tuple(hits), tuple(sizes))

    @cached_property
    def found(self) -> ClusteredRate:
        """The cluster-adjusted rate."""
        return cluster_rate(self.hits, self.sizes, level=LEVEL)

    @property
    def inputs(self) -> str:
        """What was entered."""
        counts = ", ".join(f"{x}/{m}" for x, m in zip(self.hits, self.sizes, strict=True))
        return f"hits by topic: {counts}"

    @cached_property
    def rate(self) -> Estimate:
        """The rate with its cluster-adjusted interval."""
        return self._estimate(False)

    @property
    def if_independent(self) -> Estimate | None:
        """At 0 % or 100 %, the interval that takes every item as independent; else None."""
        return None if self.found.if_independent is None else self._estimate(True)

    def answers(self) -> list[Answer]:
        """The numbers for table, command line and export."""
        c = self.found
        why = str(c.interval.reason)

        def known(value: float | None, method: str) -> Estimate:
            if value is None:
                return impossible(why, method)
            return planned(value, method, self.inputs, n=c.interval.n)

        shown = [
            Answer("rate", "Rate over items", self.rate),
            Answer("icc", "ICC", known(c.icc, "one-way analysis of variance, clipped to 0 … 1")),
            Answer("icc_raw", "ICC before clipping", known(c.icc_raw, "one-way analysis of variance")),
            Answer("design_effect", "Design effect", known(c.design_effect, "1 + (Σm²/N − 1) ICC"), 2),
            Answer("n_effective", "Effective n", known(c.n_effective, "N / design effect"), 1),
        ]
        if self.if_independent is not None:
            shown.insert(1, Answer("if_independent", "The same, were all items independent", self.if_independent))
        return shown

    def _estimate(self, independent: bool) -> Estimate:
        c = self.found
        interval = c.if_independent if independent and c.if_independent is not None else c.interval
        found = interval.estimate(Basis.ASSUMED, (Source(self.inputs, chosen_by="whoever entered the counts"),))
        return replace(
            found,
            clusters=c.clusters,
            design_effect=None if independent else c.design_effect,
            n_effective=float(interval.n) if independent else c.n_effective,
        )


def budget_table(plan: TopicPlan, topics: Sequence[int] = TOPICS, items: Sequence[int] = ITEMS) -> list[list[Estimate]]:
    """Half-widths: one row a number of topics, one column a number of items."""
    return [[plan.half_width(g, m) for m in items] for g in topics]

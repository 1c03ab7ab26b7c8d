"""How wide the interval of a hit rate is, and what a gate on it decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np

from evalcore.evidence import Estimate
from evalcore.evidence.claims import number
from evalcore.planning.answers import Answer, assumed, impossible, planned
from evalcore.stats.means import HITS_RESAMPLED, RESAMPLES, SEED, bootstrap_mean
from evalcore.stats.proportions import WILSON, exact_rate, normal_quantile, normal_rate, score_limits, wilson
from evalcore.stats.resampling import Floats, resampled_means
from evalcore.stats.widths import (
    gate_passes,
    needed_hits,
    questions_for_half_width,
    wilson_questions_for_half_width,
)

SIZES = (10, 40, 100, 400)
HALF_WIDTHS = (0.1, 0.05, 0.025)
LEVEL = 0.95
_WHOLE = 1e-6
RULED_OUT = "p − h, the normal approximation's lower limit"
FEWEST_EACH = 5
"""The fewest hits and misses that textbooks ask of a normal approximation."""
_NOTHING = "the normal approximation's lower limit is no rate: it lies at or below 0"


@dataclass(frozen=True)
class SupposedRate:
    """``hits`` of ``n`` questions, supposed: what each method makes of it."""

    hits: int
    n: int

    @classmethod
    @lru_cache(maxsize=256)
    def near(cls, rate: float, n: int) -> SupposedRate:
        """The whole number of hits nearest to a rate; a half goes up, as readers round."""
        return cls(int(rate * n + 0.5 + 1e-9), n)

    @property
    def inputs(self) -> str:
        """What was chosen."""
        return f"{self.hits} of {self.n} questions hit"

    def rounding(self, rate: float) -> str | None:
        """That the rate is no count of questions, and what stands for it; None where it is one."""
        if abs(self.hits - rate * self.n) < _WHOLE:
            return None
        return (
            f"A rate of {rate:g} of {self.n} questions is {number(rate * self.n, 2)} hits; the nearest whole number is "
            f"{self.hits}, a rate of {number(self.hits / self.n)}"
        )

    @cached_property
    def wilson(self) -> Estimate:
        """Wilson's interval, which this tool uses for hit rates."""
        return assumed(wilson(self.hits, self.n, level=LEVEL), self.inputs)

    @cached_property
    def exact(self) -> Estimate:
        """Clopper and Pearson's interval, which never holds less often than it says."""
        return assumed(exact_rate(self.hits, self.n, level=LEVEL), self.inputs)

    @cached_property
    def normal(self) -> Estimate:
        """The normal approximation, to be compared only."""
        return assumed(normal_rate(self.hits, self.n, level=LEVEL), self.inputs)

    @cached_property
    def bootstrap(self) -> Estimate:
        """The percentile bootstrap of a list with these hits."""
        return assumed(replace(bootstrap_mean(self._list, level=LEVEL), method=HITS_RESAMPLED), self.inputs)

    @property
    def methods(self) -> tuple[Estimate, ...]:
        """The four, side by side."""
        return self.wilson, self.normal, self.bootstrap, self.exact

    @property
    def one_question(self) -> Estimate:
        """How far one question moves the rate."""
        return planned(1 / self.n, "1 / n", self.inputs, n=self.n)

    @cached_property
    def resampled(self) -> tuple[Floats, Floats]:
        """Resampled rates, ascending, and how often each came: what the bootstrap's picture is drawn from."""
        means = resampled_means(self._list, seed=SEED, resamples=RESAMPLES)
        rates, counts = np.unique(np.rint(means * self.n) / self.n, return_counts=True)
        return rates, counts.astype(np.float64)

    @property
    def _list(self) -> Floats:
        return np.concatenate([np.ones(self.hits), np.zeros(self.n - self.hits)])


def leaves_the_scale(estimate: Estimate) -> bool:
    """Whether an interval of a rate claims values below 0 or above 1."""
    return estimate.low is not None and estimate.high is not None and (estimate.low < 0 or estimate.high > 1)


def width(estimate: Estimate) -> Estimate:
    """The width of an interval, or why there is none."""
    if estimate.low is None or estimate.high is None:
        return Estimate.not_assessed(str(estimate.reason), method=estimate.method)
    return planned(estimate.high - estimate.low, f"width, {estimate.method}", estimate.sources[0].name, n=estimate.n)


@dataclass(frozen=True, slots=True)
class HalfWidth:
    """How many questions a half-width takes at a rate, and what a measured value then rules out.

    Both limits are those of a rate measured on the normal approximation's number of questions.
    """

    half_width: float
    normal: Estimate
    wilson: Estimate
    ruled_out: Estimate
    ruled_out_wilson: Estimate
    caution: str | None
    """Why the normal approximation is not to be trusted there; None where it may be."""


def half_width_table(rate: float, half_widths: Sequence[float] = HALF_WIDTHS) -> list[HalfWidth]:
    """One row a half-width: n = z^2 p (1 - p)/h^2, Wilson's n, and the true rates below which a measured p rules out.

    p - h is the normal approximation's lower limit; Wilson's, which this tool prints of a measured rate, is lower.
    """
    rows, z = [], normal_quantile(LEVEL)
    for h in half_widths:
        inputs = f"rate {rate:g}, half-width {h:g}, level {LEVEL:g}"
        n = questions_for_half_width(rate, h, level=LEVEL)
        caution = _beyond_normal(rate, h, n)
        rows.append(
            HalfWidth(
                h,
                planned(n, "z² p (1 − p) / h², rounded up", inputs),
                planned(wilson_questions_for_half_width(rate, h, level=LEVEL), "smallest n, Wilson", inputs),
                planned(rate - h, RULED_OUT, inputs, n=n) if rate > h else impossible(_NOTHING, RULED_OUT),
                planned(float(score_limits(rate, n, z)[0]), f"lower limit, {WILSON}", inputs, n=n),
                caution,
            )
        )
    return rows


def _beyond_normal(rate: float, half: float, n: int) -> str | None:
    """Why a half-width's number of questions is not to be had from the normal approximation."""
    why = []
    if rate - half < 0 or rate + half > 1:
        why.append(f"{number(rate - half)} to {number(rate + half)} leaves 0 to 1")
    hits, misses = n * rate, n * (1 - rate)
    if min(hits, misses) < FEWEST_EACH:
        what, few = ("hits", hits) if hits < misses else ("misses", misses)
        why.append(f"{few:.2g} {what} are expected, fewer than {FEWEST_EACH}")
    return "; ".join(why) or None


@dataclass(frozen=True, slots=True)
class Funnel:
    """Limits against the number of questions, shape (k,) each: Wilson's and the normal approximation's."""

    n: Floats
    wilson_low: Floats
    wilson_high: Floats
    normal_low: Floats
    normal_high: Floats

    @classmethod
    def at(cls, rate: float, most: int) -> Funnel:
        """At a rate, from 4 questions to ``most``, closer where the limits move fast."""
        n = np.unique(np.rint(np.geomspace(4, max(most, 5), 90)))
        z = normal_quantile(LEVEL)
        low, high = score_limits(rate, n, z)
        half = z * np.sqrt(rate * (1 - rate) / n)
        return cls(n, low, high, rate - half, rate + half)

    @property
    def half_wilson(self) -> Floats:
        """Half of Wilson's width."""
        return (self.wilson_high - self.wilson_low) / 2


@dataclass(frozen=True, slots=True)
class GateChance:
    """A gate on a rate with n questions: how often it passes at a true rate."""

    limit: float
    at_least: bool
    n: int

    @property
    def inputs(self) -> str:
        """What was chosen."""
        return f"gate {'at least' if self.at_least else 'at most'} {self.limit:g} on {self.n} questions"

    @property
    def needed(self) -> int:
        """The fewest hits that pass, or with "at most" the most."""
        return needed_hits(self.limit, self.n, at_least=self.at_least)

    def passes(self, true_rate: float) -> Estimate:
        """Probability of a pass at a true rate."""
        chance = float(gate_passes(self.limit, self.n, true_rate, at_least=self.at_least))
        return planned(chance, "binomial", f"{self.inputs}, true rate {true_rate:g}", n=self.n)

    def curve(self, rates: Floats) -> Floats:
        """Probability of a pass at each true rate, shape like ``rates``."""
        return gate_passes(self.limit, self.n, rates, at_least=self.at_least)

    def table(self) -> list[tuple[float, Estimate]]:
        """True rates around the limit, a step apart, with the probability of a pass at each."""
        step = 0.05 if min(self.limit, 1 - self.limit) <= 0.15 else 0.1
        rates = [round(self.limit + k * step, 9) for k in (-2, -1, 0, 1, 2)]
        return [(rate, self.passes(rate)) for rate in rates if 0 <= rate <= 1]


def rate_answers(supposed: SupposedRate) -> list[Answer]:
    """The numbers of one supposed rate, for command line and export."""
    keys = ("wilson", "normal", "bootstrap", "exact")
    shown = [Answer(key, e.method, e) for key, e in zip(keys, supposed.methods, strict=True)]
    return [*shown, Answer("one_question", "One question moves the rate by", supposed.one_question)]


def half_width_answers(rate: float, wanted: Sequence[float] = HALF_WIDTHS) -> list[Answer]:
    """The numbers of the half-width table."""
    return [
        answer
        for row in half_width_table(rate, wanted)
        for answer in (
            Answer(f"half_width_{row.half_width:g}", f"Questions for ± {row.half_width:g}", row.normal, 0),
            Answer(f"half_width_{row.half_width:g}_wilson", f"The same, Wilson, ± {row.half_width:g}", row.wilson, 0),
        )
    ]

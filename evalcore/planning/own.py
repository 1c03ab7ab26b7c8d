"""Planning from a study's own paired differences: their spread, and the power of larger studies like it.

The mean of the differences is moved to the smallest difference worth having, which somebody chooses. What was observed
is never the default: power computed from it only repeats the p-value. Ties are moved with the rest, as declared; beside
that stands the power when ties stay ties.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil

import numpy as np

from evalcore.comparison import Compared
from evalcore.evidence import Basis, Comparison, Estimate, Source
from evalcore.evidence.claims import number
from evalcore.measures import Measure
from evalcore.planning.answers import WHO, impossible
from evalcore.planning.questions import NONCENTRAL_T, mean_power, mean_power_of, mean_questions
from evalcore.stats.means import SAME
from evalcore.stats.power import D_Z_INTERVAL, d_z_limits
from evalcore.stats.proportions import WILSON, wilson
from evalcore.stats.resampled_power import (
    STUDIES,
    recentred,
    recentred_beside_ties,
    studies_for,
    study_p_values,
)
from evalcore.stats.resampling import Floats

TIMES = (1.0, 1.5, 2.0, 3.0)
RESAMPLED = "own differences resampled, sign-flip test"
TIES_MOVED, TIES_KEPT = f"{RESAMPLED}, ties moved with the rest", f"{RESAMPLED}, ties stay ties"
_HIT_RATE = "a hit rate has no such differences: plan it from the questions that change outcome"
_CONSTANT = "the differences do not vary, so they say nothing about other questions"


@dataclass(frozen=True)
class OwnPower:
    """Simulated power of n questions: at alpha for one test, and at Holm's first step of the family.

    As declared, ties are moved with the rest; in ``one_test_ties`` and ``family_ties`` they stay ties.
    """

    n: int
    one_test: Estimate
    family: Estimate
    one_test_ties: Estimate
    family_ties: Estimate

    @property
    def readings_differ(self) -> bool:
        """Whether the two ways with ties are further apart, at either step, than the simulation's own intervals."""
        return _apart(self.one_test, self.one_test_ties) or _apart(self.family, self.family_ties)


@dataclass(frozen=True)
class OwnPair:
    """One pair of a study on one measure, planned at a smallest difference worth having."""

    compared: Compared
    first: str
    second: str
    measure: Measure
    worth: float
    asked: int | None = None
    """Comparisons in the family, where somebody says so; else those of the study."""

    @property
    def comparison(self) -> Comparison:
        """What was observed."""
        return self.compared.pair(self.first, self.second, self.measure)

    @cached_property
    def differences(self) -> Floats:
        """First minus second, a question each, in the study's order."""
        apart = self.compared.differences(self.first, self.second, self.measure)
        return np.array(list(apart.values()), dtype=np.float64)

    @property
    def n(self) -> int:
        """The questions there are."""
        return len(self.differences)

    @property
    def ties(self) -> int:
        """The questions on which the two do not differ."""
        return int((np.abs(self.differences) <= SAME).sum())

    @property
    def sizes(self) -> tuple[int, ...]:
        """The questions there are, and one and a half, two and three times as many; whole, rounded up."""
        return tuple(ceil(times * self.n) for times in TIMES)

    @cached_property
    def reason(self) -> str | None:
        """Why nothing can be planned from these differences; None when it can."""
        if self.measure.is_hit_rate:
            return _HIT_RATE
        if self.n < 2 or self._spread < SAME:
            return _CONSTANT
        return None

    @property
    def _spread(self) -> float:
        return float(self.differences.std(ddof=1)) if self.n > 1 else 0.0

    @cached_property
    def spread(self) -> Estimate:
        """Standard deviation of the differences (ddof 1)."""
        d = self.comparison.difference
        if self.reason is not None:
            return self._impossible("standard deviation, ddof 1")
        why = "a spread, shown without an interval"
        return replace(
            d,
            value=self._spread,
            low=None,
            high=None,
            level=None,
            method="standard deviation, ddof 1",
            reason=why,
            seed=None,
            resamples=None,
        )

    @cached_property
    def d_z(self) -> Estimate:
        """The observed d_z with its interval, which is wide."""
        d, seen = self.comparison.difference, self.comparison.d_z
        method = D_Z_INTERVAL
        if self.reason is not None or seen is None:
            return self._impossible(method)
        low, high = d_z_limits(seen, self.n, self._level)
        return replace(
            d, value=seen, low=low, high=high, level=self._level, method=method, reason=None, seed=None, resamples=None
        )

    @cached_property
    def d_z_at_worth(self) -> Estimate:
        """d_z of the smallest difference worth having, at the observed spread: what to plan with."""
        method = "difference worth having / standard deviation"
        if self.reason is not None:
            return self._impossible(method)
        return self._planned(abs(self.worth) / self._spread, method)

    def closed_form(self, n: int, alpha: float) -> Estimate:
        """Power of the t test with n questions at that d_z: what the simulation is held against."""
        d_z = self.d_z_at_worth.value
        if d_z is None:
            return self._impossible(NONCENTRAL_T)
        return self._planned(*mean_power_of(d_z, n, alpha), f"n {n}, alpha {alpha:.3g}")

    def closed_curve(self, n: Floats) -> Floats:
        """The same at Holm's first step for each n (shape (k,)); NaN where there is none."""
        d_z = self.d_z_at_worth.value
        return np.full(len(n), np.nan) if d_z is None else mean_power(d_z, n, self.first_step)

    def needed(self, alpha: float, power: float) -> Estimate:
        """Questions for a power at that d_z, by the closed form."""
        d_z = self.d_z_at_worth.value
        if d_z is None:
            return self._impossible(NONCENTRAL_T)
        try:
            inputs = f"alpha {alpha:.3g}, power {power:g}"
            return self._planned(*mean_questions(d_z, alpha, power), inputs)
        except ValueError as error:
            return impossible(str(error), NONCENTRAL_T)

    def power(self, n: int, *, studies: int = STUDIES, done: Callable[[float], None] = lambda share: None) -> OwnPower:
        """Power of n questions by resampling, with Wilson's interval over the simulated studies."""
        if self.reason is not None:
            moved, kept = self._impossible(TIES_MOVED), self._impossible(TIES_KEPT)
            return OwnPower(n, moved, moved, kept, kept)
        # the second half of the progress is the second reading's
        found = self._simulated(recentred, TIES_MOVED, n, studies, lambda share: done(share / 2))
        return OwnPower(
            n,
            *found,
            *self._simulated(recentred_beside_ties, TIES_KEPT, n, studies, lambda share: done((1 + share) / 2)),
        )

    def _simulated(
        self,
        move: Callable[[Floats, float], Floats],
        method: str,
        n: int,
        studies: int,
        done: Callable[[float], None],
    ) -> tuple[Estimate, Estimate]:
        """Power at alpha and at Holm's first step, from one simulation."""
        plan = self.compared.plan
        settings = plan.settings
        draws = plan.sign_vectors(self.family)
        many = studies_for(n, studies=studies, draws=draws)
        p = study_p_values(
            self.differences,
            abs(self.worth),
            n,
            studies=many,
            move=move,
            seed=settings.seed,
            draws=draws,
            exact_up_to=settings.exact_up_to,
            done=done,
        )
        return self._share(p, method, n, plan.alpha), self._share(p, method, n, self.first_step)

    def caution(self, powers: Sequence[OwnPower]) -> str | None:
        """That the two readings of ties differ, and where most; None where they do not."""
        apart = [power for power in powers if power.readings_differ]
        if not apart:
            return None
        most = max(apart, key=lambda p: abs((p.family.value or 0) - (p.family_ties.value or 0)))
        return (
            f"{self.ties} of {self.n} questions tie, and what is made of ties decides: with {most.n} questions power "
            f"at Holm's first step of {self.family} is {number(most.family.value)} when ties move with the rest and "
            f"{number(most.family_ties.value)} when they stay ties. These data cannot tell which will be so: plan with "
            "the lower of the two, or ask questions on which the two differ"
        )

    @property
    def family(self) -> int:
        """Comparisons in the family; a study without one has each comparison alone."""
        return self.asked or max(1, len(self.compared.family))

    @property
    def first_step(self) -> float:
        """Alpha at Holm's first step of that family."""
        return self.compared.plan.alpha / self.family

    @property
    def _level(self) -> float:
        return self.compared.plan.settings.level

    @property
    def _sources(self) -> tuple[Source, ...]:
        worth = Source(f"smallest difference worth having {self.worth:g} {self.measure}", chosen_by=WHO)
        return (*self.comparison.sources, worth)

    def _impossible(self, method: str) -> Estimate:
        return Estimate.not_assessed(
            self.reason or str(self.comparison.reason), method=method, provisional=self.compared.provisional
        )

    def _planned(self, value: float, method: str, inputs: str | None = None) -> Estimate:
        why = "computed from an assumed difference and an observed spread"
        return Estimate(
            *(value, None, None, None, self.n, method, Basis.ASSUMED, self._with(inputs)),
            reason=why,
            provisional=self.compared.provisional,
        )

    def _with(self, inputs: str | None) -> tuple[Source, ...]:
        return self._sources if inputs is None else (*self._sources, Source(inputs, chosen_by=WHO))

    def _share(self, p_values: Floats, method: str, n: int, alpha: float) -> Estimate:
        studies = len(p_values)
        interval = wilson(int((p_values < alpha).sum()), studies, level=self._level)
        return Estimate(
            interval.value,
            interval.low,
            interval.high,
            interval.level,
            studies,
            f"{method}; {WILSON} over simulated studies",
            Basis.ASSUMED,
            self._with(f"n {n}, alpha {alpha:.3g}"),
            provisional=self.compared.provisional,
            seed=self.compared.plan.settings.seed,
            resamples=studies,
        )


def _apart(one: Estimate, other: Estimate) -> bool:
    if one.low is None or one.high is None or other.low is None or other.high is None:
        return False
    return one.high < other.low or other.high < one.low


def own_pairs(compared: Compared, worth: float, family: int | None = None) -> Sequence[OwnPair]:
    """Every pair of a study on its primary measure, the higher mean first; ``family`` as in :class:`OwnPair`."""
    names, measure = compared.by_mean, compared.plan.primary
    return [
        OwnPair(compared, first, second, measure, worth, family)
        for place, first in enumerate(names)
        for second in names[place + 1 :]
    ]

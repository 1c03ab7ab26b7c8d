"""How many questions a comparison needs: for a mean from d_z, for hit rates from assumed shares of flips."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from evalcore.evidence import Basis, Estimate, Source
from evalcore.planning.answers import WHO, Answer, impossible, planned
from evalcore.stats.flips import MOST_QUESTIONS, connor_questions, mcnemar_power, mcnemar_powers, mcnemar_questions
from evalcore.stats.power import (
    D_Z_INTERVAL,
    d_z_limits,
    detectable_d_z,
    exact_questions,
    fewest_for_sign_flips,
    paired_power,
    power_at_the_edge,
    questions_needed,
)
from evalcore.stats.resampling import Floats

NONCENTRAL_T = "noncentral t, two-sided paired test"
ENUMERATION = "McNemar exact, by enumeration"
FLOOR = "the fewest that the sign-flip test can decide: 2/2ⁿ below alpha"


def mean_power(d_z: float, n: Floats | float, alpha: float) -> Floats:
    """Power of the t test, and 0 where the sign-flip test, which gives the verdict, cannot come below alpha."""
    return np.where(np.asarray(n) < fewest_for_sign_flips(alpha), 0.0, paired_power(d_z, n, alpha))


def mean_power_of(d_z: float, n: int, alpha: float) -> tuple[float, str]:
    """That power of one n, and how it was found."""
    method = NONCENTRAL_T if n >= fewest_for_sign_flips(alpha) else too_few(n, alpha)
    return float(mean_power(d_z, n, alpha)), method


def mean_questions(d_z: float, alpha: float, power: float) -> tuple[int, str]:
    """Questions for a power, and what asks for so many: the t test's formula, or the sign-flip test's floor.

    Raises:
        ValueError: more than ten million.

    """
    by_formula, least = questions_needed(d_z, alpha, power), fewest_for_sign_flips(alpha)
    return (least, FLOOR) if by_formula < least else (by_formula, NONCENTRAL_T)


@dataclass(frozen=True)
class MeanPlan:
    """A paired comparison of means: assumed d_z, alpha, wanted power, family size, and the questions there are now."""

    d_z: float
    alpha: float
    power: float
    family: int
    now: int

    @property
    def first_step(self) -> float:
        """Alpha for the smallest p of the family, at Holm's first step."""
        return self.alpha / self.family

    @cached_property
    def for_one_test(self) -> Estimate:
        """Questions for one test at alpha."""
        return self._needed(self.alpha)

    @cached_property
    def for_the_family(self) -> Estimate:
        """Questions at Holm's first step."""
        return self._needed(self.first_step)

    def _needed(self, alpha: float) -> Estimate:
        inputs = self._inputs(alpha)
        try:
            return planned(*mean_questions(self.d_z, alpha, self.power), inputs)
        except ValueError as error:
            return impossible(str(error), NONCENTRAL_T)

    def exactly(self, alpha: float) -> Estimate:
        """The t test's questions, not rounded up."""
        try:
            return planned(exact_questions(self.d_z, alpha, self.power), NONCENTRAL_T, self._inputs(alpha))
        except ValueError as error:
            return impossible(str(error), NONCENTRAL_T)

    def power_now(self, alpha: float) -> Estimate:
        """Power with the questions there are."""
        inputs = f"d_z {self.d_z:g}, alpha {alpha:.3g}, n {self.now}"
        return planned(*mean_power_of(self.d_z, self.now, alpha), inputs, n=self.now)

    def detectable(self, alpha: float) -> Estimate:
        """The smallest d_z that the questions there are would find with the wanted power."""
        inputs = f"n {self.now}, alpha {alpha:.3g}, power {self.power:g}"
        if self.now < fewest_for_sign_flips(alpha):
            return impossible(too_few(self.now, alpha), NONCENTRAL_T)
        try:
            return planned(detectable_d_z(self.now, alpha, self.power), NONCENTRAL_T, inputs, n=self.now)
        except ValueError as error:
            return impossible(str(error), NONCENTRAL_T)

    @cached_property
    def d_z_seen(self) -> Estimate:
        """What the true d_z could be, had this one been seen with the questions there are."""
        low, high = d_z_limits(self.d_z, self.now)
        source = Source(f"d_z {self.d_z:g} seen on {self.now} questions", chosen_by=WHO)
        return Estimate(self.d_z, low, high, 0.95, self.now, D_Z_INTERVAL, Basis.ASSUMED, (source,))

    @property
    def after_the_fact(self) -> Estimate:
        """Power computed from a result with p exactly alpha: what post-hoc power always says."""
        inputs = f"observed p = {self.alpha:g} on {self.now} questions"
        return planned(power_at_the_edge(self.now, self.alpha), NONCENTRAL_T, inputs, n=self.now)

    def curve(self, most: int, also: Sequence[int] = ()) -> tuple[Floats, Floats, Floats]:
        """n from 2 to ``most``, and the power at each for one test and at Holm's first step; shapes (k,).

        ``also`` are numbers of questions that the curve must have a point at, as far as it reaches.
        """
        n = _grid(most, also)
        return n, mean_power(self.d_z, n, self.alpha), mean_power(self.d_z, n, self.first_step)

    def answers(self) -> list[Answer]:
        """The numbers for table, command line and export."""
        family = f"at Holm's first step of {self.family}"
        return [
            Answer("questions_one_test", "Questions for one test", self.for_one_test, 0),
            Answer("questions_family", f"Questions {family}", self.for_the_family, 0),
            Answer("power_now_one_test", f"Power with {self.now} questions, one test", self.power_now(self.alpha)),
            Answer("power_now_family", f"Power with {self.now} questions, {family}", self.power_now(self.first_step)),
            Answer(
                "detectable_one_test",
                f"Detectable d_z with {self.now} questions, one test",
                self.detectable(self.alpha),
            ),
            Answer(
                "detectable_family",
                f"Detectable d_z with {self.now} questions, {family}",
                self.detectable(self.first_step),
            ),
            Answer("d_z_seen", f"A d_z of {self.d_z:g} seen on {self.now} questions", self.d_z_seen),
        ]

    def _inputs(self, alpha: float) -> str:
        return f"d_z {self.d_z:g}, alpha {alpha:.3g}, power {self.power:g}"


@dataclass(frozen=True)
class HitPlan:
    """A paired comparison of hit rates: assumed shares of questions that only one run hits."""

    only_first: float
    only_second: float
    alpha: float
    power: float
    family: int
    now: int

    @property
    def first_step(self) -> float:
        """Alpha at Holm's first step."""
        return self.alpha / self.family

    def needed(self, alpha: float) -> Estimate:
        """The smallest n with the wanted power, exactly."""
        try:
            n = mcnemar_questions(self.only_first, self.only_second, alpha, self.power)
        except ValueError as error:
            return impossible(str(error), ENUMERATION)
        return planned(n, ENUMERATION, self._inputs(alpha))

    def approximate(self, alpha: float) -> Estimate:
        """Connor's normal approximation, which is too small for the exact test."""
        method = "Connor 1987, normal approximation"
        if self.only_first == self.only_second:
            return impossible("equal shares are no difference to find", method)
        n = connor_questions(self.only_first, self.only_second, alpha, self.power)
        return planned(n, method, self._inputs(alpha))

    def power_with(self, n: int, alpha: float) -> Estimate:
        """Power with n questions."""
        if n > MOST_QUESTIONS:
            return impossible(f"{n:,} questions are more than the {MOST_QUESTIONS:,} that are enumerated", ENUMERATION)
        found = mcnemar_power(self.only_first, self.only_second, n, alpha)
        return planned(found, ENUMERATION, f"{self._shares}, alpha {alpha:.3g}, n {n}", n=n)

    def curve(self, most: int, also: Sequence[int] = ()) -> tuple[Floats, Floats, Floats]:
        """The same as :meth:`MeanPlan.curve`."""
        n = _grid(most, also)
        sizes = [int(k) for k in n]
        one, family = (
            mcnemar_powers(self.only_first, self.only_second, sizes, a) for a in (self.alpha, self.first_step)
        )
        return n, one, family

    def answers(self) -> list[Answer]:
        """The numbers for table, command line and export."""
        one, approximate = self.needed(self.alpha), self.approximate(self.alpha)
        family = f"at Holm's first step of {self.family}"
        answers = [
            Answer("questions_one_test", "Questions for one test", one, 0),
            Answer("questions_family", f"Questions {family}", self.needed(self.first_step), 0),
            Answer("connor_one_test", "Normal approximation, one test", approximate, 0),
        ]
        for key, title, found in (
            ("power_there", "Power with that exact number, one test", one),
            ("power_at_connor", "Exact power with the approximation's number", approximate),
        ):
            if found.value is not None:
                answers.append(Answer(key, title, self.power_with(int(found.value), self.alpha)))
        now = f"Power with {self.now} questions"
        answers += [
            Answer("power_now_one_test", f"{now}, one test", self.power_with(self.now, self.alpha)),
            Answer("power_now_family", f"{now}, {family}", self.power_with(self.now, self.first_step)),
        ]
        return answers

    @property
    def _shares(self) -> str:
        return f"only the first hits {self.only_first:g}, only the second {self.only_second:g}"

    def _inputs(self, alpha: float) -> str:
        return f"{self._shares}, alpha {alpha:.3g}, power {self.power:g}"


def too_few(n: int, alpha: float) -> str:
    """Why n questions decide nothing at alpha."""
    least = fewest_for_sign_flips(alpha)
    return (
        f"the sign-flip test of {n} questions has p {2 / 2**n:.3g} at the least and cannot come below alpha "
        f"{alpha:.3g}; {least} questions can"
    )


def _grid(most: int, also: Sequence[int]) -> Floats:
    """Whole numbers of questions from 2 to ``most``, about a hundred."""
    return np.union1d(np.rint(np.linspace(2, most, 100)), [k for k in also if 2 <= k <= most])

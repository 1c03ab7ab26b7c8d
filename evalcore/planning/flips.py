"""Which questions decide a paired comparison of hits: supposed flips, their intervals, and what pairing is worth."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from evalcore.evidence import Estimate
from evalcore.evidence.claims import number
from evalcore.planning.answers import Answer, assumed, impossible, planned
from evalcore.stats.flips import paired_error, unpaired_error
from evalcore.stats.paired import Settings, compare_means
from evalcore.stats.proportions import MCNEMAR, Paired, mcnemar_exact, newcombe_paired, newcombe_unpaired
from evalcore.stats.resampling import Floats

# the lesson's: 60 questions of which the second run hits 42, always a net gain of 4
LESSON_FLIPS = ((4, 0), (6, 2), (10, 6), (16, 12))
LESSON_N, LESSON_HITS = 60, 42


@dataclass(frozen=True)
class SupposedFlips:
    """Two runs on the same questions, supposed."""

    table: Paired

    @classmethod
    def of(cls, n: int, first_only: int, second_only: int, agreement_hit: float) -> SupposedFlips:
        """From n, the flips, and the share of the agreeing questions that both hit.

        Raises:
            ValueError: more flips than questions.

        """
        if first_only + second_only > n:
            raise ValueError(
                f"{first_only} + {second_only} questions change outcome, which is more than the {n} there are"
            )
        alike = n - first_only - second_only
        both = int(alike * agreement_hit + 0.5 + 1e-9)
        return cls(Paired(both, first_only, second_only, alike - both))

    @property
    def inputs(self) -> str:
        """What was chosen."""
        t = self.table
        return (
            f"{t.n} questions: {t.both} hit by both, {t.first_only} by the first only, {t.second_only} by the second "
            f"only, {t.neither} by neither"
        )

    @cached_property
    def paired(self) -> Estimate:
        """The difference with Newcombe's paired interval."""
        return assumed(newcombe_paired(self.table), self.inputs)

    @cached_property
    def unpaired(self) -> Estimate:
        """The same difference as if two groups of questions had been asked."""
        return assumed(newcombe_unpaired(self.table), self.inputs)

    @cached_property
    def bootstrap(self) -> Estimate:
        """The difference with the percentile bootstrap, which claims too much when all flips go one way."""
        return assumed(
            compare_means(self._differences, np.zeros(self.table.n), Settings(sign_vectors=1)).interval, self.inputs
        )

    @property
    def error(self) -> Estimate:
        """Standard error of the paired difference."""
        t = self.table
        found = paired_error(t.n, t.first_only, t.second_only)
        return planned(found, "√((b + c)/n − ((b − c)/n)²) / √n", self.inputs, n=t.n)

    @property
    def unpaired_error(self) -> Estimate:
        """Standard error without the pairing."""
        t = self.table
        found = unpaired_error(t.n, t.both + t.first_only, t.both + t.second_only)
        return planned(found, "√(p₁(1 − p₁)/n + p₂(1 − p₂)/n)", self.inputs, n=t.n)

    @property
    def p(self) -> Estimate:
        """McNemar's exact p."""
        t = self.table
        return planned(mcnemar_exact(t.first_only, t.second_only).p, MCNEMAR, self.inputs, n=t.n)

    @property
    def worth_of_pairing(self) -> Estimate:
        """How many times as many questions each of an unpaired study's two groups needs for the same standard error."""
        paired, unpaired = self.error.value, self.unpaired_error.value
        method = "(unpaired standard error / paired)²"
        if not paired or unpaired is None:
            return impossible("the paired standard error is 0", method)
        return planned((unpaired / paired) ** 2, method, self.inputs, n=self.table.n)

    @property
    def _differences(self) -> Floats:
        t = self.table
        return np.concatenate([np.ones(t.first_only), -np.ones(t.second_only), np.zeros(t.both + t.neither)])

    def sentence(self) -> str:
        """What the flips say, in one sentence."""
        t, e = self.table, self.paired
        if not t.first_only + t.second_only:
            return f"No question changes outcome among {t.n}: nothing decides between the two, which is not equality."
        p = self.p.value
        clear = e.low is not None and e.high is not None and (e.low > 0 or e.high < 0)
        said = "excludes" if clear else "includes"
        return (
            f"{t.first_only + t.second_only} of {t.n} questions change outcome, {t.first_only} for the first run and "
            f"{t.second_only} for the second. The paired interval {said} zero; McNemar's exact p is {number(p)}."
        )

    def answers(self) -> list[Answer]:
        """The numbers for table, command line and export."""
        return [
            Answer("difference", "Difference, paired", self.paired),
            Answer("unpaired", "The same, as if unpaired", self.unpaired),
            Answer("bootstrap", "The same, bootstrap", self.bootstrap),
            Answer("paired_error", "Standard error, paired", self.error, 4),
            Answer("unpaired_error", "Standard error, as if unpaired", self.unpaired_error, 4),
            Answer("mcnemar_p", "McNemar's exact p", self.p, 4),
            Answer(
                "worth_of_pairing",
                "Questions an unpaired study needs in each of its two groups, for each paired one",
                self.worth_of_pairing,
                2,
            ),
        ]


def lesson_rows() -> list[SupposedFlips]:
    """Equal net gains with more and more flips: the lesson's four rows."""
    n, hits = LESSON_N, LESSON_HITS
    return [SupposedFlips(Paired(hits - c, b, c, n - hits - b)) for b, c in LESSON_FLIPS]

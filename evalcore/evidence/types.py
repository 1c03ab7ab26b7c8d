"""The core types: a number with its label, its interval and where it came from.

What evalcore hands on is one of these objects, never a bare float. Their constructors refuse a state that
would say more than was measured; a number that cannot be had is ``None`` with a reason.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import Enum
from math import isfinite
from typing import Self

_SHA256 = re.compile(r"[0-9a-f]{64}")
_SLACK = 1e-12
_SAME = 1e-9


class Basis(Enum):
    """What kind of evidence a number is; the value is the word on screen."""

    RETRIEVAL = "Measured, retrieval-only"
    GENERATED = "Measured, generated answers"
    ASSUMED = "Assumed"
    NOT_ASSESSED = "Not assessed"


class Verdict(Enum):
    """What a comparison inside the declared family may claim; the value is the word on screen and in JSON."""

    DEVELOPMENT = "development-grade"
    INCONCLUSIVE = "inconclusive"
    GAIN = "measured gain, still retrieval-only"


class Result(Enum):
    """How a gate or a check came out; the value is the word on screen. Not assessed is no pass."""

    PASS = "pass"
    FAIL = "fail"
    NOT_ASSESSED = "not assessed"


class EvidenceError(ValueError):
    """An evidence object was asked to claim something that its parts do not support."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a number came from.

    ``sha256`` is that of the file behind it. ``model``, ``date`` and ``items_read`` belong to generated answers
    (0 read when only automatic checks ran); ``chosen_by`` belongs to an assumed number.
    """

    name: str
    sha256: str | None = None
    model: str | None = None
    date: str | None = None
    items_read: int | None = None
    chosen_by: str | None = None

    def __post_init__(self) -> None:
        if not self.name:
            raise EvidenceError("a source needs a name")
        if self.sha256 is not None and not _SHA256.fullmatch(self.sha256):
            raise EvidenceError(f"source {self.name!r}: sha256 must be 64 lower-case hexadecimal digits")
        if self.items_read is not None and self.items_read < 0:
            raise EvidenceError(f"source {self.name!r}: {self.items_read} items read is not a count")


def _check_basis(basis: Basis, sources: tuple[Source, ...], reason: str | None, *, has_value: bool) -> None:
    """Refuses a basis that its sources do not carry (DESIGN section 4)."""
    if not has_value and not reason:
        raise EvidenceError("a number that is not there needs a reason")
    if basis is Basis.NOT_ASSESSED:
        if has_value:
            raise EvidenceError("'not assessed' cannot have a value")
    elif basis is Basis.RETRIEVAL:
        if not any(source.sha256 for source in sources):
            raise EvidenceError("'measured, retrieval-only' needs a source file with its sha256")
    elif basis is Basis.GENERATED:
        if not any(s.model and s.date and s.items_read is not None for s in sources):
            raise EvidenceError("'measured, generated answers' needs the model, the date and the number of items read")
    elif not any(source.chosen_by for source in sources):
        raise EvidenceError("'assumed' must say who chose the number")


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its interval.

    ``value`` None means undefined, with the reason in ``reason``. A value without an interval (``low`` and ``high``
    None) says in ``reason`` why there is none. ``level`` is the confidence level, ``n`` the number of units that
    were averaged; ``provisional`` is None for a user's own files.

    Raises:
        EvidenceError: the parts contradict each other, or claim more than the sources carry.

    """

    value: float | None
    low: float | None
    high: float | None
    level: float | None
    n: int
    method: str
    basis: Basis
    sources: tuple[Source, ...] = ()
    reason: str | None = None
    provisional: bool | None = None
    clusters: int | None = None
    design_effect: float | None = None
    n_effective: float | None = None
    seed: int | None = None
    resamples: int | None = None

    def __post_init__(self) -> None:
        _check_basis(self.basis, self.sources, self.reason, has_value=self.value is not None)
        if (self.low is None) != (self.high is None):
            raise EvidenceError("an interval has two limits or none")
        numbers = (self.value, self.low, self.high, self.design_effect, self.n_effective)
        if any(x is not None and not isfinite(x) for x in numbers):
            raise EvidenceError("a number must be finite; undefined is None with a reason")
        if self.low is None or self.high is None:
            if not self.reason:
                raise EvidenceError("a value without an interval needs the reason")
            return
        if self.value is None:
            raise EvidenceError("an interval without a value")
        if self.level is None or not 0 < self.level < 1:
            raise EvidenceError("an interval needs its level, between 0 and 1")
        if self.low == self.high:
            raise EvidenceError("a zero-width interval claims certainty that no sample gives")
        if not self.low - _SLACK <= self.value <= self.high + _SLACK:
            raise EvidenceError(f"{self.low} <= {self.value} <= {self.high} does not hold")

    def negated(self) -> Self:
        """The same difference seen from the other side: -value, with the limits exchanged and negated."""
        return replace(self, value=_minus(self.value), low=_minus(self.high), high=_minus(self.low))

    @classmethod
    def not_assessed(cls, reason: str, *, method: str, n: int = 0, provisional: bool | None = None) -> Self:
        """No number at all, and why."""
        return cls(None, None, None, None, n, method, Basis.NOT_ASSESSED, reason=reason, provisional=provisional)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs on the same questions, ``difference`` = mean(first) - mean(second).

    ``wins``, ``ties`` and ``losses`` are questions, from the first run's side. ``d_z`` is the mean difference divided
    by the standard deviation of the differences. ``verdict`` exists inside the declared family only.

    Raises:
        EvidenceError: a verdict or an adjusted p outside the family, an adjusted p below the raw one, a verdict without
            an adjusted p, a gain without a difference.

    """

    first: str
    second: str
    measure: str
    difference: Estimate
    d_z: float | None
    wins: int
    ties: int
    losses: int
    p: float | None
    p_method: str
    p_holm: float | None = None
    in_family: bool = False
    verdict: Verdict | None = None

    def __post_init__(self) -> None:
        if self.first == self.second:
            raise EvidenceError("a run cannot be compared with itself")
        if not self.in_family and (self.verdict is not None or self.p_holm is not None):
            raise EvidenceError("a comparison outside the family is exploratory: no verdict and no adjusted p")
        if self.d_z is not None and not isfinite(self.d_z):
            raise EvidenceError("d_z must be finite; undefined is None")
        if self.p is not None and not 0 < self.p <= 1:
            raise EvidenceError(f"p = {self.p} is not in (0, 1]")
        if self.p_holm is not None and (self.p is None or not self.p - _SLACK <= self.p_holm <= 1):
            raise EvidenceError("an adjusted p is never below the raw one, nor above 1")
        if self.verdict is not None and self.p_holm is None:
            raise EvidenceError("a verdict needs an adjusted p; without one the comparison is not assessed")
        if self.verdict is Verdict.GAIN and self.leader is None:
            raise EvidenceError("a measured gain needs a difference")

    @property
    def basis(self) -> Basis:
        """The basis of the difference."""
        return self.difference.basis

    @property
    def sources(self) -> tuple[Source, ...]:
        """The files behind the difference."""
        return self.difference.sources

    @property
    def reason(self) -> str | None:
        """Why the difference or its interval is not there."""
        return self.difference.reason

    @property
    def provisional(self) -> bool | None:
        """Whether the difference rests on a gold set that no person has reviewed."""
        return self.difference.provisional

    @property
    def flipped(self) -> int:
        """How many questions differ between the two runs."""
        return self.wins + self.losses

    @property
    def leader(self) -> str | None:
        """The run with the higher mean; None when the means are equal (to 1e-9, like a tie) or undefined."""
        if self.difference.value is None or abs(self.difference.value) <= _SAME:
            return None
        return self.first if self.difference.value > 0 else self.second

    def reversed(self) -> Self:
        """The same comparison, second minus first."""
        return replace(
            self,
            first=self.second,
            second=self.first,
            difference=self.difference.negated(),
            d_z=_minus(self.d_z),
            wins=self.losses,
            losses=self.wins,
        )


@dataclass(frozen=True, slots=True)
class Count:
    """A whole number out of a whole number; a blocking count is never averaged into a rate."""

    count: int | None
    total: int
    what: str
    basis: Basis
    sources: tuple[Source, ...] = ()
    reason: str | None = None
    provisional: bool | None = None

    def __post_init__(self) -> None:
        _check_basis(self.basis, self.sources, self.reason, has_value=self.count is not None)
        if self.count is not None and not 0 <= self.count <= self.total:
            raise EvidenceError(f"{self.count} of {self.total} is not a count")


def _minus(value: float | None) -> float | None:
    """Minus the value, without a negative zero."""
    return None if value is None else 0.0 - value

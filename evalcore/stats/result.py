"""The result types of this package: an interval and a test, each able to say why it is not there."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Interval:
    """``value`` with its limits at ``level``; ``low`` and ``high`` are None together, with ``reason``.

    ``value`` is None only when nothing was observed.
    """

    value: float | None
    low: float | None
    high: float | None
    level: float
    n: int
    method: str
    reason: str | None = None
    seed: int | None = None
    resamples: int | None = None


@dataclass(frozen=True, slots=True)
class Test:
    """A two-sided p-value with the name of its method."""

    p: float
    method: str


CONSTANT_SAMPLE = (
    "all {n} values are equal ({value:g}); resampling cannot see past a constant sample, so there is no interval"
)

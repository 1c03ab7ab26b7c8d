"""The result types of this package: an interval and a test, each able to say why it is not there."""

from __future__ import annotations

from dataclasses import dataclass

from evalcore.evidence import Basis, Estimate, Source


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

    def estimate(self, basis: Basis, sources: tuple[Source, ...], *, provisional: bool | None = None) -> Estimate:
        """The same as evidence; without a value it is not assessed, whatever the basis."""
        return Estimate(
            self.value,
            self.low,
            self.high,
            self.level if self.low is not None else None,
            self.n,
            self.method,
            basis if self.value is not None else Basis.NOT_ASSESSED,
            sources,
            reason=self.reason,
            provisional=provisional,
            seed=self.seed,
            resamples=self.resamples,
        )


@dataclass(frozen=True, slots=True)
class Test:
    """A two-sided p-value with the name of its method."""

    p: float
    method: str


CONSTANT_SAMPLE = (
    "all {n} values are equal ({value:g}); resampling cannot see past a constant sample, so there is no interval"
)

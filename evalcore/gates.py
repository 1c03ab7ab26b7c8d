"""Gates: bounds written before the run. A gate that cannot be assessed is named, and is no pass."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from evalcore.evidence import Estimate, Result
from evalcore.files import reading

SLACK = 1e-9


@dataclass(frozen=True, slots=True)
class Gate:
    """A bound on a rate. Both bounds None: the gate was not set, or is stated only to be named as not assessed."""

    name: str
    at_least: float | None = None
    at_most: float | None = None
    measure: str | None = None
    note: str | None = None

    def result(self, estimate: Estimate) -> Result:
        """Whether the value meets the bound, with 1e-9 of slack: 1 - 4/5 >= 0.2 is False in floats."""
        if estimate.value is None or (self.at_least is None and self.at_most is None):
            return Result.NOT_ASSESSED
        low_enough = self.at_most is None or estimate.value <= self.at_most + SLACK
        high_enough = self.at_least is None or estimate.value >= self.at_least - SLACK
        return Result.PASS if low_enough and high_enough else Result.FAIL

    def decided_by_interval(self, estimate: Estimate) -> bool | None:
        """Whether the whole interval lies on one side of the bound; None without an interval or a bound."""
        bound = self.at_least if self.at_least is not None else self.at_most
        if bound is None or estimate.low is None or estimate.high is None:
            return None
        return estimate.low >= bound or estimate.high <= bound

    def side(self, estimate: Estimate) -> str:
        """Whether the interval lies wholly on one side of the bound, in words; a dash when that cannot be asked."""
        decided = self.decided_by_interval(estimate)
        bound = self.at_least if self.at_least is not None else self.at_most
        return "–" if decided is None else "yes" if decided else f"no, {bound:.2f} lies inside it"

    @property
    def bound(self) -> str:
        """The bound in words."""
        if self.at_least is not None:
            return f"at least {self.at_least:.2f}"
        return "not set" if self.at_most is None else f"at most {self.at_most:.2f}"


def overall(results: Iterable[tuple[Gate, Result]]) -> str:
    """What the gates say together: go needs every gate that was set to pass."""
    was_set = [(g, r) for g, r in results if g.at_least is not None or g.at_most is not None]
    failed = [g.name for g, r in was_set if r is Result.FAIL]
    waiting = sorted({g.name for g, r in was_set if r is Result.NOT_ASSESSED})
    if failed:
        return f"No go: {len(failed)} of {len(was_set)} results fail."
    if waiting:
        return f"No decision yet: {len(waiting)} of the gates that were set cannot be assessed, and that is no pass."
    return "Every gate that was set passes." if was_set else "No gate was set."


def read_gates(plan: Path) -> dict[str, Gate]:
    """The gates of a plan file, in its order."""
    with reading(plan):
        table = tomllib.loads(plan.read_text(encoding="utf-8"))["gates"]
    return {
        name: Gate(name, entry.get("at_least"), entry.get("at_most"), entry.get("measure"), entry.get("note"))
        for name, entry in table.items()
    }

"""Gates: bounds written before the run. A gate that cannot be assessed is named, and is no pass."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evalcore.evidence import Count, Estimate, Result
from evalcore.evidence.claims import number
from evalcore.files import reading

SLACK = 1e-9


@dataclass(frozen=True, slots=True)
class Gate:
    """A bound on a rate, or on a blocking count, which is never averaged into a rate.

    Both bounds None: the gate was not set, or is stated only to be named as not assessed.
    """

    name: str
    at_least: float | None = None
    at_most: float | None = None
    measure: str | None = None
    note: str | None = None

    def at(self, level: float) -> Gate:
        """The same gate with its bound at another level.

        Raises:
            ValueError: the gate has no bound, so that no side of it is known.

        """
        if not self.is_set:
            raise ValueError(f"{self.name} has no bound to move")
        return replace(self, at_least=level) if self.at_least is not None else replace(self, at_most=level)

    @property
    def is_set(self) -> bool:
        """Whether it bounds anything."""
        return self.limit is not None

    @property
    def limit(self) -> float | None:
        """The bound as a number."""
        return self.at_least if self.at_least is not None else self.at_most

    def met_by(self, values: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Which values meet the bound, with 1e-9 of slack: 1 - 4/5 >= 0.2 is False in floats."""
        low = -np.inf if self.at_least is None else self.at_least - SLACK
        high = np.inf if self.at_most is None else self.at_most + SLACK
        return np.asarray((values >= low) & (values <= high))

    def result(self, measured: Estimate | Count) -> Result:
        """Whether what was measured meets the bound; without either, not assessed."""
        value = measured.count if isinstance(measured, Count) else measured.value
        if value is None or not self.is_set:
            return Result.NOT_ASSESSED
        return Result.PASS if self.met_by(np.array(float(value))) else Result.FAIL

    def decided_by_interval(self, measured: Estimate | Count) -> bool | None:
        """Whether the whole interval lies on one side of the bound; None without an interval or a bound."""
        if isinstance(measured, Count) or self.limit is None or measured.low is None or measured.high is None:
            return None
        return measured.low >= self.limit or measured.high <= self.limit

    def side(self, measured: Estimate | Count) -> str:
        """Whether the interval lies wholly on one side of the bound, in words; a dash when that cannot be asked."""
        decided = self.decided_by_interval(measured)
        return "–" if decided is None else "yes" if decided else f"no, {_level(self.limit or 0.0)} lies inside it"

    @property
    def bound(self) -> str:
        """The bound in words."""
        if self.limit is None:
            return "not set"
        shown = "0" if self.limit == 0 else _level(self.limit)
        return f"at least {shown}" if self.at_least is not None else f"at most {shown}"


@dataclass(frozen=True, slots=True)
class Decision:
    """What gates say together. ``go`` is None when none was set, or when one is only not assessed."""

    go: bool | None
    sentence: str
    reasons: tuple[str, ...]


def decide(rows: Iterable[tuple[Gate, Estimate | Count]], *, decides_nothing: str | None = None) -> Decision:
    """Go needs every gate that was set to pass, and a set that a trivial rule does not pass.

    Args:
        rows: gates, each with what was measured for it; a gate may be there for several systems.
        decides_nothing: why the set decides nothing, when it does.

    """
    measured = [(g, m, g.result(m)) for g, m in rows if g.is_set]
    failed = [f"{spoken(g.name)} is {_value(m)}, bound {g.bound}" for g, m, result in measured if result is Result.FAIL]
    waiting = [
        f"{spoken(g.name)} cannot be assessed: {m.reason}" for g, m, result in measured if result is Result.NOT_ASSESSED
    ]
    reasons = (*dict.fromkeys(failed), *dict.fromkeys(waiting))
    if decides_nothing:
        return Decision(
            False, f"No go: the gates decide nothing, since {decides_nothing}.", (decides_nothing, *reasons)
        )
    if failed:
        return Decision(False, f"No go: {len(failed)} of {len(measured)} results fail.", reasons)
    if waiting:
        count = len({g.name for g, _, result in measured if result is Result.NOT_ASSESSED})
        said = f"No decision yet: {count} of the gates that were set cannot be assessed, and that is no pass."
        return Decision(None, said, reasons)
    if not measured:
        return Decision(None, "No gate was set.", ())
    return Decision(True, "Go: every gate that was set passes.", ())


def spoken(name: str) -> str:
    """A gate's name in a sentence."""
    return name.replace("_", " ")


def read_gates(plan: Path) -> dict[str, Gate]:
    """The gates of a plan file, in its order."""
    with reading(plan):
        table = tomllib.loads(plan.read_text(encoding="utf-8"))["gates"]
    return {
        name: Gate(name, entry.get("at_least"), entry.get("at_most"), entry.get("measure"), entry.get("note"))
        for name, entry in table.items()
    }


def _level(bound: float) -> str:
    """A bound for reading: two decimals, more where it has more, since rounding would show another bound."""
    return number(bound, 2) if round(bound, 2) == bound else f"{bound:.6g}"


def _value(measured: Estimate | Count) -> str:
    return str(measured.count) if isinstance(measured, Count) else number(measured.value)

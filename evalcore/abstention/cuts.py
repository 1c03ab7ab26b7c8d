"""Sets of thresholds as intervals: open below and closed above, because a cut between two scores is the upper one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evalcore.abstention.sweep import Flags, Sweep


def shown(score: float, digits: int = 6) -> str:
    """A score for reading: rounding one to three decimals can put it on the other side of a threshold."""
    return f"{score:.{digits}g}".replace("-", "−")


@dataclass(frozen=True, slots=True)
class Cut:
    """Every threshold above ``low`` up to and with ``high``; None is an unbounded end."""

    low: float | None
    high: float | None

    def __str__(self) -> str:
        if self.low is None:
            return "any threshold" if self.high is None else f"up to {shown(self.high)}"
        if self.high is None:
            return f"above {shown(self.low)}"
        digits = next(d for d in (6, 9, 17) if d == 17 or shown(self.low, d) != shown(self.high, d))
        return f"({shown(self.low, digits)}, {shown(self.high, digits)}]"


def cuts(swept: Sweep, chosen: Flags) -> tuple[Cut, ...]:
    """The chosen candidates (shape (k + 1,)) as intervals, adjacent ones merged."""
    padded = np.concatenate([[False], chosen, [False]]).astype(np.int8)
    starts, ends = np.flatnonzero(np.diff(padded) == 1), np.flatnonzero(np.diff(padded) == -1) - 1
    return tuple(
        Cut(None if start == 0 else swept.threshold(int(start) - 1), swept.threshold(int(end)))
        for start, end in zip(starts, ends, strict=True)
    )

"""Sets of thresholds as intervals: open below and closed above, because a cut between two scores is the upper one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evalcore.abstention.sweep import Flags, Sweep
from evalcore.evidence.claims import number

_MOST_DIGITS = 9


@dataclass(frozen=True, slots=True)
class Cut:
    """Every threshold above ``low`` up to and with ``high``; None is an unbounded end."""

    low: float | None
    high: float | None

    def __str__(self) -> str:
        if self.low is None:
            return "any threshold" if self.high is None else f"up to {number(self.high)}"
        if self.high is None:
            return f"above {number(self.low)}"
        digits = next((d for d in range(3, _MOST_DIGITS) if number(self.low, d) != number(self.high, d)), _MOST_DIGITS)
        return f"({number(self.low, digits)}, {number(self.high, digits)}]"


def cuts(swept: Sweep, chosen: Flags) -> tuple[Cut, ...]:
    """The chosen candidates (shape (k + 1,)) as intervals, adjacent ones merged."""
    padded = np.concatenate([[False], chosen, [False]]).astype(np.int8)
    starts, ends = np.flatnonzero(np.diff(padded) == 1), np.flatnonzero(np.diff(padded) == -1) - 1
    return tuple(
        Cut(None if start == 0 else swept.threshold(int(start) - 1), swept.threshold(int(end)))
        for start, end in zip(starts, ends, strict=True)
    )

"""What a threshold costs: the expected cost of unsupported answers and of refusals, at a share of traffic."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evalcore.abstention.cuts import Cut, cuts
from evalcore.abstention.sweep import Floats, Sweep
from evalcore.files import reading

PER = 1000
MOST_COST = 1_000_000
_SAME = 1e-9


@dataclass(frozen=True, slots=True)
class Costs:
    """Cost of serving an unsupported answer and of refusing an answerable question, in one unit, both at least 0.

    Raises:
        ValueError: a cost is negative, not finite or above a million, or both are 0.

    """

    unsupported: float
    refusal: float

    def __post_init__(self) -> None:
        both = (self.unsupported, self.refusal)
        if not all(0 <= cost <= MOST_COST for cost in both) or not any(both):
            raise ValueError(f"costs are between 0 and {MOST_COST:,}, and not both 0")

    @property
    def answer_above(self) -> float:
        """Answering is cheaper when P(answerable) exceeds this: c_u / (c_u + c_a)."""
        return self.unsupported / (self.unsupported + self.refusal)


@dataclass(frozen=True, slots=True)
class Declared:
    """The costs and the traffic share that a plan declares."""

    costs: Costs
    unanswerable_share: float


@dataclass(frozen=True, slots=True)
class Cheapest:
    """The thresholds of least cost, lowest first, and that cost per 1,000 questions."""

    cuts: tuple[Cut, ...]
    cost: float

    @property
    def threshold(self) -> float | None:
        """The upper end of the lowest interval; None is "refuse everything"."""
        return self.cuts[0].high


def cost_per_1000(swept: Sweep, costs: Costs, share: float) -> Floats:
    """1000 [pi c_u (1 - a_U) + (1 - pi) c_a f_A] at each candidate, shape (k + 1,), at an unanswerable share pi.

    At ``swept.share`` this is the cost at the file's own mix.
    """
    unsupported = share * costs.unsupported * (swept.served_unanswerable / swept.unanswerable)
    return PER * (unsupported + (1 - share) * costs.refusal * swept.false_abstention)


def cheapest(swept: Sweep, costs: Costs, share: float) -> Cheapest:
    """All thresholds whose cost is least, to 1e-9 relative."""
    cost = cost_per_1000(swept, costs, share)
    least = float(cost.min())
    return Cheapest(cuts(swept, cost <= least * (1 + _SAME)), least)


def unsupported_share(swept: Sweep, share: float, *, generation_error: float = 0.0) -> Floats:
    """Share of served answers that nothing supports, at an unanswerable share pi of traffic; NaN where none is served.

    pi (1 - a_U) / (pi (1 - a_U) + (1 - pi)(1 - f_A)), a floor on selective risk. A generation error e, the share of
    wrong answers among served answerable questions, adds e (1 - pi)(1 - f_A) above the line.
    """
    unsupported_rate, answered_rate = _served_rates(swept)
    return _unsupported(np.asarray(share), unsupported_rate, answered_rate, generation_error)


def unsupported_by_mix(swept: Sweep, candidate: int, shares: Floats, *, generation_error: float = 0.0) -> Floats:
    """The same for one candidate at many shares; shape like ``shares``."""
    unsupported_rate, answered_rate = (rate[candidate] for rate in _served_rates(swept))
    return _unsupported(shares, unsupported_rate, answered_rate, generation_error)


def coverage_at(swept: Sweep, share: float) -> Floats:
    """Served share of traffic at an unanswerable share pi: pi (1 - a_U) + (1 - pi)(1 - f_A)."""
    unsupported_rate, answered_rate = _served_rates(swept)
    return np.asarray(share * unsupported_rate + (1 - share) * answered_rate)


def risk_coverage(swept: Sweep, share: float) -> tuple[Floats, Floats]:
    """Coverage and unsupported share at each distinct score, highest score first; shapes (k,).

    One point a distinct score, so that the order of rows cannot matter.
    """
    served = slice(len(swept.thresholds) - 1, None, -1)
    return coverage_at(swept, share)[served], unsupported_share(swept, share)[served]


def risk_coverage_area(swept: Sweep, share: float) -> float:
    """Area under the risk-coverage curve as steps: sum of (c_k - c_(k-1)) x share_k, highest score first, c_0 = 0."""
    coverage, risk = risk_coverage(swept, share)
    steps = np.diff(coverage, prepend=0.0)
    kept = steps > 0  # at a share of 0 or 1 a candidate may add no coverage, and nothing may be served yet
    return float((steps[kept] * risk[kept]).sum())


def read_costs(plan: Path) -> Declared:
    """The costs of a plan file.

    Raises:
        BadInput: the file cannot be read, or lacks them.

    """
    with reading(plan):
        table = tomllib.loads(plan.read_text(encoding="utf-8"))["costs"]
        return Declared(
            Costs(float(table["unsupported_answer"]), float(table["refusal"])), float(table["unanswerable_share"])
        )


def _served_rates(swept: Sweep) -> tuple[Floats, Floats]:
    """1 - a_U and 1 - f_A, as counts over n."""
    return swept.served_unanswerable / swept.unanswerable, swept.served_answerable / swept.answerable


def _unsupported(share: Floats, unsupported_rate: Floats, answered_rate: Floats, error: float) -> Floats:
    unsupported, answered = share * unsupported_rate, (1 - share) * answered_rate
    with np.errstate(invalid="ignore"):
        return np.asarray((unsupported + error * answered) / (unsupported + answered))

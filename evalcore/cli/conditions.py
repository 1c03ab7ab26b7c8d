"""``--fail-if``: a bound on a number of a pair of runs, or of one run, that must not be crossed."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from evalcore.cli.loading import misnamed
from evalcore.comparison import Compared
from evalcore.evidence import Comparison, Estimate, Result
from evalcore.files import BadInput, Problem
from evalcore.files.problems import NUMBER
from evalcore.measures import Measure
from evalcore.reporting.outcomes import Outcome, measured_reason

OPTION = "--fail-if"
_VALUE = "value"
_OF_ONE_RUN = (_VALUE, "low", "high")
_OF_A_PAIR = ("low", "high", "difference", "p", "p_holm", "d_z")
# names may hold spaces; the shortest name that leaves a measure, a field and a bound is the only one that can be meant
_FORM = re.compile(r"(.+?)\s+(\S+?)(?:\s+(low|high|difference|p|p_holm|d_z))?\s*(<=|>=|<|>)\s*(\S+)")
_OPERATORS: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


@dataclass(frozen=True)
class Condition:
    """A condition that must not hold, such as "new:old nDCG@10 low < -0.02" or "new nDCG@10 < 0.60".

    ``second`` is None for a bound on one run; ``field`` is then the value of its mean or a limit of its interval.
    """

    text: str
    first: str
    second: str | None
    measure: Measure
    field: str
    operator: str
    bound: float

    @classmethod
    def parse(cls, text: str, runs: Sequence[str]) -> Condition:
        """Reads a condition over one or two of ``runs``.

        Raises:
            BadInput: it has another form, names a run that is not given, or can be read in two ways.

        """
        match = _FORM.fullmatch(text.strip())
        if match is None:
            raise _unreadable(text)
        who, measure, field, sign, bound = match.groups()
        first, second = _named(who, runs, text, has_field=field is not None)
        if field is not None and field not in (_OF_ONE_RUN if second is None else _OF_A_PAIR):
            raise _refused(f"{field!r} is a number of a pair of runs, not of {first!r}", "name two runs as NEW:OLD")
        try:
            measured = Measure.parse(measure)
        except ValueError as error:
            raise BadInput([misnamed(OPTION, error)]) from error
        if not (NUMBER.fullmatch(bound) and isfinite(float(bound))):
            # nothing is ever below NaN: such a gate would be open for good
            raise _refused(f"the bound {bound!r} is not a number", "write one such as -0.02")
        return cls(text, first, second, measured, field or _VALUE, sign, float(bound))

    def measured(self, compared: Compared) -> tuple[float | None, str | None]:
        """The number that the condition is about, or None and why it is undefined."""
        if self.second is None:
            mean = compared.mean(self.first, self.measure)
            return _of_estimate(mean, self.field), mean.reason
        pair = compared.pair(self.first, self.second, self.measure)
        if self.field in ("low", "high", "difference"):
            field = _VALUE if self.field == "difference" else self.field
            return _of_estimate(pair.difference, field), pair.reason
        value: float | None = getattr(pair, self.field)
        return value, _why_undefined(pair, self.field)

    def assess(self, compared: Compared) -> Outcome:
        """How the gate comes out: a failure when the condition holds, and no pass when its number is undefined."""
        value, why = self.measured(compared)
        what = f"the mean {self.measure}" if self.field == _VALUE else self.field
        return Outcome(f"{OPTION} {self.text!r}", self._result(value), measured_reason(what, value, why))

    def row(self, compared: Compared) -> dict[str, Any]:
        """The gate as a row of the JSON."""
        value, why = self.measured(compared)
        reason = why if value is None else None
        result = self._result(value).value
        return {"condition": self.text, "value": value, "bound": self.bound, "result": result, "reason": reason}

    def _result(self, value: float | None) -> Result:
        if value is None:
            return Result.NOT_ASSESSED
        return Result.FAIL if _OPERATORS[self.operator](value, self.bound) else Result.PASS


def _named(who: str, runs: Sequence[str], text: str, *, has_field: bool) -> tuple[str, str | None]:
    """The run, or the two runs, that a condition names."""
    pairs = [(a, b) for a in runs for b in runs if a != b and f"{a}:{b}" == who]
    if who in runs and pairs:
        raise _refused(f"{who!r} can be read as a run and as a pair of runs", "rename the runs")
    if len(pairs) > 1:
        raise _refused(f"{who!r} can be read as two pairs of runs", "rename the runs")
    if who in runs:
        return who, None
    if pairs:
        if not has_field:
            remedy = f"write one of {', '.join(_OF_A_PAIR)} before the bound"
            raise _refused(f"{who!r} is a pair, and which of its numbers is meant is not said", remedy)
        return pairs[0]
    if len(who.split()) > 1:
        raise _unreadable(text)
    if ":" in who:
        raise _refused(f"{who!r} names no two runs", f"use two of {', '.join(runs)} as NEW:OLD")
    raise _refused(f"{who!r} names no run", f"use one of {', '.join(runs)}, or two as NEW:OLD")


def _of_estimate(estimate: Estimate, field: str) -> float | None:
    return {_VALUE: estimate.value, "low": estimate.low, "high": estimate.high}[field]


def _why_undefined(pair: Comparison, field: str) -> str | None:
    if pair.difference.value is None:
        return pair.reason
    if field == "p_holm" and not pair.in_family:
        return "the pair is outside the declared family"
    return "the differences do not vary" if field == "d_z" else None


def _refused(what: str, remedy: str) -> BadInput:
    return BadInput([Problem(OPTION, None, what, remedy)])


def _unreadable(text: str) -> BadInput:
    remedy = (
        f'write it like "new:old nDCG@10 low < -0.02" (fields: {", ".join(_OF_A_PAIR)}), or of one run like '
        '"new nDCG@10 < 0.60" or "new nDCG@10 low < 0.55"'
    )
    return _refused(f"cannot be read: {text!r}", remedy)

"""How a gate came out, in the one sentence that standard error, Markdown and JUnit share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evalcore.evidence import Count, Estimate, Result
from evalcore.gates import Gate, spoken

_WORDS = {Result.PASS: "holds", Result.FAIL: "fails", Result.NOT_ASSESSED: "not assessed"}


@dataclass(frozen=True, slots=True)
class Outcome:
    """A gate as it was written (``name``), how it came out, and why; not assessed is no pass."""

    name: str
    result: Result
    reason: str

    @property
    def line(self) -> str:
        """The whole in one line."""
        return f"gate {_WORDS[self.result]}: {self.name}, {self.reason}"


def measured_reason(what: str, value: float | None, why: str | None) -> str:
    """What a gate is about and its value, or why there is none; always one line."""
    if value is not None:
        return f"{what} is {value:.6g}"
    return " ".join(f"{what} is undefined: {why}".split()) if why else f"{what} is undefined"


def all_pass(outcomes: Iterable[Outcome]) -> bool:
    """Whether no gate fails and none is left unassessed; true of no gates at all."""
    return all(outcome.result is Result.PASS for outcome in outcomes)


def gate_outcomes(
    rows: Iterable[tuple[str, Gate, Estimate | Count]], *, decides_nothing: str | None = None
) -> Sequence[Outcome]:
    """Gates under the names by which they were set, each with what was measured for it.

    A set that a trivial rule passes is a failure of its own, under the name "the gates together".
    """
    found = []
    for name, gate, measured in rows:
        value = measured.count if isinstance(measured, Count) else measured.value
        found.append(Outcome(name, gate.result(measured), measured_reason(spoken(gate.name), value, measured.reason)))
    if decides_nothing:
        found.append(Outcome("the gates together", Result.FAIL, f"they decide nothing: {decides_nothing}"))
    return found

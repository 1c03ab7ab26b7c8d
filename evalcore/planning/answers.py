"""A planning number with its name: the same object behind page, command line and export."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from evalcore.evidence import Basis, Estimate, Source
from evalcore.evidence.claims import number
from evalcore.evidence.rows import reasoned_row
from evalcore.files.tables import Row, to_csv
from evalcore.stats.result import Interval

WHO = "whoever set these inputs"
NO_SAMPLE = "computed from the inputs: there is no sample, so no interval"


@dataclass(frozen=True, slots=True)
class Answer:
    """``estimate`` under its ``key`` (for machines) and ``title`` (for readers), shown with ``digits`` decimals."""

    key: str
    title: str
    estimate: Estimate
    digits: int = 3

    @property
    def shown(self) -> str:
        """The value for reading."""
        return number(self.estimate.value, self.digits)


def planned(value: float, method: str, inputs: str, *, n: int = 0) -> Estimate:
    """A number that follows from chosen inputs."""
    return Estimate(value, None, None, None, n, method, Basis.ASSUMED, (Source(inputs, chosen_by=WHO),), NO_SAMPLE)


def impossible(reason: str, method: str) -> Estimate:
    """No such number, and why."""
    return Estimate.not_assessed(reason, method=method)


def assumed(interval: Interval, inputs: str) -> Estimate:
    """An interval of an outcome that somebody supposes."""
    return interval.estimate(Basis.ASSUMED, (Source(inputs, chosen_by=WHO),))


def answers_json(answers: Sequence[Answer]) -> dict[str, Any]:
    """Key to row."""
    return {a.key: reasoned_row(a.estimate) for a in answers}


def answers_csv(answers: Sequence[Answer], tied_to: Row) -> str:
    """One row an answer."""
    return to_csv([{"key": a.key, "what": a.title, **reasoned_row(a.estimate)} for a in answers], stamp=tied_to)

"""What is declared about files of one's own before their results are shown."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import combinations
from typing import Any

from evalcore.files import BadInput, Problem
from evalcore.measures import STANDARD, Measure
from evalcore.own.inputs import Input
from evalcore.plan import MOST_RUNS_IN_ALL_PAIRS, PRIMARY, Pair, Plan, ascending
from evalcore.stats.paired import Settings

FEWEST_RUNS, MOST_RUNS = 2, 50
ALPHA = (0.0001, 0.5)
GRADE = (1, 1000)
_NAME = "the declaration"


class Family(StrEnum):
    """Which pairs are tested together."""

    ALL = "all pairs"
    FIRST = "each against the first"

    @classmethod
    def default(cls, runs: int) -> Family:
        """All pairs; above five runs each against the first."""
        return cls.FIRST if runs > MOST_RUNS_IN_ALL_PAIRS else cls.ALL


@dataclass(frozen=True)
class Declaration:
    """Primary measure, relevant grade, family and alpha for named runs; ``first`` is the run of ``Family.FIRST``.

    Raises:
        BadInput: runs that are too few, too many or called alike, or a number outside its limits.

    """

    runs: tuple[str, ...]
    primary: Measure = PRIMARY
    relevant_grade: int = 1
    alpha: float = 0.05
    family: Family = Family.ALL
    first: str | None = None
    seed: int = field(default_factory=lambda: Settings().seed)

    def __post_init__(self) -> None:
        problems = []

        def refuse(wrong: bool, what: str, remedy: str) -> None:
            if wrong:
                problems.append(Problem(_NAME, None, what, remedy))

        n = len(self.runs)
        refuse(not FEWEST_RUNS <= n <= MOST_RUNS, f"names {n} runs", f"give {FEWEST_RUNS} to {MOST_RUNS}")
        twice = sorted({name for name in self.runs if self.runs.count(name) > 1})
        refuse(bool(twice), f"names a run twice: {twice[:1]}", "give each run a name of its own")
        low, high = ALPHA
        refuse(not low <= self.alpha <= high, f"has alpha {self.alpha:g}", f"choose {low} to {high}")
        least, most = GRADE
        refuse(
            not least <= self.relevant_grade <= most, f"has relevant grade {self.relevant_grade}", "choose 1 or more"
        )
        against_one = self.family is Family.FIRST
        refuse(against_one and self.first not in self.runs, "does not name its first run", "choose one of the runs")
        refuse(not against_one and self.first is not None, "names a first run for all pairs", "leave it out")
        refuse(not 0 <= self.seed < 2**32, f"has seed {self.seed}", "choose 0 to 4294967295")
        if problems:
            raise BadInput(problems)

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """The family's pairs, each with its names ascending."""
        if self.family is Family.ALL:
            return tuple(ascending(a, b) for a, b in combinations(self.runs, 2))
        return tuple(ascending(str(self.first), other) for other in self.runs if other != self.first)

    @property
    def record(self) -> dict[str, Any]:
        """The declaration as plain values."""
        return {
            "runs": list(self.runs),
            "primary": str(self.primary),
            "relevant_grade": self.relevant_grade,
            "alpha": self.alpha,
            "family": str(self.family),
            "first": self.first,
            "seed": self.seed,
        }

    def sha256(self, files: Sequence[Input]) -> str:
        """The hash of canonical JSON of the declaration and of every file: its part, name, sha256 and columns."""
        whole = {"version": 1, "declaration": self.record, "files": [file.record for file in files]}
        canonical = json.dumps(whole, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        return hashlib.sha256(canonical.encode()).hexdigest()

    def plan(self, sha256: str | None) -> Plan:
        """The plan of the analysis; without a hash it is not the declared one, and then no pair has a verdict."""
        return Plan(
            primary=self.primary,
            measures=tuple(dict.fromkeys([self.primary, *STANDARD])),
            relevant_grade=self.relevant_grade,
            alpha=self.alpha,
            settings=Settings(seed=self.seed),
            family=() if sha256 is None else self.pairs,
            sha256=sha256,
        )

    def stamped(self, files: Sequence[Input], at: str) -> Stamped:
        """The declaration with its time and its hash over these files."""
        return Stamped(self, at, self.sha256(files))


@dataclass(frozen=True)
class Stamped:
    """A declaration, when it was made (UTC, as ISO 8601), and its hash over the files of that moment."""

    declaration: Declaration
    at: str
    sha256: str

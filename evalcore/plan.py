"""What was declared before the data: measures, family, alpha, seed, gates and costs.

The textbook's plan is gold/plan.toml. A user's own files bring none, so theirs is made from the command line or the
page's controls, and its hash is None.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

from evalcore.files import reading
from evalcore.measures import STANDARD, Measure
from evalcore.stats.paired import Settings, draws_for_family

Pair = tuple[str, str]
MOST_RUNS_IN_ALL_PAIRS = 5
PRIMARY = Measure("nDCG", 10)


@dataclass(frozen=True)
class Plan:
    """A declaration.

    ``family`` None means: derived from the runs, all pairs or, above five, each against the first. An empty family
    means that everything is exploratory.
    """

    primary: Measure = PRIMARY
    measures: tuple[Measure, ...] = STANDARD
    relevant_grade: int = 1
    alpha: float = 0.05
    settings: Settings = field(default_factory=Settings)
    family: tuple[Pair, ...] | None = None
    tuned_on_these_questions: bool = False
    declared: str | None = None
    sha256: str | None = None

    def family_of(self, runs: Sequence[str]) -> tuple[Pair, ...]:
        """The family's pairs for these runs, each pair with its names ascending.

        A declared family keeps its size whatever runs are there, as long as these are among its own. Runs that it does
        not know make a family of their own, declared by naming them.
        """
        if self.family == ():
            return ()
        if self.family is not None and set(runs) <= {name for pair in self.family for name in pair}:
            return self.family
        if len(runs) > MOST_RUNS_IN_ALL_PAIRS:
            return tuple(ascending(runs[0], other) for other in runs[1:])
        return tuple(ascending(a, b) for a, b in combinations(runs, 2))

    def sign_vectors(self, k: int) -> int:
        """Draws of the sign-flip test for a family of ``k``."""
        return draws_for_family(k, self.alpha, at_least=self.settings.sign_vectors)


def ascending(first: str, second: str) -> Pair:
    """The two names, lower bytes first."""
    return (first, second) if first.encode() <= second.encode() else (second, first)


def read_plan(path: Path) -> Plan:
    """Reads a plan file like gold/plan.toml; its gates, costs and check thresholds are read where they are used.

    Raises:
        BadInput: the file is not there, is not TOML, or lacks an entry.

    """
    with reading(path):
        return _parsed(path.read_bytes())


def _parsed(raw: bytes) -> Plan:
    text: dict[str, Any] = tomllib.loads(raw.decode("utf-8"))
    statistics, measures, family = text["statistics"], text["measures"], text["family"]
    primary = Measure.parse(measures["primary"])
    return Plan(
        primary=primary,
        measures=(primary, *(Measure.parse(name) for name in measures["secondary"])),
        relevant_grade=measures["relevant_grade"],
        alpha=family["alpha"],
        settings=Settings(
            level=statistics["level"],
            seed=statistics["seed"],
            resamples=statistics["resamples"],
            sign_vectors=statistics["sign_vectors"],
            exact_up_to=statistics["exact_sign_flips_up_to"],
        ),
        family=tuple(ascending(*pair) for pair in family["pairs"]),
        tuned_on_these_questions=family["rankers_tuned_on_these_questions"],
        declared=str(text["declared"]),
        sha256=hashlib.sha256(raw).hexdigest(),
    )

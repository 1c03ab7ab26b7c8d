"""What the visitor chooses: measure, pair and rankers, all in the URL."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import streamlit as st

from evalcore.comparison import Compared
from evalcore.evidence import Comparison
from evalcore.measures import Measure
from ui.controls import choose, choose_several
from ui.theme import label

QUESTION_KEY = "question"


@dataclass(frozen=True, slots=True)
class Choice:
    """What the visitor chose; run names as in the files."""

    measure: Measure
    first: str
    second: str
    rankers: tuple[str, ...]


def oriented(compared: Compared, choice: Choice, measure: Measure) -> list[Comparison]:
    """All pairs of a measure, the chosen one first and as chosen, the others with the higher primary mean first."""
    ordered = compared.by_mean
    chosen = {choice.first, choice.second}
    others = [pair for pair in combinations(ordered, 2) if set(pair) != chosen]
    return [compared.pair(a, b, measure) for a, b in [(choice.first, choice.second), *others]]


def controls(compared: Compared) -> Choice:
    """The controls, kept in the URL as rankers, measure, first and second."""
    name_of = {label(run.name): run.name for run in compared.study.runs}
    rankers = choose_several(
        "Rankers", list(name_of), key="rankers", at_least=2, help="Which to show; the family keeps its size."
    )
    ordered = [label(name) for name in compared.by_mean if label(name) in rankers]
    measures = {str(m): m for m in compared.study.measures}
    primary = str(compared.plan.primary)
    one, two, three = st.columns([2, 1, 1])
    with one:
        measure = measures[
            choose(
                "Measure",
                list(measures),
                key="measure",
                default=primary,
                help=f"{primary} is primary, declared first; every other measure is exploratory, without a verdict.",
            )
        ]
    with two:
        first = choose("First", ordered, key="first", default=ordered[0])
    with three:
        others = [name for name in ordered if name != first]
        second = choose("Second, subtracted", others, key="second", default=others[0])
    st.caption(f"{measure}: {measure.title}.")
    return Choice(measure, name_of[first], name_of[second], tuple(name_of[r] for r in rankers))

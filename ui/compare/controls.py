"""What the visitor chooses: measure, pair and rankers, all in the URL."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import streamlit as st

from evalcore.comparison import Compared
from evalcore.evidence import Comparison
from evalcore.measures import Measure
from ui.controls import choose, choose_several
from ui.text import plain
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
    """Pairs of the shown rankers: the chosen one first and as chosen, the others with the higher primary mean first."""
    ordered = [name for name in compared.by_mean if name in choice.rankers]
    chosen = {choice.first, choice.second}
    others = [pair for pair in combinations(ordered, 2) if set(pair) != chosen]
    return [compared.pair(a, b, measure) for a, b in [(choice.first, choice.second), *others]]


def controls(compared: Compared) -> Choice:
    """The controls, kept in the URL as rankers, measure, first and second."""
    name_of = {label(run.name): run.name for run in compared.study.runs}
    ordered = [label(name) for name in compared.by_mean]
    measures = {str(m): m for m in compared.study.measures}
    primary = str(compared.plan.primary)
    one, two, three = st.columns([2, 1, 1])
    with one:
        help_text = f"{primary} is primary, declared first; every other measure is exploratory, without a verdict."
        measure = measures[choose("Measure", list(measures), key="measure", default=primary, help=help_text)]
    with two:
        first = choose("First ranker", list(name_of), key="first", default=ordered[0])
    with three:
        second = choose("Second ranker", list(name_of), key="second", default=ordered[1])
    if first == second:
        second = next(name for name in ordered if name != first)
        st.caption(f"Both name {plain(first)}; it is compared with {plain(second)}.")
    kept = choose_several("Show", list(name_of), key="rankers", help="Cards and figures; the numbers do not change.")
    st.caption(f"{measure}: {measure.title}.")
    shown = tuple(name for name in name_of if name in kept or name in (first, second))
    return Choice(measure, name_of[first], name_of[second], tuple(name_of[name] for name in shown))

"""What the visitor chooses: measure, pair and rankers, all in the URL."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from evalcore.comparison import Compared
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


def controls(compared: Compared) -> Choice:
    """The controls, kept in the URL as rankers, measure, first and second."""
    names = tuple(run.name for run in compared.study.runs)
    primary = compared.plan.primary
    titles = {str(m): f"{m} · {m.title}" + (" · primary" if m == primary else "") for m in compared.study.measures}
    rankers = choose_several(
        "Rankers", names, key="rankers", at_least=2, show=label, help="Which to show; the family keeps its size."
    )
    ordered = [name for name in compared.by_mean if name in rankers]
    one, two, three = st.columns([2, 1, 1])
    with one:
        measure = choose(
            "Measure",
            list(titles),
            key="measure",
            default=str(primary),
            show=lambda m: titles[m],
            help="The primary measure was declared first; every other is exploratory and has no verdict.",
        )
    with two:
        first = choose("First", ordered, key="first", default=ordered[0], show=label)
    with three:
        others = [name for name in ordered if name != first]
        second = choose("minus second", others, key="second", default=others[0], show=label)
    return Choice(Measure.parse(measure), first, second, rankers)

"""What changes with a move: finding, controls, the two groups, one figure in tabs, gates, sweep and reading.

A fragment inside a fragment, and only the open tab is computed, so that the first figure answers at once.
"""

from __future__ import annotations

from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore.abstention.scored import feasible
from evalcore.abstention.words import below_the_headline, departures, headline, may_not_be_said
from ui.abstention.controls import Choice, rules, study_and_score, threshold_key, threshold_of
from ui.abstention.panels import TABS
from ui.abstention.reading import read_one, reading_section
from ui.abstention.results import gates_section, outcomes_table, sweep_section, threshold_section
from ui.evidence import badges
from ui.figures import thresholds
from ui.figures.base import CONFIG
from ui.parts import figure_words, lead
from ui.shell import guarded
from ui.text import plain
from ui.words import ABSTENTION, words


@st.fragment
def threshold_lab() -> None:
    """The page's live part."""
    with guarded():
        _view()


def _view() -> None:
    finding = st.container()
    study, column = study_and_score()
    slider, first = st.container(), st.container()
    gates, costs, share, error = rules(study, column)
    choice = Choice(study, column, study.begin_at(column), gates, costs, share, error)
    with finding:
        _finding(choice)
    _departures(choice)
    _moving(choice, slider, first, st.container())
    read_one(choice)
    sweep_section(choice)


@st.fragment
def _moving(choice: Choice, slider: DeltaGenerator, first: DeltaGenerator, rest: DeltaGenerator) -> None:
    """The threshold and what depends on it, the first figure first; a move leaves the other controls alone."""
    with guarded():
        with slider:
            now = replace(choice, threshold=threshold_of(choice.study, choice.column))
        with first:
            figure, outcomes = st.columns([3, 2], gap="large")
            with figure:
                _two_groups(now)
        lead()
        with outcomes:
            outcomes_table(now)
        with rest:
            _tabs(now)
            gates_section(now)
            threshold_section(now)
            reading_section(now)


def _finding(choice: Choice) -> None:
    scored = choice.scored
    badges(scored.basis, provisional=scored.provisional)
    if scored.synthetic:
        st.badge("Synthetic: the questions and scores are invented", icon=":material/science:", color="orange")
    st.header(plain(headline(scored, choice.gates, choice.name)), anchor=False)
    st.markdown(plain(below_the_headline(scored, choice.gates)))
    st.markdown("**What may not be said**\n" + "".join(f"\n- {plain(s)}" for s in may_not_be_said(scored)))
    words(ABSTENTION)


def _two_groups(choice: Choice) -> None:
    st.header("Two groups, one threshold", anchor=False)
    plot = thresholds.two_groups(choice.scored, choice.threshold, choice.reach)
    st.session_state["clicked_column"] = choice.column
    st.plotly_chart(
        plot.figure, key="groups", alt=plot.alt, config=CONFIG, on_select=_take_clicked, selection_mode="points"
    )
    figure_words(plot)


def _take_clicked() -> None:
    """A clicked question's score becomes the threshold."""
    points = st.session_state["groups"]["selection"]["points"]
    if points and points[0].get("customdata") is not None:
        clicked = points[0]["customdata"]
        score = clicked[0] if isinstance(clicked, list) else clicked
        st.session_state[threshold_key(st.session_state["clicked_column"])] = float(score)


def _departures(choice: Choice) -> None:
    study = choice.study
    said = departures(study.gates, choice.gates, study.declared, choice.costs, choice.share)
    if said:
        st.warning(
            "Not the plan's: " + "; ".join(plain(s) for s in said) + ". Changed after results were seen, so what "
            "follows explores and decides nothing.",
            icon=":material/edit:",
        )


def _tabs(choice: Choice) -> None:
    found = feasible(choice.scored, choice.gates)
    tabs = st.tabs(list(TABS), key="figure", on_change="rerun", bind="query-params")
    for tab, draw in zip(tabs, TABS.values(), strict=True):
        if tab.open:
            with tab:
                draw(choice, found)

"""The page: a run is chosen, then looked at step by step."""

from __future__ import annotations

import streamlit as st

from evalcore.evidence import Basis
from evalcore.generation.words import SAMPLE, below_the_headline, headline, may_not_be_said
from ui.evidence import basis_badge
from ui.harness import wiring
from ui.harness.calls import calls_section
from ui.harness.context import WORDS
from ui.harness.opening import opening_section
from ui.harness.rating import rating_section
from ui.harness.reading import reading_section
from ui.harness.results import results_section
from ui.harness.running import running_section
from ui.harness.two_runs import two_runs_section
from ui.harness.visit import Visit, current_run, leave_run, rater_field
from ui.shell import guarded
from ui.text import plain
from ui.words import words

_STEPS = {
    "Run": running_section,
    "Read": reading_section,
    "Rate": rating_section,
    "Results": results_section,
    "Calls": calls_section,
    "Two runs": two_runs_section,
}


def harness() -> None:
    """Everything above the formulas and limits."""
    found = current_run()
    if found is None:
        basis_badge(Basis.NOT_ASSESSED)
        st.header("No generated answer has been measured here", anchor=False)
        st.markdown(
            "Bring a key and ask a model of your choice for revision questions, or try everything on a recorded "
            "sample. "
            "Each item is checked by plain rules, rated by you without seeing what they say, and then you see how "
            "often "
            "the two agree."
        )
        st.markdown(
            "**What may not be said**\n\n- Anything about the answers of any model: none was asked for this study."
        )
        words(WORDS)
        opening_section()
        return
    id_, run = found
    head = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        rater = rater_field()
        st.button("Another run", icon=":material/logout:", on_click=leave_run, key="leave_run")
    visit = Visit(id_, run, rater).carried_over()
    step = st.segmented_control(
        "Step",
        list(_STEPS),
        default="Run",
        required=True,
        key="step",
        help="Run: topics and progress. Read: the packs. Rate: one item at a time. Results: rates and agreement.",
        bind="query-params",
        persist_state="session",
    )
    with head:
        _finding(visit, brief=step not in ("Run", "Results"))
    _STEPS[step or "Run"](visit)
    if wiring.under_way().alive(id_) and (step in ("Read", "Calls", "Results") or not visit.run.items):
        _watch(visit)


@st.fragment(run_every=2.0)
def _watch(visit: Visit) -> None:
    """Shows what has arrived while a run is under way, except to whoever is in the middle of an item."""
    with guarded():
        if len(wiring.read_run(visit.id).outcomes) != len(visit.run.outcomes) or not wiring.under_way().alive(visit.id):
            st.rerun()


def _finding(visit: Visit, *, brief: bool) -> None:
    """The finding; while somebody reads or rates, no more than its sentence."""
    run = visit.run
    basis_badge(
        Basis.ASSUMED if run.began.written_for is not None else Basis.GENERATED if run.outcomes else Basis.NOT_ASSESSED
    )
    if run.began.written_for is not None:
        st.markdown(f"**{SAMPLE.capitalize()}.**")
    st.header(plain(headline(run)), anchor=False)
    if brief:
        return
    st.markdown(plain(below_the_headline(run, visit.sheet)))
    st.markdown("**What may not be said**\n" + "".join(f"\n- {plain(s)}" for s in may_not_be_said(run)))
    words(WORDS)

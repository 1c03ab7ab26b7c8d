"""Two runs side by side on the same topics."""

from __future__ import annotations

import streamlit as st

from evalcore.evidence.claims import p_value, signed
from evalcore.files.tables import to_csv
from evalcore.generation.export import comparison_rows
from evalcore.generation.results.comparison import compare_runs
from evalcore.generation.rubric import Sheet
from evalcore.generation.store.events import Place
from evalcore.generation.store.journal import NoSuchRun, is_run_id
from evalcore.generation.store.run import Run
from ui.evidence import coverage_note, labels, linked
from ui.harness import wiring
from ui.harness.visit import Visit
from ui.tables import download, table
from ui.text import plain

_TERMS = {
    "Difference": "Mean over topics of the share of planned items in the first run minus that in the second.",
    "95 % interval": "Student's t over topics, t(G − 1); one comparison, not adjusted for the others.",
    "W / T / L": "Topics on which the first run is better, equal, worse.",
    "p": "Exact sign-flip test over topics; with eight topics none is below 2/256 = 0.008.",
}


def two_runs_section(visit: Visit) -> None:
    """Choose another run; what both show, topic by topic."""
    st.header("Two runs on the same topics", anchor=False)
    st.markdown(
        "To compare two models, run both and give the second run's address here. Each topic is its own control. "
        "Everything on this page is exploratory: no family of comparisons was declared."
    )
    typed = st.text_input(
        "Second run: its address, or the part after run=",
        key="second",
        max_chars=300,
        help="Open the other run in another tab and copy its address.",
        bind="query-params",
        persist_state="session",
    )
    if not typed:
        return
    other = _other(typed)
    if other is None:
        st.warning("There is no run under this address.", icon=":material/search_off:")
        return
    name, second = other
    if name == visit.id:
        st.warning("That is this run itself.", icon=":material/content_copy:")
        return
    theirs = Visit(name, second, visit.rater)
    waiting = len(visit.hidden) + len(theirs.hidden)
    if waiting:
        st.markdown(f"**{waiting} items of the two runs are still to be rated blind by {plain(visit.rater)}.**")
        st.button(
            "Show the comparison: they are then not rated blind",
            icon=":material/visibility:",
            on_click=_show_both,
            args=(visit, theirs),
            key="show_two",
        )
        return
    _show_both(visit, theirs)
    _table(visit, theirs)


def _table(visit: Visit, theirs: Visit) -> None:
    mine, second = Sheet(visit.run, visit.rater), Sheet(theirs.run, visit.rater)
    rated = bool(mine.ratings and second.ratings)
    found = compare_runs(visit.run, theirs.run, (mine, second) if rated else None)
    first_name, second_name = ", ".join(visit.run.models), ", ".join(theirs.run.models)
    st.markdown(
        f"First: **{plain(first_name)}**; second: **{plain(second_name)}**. {len(found.topics)} topics in both."
    )
    for topic, why in found.left_out.items():
        st.caption(f"Left out, {plain(topic)}: {plain(why)}.")
    rows = [
        {
            "Measure": c.measure.capitalize(),
            "Difference": signed(c.difference.value),
            "95 % interval": linked(c.difference),
            "W / T / L": f"{c.wins} / {c.ties} / {c.losses}",
            "p": p_value(c.p),
            "Why no interval": c.difference.reason or "–",
        }
        for c in found.differences
    ]
    table(rows, f"First minus second, per topic. {labels(found.differences)}", _TERMS)
    if not rated:
        st.caption("The rubric is compared once both runs are rated under one name.")
    coverage_note(c.difference for c in found.differences)
    download(to_csv(comparison_rows(found)), "two-runs.csv")


def _other(typed: str) -> tuple[str, Run] | None:
    named = typed.strip().rpartition("run=")[2].partition("&")[0]
    if not is_run_id(named):
        return None
    try:
        return named, wiring.read_run(named)
    except NoSuchRun:
        return None


def _show_both(visit: Visit, theirs: Visit) -> None:
    visit.show_all(Place.RESULTS)
    theirs.show_all(Place.RESULTS)

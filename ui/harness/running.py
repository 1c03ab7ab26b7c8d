"""A run under way: where each topic is, what was spent, stop and go on, and the passages of each topic."""

from __future__ import annotations

import streamlit as st

from evalcore.evidence import Basis
from evalcore.generation.calls.estimate import cost_range
from evalcore.generation.setup import packs_to_write
from evalcore.generation.store.run import Standing
from evalcore.generation.words import cost_so_far, what_happened
from ui.evidence import basis_badge
from ui.harness import wiring
from ui.harness.item import topic_passages
from ui.harness.keeping import save_run
from ui.harness.keys import key, key_section
from ui.harness.visit import Visit
from ui.shell import guarded
from ui.text import plain

_EVERY = 1.0
_ICONS = {
    Standing.WAITING: ":material/schedule:",
    Standing.UNDER_WAY: ":material/sync:",
    Standing.READY: ":material/check_circle:",
    Standing.FAILED: ":material/cancel:",
    Standing.OPEN: ":material/replay:",
}
_DONE = {Standing.WAITING: 0.0, Standing.UNDER_WAY: 0.5, Standing.READY: 1.0, Standing.FAILED: 1.0, Standing.OPEN: 0.0}


def running_section(visit: Visit) -> None:
    """Progress, kept up to date while calls are made."""
    alive = wiring.under_way().alive(visit.id)
    st.header("The run", anchor=False)
    st.fragment(_progress, run_every=_EVERY if alive else None)(visit, alive)
    if not alive:
        _go_on(visit)
    if alive or visit.run.outcomes:
        save_run(visit)
        st.caption(
            "A run is kept on this server's disk. Where that does not last, a new version of the app ends the run: "
            "take "
            "the file after each pack. It holds the checks, so taking it marks every item as seen by "
            f"{plain(visit.rater)}."
        )
    st.header("Passages of each topic", anchor=False)
    for topic in visit.run.topics.values():
        with st.expander(plain(topic.title), icon=":material/menu_book:"):
            st.caption(f"Searched for: {plain(topic.query)}")
            topic_passages(topic)


def _progress(visit: Visit, was_alive: bool) -> None:
    with guarded():
        alive = wiring.under_way().alive(visit.id)
        run = wiring.read_run(visit.id)
        for topic in run.topics.values():
            standing = run.standing(topic.id)
            lost = standing is Standing.UNDER_WAY and not alive
            said = "interrupted with the server: can be run again" if lost else what_happened(run, topic.id)
            shown = Standing.OPEN if lost else standing
            st.progress(_DONE[shown], text=f"{_ICONS[shown]} **{plain(topic.title)}**: {plain(said)}")
        with st.container(horizontal=True, vertical_alignment="center"):
            if run.began.written_for is None:
                cap = run.began.spend_cap_usd
                limit = f" of a cap of \\${cap:.2f}" if cap is not None else ", no cap"
                # by its price a model can be told; whoever holds the key knows it
                hidden = bool(visit.hidden) and key() is None
                spent = "hidden while items wait for a blind rating" if hidden else plain(cost_so_far(run))
                st.markdown(f"Spent: **{spent}**{limit}")
                # counted tokens at assumed prices
                basis_badge(Basis.ASSUMED)
            if alive:
                st.button(
                    "Stop the run",
                    icon=":material/stop_circle:",
                    on_click=wiring.under_way().stop,
                    args=(visit.id,),
                    key="stop_run",
                )
        if alive:
            st.caption(
                "Other pages can be looked at meanwhile; closing the tab does not stop the run. Finished packs can be "
                "read and rated at once."
            )
        if was_alive and not alive:
            st.rerun()


def _go_on(visit: Visit) -> None:
    run = visit.run
    if run.began.written_for is not None:
        return
    left = packs_to_write(run)
    if not left:
        return
    st.markdown(
        f"**Of {len(run.topics)} topics, {len(left)} without an outcome of the model's own.** Running again asks for "
        "these alone. What the model did, failures included, is final."
    )
    if key() is None:
        st.caption("The key is not kept with a run: give it again to go on.")
        key_section()
        return
    began = run.began
    capped = f"stops before \\${began.spend_cap_usd:.2f} in all" if began.spend_cap_usd is not None else "no spend cap"
    found = cost_range(began.model, [len(w.request.system) + len(w.request.prompt) for w in left], began.output_cap)
    more = (
        f"at most about \\${found.high:.2f} more at list price" if found is not None else "its price is not known here"
    )
    st.markdown(
        f"As the run was set up, also where it came from a file: model {plain(began.model)}, up to "
        f"{began.output_cap:,} tokens a topic, {began.concurrency} side by side, {capped}; {more}."
    )
    basis_badge(Basis.ASSUMED)
    st.button("Run what is open", type="primary", icon=":material/replay:", on_click=_again, args=(visit,), key="again")


def _again(visit: Visit) -> None:
    held = key()
    if held is not None:
        wiring.under_way().start(visit.id, held, packs_to_write(wiring.read_run(visit.id)))

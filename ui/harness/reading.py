"""The packs that are ready, to be read; an item's checks only for whoever may see them."""

from __future__ import annotations

import streamlit as st

from ui.harness.item import checks_table, item_card
from ui.harness.visit import Visit
from ui.text import plain


def reading_section(visit: Visit) -> None:
    """Topic by topic."""
    st.header("Finished packs", anchor=False)
    run = visit.run
    if not run.packs:
        st.info("No pack is ready yet.", icon=":material/hourglass_empty:")
        return
    hidden = len(visit.hidden)
    if hidden:
        st.caption(
            f"The checks of {hidden} items stay hidden until {plain(visit.rater)} has said whether they are faithful."
        )
    for topic, pack in run.packs.items():
        with st.expander(f"{plain(run.topics[topic].title)}: {len(pack)} items", icon=":material/list_alt:"):
            for item in pack:
                item_card(item)
                if item.id in visit.sheet.seen:
                    checks_table(item, run.findings.get(item.id, ()))

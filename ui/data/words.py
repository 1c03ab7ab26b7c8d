"""What the page Your data says about keeping, declaring and its limits."""

from __future__ import annotations

import streamlit as st

KEEPING = (
    "Your files stay in the memory of this visit: they are written to no disk and kept in no shared cache, and no "
    "other visitor sees them. A reload, or closing the tab, forgets them; *Save study* keeps everything in one file. "
    "Until you declare, another page forgets them too."
)
NOT_SAID = (
    "That a difference is real, before a family and an alpha were declared for it.",
    "That answers generated from these passages are right: only retrieval is measured here.",
    "That a declaration was the first look: only what this visit has shown is known here.",
)


def not_said() -> None:
    """What may not be concluded before anything is declared."""
    st.markdown("**What may not be said**\n" + "".join(f"\n- {line}" for line in NOT_SAID))

"""Which study Compare shows: the textbook's, or the one that this visit declared of its own files."""

from __future__ import annotations

import streamlit as st

from evalcore.own import OwnStudy
from evalcore.studies import TEXTBOOK_TITLE
from ui import own
from ui.controls import choose

MINE = "Mine"


def own_study() -> OwnStudy | None:
    """The visitor's own study when it is chosen and there, else None: the textbook."""
    mine = own.study()
    chosen = choose(
        "Study",
        [TEXTBOOK_TITLE, MINE],
        key="compare_study",
        default=TEXTBOOK_TITLE,
        help="Mine: runs and judgements brought and declared on the page Your data, in this visit.",
    )
    if chosen != MINE:
        return None
    if mine is None:
        st.info("No files of your own are declared in this visit; the textbook is shown.", icon=":material/info:")
        st.page_link("pages/data.py", label="Bring and declare them on Your data", icon=":material/upload_file:")
    return mine

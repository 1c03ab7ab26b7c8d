"""A figure on the page: drawn, described to a screen reader, one sentence under it, and its values in words."""

from __future__ import annotations

import time

import streamlit as st

from ui.figures.base import CONFIG, Described
from ui.text import plain

# The browser draws what has come before it takes in more. Given this long alone, a figure is on screen while the rest
# is still on its way; without it all are drawn together, and the first is seen when the last is done.
_HEAD_START = 0.05


def lead() -> None:
    """Lets the browser draw the figures sent so far before the rest of a fragment follows."""
    time.sleep(_HEAD_START)


def show(plot: Described, key: str) -> None:
    """A figure that is only looked at."""
    st.plotly_chart(plot.figure, key=key, alt=plot.alt, config=CONFIG)
    figure_words(plot)


def figure_words(plot: Described) -> None:
    """What stands under a figure."""
    st.caption(plain(plot.text))
    with st.expander("The figure in words", icon=":material/notes:"):
        st.text(plot.values)

"""A figure on the page: drawn, described to a screen reader, one sentence under it, and its values in words."""

from __future__ import annotations

import streamlit as st

from ui.figures.base import CONFIG, Described
from ui.text import plain


def show(plot: Described, key: str) -> None:
    """A figure that is only looked at."""
    st.plotly_chart(plot.figure, key=key, alt=plot.alt, config=CONFIG)
    figure_words(plot)


def figure_words(plot: Described) -> None:
    """What stands under a figure."""
    st.caption(plain(plot.text))
    with st.expander("The figure in words", icon=":material/notes:"):
        st.text(plot.values)

"""What every page begins with: page settings, navigation, its question, and a net for unexpected errors."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import groupby

import streamlit as st

from evalcore.files import BadInput
from evalcore.retrieval.corpus import CorpusError
from ui import tables
from ui.pages import BY_KEY, PAGES, Page

_LOG = logging.getLogger("evidence_lab")

# The words of a figure take the theme's ink, also when the theme changes under it; tabular figures, so that columns of
# numbers line up; captions that hold 4.5 : 1; less empty paper above the title; the page in use marked in the menu; a
# filled button whose words hold 4.5 : 1 in both themes.
# Everything else of the look is in config.toml.
_STYLE = f"""<style>
html, body, [data-testid="stApp"] {{ font-variant-numeric: tabular-nums lining-nums; }}
[data-testid="stMainBlockContainer"] {{ padding-top: 3.25rem; max-width: 72rem; }}
[data-testid="stCaptionContainer"] {{ color: inherit; opacity: 0.85; }}
[data-testid="stCaptionContainer"] p {{ color: inherit; opacity: 1; }}
.js-plotly-plot svg text {{ fill: currentColor !important; }}
.js-plotly-plot .hoverlayer text {{ fill: #FFFFFF !important; }}
[data-testid="stBaseButton-primary"]:not(:disabled) {{ background: #2F6DA8; border-color: #2F6DA8; color: #FFFFFF; }}
.st-key-nav_here a {{ background: color-mix(in srgb, #6A8CAF 24%, transparent); }}
{tables.STYLE}
</style>"""


@contextmanager
def page(key: str) -> Iterator[None]:
    """Sets up a page and draws what is common to all; the page's own code runs inside.

    An unexpected exception becomes a plain message with a reference number, and goes to the server's log under it.
    """
    this = BY_KEY[key]
    st.set_page_config(
        page_title=f"{this.title} · Evidence Lab", page_icon="⚖️", layout="wide", initial_sidebar_state="auto"
    )
    st.html(_STYLE)
    _navigation(this)
    st.title(this.title)
    st.markdown(this.question)
    with guarded():
        yield


@contextmanager
def guarded() -> Iterator[None]:
    """The net for errors; a fragment has one of its own, since Streamlit would show its exceptions itself."""
    try:
        yield
    except (BadInput, CorpusError) as error:
        st.error("The study's files cannot be used as they are.", icon=":material/error:")
        st.code(str(error), language=None, wrap_lines=True)
    except Exception:
        reference = secrets.token_hex(4)
        _LOG.exception("unexpected error, reference %s", reference)
        st.error(
            f"Something went wrong on our side (reference {reference}). Your files and settings are unchanged. "
            "Reload the page; if it happens again, report the reference.",
            icon=":material/error:",
        )


def _navigation(this: Page) -> None:
    with st.sidebar:
        st.header("Evidence Lab", anchor=False)
        st.caption("Study in use")
        st.markdown(this.study)
        for section, pages in groupby(PAGES, key=lambda p: p.section):
            st.caption(section.upper())
            for entry in pages:
                here = entry is this
                with st.container(key="nav_here" if here else f"nav_{entry.key}"):
                    name = f"**{entry.title}**" if here else entry.title
                    st.page_link(entry.file, label=name, icon=entry.icon, width="stretch")

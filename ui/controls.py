"""Controls whose state lives in the URL, and their reading back: a link shows exactly what is on screen."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ui.text import plain


def choose(title: str, options: Sequence[str], *, key: str, default: str, help: str | None = None) -> str:
    """One of ``options``, which stand in the URL under ``key`` as they stand on screen.

    An unknown value in the URL becomes the default.
    """
    _say_unknown(title, key, options)
    chosen = st.selectbox(
        title,
        options,
        index=options.index(default),
        key=key,
        help=help,
        bind="query-params",
        persist_state="session",
    )
    return chosen if chosen in options else default


def choose_several(
    title: str, options: Sequence[str], *, key: str, at_least: int, help: str | None = None
) -> tuple[str, ...]:
    """Some of ``options``, in their order; with fewer than ``at_least`` chosen, all of them and a line that says so."""
    _say_unknown(title, key, options)
    chosen = st.pills(
        title,
        options,
        selection_mode="multi",
        default=list(options),
        key=key,
        help=help,
        bind="query-params",
        persist_state="session",
    )
    kept = tuple(o for o in options if o in (chosen or []))
    if len(kept) < at_least:
        st.caption(f"Choose at least {at_least}; until then all {len(options)} are shown.")
        return tuple(options)
    return kept


def _say_unknown(title: str, key: str, options: Sequence[str]) -> None:
    """A link that names something which is not here is not silently another link."""
    unknown = [value for value in st.query_params.get_all(key) if value not in options]
    if unknown:
        named = ", ".join(plain(value[:60]) for value in unknown[:3])
        st.caption(f"The link names {named} for {plain(title)}, which is not here; the default is shown.")

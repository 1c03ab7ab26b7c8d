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


def slide(
    title: str,
    low: float,
    high: float,
    *,
    key: str,
    default: float,
    step: float,
    digits: int,
    help: str,
) -> float:
    """A number between ``low`` and ``high``, in the URL under ``key``."""
    _say_unused(title, key, low, high)
    return float(
        st.slider(
            title,
            low,
            high,
            default,
            step,
            format=f"%.{digits}f",
            key=key,
            help=help,
            bind="query-params",
            persist_state="session",
        )
    )


def slide_whole(title: str, low: int, high: int, *, key: str, default: int, help: str, step: int = 1) -> int:
    """A whole number between ``low`` and ``high``, in the URL under ``key``."""
    _say_unused(title, key, low, high, whole=True)
    return int(
        st.slider(title, low, high, default, step, key=key, help=help, bind="query-params", persist_state="session")
    )


def write(title: str, *, key: str, default: str, longest: int, help: str) -> str:
    """A line of text, in the URL under ``key``."""
    for value in st.query_params.get_all(key):
        if len(value) > longest:
            st.caption(f"The link's text for {plain(title)} is cut to its first {longest:,} characters.")
    typed = st.text_input(
        title, default, key=key, max_chars=longest, help=help, bind="query-params", persist_state="session"
    )
    return typed or ""


def switch(title: str, *, key: str, help: str) -> bool:
    """On or off (at first off), in the URL under ``key``."""
    _say_unknown(title, key, ("true", "false"))
    return st.toggle(title, False, key=key, help=help, bind="query-params", persist_state="session")


def enter(title: str, low: float, high: float, *, key: str, default: float, step: float, help: str) -> float:
    """A number to type, between ``low`` and ``high``, in the URL under ``key``; an emptied field is the default."""
    _say_unused(title, key, low, high)
    typed = st.number_input(
        title,
        low,
        high,
        default,
        step,
        format="%.6g",
        key=key,
        help=help,
        bind="query-params",
        persist_state="session",
    )
    return default if typed is None else float(typed)


def choose_several(title: str, options: Sequence[str], *, key: str, help: str | None = None) -> tuple[str, ...]:
    """Some of ``options``, in their order; none chosen is none."""
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
    return tuple(o for o in options if o in (chosen or []))


def _say_unknown(title: str, key: str, options: Sequence[str]) -> None:
    """A link that names something which is not here is not silently another link."""
    unknown = [value for value in st.query_params.get_all(key) if value and value not in options]
    if unknown:
        named = ", ".join(plain(value[:60]) for value in unknown[:3])
        st.caption(f"The link names {named} for {plain(title)}, which is not here and is left out.")


def _say_unused(title: str, key: str, low: float, high: float, *, whole: bool = False) -> None:
    """A link whose number cannot be used is not silently another link."""
    for value in st.query_params.get_all(key):
        try:
            number = float(value)
            usable = low <= number <= high
        except ValueError:
            number, usable = 0.0, False
        if value and not usable:
            st.caption(
                f"The link's {plain(value[:60])} for {plain(title)} is not between {low:g} and {high:g}, and is left "
                "out."
            )
        elif value and whole and not number.is_integer():
            st.caption(
                f"The link's {plain(value[:60])} for {plain(title)} is not whole; what is behind the point is cut."
            )

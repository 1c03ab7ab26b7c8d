"""Controls whose state lives in the URL, and their reading back: a link shows exactly what is on screen."""

from __future__ import annotations

import re
from collections.abc import Sequence

import streamlit as st

from ui.text import plain

_PLAIN = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def choose(title: str, options: Sequence[str], *, key: str, default: str, help: str | None = None) -> str:
    """One of ``options``, which stand in the URL under ``key`` as they stand on screen.

    An unknown value in the URL becomes the default.
    """
    given = _given(key)
    chosen = st.selectbox(
        title,
        options,
        index=options.index(default),
        key=key,
        help=help,
        bind="query-params",
        persist_state="session",
    )
    used = chosen if chosen in options else default
    _note(key, given, used, _unknown(title, given, options) or _repeated(title, given, used))
    return used


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
    given = _given(key)
    used = float(
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
    _note(key, given, used, _unused(title, given, low, high, used))
    return used


def slide_whole(title: str, low: int, high: int, *, key: str, default: int, help: str, step: int = 1) -> int:
    """A whole number between ``low`` and ``high``, in the URL under ``key``."""
    given = _given(key)
    used = int(
        st.slider(title, low, high, default, step, key=key, help=help, bind="query-params", persist_state="session")
    )
    _note(key, given, used, _unused(title, given, low, high, used, whole=True))
    return used


def write(title: str, *, key: str, default: str, longest: int, help: str) -> str:
    """A line of text, in the URL under ``key``."""
    given = _given(key)
    typed = st.text_input(
        title, default, key=key, max_chars=longest, help=help, bind="query-params", persist_state="session"
    )
    used = typed or ""
    cut = f"The link's text for {plain(title)} is cut to its first {longest:,} characters."
    _note(key, given, used, cut if any(len(v) > longest for v in given) else _repeated(title, given, used))
    return used


def switch(title: str, *, key: str, help: str) -> bool:
    """On or off (at first off), in the URL under ``key``."""
    given = [value.lower() for value in _given(key)]
    used = st.toggle(title, False, key=key, help=help, bind="query-params", persist_state="session")
    said = "true" if used else "false"
    _note(key, given, used, _unknown(title, given, ("true", "false")) or _repeated(title, given, said))
    return used


def enter(title: str, low: float, high: float, *, key: str, default: float, step: float, help: str) -> float:
    """A number to type, between ``low`` and ``high``, in the URL under ``key``; an emptied field is the default."""
    given = _given(key)
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
    used = default if typed is None else float(typed)
    _note(key, given, used, _unused(title, given, low, high, used))
    return used


def choose_several(title: str, options: Sequence[str], *, key: str, help: str | None = None) -> tuple[str, ...]:
    """Some of ``options``, in their order; none chosen is none."""
    given = _given(key)
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
    used = tuple(o for o in options if o in (chosen or []))
    _note(key, given, used, _unknown(title, given, options))
    return used


def _given(key: str) -> list[str]:
    """What the link says, read before the control is drawn: Streamlit then takes out what it cannot use."""
    return [value for value in st.query_params.get_all(key) if value]


def _note(key: str, given: Sequence[str], used: object, said: str | None) -> None:
    """What of a link was not used as it stands, under its control until that control is changed.

    A rerun, which any other control and the browser can ask for, finds the link without what could not be used: it
    would take away what nobody may have read yet. What is in the link still is said once for each link.
    """
    place = f"{key} in the link"
    before = st.session_state.get(place)
    if given and (before is None or before[0] != given):
        before = (given, used, said)
    elif before is not None and used != before[1]:
        before = (before[0], used, None)
    if before is None:
        return
    st.session_state[place] = before
    if before[2] is not None:
        st.caption(before[2])


def _unknown(title: str, given: Sequence[str], options: Sequence[str]) -> str | None:
    """That a link names something which is not here."""
    unknown = [value for value in given if value not in options]
    if not unknown:
        return None
    return f"The link names {_shown(unknown)} for {plain(title)}, which is not here and is left out."


def _repeated(title: str, given: Sequence[str], used: str) -> str | None:
    """That a link gives several values where one can be used, while that one is used."""
    if len(given) < 2 or used != given[-1]:
        return None
    return f"The link gives {plain(title)} more than once ({_shown(given)}); the last is used."


def _unused(
    title: str, given: Sequence[str], low: float, high: float, used: float, *, whole: bool = False
) -> str | None:
    """That a link's number is not the one in use, and why."""
    if not given:
        return None
    name, shown, numbers = plain(title), _shown(given), [_number(value) for value in given]
    if len(given) > 1:
        last = "the last is used" if used == numbers[-1] else f"{used:g} is used"
        return f"The link gives {name} more than once ({shown}); {last}."
    (number,) = numbers
    if number is None or not low <= number <= high:
        return f"The link's {shown} for {name} is not between {low:g} and {high:g}, and is left out."
    if whole and not number.is_integer():
        return f"The link's {shown} for {name} is not whole; what is behind the point is cut."
    if not _PLAIN.fullmatch(given[0]):
        # Python reads other scripts' digits and 1_0 as numbers, a browser's number field not all of them
        read = "is read as that" if used == number else f"{used:g} is used"
        return f"The link's {shown} for {name} is not written in plain digits, such as {number:g}; {read}."
    return None


def _number(value: str) -> float | None:
    try:
        return float(value)
    except ValueError:
        return None


def _shown(values: Sequence[str]) -> str:
    return ", ".join(plain(value[:60]) for value in values[:3])

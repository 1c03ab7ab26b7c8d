"""The visitor's key: typed, checked by listing models, kept in this browser session's state, cleared by a button."""

from __future__ import annotations

import asyncio

import streamlit as st
from pydantic import SecretStr

from evalcore.generation.calls.client import KeyRefused, Model
from evalcore.generation.calls.key import BadKey, read_key
from evalcore.generation.calls.outcomes import Outcome
from ui.harness.wiring import WIRING
from ui.text import plain

_TYPED, _KEY, _MODELS, _SAID = "harness_typed", "harness_key", "harness_models", "harness_key_said"


def key() -> SecretStr | None:
    """The checked key of this session."""
    found = st.session_state.get(_KEY)
    return found if isinstance(found, SecretStr) else None


def models() -> list[Model]:
    """The models that the key may use and that can answer in the form asked for."""
    listed: list[Model] = st.session_state.get(_MODELS, [])
    return [model for model in listed if model.structured]


def key_section() -> None:
    """The field, or that a key is there."""
    if key() is not None:
        left_out = len(st.session_state.get(_MODELS, [])) - len(models())
        said = f"A key is in use for this browser session: it lists {len(models())} models that answer by a schema"
        also = f" ({left_out} others do not, or do not say so, and are left out)" if left_out else ""
        st.success(f"{said}{also}. Reloading the page forgets it.", icon=":material/key:")
        st.button("Clear the key", icon=":material/key_off:", on_click=_clear, key="clear_key")
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input(
            "Your Anthropic API key",
            type="password",
            key=_TYPED,
            help="Kept in the memory of this browser session, sent to Anthropic alone, written nowhere. Checking it "
            "lists the models it may use and costs nothing.",
        )
        st.button("Check the key", icon=":material/key:", on_click=_check, key="check_key")
    if said := st.session_state.pop(_SAID, None):
        st.error(plain(said), icon=":material/error:")
    st.caption(
        "The key stays in this browser session's memory on the server and goes to Anthropic's address alone. It is in "
        "no file, log, export or link, and is gone when you reload, close the tab or clear it; a run under way "
        "keeps it until it ends. No key of the server is ever used."
    )


def _check() -> None:
    typed = str(st.session_state.get(_TYPED) or "")
    st.session_state[_TYPED] = ""
    try:
        found = read_key(typed)
        listed = asyncio.run(_models(found))
    except BadKey as problem:
        st.session_state[_SAID] = str(problem)
    except KeyRefused as refused:
        what = "The key was not accepted" if refused.outcome is Outcome.BAD_KEY else "The models could not be listed"
        st.session_state[_SAID] = f"{what}: {refused}. {refused.outcome.meaning}"
    else:
        st.session_state[_KEY], st.session_state[_MODELS] = found, listed


async def _models(found: SecretStr) -> list[Model]:
    async with WIRING.client(found) as client:
        return await client.models()


def _clear() -> None:
    for name in (_KEY, _MODELS, _SAID):
        st.session_state.pop(name, None)
    st.session_state[_TYPED] = ""

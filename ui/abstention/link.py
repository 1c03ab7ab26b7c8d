"""A button that copies the address of exactly what is on screen; the browser knows it best."""

from __future__ import annotations

import streamlit as st

_HTML = '<button type="button">Copy link</button><span role="status"></span>'
_CSS = """
button { font: inherit; font-size: 0.875rem; color: inherit; background: transparent; cursor: pointer;
  min-height: 2.5rem; padding: 0.25rem 0.75rem; border: 1px solid var(--st-border-color); border-radius: 6px; }
button:hover, button:focus-visible { border-color: var(--st-primary-color); }
span { margin-left: 0.6rem; font-size: 0.875rem; overflow-wrap: anywhere; }
"""
# Without a secure origin a browser has no clipboard; the address is then shown, to be copied by hand.
_JS = """
export default function ({ parentElement }) {
  const said = parentElement.querySelector("span");
  parentElement.querySelector("button").onclick = async () => {
    try {
      await navigator.clipboard.writeText(window.location.href);
      said.textContent = "Copied.";
    } catch {
      said.textContent = window.location.href;
    }
  };
}
"""
_MOUNT = st.components.v2.component("evidence_lab_copy_link", html=_HTML, css=_CSS, js=_JS)


def copy_link() -> None:
    """The button."""
    _MOUNT(key="copy_link")

"""Text from outside, made safe to set among our own words."""

from __future__ import annotations


def plain(text: str) -> str:
    """Text that Markdown shows as it is: no image, link, directive, formula or emphasis comes out of it."""
    shown = "".join(c if c.isprintable() else " " for c in text)
    return "".join("\\" + c if c in r"\`*_{}[]()#+!|$:~<>&" else c for c in shown)

"""Text from outside, made safe to set among our own words."""

from __future__ import annotations

import re

_ADDRESS = re.compile(r"(?:https?(?=:)|www(?=\.)|@(?=[-\w]+\.[-\w]))", re.IGNORECASE)


def plain(text: str) -> str:
    """Text that Markdown shows as it is: no image, link, directive, formula or emphasis comes out of it."""
    shown = "".join(c if c.isprintable() else " " for c in text)
    # an address makes itself a link, whatever is escaped; a joiner that nobody sees keeps it text
    shown = _ADDRESS.sub(lambda m: f"{m[0]}\u2060", shown)
    return "".join("\\" + c if c in r"\`*_{}[]()#+!|$:~<>&" else c for c in shown)

"""Names that others chose, inside Markdown and XML.

Backslashes are the obvious way and are not enough: in a table of GitHub's Markdown ``\\\\|`` ends a cell, and inside a
code span an escape is shown as it stands. So every punctuation mark becomes a numeric entity, which no Markdown parser
reads as syntax, inside ``<code>``, where nobody is mentioned and no issue is linked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_PLAIN = frozenset(" .,-")
# a tag between the parts keeps an address or a link from being recognised after entities have been read
_AT = "&#64;<wbr>"
_PARTED = re.compile(r"(&#58;)(?=&#47;)|(?<=www)(\.)", re.IGNORECASE)
# outside the characters of XML 1.0, and the control characters and line breaks inside them
_NO_XML = re.compile("[^\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def escaped(text: str) -> str:
    """Text as Markdown that shows it and does nothing; what cannot be shown becomes a replacement character."""
    return _PARTED.sub(lambda m: "&#58;<wbr>" if m[1] else "&#46;<wbr>", "".join(map(_escaped, text)))


def _escaped(char: str) -> str:
    if not char.isprintable():
        return "\ufffd"
    if not char.isascii() or char.isalnum() or char in _PLAIN:
        return char
    return _AT if char == "@" else f"&#{ord(char)};"


def code(name: str) -> str:
    """A name that somebody else chose, set apart as code."""
    return f"<code>{escaped(name)}</code>"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], *, right: Iterable[int] = ()) -> list[str]:
    """A Markdown table of cells that are escaped already; ``right`` are the columns of numbers."""
    numbers = set(right)
    rule = ["---:" if i in numbers else "---" for i in range(len(heads))]
    return [f"| {' | '.join(cells)} |" for cells in (heads, rule, *rows)]


def xml_text(text: str) -> str:
    """Text without the characters that XML cannot hold, and without control characters."""
    return _NO_XML.sub("", text)

"""Writing tables as CSV that a spreadsheet can open without running anything."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any

Row = Mapping[str, Any]
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def to_csv(rows: Sequence[Row], *, stamp: Mapping[str, Any] | None = None) -> str:
    """Rows as CSV with a header; ``stamp`` (hashes, seed, whether provisional) becomes the last columns of every row.

    A text that a spreadsheet would run as a formula gets an apostrophe before it; numbers stay numbers.
    """
    full = [{**row, **(stamp or {})} for row in rows]
    out = io.StringIO()
    # the module quotes a line break inside a text only when it occurs in its own line end, so that is CR LF (RFC 4180)
    names = list(full[0]) if full else []
    writer = csv.DictWriter(out, fieldnames=names, lineterminator="\r\n")
    writer.writerow({name: _cell(name) for name in names})
    writer.writerows({name: _cell(value) for name, value in row.items()} for row in full)
    return out.getvalue()


def _cell(value: Any) -> Any:
    if isinstance(value, str) and value.startswith(_FORMULA):
        return "'" + value
    return value

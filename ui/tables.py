"""Tables that show every cell: wrapped on a wide screen, one card a row on a phone; each with its download.

A canvas grid clips columns and cannot be read by a screen reader. Every cell is escaped before it is set.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

import streamlit as st

_SHORT = 17
STYLE = """
table.el { border-collapse: collapse; width: 100%; font-size: 0.95rem; line-height: 1.4; }
table.el caption { text-align: left; padding: 0 0 0.4rem; opacity: 0.85; font-size: 0.9rem; }
table.el th, table.el td { text-align: left; vertical-align: top; padding: 0.45rem 0.7rem 0.45rem 0; }
table.el thead th { border-bottom: 1.5px solid currentColor; font-weight: 600; }
table.el tbody tr { border-bottom: 1px solid color-mix(in srgb, currentColor 22%, transparent); }
table.el td.el-short { white-space: nowrap; }
table.el a { color: inherit; text-decoration: underline; text-decoration-style: dotted; text-underline-offset: 0.2em; }
table.el tr.el-marked { background: rgba(230,170,30,0.22); }
table.el abbr { text-decoration: underline dotted; cursor: help; }
@media (max-width: 640px) {
  table.el thead { display: none; }
  table.el tbody tr { display: block; padding: 0.5rem 0; }
  table.el td, table.el tbody th { display: flex; gap: 1rem; justify-content: space-between; padding: 0.15rem 0; }
  table.el td { text-align: right; }
  table.el td::before { content: attr(data-label); opacity: 0.85; text-align: left; }
}
"""


@dataclass(frozen=True, slots=True)
class Linked:
    """A cell that leads somewhere, with what is there as its tooltip."""

    text: str
    href: str
    title: str


Cell = str | Linked


def table(
    rows: Sequence[Mapping[str, Cell]],
    caption: str,
    terms: Mapping[str, str] | None = None,
    marked: int | None = None,
) -> None:
    """Rows of shown text, all with the same keys; the first column heads its row, ``terms`` explains column names.

    ``marked`` is the place of a row that a link named.
    """
    heads = list(rows[0])
    explained = terms or {}

    def head(name: str) -> str:
        shown = escape(name)
        return f'<abbr title="{escape(explained[name])}">{shown}</abbr>' if name in explained else shown

    def cell(name: str, content: Cell) -> str:
        text = content if isinstance(content, str) else content.text
        short = ' class="el-short"' if len(text) <= _SHORT else ""
        return f'<td data-label="{escape(name)}"{short}>{_inside(content)}</td>'

    def row(place: int, cells: Mapping[str, Cell]) -> str:
        first, *others = heads
        rest = "".join(cell(h, cells[h]) for h in others)
        mark = ' class="el-marked"' if place == marked else ""
        return f'<tr{mark}><th scope="row">{_inside(cells[first])}</th>{rest}</tr>'

    columns = "".join(f'<th scope="col">{head(name)}</th>' for name in heads)
    st.html(
        f'<table class="el"><caption>{escape(caption)}</caption><thead><tr>{columns}</tr></thead>'
        f"<tbody>{''.join(row(place, cells) for place, cells in enumerate(rows))}</tbody></table>"
    )


def _inside(content: Cell) -> str:
    if isinstance(content, str):
        return escape(content)
    # a new tab, since leaving the page would lose the place on it
    ends = f'href="{escape(content.href)}" title="{escape(content.title)}" target="_blank" rel="noopener"'
    return f"<a {ends}>{escape(content.text)}</a>"


def download(text: str, file: str) -> None:
    """The numbers of a table as CSV."""
    save("CSV", text, file, "text/csv")


def save(title: str, text: str | bytes | Callable[[], str | bytes], file: str, mime: str) -> None:
    """A file to keep; asking for it reruns nothing. A text that is made only then is given as a function."""
    st.download_button(
        title,
        text,
        file_name=file,
        mime=mime,
        icon=":material/download:",
        key=f"download_{file}",
        on_click="ignore",
    )

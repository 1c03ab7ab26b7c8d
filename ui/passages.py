"""Passages with their evidence marked, as text: everything is escaped before a mark is set."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

import streamlit as st

from evalcore.goldset.schema import Evidence
from evalcore.retrieval.corpus import Chunk, Corpus
from ui.theme import MARK

# the textbook's own Markdown, after escaping: a heading line, and a term in italics
_HEADING = re.compile(r"^#{1,6} (.*)$", re.MULTILINE)
_EMPHASIS = re.compile(r"\*([^*<>\n]+)\*")


def passage(corpus: Corpus, chunk: Chunk, spans: Iterable[Evidence]) -> None:
    """A passage of the textbook; spans that lie whole inside it are marked."""
    inside = sorted(
        (s.start, s.end) for s in spans if s.section == chunk.section and chunk.start <= s.start and s.end <= chunk.end
    )
    text = corpus.texts[chunk.section]
    parts, at = [], chunk.start
    for start, end in _merged(inside):
        parts += [
            escape(text[at:start]),
            f'<mark style="background:{MARK};color:inherit">',
            escape(text[start:end]),
            "</mark>",
        ]
        at = end
    parts.append(escape(text[at : chunk.end]))
    _show("".join(parts))


def text_passage(text: str) -> None:
    """A passage with nothing marked."""
    _show(escape(text))


def _show(escaped: str) -> None:
    shown = _EMPHASIS.sub(r"<em>\1</em>", _HEADING.sub(r"<strong>\1</strong>", escaped))
    st.html(f'<div style="white-space:pre-wrap;line-height:1.55;overflow-wrap:anywhere">{shown}</div>')


def _merged(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in spans:
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged

"""Cutting a section into passages of about 120 to 150 words, along its paragraphs.

A passage is an exact character span of its section, so evidence can be checked against the source. Cuts fall
between paragraphs where they can, else between two sentences, never inside a table or list. Among all such
partitions the cheapest is taken: a greedy cut leaves a stub before every long paragraph.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

TARGET_WORDS = (120, 150)
MAX_TOKENS = 256
# A cut inside a paragraph costs as much as a passage that is this many words too short or too long.
CUT_INSIDE_WORDS = 12

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9“\"(])")
_BLOCK = re.compile(r"\S(?:.|\n(?!\s*\n))*")


@dataclass(frozen=True, slots=True)
class Span:
    """Characters ``start`` to ``end`` (exclusive); ``ends_block`` when a paragraph, list or table ends there."""

    start: int
    end: int
    ends_block: bool = True


def chunk_spans(text: str, count_tokens: Callable[[str], int]) -> list[Span]:
    """The passages of a section, in order; together they hold every block of the text once.

    Args:
        text: a section in Markdown; blocks are separated by blank lines, a heading belongs to the block after it.
        count_tokens: the encoder's token count of a text, special tokens included.

    Raises:
        ValueError: a sentence, list or table alone is over the encoder's window.

    """
    units = _units(text)

    def joined(i: int, j: int) -> str:
        return text[units[i].start : units[j - 1].end]

    @cache
    def best(start: int) -> tuple[float, int]:
        """Lowest cost of the units from ``start`` on, and where the first passage stops."""
        if start == len(units):
            return 0.0, start
        choices = []
        for stop in range(start + 1, len(units) + 1):
            passage = joined(start, stop)
            if count_tokens(passage) > MAX_TOKENS:
                break
            choices.append((_cost(passage, units[stop - 1]) + best(stop)[0], stop))
        if not choices:
            raise ValueError(f"over {MAX_TOKENS} tokens and cannot be cut: {joined(start, start + 1)[:60]!r}")
        return min(choices)

    spans, at = [], 0
    while at < len(units):
        stop = best(at)[1]
        spans.append(Span(units[at].start, units[stop - 1].end, units[stop - 1].ends_block))
        at = stop
    return spans


def sentences(text: str) -> list[str]:
    """The sentences of a passage; headings are left out, a list item or table row stands for itself."""
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    rows = [line for line in lines if not re.fullmatch(r"[|\-: ]+", line)]
    return [s for line in rows for s in ([line] if line.startswith("|") else _SENTENCE_END.split(line)) if s.strip()]


def _cost(passage: str, last: Span) -> int:
    words = len(passage.split())
    outside = max(TARGET_WORDS[0] - words, words - TARGET_WORDS[1], 0)
    return outside**2 + (0 if last.ends_block else CUT_INSIDE_WORDS**2)


def _units(text: str) -> list[Span]:
    """What is never cut: sentences, whole lists and whole tables; a heading is part of the unit after it."""
    units: list[Span] = []
    heading: int | None = None
    for match in _BLOCK.finditer(text):
        block = match.group().rstrip()
        start, first = match.start(), match.start() if heading is None else heading
        if block.startswith("#"):
            heading = first
            continue
        heading = None
        inside = [] if "\n" in block else [m.span() for m in _SENTENCE_END.finditer(block)]
        starts = [first, *(start + after for _, after in inside)]
        ends = [*(start + before for before, _ in inside), start + len(block)]
        units += [Span(a, b, b == ends[-1]) for a, b in zip(starts, ends, strict=True)]
    return units

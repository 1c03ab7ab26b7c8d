"""Colours with a meaning; the rest of the look is in .streamlit/config.toml.

A visitor's system may switch between light and dark while a page is open, and nothing is computed again then. So every
colour here holds at least 3 : 1 on both papers, and words take the theme's own ink.
"""

from __future__ import annotations

from collections.abc import Iterable

LABELS = {
    "bm25": "BM25",
    "dense": "Dense",
    "hybrid": "Hybrid",
    "sections": "Whole sections",
    "chunks": "Passages",
}
RANKERS = (
    "A ranker orders all passages of the text for a question. **BM25** matches words and weighs the rare ones; "
    "**Dense** compares the meaning of question and passage as vectors (all-MiniLM-L6-v2); **Hybrid** fuses both."
)
# Okabe and Ito's blue, orange and green, which survive colour blindness, at a lightness between the two papers
COLOURS = {"bm25": "#2F86C2", "dense": "#D4651C", "hybrid": "#1C9470", "sections": "#817A6C", "chunks": "#D4651C"}
SPARE = ("#A0649A", "#8F7F16", "#6E81B4", "#B4605F")
# the two groups of questions, in colours that no ranker has; the threshold; a window of thresholds that pass
ANSWERABLE, UNANSWERABLE = "#4A7FA8", "#B4605F"
THRESHOLD = "#B07A15"
# one test alone, and the family's first step
ONE_TEST, FAMILY = "#5C86A6", "#A0649A"
WINDOW = "rgba(80,150,110,0.22)"
GREY = "#817A6C"
GRID = "rgba(129,122,108,0.28)"
MARK = "rgba(230,170,30,0.38)"


def colour(name: str, names: Iterable[str] = ()) -> str:
    """A ranker's colour, the same everywhere; another run takes a spare by its place in ``names``."""
    if name in COLOURS:
        return COLOURS[name]
    others = [n for n in names if n not in COLOURS]
    return SPARE[others.index(name) % len(SPARE)] if name in others else SPARE[0]


def label(name: str) -> str:
    """A run's name on screen: the textbook's rankers have one, any other run keeps its own."""
    return LABELS.get(name, name)

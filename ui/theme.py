"""Colours with a meaning, for the light and the dark theme; the rest of the look is in .streamlit/config.toml."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import streamlit as st

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
# Okabe and Ito's hues, which survive colour blindness, darkened or lightened to 3 : 1 on their paper
_LIGHT = {"bm25": "#0072B2", "dense": "#C4510A", "hybrid": "#00805E", "sections": "#6B6557", "chunks": "#C4510A"}
_DARK = {"bm25": "#5AA5DA", "dense": "#E8833A", "hybrid": "#2FB58A", "sections": "#B4B0A6", "chunks": "#E8833A"}
_LIGHT_SPARE = ("#8A4B82", "#7A6A00", "#4B5D8A", "#8A3B3B")
_DARK_SPARE = ("#C592BE", "#C9B84A", "#93A6D6", "#D68F8F")


@dataclass(frozen=True)
class Palette:
    """The colours of one theme."""

    ink: str
    paper: str
    soft: str
    rule: str
    mark: str
    rankers: dict[str, str] = field(default_factory=dict)
    spare: tuple[str, ...] = ()

    def ranker(self, name: str, names: Iterable[str] = ()) -> str:
        """A ranker's colour, the same everywhere; one that is not the textbook's takes a spare by its place."""
        if name in self.rankers:
            return self.rankers[name]
        others = [n for n in names if n not in self.rankers]
        return self.spare[others.index(name) % len(self.spare)] if name in others else self.spare[0]


LIGHT = Palette("#1C1B19", "#FCFBF8", "#5A564C", "#DDD8CC", "#F6E3A8", _LIGHT, _LIGHT_SPARE)
DARK = Palette("#E9E6DF", "#15181B", "#B4B0A6", "#343A40", "#5C4A12", _DARK, _DARK_SPARE)


def palette() -> Palette:
    """The palette of the theme that the visitor sees."""
    return DARK if st.context.theme.type == "dark" else LIGHT


def label(name: str) -> str:
    """A run's name on screen: the textbook's rankers have one, any other run keeps its own."""
    return LABELS.get(name, name)

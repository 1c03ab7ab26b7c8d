"""The cached calls into evalcore, all of them; keys are fingerprints of content."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import streamlit as st

from evalcore.comparison import Compared
from evalcore.gates import Gate, read_gates
from evalcore.goldset.schema import GOLD, GoldSet
from evalcore.retrieval.corpus import CORPUS, Corpus
from evalcore.stats import coverage
from evalcore.stats.coverage import Coverage
from evalcore.textbook import Textbook


def textbook() -> Textbook:
    """The textbook study, shared by all visitors and never changed by one."""
    return _textbook(_fingerprint(GOLD))


def corpus() -> Corpus:
    """The textbook's sections and passages."""
    return _corpus(_fingerprint(CORPUS))


def compared(names: tuple[str, ...]) -> Compared:
    """The comparison of some of the textbook's rankers."""
    return _compared(_fingerprint(GOLD), names)


def gates() -> dict[str, Gate]:
    """The gates of the textbook's plan."""
    return read_gates(GOLD / "plan.toml")


def report() -> dict[str, Any]:
    """The published report."""
    found: dict[str, Any] = json.loads((GOLD / "report.json").read_text(encoding="utf-8"))
    return found


def measured_coverage(method: str, n: int) -> Coverage | None:
    """How often an interval of this method held the truth in simulation, at the size nearest to n."""
    return coverage.nearest(method, n)


def _fingerprint(folder: Path) -> str:
    """Changes when a file below the folder does; cheaper than hashing megabytes on every run."""
    files = sorted(p for p in folder.rglob("*") if p.is_file())
    return "|".join(f"{p.relative_to(folder)}:{s.st_mtime_ns}:{s.st_size}" for p in files for s in [p.stat()])


@st.cache_resource(max_entries=2, show_spinner=False)
def _textbook(key: str) -> Textbook:
    return Textbook(GoldSet())


@st.cache_resource(max_entries=2, show_spinner=False)
def _corpus(key: str) -> Corpus:
    return Corpus.load()


@st.cache_resource(max_entries=16, show_spinner=False)
def _compared(key: str, names: tuple[str, ...]) -> Compared:
    return _textbook(key).compared(names)

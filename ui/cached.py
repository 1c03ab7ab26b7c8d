"""The cached calls into evalcore, all of them; keys are hashes of content."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import streamlit as st

from evalcore.files import BadInput, Problem, reading
from evalcore.gates import Gate, read_gates
from evalcore.goldset.schema import GOLD, GoldSet
from evalcore.report import changed_files
from evalcore.retrieval.corpus import CORPUS, Corpus
from evalcore.stats import coverage
from evalcore.stats.coverage import Coverage
from evalcore.textbook import Textbook


def textbook() -> Textbook:
    """The textbook study, shared by all visitors and never changed by one.

    Raises:
        BadInput: a file of the study is missing, damaged, or not the one that the published report was computed from.

    """
    return _textbook(_content(GOLD) + _content(CORPUS))


def corpus() -> Corpus:
    """The textbook's sections and passages."""
    return _corpus(_content(CORPUS))


def gates() -> dict[str, Gate]:
    """The gates of the textbook's plan."""
    return read_gates(GOLD / "plan.toml")


def report() -> dict[str, Any]:
    """The published report."""
    path = GOLD / "report.json"
    with reading(path):
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def measured_coverage(method: str, n: int) -> Coverage | None:
    """How often an interval of this method held the truth in simulation, at the size nearest to n."""
    return coverage.nearest(method, n)


def _content(folder: Path) -> str:
    """A hash of every file below a folder, computed again only when a date or size has changed."""
    files = sorted(p for p in folder.rglob("*") if p.is_file())
    return _hashed(str(folder), tuple((str(p), s.st_mtime_ns, s.st_size) for p in files for s in [p.stat()]))


@st.cache_data(max_entries=8, show_spinner=False)
def _hashed(folder: str, state: tuple[tuple[str, int, int], ...]) -> str:
    digest = hashlib.sha256()
    for name, _, _ in state:
        digest.update(name.encode() + b"\0" + hashlib.sha256(Path(name).read_bytes()).digest())
    return digest.hexdigest()


@st.cache_resource(max_entries=2, show_spinner=False)
def _textbook(key: str) -> Textbook:
    book = Textbook(GoldSet())
    if changed := changed_files(book, Corpus.load()):
        what = "is not the file that the published report was computed from"
        remedy = "restore it from the repository, or publish again with: python -m evalcore report --write"
        raise BadInput([Problem(name, None, what, remedy) for name in changed])
    return book


@st.cache_resource(max_entries=2, show_spinner=False)
def _corpus(key: str) -> Corpus:
    return Corpus.load()

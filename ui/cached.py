"""The cached calls into evalcore, all of them; keys are hashes of content."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import streamlit as st

from evalcore.abstention.calibration import Calibration
from evalcore.abstention.scored import Scored
from evalcore.evidence import Estimate
from evalcore.files import BadInput, Problem, reading
from evalcore.goldset.schema import GOLD, GoldSet
from evalcore.goldset.scores import Candidates, candidates
from evalcore.goldset.unanswerable import NearQuestion, Slice
from evalcore.planning.own import OwnPair, OwnPower
from evalcore.planning.promises import Promise, promise_of, stored_promises
from evalcore.report import changed_files
from evalcore.retrieval.corpus import CORPUS, Corpus
from evalcore.studies import TOY, TOY_TITLE, AbstentionStudy, Shipped
from evalcore.studies import synthetic_pair as make_pair
from evalcore.studies import toy as read_toy
from evalcore.textbook import Textbook


def textbook() -> Textbook:
    """The textbook study, shared by all visitors and never changed by one.

    Raises:
        BadInput: a file of the study is missing, damaged, or not the one that the published report was computed from.

    """
    return _textbook(_content(GOLD) + _content(CORPUS))


def abstention(title: str) -> AbstentionStudy:
    """An abstention study by its title, shared by all visitors and never changed by one.

    Raises:
        BadInput: a file of the study is missing or damaged; of the textbook, not the published one.

    """
    if title == TOY_TITLE:
        return _toy(_content(TOY))
    textbook()
    return _shipped(_content(GOLD) + _content(CORPUS)).textbook


def toy() -> AbstentionStudy:
    """The toy run."""
    return abstention(TOY_TITLE)


def near_questions() -> dict[str, NearQuestion]:
    """Unanswerable question by its id."""
    return {q.id: q for q in _shipped(_content(GOLD) + _content(CORPUS)).near.questions}


def synthetic_pair() -> dict[str, Scored]:
    """The two invented scores that a teaching session compares."""
    return _pair()


def calibration(title: str, column: str) -> Calibration:
    """The fit of one score."""
    key = _content(TOY) if title == TOY_TITLE else _content(GOLD)
    return _calibration(f"{key} {column}", abstention(title).scores[column])


def differences(title: str, column: str) -> dict[str, Estimate]:
    """AUC of one score minus that of each other score of its study."""
    return _differences(f"{_content(GOLD)} {title} {column}", abstention(title), column)


def served_passages() -> Mapping[str, Mapping[str, str]]:
    """Question to score to the passage that a reader would be served first."""
    return _candidates(_content(GOLD) + _content(CORPUS)).passages


def own_power(pair: OwnPair, n: int) -> OwnPower:
    """Simulated power of a pair of the study in use with n questions."""
    key = f"{_content(GOLD)} {pair.first} {pair.second} {pair.measure} {pair.worth!r} {n}"
    return _own_power(key, pair, n)


def corpus() -> Corpus:
    """The textbook's sections and passages."""
    return _corpus(_content(CORPUS))


def report() -> dict[str, Any]:
    """The published report."""
    path = GOLD / "report.json"
    with reading(path):
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def promises() -> list[Promise]:
    """How often each simulated interval held the truth."""
    return stored_promises()


def promise(method: str, n: int, clusters: int | None = None) -> Promise | None:
    """That of one method at the size nearest to n, or to n items in topics; None for a method that is not simulated."""
    return promise_of(method, n, clusters)


def _content(folder: Path) -> str:
    """A hash of every file below a folder, computed again only when a date or size has changed."""
    return _hashed(tuple(sorted(_files(str(folder)))))


def _files(folder: str) -> Iterator[tuple[str, int, int]]:
    """Name, date and size of every file below a folder."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                yield from _files(entry.path)
            else:
                state = entry.stat()
                yield entry.path, state.st_mtime_ns, state.st_size


# not Streamlit's cache: that walks through every name, date and size for its key, which a slider's move would wait for
@lru_cache(maxsize=8)
def _hashed(state: tuple[tuple[str, int, int], ...]) -> str:
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


@st.cache_resource(max_entries=2, show_spinner=False)
def _toy(key: str) -> AbstentionStudy:
    return read_toy()


@st.cache_resource(max_entries=2, show_spinner=False)
def _shipped(key: str) -> Shipped:
    return Shipped.load()


@st.cache_resource(show_spinner=False)
def _pair() -> dict[str, Scored]:
    return make_pair()


@st.cache_resource(max_entries=16, show_spinner=False)
def _calibration(key: str, _scored: Scored) -> Calibration:
    fitted = Calibration.of(_scored)
    _ = fitted.reliability
    return fitted


@st.cache_resource(max_entries=16, show_spinner=False)
def _differences(key: str, _study: AbstentionStudy, column: str) -> dict[str, Estimate]:
    mine = _study.scores[column]
    return {other: mine.auc_minus(scored) for other, scored in _study.scores.items() if other != column}


@st.cache_resource(max_entries=256, show_spinner=False)
def _own_power(key: str, _pair: OwnPair, n: int) -> OwnPower:
    return _pair.power(n)


@st.cache_resource(max_entries=2, show_spinner=False)
def _candidates(key: str) -> Candidates:
    return candidates(GoldSet(), Slice(), Corpus.load())

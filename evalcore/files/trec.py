"""Reading and writing TREC runs and qrels.

Files are read as columns and checked as columns; a run stays columns, so that millions of lines cost neither a Python
loop nor a Python string each. Only when something is wrong is the text walked line by line, to say where.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evalcore.files.columns import Source, Unclean, each, hashes, paired, split
from evalcore.files.problems import NUMBER, BadInput, content, text_of
from evalcore.files.walk import QRELS_COLUMNS, RUN_COLUMNS, grade_of, qrels_problems, run_problems

T = TypeVar("T")

_CODED = pa.dictionary(pa.int32(), pa.string())


@dataclass(frozen=True, eq=False)
class RunFile:
    """A run as columns, rows in file order.

    ``questions`` are the question ids in order of first appearance; ``codes`` says for each row, shape (n,), which of
    them it belongs to; ``documents`` are Arrow strings and ``scores`` 32-bit floats, both of length n. No document is
    there twice for a question.
    """

    name: str
    sha256: str
    questions: tuple[str, ...]
    codes: NDArray[np.int32]
    documents: pa.ChunkedArray
    scores: NDArray[np.float32]


@dataclass(frozen=True)
class QrelsFile:
    """Judgements: query id to document id to grade (a negative grade is kept)."""

    name: str
    sha256: str
    grades: dict[str, dict[str, int]]


def read_run(source: Path | bytes, *, name: str) -> RunFile:
    """Reads a TREC run: ``query_id Q0 doc_id rank score run_name``; the rank column is ignored.

    Args:
        source: a path, or the bytes of an upload; gzip is recognised by its first bytes.
        name: what errors call the file.

    Raises:
        BadInput: anything but six columns, a score that is no finite number, a document twice for a question, an empty,
            binary or wrongly encoded file.

    """
    return _read(source, name, _run_of, run_problems)


def read_qrels(source: Path | bytes, *, name: str) -> QrelsFile:
    """Reads TREC qrels: ``query_id 0 doc_id grade`` with whole-number grades; an exact copy of a row is one row.

    Raises:
        BadInput: anything but four columns, a grade that is no whole number, two grades for one document, an empty,
            binary or wrongly encoded file.

    """
    return _read(source, name, _qrels_of, qrels_problems)


def write_run(lines: Iterable[tuple[str, Sequence[str], Sequence[float]]], tag: str) -> str:
    """A TREC run file of (query id, document ids, scores), best first, with digits enough to reproduce the order."""
    return "".join(
        f"{query} Q0 {document} {rank} {score:.17g} {tag}\n"
        for query, documents, scores in lines
        for rank, (document, score) in enumerate(zip(documents, scores, strict=True), start=1)
    )


def write_qrels(grades: dict[str, dict[str, int]]) -> str:
    """A TREC qrels file, questions and documents ascending."""
    return "".join(
        f"{query} 0 {document} {grade}\n"
        for query, documents in sorted(grades.items())
        for document, grade in sorted(documents.items())
    )


def _read(
    source: Path | bytes, name: str, columns: Callable[[Source, str], T], walk: Callable[[str, str], BadInput]
) -> T:
    """By columns; what cannot be read so is walked, and always refused."""
    if isinstance(source, Path) and not source.is_file():
        # a pipe can be read once only; whatever else is no file says so here
        source = content(source, name)
    try:
        return columns(Source(source), name)
    except OSError:
        content(source, name)
        raise
    except Unclean as error:
        raise walk(text_of(content(source, name), name, "TREC"), name) from error


class _Questions:
    """Numbers question ids in order of first appearance, over the blocks of a file."""

    def __init__(self) -> None:
        self._codes: dict[str, int] = {}

    def of(self, column: pa.DictionaryArray) -> NDArray[np.int32]:
        """The code of each row of a block."""
        mine = [self._codes.setdefault(q, len(self._codes)) for q in column.dictionary.to_pylist()]
        rows: NDArray[np.int32] = column.indices.to_numpy()
        return np.array(mine, dtype=np.int32)[rows]

    @property
    def ids(self) -> tuple[str, ...]:
        """All that were seen."""
        return tuple(self._codes)


@dataclass(frozen=True, slots=True)
class _RunPart:
    """The rows of one block; ``keys`` hash question and document."""

    queries: pa.DictionaryArray
    documents: pa.StringArray
    scores: NDArray[np.float32]
    keys: NDArray[np.uint64]


def _run_part(block: bytes) -> _RunPart:
    names = RUN_COLUMNS.split()
    query, _, document, _, score, _ = names
    kinds = {query: _CODED, document: pa.string()}
    try:
        found = split(block, names, {**kinds, score: pa.float64()})
        scores = found[score].to_numpy()
    except Unclean:
        # Arrow's numbers have no leading plus, and it refuses one too small for a double; Python reads both
        found = split(block, names, {**kinds, score: pa.string()})
        scores = np.array([_number(text) for text in found[score].to_pylist()], dtype=np.float64)
    # trec_eval reads a double and keeps a float; reading a float directly may round otherwise. -0.0 and 0.0 are one.
    with np.errstate(over="ignore"):
        single = scores.astype(np.float32) + np.float32(0)
    if not np.isfinite(single).all():
        raise Unclean
    keys = paired(hashes(found[query].dictionary)[found[query].indices.to_numpy()], hashes(found[document]))
    return _RunPart(found[query], found[document], single, keys)


def _number(text: str) -> float:
    if not NUMBER.fullmatch(text):
        raise Unclean
    return float(text)


def _run_of(source: Source, name: str) -> RunFile:
    questions = _Questions()
    codes, documents, scores, keys = [], [], [], []
    for part in each(_run_part, source.blocks()):
        codes.append(questions.of(part.queries))
        documents.append(part.documents)
        scores.append(part.scores)
        keys.append(part.keys)
    if not questions.ids:
        raise Unclean
    file = RunFile(
        name,
        source.sha256,
        questions.ids,
        np.concatenate(codes),
        pa.chunked_array(documents, pa.string()),
        np.concatenate(scores),
    )
    if _has_copy(file, keys):
        raise Unclean
    return file


def _has_copy(file: RunFile, keys: Sequence[NDArray[np.uint64]]) -> bool:
    """Whether a document is there twice for a question; only rows whose hash is there twice are looked at."""
    ascending = np.concatenate(keys)
    ascending.sort()
    twice = ascending[1:][ascending[1:] == ascending[:-1]]
    if not len(twice):
        return False
    rows = np.flatnonzero(np.concatenate([np.isin(part, twice) for part in keys]))
    pairs = list(zip(file.codes[rows].tolist(), file.documents.take(pa.array(rows)).to_pylist(), strict=True))
    return len(set(pairs)) < len(pairs)


def _qrels_part(block: bytes) -> tuple[pa.DictionaryArray, pa.StringArray, NDArray[np.int32]]:
    names = QRELS_COLUMNS.split()
    query, _, document, grade = names
    # few grades are spelled many times: each spelling is read once, by the rule that the walk has
    found = split(block, names, {query: _CODED, document: pa.string(), grade: _CODED})
    spelled = [grade_of(text) for text in found[grade].dictionary.to_pylist()]
    if None in spelled:
        raise Unclean
    return found[query], found[document], np.array(spelled, dtype=np.int32)[found[grade].indices.to_numpy()]


def _qrels_of(source: Source, name: str) -> QrelsFile:
    questions = _Questions()
    codes, documents, grades = [], [], []
    for query, document, grade in each(_qrels_part, source.blocks()):
        codes.append(questions.of(query))
        documents.append(document)
        grades.append(grade)
    if not questions.ids:
        raise Unclean
    code = np.concatenate(codes)
    order = np.argsort(code, kind="stable")
    ids = pa.chunked_array(documents, pa.string()).to_numpy()[order]
    values = np.concatenate(grades)[order]
    ends = np.cumsum(np.bincount(code)).tolist()
    judged = {}
    for question, start, end in zip(questions.ids, [0, *ends], ends, strict=False):
        pairs = list(zip(ids[start:end].tolist(), values[start:end].tolist(), strict=True))
        judged[question] = dict(pairs)
        if len(judged[question]) < len(set(pairs)):
            raise Unclean
    return QrelsFile(name, source.sha256, judged)

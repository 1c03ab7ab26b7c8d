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

from evalcore.files.columns import Growing, Source, Unclean, each, hashes, paired, split
from evalcore.files.problems import NUMBER, BadInput, content, text_of
from evalcore.files.walk import QRELS_COLUMNS, RUN_COLUMNS, grade_of, qrels_problems, run_problems

T = TypeVar("T")

_WIDTH = {"run": len(RUN_COLUMNS.split()), "qrels": len(QRELS_COLUMNS.split())}


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
    try:
        if isinstance(source, Path) and not source.is_file():
            # a pipe can be read once only; whatever else is no file says so here
            source = content(source, name)
        return columns(Source(source), name)
    except OSError:
        # the same problem once more, in words
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
    query, documents, written = split(block, _WIDTH["run"], [0, 2, 4])
    queries = query.dictionary_encode()
    try:
        scores = written.cast(pa.float64()).to_numpy()
    except pa.ArrowInvalid:
        # Arrow's numbers have no leading plus, and may not be too small for a double; Python reads both
        scores = np.array([_number(text) for text in written.to_pylist()], dtype=np.float64)
    # trec_eval reads a double and keeps a float; reading a float directly may round otherwise. -0.0 and 0.0 are one.
    with np.errstate(over="ignore", under="ignore"):
        single = scores.astype(np.float32) + np.float32(0)
    if not np.isfinite(single).all():
        raise Unclean
    return _RunPart(queries, documents, single, _keys(queries.dictionary, queries.indices.to_numpy(), documents))


def _keys(questions: pa.StringArray, codes: NDArray[np.int32], documents: pa.StringArray) -> NDArray[np.uint64]:
    return paired(hashes(questions)[codes], hashes(documents))


def _number(text: str) -> float:
    if not NUMBER.fullmatch(text):
        raise Unclean
    return float(text)


def _run_of(source: Source, name: str) -> RunFile:
    questions = _Questions()
    codes, scores, keys = Growing(np.int32), Growing(np.float32), Growing(np.uint64)
    documents = []
    for part in each(_run_part, source.blocks()):
        codes.add(questions.of(part.queries))
        scores.add(part.scores)
        keys.add(part.keys)
        documents.append(part.documents)
    if not questions.ids:
        raise Unclean
    listed = pa.chunked_array(documents, pa.string())
    file = RunFile(name, source.sha256, questions.ids, codes.values, listed, scores.values)
    if _has_copy(file, keys.values):
        raise Unclean
    return file


def _has_copy(file: RunFile, keys: NDArray[np.uint64]) -> bool:
    """Whether a document is there twice for a question; only rows whose hash is there twice are looked at.

    ``keys``, one for each row, are sorted in place.
    """
    keys.sort()
    twice = keys[1:][keys[1:] == keys[:-1]]
    if not len(twice):
        return False
    questions = pa.array(file.questions, pa.string())
    seen: set[tuple[int, str]] = set()
    start = 0
    for documents in file.documents.chunks:
        codes = file.codes[start : start + len(documents)]
        rows = np.flatnonzero(np.isin(_keys(questions, codes, documents), twice))
        for pair in zip(codes[rows].tolist(), documents.take(pa.array(rows)).to_pylist(), strict=True):
            if pair in seen:
                return True
            seen.add(pair)
        start += len(documents)
    return False


def _qrels_part(block: bytes) -> tuple[pa.DictionaryArray, pa.StringArray, NDArray[np.int32]]:
    query, documents, written = split(block, _WIDTH["qrels"], [0, 2, 3])
    # few grades are spelled many times: each spelling is read once, by the rule that the walk has
    grades = written.dictionary_encode()
    spelled = [grade_of(text) for text in grades.dictionary.to_pylist()]
    if None in spelled:
        raise Unclean
    return query.dictionary_encode(), documents, np.array(spelled, dtype=np.int32)[grades.indices.to_numpy()]


def _qrels_of(source: Source, name: str) -> QrelsFile:
    questions = _Questions()
    codes, grades = Growing(np.int32), Growing(np.int32)
    documents = []
    for query, document, grade in each(_qrels_part, source.blocks()):
        codes.add(questions.of(query))
        grades.add(grade)
        documents.append(document)
    if not questions.ids:
        raise Unclean
    by_question = np.argsort(codes.values, kind="stable")
    ids = pa.chunked_array(documents, pa.string()).to_numpy()[by_question].tolist()
    values = grades.values[by_question].tolist()
    ends = np.cumsum(np.bincount(codes.values)).tolist()
    judged = {}
    for question, start, end in zip(questions.ids, [0, *ends[:-1]], ends, strict=True):
        judged[question] = dict(zip(ids[start:end], values[start:end], strict=True))
        # fewer documents than rows: copies, which is well if each has the grade that the last one gave
        if len(judged[question]) < end - start and any(
            judged[question][document] != grade
            for document, grade in zip(ids[start:end], values[start:end], strict=True)
        ):
            raise Unclean
    return QrelsFile(name, source.sha256, judged)

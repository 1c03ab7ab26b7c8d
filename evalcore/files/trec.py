"""Reading and writing TREC runs and qrels.

The fast path reads columns with pandas and checks them as columns. Only when something is wrong is the text walked
line by line, to say where; so a good file of millions of lines costs no Python loop.
"""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evalcore.files.problems import NUMBER, BadInput, Problem, content, short, text_of

RUN_COLUMNS = "query_id Q0 doc_id rank score run_name"
QRELS_COLUMNS = "query_id 0 doc_id grade"
MOST_GRADE = 1000
_LARGEST = float(np.finfo(np.float32).max)
_GRADE_DIGITS = 12
_WHOLE = re.compile(r"[+-]?[0-9]+")
_GAP = re.compile(r"[ \t]+")


@dataclass(frozen=True)
class RunFile:
    """A run as columns, rows in file order: query and document ids as text, scores as 32-bit floats."""

    name: str
    sha256: str
    queries: NDArray[np.object_]
    documents: NDArray[np.object_]
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
    raw = content(source, name)
    text = text_of(raw, name, "TREC")
    frame = _columns(text, 6)
    if frame is not None:
        scores = pd.to_numeric(frame[4], errors="coerce").to_numpy(dtype=np.float64, copy=True)
        with np.errstate(over="ignore"):
            single = scores.astype(np.float32)
        if np.isfinite(single).all() and not frame.duplicated([0, 2]).any():
            return RunFile(name, hashlib.sha256(raw).hexdigest(), _objects(frame[0]), _objects(frame[2]), single)
    raise BadInput(_run_problems(text, name))


def read_qrels(source: Path | bytes, *, name: str) -> QrelsFile:
    """Reads TREC qrels: ``query_id 0 doc_id grade`` with whole-number grades; an exact copy of a row is one row.

    Raises:
        BadInput: anything but four columns, a grade that is no whole number, two grades for one document, an empty,
            binary or wrongly encoded file.

    """
    raw = content(source, name)
    text = text_of(raw, name, "TREC")
    problems: list[Problem] = []
    grades: dict[str, dict[str, int]] = {}
    seen: dict[tuple[str, str], int] = {}
    for number, fields in _rows(text):
        if (problem := _wrong_width(name, number, fields, 4, QRELS_COLUMNS)) is not None:
            problems.append(problem)
            continue
        query, _, document, grade = fields
        if not _WHOLE.fullmatch(grade):
            what, remedy = f"the grade {short(grade)} is not a whole number", "write grades as 0, 1, 2, …"
            problems.append(Problem(name, number, what, remedy))
        elif len(grade) > _GRADE_DIGITS or abs(int(grade)) > MOST_GRADE:
            # trec_eval counts documents per grade in an array as long as the highest grade
            what, remedy = f"the grade {short(grade)} is outside ±{MOST_GRADE}", "write small whole numbers"
            problems.append(Problem(name, number, what, remedy))
        elif grades.get(query, {}).get(document, int(grade)) != int(grade):
            what = f"{short(document)} has another grade for {short(query)} in line {seen[query, document]}"
            problems.append(Problem(name, number, what, "keep one grade a document"))
        else:
            grades.setdefault(query, {})[document] = int(grade)
            seen.setdefault((query, document), number)
    if problems:
        raise BadInput(problems)
    return QrelsFile(name, hashlib.sha256(raw).hexdigest(), grades)


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


def _columns(text: str, width: int) -> pd.DataFrame | None:
    """The fields as text columns, or None when a row is not ``width`` wide; ids like NA or 007 stay as they are."""
    try:
        frame = pd.read_csv(
            io.StringIO(text),
            sep=r"\s+",
            header=None,
            names=range(width + 1),
            dtype=str,
            quoting=3,
            na_filter=False,
            engine="c",
        )
    except (pd.errors.ParserError, ValueError):
        return None
    last, beyond = frame[width - 1], frame[width]
    whole = bool((last != "").all()) and bool((beyond == "").all())
    whole = whole and not last.isna().any()
    return frame.drop(columns=width) if whole else None


def _objects(column: pd.Series[str]) -> NDArray[np.object_]:
    return column.to_numpy(dtype=object)


def _rows(text: str) -> Iterable[tuple[int, list[str]]]:
    for number, line in enumerate(text.split("\n"), start=1):
        # space and tab only, as the fast path does: an id may hold any other character
        if stripped := line.strip(" \t\r"):
            yield number, _GAP.split(stripped)


def _run_problems(text: str, name: str) -> list[Problem]:
    problems: list[Problem] = []
    seen: dict[tuple[str, str], int] = {}
    for number, fields in _rows(text):
        if (problem := _wrong_width(name, number, fields, 6, RUN_COLUMNS)) is not None:
            problems.append(problem)
            continue
        query, _, document, _, score, _ = fields
        if not NUMBER.fullmatch(score) or not isfinite(float(score)):
            what = f"the score {short(score)} is not a finite number"
            problems.append(Problem(name, number, what, "write scores as numbers, such as 12.5"))
        elif abs(float(score)) > _LARGEST:
            what = f"the score {short(score)} is beyond 32-bit floats, in which trec_eval compares scores"
            problems.append(Problem(name, number, what, "scale the scores down"))
        if (query, document) in seen:
            what = f"{short(document)} is there twice for {short(query)} (first in line {seen[query, document]})"
            problems.append(Problem(name, number, what, "keep each document once"))
        seen.setdefault((query, document), number)
    return problems or [Problem(name, None, "cannot be read as a run", f"give six columns: {RUN_COLUMNS}")]


def _wrong_width(name: str, number: int, fields: list[str], width: int, columns: str) -> Problem | None:
    if len(fields) == width:
        return None
    start = " ".join(fields)[:60]
    what = f"expected {width} columns, found {len(fields)}: {start!r}"
    return Problem(name, number, what, f"write {columns}")

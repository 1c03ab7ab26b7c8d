"""JSON in the shape of ranx and pytrec_eval: question to document to number. Such a file has no lines to name."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import numpy as np

from evalcore.files.from_table import qrels_file, run_file
from evalcore.files.json_lines import Literal, half_characters, parsed
from evalcore.files.problems import BadInput, Problem, short
from evalcore.files.table import CONTROL, MOST_PROBLEMS, grade_fault, score_fault
from evalcore.files.trec import QrelsFile, RunFile
from evalcore.files.unpack import LIMITS, Limits, plain, refusal, unpack

_SHAPE = "write {query: {document: number}}"


def run_from_json(raw: bytes, name: str, limits: Limits = LIMITS) -> RunFile:
    """A run from {query: {document: score}}.

    Raises:
        BadInput: it is not JSON of this shape, names a question or document twice, or a score is no finite number.

    """
    rows = _rows(raw, name, limits, score_fault, "score")
    queries = np.array([query for query, _, _ in rows], dtype=object)
    documents = np.array([document for _, document, _ in rows], dtype=object)
    scores = np.array([float(score) + 0.0 for _, _, score in rows], dtype=np.float64).astype(np.float32)
    return run_file(name, hashlib.sha256(raw).hexdigest(), queries, documents, scores)


def qrels_from_json(raw: bytes, name: str, limits: Limits = LIMITS) -> QrelsFile:
    """Judgements from {query: {document: grade}}.

    Raises:
        BadInput: it is not JSON of this shape, names a question or document twice, or a grade is no whole number.

    """
    grades: dict[str, dict[str, int]] = {}
    for query, document, grade in _rows(raw, name, limits, grade_fault, "grade"):
        grades.setdefault(query, {})[document] = int(grade)
    return qrels_file(name, hashlib.sha256(raw).hexdigest(), grades)


def _rows(
    raw: bytes, name: str, limits: Limits, fault: Callable[[str], tuple[str, str] | None], word: str
) -> list[tuple[str, str, str]]:
    held = _object(plain(unpack(raw, name, limits), name), name)
    if sum(len(documents) for documents in held.values() if isinstance(documents, dict)) > limits.rows:
        raise refusal(name, f"has more than {limits.rows:,} documents", "cut it to the questions needed")
    if problems := list(islice(_faults(held, name, fault, word), MOST_PROBLEMS)):
        raise BadInput(problems)
    rows = [(query, document, str(value)) for query, documents in held.items() for document, value in documents.items()]
    if not rows:
        raise refusal(name, "holds no document", "give at least one question with a document")
    return rows


def _faults(
    held: dict[str, Any], name: str, fault: Callable[[str], tuple[str, str] | None], word: str
) -> Iterator[Problem]:
    for query, documents in held.items():
        if not isinstance(documents, dict):
            what = f"{short(query)} holds {_kind(documents)}, not documents with a {word}"
            yield Problem(name, None, what, _SHAPE)
            continue
        for i in (query, *documents):
            if not i or CONTROL.search(i):
                yield Problem(name, None, f"the id {short(i)} is empty or holds a control character", "give a plain id")
        for document, value in documents.items():
            wrong = fault(str(value)) if _number(value) else _no_number(value, word)
            if wrong is not None:
                yield Problem(name, None, f"{short(query)}, {short(document)}: {wrong[0]}", wrong[1])


def _object(data: bytes, name: str) -> dict[str, Any]:
    try:
        held = parsed(data)
        if half_characters(data):
            str(held).encode()
    except UnicodeEncodeError as error:
        raise refusal(name, "holds half of a character (\\ud8… alone)", "write whole characters") from error
    except ValueError as error:
        line = getattr(error.__cause__, "lineno", None)
        raise refusal(name, str(error), _SHAPE, line) from error
    if not isinstance(held, dict):
        raise refusal(name, f"holds {_kind(held)}, not an object", _SHAPE)
    return held


def _number(value: Any) -> bool:
    return isinstance(value, Literal) or (isinstance(value, int) and not isinstance(value, bool))


def _no_number(value: Any, word: str) -> tuple[str, str]:
    shown = f" {short(value)}" if isinstance(value, str) else ""
    return f"the {word} is {_kind(value)}{shown}, not a number", _SHAPE


def _kind(value: Any) -> str:
    if isinstance(value, Literal):
        return "a number"
    kinds: dict[type, str] = {str: "a text", dict: "an object", list: "a list", bool: "true or false", int: "a number"}
    return kinds.get(type(value), "nothing (null)")

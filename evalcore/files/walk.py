"""The slow walk through a TREC file, line by line: it runs only when the columns could not be used, and says why."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import isfinite

import numpy as np

from evalcore.files.problems import NUMBER, BadInput, Problem, short

RUN_COLUMNS = "query_id Q0 doc_id rank score run_name"
QRELS_COLUMNS = "query_id 0 doc_id grade"
MOST_GRADE = 1000
_LARGEST = float(np.finfo(np.float32).max)
_GRADE_DIGITS = 12
_WHOLE = re.compile(r"[+-]?[0-9]+")
_GAP = re.compile(r"[ \t]+")


def grade_of(text: str) -> int | None:
    """A grade that can be used, or None."""
    if not _WHOLE.fullmatch(text) or len(text) > _GRADE_DIGITS or abs(int(text)) > MOST_GRADE:
        return None
    return int(text)


def run_problems(text: str, name: str) -> BadInput:
    """All that is wrong with a run."""
    problems: list[Problem] = []
    seen: dict[tuple[str, str], int] = {}
    for number, fields in _rows(text):
        if (problem := _wrong_width(name, number, fields, RUN_COLUMNS)) is not None:
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
    return _all_of(problems, name, "run", f"give six columns: {RUN_COLUMNS}")


def qrels_problems(text: str, name: str) -> BadInput:
    """All that is wrong with judgements."""
    problems: list[Problem] = []
    seen: dict[tuple[str, str], tuple[int, int]] = {}
    for number, fields in _rows(text):
        if (problem := _wrong_width(name, number, fields, QRELS_COLUMNS)) is not None:
            problems.append(problem)
            continue
        query, _, document, written = fields
        grade = grade_of(written)
        if grade is None and not _WHOLE.fullmatch(written):
            what, remedy = f"the grade {short(written)} is not a whole number", "write grades as 0, 1, 2, …"
            problems.append(Problem(name, number, what, remedy))
        elif grade is None:
            # trec_eval counts documents per grade in an array as long as the highest grade
            what, remedy = f"the grade {short(written)} is outside ±{MOST_GRADE}", "write small whole numbers"
            problems.append(Problem(name, number, what, remedy))
        elif seen.setdefault((query, document), (grade, number))[0] != grade:
            what = f"{short(document)} has another grade for {short(query)} in line {seen[query, document][1]}"
            problems.append(Problem(name, number, what, "keep one grade a document"))
    return _all_of(problems, name, "qrels", f"give four columns: {QRELS_COLUMNS}")


def _all_of(problems: list[Problem], name: str, form: str, remedy: str) -> BadInput:
    return BadInput(problems or [Problem(name, None, f"cannot be read as {form}", remedy)])


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    for number, line in enumerate(text.split("\n"), start=1):
        # space and tab only, as the columns are split: an id may hold any other character
        if stripped := line.strip(" \t"):
            yield number, _GAP.split(stripped)


def _wrong_width(name: str, number: int, fields: list[str], columns: str) -> Problem | None:
    width = len(columns.split())
    if len(fields) == width:
        return None
    start = " ".join(fields)[:60]
    what = f"expected {width} columns, found {len(fields)}: {start!r}"
    return Problem(name, number, what, f"write {columns}")

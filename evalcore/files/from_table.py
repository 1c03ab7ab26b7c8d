"""Runs and judgements out of a table, under the same rules as TREC files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evalcore.files.problems import short
from evalcore.files.roles import Guess, Role, chosen, qrels_columns, run_columns
from evalcore.files.table import Ids, Table
from evalcore.files.trec import QrelsFile, RunFile


def run_file(
    name: str, sha256: str, queries: NDArray[np.object_], documents: NDArray[np.object_], scores: NDArray[np.float32]
) -> RunFile:
    """The one place where these readers make a run; ``queries`` and ``documents`` hold a text a row, shape (n,)."""
    coded = pa.array(queries, pa.string()).dictionary_encode()
    codes = coded.indices.to_numpy(zero_copy_only=False).astype(np.int32)
    listed = pa.chunked_array([pa.array(documents, pa.string())])
    return RunFile(name, sha256, tuple(coded.dictionary.to_pylist()), codes, listed, scores)


def qrels_file(name: str, sha256: str, grades: dict[str, dict[str, int]]) -> QrelsFile:
    """The one place where these readers make judgements."""
    return QrelsFile(name, sha256, grades)


def guess_run(table: Table) -> Guess:
    """The columns of a run, by name."""
    return run_columns(table.heads)


def guess_qrels(table: Table) -> Guess:
    """The columns of judgements, by name."""
    return qrels_columns(table.heads)


def run_from_table(table: Table, columns: Mapping[Role, str] | None = None, name: str | None = None) -> list[RunFile]:
    """One run, called ``name`` (or as the file), or with a run-name column one for each system, called so.

    Args:
        table: what was read.
        columns: which column is what; None takes the usual names.
        name: what a run is called that has no run-name column.

    Raises:
        BadInput: a column is missing or ambiguous, an id is missing, a score is no finite number, or a document is
            there twice for a question of a run.

    """
    read = chosen(columns, run_columns(table.heads), table.heads, table.name)
    queries = table.ids(read[Role.QUERY], Role.QUERY)
    documents = table.ids(read[Role.DOCUMENT], Role.DOCUMENT)
    scores = table.scores(read[Role.SCORE])
    runs = table.ids(read[Role.RUN], Role.RUN) if Role.RUN in read else None
    _no_document_twice(table, queries, documents, runs)
    if runs is None:
        called = table.name if name is None else name
        return [run_file(called, table.sha256, queries.objects(), documents.objects(), scores)]
    by_run = np.argsort(runs.codes, kind="stable")
    cuts = np.cumsum(np.bincount(runs.codes, minlength=len(runs.names)))[:-1]
    return [
        run_file(
            str(system),
            table.sha256,
            queries.names[queries.codes[rows]],
            documents.names[documents.codes[rows]],
            scores[rows],
        )
        for system, rows in zip(runs.names, np.split(by_run, cuts), strict=True)
    ]


def qrels_from_table(table: Table, columns: Mapping[Role, str] | None = None, name: str | None = None) -> QrelsFile:
    """Judgements; an exact copy of a row is one row, negative grades are kept (``remarks`` counts them).

    Raises:
        BadInput: a column is missing or ambiguous, an id is missing, a grade is no whole number, or a document has two
            grades for a question.

    """
    read = chosen(columns, qrels_columns(table.heads), table.heads, table.name)
    queries = table.ids(read[Role.QUERY], Role.QUERY)
    documents = table.ids(read[Role.DOCUMENT], Role.DOCUMENT)
    found = table.grades(read[Role.GRADE])
    pairs = queries.codes * np.int64(len(documents.names)) + documents.codes
    first, again = _first_rows(pairs)
    conflicts = again[found[again] != found[first[again]]]
    table.refuse(
        table.problem(
            int(row),
            f"{_name(documents, row)} has another grade for {_name(queries, row)} in {table.place(int(first[row]))}",
            "keep one grade a document",
        )
        for row in conflicts
    )
    grades: dict[str, dict[str, int]] = {}
    for query, document, grade in zip(queries.objects(), documents.objects(), found.tolist(), strict=True):
        grades.setdefault(query, {})[document] = grade
    return qrels_file(table.name if name is None else name, table.sha256, grades)


def remarks(qrels: QrelsFile) -> list[str]:
    """What happens to judgements that are no error and yet may surprise."""
    negative = sum(grade < 0 for grades in qrels.grades.values() for grade in grades.values())
    if not negative:
        return []
    total = sum(map(len, qrels.grades.values()))
    verb = "grade is" if negative == 1 else "grades are"
    return [f"{qrels.name}: {negative:,} of {total:,} {verb} negative: judged, not relevant, gain 0"]


def _name(ids: Ids, row: Any) -> str:
    return short(str(ids.names[ids.codes[row]]))


def _first_rows(keys: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each row the first row with its key, and the rows (ascending) that are not the first."""
    ordered = np.sort(keys)
    if not (ordered[1:] == ordered[:-1]).any():
        return np.arange(len(keys)), np.array([], dtype=np.int64)
    _, starts, inverse = np.unique(keys, return_index=True, return_inverse=True)
    first = starts[inverse].astype(np.int64)
    return first, np.flatnonzero(first != np.arange(len(keys)))


def _no_document_twice(table: Table, queries: Ids, documents: Ids, runs: Ids | None) -> None:
    keys = queries.codes * np.int64(len(documents.names)) + documents.codes
    if runs is not None:
        _, dense = np.unique(keys, return_inverse=True)
        keys = dense.astype(np.int64) * np.int64(len(runs.names)) + runs.codes
    first, again = _first_rows(keys)
    table.refuse(
        table.problem(
            int(row),
            f"{_name(documents, row)} is there twice for {_name(queries, row)}"
            f"{'' if runs is None else f' in {_name(runs, row)}'} (first in {table.place(int(first[row]))})",
            "keep each document once",
        )
        for row in again
    )

"""Reading score tables: one row a question, whether it is answerable, and one or more scores.

A missing score is a fault of the file. Reading it as a refusal would let a system that crashes look careful.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evalcore.files.problems import NUMBER, BadInput, Problem, content, short, text_of

ID, ANSWERABLE, SCORE, HIT, SCOPE = "query_id", "answerable", "score", "hit", "scope_ok"
MOST_COLUMNS = 200
_TRUTH = {"1": True, "true": True, "0": False, "false": False}
_FORM = "CSV"


@dataclass(frozen=True)
class ScoreTable:
    """Scores as columns, rows ascending by question id (as bytes), so that the order of the file cannot matter.

    ``hit`` (the passages served would answer) and ``scope_ok`` (the first passage is of the right scope) are of
    answerable questions; for the others they hold False and mean nothing. ``unread`` names columns left alone.
    """

    name: str
    sha256: str
    ids: tuple[str, ...]
    answerable: NDArray[np.bool_]
    scores: Mapping[str, NDArray[np.float64]]
    hit: NDArray[np.bool_] | None
    scope_ok: NDArray[np.bool_] | None
    unread: tuple[str, ...] = ()


def read_scores(source: Path | bytes, *, name: str, columns: Sequence[str] = (SCORE,)) -> ScoreTable:
    """Reads ``query_id,answerable`` and the score columns named, with ``hit`` and ``scope_ok`` where they are there.

    ``answerable``, ``hit`` and ``scope_ok`` are 1, 0, true or false; the last two may be empty for unanswerable
    questions.

    Args:
        source: a path, or the bytes of an upload; gzip is recognised by its first bytes.
        name: what errors call the file.
        columns: the score columns wanted, at least one.

    Raises:
        BadInput: a column is missing or named twice, a row has another number of cells, an id is missing or there
            twice, a value is none of the above, a score is no finite number, or only one kind of question is there.

    """
    raw = content(source, name)
    rows = _rows(text_of(raw, name, _FORM), name)
    at, first = next(rows, (1, []))
    heads = _header(first, columns, name, at)
    place = {head: i for i, head in enumerate(heads)}
    reader = _Reader(name, heads, place, tuple(columns))
    for line, cells in rows:
        reader.take(line, cells)
    return reader.table(hashlib.sha256(raw).hexdigest())


class _Reader:
    """Collects rows and their problems; a file is used whole or not at all."""

    def __init__(self, name: str, heads: list[str], place: dict[str, int], columns: tuple[str, ...]) -> None:
        self.name, self.heads, self.place, self.columns = name, heads, place, columns
        self.problems: list[Problem] = []
        self.first_line: dict[str, int] = {}
        self.rows: list[tuple[str, bool, list[float], bool, bool]] = []

    def take(self, line: int, cells: list[str]) -> None:
        """One row: kept when all of it can be used."""
        before = len(self.problems)
        if len(cells) != len(self.heads):
            what = f"has {len(cells)} cells where the header has {len(self.heads)}: {short(','.join(cells))}"
            self._wrong(line, what, "give every row one cell for each column, and quote cells that hold a comma")
            return
        identifier = cells[self.place[ID]]
        if not identifier:
            self._wrong(line, f"has no {ID}", "give every question an id")
        elif identifier in self.first_line:
            what = f"{short(identifier)} is there twice (first in line {self.first_line[identifier]})"
            self._wrong(line, what, "keep each question once")
        self.first_line.setdefault(identifier, line)
        answerable = self._truth(line, ANSWERABLE, cells)
        scores = [self._score(line, column, cells[self.place[column]]) for column in self.columns]
        hit, scope = (self._optional(line, column, cells, bool(answerable)) for column in (HIT, SCOPE))
        if len(self.problems) == before:
            self.rows.append((identifier, bool(answerable), scores, hit, scope))

    def table(self, sha256: str) -> ScoreTable:
        """The whole table, or all that is wrong with it."""
        if not self.problems:
            self._whole()
        if self.problems:
            raise BadInput(self.problems)
        self.rows.sort(key=lambda row: row[0].encode())
        ids, answerable, scores, hit, scope = zip(*self.rows, strict=True)
        matrix = np.array(scores, dtype=np.float64)
        read = {ID, ANSWERABLE, HIT, SCOPE, *self.columns}
        return ScoreTable(
            self.name,
            sha256,
            ids,
            np.array(answerable, dtype=bool),
            {column: matrix[:, i] for i, column in enumerate(self.columns)},
            np.array(hit, dtype=bool) if HIT in self.place else None,
            np.array(scope, dtype=bool) if SCOPE in self.place else None,
            tuple(head for head in self.heads if head not in read),
        )

    def _whole(self) -> None:
        if not self.rows:
            self.problems.append(Problem(self.name, None, "has a header and no row", "give one row a question"))
            return
        kinds = Counter(row[1] for row in self.rows)
        for kind, word in ((True, "answerable"), (False, "unanswerable")):
            if not kinds[kind]:
                what = f"holds no {word} question ({len(self.rows)} rows)"
                remedy = "give questions of both kinds: each error rate is counted on its own"
                self.problems.append(Problem(self.name, None, what, remedy))

    def _score(self, line: int, column: str, cell: str) -> float:
        if NUMBER.fullmatch(cell) and isfinite(float(cell)):
            return float(cell) + 0.0  # -0.0 and 0.0 are one score
        what = f"{column} is empty" if not cell else f"{column} {short(cell)} is not a finite number"
        self._wrong(line, what, "give every question a score; a missing one is not a refusal")
        return 0.0

    def _truth(self, line: int, column: str, cells: list[str]) -> bool | None:
        cell = cells[self.place[column]]
        value = _TRUTH.get(cell.lower())
        if value is None:
            what = f"{column} is empty" if not cell else f"{column} {short(cell)} is none of 1, 0, true, false"
            self._wrong(line, what, "write 1 or 0")
        return value

    def _optional(self, line: int, column: str, cells: list[str], answerable: bool) -> bool:
        if column not in self.place or (not answerable and not cells[self.place[column]]):
            return False
        return bool(self._truth(line, column, cells)) and answerable

    def _wrong(self, line: int, what: str, remedy: str) -> None:
        self.problems.append(Problem(self.name, line, what, remedy))


def _rows(text: str, name: str) -> Iterator[tuple[int, list[str]]]:
    """Line number and cells of each row that is not blank; a quoted cell may hold commas and line breaks."""
    reader = csv.reader(io.StringIO(text), strict=True)
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            remedy = "shorten the cell" if "limit" in str(error) else "close every quote"
            raise BadInput([Problem(name, line, f"is not CSV ({error})", remedy)]) from error
        if len(cells) > 1 or "".join(cells).strip():
            yield line, [cell.strip() for cell in cells]


def _header(heads: list[str], columns: Sequence[str], name: str, line: int) -> list[str]:
    problems = []
    if len(heads) == 1:
        for mark, word in ((";", "semicolons"), ("\t", "tabs")):
            if mark in heads[0]:
                raise BadInput([Problem(name, line, f"is split by {word}", "save it with commas")])
    if len(heads) > MOST_COLUMNS:
        raise BadInput([Problem(name, line, f"has {len(heads)} columns", f"keep at most {MOST_COLUMNS}")])
    for head, times in Counter(heads).items():
        if times > 1:
            problems.append(Problem(name, line, f"names the column {short(head)} {times} times", "keep one of them"))
    for head in dict.fromkeys((ID, ANSWERABLE, *columns)):
        if head not in heads:
            shown = ", ".join(map(short, heads[:12])) + (", …" if len(heads) > 12 else "")
            wanted = "name the column of scores with --score" if head == SCORE else "add it to the header line"
            problems.append(Problem(name, line, f"has no column {short(head)}; it has {shown}", wanted))
    if problems:
        raise BadInput(problems)
    return heads

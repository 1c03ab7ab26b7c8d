"""A table with named columns, as Arrow arrays, and what its cells mean: ids as text, scores, grades, texts.

Checks run over whole columns; only when one fails are cells walked, to say which line is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from math import isfinite
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from evalcore.files.problems import NUMBER, BadInput, Problem, short
from evalcore.files.walk import MOST_GRADE

MOST_PROBLEMS = 1_000
_LARGEST = float(np.finfo(np.float32).max)
_GRADE_DIGITS = 12
_WHOLE = re.compile(r"[+-]?[0-9]+")
_SPACE = " \t"
CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_AS_TEXT = "store ids as text (or whole numbers): 7.0 and 7 are different ids"
_WHOLE_GRADES = "write grades as 0, 1, 2, …"


class Cell(IntEnum):
    """What stood in a cell of a JSON file, where a number and a text differ."""

    TEXT = 0
    WHOLE = 1
    FRACTION = 2
    TRUTH = 3
    NESTED = 4
    MISSING = 5


_WORDS = {
    Cell.FRACTION: "a number with a fraction or exponent",
    Cell.TRUTH: "a truth value",
    Cell.NESTED: "a list or object",
    Cell.MISSING: "missing",
}


@dataclass(frozen=True, slots=True)
class Column:
    """A chunked Arrow array; ``kinds`` (JSON only) says what each text was."""

    values: Any
    kinds: NDArray[np.int8] | None = None


@dataclass(frozen=True, slots=True)
class Ids:
    """Ids of every row: ``names[codes]``; each different id is held once."""

    codes: NDArray[np.int64]
    names: NDArray[np.object_]

    def objects(self) -> NDArray[np.object_]:
        """One text a row."""
        return self.names[self.codes]


@dataclass(frozen=True)
class Table:
    """Columns of one file; ``line_of`` gives the line of a row, None where the form has no lines (Parquet)."""

    name: str
    sha256: str
    form: str
    columns: Mapping[str, Column]
    rows: int
    line_of: Callable[[int], int] | None = None

    @property
    def heads(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(self.columns)

    def problem(self, row: int, what: str, remedy: str) -> Problem:
        """A problem of one row, by line where the form has lines."""
        if self.line_of is None:
            return Problem(self.name, None, f"row {row + 1}: {what}", remedy)
        return Problem(self.name, self.line_of(row), what, remedy)

    def place(self, row: int) -> str:
        """How a message names another row."""
        return f"row {row + 1}" if self.line_of is None else f"line {self.line_of(row)}"

    def ids(self, head: str, role: str) -> Ids:
        """A column of ids as text, without spaces around them; whole numbers become their decimal text.

        Raises:
            BadInput: an id is missing, a number with a fraction, or holds a control character.

        """
        column = self.columns[head]
        self._of_kinds(column, (Cell.TEXT, Cell.WHOLE), role, head, _AS_TEXT)
        values = column.values
        if pa.types.is_integer(values.type):
            values = values.cast(pa.string())
        elif not _is_text(values.type):
            held = "truth values" if pa.types.is_boolean(values.type) else f"values of the type {values.type}"
            example = next((f" (such as {v})" for v in values[:20].to_pylist() if v is not None), "")
            what = f"holds {held}{example} in the column {short(head)}, the {role}"
            raise BadInput([Problem(self.name, None, what, _AS_TEXT)])
        missing = np.flatnonzero(values.is_null().to_numpy()) if values.null_count else np.array([], dtype=np.int64)
        if len(missing):
            self.refuse(self.problem(int(row), f"has no {role}", f"give every row a {role}") for row in missing)
        ids = _encoded(values)
        told = {
            code: (f"has no {role}", f"give every row a {role}")
            if not name
            else (f"the {role} {short(name)} holds a control character", "take it out")
            for code, name in enumerate(ids.names.tolist())
            if not name or CONTROL.search(name)
        }
        if told:
            bad = np.flatnonzero(np.isin(ids.codes, list(told)))
            self.refuse(self.problem(int(row), *told[int(ids.codes[row])]) for row in bad)
        return ids

    def scores(self, head: str) -> NDArray[np.float32]:
        """A column of finite numbers as the 32-bit floats in which trec_eval compares them.

        Raises:
            BadInput: a score is missing, no finite number, or beyond 32-bit floats.

        """
        column = self.columns[head]
        self._of_kinds(column, (Cell.TEXT, Cell.WHOLE, Cell.FRACTION), "score", head, "write scores as numbers")
        values = column.values
        if not (_is_text(values.type) or _is_number(values.type)):
            what = f"the column {short(head)} holds values of the type {values.type}, not scores"
            raise BadInput([Problem(self.name, None, what, "choose a column of numbers")])
        numbers = _floats(values)
        if numbers is not None and (np.abs(numbers) <= _LARGEST).all():  # False for NaN too
            return (numbers + 0.0).astype(np.float32)
        single = np.zeros(self.rows, dtype=np.float32)
        problems: list[Problem] = []
        for row, cell in enumerate(_cells(values)):
            fault = score_fault(cell)
            if fault is None:
                single[row] = float(cell) + 0.0
            elif len(problems) <= MOST_PROBLEMS:
                problems.append(self.problem(row, *fault))
        self.refuse(problems)
        return single

    def grades(self, head: str) -> NDArray[np.int64]:
        """A column of whole numbers; a fraction is refused, never cut.

        Raises:
            BadInput: a grade is missing, no whole number, or outside ±1000.

        """
        column = self.columns[head]
        self._of_kinds(column, (Cell.TEXT, Cell.WHOLE, Cell.FRACTION), "grade", head, _WHOLE_GRADES)
        values = column.values
        if not (_is_text(values.type) or _is_number(values.type)):
            what = f"the column {short(head)} holds values of the type {values.type}, not grades"
            raise BadInput([Problem(self.name, None, what, "choose a column of whole numbers")])
        if pa.types.is_integer(values.type) and not values.null_count:
            numbers: NDArray[np.float64] = values.cast(pa.float64(), safe=False).to_numpy()
            if (np.abs(numbers) <= MOST_GRADE).all():
                return numbers.astype(np.int64)
        found = np.zeros(self.rows, dtype=np.int64)
        problems: list[Problem] = []
        for row, cell in enumerate(_cells(values)):
            fault = grade_fault(cell)
            if fault is None:
                found[row] = int(cell)
            elif len(problems) <= MOST_PROBLEMS:
                problems.append(self.problem(row, *fault))
        self.refuse(problems)
        return found

    def texts(self, head: str) -> list[str]:
        """A column as texts without spaces around them; a missing one is the empty text."""
        return [str(cell) for cell in _cells(self.columns[head].values)]

    def refuse(self, problems: Iterable[Problem]) -> None:
        """Raises the problems, if there are any; a file of millions of them stops at the first thousand.

        Raises:
            BadInput: there is a problem.

        """
        found: list[Problem] = []
        for problem in problems:
            if len(found) == MOST_PROBLEMS:
                what = f"has more than {MOST_PROBLEMS:,} problems"
                found.append(Problem(self.name, None, what, "mend the first ones and try again"))
                break
            found.append(problem)
        if found:
            raise BadInput(found)

    def _of_kinds(self, column: Column, allowed: tuple[Cell, ...], role: str, head: str, remedy: str) -> None:
        if column.kinds is None:
            return
        bad = np.flatnonzero(~np.isin(column.kinds, allowed))
        self.refuse(self._odd(column, int(row), role, head, remedy) for row in bad)

    def _odd(self, column: Column, row: int, role: str, head: str, remedy: str) -> Problem:
        kind = Cell(int(column.kinds[row])) if column.kinds is not None else Cell.TEXT
        if kind is Cell.MISSING:
            return self.problem(row, f"has no {role} ({short(head)} is missing)", f"give every row a {role}")
        value = f" {column.values[row].as_py()}" if kind is not Cell.NESTED else ""
        return self.problem(row, f"the {role}{value} is {_WORDS[kind]}", remedy)


def score_fault(cell: str) -> tuple[str, str] | None:
    """What is wrong with a score and the remedy; None when it is a finite 32-bit number."""
    if not cell:
        return "has no score", "give every row a score"
    if not NUMBER.fullmatch(cell) or not isfinite(float(cell)):
        comma = cell.count(",") == 1 and NUMBER.fullmatch(cell.replace(",", "."))
        remedy = "write a decimal point, not a comma" if comma else "write scores as numbers, such as 12.5"
        return f"the score {short(cell)} is not a finite number", remedy
    if abs(float(cell)) > _LARGEST:
        what = f"the score {short(cell)} is beyond 32-bit floats, in which trec_eval compares scores"
        return what, "scale the scores down"
    return None


def grade_fault(cell: str) -> tuple[str, str] | None:
    """What is wrong with a grade and the remedy; None when it is a small whole number."""
    if not cell:
        return "has no grade", "give every judged document a grade, or leave the row out"
    if not _WHOLE.fullmatch(cell):
        whole = NUMBER.fullmatch(cell) and isfinite(float(cell)) and float(cell).is_integer()
        remedy = f"write {float(cell):.0f}, not {short(cell)}" if whole and len(cell) < 9 else _WHOLE_GRADES
        return f"the grade {short(cell)} is not a whole number", remedy
    if len(cell) > _GRADE_DIGITS or abs(int(cell)) > MOST_GRADE:
        return f"the grade {short(cell)} is outside ±{MOST_GRADE}", "write small whole numbers"
    return None


def _is_text(kind: Any) -> bool:
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _is_number(kind: Any) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind))


def _encoded(values: Any) -> Ids:
    """Different values once each; spaces around a value go first, so that they make no id of their own."""
    whole = values.dictionary_encode().unify_dictionaries()
    if not whole.num_chunks:
        return Ids(np.array([], dtype=np.int64), np.array([], dtype=object))
    codes = np.concatenate([chunk.indices.to_numpy(zero_copy_only=False) for chunk in whole.chunks]).astype(np.int64)
    held = whole.chunk(0).dictionary
    trimmed = pc.utf8_trim(held, _SPACE)
    if not trimmed.equals(held):
        again = trimmed.dictionary_encode()
        codes, held = again.indices.to_numpy().astype(np.int64)[codes], again.dictionary
    return Ids(codes, held.to_numpy(zero_copy_only=False))


def _floats(values: Any) -> NDArray[np.float64] | None:
    """All values as numbers at once, or None when one of them is not."""
    if values.null_count:
        return None
    try:
        if pa.types.is_dictionary(values.type):
            values = values.cast(values.type.value_type)
        found: NDArray[np.float64] = values.cast(pa.float64(), safe=False).to_numpy()
    except pa.ArrowInvalid:
        return None
    return found


def _cells(values: Any) -> Iterable[str]:
    """The cells as trimmed texts, chunk by chunk, so that a long column is not held twice.

    A text that an encoded column holds once is one text here too, however many rows name it.
    """
    for chunk in values.chunks:
        if pa.types.is_dictionary(chunk.type):
            held = [_trimmed(value) for value in chunk.dictionary.to_pylist()]
            yield from ("" if at is None else held[at] for at in chunk.indices.to_pylist())
        else:
            yield from map(_trimmed, chunk.to_pylist())


def _trimmed(value: object) -> str:
    return "" if value is None else str(value).strip(_SPACE)

"""Reading JSONL: one object a line, its keys the columns; what is a number and what a text is remembered."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evalcore.files.problems import BadInput, Problem, short
from evalcore.files.table import MOST_PROBLEMS, Cell, Column
from evalcore.files.unpack import Limits, refusal

_FLUSH = 100_000


class Literal(str):
    """A number with a fraction or exponent, as it was written; NaN and Infinity too."""

    __slots__ = ()


class Twice(ValueError):
    """A key that an object has twice."""


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object, if it has each key once.

    Raises:
        Twice: it does not.

    """
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise Twice(key)
            seen.add(key)
    return found


_DECODER = json.JSONDecoder(parse_float=Literal, parse_constant=Literal, object_pairs_hook=once)


def parsed(text: bytes) -> Any:
    """JSON with numbers as they are written and every key once.

    Raises:
        ValueError: it is not JSON; the message says why and where.

    """
    try:
        return _DECODER.decode(text.decode())
    except Twice as error:
        raise ValueError(f"names {short(str(error))} twice") from error
    except json.JSONDecodeError as error:
        raise ValueError(f"is not JSON ({error.msg}, column {error.colno})") from error
    except RecursionError as error:
        raise ValueError("is nested too deeply") from error
    except ValueError as error:
        raise ValueError("holds a number of too many digits") from error


def half_characters(line: bytes) -> bool:
    """Whether the text may hold half of a character, which cannot be written as UTF-8."""
    return b"\\ud" in line or b"\\uD" in line


_KINDS: dict[type, Cell] = {
    str: Cell.TEXT,
    int: Cell.WHOLE,
    Literal: Cell.FRACTION,
    bool: Cell.TRUTH,
    dict: Cell.NESTED,
    list: Cell.NESTED,
    type(None): Cell.MISSING,
}


@dataclass
class _Growing:
    """One column while it is read: values that wait, and what is already packed."""

    waiting: list[Any] = field(default_factory=list)
    kinds: bytearray = field(default_factory=bytearray)
    chunks: list[Any] = field(default_factory=list)

    def pack(self) -> None:
        kinds = bytes([_KINDS[type(value)] for value in self.waiting])
        if set(kinds) - {Cell.TEXT, Cell.FRACTION, Cell.MISSING}:
            self.waiting = [_text(value) for value in self.waiting]
        self.kinds += kinds
        self.chunks.append(pa.array(self.waiting, pa.string()))
        self.waiting = []

    def column(self) -> Column:
        self.pack()
        return Column(pa.chunked_array(self.chunks, pa.string()), np.frombuffer(self.kinds, dtype=np.int8))


def _text(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int) else ""


def read_json_lines(data: bytes, name: str, limits: Limits) -> tuple[dict[str, Column], NDArray[np.int64]]:
    """The columns, and the line of each row.

    Raises:
        BadInput: a line is no JSON object, names a key twice, or the file breaks a limit.

    """
    columns: dict[str, _Growing] = {}
    lines: list[int] = []
    problems: list[Problem] = []
    for number, line in enumerate(io.BytesIO(data), start=1):
        if not line.strip():
            continue
        if len(lines) == limits.rows:
            raise refusal(name, f"has more than {limits.rows:,} rows", "cut it to the questions needed", number)
        try:
            row = _row(line)
        except ValueError as error:
            problems.append(Problem(name, number, str(error), "write one JSON object a line"))
            if len(problems) > MOST_PROBLEMS:
                break
            continue
        if not row.keys() <= columns.keys():
            if len(columns.keys() | row.keys()) > limits.columns:
                raise refusal(name, f"has more than {limits.columns} columns", "leave out the others", number)
            for key in row:
                if key not in columns:
                    columns[key] = _Growing([None] * len(lines))
                    columns[key].pack()
        for key, column in columns.items():
            column.waiting.append(row.get(key))
        lines.append(number)
        if len(lines) % _FLUSH == 0:
            for column in columns.values():
                column.pack()
    if problems:
        raise BadInput(problems)
    return {key: column.column() for key, column in columns.items()}, np.array(lines, dtype=np.int64)


def _row(line: bytes) -> dict[str, Any]:
    row = parsed(line.strip())
    if not isinstance(row, dict):
        raise ValueError("is no JSON object")
    if half_characters(line):
        try:
            "".join([*row, *(value for value in row.values() if isinstance(value, str))]).encode()
        except UnicodeEncodeError as error:
            raise ValueError("holds half of a character (\\ud8… alone)") from error
    return row

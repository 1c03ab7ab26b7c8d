"""Reading CSV, JSONL and Parquet into one kind of table; every cell of CSV stays the text that it is."""

from __future__ import annotations

import csv
import hashlib
import io
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

from evalcore.files.json_lines import read_json_lines
from evalcore.files.problems import BadInput, Problem, short
from evalcore.files.sniffing import Kind, sniff
from evalcore.files.table import MOST_PROBLEMS, Column, Table
from evalcore.files.unpack import LIMITS, Limits, plain, refusal, unpack

_BLOCK = 1 << 24
_FLUSH = 100_000


def read_table(raw: bytes, name: str, limits: Limits = LIMITS) -> Table:
    """A table with named columns from CSV (commas, semicolons or tabs), JSONL or Parquet; gzip of each.

    Raises:
        BadInput: it is another form, breaks a limit, names a column twice, has rows of different width, a quote that is
            not closed, a line that is no JSON object, or no row.

    """
    found = sniff(raw, name)
    if found.problem is not None:
        raise BadInput([found.problem])
    data = unpack(raw, name, limits)
    sha256 = hashlib.sha256(raw).hexdigest()
    if found.kind is Kind.CSV:
        heads, arrays, line_of = _delimited(plain(data, name), str(found.delimiter), name, limits)
        columns = {head: Column(array) for head, array in zip(heads, arrays, strict=True)}
        table = Table(name, sha256, found.kind, columns, len(arrays[0]), line_of)
    elif found.kind is Kind.JSONL:
        columns, lines = read_json_lines(plain(data, name), name, limits)
        table = Table(name, sha256, found.kind, columns, len(lines), lambda row: int(lines[row]))
    elif found.kind is Kind.PARQUET:
        columns, rows = _parquet(data, name, limits)
        table = Table(name, sha256, found.kind, columns, rows)
    else:
        remedy = "give CSV, JSONL or Parquet with named columns"
        raise refusal(name, f"is a {found.kind} ({found.reason}), not a table", remedy)
    if not table.rows:
        raise refusal(name, "has a header and no row", "give at least one row")
    return table


def _heads(cells: Sequence[str], name: str, line: int | None, limits: Limits) -> list[str]:
    """The column names; one without a name (an index that was written along) is called by its place."""
    if len(cells) > limits.columns:
        raise refusal(name, f"has {len(cells)} columns", f"keep at most {limits.columns}", line)
    heads = [cell.strip() or f"column {place}" for place, cell in enumerate(cells, start=1)]
    if problems := [
        Problem(name, line, f"names the column {short(head)} {times} times", "keep one of them")
        for head, times in Counter(heads).items()
        if times > 1
    ]:
        raise BadInput(problems)
    return heads


def _delimited(data: bytes, mark: str, name: str, limits: Limits) -> tuple[list[str], list[Any], Callable[[int], int]]:
    if data.count(b"\n") > limits.rows + 1:
        raise refusal(name, f"has more than {limits.rows:,} rows", "cut it to the questions needed")
    if b'"' not in data and (fast := _columns(data, mark, name, limits)) is not None:
        return fast
    rows = _walk(data, mark, name)
    at, first = next(rows)
    heads = _heads(first, name, at, limits)
    chunks: list[list[Any]] = [[] for _ in heads]
    lines: list[int] = []
    waiting: list[list[str]] = []
    problems: list[Problem] = []

    def flush() -> None:
        for place, column in enumerate(zip(*waiting, strict=True)):
            chunks[place].append(pa.array(column, pa.string()))
        waiting.clear()

    for line, cells in rows:
        if len(cells) != len(heads):
            what = f"has {len(cells)} cells where the header has {len(heads)}: {short(mark.join(cells))}"
            remedy = "give every row one cell for each column, and quote cells that hold the separator"
            problems.append(Problem(name, line, what, remedy))
            if len(problems) > MOST_PROBLEMS:
                break
            continue
        lines.append(line)
        waiting.append(cells)
        if len(waiting) == _FLUSH:
            flush()
    if problems:
        raise BadInput(problems)
    flush()
    return heads, [pa.chunked_array(column, pa.string()) for column in chunks], lines.__getitem__


def _columns(
    data: bytes, mark: str, name: str, limits: Limits
) -> tuple[list[str], list[Any], Callable[[int], int]] | None:
    """The columns of a file without quotes at once, or None when a row has another width."""
    start = len(data) - len(data.lstrip(b" \t\n" if mark != "\t" else b"\n"))
    end = data.find(b"\n", start)
    if end < 0:
        return None
    at = data.count(b"\n", 0, start) + 1
    heads = _heads(data[start:end].decode().split(mark), name, at, limits)
    try:
        table = pa_csv.read_csv(
            pa.BufferReader(pa.py_buffer(data).slice(end + 1)),
            read_options=pa_csv.ReadOptions(use_threads=False, block_size=_BLOCK, column_names=heads),
            parse_options=pa_csv.ParseOptions(delimiter=mark, quote_char=False, newlines_in_values=False),
            convert_options=pa_csv.ConvertOptions(
                column_types=dict.fromkeys(heads, pa.string()), strings_can_be_null=False, null_values=[]
            ),
        )
    except (pa.ArrowInvalid, pa.ArrowKeyError):
        return None

    @cache
    def lines() -> list[int]:
        return [number for number, line in enumerate(data[end + 1 :].split(b"\n"), start=at + 1) if line]

    return heads, table.columns, lambda row: lines()[row]


def _walk(data: bytes, mark: str, name: str) -> Iterator[tuple[int, list[str]]]:
    """Line and cells of each row that is not blank; a quoted cell may hold the separator and line ends."""
    reader = csv.reader(io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", newline=""), delimiter=mark, strict=True)
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            long = "limit" in str(error)
            what = f"is not CSV from here ({error})"
            remedy = (
                "shorten the cell, or give JSONL or Parquet" if long else "close every quote, and double one inside"
            )
            raise refusal(name, what, remedy, line) from error
        if len(cells) > 1 or "".join(cells).strip():
            yield line, cells


def _parquet(data: bytes, name: str, limits: Limits) -> tuple[dict[str, Column], int]:
    """Columns of plain values; texts stay encoded, so that a small file cannot unpack to a large one."""
    try:
        plan = pq.ParquetFile(pa.BufferReader(data))
        fields = [field for field in plan.schema_arrow if not pa.types.is_nested(field.type)]
        heads = _heads([field.name for field in fields], name, None, limits)
        if plan.metadata.num_rows > limits.rows:
            raise refusal(name, f"has {plan.metadata.num_rows:,} rows", f"keep at most {limits.rows:,}")
        texts = [field.name for field in fields if pa.types.is_string(field.type) or pa.types.is_binary(field.type)]
        file = pq.ParquetFile(pa.BufferReader(data), read_dictionary=texts)
        parts, size = [], 0
        for group in range(file.num_row_groups):
            part = file.read_row_group(group, columns=[field.name for field in fields], use_threads=False)
            size += part.nbytes
            if size > limits.unpacked:
                raise refusal(name, f"unpacks to more than {limits.unpacked / 1e6:,.0f} MB", "keep the columns needed")
            part.validate(full=True)  # a damaged file can name a text that is not there
            parts.append(part)
        table = pa.concat_tables(parts) if parts else plan.schema_arrow.empty_table()
        columns = {head: Column(_as_text(table.column(field.name))) for head, field in zip(heads, fields, strict=True)}
    except (pa.ArrowException, OSError, ValueError) as error:
        if isinstance(error, BadInput):
            raise
        raise refusal(name, "is a damaged Parquet file", "write it again") from error
    if not columns:
        raise refusal(name, "has no column of plain values", "give columns of texts and numbers")
    return columns, table.num_rows


def _as_text(values: Any) -> Any:
    """Bytes and text views as text; everything else as it is."""
    kind = values.type.value_type if pa.types.is_dictionary(values.type) else values.type
    if pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        target = pa.dictionary(pa.int32(), pa.string()) if pa.types.is_dictionary(values.type) else pa.string()
        return values.cast(target)
    if pa.types.is_string_view(kind):
        return values.cast(pa.string())
    return values

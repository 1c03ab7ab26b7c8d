"""What a file is, decided by its content: the name's ending is often wrong, and a download has none."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from evalcore.files.problems import NUMBER, BadInput, Problem, short
from evalcore.files.roles import usual_names
from evalcore.files.unpack import GZIP, UTF16, head

DELIMITERS = {"\t": "tabs", ",": "commas", ";": "semicolons"}
_SAMPLE = 20
_GAP = re.compile(r"[ \t]+")
_WHOLE = re.compile(r"[+-]?[0-9]+")
_FOREIGN = {
    b"PK\x03\x04": ("a ZIP or Excel file", "unpack it, or save the sheet as CSV UTF-8"),
    b"BZh": ("a bzip2 file", "unpack it, or use gzip"),
    b"\xfd7zXZ": ("an xz file", "unpack it, or use gzip"),
    b"\x28\xb5\x2f\xfd": ("a zstd file", "unpack it, or use gzip"),
    b"\x04\x22\x4d\x18": ("an lz4 file", "unpack it, or use gzip"),
    b"%PDF": ("a PDF file", "give the data as a text file"),
    b"ARROW1": ("an Arrow or Feather file", "save it as Parquet"),
    b"\xd0\xcf\x11\xe0": ("an old Excel file", "save the sheet as CSV UTF-8"),
}


class Kind(StrEnum):
    """The forms that are read."""

    RUN = "TREC run"
    QRELS = "TREC qrels"
    CSV = "CSV"
    JSONL = "JSONL"
    JSON = "JSON dictionary"
    PARQUET = "Parquet"


@dataclass(frozen=True, slots=True)
class Sniffed:
    """What a file is and why; ``kind`` is None when it is none of the forms, and then ``problem`` says what to do."""

    kind: Kind | None
    reason: str
    gzipped: bool = False
    delimiter: str | None = None
    problem: Problem | None = None


def sniff(raw: bytes, name: str) -> Sniffed:
    """Decides by the first 64 kB (unpacked), in this order.

    1. Nothing, a format known by its first bytes, UTF-16, binary, or not UTF-8.
    2. A text that starts with a brace: JSONL or a dictionary.
    3. A first line of at least two usual column names: a table.
    4. Most lines shaped like a TREC run (six fields, the fourth and fifth numbers) or TREC qrels (four, the last a
       number).
    5. Lines with one number of cells by tabs, commas or semicolons under a line without a number: a table.
    6. ``Q0`` as the second field of most lines: a TREC run with something wrong in it, which its reader will name.
    """
    gzipped = raw.startswith(GZIP)
    try:
        first, whole = head(raw, name)
        found = _binary(first, name) or _text(first, whole, name)
    except BadInput as error:
        return Sniffed(None, error.problems[0].what, gzipped, problem=error.problems[0])
    return Sniffed(found.kind, found.reason, gzipped, found.delimiter, found.problem)


def _none(name: str, what: str, remedy: str, line: int | None = None) -> Sniffed:
    return Sniffed(None, what, problem=Problem(name, line, what, remedy))


def _binary(first: bytes, name: str) -> Sniffed | None:
    if first.startswith(b"PAR1"):
        return Sniffed(Kind.PARQUET, "starts with the bytes PAR1")
    for magic, (what, remedy) in _FOREIGN.items():
        if first.startswith(magic):
            return _none(name, f"is {what}", remedy)
    if first.startswith(GZIP):
        return _none(name, "is gzip inside gzip", "unpack it once")
    sides = (first[0:2000:2], first[1:2000:2])
    if first.startswith(UTF16) or (len(first) > 3 and any(side.count(0) > 0.8 * len(side) for side in sides)):
        return _none(name, "is UTF-16, not UTF-8", "save it as UTF-8 (in Excel: CSV UTF-8)")
    if b"\x00" in first:
        line = first.count(b"\n", 0, first.index(0)) + 1
        text = not re.search(rb"[\x01-\x08\x0e-\x1f\x7f-\xff]", first)
        if text:
            return _none(name, "holds a NUL byte", "give a text file", line)
        return _none(name, "is a binary file", "give TREC, CSV, JSONL, JSON or Parquet")
    return None


def _text(first: bytes, whole: bool, name: str) -> Sniffed:
    try:
        text = codecs.getincrementaldecoder("utf-8-sig")().decode(first, final=whole)
    except UnicodeDecodeError as error:
        line = first.count(b"\n", 0, error.start) + 1
        return _none(name, f"is not UTF-8 (byte {error.start})", "save it as UTF-8", line)
    text = text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        return _none(name, "is empty", "give a file with at least one line")
    lines = text.split("\n")
    if not whole and len(lines) > 1:
        lines.pop()
    numbered = [(number, line) for number, line in enumerate(lines, start=1) if line.strip()][:_SAMPLE]
    start = text.lstrip()
    if start[0] in "{[<" and (trec := _trec(_fields(numbered))) is not None:
        return trec
    if start[0] == "{":
        return _json(start, [line for _, line in numbered], name)
    if start[0] == "[":
        remedy = "write one object a line (JSONL), or {query: {document: score}}"
        return _none(name, "is a JSON list", remedy, numbered[0][0])
    if start[0] == "<":
        return _none(name, "looks like a web page or XML", "give TREC, CSV, JSONL, JSON or Parquet", numbered[0][0])
    return _rows(numbered, name)


def _json(start: str, lines: list[str], name: str) -> Sniffed:
    if re.match(r"\{\s*\}\s*$", start):
        return _none(name, "is an empty JSON object", "give at least one question")
    objects = sum(line.lstrip().startswith("{") and line.rstrip().endswith("}") for line in lines)
    nested = re.match(r'\{\s*"(?:[^"\\]|\\.)*"\s*:\s*\{', start) is not None
    if nested and not (objects > 1 and 2 * objects > len(lines)):
        return Sniffed(Kind.JSON, "is one JSON object that holds an object for each question")
    return Sniffed(Kind.JSONL, "starts with a JSON object, whose keys name the columns")


@dataclass(frozen=True, slots=True)
class _Split:
    delimiter: str
    heads: list[str]
    alike: float
    usual: int

    @property
    def headed(self) -> bool:
        return not any(NUMBER.fullmatch(cell) for cell in self.heads)


def _rows(numbered: list[tuple[int, str]], name: str) -> Sniffed:
    number, first = numbered[0]
    lines = [line for _, line in numbered]
    splits = [split for mark in DELIMITERS if (split := _split(lines, mark)) is not None]
    best = max(splits, key=lambda s: (s.headed and s.usual > 1, s.alike, s.usual, len(s.heads)), default=None)
    if best is not None and best.headed and best.usual > 1:
        return _table(best)
    fields = _fields(numbered)
    if (trec := _trec(fields)) is not None:
        return trec
    if best is not None and best.alike > 0.5:
        if best.headed:
            return _table(best)
        what = f"starts with data, not with column names: {short(first)}"
        return _none(name, what, "add a first line such as query_id,doc_id,score", number)
    if _most(len(f) > 1 and f[1].upper() == "Q0" for f in fields):
        return Sniffed(Kind.RUN, "the second field is Q0")
    if _most(len(f) == 6 for f in fields):
        return Sniffed(Kind.RUN, "lines have six fields")
    if _most(len(f) == 4 for f in fields):
        return Sniffed(Kind.QRELS, "lines have four fields")
    what = f"is none of the forms read: {short(first)}"
    remedy = "give a TREC run (six columns), TREC qrels (four), CSV with column names, JSONL, JSON or Parquet"
    return _none(name, what, remedy, number)


def _fields(numbered: list[tuple[int, str]]) -> list[list[str]]:
    return [_GAP.split(line.strip(" \t")) for _, line in numbered]


def _trec(fields: list[list[str]]) -> Sniffed | None:
    if _most(_like_run(f) for f in fields):
        return Sniffed(Kind.RUN, "lines have six fields, rank and score numbers")
    if _most(_like_qrels(f) for f in fields):
        return Sniffed(Kind.QRELS, "lines have four fields, the last a number")
    return None


def _table(split: _Split) -> Sniffed:
    reason = f"its first line names columns, split by {DELIMITERS[split.delimiter]}"
    return Sniffed(Kind.CSV, reason, delimiter=split.delimiter)


def _split(lines: list[str], mark: str) -> _Split | None:
    try:
        rows = [row for row in csv.reader(io.StringIO("\n".join(lines)), delimiter=mark) if row]
    except csv.Error:
        return None
    if not rows or len(rows[0]) < 2:
        return None
    heads = [cell.strip() for cell in rows[0]]
    alike = sum(len(row) == len(heads) for row in rows[1:]) / max(1, len(rows) - 1)
    return _Split(mark, heads, 1.0 if len(rows) == 1 else alike, usual_names(heads))


def _most(votes: Iterable[bool]) -> bool:
    counted = list(votes)
    return 2 * sum(counted) > len(counted)


def _like_run(fields: list[str]) -> bool:
    return len(fields) == 6 and _WHOLE.fullmatch(fields[3]) is not None and NUMBER.fullmatch(fields[4]) is not None


def _like_qrels(fields: list[str]) -> bool:
    return len(fields) == 4 and NUMBER.fullmatch(fields[3]) is not None

"""Questions and documents with their texts: optional, and used where they are there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from evalcore.files.problems import Problem, short
from evalcore.files.read_table import read_table
from evalcore.files.roles import Role, chosen, document_columns, question_columns
from evalcore.files.table import Table
from evalcore.files.unpack import LIMITS, Limits

T = TypeVar("T")
_TRUTH = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}


@dataclass(frozen=True, slots=True)
class Question:
    """A question; ``type`` and ``answerable`` are None where the file does not say."""

    text: str
    type: str | None = None
    answerable: bool | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """A document or passage; the title is empty where the file has none."""

    text: str
    title: str = ""


@dataclass(frozen=True)
class QuestionsFile:
    """Questions by id, ids ascending as bytes; ``unread`` names columns left alone."""

    name: str
    sha256: str
    questions: Mapping[str, Question]
    unread: tuple[str, ...] = ()


@dataclass(frozen=True)
class DocumentsFile:
    """Documents by id, ids ascending as bytes; ``unread`` names columns left alone."""

    name: str
    sha256: str
    documents: Mapping[str, Document]
    unread: tuple[str, ...] = ()


def read_questions(
    raw: bytes, name: str, columns: Mapping[Role, str] | None = None, limits: Limits = LIMITS
) -> QuestionsFile:
    """Questions from CSV, JSONL or Parquet: an id and a text, and where they are there type and answerable.

    Raises:
        BadInput: it is no such table, an id is missing or there twice, a text is empty, or answerable is none of 1, 0,
            true, false, yes, no and empty.

    """
    table = read_table(raw, name, limits)
    read = chosen(columns, question_columns(table.heads), table.heads, name)
    ids = _once(table, read[Role.QUERY], Role.QUERY)
    texts = table.texts(read[Role.TEXT])
    kinds = table.texts(read[Role.TYPE]) if Role.TYPE in read else [""] * table.rows
    truths = table.texts(read[Role.ANSWERABLE]) if Role.ANSWERABLE in read else [""] * table.rows
    table.refuse(_question_faults(table, texts, truths))
    questions = {
        identifier: Question(text, kind or None, _TRUTH.get(truth.lower()))
        for identifier, text, kind, truth in zip(ids, texts, kinds, truths, strict=True)
    }
    return QuestionsFile(name, table.sha256, _ascending(questions), _unread(table, read))


def read_documents(
    raw: bytes, name: str, columns: Mapping[Role, str] | None = None, limits: Limits = LIMITS
) -> DocumentsFile:
    """Documents from CSV, JSONL or Parquet: an id and a text (which may be empty), and where it is there a title.

    Raises:
        BadInput: it is no such table, or an id is missing or there twice.

    """
    table = read_table(raw, name, limits)
    read = chosen(columns, document_columns(table.heads), table.heads, name)
    ids = _once(table, read[Role.DOCUMENT], Role.DOCUMENT)
    texts = table.texts(read[Role.TEXT])
    titles = table.texts(read[Role.TITLE]) if Role.TITLE in read else [""] * table.rows
    documents = {i: Document(text, title) for i, text, title in zip(ids, texts, titles, strict=True)}
    return DocumentsFile(name, table.sha256, _ascending(documents), _unread(table, read))


def _once(table: Table, head: str, role: Role) -> list[str]:
    ids = table.ids(head, role)
    _, first, inverse = np.unique(ids.codes, return_index=True, return_inverse=True)
    again = np.flatnonzero(first[inverse] != np.arange(table.rows))
    table.refuse(
        table.problem(
            int(row),
            f"{short(str(ids.names[ids.codes[row]]))} is there twice "
            f"(first in {table.place(int(first[inverse[row]]))})",
            f"keep each {'question' if role is Role.QUERY else 'document'} once",
        )
        for row in again
    )
    return [str(name) for name in ids.objects()]


def _question_faults(table: Table, texts: list[str], truths: list[str]) -> Iterator[Problem]:
    for row, (text, truth) in enumerate(zip(texts, truths, strict=True)):
        if not text:
            yield table.problem(row, "has no text", "give every question its text")
        if truth and truth.lower() not in _TRUTH:
            yield table.problem(row, f"answerable {short(truth)} is none of 1, 0, true, false", "write 1 or 0")


def _ascending(held: dict[str, T]) -> dict[str, T]:
    return dict(sorted(held.items(), key=lambda pair: pair[0].encode()))


def _unread(table: Table, read: Mapping[Role, str]) -> tuple[str, ...]:
    return tuple(head for head in table.heads if head not in read.values())

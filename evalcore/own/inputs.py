"""The files of a study of one's own, each as it was given."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType
from typing import Any

from evalcore.files import BadInput, Problem, QrelsFile, RunFile, read_qrels_any, read_run_any
from evalcore.files.roles import Role
from evalcore.files.texts import DocumentsFile, QuestionsFile, read_documents, read_questions


class Part(StrEnum):
    """What a file is in the study."""

    JUDGEMENTS = "judgements"
    RUN = "run"
    QUESTIONS = "questions"
    DOCUMENTS = "documents"


@dataclass(frozen=True)
class Input:
    """One file: its bytes, what it is called, and which columns are read; None takes the usual names."""

    part: Part
    name: str
    raw: bytes
    columns: Mapping[Role, str] | None = None

    @cached_property
    def sha256(self) -> str:
        """The hash of the bytes as given."""
        return hashlib.sha256(self.raw).hexdigest()

    @property
    def record(self) -> dict[str, Any]:
        """What a declaration's hash holds of this file."""
        columns = None if self.columns is None else {str(role): head for role, head in sorted(self.columns.items())}
        return {"part": str(self.part), "name": self.name, "sha256": self.sha256, "columns": columns}

    @cached_property
    def runs(self) -> tuple[RunFile, ...]:
        """The runs in it, called as in the file, or as the file up to its first dot.

        Raises:
            BadInput: it is no run, or a name cannot be shown.

        """
        found = read_run_any(self.raw, self.name, self.columns)
        stem = self.name.partition(".")[0] or self.name
        named = tuple(replace(run, name=stem) if run.name == self.name else run for run in found)
        if hidden := [run.name for run in named if not run.name.isprintable() or not run.name.strip()]:
            what = f"has a run name that cannot be shown: {hidden[0][:60]!r}"
            raise BadInput([Problem(self.name, None, what, "use printable characters")])
        return named

    @cached_property
    def judgements(self) -> QrelsFile:
        """The judgements in it.

        Raises:
            BadInput: it holds none.

        """
        return read_qrels_any(self.raw, self.name, self.columns)

    @cached_property
    def questions(self) -> QuestionsFile:
        """The question texts in it.

        Raises:
            BadInput: it holds none.

        """
        return read_questions(self.raw, self.name, self.columns)

    @cached_property
    def documents(self) -> DocumentsFile:
        """The document texts in it.

        Raises:
            BadInput: it holds none.

        """
        return read_documents(self.raw, self.name, self.columns)

    def check(self) -> None:
        """Reads the file as what it is said to be.

        Raises:
            BadInput: it is not.

        """
        if self.part is Part.JUDGEMENTS:
            _ = self.judgements
        elif self.part is Part.RUN:
            _ = self.runs
        elif self.part is Part.QUESTIONS:
            _ = self.questions
        else:
            _ = self.documents

    def with_columns(self, columns: Mapping[Role, str] | None) -> Input:
        """The same file with its columns named."""
        return replace(self, columns=None if columns is None else MappingProxyType(dict(columns)))

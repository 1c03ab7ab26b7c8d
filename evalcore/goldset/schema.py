"""The gold set's files, read into typed records; a line that does not fit names its file and number."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from evalcore.files import BadInput, Problem, reading

GOLD = Path(__file__).resolve().parents[2] / "gold"
RANKERS = ("bm25", "dense", "hybrid")

Chapter = Literal["sampling and data", "descriptive statistics", "regression and correlation"]
Kind = Literal["definition", "procedure", "interpretation", "comparison", "conceptual", "numeric"]
Text = Annotated[str, Field(min_length=1)]


class Record(BaseModel):
    """One line of a file; unknown fields are errors, so that a misspelt one is seen."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Draft(Record):
    """A question as its author wrote it, from titles and topics alone."""

    draft: Text
    chapter: Chapter
    type: Kind
    text: Text


class Question(Record):
    """A question of the gold set; ``draft`` is the drafted question that it is, word for word."""

    id: Text
    chapter: Chapter
    type: Kind
    text: Text
    draft: Text


class Evidence(Record):
    """A verbatim span that answers a question: characters ``start`` to ``end`` (exclusive) of a section."""

    question: Text
    section: Text
    start: int
    end: int
    quote: Text
    found_by: Literal["section reader", "pool judge"]


class Reading(Record):
    """A whole section read for one drafted question: does anything in it answer the question?"""

    question: Text
    section: Text
    answers: bool
    reader: Text
    date: Text


class Judgement(Record):
    """A pooled passage read and graded; ``pack_sha256`` is that of the pack as the judge received it."""

    question: Text
    chunk: Text
    grade: Literal[0, 1, 2]
    reason: Text
    judge: Text
    date: Text
    pack_sha256: Text


class SetAside(Record):
    """A drafted question that is not in the gold set, and why."""

    draft: Text
    why: Literal["no single section answers it", "spare, not needed"]


class Review(Record):
    """What a person has reviewed: who, when, and how many labels changed."""

    by: Text
    date: Text
    changed_labels: int


class Authoring(Record):
    """Who drafted what, what was set aside, and the review: null until a person has done one."""

    drafted_by: dict[str, str]
    set_aside: list[SetAside]
    notes: list[str]
    review: Review | None


R = TypeVar("R", bound=Record)


def read_lines(path: Path, record: type[R]) -> list[R]:
    """Reads a JSON-lines file.

    Raises:
        BadInput: lines that do not fit, each with its number and what is wrong.

    """
    records: list[R] = []
    problems: list[Problem] = []
    with reading(path):
        text = path.read_text(encoding="utf-8")
    # str.splitlines would also cut at a line separator inside a quotation
    for number, line in enumerate(text.removesuffix("\n").split("\n") if text else [], start=1):
        try:
            records.append(record.model_validate_json(line))
        except ValidationError as error:
            remedy = f"write one {record.__name__} as JSON on each line"
            problems.append(Problem(path.name, number, _first(error, "the line"), remedy))
    if problems:
        raise BadInput(problems)
    return records


def _first(error: ValidationError, whole: str) -> str:
    first = error.errors()[0]
    return f"{'.'.join(map(str, first['loc'])) or whole}: {first['msg']}"


def write_lines(path: Path, records: Sequence[Record]) -> None:
    """Writes a JSON-lines file."""
    path.write_text("".join(r.model_dump_json() + "\n" for r in records), encoding="utf-8")


@dataclass(frozen=True)
class GoldSet:
    """The gold set as it stands on disk; each file is read when it is first asked for."""

    folder: Path = GOLD

    @cached_property
    def drafts(self) -> list[Draft]:
        """All drafted questions, in the order in which they were drafted."""
        return read_lines(self.folder / "drafts.jsonl", Draft)

    @cached_property
    def questions(self) -> list[Question]:
        """The questions of the study."""
        return read_lines(self.folder / "questions.jsonl", Question)

    @cached_property
    def evidence(self) -> list[Evidence]:
        """All spans."""
        return read_lines(self.folder / "evidence.jsonl", Evidence)

    @cached_property
    def readings(self) -> list[Reading]:
        """Which section was read for which drafted question."""
        return read_lines(self.folder / "readings.jsonl", Reading)

    @cached_property
    def judgements(self) -> list[Judgement]:
        """The judges' grades of pooled passages."""
        return read_lines(self.folder / "judgements.jsonl", Judgement)

    @cached_property
    def authoring(self) -> Authoring:
        """Who drafted what, and the review."""
        path = self.folder / "authoring.json"
        with reading(path):
            raw = path.read_bytes()
        try:
            return Authoring.model_validate_json(raw)
        except ValidationError as error:
            what, remedy = _first(error, "the file"), "see Authoring in evalcore/goldset/schema.py"
            raise BadInput([Problem("authoring.json", None, what, remedy)]) from error

    @cached_property
    def evidence_of(self) -> dict[str, list[Evidence]]:
        """Question id to its spans."""
        found: dict[str, list[Evidence]] = defaultdict(list)
        for span in self.evidence:
            found[span.question].append(span)
        return dict(found)

    @property
    def provisional(self) -> bool:
        """True while no person has reviewed the set."""
        return self.authoring.review is None


def published_hashes(gold: GoldSet) -> dict[str, str]:
    """File to sha256 as the published report has them; empty before there is a report."""
    path = gold.folder / "report.json"
    if not path.exists():
        return {}
    with reading(path):
        files = json.loads(path.read_text(encoding="utf-8"))["files"]
        return {str(name): str(sha) for name, sha in files.items()}


def provisional_judgements(sha256: str, gold: GoldSet) -> bool | None:
    """Whether judgements are the textbook's, known by sha256, and unreviewed by a person; None for others."""
    published = published_hashes(gold)
    ours = (published.get("gold/qrels.trec"), published.get("gold/section_qrels.trec"))
    return gold.provisional if sha256 in ours else None

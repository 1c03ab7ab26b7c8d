"""Which column of a table is what, guessed from usual names, so that a page can ask about the rest."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from evalcore.files.problems import BadInput, Problem, short


class Role(StrEnum):
    """What a column can hold, in the words of the page."""

    QUERY = "query id"
    DOCUMENT = "document id"
    SCORE = "score"
    RANK = "rank"
    GRADE = "grade"
    RUN = "run name"
    TEXT = "text"
    TITLE = "title"
    TYPE = "type"
    ANSWERABLE = "answerable"


# Names without case and punctuation, in tiers: a name of a later tier counts only where no earlier one is there.
_Tiers = tuple[tuple[str, ...], ...]
_QUERY: _Tiers = (("queryid", "qid", "topicid", "questionid"), ("query", "topic", "question", "q"))
_DOCUMENT: _Tiers = (
    ("docid", "docno", "corpusid", "documentid", "passageid", "pid", "did", "chunkid"),
    ("document", "doc", "passage", "chunk", "d"),
)
_SCORE: _Tiers = (("score", "sim", "similarity", "relevancescore"), ("s",))
_RANK: _Tiers = (("rank", "position"),)
_GRADE: _Tiers = (("rel", "relevance", "grade", "label", "judgement", "judgment", "qrel"), ("score",))
_RUN: _Tiers = (("run", "runname", "runid", "runtag", "system", "systemname", "ranker"), ("tag", "model", "name"))
_TEXT: _Tiers = (("text", "contents", "content", "body"),)
_RUNS: Mapping[Role, _Tiers] = {
    Role.QUERY: _QUERY,
    Role.DOCUMENT: _DOCUMENT,
    Role.SCORE: _SCORE,
    Role.RANK: _RANK,
    Role.RUN: _RUN,
}
_QRELS: Mapping[Role, _Tiers] = {Role.QUERY: _QUERY, Role.DOCUMENT: _DOCUMENT, Role.GRADE: _GRADE}
_QUESTIONS: Mapping[Role, _Tiers] = {
    Role.QUERY: (_QUERY[0], ("id",), ("topic", "q")),
    Role.TEXT: (("text", "querytext", "questiontext"), ("query", "question"), ("title",)),
    Role.TYPE: (("type", "questiontype", "querytype"), ("kind", "category")),
    Role.ANSWERABLE: (("answerable", "isanswerable"),),
}
_DOCUMENTS: Mapping[Role, _Tiers] = {
    Role.DOCUMENT: (_DOCUMENT[0], ("id",)),
    Role.TEXT: (*_TEXT, ("passage", "document", "chunk")),
    Role.TITLE: (("title",),),
}
_OPTIONAL = frozenset({Role.RANK, Role.RUN, Role.TYPE, Role.ANSWERABLE, Role.TITLE})
_USUAL = frozenset(
    name
    for table in (_RUNS, _QRELS, _QUESTIONS, _DOCUMENTS)
    for tiers in table.values()
    for tier in tiers
    for name in tier
    if len(name) > 1
)
_FIRST_NAMES = {
    Role.QUERY: "query_id",
    Role.DOCUMENT: "doc_id",
    Role.SCORE: "score",
    Role.GRADE: "grade",
    Role.TEXT: "text",
}


@dataclass(frozen=True, slots=True)
class Guess:
    """Columns by what they hold; ``missing`` and ``ambiguous`` are what a page has to ask, ``unread`` is left alone."""

    columns: Mapping[Role, str]
    missing: tuple[Role, ...]
    ambiguous: Mapping[Role, tuple[str, ...]]
    unread: tuple[str, ...]

    @property
    def ready(self) -> bool:
        """Whether the table can be read without asking."""
        return not self.missing

    def sentence(self) -> str:
        """The guess, what is missing and what could be more than one column, for reading."""
        parts = [f"{role} from {short(column)}" for role, column in self.columns.items()]
        parts += [f"{role} could be {' or '.join(map(short, names))}" for role, names in self.ambiguous.items()]
        parts += [f"no column for {role}" for role in self.missing if role not in self.ambiguous]
        return "; ".join(parts)

    def problems(self, name: str, line: int | None, heads: Sequence[str]) -> list[Problem]:
        """What keeps the table from being read, one problem a column."""
        found = []
        shown = ", ".join(map(short, heads[:12])) + (", …" if len(heads) > 12 else "")
        for role in self.missing:
            if role in self.ambiguous:
                what = f"has more than one column for the {role}: {', '.join(map(short, self.ambiguous[role]))}"
                remedy = "say which column it is, or keep one of them"
            else:
                what = f"has no column for the {role}; it has {shown}"
                remedy = f"name it {_FIRST_NAMES[role]}, or say which column it is"
                if role is Role.SCORE and Role.RANK in self.columns:
                    remedy = "add a column of scores (the rank column is not read), such as 1 / rank"
            found.append(Problem(name, line, what, remedy))
        return found


def run_columns(heads: Sequence[str]) -> Guess:
    """Query id, document id, score, and where they are there rank and run name."""
    return _guess(heads, _RUNS)


def qrels_columns(heads: Sequence[str]) -> Guess:
    """Query id, document id and grade; a column ``score`` is the grade only where no better name is there (BEIR)."""
    return _guess(heads, _QRELS)


def question_columns(heads: Sequence[str]) -> Guess:
    """Question id and text, and where they are there type and answerable."""
    return _guess(heads, _QUESTIONS)


def document_columns(heads: Sequence[str]) -> Guess:
    """Document id and text, and where it is there the title."""
    return _guess(heads, _DOCUMENTS)


def usual_names(cells: Sequence[str]) -> int:
    """How many cells are names that columns usually have."""
    return sum(bare(cell) in _USUAL for cell in cells)


def bare(name: str) -> str:
    """A column's name without case and punctuation: ``Query-ID`` and ``query_id`` are one name."""
    return re.sub(r"[\W_]+", "", name).casefold()


def chosen(columns: Mapping[Role, str] | None, guess: Guess, heads: Sequence[str], name: str) -> Mapping[Role, str]:
    """The columns to read: those given, or the guess.

    Raises:
        BadInput: the guess is not complete, a column given is not there, or one is given twice.

    """
    if columns is None:
        if not guess.ready:
            raise BadInput(guess.problems(name, None, heads))
        return guess.columns
    problems = [
        Problem(name, None, f"has no column {short(column)} (for the {role})", "choose one of its columns")
        for role, column in columns.items()
        if column not in heads
    ]
    problems += [
        Problem(name, None, f"has no column for the {role}", "choose one of its columns")
        for role in (*guess.columns, *guess.missing)
        if role not in columns and role not in _OPTIONAL
    ]
    if len(set(columns.values())) < len(columns):
        problems.append(Problem(name, None, "is to be read with one column as two things", "choose different columns"))
    if problems:
        raise BadInput(problems)
    return columns


def _guess(heads: Sequence[str], wanted: Mapping[Role, _Tiers]) -> Guess:
    columns: dict[Role, str] = {}
    ambiguous: dict[Role, tuple[str, ...]] = {}
    for role, tiers in wanted.items():
        free = [head for head in heads if head not in columns.values()]
        matches = [tuple(head for head in free if bare(head) in tier) for tier in tiers]
        found = next((match for match in matches if match), ())
        if len(found) == 1:
            columns[role] = found[0]
        elif found:
            ambiguous[role] = found
    missing = tuple(role for role in wanted if role not in columns and role not in _OPTIONAL)
    unread = tuple(head for head in heads if head not in columns.values())
    return Guess(columns, missing, ambiguous, unread)

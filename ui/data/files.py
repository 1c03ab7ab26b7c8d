"""The upload: files, what is wrong with each, which columns are read, and whether ids match."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from evalcore.files import BadInput
from evalcore.files.from_table import remarks
from evalcore.files.overlap import Overlap
from evalcore.files.read_table import read_table
from evalcore.files.roles import Guess, Role, document_columns, qrels_columns, question_columns, run_columns
from evalcore.files.sniffing import Kind, sniff
from evalcore.own import Input, Part
from ui import own as visit
from ui.tables import table
from ui.text import plain

_GUESS: Mapping[Part, Callable[[Sequence[str]], Guess]] = {
    Part.JUDGEMENTS: qrels_columns,
    Part.RUN: run_columns,
    Part.QUESTIONS: question_columns,
    Part.DOCUMENTS: document_columns,
}
_FORMS = "TREC, CSV or TSV with column names, JSONL, Parquet, or a JSON dictionary; each also as gzip."
_TEXTS = "CSV, JSONL or Parquet with an id and a text. Optional."


def uploads() -> tuple[Input, ...]:
    """Draws the uploaders and what is wrong with each file; the files when all can be read, else none."""
    left, right = st.columns(2)
    with left:
        judged = st.file_uploader("Judgements (qrels)", key="own_judgements", help=_FORMS)
        questions = st.file_uploader("Question texts (optional)", key="own_questions", help=_TEXTS)
    with right:
        runs = st.file_uploader("Runs, 2 to 50", key="own_runs", accept_multiple_files=True, help=_FORMS)
        documents = st.file_uploader("Document texts (optional)", key="own_documents", help=_TEXTS)
    given: list[tuple[Part, Any]] = [
        *([(Part.JUDGEMENTS, judged)] if judged else []),
        *((Part.RUN, run) for run in sorted(runs or [], key=lambda run: run.name)),
        *([(Part.QUESTIONS, questions)] if questions else []),
        *([(Part.DOCUMENTS, documents)] if documents else []),
    ]
    if not given:
        return ()
    st.header("What is wrong with them", anchor=False)
    found = [_read(part, file.file_id, file.name, file.getvalue()) for part, file in given]
    good = [file for file in found if file is not None]
    if good:
        table([_row(file) for file in good], "Files that could be read.")
    _remarks(good)
    _overlap_panel(good)
    return tuple(good) if len(good) == len(found) else ()


def _read(part: Part, file_id: str, name: str, raw: bytes) -> Input | None:
    """A file that can be read, else None with its first five problems and their total on the page."""
    try:
        file = visit.read(part, file_id, name, raw, _columns(part, name, raw))
        file.check()
    except BadInput as error:
        st.error(f"A file given as {part} cannot be used as it is.", icon=":material/error:")
        st.code(str(error), language=None, wrap_lines=True)
        return None
    return file


def _columns(part: Part, name: str, raw: bytes) -> dict[Role, str] | None:
    """The columns that the visitor names where their names do not say; None where they do."""
    if sniff(raw, name).kind not in (Kind.CSV, Kind.JSONL, Kind.PARQUET):
        return None
    heads = read_table(raw, name).heads
    guess = _GUESS[part](heads)
    if guess.ready:
        return None
    st.markdown(f"**{plain(name)}**: which column is what?")
    columns = dict(guess.columns)
    key = hashlib.sha256(raw).hexdigest()[:16]
    for column, role in zip(st.columns(len(guess.missing)), guess.missing, strict=True):
        with column:
            options = list(guess.ambiguous.get(role, heads))
            chosen = st.selectbox(
                str(role).capitalize(), options, index=None, key=f"own_column_{part}_{key}_{role}", placeholder="choose"
            )
            if chosen is not None:
                columns[role] = chosen
    return columns


def _row(file: Input) -> dict[str, str]:
    if file.part is Part.JUDGEMENTS:
        grades = file.judgements.grades
        inside = f"{len(grades):,} questions, {sum(map(len, grades.values())):,} judgements"
    elif file.part is Part.RUN:
        inside = "; ".join(f"{r.name}: {len(r.questions):,} questions, {len(r.scores):,} rows" for r in file.runs)
    elif file.part is Part.QUESTIONS:
        inside = f"{len(file.questions.questions):,} question texts"
    else:
        inside = f"{len(file.documents.documents):,} document texts"
    return {"File": file.name, "Given as": str(file.part), "Inside": inside, "sha256": file.sha256[:12] + "…"}


def _remarks(files: Sequence[Input]) -> None:
    """What is no error and may surprise: negative grades, and ranks that are not the order of scores."""
    lines = [said for file in files if file.part is Part.JUDGEMENTS for said in remarks(file.judgements)]
    lines += [check.sentence for file in files if file.part is Part.RUN for check in visit.ranks(file)]
    if lines:
        st.markdown("\n".join(f"- {plain(line)}" for line in lines))


def _overlap_panel(files: Sequence[Input]) -> None:
    """Ids of each run against the judgements'."""
    judged = next((file for file in files if file.part is Part.JUDGEMENTS), None)
    runs = [file for file in files if file.part is Part.RUN]
    if judged is None or not runs:
        return
    st.header("Do the ids match?", anchor=False)
    rows, hints = [], []
    for file in runs:
        for name, asked, returned in visit.overlaps(judged, file):
            rows += [_ids(name, "questions", asked), _ids(name, "documents", returned)]
            hints += [
                f"{name}, {what}: {o.hint}" for what, o in (("questions", asked), ("documents", returned)) if o.hint
            ]
    table(rows, "Distinct ids, with up to three examples each. A document that only a run has is unjudged.")
    for hint in hints:
        st.markdown(f"- {plain(hint)}")


def _ids(name: str, what: str, found: Overlap) -> dict[str, str]:
    return {
        "Run": name,
        "Ids of": what,
        "In both": _counted(found.both, found.both_examples),
        "Only in the run": _counted(found.only_here, found.here_examples),
        "Only in the judgements": _counted(found.only_there, found.there_examples),
    }


def _counted(count: int, examples: Sequence[str]) -> str:
    return f"{count:,}" + (f" ({', '.join(e[:40] for e in examples)})" if examples else "")

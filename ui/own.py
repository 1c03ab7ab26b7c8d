"""What this visit holds of a visitor's own files: session state and nothing else, neither disk nor a shared cache."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

import streamlit as st

from evalcore.files.overlap import Overlap, overlap
from evalcore.files.ranks import RankCheck, rank_disagreements
from evalcore.files.roles import Role
from evalcore.own import Declaration, Input, OwnStudy, Part, Stamped, open_study, save

_STUDY, _FIRST, _READ = "own_study", "own_first_declared", "own_read"
_CHECKED = "own_checked"
Check = tuple[str, Overlap, Overlap]


def study() -> OwnStudy | None:
    """The study that was declared in this visit."""
    found: OwnStudy | None = st.session_state.get(_STUDY)
    return found


def declare(inputs: tuple[Input, ...], declaration: Declaration) -> None:
    """Makes a declaration, before its results are computed; on judgements already seen it is measured by the first.

    Raises:
        BadInput: the files cannot be compared under it.

    """
    judged = next(file.sha256 for file in inputs if file.part is Part.JUDGEMENTS)
    made = OwnStudy.begun(inputs, declaration, _now(), _firsts().get(judged))
    _use(made)


def redeclare(declaration: Declaration) -> None:
    """Declares otherwise, after results were shown.

    Raises:
        BadInput: the files cannot be compared under it.

    """
    before = study()
    if before is not None:
        _use(before.redeclared(declaration, _now()))


def open_file(raw: bytes, name: str) -> None:
    """Opens a saved study.

    Raises:
        BadInput: it is none.

    """
    _use(open_study(raw, name))


def leave() -> None:
    """Takes the study out of use; what was declared first on its judgements is remembered while the visit lasts."""
    for key in (_STUDY, _READ, _CHECKED):
        st.session_state.pop(key, None)


def saved(kept: OwnStudy) -> bytes:
    """The study as one file."""
    return save(kept)


def read(part: Part, file_id: str, name: str, raw: bytes, columns: Mapping[Role, str] | None) -> Input:
    """An upload as an input; it is read once in a visit, however often the page is drawn."""
    held: dict[tuple[object, ...], Input] = st.session_state.setdefault(_READ, {})
    key = (part, file_id, None if columns is None else tuple(sorted(columns.items())))
    if key not in held:
        held[key] = Input(part, name, raw, columns)
    return held[key]


def ranks(file: Input) -> list[RankCheck]:
    """Whether ranks and scores agree, computed once in a visit."""
    held: dict[tuple[object, ...], list[RankCheck]] = st.session_state.setdefault(_CHECKED, {})
    key = ("ranks", id(file))
    if key not in held:
        held[key] = rank_disagreements(file.raw, file.name, file.columns)
    return held[key]


def overlaps(judged: Input, file: Input) -> list[Check]:
    """For each run of a file the question ids and the document ids against the judgements', once in a visit."""
    held: dict[tuple[object, ...], list[Check]] = st.session_state.setdefault(_CHECKED, {})
    key = ("overlap", id(judged), id(file))
    if key not in held:
        grades = judged.judgements.grades
        documents = {document for graded in grades.values() for document in graded}
        held[key] = [
            (run.name, overlap(run.questions, grades), overlap(run.documents.unique().to_pylist(), documents))
            for run in file.runs
        ]
    return held[key]


def _use(made: OwnStudy) -> None:
    _ = made.compared
    _firsts().setdefault(made.qrels.sha256, made.declared)
    st.session_state[_STUDY] = made


def _firsts() -> dict[str, Stamped]:
    found: dict[str, Stamped] = st.session_state.setdefault(_FIRST, {})
    return found


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")

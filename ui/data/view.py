"""The page Your data: files and their faults, then a declaration, and only then results."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from evalcore.files import BadInput
from evalcore.own import Input, OwnStudy, Part
from evalcore.own.declaration import FEWEST_RUNS, MOST_RUNS
from ui import own as visit
from ui.data.declaring import declaration_form
from ui.data.files import uploads
from ui.data.results import declared_block, results
from ui.data.words import KEEPING, not_said


def your_data() -> None:
    """Everything of the page."""
    st.markdown(KEEPING)
    study = visit.study()
    if study is None:
        _bring()
    else:
        _show(study)


def _bring() -> None:
    st.header("Files", anchor=False)
    files = uploads()
    _declare(files)
    st.header("Open a saved study", anchor=False)
    file = st.file_uploader("A file that this page saved", type=["zip"], key="own_saved")
    if file is not None:
        with _refused("The study cannot be opened."):
            visit.open_file(file.getvalue(), file.name)
            st.rerun()
    not_said()


def _declare(files: tuple[Input, ...]) -> None:
    st.header("Declare before you look", anchor=False)
    runs = tuple(run.name for file in files if file.part is Part.RUN for run in file.runs)
    if not any(file.part is Part.JUDGEMENTS for file in files) or len(runs) < FEWEST_RUNS:
        st.markdown(
            f"Give judgements and {FEWEST_RUNS} to {MOST_RUNS} runs that can all be read. Then choose the primary "
            "measure, the relevant grade, the family and alpha; results are shown only after that."
        )
        return
    with _refused("This cannot be declared."):
        made = declaration_form(runs, "Declare and show")
        if made is not None:
            visit.declare(files, made)
            st.rerun()


def _show(study: OwnStudy) -> None:
    declared_block(study)
    with st.expander("Change the declaration", icon=":material/edit:"):
        st.markdown("Possible, and marked here and in every export: results have been seen.")
        with _refused("This cannot be declared."):
            made = declaration_form(study.now.declaration.runs, "Declare again", study.now.declaration)
            if made is not None:
                visit.redeclare(made)
                st.rerun()
    st.button("Leave this study and bring other files", on_click=visit.leave, icon=":material/close:")
    results(study)


@contextmanager
def _refused(sentence: str) -> Iterator[None]:
    """Shows a refusal in place: its first five problems and their total."""
    try:
        yield
    except BadInput as error:
        st.error(sentence, icon=":material/error:")
        st.code(str(error), language=None, wrap_lines=True)

"""The question browser: two rankers' top ten side by side, with grades and the evidence marked."""

from __future__ import annotations

import streamlit as st

from evalcore.comparison import Compared
from evalcore.evidence import Basis
from evalcore.evidence.claims import signed
from evalcore.goldset.build import overruled
from evalcore.textbook import Textbook
from ui import cached
from ui.compare.controls import QUESTION_KEY, Choice
from ui.controls import choose
from ui.passages import passage
from ui.shell import guarded
from ui.tables import table
from ui.text import plain
from ui.theme import label

DEPTH = 10
_GRADES = {
    2: (":material/check_circle:", "answers"),
    1: (":material/adjust:", "related"),
    0: (":material/radio_button_unchecked:", "not relevant"),
    None: (":material/help:", "unjudged"),
}


@st.fragment
def question_browser(study: Textbook, compared: Compared, choice: Choice) -> None:
    """One question, chosen here or by a click in the figure above; a rerun of this part leaves the rest alone."""
    with guarded():
        _browser(study, compared, choice)


def _browser(study: Textbook, compared: Compared, choice: Choice) -> None:
    st.header("Read a question", anchor=False)
    questions = {q.id: q for q in study.gold.questions}
    chosen = choose(
        "Question",
        list(questions),
        key=QUESTION_KEY,
        default=next(iter(questions)),
        help="Or click a bar in the figure of differences.",
    )
    with st.expander("All questions", icon=":material/list:"):
        difference = compared.differences(choice.first, choice.second, choice.measure)
        rows = [
            {
                "Question": q.id,
                "Text": q.text,
                "Type": q.type,
                f"{label(choice.first)} − {label(choice.second)}": signed(difference[q.id]),
            }
            for q in study.gold.questions
        ]
        table(rows, f"{choice.measure} of each question, first minus second. {Basis.RETRIEVAL.value}.")
    question = questions[chosen]
    st.markdown(f"**{plain(question.text)}**")
    st.caption(
        f"{question.type} · {question.chapter} · grades were given blind, by a language model. Open a passage to read "
        "it; the words that answer are marked."
    )
    first, second = st.columns(2, gap="large")
    for column, run in ((first, choice.first), (second, choice.second)):
        with column:
            _top(study, compared, run, chosen)


def _top(study: Textbook, compared: Compared, run: str, question: str) -> None:
    st.markdown(f"**{plain(label(run))}**, top {DEPTH}")
    corpus = cached.corpus()
    chunks = {c.id: c for c in corpus.chunks}
    ranking = compared.study.by_name[run].rankings.get(question)
    if ranking is None:
        st.text("This ranker returned nothing for this question; it counts as 0.")
        return
    grades = compared.study.qrels[question]
    raised = {(j.question, j.chunk): j.grade for j in overruled(study.gold, corpus)}
    for rank, document in enumerate(ranking.documents[:DEPTH], start=1):
        icon, word = _GRADES[grades.get(document)]
        chunk = chunks[document]
        shown = f"{rank} · {word}" if word != "answers" else f"{rank} · **{word}**"
        if (given := raised.get((question, document))) is not None:
            shown += f" by its span; the blind judge gave {given}"
        with st.expander(f"{shown} · {document} · {plain(corpus.titles[chunk.section])}", icon=icon):
            passage(corpus, chunk, study.gold.evidence_of[question])

"""The questions to read: wrongly served and wrongly refused, with score and passage."""

from __future__ import annotations

import streamlit as st

from evalcore.abstention.cuts import shown
from evalcore.abstention.reading import ToRead, to_read
from evalcore.studies import TEXTBOOK_TITLE
from ui import cached
from ui.abstention.controls import Choice
from ui.controls import choose
from ui.evidence import labels
from ui.passages import passage
from ui.shell import guarded
from ui.tables import table
from ui.text import plain


def reading_section(choice: Choice) -> None:
    """The questions on which the threshold errs, worst first."""
    st.header("Questions to read", anchor=False)
    rows = to_read(choice.scored, choice.threshold)
    textbook = choice.study.title == TEXTBOOK_TITLE
    passages = cached.served_passages() if textbook else {}
    table(
        [_row(choice, row, passages.get(row.question, {}).get(choice.column)) for row in rows],
        "Wrongly served, highest score first; then wrongly refused, lowest first; at most eight of each, made up to "
        f"five by the questions nearest to the threshold. {labels([choice.scored.auc])}",
    )
    if not textbook:
        st.caption("The toy run is synthetic: its questions have no text and its passages are names.")


@st.fragment
def read_one(choice: Choice) -> None:
    """One question with the passage served first; no threshold changes it, so that a move leaves it alone."""
    if choice.study.title != TEXTBOOK_TITLE:
        return
    with guarded():
        ids = list(choice.scored.table.ids)
        one = choose(
            "Read one",
            ids,
            key="read",
            default=ids[0],
            help="Any question of the study, with the passage that would be served first. The table above names the "
            "wrong ones.",
        )
        _passage(choice, one, cached.served_passages()[one][choice.column])


def _row(choice: Choice, row: ToRead, served: str | None) -> dict[str, str]:
    text = choice.study.texts.get(row.question)
    return {
        "Question": row.question,
        **({"Text": text} if text else {}),
        "Score": shown(row.score),
        "Outcome": row.outcome.value,
        **({"Passage": served} if served else {}),
    }


def _passage(choice: Choice, question: str, chunk_id: str) -> None:
    corpus = cached.corpus()
    chunk = next(c for c in corpus.chunks if c.id == chunk_id)
    st.markdown(f"**{plain(choice.study.texts[question])}**")
    near = cached.near_questions().get(question)
    if near is None:
        what = "Answerable; the words that answer are marked where this passage holds them."
    else:
        what = (
            f"Unanswerable ({near.gap}): two readers read all {len(near.sections_read)} sections and found no answer; "
            f"the nearest are {', '.join(near.nearest)}. A language model wrote and read it."
        )
    st.caption(f"{what} Served first by {choice.name}: {chunk_id}, {plain(corpus.titles[chunk.section])}.")
    spans = cached.textbook().gold.evidence_of.get(question, [])
    with st.container(border=True):
        passage(corpus, chunk, spans)

"""Compare on a visitor's own files: only what these files say, and nothing of the textbook."""

from __future__ import annotations

import streamlit as st

from evalcore.comparison import Compared
from evalcore.evidence import Comparison
from evalcore.measures import Measure
from evalcore.own import OwnStudy
from evalcore.plan import MOST_RUNS_IN_ALL_PAIRS
from ui.compare.results import estimates
from ui.context import how_computed, judged_note, state_of_runs
from ui.controls import choose
from ui.downloads import comparison_downloads
from ui.evidence import badges, card, coverage_note, estimates_table, pairs_table
from ui.figures import comparison as figures
from ui.own_notes import changed_note, limits_of_own
from ui.parts import show
from ui.sentences import comparison_block, exploratory_block
from ui.shell import guarded
from ui.text import plain

_DEPTH = 10


@st.fragment
def own_comparison(study: OwnStudy) -> None:
    """The whole page for a study of one's own; a choice redraws this part."""
    with guarded():
        _view(study)


def _view(study: OwnStudy) -> None:
    compared, primary = study.compared, study.compared.plan.primary
    changed_note(study)
    area = st.container()
    measure, first, second = _controls(study)
    pair = compared.pair(first, second, measure)
    with area:
        badges(pair.basis, provisional=pair.provisional)
        comparison_block(compared.pair(first, second, primary), compared)
        if measure != primary:
            exploratory_block(pair, compared)
    names = [run.name for run in compared.study.runs]
    shown = names if len(names) <= MOST_RUNS_IN_ALL_PAIRS else [first, second]
    for column, name in zip(st.columns(len(shown)), shown, strict=True):
        with column:
            card(name, measure, compared.mean(name, measure), compared.beside(name, measure))
    judged_note(compared, shown, measure)
    coverage_note([*(compared.mean(name, measure) for name in shown), pair.difference])
    if len(names) > len(shown):
        st.caption(f"Cards of the chosen pair; all {len(names)} runs stand in the table.")
        with st.expander("All runs", icon=":material/table:"):
            rows = [(str(measure), name, compared.mean(name, measure)) for name in names]
            estimates_table(rows, ("Measure", "Run"), "Means.", [compared.beside(name, measure) for name in names])
    _pairs(study, pair, measure)
    _questions(study, measure, first, second)
    _hits(compared, shown)
    _not_assessed()
    state_of_runs(compared)
    how_computed(compared, "the declaration")
    limits_of_own(study)


def _controls(study: OwnStudy) -> tuple[Measure, str, str]:
    compared = study.compared
    names = [run.name for run in compared.study.runs]
    measures = {str(m): m for m in compared.study.measures}
    one, two, three = st.columns([2, 1, 1])
    with one:
        primary = str(compared.plan.primary)
        measure = choose("Measure", list(measures), key="mine_measure", default=primary)
    with two:
        first = choose("First run", names, key="mine_first", default=study.leading[0])
    with three:
        second = choose("Second run", names, key="mine_second", default=study.leading[1])
    if first == second:
        second = next(name for name in compared.by_mean if name != first)
        st.caption(f"Both name {plain(first)}; it is compared with {plain(second)}.")
    return measures[measure], first, second


def _pairs(study: OwnStudy, pair: Comparison, measure: Measure) -> None:
    compared = study.compared
    chosen = {pair.first, pair.second}
    rows = [pair, *(c for c in compared.pairs(measure) if {c.first, c.second} != chosen)]
    st.header("Paired differences, with 95 % intervals", anchor=False)
    show(figures.forest(rows), "mine_forest")
    st.header("Pairs", anchor=False)
    d = study.now.declaration
    if study.changed:
        said = "No pair has a verdict: the declaration was changed after results were seen."
    elif measure == d.primary:
        said = f"The family of {len(compared.family)} ({d.family}) was declared before results were shown."
    else:
        said = f"{measure} is outside the family of {len(compared.family)} on {d.primary}: exploratory."
    pairs_table(compared, rows, f"First minus second, the chosen pair first. {said}")
    comparison_downloads(compared, measure)
    st.caption("The files hold all measures" + ("." if compared.listed is None else ", and the family's pairs only."))


def _questions(study: OwnStudy, measure: Measure, first: str, second: str) -> None:
    compared = study.compared
    st.header("Question by question", anchor=False)
    texts = {i: q.text for i, q in study.questions.items()}
    plot = figures.question_differences(compared, first, second, measure, texts, clickable=False)
    show(plot, "mine_differences")
    st.header("Read a question", anchor=False)
    ids = list(compared.study.questions)
    chosen = choose("Question", ids, key="mine_question", default=ids[0])
    st.text(texts.get(chosen, "No text of this question was given."))
    grades = compared.study.qrels[chosen]
    for column, run in zip(st.columns(2, gap="large"), (first, second), strict=True):
        with column:
            st.markdown(f"**{plain(run)}**, top {_DEPTH}")
            ranking = compared.study.by_name[run].rankings.get(chosen)
            if ranking is None:
                st.text("This run returned nothing for this question; it counts as 0.")
                continue
            for rank, document in enumerate(ranking.documents[:_DEPTH], start=1):
                grade = grades.get(document)
                st.text(f"{rank} · {document} · {'unjudged' if grade is None else f'grade {grade}'}")
                if (given := study.documents.get(document)) is not None:
                    with st.expander(f"Text of the document at {rank}", icon=":material/notes:"):
                        st.text(f"{given.title}\n{given.text}".strip())


def _hits(compared: Compared, shown: list[str]) -> None:
    st.header("Hit rates", anchor=False)
    hits = [m for m in compared.study.measures if m.is_hit_rate]
    rows = [(str(m), run, compared.mean(run, m)) for m in hits for run in shown]
    beside = [compared.beside(run, m) for m in hits for run in shown]
    text = "Success@k: at least one relevant document among the first k."
    estimates(rows, "share of questions with a hit", text, "mine-hit-rates", ("Measure", "Run"), compared, beside)
    coverage_note([*(e for _, _, e in rows), *beside])


def _not_assessed() -> None:
    st.header("Passages against whole sections; types of question", anchor=False)
    st.markdown("**Not assessed:** the study has none of its own. The textbook has both.")

"""Figures and tables of the comparison."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from evalcore.comparison import Compared
from evalcore.evidence import Estimate
from evalcore.evidence.claims import disagreement, finding, headline
from evalcore.export import MeanRow, means_csv, pairs_csv, stamp
from evalcore.measures import Measure
from evalcore.textbook import Textbook
from ui.compare.controls import QUESTION_KEY, Choice, oriented
from ui.downloads import comparison_downloads
from ui.evidence import coverage_note, estimates_table, pairs_table
from ui.figures import comparison as figures
from ui.figures.base import CONFIG
from ui.parts import figure_words, show
from ui.tables import download
from ui.text import plain
from ui.theme import label


def two_figures(study: Textbook, compared: Compared, choice: Choice) -> None:
    """The forest plot and the sorted differences of the chosen pair."""
    measure, primary = choice.measure, compared.plan.primary
    left, right = st.columns(2, gap="large")
    with left:
        st.header("Paired differences, with 95 % intervals", anchor=False)
        family = oriented(compared, choice, primary)
        rows = family if measure == primary else family + oriented(compared, choice, measure)
        status = "" if measure == primary else f", then {measure}, exploratory"
        st.caption(f"The family on {primary}{status}.")
        show(figures.forest(rows), "forest")
    with right:
        title = f"Question by question: {label(choice.first)} − {label(choice.second)}"
        st.header(plain(title), anchor=False)
        st.caption(f"{measure}, one bar a question.")
        plot = figures.question_differences(
            compared, choice.first, choice.second, measure, {q.id: q.text for q in study.gold.questions}
        )
        st.plotly_chart(
            plot.figure,
            key="differences",
            alt=plot.alt,
            config=CONFIG,
            on_select=_open_clicked_question,
            selection_mode="points",
        )
        figure_words(plot)


def pairs_section(compared: Compared, choice: Choice) -> None:
    """One table of pairs, the family first, each pair as a sentence, and the downloads."""
    measure, primary = choice.measure, compared.plan.primary
    st.header("All pairs", anchor=False)
    family = oriented(compared, choice, primary)
    shown = family if measure == primary else family + oriented(compared, choice, measure)
    pairs_table(
        compared,
        shown,
        f"First minus second, the chosen pair first. The family of {len(compared.family)} comparisons on {primary} was "
        "declared before the data; rows outside it are exploratory.",
    )
    for c in family:
        if (said := disagreement(c, alpha=compared.plan.alpha)) is not None:
            st.caption(plain(f"{label(c.first)} − {label(c.second)}: {said}"))
    with st.expander("The family in sentences", icon=":material/notes:"):
        for c in family:
            st.markdown(f"**{plain(headline(c, label))}**")
            st.markdown(plain(finding(c, k=len(compared.family), alpha=compared.plan.alpha, name=label)))
    comparison_downloads(compared, measure)
    st.caption("The files hold all measures; their pairs stand in the order of the runs, first minus second.")


def hit_rates(compared: Compared) -> None:
    """Success@k for each ranker, exploratory."""
    st.header("Hit rates", anchor=False)
    names = [run.name for run in compared.study.runs]
    hits = [m for m in compared.study.measures if m.is_hit_rate]
    rows = [(str(m), run, compared.mean(run, m)) for m in hits for run in names]
    text = "Success@k: at least one answer-bearing passage among the first k. Exploratory."
    beside = [compared.beside(run, Measure.parse(m)) for m, run, _ in rows]
    estimates(rows, "share of questions with a hit", text, "hit-rates", ("Measure", "Ranker"), compared, beside)
    coverage_note([*(e for _, _, e in rows), *beside])


def chunking(compared: Compared) -> None:
    """Whole sections against passages, for the dense ranker."""
    st.header("Passages against truncated whole sections", anchor=False)
    st.markdown(
        "The dense ranker twice, scored on sections: once with a vector for each whole section (the model reads its "
        "first 256 tokens only), once with passages, a section standing where its best passage stands. Exploratory. It "
        "does not show that cutting helps by itself: most of each whole section was never read by the model."
    )
    measures = compared.study.measures
    rows = [(str(m), run.name, compared.mean(run.name, m)) for m in measures for run in compared.study.runs]
    text = "Success@k here: at least one section that holds an answer among the first k sections. Exploratory."
    beside = [compared.beside(run, Measure.parse(m)) for m, run, _ in rows]
    estimates(rows, "share of questions with a hit", text, "chunking", ("Measure", "Indexed as"), compared, beside)
    pairs = [compared.pair("chunks", "sections", m) for m in measures]
    pairs_table(compared, pairs, "Passages minus whole sections, exploratory.")
    download(pairs_csv(compared, pairs, stamp(compared)), "chunking-pairs.csv")
    coverage_note(c.difference for c in pairs)


def breakdown(study: Textbook) -> None:
    """The primary measure by question type, exploratory."""
    compared = study.rankers
    primary = compared.plan.primary
    st.header("By type of question", anchor=False)
    names = [run.name for run in compared.study.runs]
    groups = [(f"{kind} (n = {len(ids)})", ids, run) for kind, ids in study.by_type.items() for run in names]
    rows = [(group, run, compared.mean(run, primary, ids)) for group, ids, run in groups]
    beside = [compared.beside(run, primary, ids) for _, ids, run in groups]
    sizes = sorted(len(ids) for ids in study.by_type.values())
    text = (
        f"Exploratory: {sizes[0]} to {sizes[-1]} questions a type cannot carry a conclusion, and percentile intervals "
        "of so few are too narrow; the table has t(n − 1) beside them, whose limits may pass 0 or 1."
    )
    estimates(rows, f"mean {primary}", text, "question-types", ("Type", "Ranker"), compared, beside, primary)
    coverage_note([*(e for _, _, e in rows), *beside])


def estimates(
    rows: list[tuple[str, str, Estimate]],
    axis: str,
    text: str,
    key: str,
    heads: tuple[str, str],
    compared: Compared,
    beside: Sequence[Estimate] = (),
    measure: Measure | None = None,
) -> None:
    """A figure of estimates, its words, its table (with second intervals ``beside`` them) and its download.

    ``measure`` is that of every row; None when the groups are the measures.
    """
    show(figures.means(rows, axis, text), key)
    with st.expander("As a table", icon=":material/table:"):
        estimates_table([(group, label(run), e) for group, run, e in rows], heads, text, beside)
        seconds: Sequence[Estimate | None] = beside or [None] * len(rows)
        full = [
            MeanRow("all" if measure is None else group, run, measure or Measure.parse(group), e, second)
            for (group, run, e), second in zip(rows, seconds, strict=True)
        ]
        download(means_csv(full, stamp(compared)), f"{key}.csv")


def _open_clicked_question() -> None:
    """A clicked bar becomes the question of the browser below."""
    points = st.session_state["differences"]["selection"]["points"]
    if points:
        clicked = points[0]["customdata"]
        st.session_state[QUESTION_KEY] = clicked if isinstance(clicked, str) else clicked[0]

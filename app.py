"""Overview: what the study shows, and what it leaves open."""

import streamlit as st

from evalcore.abstention.export import gates_csv
from evalcore.evidence import Estimate
from evalcore.export import stamp
from evalcore.gates import decide
from evalcore.studies import TEXTBOOK_TITLE
from ui import cached, shell
from ui.context import how_computed, limits, means_table
from ui.evidence import badges, card, coverage_note, gates_table
from ui.overview import abstention_text, gate_rows, scope_text, what_is_open
from ui.sentences import comparison_block, not_separated, other_pairs
from ui.tables import download
from ui.text import plain
from ui.theme import RANKERS
from ui.words import words

with shell.page("overview"):
    study = cached.textbook()
    compared = study.rankers
    primary = compared.plan.primary
    best, next_best = compared.by_mean[:2]
    first = compared.pair(best, next_best, primary)

    badges(first.basis, provisional=compared.provisional)
    comparison_block(first, compared)
    other_pairs(compared)
    st.page_link("pages/compare.py", label="See every comparison", icon=":material/arrow_forward:")
    words()

    st.header(f"Mean {primary} of the three rankers")
    st.markdown(RANKERS)
    columns = st.columns(3)
    for column, run in zip(columns, compared.study.runs, strict=True):
        with column:
            card(run.name, primary, compared.mean(run.name, primary), compared.beside(run.name, primary))
    means_table(compared)
    coverage_note([compared.mean(best, primary), first.difference])
    not_separated(compared)

    st.header("Gates, written before the run")
    abstention = cached.abstention(TEXTBOOK_TITLE)
    gates = gate_rows(study, abstention)
    decision = decide((gate, measured) for _, gate, measured in gates)
    st.markdown(f"**{decision.sentence}**")
    gates_table(gates, "Bounds declared in the plan, and what was measured.")
    download(gates_csv([(gate, m) for _, gate, m in gates], stamp(compared)), "gates.csv")
    st.markdown(plain(abstention_text(abstention)))
    st.page_link("pages/abstention.py", label="Move the threshold", icon=":material/arrow_forward:")
    st.caption(
        "A gate that is not assessed is no pass, and whether generated answers are right is not assessed until answers "
        "are read. Development only: held-out is not assessed."
    )
    auc = abstention.scores[abstention.primary].auc
    coverage_note([auc, *(measured for _, _, measured in gates if isinstance(measured, Estimate))])

    st.header("What was measured")
    st.markdown(scope_text(cached.report()))

    st.header("What is still open")
    st.markdown(what_is_open())

    how_computed(compared)
    limits(compared)

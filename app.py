"""Overview: what the study shows, and what it leaves open."""

import streamlit as st

from evalcore.export import stamp, to_csv
from evalcore.gates import decide
from ui import cached, shell
from ui.context import how_computed, limits, means_table
from ui.evidence import badges, card, coverage_note, gates_table
from ui.overview import gate_records, gate_rows, scope_text, what_is_open
from ui.sentences import comparison_block, not_separated, other_pairs
from ui.tables import download
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
    coverage_note([compared.mean(best, primary)])
    not_separated(compared)

    st.header("Gates, written before the run")
    gates = gate_rows(study, cached.gates())
    st.markdown(f"**{decide((gate, measured) for _, gate, measured in gates).sentence}**")
    gates_table(gates, "Bounds declared in the plan, and what was measured.")
    download(to_csv(gate_records(gates), stamp=stamp(compared)), "gates.csv")
    st.caption(
        "A gate that is not assessed is no pass. The abstention gates wait for questions that the text does not "
        "answer; whether generated answers are right is not assessed until answers are read."
    )

    coverage_note(estimate for _, _, estimate in gates)

    st.header("What was measured")
    st.markdown(scope_text(cached.report()))

    st.header("What is still open")
    st.markdown(what_is_open())

    how_computed(compared)
    limits(compared)

"""Downloads of a comparison, each made by evalcore's own exporter."""

from __future__ import annotations

import json

import streamlit as st

from evalcore.comparison import Compared
from evalcore.export import MeanRow, comparison_json, means_csv, pairs_csv, pairs_latex, stamp
from evalcore.measures import Measure


def comparison_downloads(compared: Compared, measure: Measure) -> None:
    """CSV of means and of pairs, JSON of everything, LaTeX of pairs on one measure; made when asked for."""
    tied_to = stamp(compared)
    measures, runs = compared.study.measures, [run.name for run in compared.study.runs]

    def means() -> str:
        rows = [MeanRow("all", r, m, compared.mean(r, m), compared.beside(r, m)) for m in measures for r in runs]
        return means_csv(rows, tied_to)

    def pairs() -> str:
        return pairs_csv(compared, [c for m in measures for c in compared.pairs(m)], tied_to)

    def everything() -> str:
        return json.dumps(comparison_json(compared), indent=1)

    files = (
        ("Means, CSV", "means.csv", "text/csv", means),
        ("Pairs, CSV", "pairs.csv", "text/csv", pairs),
        ("All, JSON", "comparison.json", "application/json", everything),
        ("Pairs, LaTeX", "pairs.tex", "application/x-tex", lambda: pairs_latex(compared, measure)),
    )
    with st.container(horizontal=True, gap="small"):
        for name, file, mime, data in files:
            st.download_button(
                name, data, file_name=file, mime=mime, icon=":material/download:", key=f"dl_{file}", on_click="ignore"
            )

"""Downloads of a comparison, each made by evalcore's own exporter."""

from __future__ import annotations

import json

import streamlit as st

from evalcore.comparison import Compared
from evalcore.export import MeanRow, comparison_json, means_csv, pairs_csv, pairs_latex, stamp
from evalcore.measures import Measure


def comparison_downloads(compared: Compared, measure: Measure) -> None:
    """CSV of means and of pairs, JSON of everything, LaTeX of the table of pairs on one measure."""
    tied_to = stamp(compared)
    measures, runs = compared.study.measures, [run.name for run in compared.study.runs]
    means = [MeanRow("all", run, m, compared.mean(run, m), compared.beside(run, m)) for m in measures for run in runs]
    pairs = [c for m in measures for c in compared.pairs(m)]
    files = (
        ("Means, CSV", "means.csv", "text/csv", means_csv(means, tied_to)),
        ("Pairs, CSV", "pairs.csv", "text/csv", pairs_csv(compared, pairs, tied_to)),
        ("All, JSON", "comparison.json", "application/json", json.dumps(comparison_json(compared), indent=1)),
        ("Pairs, LaTeX", "pairs.tex", "application/x-tex", pairs_latex(compared, measure)),
    )
    with st.container(horizontal=True, gap="small"):
        for name, file, mime, data in files:
            st.download_button(
                name, data, file_name=file, mime=mime, icon=":material/download:", key=f"dl_{file}", on_click="ignore"
            )

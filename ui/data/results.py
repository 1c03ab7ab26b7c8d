"""What a declared study of one's own shows."""

from __future__ import annotations

import streamlit as st

from evalcore.own import OwnStudy
from ui import own as visit
from ui.context import how_computed, state_of_runs
from ui.downloads import comparison_downloads
from ui.evidence import badges, coverage_note, estimates_table, pairs_table
from ui.own_notes import changed_note, limits_of_own
from ui.sentences import comparison_block
from ui.tables import save
from ui.text import plain


def declared_block(study: OwnStudy) -> None:
    """What was declared, when, and under which hash."""
    st.header("Declared", anchor=False)
    changed_note(study)
    lines = [f"declared  {study.declared.at}  {study.declared.sha256}"]
    if study.changed:
        lines.append(f"now       {study.now.at}  {study.now.sha256}")
    d = study.now.declaration
    lines.append(f"primary {d.primary}, relevant grade {d.relevant_grade}, alpha {d.alpha:g}, seed {d.seed}")
    against = "" if d.first is None else f" ({d.first})"
    lines.append(f"family: {d.family}{against}, {len(d.pairs)} of the {len(d.runs)} runs' pairs")
    st.code("\n".join(lines), language=None, wrap_lines=True)
    st.caption(
        "Time (UTC, by the server's clock) and sha256 of the declaration and of every file. Times in a file that was "
        "opened are as the file says; nothing here proves them."
    )
    save("Save study", lambda: visit.saved(study), "evidence-lab-study.zip", "application/zip")


def results(study: OwnStudy) -> None:
    """Finding, means, pairs, state of the runs, and downloads."""
    compared, primary = study.compared, study.compared.plan.primary
    pair = compared.pair(*study.leading, primary)
    badges(pair.basis, provisional=pair.provisional)
    comparison_block(pair, compared)
    for line in study.remarks:
        st.caption(plain(line))
    st.header("Means and pairs", anchor=False)
    names = [run.name for run in compared.study.runs]
    means = [(str(primary), name, compared.mean(name, primary)) for name in names]
    beside = [compared.beside(name, primary) for name in names]
    estimates_table(means, ("Measure", "Run"), "All runs on the primary measure.", beside)
    listed = compared.pairs(primary)
    pairs_table(compared, listed, _caption(study))
    coverage_note([*(e for _, _, e in means), *(c.difference for c in listed)])
    changed_note(study)
    comparison_downloads(compared, primary)
    state_of_runs(compared)
    how_computed(compared, "the declaration")
    limits_of_own(study)


def _caption(study: OwnStudy) -> str:
    k = len(study.compared.family)
    if study.changed:
        return "First minus second. No pair has a verdict: the declaration was changed after results were seen."
    return f"First minus second. The family of {k} was declared before these results were shown."

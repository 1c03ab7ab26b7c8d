"""Declare before you look: the form, before results and for a change after them."""

from __future__ import annotations

import streamlit as st

from evalcore.measures import STANDARD, Measure
from evalcore.own import Declaration, Family
from evalcore.own.declaration import ALPHA, GRADE

_LABELS = {Family.ALL: "All pairs", Family.FIRST: "Each against the first"}


def declaration_form(runs: tuple[str, ...], button: str, before: Declaration | None = None) -> Declaration | None:
    """The choices; a declaration when the button is pressed.

    Raises:
        BadInput: what cannot be declared.

    """
    key = "own_form" if before is None else "own_change"
    shown = before or Declaration(runs[:2])
    family = before.family if before else Family.default(len(runs))
    with st.form(key):
        left, right = st.columns(2)
        with left:
            names = [str(m) for m in dict.fromkeys([shown.primary, *STANDARD])]
            primary = st.selectbox("Primary measure", names, index=names.index(str(shown.primary)), key=f"{key}_m")
            families = list(Family)
            chosen = st.selectbox(
                "Family",
                families,
                index=families.index(family),
                format_func=_LABELS.__getitem__,
                key=f"{key}_family",
                help="The pairs that are tested together. Above five runs each against the first by default.",
            )
            first = st.selectbox(
                "First run",
                runs,
                index=runs.index(shown.first) if shown.first in runs else 0,
                key=f"{key}_first",
                help="Used when each is tested against the first.",
            )
        with right:
            grade = st.number_input(
                "Relevant grade",
                *GRADE,
                shown.relevant_grade,
                key=f"{key}_grade",
                help="A document of this grade or above counts as relevant.",
            )
            alpha = st.number_input(
                "Alpha", *ALPHA, shown.alpha, 0.01, format="%.4g", key=f"{key}_alpha", help="Of the whole family."
            )
        pressed = st.form_submit_button(button, type="primary")
    if not pressed:
        return None
    return Declaration(
        runs,
        Measure.parse(primary),
        int(grade),
        float(alpha),
        chosen,
        first if chosen is Family.FIRST else None,
        shown.seed,
    )

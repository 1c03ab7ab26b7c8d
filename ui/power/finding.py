"""The page's first words: what the study in use can find, and what may not be said."""

from __future__ import annotations

import streamlit as st

from evalcore.evidence import Basis
from evalcore.files import BadInput
from evalcore.planning import defaults
from evalcore.planning.questions import MeanPlan
from evalcore.planning.words import below_the_headline, headline, may_not_be_said
from ui.evidence import badges
from ui.power.promises import whole_row
from ui.promises import ANCHOR, ROW, named
from ui.text import plain
from ui.words import PLANNING, words

# the plan that the page begins with
_AT_FIRST = MeanPlan(defaults.D_Z, defaults.ALPHA, defaults.POWER, defaults.FAMILY, defaults.QUESTIONS_NOW)


def linked_row() -> None:
    """For whoever followed an interval's link: all about how often such intervals hold, before anything else."""
    asked = [row for row in st.query_params.get_all(ROW) if row]
    if not asked:
        return
    shown = plain(asked[-1][:60])
    if len(asked) > 1:
        st.caption(f"The link names {len(asked)} rows; the last, {shown}, is used.")
    try:
        found = named()
    except BadInput as error:
        st.caption(f"The link names the row {shown}, which cannot be shown: {plain(str(error))}.")
        return
    if found is None:
        st.caption(f"The link names the row {shown}, which is not here.")
        return
    st.info(f"{plain(found.sentence())} [See it among the others](#{ANCHOR})", icon=":material/arrow_right_alt:")
    whole_row(found)


def finding() -> None:
    """Headline, conditions, what may not be said, and where the questions are."""
    badges(Basis.ASSUMED, provisional=None)
    st.header(plain(headline(_AT_FIRST)), anchor=False)
    st.markdown(plain(below_the_headline(_AT_FIRST)))
    st.markdown("**What may not be said**\n" + "".join(f"\n- {plain(s)}" for s in may_not_be_said(_AT_FIRST)))
    st.markdown(
        "[1. How wide is my interval?](#width) · [2. Which questions decide?](#flips) · "
        "[3. How many questions?](#questions) · [4. My own data](#own) · [5. Do our intervals keep their "
        "word?](#promises)"
    )
    words(PLANNING)

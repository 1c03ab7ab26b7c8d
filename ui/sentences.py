"""The finding of a comparison as sentences on the page."""

from __future__ import annotations

import streamlit as st

from evalcore.comparison import Compared
from evalcore.evidence import Comparison
from evalcore.evidence.claims import finding, headline, in_brief, may_not_be_said
from ui.text import plain
from ui.theme import label


def comparison_block(c: Comparison, compared: Compared) -> None:
    """Headline, figures and what may not be said. The words come from evalcore; here they are only set."""
    st.header(plain(headline(c, label)), anchor=False)
    st.markdown(plain(finding(c, k=len(compared.family), alpha=compared.plan.alpha, name=label)))
    st.markdown("**What may not be said**\n" + "".join(f"\n- {plain(s)}" for s in may_not_be_said(c, label)))


def exploratory_block(c: Comparison, compared: Compared) -> None:
    """The finding on a measure outside the family, below the primary one; nothing when the pair is of the family."""
    if not c.in_family:
        st.markdown(f"**{plain(headline(c, label))}**")
        st.markdown(plain(finding(c, k=len(compared.family), alpha=compared.plan.alpha, name=label)))


def other_pairs(compared: Compared) -> None:
    """The headlines of the family's pairs beside the leading one."""
    ordered = compared.by_mean
    pairs = [(a, b) for i, a in enumerate(ordered) for b in ordered[i + 1 :]][1:]
    comparisons = [compared.pair(a, b, compared.plan.primary) for a, b in pairs]
    lines = [f"- {plain(headline(c, label))} {plain(in_brief(c))}" for c in comparisons]
    st.markdown("The other comparisons of the family:\n\n" + "\n".join(lines))


def not_separated(compared: Compared) -> None:
    """The rankers that the family does not separate from the one with the highest mean."""
    names = ", ".join(plain(label(name)) for name in compared.not_separated())
    st.markdown(
        f"On the primary measure, {compared.plan.primary}, these are not separated by this study: **{names}**. That is "
        "not the same as equal."
    )

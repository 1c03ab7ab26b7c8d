"""What changes with a choice: finding, controls, cards, the two figures, the question browser and the pairs.

One fragment, so that a choice redraws this part and leaves the rest of the page alone.
"""

from __future__ import annotations

import streamlit as st

from evalcore.textbook import Textbook
from ui.compare.browser import question_browser
from ui.compare.controls import controls
from ui.compare.results import pairs_section, two_figures
from ui.context import judged_note
from ui.evidence import badges, card, coverage_note
from ui.sentences import comparison_block, exploratory_block, not_separated
from ui.shell import guarded
from ui.theme import RANKERS
from ui.words import words


@st.fragment
def chosen_comparison(study: Textbook) -> None:
    """The comparison that the visitor chose. Every number is of all rankers; the choice only selects what is shown."""
    with guarded():
        _view(study)


def _view(study: Textbook) -> None:
    compared = study.rankers
    finding_area = st.container()
    choice = controls(compared)
    measure = choice.measure
    pair = compared.pair(choice.first, choice.second, measure)

    with finding_area:
        badges(pair.basis, provisional=pair.provisional)
        comparison_block(compared.pair(choice.first, choice.second, compared.plan.primary), compared)
        exploratory_block(pair, compared)
        words()

    st.markdown(RANKERS)
    means = {name: compared.mean(name, measure) for name in choice.rankers}
    for column, (name, mean) in zip(st.columns(len(means)), means.items(), strict=True):
        with column:
            card(name, measure, mean, compared.beside(name, measure))
    judged_note(compared, choice.rankers, measure)
    coverage_note([*means.values(), pair.difference])
    not_separated(compared)

    two_figures(study, compared, choice)
    question_browser(study, compared, choice)
    pairs_section(compared, choice)

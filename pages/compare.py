"""Compare rankers: is one better than another on these questions, by how much, and how sure?"""

import streamlit as st

from ui import cached, shell
from ui.compare.browser import question_browser
from ui.compare.context import how_computed, judged_note, limits
from ui.compare.controls import controls
from ui.compare.results import breakdown, chunking, hit_rates, pairs_section, two_figures
from ui.evidence import badges, card, coverage_note
from ui.sentences import comparison_block, exploratory_block, not_separated
from ui.theme import RANKERS
from ui.words import words

with shell.page("compare"):
    study = cached.textbook()
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
            card(name, measure, mean, None if measure.is_hit_rate else compared.beside(name, measure))
    judged_note(compared, choice.rankers, measure)
    coverage_note([*means.values(), pair.difference])
    not_separated(compared)

    two_figures(study, compared, choice)
    question_browser(study, compared, choice)
    pairs_section(compared, choice)
    hit_rates(compared, choice)
    chunking(study.chunking)
    breakdown(study, compared, choice)
    how_computed(compared, measure)
    limits(compared)

"""What about my own data? The study in use: its spread, and the power of larger studies like it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from evalcore.comparison import Compared
from evalcore.evidence.claims import number
from evalcore.export import stamp
from evalcore.planning import defaults
from evalcore.planning.export import own_rows, rows_csv
from evalcore.planning.own import OwnPair, OwnPower, own_pairs
from evalcore.planning.questions import MeanPlan
from ui import cached
from ui.controls import enter, switch
from ui.evidence import badges, coverage_note, labels, limits, linked
from ui.figures import power as figures
from ui.parts import show
from ui.power.parts import section, warn
from ui.shell import guarded
from ui.tables import download, table
from ui.text import plain
from ui.theme import label

_TERMS = {
    "Ties": "Questions on which the two do not differ, of those there are.",
    "Standard deviation": "Of the differences, with n − 1 below; it is what decides how many questions are needed.",
    "d_z seen": "Observed mean difference over that spread, with its interval. Not what to plan with.",
    "d_z worth having": "The smallest difference worth having over the observed spread: what to plan with.",
}
_READINGS = {
    "Power, one test": "Ties move with the rest, so that each of them becomes a small difference.",
    "Power, Holm's first step": "Ties move with the rest, so that each of them becomes a small difference.",
    "Ties stay ties, one test": "Only the questions that differ are moved, far enough for the same mean.",
    "Ties stay ties, Holm's first step": "Only the questions that differ are moved, far enough for the same mean.",
}


@section
def own_section() -> None:
    """Spread of every pair, and its power at larger sizes when asked for."""
    st.header("4. What about my own data?", anchor="own")
    # the caution stands whatever becomes of the study's files
    n, alpha = defaults.QUESTIONS_NOW, defaults.ALPHA
    with guarded():
        compared = cached.textbook().rankers
        n, alpha = len(compared.study.questions), compared.plan.alpha
        _study(compared)
    after = MeanPlan(defaults.D_Z, alpha, defaults.POWER, defaults.FAMILY, n).after_the_fact
    st.info(
        plain(
            "Do not compute power from the difference that was observed. It proves nothing: it is the p-value in other "
            f"clothes. A result with p = {alpha:g} on {n} questions always shows {number(after.value, 2)}, whatever is "
            "true."
        ),
        icon=":material/info:",
    )


def _study(compared: Compared) -> None:
    primary = compared.plan.primary
    best, next_best = compared.by_mean[:2]
    badges(compared.pair(best, next_best, primary).basis, provisional=compared.provisional)
    st.markdown(
        f"The study in use: the textbook's runs on {primary}. Their differences keep their spread and are moved so "
        "that the mean is the smallest difference that you would act on. Which one that is, you decide; the observed "
        "one is never the default. Questions on which the two tie move with the rest, as if each would differ a "
        "little; beside that stands the power if ties stay ties and only the other questions move."
    )
    one, two = st.columns([1, 2], vertical_alignment="bottom")
    with one:
        worth = enter(
            f"Smallest difference worth having, {primary}",
            0.001,
            1.0,
            key="worth",
            default=defaults.WORTH,
            step=0.01,
            help="A difference below this would change nothing that you do. Assumed.",
        )
    with two:
        asked = switch(
            "Resample these differences",
            key="resample",
            help="Simulates studies of n, 1.5 n, 2 n and 3 n questions and runs the declared sign-flip test on each. "
            "The result is kept.",
        )
        st.caption("Takes some seconds for each difference; until it is done the page's other controls wait.")
    pairs = own_pairs(compared, worth)
    found = _all(pairs) if asked else [(pair, ()) for pair in pairs]
    show(figures.own_power(found), "plot_own")
    _spreads(pairs)
    if asked:
        _simulated(found)
    download(rows_csv(own_rows(found), stamp(compared)), "own-differences.csv")


def _all(pairs: Sequence[OwnPair]) -> list[tuple[OwnPair, Sequence[OwnPower]]]:
    """Every pair at every size, a progress bar over what is not yet kept."""
    todo = [(pair, n) for pair in pairs for n in pair.sizes]
    bar = st.progress(0.0, "Resampling")
    found: dict[str, list[OwnPower]] = {}
    for done, (pair, n) in enumerate(todo, 1):
        found.setdefault(f"{pair.first} {pair.second}", []).append(cached.own_power(pair, n))
        bar.progress(done / len(todo), f"Resampling: {label(pair.first)} − {label(pair.second)}, {n} questions")
    bar.empty()
    return [(pair, found[f"{pair.first} {pair.second}"]) for pair in pairs]


def _spreads(pairs: Sequence[OwnPair]) -> None:
    rows = [
        {
            "Pair": f"{label(p.first)} − {label(p.second)}",
            "Ties": f"{p.ties} of {p.n}",
            "Standard deviation": number(p.spread.value),
            "d_z seen": number(p.d_z.value, 2),
            "95 % interval": linked(p.d_z),
            "d_z worth having": number(p.d_z_at_worth.value, 2),
            "Questions, one test": number(p.needed(p.compared.plan.alpha, 0.8).value, 0),
            "Questions, Holm's first step": number(p.needed(p.first_step, 0.8).value, 0),
        }
        for p in pairs
    ]
    text = (
        f"Spread of the differences on {pairs[0].n} questions, and the questions for a power of 0.8 by the closed form."
    )
    measured = labels([pairs[0].spread])
    table(rows, f"{text} Ties, spread and d_z seen: {measured} The rest: {labels([pairs[0].d_z_at_worth])}", _TERMS)
    coverage_note(p.d_z for p in pairs)


def _simulated(found: Sequence[tuple[OwnPair, Sequence[OwnPower]]]) -> None:
    rows = [
        {
            "Pair and questions": f"{label(pair.first)} − {label(pair.second)}, {power.n}",
            "Power, one test": number(power.one_test.value),
            "Power, Holm's first step": number(power.family.value),
            "95 % interval, Holm's first step": limits(power.family),
            "Ties stay ties, one test": number(power.one_test_ties.value),
            "Ties stay ties, Holm's first step": number(power.family_ties.value),
            "95 % interval, ties stay, Holm's first step": limits(power.family_ties),
            "Closed form, Holm's first step": number(pair.closed_form(power.n, pair.first_step).value),
        }
        for pair, powers in found
        for power in powers
    ]
    first = found[0][1][0].family
    text = (
        f"Share of {first.n:,} simulated studies in which the sign-flip test finds the difference; seed {first.seed}. "
        f"Holm's first step is that of the study's family of {found[0][0].family}. The intervals are the simulation's "
        "own."
    )
    table(rows, f"{text} {labels([power.family for _, powers in found for power in powers])}", _READINGS)
    for pair, powers in found:
        if caution := pair.caution(powers):
            warn(f"{label(pair.first)} − {label(pair.second)}: {caution}.")

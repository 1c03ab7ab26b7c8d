"""Which questions decide a paired comparison?"""

from __future__ import annotations

import streamlit as st

from evalcore.evidence.claims import number, signed
from evalcore.planning import defaults
from evalcore.planning.export import flip_rows, rows_csv
from evalcore.planning.flips import SupposedFlips, lesson_rows
from ui.controls import slide, slide_whole
from ui.evidence import labels, limits, linked
from ui.figures import planning as figures
from ui.parts import lead, show
from ui.power.parts import answers_table, section, warn
from ui.tables import download, table
from ui.text import plain

_MOST = 300


@section
def flips_section() -> None:
    """n and the two discordant counts, and the lesson's picture of equal gains beside them."""
    st.header("2. Which questions decide a paired comparison?", anchor="flips")
    st.markdown(
        "Only those that change outcome: *b* that the first run alone hits, and *c* that the second alone hits. To "
        "the difference and its standard error the others add nothing but their number, and to McNemar's test not even "
        "that. Newcombe's interval also moves a little with how many of them both runs hit."
    )
    one, two, three, four = st.columns(4, vertical_alignment="bottom")
    with one:
        n = slide_whole(
            "Questions, n",
            10,
            _MOST,
            key="pairs",
            default=defaults.PAIRED_QUESTIONS,
            help="Questions that both runs are scored on.",
        )
    with two:
        b = slide_whole(
            "Only the first hits, b",
            0,
            60,
            key="b",
            default=defaults.FLIPS[0],
            help="Flips in favour of the first run.",
        )
    with three:
        c = slide_whole(
            "Only the second hits, c",
            0,
            60,
            key="c",
            default=defaults.FLIPS[1],
            help="Flips in favour of the second run.",
        )
    with four:
        alike = slide(
            "Both hit, share of the rest",
            0.0,
            1.0,
            key="alike",
            default=defaults.BOTH_HIT,
            step=0.01,
            digits=2,
            help="Of the questions on which the two agree. It moves the intervals a little and McNemar's test not at "
            "all.",
        )
    try:
        here = SupposedFlips.of(n, b, c, alike)
    except ValueError as error:
        warn(f"{error}. Lower b or c, or raise n.")
        return
    rows = lesson_rows()
    show(figures.equal_gains(rows, here), "plot_gains")
    lead()
    st.markdown(plain(here.sentence()))
    answers_table(here.answers(), f"Of {here.inputs}.", "flips.csv", {"inputs": here.inputs})
    shown = [
        {
            "For, against": f"{s.table.first_only}, {s.table.second_only}",
            "Difference": signed(s.paired.value),
            "Paired standard error": number(s.error.value, 4),
            "95 % interval, paired": linked(s.paired),
            "As if unpaired": limits(s.unpaired),
            "McNemar's p": number(s.p.value),
        }
        for s in rows
    ]
    text = "Equal net gains of four questions in sixty, with more and more flips; the second run hits 42."
    table(shown, f"{text} {labels([s.paired for s in rows])}")
    download(rows_csv(flip_rows(rows), {}), "equal-gains.csv")

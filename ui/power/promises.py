"""Do our intervals keep their word? The simulated coverage of each, and the row that a link named."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from evalcore.evidence.claims import number
from evalcore.planning.export import rows_csv
from evalcore.planning.promises import Promise
from evalcore.stats.coverage import Coverage, Word, without
from evalcore.stats.coverage.kinds import CLUSTERED_RATE
from evalcore.stats.coverage.limits import LEVEL
from ui import cached
from ui.controls import choose
from ui.evidence import labels
from ui.figures import power as figures
from ui.parts import lead, show
from ui.power.parts import section
from ui.promises import ANCHOR, OF, named
from ui.tables import download, table

_TERMS = {
    "Held the truth": "The lowest share over the named populations, of samples that have an interval, with the "
    "simulation's own standard error.",
    "Lowest at": "The population at which it held least often.",
    "No interval": "The largest share, over the populations, of samples for which the method gives no interval: "
    "nothing was promised there, so that they count neither way.",
    "Keeps its word": "Yes when the lowest share less two errors reaches 94 %, no when even two errors more do not: a "
    "tolerance of one point, chosen by us. Between the two the simulation's noise would decide. Not for every sample "
    "when more than 5 % of samples, at some population, have no interval.",
    "Better beside it": "The interval of the same kind of number at the same size that holds more often, or that has "
    "one for every sample.",
}


_SIGNS = {Word.KEPT: "✓", Word.BROKEN: "✗", Word.UNCLEAR: "~", Word.PARTLY: "~"}


def whole_row(found: Promise) -> None:
    """A row and every population of it: all that section 5 says about one interval."""
    with st.expander("All of this row, with every population", icon=":material/table:"):
        table([_row(found)], f"The row that the link names. {labels([found.share])}", _TERMS)
        _populations([found])


@section
def promises_section() -> None:
    """One kind of interval at a time."""
    st.header("5. Do our intervals keep their word?", anchor=ANCHOR)
    found = cached.promises()
    st.markdown(
        f"An interval that says {100 * LEVEL:g} % promises to hold the truth in {100 * LEVEL:g} of 100 samples. Here "
        "each of ours is tried on samples from invented populations whose truth is known, at the sizes that this tool "
        "meets. Every interval on every page leads to its row."
    )
    linked = named()
    kinds = list(dict.fromkeys(p.family for p in found))
    st.markdown(
        f"There are intervals of {len(kinds)} kinds of number: {', '.join(kinds)}. One kind is shown at a time."
    )
    kind = choose(
        "Intervals of a",
        kinds,
        key=OF,
        default=linked.family if linked else kinds[0],
        help="Which kind of number the interval is for.",
    )
    mine = [p for p in found if p.family == kind]
    show(figures.promises(mine, LEVEL), "plot_promises")
    lead()
    first = mine[0].figure
    text = (
        f"Lowest share of samples whose interval held the truth, from {first.simulations:,} samples of each "
        "population; the planned method stays the first, whatever stands beside it."
    )
    if kind == CLUSTERED_RATE:
        text += (
            " Shown for these numbers of topics and items, rates from 0.8 to 0.98 and an ICC of up to 0.8; more items "
            "in a topic stretch the promise further."
        )
    marked = mine.index(linked) if linked in mine else None
    table([_row(p) for p in mine], f"{text} {labels([p.share for p in mine])}", _TERMS, marked)
    download(rows_csv([p.row() for p in found], {}), "coverage.csv")
    with st.expander("Every population", icon=":material/table:"):
        _populations(mine)


def _populations(mine: Sequence[Promise]) -> None:
    """Every population, a row each, with the share that held the truth and the share without an interval."""
    shown = [
        {"Population": name, **{p.name: _at(p.figure, name) for p in mine}}
        for name in dict.fromkeys(name for p in mine for name in p.figure.shares)
    ]
    text = (
        "Share of samples whose interval held the truth, of those that have one, and in brackets the share that have "
        "none; – where a population is not tried at that size, since hardly a sample of it has an interval."
    )
    table(shown, f"{text} {labels([p.share for p in mine])}")


def _at(figure: Coverage, population: str) -> str:
    if population not in figure.shares:
        return "–"
    none = figure.without[population]
    return f"{100 * figure.shares[population]:.1f} %" + (f" ({number(100 * none, 1)} % none)" if none else "")


def _row(promise: Promise) -> dict[str, str]:
    f, beside = promise.figure, promise.better
    return {
        "Interval and size": promise.name,
        "Held the truth": f"{100 * f.share:.1f} % ± {100 * f.error:.1f}",
        "Lowest at": f.population,
        "No interval": without(f),
        "Keeps its word": f"{_SIGNS[promise.keeps]} {promise.keeps}",
        "Better beside it": f"{beside.interval}, {100 * beside.share:.1f} %" if beside else "–",
    }

"""How wide is my interval? Rates, their widths, and the gates that are read on them."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore.evidence import Estimate
from evalcore.evidence.claims import number
from evalcore.planning import defaults
from evalcore.planning.answers import answers_csv
from evalcore.planning.export import gate_rows, half_width_rows, rate_rows, rows_csv
from evalcore.planning.rates import (
    SIZES,
    Funnel,
    GateChance,
    HalfWidth,
    SupposedRate,
    half_width_table,
    leaves_the_scale,
    rate_answers,
    width,
)
from evalcore.planning.words import WIDER
from ui.controls import choose, slide, slide_whole
from ui.evidence import coverage_note, labels, limits, linked
from ui.figures import planning as figures
from ui.parts import lead, show
from ui.power.parts import section, warn
from ui.shell import guarded
from ui.tables import Cell, download, table
from ui.text import plain

_MOST = 1000
_HALF_WIDTH_TERMS = {
    "Questions, normal": "By the formula of the normal approximation, z² p(1 − p)/h², rounded up.",
    "Questions, Wilson": "The fewest whose Wilson interval is as narrow.",
    "Rules out a true rate below, normal": "The rate less the half-width; – where that is no rate, in brackets where "
    "it is not to be trusted.",
    "Rules out a true rate below, Wilson": "The lower limit that this tool would print of the measured rate.",
    "To be trusted": "The normal approximation wants an interval inside 0 to 1 and at least five hits and five misses.",
}
_AT_LEAST, _AT_MOST = "at least", "at most"
# the lesson's unanswerable slice, and the textbook's
_SLICES = ((4, 6), (16, 24), (32, 48))


@section
def width_section() -> None:
    """Rate and number of questions: intervals side by side, and what a half-width takes."""
    st.header("1. How wide is my interval?", anchor="width")
    one, two = st.columns(2)
    with one:
        rate = slide(
            "Hit rate",
            0.01,
            0.99,
            key="rate",
            default=defaults.RATE,
            step=0.01,
            digits=2,
            help="The rate that you expect, or that a pilot gave. Assumed.",
        )
    left, right = st.columns(2, gap="large")
    numbers = st.container()
    _by_questions(rate, two, left, numbers)
    with right:
        st.subheader("The same rate, four numbers of questions", anchor=False)
        _panels(rate)
    _half_widths(rate)
    _slice()


@st.fragment
def _by_questions(rate: float, control: DeltaGenerator, plot: DeltaGenerator, numbers: DeltaGenerator) -> None:
    """What depends on the number of questions; a move of it leaves the rest of the section alone."""
    with guarded():
        with control:
            n = slide_whole(
                "Questions",
                4,
                _MOST,
                key="n",
                default=defaults.QUESTIONS,
                help="How many questions are asked. The hits are the whole number nearest to the rate.",
            )
        here = SupposedRate.near(rate, n)
        rounding = here.rounding(rate)
        if rounding:
            with control:
                st.caption(plain(f"{rounding}."))
        with plot:
            st.subheader("Width against the number of questions", anchor=False)
            show(figures.width_by_questions(Funnel.at(rate, _MOST), here, half_width_table(rate)), "plot_widths")
        lead()
        with numbers:
            _methods(here, rounding)


def _panels(rate: float) -> None:
    supposed = [SupposedRate.near(rate, size) for size in SIZES]
    show(figures.panels(supposed), "plot_panels")
    with st.expander("As a table", icon=":material/table:"):
        rows: list[dict[str, Cell]] = [
            {
                "Hits": f"{s.hits} of {s.n}",
                "Bootstrap": _or_why(s.bootstrap),
                "Wilson": linked(s.wilson),
                "Normal": _or_why(s.normal),
                "Width, bootstrap": number(width(s.bootstrap).value),
                "Width, normal": number(width(s.normal).value),
            }
            for s in supposed
        ]
        table(rows, f"95 % intervals at a rate of {rate:g}. {labels([s.wilson for s in supposed])}")
        download(rows_csv(rate_rows(supposed), {}), "four-sizes.csv")


def _or_why(estimate: Estimate) -> Cell:
    """The interval, or why there is none."""
    return linked(estimate) if estimate.low is not None else f"none: {estimate.reason}"


def _methods(here: SupposedRate, rounding: str | None) -> None:
    rows = [
        {
            "Method": e.method,
            "Rate": number(e.value),
            "95 % interval": linked(e),
            "Width": number(width(e).value),
            # a method without an interval says why where it is seen, not only in the download
            **({"Why none": e.reason or "–"} if any(m.low is None for m in here.methods) else {}),
        }
        for e in here.methods
    ]
    said = f" {rounding}." if rounding else ""
    table(rows, f"If {here.inputs}.{said} {labels(list(here.methods))}")
    download(answers_csv(rate_answers(here), {"inputs": here.inputs}), "interval.csv")
    coverage_note(here.methods)
    if leaves_the_scale(here.normal):
        warn(
            f"The normal approximation claims {limits(here.normal)}: no rate lies outside 0 to 1, so it should not be "
            "used here. Wilson's interval stays inside."
        )


def _half_widths(rate: float) -> None:
    rows = half_width_table(rate)
    shown = [
        {
            "Half-width": f"± {row.half_width:g}",
            "Questions, normal": number(row.normal.value, 0),
            "Questions, Wilson": number(row.wilson.value, 0),
            "Rules out a true rate below, normal": _not_to_be_used(row),
            "Rules out a true rate below, Wilson": number(row.ruled_out_wilson.value, 4),
            "To be trusted": "either" if row.caution is None else f"Wilson's only: {row.caution}",
        }
        for row in rows
    ]
    text = (
        f"Questions for a half-width at a rate of {rate:g}, and what a measured {rate:g} on the normal approximation's "
        "number of questions then rules out."
    )
    table(shown, f"{text} {labels([row.normal for row in rows])}", _HALF_WIDTH_TERMS)
    download(rows_csv(half_width_rows(rate, rows), {}), "half-widths.csv")
    if cautious := [f"± {row.half_width:g}" for row in rows if row.caution]:
        warn(
            f"At a rate of {rate:g} the normal approximation is not to be used for {', '.join(cautious)}: take "
            "Wilson's number of questions and what Wilson's limit rules out."
        )
    st.caption(WIDER)


def _not_to_be_used(row: HalfWidth) -> str:
    """The normal approximation's limit, marked where Wilson's is the one to trust."""
    shown = number(row.ruled_out.value)
    return shown if row.caution is None or row.ruled_out.value is None else f"({shown})"


def _slice() -> None:
    st.subheader("The unanswerable questions need their own number", anchor=False)
    rows = [SupposedRate(hits, n) for hits, n in _SLICES]
    shown = [
        {
            "If refused": f"{s.hits} of {s.n}",
            "Rate": number(s.wilson.value),
            "95 % interval (Wilson)": linked(s.wilson),
            "One question moves it by": number(s.one_question.value),
        }
        for s in rows
    ]
    text = (
        "Six are the toy run's, 24 the textbook's. An abstention rate is read on these alone, whatever n there is "
        "beside."
    )
    table(shown, f"{text} {labels([s.wilson for s in rows])}")
    download(rows_csv(rate_rows(rows), {}), "unanswerable-questions.csv")


@section
def gate_section() -> None:
    """How often a gate on a rate passes."""
    st.subheader("What will a gate decide?", anchor="gate")
    one, two, three = st.columns(3)
    with one:
        kind = choose(
            "The gate wants a rate of",
            [_AT_LEAST, _AT_MOST],
            key="gate",
            default=_AT_LEAST,
            help="Correct abstention has a gate of at least 0.80, false abstention one of at most 0.10.",
        )
    with two:
        limit = slide(
            "Bound", 0.0, 1.0, key="gate_limit", default=defaults.GATE, step=0.01, digits=2, help="The gate's bound."
        )
    with three:
        n = slide_whole(
            "Questions that the gate is read on",
            4,
            500,
            key="gate_n",
            default=defaults.GATE_QUESTIONS,
            help="The textbook has 24 unanswerable and 40 answerable questions.",
        )
    gate = GateChance(limit, kind == _AT_LEAST, n)
    show(figures.gate_chances(gate), "plot_gate_chances")
    lead()
    chances = gate.table()
    rows = [{"True rate": number(rate, 2), "The gate passes": number(chance.value)} for rate, chance in chances]
    needs = f"{kind} {gate.needed} of {n} pass" if 0 <= gate.needed <= n else "no count of questions passes"
    table(rows, f"A {gate.inputs}; {needs}. {labels([chance for _, chance in chances])}")
    download(rows_csv(gate_rows(gate), {}), "gate.csv")

"""How many questions do I need? For means, for hit rates, and for items that come in topics."""

from __future__ import annotations

import streamlit as st

from evalcore.evidence.claims import number
from evalcore.planning import defaults
from evalcore.planning.export import budget_rows, rows_csv
from evalcore.planning.questions import HitPlan, MeanPlan
from evalcore.planning.topics import ITEMS, TOPICS, Pilot, TopicPlan, budget_table
from evalcore.planning.words import IF_NORMAL, WIDER
from ui.controls import slide, slide_whole, write
from ui.evidence import labels
from ui.figures import power as figures
from ui.parts import lead, show
from ui.power.parts import answers_table, section, warn
from ui.tables import download, table
from ui.text import plain

_PILOT = "7/7, 7/7, 6/7, 5/7, 7/7, 4/7, 7/7, 2/7"
_LINES = (4, 8, 16, 32)


@section
def questions_section() -> None:
    """Test settings that means and hit rates share, then each."""
    st.header("3. How many questions do I need?", anchor="questions")
    one, two, three, four = st.columns(4, vertical_alignment="bottom")
    with one:
        alpha = slide(
            "Alpha",
            0.01,
            0.2,
            key="alpha",
            default=defaults.ALPHA,
            step=0.01,
            digits=2,
            help="How often a test may find a difference where there is none.",
        )
    with two:
        power = slide(
            "Wanted power",
            0.5,
            0.99,
            key="power",
            default=defaults.POWER,
            step=0.01,
            digits=2,
            help="How often a difference that is really there is to be found.",
        )
    with three:
        family = slide_whole(
            "Comparisons in the family",
            1,
            20,
            key="family",
            default=defaults.FAMILY,
            help="Three rankers make three comparisons. The smallest p must be below alpha over this number.",
        )
    with four:
        now = slide_whole(
            "Questions there are",
            5,
            500,
            key="now",
            default=defaults.QUESTIONS_NOW,
            help="The textbook has 40 answerable questions.",
        )
    _means(alpha, power, family, now)
    _hits(alpha, power, family, now)


@section
def _means(alpha: float, power: float, family: int, now: int) -> None:
    st.subheader("A mean, such as nDCG@10", anchor="means")
    d_z = slide(
        "Assumed d_z",
        0.05,
        2.0,
        key="d_z",
        default=defaults.D_Z,
        step=0.01,
        digits=2,
        help="Mean difference over the standard deviation of the differences. 0.2 is small, 0.5 is large for rankers.",
    )
    plan = MeanPlan(d_z, alpha, power, family, now)
    show(figures.power_of_means(plan), "plot_means")
    lead()
    st.caption(
        "The formula is the t test's. Verdicts come from the sign-flip test, which agrees with it from about 20 "
        "questions on; with very few questions no outcome is below alpha for it, and power is 0 there."
    )
    inputs = f"d_z {d_z:g}, alpha {alpha:g}, power {power:g}, family of {family}, {now} questions"
    answers_table(plan.answers(), f"With {inputs}.", "questions-mean.csv", {"inputs": inputs})
    seen = plan.d_z_seen
    st.caption(
        plain(
            f"A d_z from a small study is itself wide: {d_z:g} seen on {now} questions has a 95 % interval of "
            f"{number(seen.low, 2)} to {number(seen.high, 2)}, {IF_NORMAL}. Plan from the smallest difference worth "
            "having, not from what one study happened to show."
        )
    )


@section
def _hits(alpha: float, power: float, family: int, now: int) -> None:
    st.subheader("A hit rate, such as Success@5", anchor="hits")
    one, two = st.columns(2)
    with one:
        first = slide(
            "Only the first hits, share",
            0.0,
            0.5,
            key="only_first",
            default=defaults.ONLY_FIRST,
            step=0.005,
            digits=3,
            help="Share of all questions that only the first run hits. Assumed.",
        )
    with two:
        second = slide(
            "Only the second hits, share",
            0.0,
            0.5,
            key="only_second",
            default=defaults.ONLY_SECOND,
            step=0.005,
            digits=3,
            help="Share of all questions that only the second run hits. Assumed.",
        )
    plan = HitPlan(first, second, alpha, power, family, now)
    show(figures.power_of_hits(plan), "plot_hits")
    lead()
    inputs = (
        f"only the first {first:g}, only the second {second:g}, alpha {alpha:g}, power {power:g}, family of {family}, "
        f"{now} questions"
    )
    answers_table(plan.answers(), f"With {inputs}.", "questions-hits.csv", {"inputs": inputs})


@section
def topics_section() -> None:
    """Design effect, effective n, topics against items, and a pilot's own counts."""
    st.subheader("Items that come in topics, such as generated questions", anchor="topics")
    one, two, three, four = st.columns(4, vertical_alignment="bottom")
    with one:
        topics = slide_whole(
            "Topics", 2, 64, key="topics", default=defaults.TOPICS, help="The harness has eight topics."
        )
    with two:
        items = slide_whole(
            "Items in each topic",
            1,
            40,
            key="items",
            default=defaults.ITEMS,
            help="The harness asks for seven items a topic.",
        )
    with three:
        icc = slide(
            "ICC",
            0.0,
            1.0,
            key="icc",
            default=defaults.ICC,
            step=0.01,
            digits=2,
            help="How alike the items of one topic are: 0 not at all, 1 all pass or all fail. Assumed.",
        )
    with four:
        rate = slide(
            "Rate over items",
            0.01,
            0.99,
            key="topic_rate",
            default=defaults.RATE,
            step=0.01,
            digits=2,
            help="The share of items that you expect to pass. Assumed.",
        )
    plan = TopicPlan(topics, items, icc, rate)
    show(figures.half_width_by_items(plan, _LINES), "plot_topics")
    lead()
    answers_table(plan.answers(), f"With {plan.inputs}.", "topics.csv", {"inputs": plan.inputs})
    budget = budget_table(plan)
    shown = [
        {
            "Topics": str(g),
            **{f"{m} item{'s' if m > 1 else ''} each": f"± {number(e.value)}" for m, e in zip(ITEMS, row, strict=True)},
        }
        for g, row in zip(TOPICS, budget, strict=True)
    ]
    text = (
        f"Half-width to expect at ICC {icc:g} and rate {rate:g}: down the table new topics, across it new items of "
        "the same."
    )
    table(shown, f"{text} {labels([e for row in budget for e in row])}")
    download(rows_csv(budget_rows(plan), {}), "topics-and-items.csv")
    st.caption(f"{WIDER} The ICC is supposed too; one that is estimated from a few topics can be far off.")
    _pilot()


def _pilot() -> None:
    typed = write(
        "Hits by topic of a pilot, hits/items",
        key="pilot",
        default=_PILOT,
        longest=4000,
        help="One entry a topic, such as 7/7 or 5/7, apart by commas or spaces. What stands here first is invented.",
    )
    try:
        pilot = Pilot.read(typed)
    except ValueError as error:
        warn(f"The pilot cannot be read: {error}.")
        return
    invented = " These counts are invented for the example." if typed == _PILOT else ""
    answers_table(
        pilot.answers(), f"From the pilot's {len(pilot.hits)} topics.{invented}", "pilot.csv", {"hits": typed}
    )
    if pilot.found.interval.reason:
        st.caption(plain(f"{pilot.found.interval.reason[:1].upper()}{pilot.found.interval.reason[1:]}."))

"""Figures of how much is needed: power curves, topics and items, own differences, and how often intervals hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from evalcore.evidence import Estimate
from evalcore.evidence.claims import interval, number
from evalcore.planning.own import OwnPair, OwnPower
from evalcore.planning.promises import Promise
from evalcore.planning.questions import HitPlan, MeanPlan
from evalcore.planning.topics import TopicPlan
from evalcore.stats.coverage import Word
from evalcore.stats.resampling import Floats
from ui.figures.base import FONT, TALL, Described, dots, figure, zero
from ui.figures.steps import line, upright
from ui.theme import FAMILY, GREY, ONE_TEST, SPARE, THRESHOLD, label

# the numbers of questions whose power is said in words; every curve has a point at each
_SAID = (20, 40, 60, 80, 100, 150, 200, 400, 1000)
_WORDS = {Word.KEPT: ONE_TEST, Word.BROKEN: THRESHOLD, Word.UNCLEAR: GREY, Word.PARTLY: GREY}
_SHADES = (ONE_TEST, FAMILY, "#8F7F16", "#B4605F", "#1C9470")


def power_of_means(plan: MeanPlan) -> Described:
    """Power against questions for one test and at Holm's first step."""
    needed = (plan.for_one_test, plan.for_the_family)
    most = _reach(plan.now, needed)
    n, one, family = plan.curve(most, _SAID)
    return _power_curve(n, one, family, needed, plan.now, plan.power, plan.family, f"d_z {plan.d_z:g}")


def power_of_hits(plan: HitPlan) -> Described:
    """The same for McNemar's exact test: a saw, since flips are counted."""
    needed = (plan.needed(plan.alpha), plan.needed(plan.first_step))
    n, one, family = plan.curve(_reach(plan.now, needed), _SAID)
    what = f"{plan.only_first:g} hit by the first only, {plan.only_second:g} by the second only"
    return _power_curve(n, one, family, needed, plan.now, plan.power, plan.family, what)


def half_width_by_items(plan: TopicPlan, topics: Sequence[int]) -> Described:
    """Half-width against items a topic, one line a number of topics, the chosen plan marked."""
    items = np.unique(np.rint(np.geomspace(1, max(40, 2 * plan.items), 50)))
    shown = sorted({*topics, plan.topics})
    traces = [
        line(
            items,
            plan.half_widths(g, items),
            _SHADES[i % len(_SHADES)],
            f"{g} topics of %{{x:.0f}}: ± %{{y:.3f}}",
            f"{g} topics",
            "solid" if g == plan.topics else "dot",
        )
        for i, g in enumerate(shown)
    ]
    here = plan.half_width(plan.topics, plan.items)
    traces.append(
        go.Scatter(
            x=[plan.items],
            y=[here.value],
            mode="markers",
            marker={"color": THRESHOLD, "size": 13},
            hovertemplate=f"{plan.inputs}: ± %{{y:.3f}}<extra></extra>",
            showlegend=False,
        )
    )
    drawn = figure(
        traces,
        height=TALL,
        top=34,
        xaxis={"title": "items in each topic"},
        yaxis={"title": "half-width of the interval", "rangemode": "tozero", "showgrid": True},
        legend=True,
    )
    text = (
        "More items of the same topics soon stop helping when they are alike; more topics go on helping. The dot is "
        "the chosen plan."
    )
    values = "; ".join(
        f"{g} topics: " + ", ".join(f"{m} items ± {number(plan.half_width(g, m).value)}" for m in (1, 7, 28))
        for g in shown
    )
    return Described(drawn, text, f"{plan.inputs}: ± {number(here.value)}. {values}.")


def own_power(found: Sequence[tuple[OwnPair, Sequence[OwnPower]]]) -> Described:
    """Power at Holm's first step against questions, one colour a pair: closed form, and on it what was simulated."""
    traces, said = [], []
    for place, (pair, powers) in enumerate(found):
        shade, name = SPARE[place % len(SPARE)], f"{label(pair.first)} − {label(pair.second)}"
        traces += [_closed_form(pair, shade, name), *([_simulated(powers, shade, name)] if powers else [])]
        values = [f"{n} questions {number(pair.closed_form(n, pair.first_step).value)}" for n in pair.sizes]
        said.append(f"{name}, closed form: {', '.join(values)}")
        if powers:
            values = [f"{p.n} questions {number(p.family.value)} ({interval(p.family)})" for p in powers]
            said.append(f"{name}, simulated: {', '.join(values)}")
    drawn = figure(
        traces,
        height=TALL + 40,
        top=54,
        xaxis={"title": "questions", "rangemode": "tozero"},
        yaxis={"title": "power at Holm's first step", "range": [0, 1.05], "showgrid": True},
        legend=True,
    )
    text = "Dotted lines are the closed form of a t test at the difference worth having."
    if any(powers for _, powers in found):
        text += " Dots are simulated with the sign-flip test; their bars are the simulation's own 95 % interval."
    return Described(drawn, text, f"{'; '.join(said)}.")


def _closed_form(pair: OwnPair, shade: str, name: str) -> go.Scatter:
    n = np.linspace(2, 1.1 * pair.sizes[-1], 80)
    power = pair.closed_curve(n)
    return line(n, power, shade, f"{name}, closed form, %{{x:.0f}} questions: %{{y:.3f}}", name, "dot")


def _simulated(powers: Sequence[OwnPower], shade: str, name: str) -> go.Scatter:
    value, low, high = (
        np.array([getattr(p.family, end) for p in powers], dtype=float) for end in ("value", "low", "high")
    )
    bars = {"type": "data", "symmetric": False, "array": high - value, "arrayminus": value - low}
    return go.Scatter(
        x=[p.n for p in powers],
        y=value,
        mode="markers",
        marker={"color": shade, "size": 11},
        error_y={**bars, "color": shade, "thickness": 2, "width": 0},
        hovertemplate=f"{name}, simulated, %{{x}} questions: %{{y:.3f}}<extra></extra>",
        showlegend=False,
    )


def promises(found: Sequence[Promise], level: float) -> Described:
    """How often each interval held the truth: its lowest share with the simulation's own interval."""
    places = [float(p) for p in range(len(found), 0, -1)]
    estimates = [p.share for p in found]
    points = dots(
        estimates,
        places,
        [_WORDS[p.keeps] for p in found],
        GREY,
        [f"{p.name}: {number(p.share.value)} ({interval(p.share)})" for p in found],
    )
    lowest = min([0.9, *(float(e.low) for e in estimates if e.low is not None)])
    drawn = figure(
        [points],
        height=44 * len(found) + 90,
        xaxis={
            "title": "held the truth",
            "range": [lowest - 0.02, 1.005],
            "tickformat": ".0%",
        },
        yaxis={
            "tickvals": places,
            "ticktext": [f"{p.figure.interval}<br>{p.figure.size}" for p in found],
            "range": [0.4, len(found) + 0.6],
            "showgrid": False,
        },
        shapes=[zero({"x0": level, "x1": level, "y0": 0.4, "y1": len(found) + 0.6})],
    )
    text = (
        f"Each dot is the lowest share over the named populations; the line is the {100 * level:g} % that is promised. "
        "Blue dots keep their word, ochre ones do not, and grey ones come too close to say or have no interval for "
        "many a sample."
    )
    values = "; ".join(f"{p.name} {number(p.share.value)} ({interval(p.share)}){p.verdict}" for p in found)
    return Described(drawn, text, f"{values}.")


def _power_curve(
    n: Floats, one: Floats, family: Floats, needed: Sequence[Estimate], now: int, power: float, members: int, what: str
) -> Described:
    reached = [(e, shade) for e, shade in zip(needed, (ONE_TEST, FAMILY), strict=True) if e.value is not None]
    first = f"Holm's first step of {members}"
    traces = [
        line(n, one, ONE_TEST, "%{x:.0f} questions: power %{y:.3f}", "one test"),
        line(n, family, FAMILY, "%{x:.0f} questions: power %{y:.3f}", first, "dash"),
        go.Scatter(
            x=[e.value for e, _ in reached],
            y=[power] * len(reached),
            mode="markers+text",
            marker={"color": [shade for _, shade in reached], "size": 12},
            text=[number(e.value, 0) for e, _ in reached],
            textposition=["top left", "bottom right"][: len(reached)],
            textfont={"size": FONT},
            cliponaxis=False,
            hoverinfo="skip",
            showlegend=False,
        ),
    ]
    drawn = figure(
        traces,
        height=TALL,
        top=34,
        xaxis={"title": "questions", "range": [0, float(n[-1]) * 1.06]},
        yaxis={"title": "power", "range": [0, 1.05], "showgrid": True},
        shapes=[upright(now), _level(power, float(n[-1]))],
        legend=True,
    )
    text = f"The upright line is the {now} questions there are; dots are where each curve reaches a power of {power:g}."
    said = ", ".join(
        f"{name} {number(e.value, 0) if e.value is not None else e.reason}"
        for name, e in zip(("one test", first), needed, strict=True)
    )
    curve = "; ".join(
        f"{int(k)} questions {number(float(a), 2)} and {number(float(b), 2)}"
        for k, a, b in zip(n, one, family, strict=True)
        if int(k) in _SAID
    )
    return Described(drawn, text, f"Assumed {what}. Questions for power {power:g}: {said}. Power: {curve}.")


def _level(power: float, most: float) -> dict[str, Any]:
    ends = {"x0": 0, "x1": most, "y0": power, "y1": power}
    return {**zero(ends), "line": {"color": GREY, "width": 1, "dash": "dash"}}


def _reach(now: int, needed: Sequence[Estimate]) -> int:
    """How far right a curve goes: past the questions there are and those that are needed, as far as it can be seen."""
    known = [int(e.value) for e in needed if e.value is not None]
    return min(max([60, int(1.5 * now), *(int(1.25 * k) for k in known)]), 7_500)

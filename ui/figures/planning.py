"""Figures of a supposed outcome: how wide its interval is, which questions decide it, what a gate makes of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from evalcore.evidence import Estimate
from evalcore.evidence.claims import interval, number, signed
from evalcore.planning.flips import SupposedFlips
from evalcore.planning.rates import Funnel, GateChance, HalfWidth, SupposedRate, leaves_the_scale
from ui.figures.base import FONT, TALL, Described, dots, figure, zero
from ui.figures.steps import line, upright
from ui.theme import GREY, ONE_TEST, THRESHOLD, WINDOW


def panels(supposed: Sequence[SupposedRate]) -> Described:
    """The bootstrap of a hit list at several sizes, one row each, with three intervals."""
    rows = len(supposed)
    places = list(range(rows, 0, -1))
    bars = [_histogram(s, place) for s, place in zip(supposed, places, strict=True)]
    lines = [
        _limits([s.wilson for s in supposed], [p - 0.1 for p in places], ONE_TEST, "Wilson", "solid"),
        _limits([s.normal for s in supposed], [p - 0.2 for p in places], THRESHOLD, "normal approximation", "dot"),
    ]
    ends = [e for s in supposed for x in (s.wilson, s.normal) for e in (x.low, x.high) if e is not None]
    low, high = min([-0.02, *(e - 0.02 for e in ends)]), max([1.02, *(e + 0.02 for e in ends)])
    left = sum(s.hits / s.n for s in supposed) / rows > 0.45
    drawn = figure(
        [*bars, *lines],
        height=96 * rows + 90,
        top=34,
        xaxis={"title": "hit rate", "range": [low, high], "showgrid": True},
        yaxis={
            "tickvals": [p + 0.2 for p in places],
            "ticktext": [f"n = {s.n}<br>{s.hits} hits" for s in supposed],
            "range": [0.68, rows + 0.8],
            "showgrid": False,
        },
        shapes=_bands(supposed, places),
        annotations=[
            {
                "text": f"{number(s.bootstrap.low, 2)} to {number(s.bootstrap.high, 2)}"
                if s.bootstrap.low is not None
                else "no interval",
                "x": 0.01 if left else 0.99,
                "y": place + 0.3,
                "xanchor": "left" if left else "right",
                "showarrow": False,
                "font": {"size": FONT},
            }
            for s, place in zip(supposed, places, strict=True)
        ],
        legend=True,
    )
    text = (
        "Resampled hit rates of a list with exactly these hits; the shaded band and the numbers are the bootstrap's 95 "
        "% interval. Four times the questions halve the width."
    )
    if outside := [str(s.n) for s in supposed if leaves_the_scale(s.normal)]:
        text += f" The normal approximation leaves 0 to 1 at n = {', '.join(outside)}."
    values = "; ".join(
        f"{s.hits} of {s.n}: bootstrap {_of(s.bootstrap)}, Wilson {_of(s.wilson)}, normal {_of(s.normal)}"
        for s in supposed
    )
    return Described(drawn, text, f"{values}.")


def width_by_questions(funnel: Funnel, here: SupposedRate, rows: Sequence[HalfWidth]) -> Described:
    """Width of the interval against the number of questions, the chosen number and the table's half-widths marked."""
    wilson, normal = funnel.wilson_high - funnel.wilson_low, funnel.normal_high - funnel.normal_low
    asked = [(float(row.normal.value or 0), 2 * row.half_width) for row in rows]
    traces = [
        line(funnel.n, wilson, ONE_TEST, "%{x:.0f} questions: %{y:.3f}", "Wilson"),
        line(funnel.n, normal, THRESHOLD, "%{x:.0f} questions: %{y:.3f}", "normal approximation", "dot"),
        go.Scatter(
            x=[n for n, _ in asked],
            y=[w for _, w in asked],
            mode="markers+text",
            marker={"color": GREY, "size": 9, "symbol": "diamond"},
            text=[number(row.normal.value, 0) for row in rows],
            textposition="top right",
            textfont={"size": 13},
            hoverinfo="skip",
            cliponaxis=False,
            showlegend=False,
        ),
    ]
    most = float(funnel.n[-1])
    ticks = [t for t in (4, 10, 25, 62, 150, 400, 1000, 2500) if t <= most]
    drawn = figure(
        traces,
        height=TALL,
        top=34,
        xaxis={
            "title": "questions (each step multiplies)",
            "type": "log",
            "tickvals": ticks,
            "ticktext": [str(t) for t in ticks],
            "range": [float(np.log10(4)), float(np.log10(most * 2.5))],
        },
        yaxis={"title": "width of the 95 % interval", "rangemode": "tozero", "showgrid": True},
        shapes=[upright(here.n)],
        legend=True,
    )
    text = "The upright line is the chosen number of questions; diamonds are the half-widths of the table below."
    values = (
        f"At {here.n} questions with {here.hits} hits: Wilson {_of(here.wilson)}, normal {_of(here.normal)}. "
        + "; ".join(f"± {row.half_width:g} takes {number(row.normal.value, 0)}" for row in rows)
    )
    return Described(drawn, text, f"{values}.")


def equal_gains(rows: Sequence[SupposedFlips], here: SupposedFlips) -> Described:
    """Paired and unpaired intervals of equal net gains with more and more flips, the chosen study marked."""
    # the chosen study once: on its own row where it is one of the lesson's
    chosen = rows.index(here) if here in rows else 0
    shown = [*rows] if here in rows else [here, *rows]
    places = [float(p) for p in range(len(shown), 0, -1)]
    names = [f"{s.table.first_only} for, {s.table.second_only} against" for s in shown]
    paired = [s.paired for s in shown]
    unpaired = [s.unpaired for s in shown]
    traces = [
        dots(
            paired,
            places,
            [THRESHOLD if place == chosen else ONE_TEST for place in range(len(shown))],
            ONE_TEST,
            [f"{n}, paired: {_of(e)}" for n, e in zip(names, paired, strict=True)],
            "paired (Newcombe)",
        ),
        dots(
            unpaired,
            [p - 0.24 for p in places],
            [GREY] * len(shown),
            GREY,
            [f"{n}, as if unpaired: {_of(e)}" for n, e in zip(names, unpaired, strict=True)],
            "as if unpaired",
        ),
    ]
    drawn = figure(
        traces,
        height=58 * len(shown) + 110,
        top=34,
        xaxis={"title": "difference in hit rate"},
        yaxis={
            "tickvals": places,
            "ticktext": [
                f"<b>chosen</b><br>{n}" if place == chosen else f"{n}<br>of {s.table.n}"
                for place, (n, s) in enumerate(zip(names, shown, strict=True))
            ],
            "range": [0.4, len(shown) + 0.5],
            "showgrid": False,
        },
        shapes=[zero({"x0": 0, "x1": 0, "y0": 0.4, "y1": len(shown) + 0.5})],
        legend=True,
    )
    lesson = "All rows gain" if here in rows else "The lower rows all gain"
    text = (
        f"{lesson} four questions of sixty. The more questions change outcome, the wider the paired interval. As if "
        "unpaired all are equally wide: pairing helps while the two runs mostly agree."
    )
    values = "; ".join(
        f"{n}: paired {signed(p.value)} ({interval(p)}), as if unpaired ({interval(u)}), McNemar's p "
        f"{number(s.p.value)}"
        for n, s, p, u in zip(names, shown, paired, unpaired, strict=True)
    )
    return Described(drawn, text, f"{values}.")


def gate_chances(gate: GateChance) -> Described:
    """How often a gate passes against the true rate."""
    rates = np.linspace(0, 1, 201)
    table = gate.table()
    traces = [
        line(rates, gate.curve(rates), ONE_TEST, "true rate %{x:.2f}: passes %{y:.3f}", "passes"),
        go.Scatter(
            x=[rate for rate, _ in table],
            y=[e.value for _, e in table],
            mode="markers",
            marker={"color": ONE_TEST, "size": 10},
            hoverinfo="skip",
            cliponaxis=False,
            showlegend=False,
        ),
    ]
    drawn = figure(
        traces,
        height=TALL,
        xaxis={"title": "true rate", "range": [-0.01, 1.01]},
        yaxis={"title": "how often the gate passes", "range": [-0.02, 1.05], "showgrid": True},
        shapes=[upright(gate.limit)],
    )
    on_it = gate.passes(gate.limit)
    text = (
        f"The upright line is the bound. A system exactly on it passes {number(on_it.value, 2)} of the time; with very "
        "many questions that comes to about a half, by steps up and down, and not to 1."
    )
    if gate.limit in (0, 1):
        text = (
            "The upright line is the bound, which lies at the end of the scale. A system exactly on it always passes."
        )
    values = "; ".join(f"true rate {number(rate, 2)}: {number(e.value)}" for rate, e in table)
    return Described(drawn, text, f"The {gate.inputs} needs {gate.needed}. {values}.")


def _histogram(supposed: SupposedRate, place: float) -> go.Bar:
    rates, counts = supposed.resampled
    return go.Bar(
        x=rates,
        y=0.62 * counts / counts.max(),
        base=place,
        width=np.full(len(rates), 0.8 / supposed.n),
        marker={"color": GREY, "line": {"width": 0}},
        hovertemplate="%{x:.3f}<extra></extra>",
        showlegend=False,
    )


def _limits(estimates: Sequence[Estimate], places: Sequence[float], shade: str, name: str, dash: str) -> go.Scatter:
    known = [(e, p) for e, p in zip(estimates, places, strict=True) if e.low is not None]
    return go.Scatter(
        x=[x for e, _ in known for x in (e.low, e.high, None)],
        y=[y for _, p in known for y in (p, p, None)],
        mode="lines",
        line={"color": shade, "width": 3, "dash": dash},
        name=name,
        hovertemplate=f"{name} %{{x:.3f}}<extra></extra>",
    )


def _bands(supposed: Sequence[SupposedRate], places: Sequence[float]) -> list[dict[str, Any]]:
    """The bootstrap's intervals as bands, one of them in the legend for all."""
    bands = [_band(s.bootstrap, p) for s, p in zip(supposed, places, strict=True) if s.bootstrap.low is not None]
    return [{**band, "name": "bootstrap", "showlegend": place == 0} for place, band in enumerate(bands)]


def _band(estimate: Estimate, place: float) -> dict[str, Any]:
    ends = {"x0": estimate.low, "x1": estimate.high, "y0": place, "y1": place + 0.68}
    return {"type": "rect", **ends, "fillcolor": WINDOW, "line": {"width": 0}, "layer": "below"}


def _of(estimate: Estimate) -> str:
    return "no interval" if estimate.low is None else f"{number(estimate.low)} to {number(estimate.high)}"

"""Figures of a score: risk against coverage, calibration, and how well scores separate."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from evalcore.abstention.calibration import Calibration
from evalcore.abstention.cost import (
    Cheapest,
    Costs,
    coverage_at,
    risk_coverage,
    unsupported_share,
)
from evalcore.abstention.cuts import shown
from evalcore.abstention.scored import Scored
from evalcore.abstention.sweep import Ruler
from evalcore.abstention.words import joined
from evalcore.evidence import Estimate
from evalcore.evidence.claims import interval, number
from ui.figures.base import TALL, Described, dots, figure, zero
from ui.figures.steps import line, shaded, upright, words_at
from ui.theme import ANSWERABLE, GREY, THRESHOLD, UNANSWERABLE

_GOLDEN = 0.618034
_GRID_POINTS = 120


def risk_and_coverage(scored: Scored, threshold: float, share: float, reach: Ruler) -> Described:
    """Coverage against the unsupported share, one point a distinct score, with the operating point."""
    swept, candidate = scored.sweep, scored.sweep.at(threshold)
    traces = []
    for word, pi, shade in (("the file's mix", swept.share, GREY), (f"unanswerable share {share:g}", share, THRESHOLD)):
        coverage, risk = risk_coverage(swept, pi)
        traces.append(
            go.Scatter(
                x=coverage,
                y=risk,
                mode="lines+markers",
                line={"color": shade, "width": 1.5, "shape": "vh"},
                marker={"color": shade, "size": 5},
                name=word,
                hovertemplate="served %{x:.3f}, unsupported %{y:.3f}<extra></extra>",
            )
        )
        if swept.served[candidate]:
            traces.append(
                go.Scatter(
                    x=[float(coverage_at(swept, pi)[candidate])],
                    y=[float(unsupported_share(swept, pi)[candidate])],
                    mode="markers",
                    marker={"color": shade, "size": 14, "symbol": "diamond"},
                    hoverinfo="skip",
                    showlegend=False,
                )
            )
    drawn = figure(
        traces,
        height=TALL,
        top=34,
        xaxis={"title": "coverage: share served", "range": [0, 1.03]},
        yaxis={"title": "unsupported share of served", "rangemode": "tozero", "showgrid": True},
        legend=True,
    )
    text = (
        "A threshold only picks a point on the curve (the diamond is the current one); a score that separates better "
        "moves the whole curve down. The area under it sums a score up in one number; smaller is better."
    )
    own, chosen = scored.area(), scored.area(share)
    point = (
        f"serves {number(scored.coverage(candidate).value)} of the file's questions, "
        f"{number(scored.unsupported(candidate).value)} of them unsupported"
        if swept.served[candidate]
        else "serves nothing"
    )
    values = (
        f"Threshold {shown(threshold)} {point}. Area {number(own.value)} at the file's mix, "
        f"{number(chosen.value)} at an unanswerable share of {share:g}."
    )
    return Described(drawn, text, values)


def calibration(fitted: Calibration, costs: Costs, share: float, swept_cut: Cheapest, reach: Ruler) -> Described:
    """q(s) at the file's mix and the chosen one, the isotonic check, the cut that the costs make, and the sweep's."""
    grid = np.linspace(reach.low, reach.high, _GRID_POINTS)
    traces = []
    for word, pi, shade, dash in (
        ("q at the file's mix", None, GREY, "dot"),
        (f"q at share {share:g}", share, THRESHOLD, "solid"),
    ):
        q = fitted.q(grid, pi)
        if q is not None:
            traces.append(line(grid, q, shade, f"{word}: %{{y:.3f}} at %{{x:.{reach.digits}f}}", word, dash))
    distinct, shares = fitted.isotonic
    traces.append(
        go.Scatter(
            x=distinct,
            y=shares,
            mode="lines",
            line={"color": ANSWERABLE, "width": 1.5, "shape": "hv"},
            name="isotonic, file's mix",
            hoverinfo="skip",
        )
    )
    cut = fitted.cut(costs, share)
    level = costs.answer_above
    drawn = figure(
        traces,
        height=TALL,
        top=58,
        xaxis={"title": "score", "range": [reach.low, reach.high]},
        yaxis={"title": "P(answerable given score)", "range": [-0.02, 1.02], "showgrid": True},
        shapes=[
            *(shaded(c, reach) for c in swept_cut.cuts),
            {
                **zero({"x0": reach.low, "x1": reach.high, "y0": level, "y1": level}),
                "line": {"color": GREY, "width": 1.5, "dash": "dash"},
            },
            *([upright(cut.value)] if cut.value is not None else []),
        ],
        annotations=[words_at(reach.low, level, f"answer above q = {number(level)}")],
        legend=True,
    )
    text = (
        "Answering is cheaper where q exceeds the dashed line, c_u / (c_u + c_a). The upright line is where the fitted "
        "q crosses it; the sweep counts the shaded thresholds as cheapest, and the sweep is the headline."
    )
    where = number(cut.value, reach.digits) if cut.value is not None else f"not assessed ({cut.reason})"
    return Described(
        drawn, text, f"Cut by q at share {share:g}: {where}. Cheapest by the sweep: {joined(swept_cut.cuts)}."
    )


def reliability(fitted: Calibration) -> Described:
    """Predicted against observed shares of answerable questions, from cross-fitted q."""
    bins = fitted.reliability
    points = go.Scatter(
        x=np.array([b.predicted for b in bins]),
        y=np.array([b.observed.value for b in bins], dtype=float),
        mode="markers",
        marker={"color": THRESHOLD, "size": 12},
        error_y={
            "type": "data",
            "symmetric": False,
            "array": np.array([(b.observed.high or 0) - (b.observed.value or 0) for b in bins]),
            "arrayminus": np.array([(b.observed.value or 0) - (b.observed.low or 0) for b in bins]),
            "color": GREY,
            "thickness": 2.5,
            "width": 0,
        },
        text=np.array([f"predicted {number(b.predicted)}, {number(b.observed.value)} of {b.observed.n}" for b in bins]),
        hovertemplate="%{text}<extra></extra>",
        cliponaxis=False,
    )
    drawn = figure(
        [points],
        height=TALL,
        xaxis={"title": "mean predicted q, cross-fitted", "range": [-0.02, 1.02]},
        yaxis={"title": "share answerable", "range": [-0.04, 1.04], "showgrid": True},
        shapes=[zero({"x0": 0, "x1": 1, "y0": 0, "y1": 1})],
    )
    text = (
        f"Each dot is a fifth of the questions; on the line, predictions are right on average. q of a question comes "
        f"from the {fitted.folds - 1} of {fitted.folds} folds that it is not in."
    )
    values = "; ".join(
        f"predicted {number(b.predicted)}, observed {number(b.observed.value)} ({interval(b.observed)}, "
        f"n = {b.observed.n})"
        for b in bins
    )
    return Described(drawn, text, f"{values}.")


def separation(rows: Sequence[tuple[str, Estimate]]) -> Described:
    """AUC of each score with its interval."""
    places = [float(p) for p in range(len(rows), 0, -1)]
    known = [(name, e, p) for (name, e), p in zip(rows, places, strict=True) if e.value is not None]
    points = dots(
        [e for _, e, _ in known],
        [p for _, _, p in known],
        [THRESHOLD] * len(known),
        GREY,
        [f"{name}: {number(e.value)}, {interval(e)}" for name, e, _ in known],
    )
    drawn = figure(
        [points],
        height=max(62 * len(rows) + 70, 200),
        xaxis={"title": "AUC", "range": [-0.02, 1.02], "showgrid": True},
        yaxis={
            "tickvals": places,
            "ticktext": [f"{name.replace(' (', '<br>(')}<br>{number(e.value)}" for name, e in rows],
            "range": [0.4, len(rows) + 0.6],
            "showgrid": False,
        },
        shapes=[zero({"x0": 0.5, "x1": 0.5, "y0": 0.4, "y1": len(rows) + 0.6})],
    )
    text = (
        "How often an answerable question scores above an unanswerable one; at the line, 0.5, a score tells nothing. "
        "The intervals are each score's own: comparing two scores needs the paired difference in the table."
    )
    values = "; ".join(f"{name} {number(e.value)} ({interval(e)})" for name, e in rows)
    return Described(drawn, text, f"{values}.")


def contrast(scored: Scored, off_topic: Sequence[float], name: str) -> Described:
    """The scores of both groups beside those of off-topic questions, which are counted nowhere."""
    groups = [
        ("answerable", np.sort(scored.scores[scored.answerable]), ANSWERABLE, "circle"),
        ("unanswerable, near", np.sort(scored.scores[~scored.answerable]), UNANSWERABLE, "diamond"),
        ("off-topic", np.sort(np.array(off_topic)), GREY, "x"),
    ]
    traces = [
        go.Scatter(
            x=values,
            y=np.full(len(values), float(2 - place)),
            mode="markers",
            marker={"color": shade, "size": 10, "opacity": 0.7, "symbol": symbol},
            hovertemplate="%{x:.4g}<extra></extra>",
            cliponaxis=False,
        )
        for place, (_, values, shade, symbol) in enumerate(groups)
    ]
    drawn = figure(
        traces,
        height=250,
        xaxis={"title": name},
        yaxis={
            "tickvals": [2, 1, 0],
            "ticktext": [f"{word}<br>n = {len(values)}" for word, values, _, _ in groups],
            "range": [-0.6, 2.6],
            "showgrid": False,
        },
    )
    text = (
        "Off-topic questions are shown for contrast and counted nowhere: refusing them is easy, and counting them "
        "would flatter any threshold."
    )
    values = "; ".join(
        f"{word}: lowest {number(float(v[0]))}, median {number(float(np.median(v)))}, highest {number(float(v[-1]))}"
        for word, v, _, _ in groups
    )
    return Described(drawn, text, f"{name}. {values}.")

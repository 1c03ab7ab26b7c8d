"""Figures of one threshold: the two groups, error rates, costs and traffic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from evalcore.abstention.cost import (
    Cheapest,
    Costs,
    cost_per_1000,
    unsupported_by_mix,
)
from evalcore.abstention.cuts import Cut, shown
from evalcore.abstention.density import density
from evalcore.abstention.mixes import Mix
from evalcore.abstention.reading import Outcome, outcome
from evalcore.abstention.scored import CORRECT, FALSE, Scored
from evalcore.abstention.sweep import Flags, Floats, Ruler
from evalcore.abstention.words import joined
from evalcore.evidence import Estimate
from evalcore.evidence.claims import interval, number
from evalcore.gates import Gate
from ui.figures.base import TALL, Described, figure, note, zero
from ui.figures.steps import ends_of, faint, line, shaded, stairs, upright
from ui.theme import ANSWERABLE, GREY, THRESHOLD, UNANSWERABLE

_GOLDEN = 0.618034
_CIRCLE, _DIAMOND = 0, 2
_GRID_POINTS = 120


def two_groups(scored: Scored, threshold: float, reach: Ruler) -> Described:
    """Every question's score on one axis, answerable above unanswerable, as a strip under its density."""
    grid = np.linspace(reach.low, reach.high, _GRID_POINTS)
    served = scored.scores >= threshold
    curves = [
        _curve(grid, level + 0.62 * height / height.max(), shade)
        for level, mask, shade in ((1.0, scored.answerable, ANSWERABLE), (0.0, ~scored.answerable, UNANSWERABLE))
        for height in [density(scored.scores[mask], grid)]
    ]
    candidate = scored.sweep.at(threshold)
    cells = [
        scored.outcome(candidate, answerable=a, served=s)
        for a, s in ((True, True), (True, False), (False, True), (False, False))
    ]
    drawn = figure(
        [_strips(scored, served)],
        height=TALL,
        xaxis={"title": "score: served at or above the threshold", "range": [reach.low, reach.high]},
        yaxis={
            "tickvals": [1, 0],
            "ticktext": [
                f"answerable<br>n = {scored.sweep.answerable}",
                f"unanswerable<br>n = {scored.sweep.unanswerable}",
            ],
            "range": [-0.42, 1.75],
            "showgrid": False,
        },
        shapes=[*curves, upright(threshold)],
        annotations=[_beside_line(threshold, reach)],
    )
    text = (
        "Each mark is a question; large marks are the threshold's two errors: answerable ones left of the line, "
        "unanswerable ones right of it. Click a mark to put the threshold there."
    )
    values = f"Threshold {shown(threshold)}: " + ", ".join(f"{c.count} of {c.total} {c.what}" for c in cells)
    return Described(drawn, text, f"{values}.")


def error_rates(
    scored: Scored, threshold: float, gates: Mapping[str, Gate], window: tuple[Cut, ...], reach: Ruler
) -> Described:
    """Both abstention rates against the threshold, with their bands, the gates and the window that passes them."""
    swept = scored.sweep
    traces = []
    for values, band, shade, word in (
        (swept.correct_abstention, swept.correct_band, UNANSWERABLE, "correct abstention"),
        (swept.false_abstention, swept.false_band, ANSWERABLE, "false abstention"),
    ):
        x, low = stairs(swept.thresholds, band[0], reach)
        _, high = stairs(swept.thresholds, band[1], reach)
        _, y = stairs(swept.thresholds, values, reach)
        traces.append(
            go.Scatter(
                x=np.concatenate([x, x[::-1]]),
                y=np.concatenate([low, high[::-1]]),
                fill="toself",
                mode="none",
                fillcolor=faint(shade),
                hoverinfo="skip",
                showlegend=False,
            )
        )
        traces.append(line(x, y, shade, f"{word} %{{y:.3f}} at %{{x:.{reach.digits}f}}", word))
    lines, words = [], []
    for name, shade in ((CORRECT, UNANSWERABLE), (FALSE, ANSWERABLE)):
        gate = gates.get(name)
        if gate is not None and gate.limit is not None:
            lines.append(
                {
                    **zero({"x0": reach.low, "x1": reach.high, "y0": gate.limit, "y1": gate.limit}),
                    "line": {"color": shade, "width": 1.5, "dash": "dash"},
                }
            )
            words.append(
                {
                    "text": f"gate: {gate.bound}",
                    "x": reach.low if name == CORRECT else reach.high,
                    "y": gate.limit,
                    "xanchor": "left" if name == CORRECT else "right",
                    "yanchor": "bottom",
                    "showarrow": False,
                    "font": {"size": 13},
                }
            )
    drawn = figure(
        traces,
        height=TALL,
        top=34,
        xaxis={"title": "threshold", "range": [reach.low, reach.high]},
        yaxis={"title": "share refused", "range": [-0.02, 1.02], "showgrid": True},
        shapes=[*(shaded(cut, reach) for cut in window), *lines, upright(threshold)],
        annotations=words,
        legend=True,
    )
    text = (
        "Raising the threshold raises both. The bands are pointwise 95 % Wilson intervals: each holds at one threshold "
        "chosen beforehand, not at the best one found here. "
        + ("The shaded thresholds pass the gates." if window else "No threshold passes the gates.")
    )
    candidate = swept.at(threshold)
    said = (
        f"At {shown(threshold)}: {_said('correct abstention', scored.correct_abstention(candidate))}; "
        f"{_said('false abstention', scored.false_abstention(candidate))}. "
        f"Thresholds that pass the gates: {joined(window)}."
    )
    return Described(drawn, text, said)


def costs_by_threshold(
    scored: Scored,
    threshold: float,
    costs: Costs,
    found: Sequence[tuple[str, float, Cheapest]],
    reach: Ruler,
) -> Described:
    """Expected cost against the threshold at the file's mix and at the chosen one, cheapest thresholds marked."""
    swept = scored.sweep
    traces, said = [], []
    for (word, pi, cheapest), shade, dash in zip(found, (GREY, THRESHOLD), ("dot", "solid"), strict=True):
        x, y = stairs(swept.thresholds, cost_per_1000(swept, costs, pi), reach)
        traces.append(line(x, y, shade, f"{word}: %{{y:.0f}} at %{{x:.{reach.digits}f}}", word, dash))
        ends = [ends_of(cut, reach) for cut in cheapest.cuts]
        traces.append(
            go.Scatter(
                x=[x for low, high in ends for x in (low, high, None)],
                y=[cheapest.cost if x is not None else None for low, high in ends for x in (low, high, None)],
                mode="lines+markers",
                line={"color": shade, "width": 6},
                marker={"color": shade, "size": 9},
                name=f"cheapest, {word}",
                hoverinfo="skip",
                showlegend=False,
            )
        )
        said.append(f"{word} cheapest at {joined(cheapest.cuts)}, {number(cheapest.cost, 0)} per 1,000")
    drawn = figure(
        traces,
        height=TALL,
        top=34,
        xaxis={"title": "threshold", "range": [reach.low, reach.high]},
        yaxis={"title": "cost per 1,000 questions", "rangemode": "tozero", "showgrid": True},
        shapes=[upright(threshold)],
        legend=True,
    )
    text = (
        f"An unsupported answer costs {costs.unsupported:g}, refusing an answerable question {costs.refusal:g}: "
        "assumed. Cost is a step function, so the cheapest thresholds are intervals; the thick pieces mark them."
    )
    candidate = swept.at(threshold)
    now = ", ".join(f"{word} {number(float(cost_per_1000(swept, costs, pi)[candidate]), 0)}" for word, pi, _ in found)
    return Described(drawn, text, f"At {shown(threshold)}: {now}. {'; '.join(said)}.")


def traffic(
    scored: Scored, threshold: float, mixes: Sequence[Mix], share: float, error: float, reach: Ruler
) -> Described:
    """The unsupported share of served answers against the share of unanswerable traffic, at the current threshold."""
    swept, candidate = scored.sweep, scored.sweep.at(threshold)
    shares = np.linspace(0.0, 1.0, 101)
    floor = unsupported_by_mix(swept, candidate, shares)
    traces = [line(shares, floor, UNANSWERABLE, "%{x:.0%} unanswerable: %{y:.3f}", "unsupported share: the floor")]
    if error:
        whole = unsupported_by_mix(swept, candidate, shares, generation_error=error)
        traces.append(
            line(shares, whole, THRESHOLD, "with generation error: %{y:.3f}", "with generation error", "dash")
        )
    named = sorted([*mixes, Mix("This file's mix", swept.share)], key=lambda mix: mix.share)
    at = [scored.unsupported_at(candidate, mix.share) for mix in named]
    known = [(mix, e) for mix, e in zip(named, at, strict=True) if e.value is not None]
    traces.append(
        go.Scatter(
            x=np.array([mix.share for mix, _ in known]),
            y=np.array([e.value for _, e in known], dtype=float),
            mode="markers",
            marker={"color": UNANSWERABLE, "size": 11},
            text=np.array([f"{mix.name}: {number(e.value)}" for mix, e in known]),
            hovertemplate="%{text}<extra></extra>",
            cliponaxis=False,
            showlegend=False,
        )
    )
    drawn = figure(
        traces,
        height=TALL,
        top=34,
        xaxis={"title": "unanswerable share of traffic", "range": [-0.01, 1.01], "tickformat": ".0%"},
        yaxis={"title": "unsupported share of served", "range": [-0.02, 1.02], "showgrid": True},
        shapes=[upright(share)],
        annotations=[_named(mix.name, mix.share, e, place) for place, (mix, e) in enumerate(known)],
        legend=True,
    )
    text = (
        "The two error rates belong to the threshold; this share belongs to threshold and traffic together. Every mix "
        "is assumed; the upright line is the chosen one."
    )
    values = "; ".join(
        f"{mix.name} ({100 * mix.share:g} %) {number(e.value)}" for mix, e in zip(named, at, strict=True)
    )
    return Described(drawn, text, f"At threshold {shown(threshold)}: {values}.")


def _strips(scored: Scored, served: Flags) -> go.Scatter:
    """A mark a question; the errors large and full, the rest small and faint. One trace, which is drawn the soonest."""
    answerable = scored.answerable
    wrong = served != answerable
    spread = (np.arange(len(served)) * _GOLDEN) % 1
    return go.Scatter(
        x=scored.scores,
        y=np.where(answerable, 1.0, 0.0) - 0.08 - 0.26 * spread,
        mode="markers",
        marker={
            # numbers, since Plotly checks colours and symbols by name one at a time
            "color": answerable.astype(int),
            "cmin": 0,
            "cmax": 1,
            "colorscale": [[0, UNANSWERABLE], [1, ANSWERABLE]],
            "showscale": False,
            "size": np.where(wrong, 11, 7),
            "opacity": np.where(wrong, 1.0, 0.45),
            "symbol": np.where(answerable, _CIRCLE, _DIAMOND),
        },
        customdata=scored.scores,
        text=np.array([f"{i}: {_outcome(a, s)}" for i, a, s in zip(scored.table.ids, answerable, served, strict=True)]),
        hovertemplate="%{text}<br>score %{x:.4g}<extra></extra>",
        cliponaxis=False,
        showlegend=False,
        unselected={"marker": {"opacity": 0.45}},
    )


def _curve(x: Floats, y: Floats, shade: str) -> dict[str, Any]:
    """A curve as a shape, which costs a browser less than a trace."""
    path = "M" + "L".join(f"{a:.5g},{b:.4g}" for a, b in zip(x, y, strict=True))
    return {"type": "path", "path": path, "line": {"color": shade, "width": 2}}


def _named(name: str, share: float, estimate: Estimate, place: int) -> dict[str, Any]:
    """A mix named above its dot, each on a line of its own, so that names on a phone do not meet."""
    value = estimate.value or 0.0
    # above, names stand clear of the curve as long as it is low; past the middle there is room below it
    height = 0.97 - 0.12 * place if share < 0.5 else max(0.06, value - 0.24)
    at = {"x": share, "y": value, "ax": share, "ay": height, "axref": "x", "ayref": "y"}
    words = {"text": name, "xanchor": "center" if 0.3 < share < 0.5 else "left", "font": {"size": 12}}
    return {**at, **words, "showarrow": True, "arrowwidth": 1, "arrowcolor": GREY, "arrowhead": 0}


def _outcome(answerable: bool, served: bool) -> str:
    found: Outcome = outcome(answerable, served)
    return found.value


def _beside_line(threshold: float, reach: Ruler) -> dict[str, Any]:
    right = threshold < (reach.low + reach.high) / 2
    words = note(
        "served →" if right else "← refused", THRESHOLD, x=0, y=1, anchor=("left" if right else "right", "top")
    )
    return {**words, "x": threshold, "xref": "x", "xshift": 6 if right else -6}


def _said(name: str, estimate: Estimate) -> str:
    return f"{name} {number(estimate.value)} ({interval(estimate)}, n = {estimate.n})"

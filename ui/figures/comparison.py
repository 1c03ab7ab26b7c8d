"""Figures of a comparison of rankers: result in, Plotly figure and its description in words out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap

import numpy as np
import plotly.graph_objects as go

from evalcore.comparison import Compared
from evalcore.evidence import Comparison, Estimate
from evalcore.evidence.claims import interval, number, signed
from evalcore.measures import Measure
from ui.figures.base import TALL, Described, dots, figure, note, zero
from ui.theme import GREY, GRID, colour, label

_ROW = 62


def forest(rows: Sequence[Comparison]) -> Described:
    """Paired differences with their intervals, one row a pair."""
    places = [float(place) for place in range(len(rows), 0, -1)]
    known = [(c, place) for c, place in zip(rows, places, strict=True) if c.difference.value is not None]
    points = dots(
        [c.difference for c, _ in known],
        [place for _, place in known],
        [GREY if c.leader is None else colour(c.leader) for c, _ in known],
        GREY,
        [f"{_pair(c)}: {signed(c.difference.value)}, {interval(c.difference)}" for c, _ in known],
    )
    ends = [x for c in rows for x in (c.difference.value, c.difference.low, c.difference.high) if x]
    reach = 1.15 * max(map(abs, ends), default=1.0)
    drawn = figure(
        [points],
        height=max(_ROW * len(rows) + 80, TALL),
        xaxis={"range": [-reach, reach], "title": "difference in mean"},
        yaxis={
            "tickvals": places,
            "ticktext": [f"{_pair(c)}<br>{c.measure} {signed(c.difference.value)}" for c in rows],
            "range": [0.4, len(rows) + 0.6],
            "showgrid": False,
        },
        shapes=[zero({"x0": 0, "x1": 0, "y0": 0.4, "y1": len(rows) + 0.6})],
    )
    text = (
        "A dot right of the line favours the first-named ranker, and has the colour of the one that is ahead; an "
        "interval that crosses the line is compatible with either sign."
    )
    values = "; ".join(f"{_pair(c)}, {c.measure} {signed(c.difference.value)} ({interval(c.difference)})" for c in rows)
    return Described(drawn, text, f"{values}.")


def question_differences(
    compared: Compared, first: str, second: str, measure: Measure, texts: Mapping[str, str], *, clickable: bool = True
) -> Described:
    """One bar a question, sorted: how far the first ranker is ahead; ``texts`` maps question ids to questions."""
    apart = compared.differences(first, second, measure)
    ids = sorted(apart, key=lambda q: -apart[q])
    sorted_differences = np.array([apart[q] for q in ids])
    c = compared.pair(first, second, measure)
    ahead, behind = colour(first), colour(second)
    bars = go.Bar(
        x=np.arange(1, len(ids) + 1),
        y=sorted_differences,
        customdata=np.array(ids),
        marker={"color": [ahead if d > 0 else behind for d in sorted_differences], "line": {"width": 0}},
        text=np.array(["<br>".join(wrap(texts.get(q, ""), 44)) for q in ids]),
        textposition="none",
        hovertemplate="%{customdata} %{y:+.3f}<br>%{text}<extra></extra>",
    )
    drawn = figure(
        [bars],
        height=TALL,
        xaxis={"title": f"{len(ids)} questions, sorted", "showticklabels": False, "showgrid": False},
        yaxis={"title": f"{measure} difference", "showgrid": True},
        shapes=[zero({"x0": 0.3, "x1": len(ids) + 0.7, "y0": 0, "y1": 0})],
        # direct labels instead of a legend, one on each side of the line
        annotations=[
            note(f"{label(first)} ahead on {c.wins}", ahead, x=0.98, y=0.98, anchor=("right", "top")),
            note(f"{label(second)} ahead on {c.losses}", behind, x=0.02, y=0.07, anchor=("left", "bottom")),
        ],
    )
    text = f"{c.wins} questions favour {label(first)}, {c.losses} favour {label(second)}, {c.ties} tie." + (
        " Click a bar to read that question below." if clickable else ""
    )
    values = "; ".join(f"{q} {signed(float(d))}" for q, d in zip(ids, sorted_differences, strict=True))
    return Described(drawn, text, f"{values}.")


def means(rows: Sequence[tuple[str, str, Estimate]], title: str, text: str) -> Described:
    """Dots with intervals: (group, run, estimate), grouped along the vertical axis; ``text`` says what it shows."""
    groups = list(dict.fromkeys(group for group, _, _ in rows))
    runs = list(dict.fromkeys(run for _, run, _ in rows))
    traces = []
    for place, run in enumerate(runs):
        shift = (0.5 - (place + 0.5) / len(runs)) * 0.66
        mine = [(group, e) for group, other, e in rows if other == run and e.value is not None]
        shade = colour(run, runs)
        traces.append(
            dots(
                [e for _, e in mine],
                [len(groups) - groups.index(group) + shift for group, _ in mine],
                [shade] * len(mine),
                shade,
                [f"{group}, {label(run)}: {number(e.value)}, {interval(e)}" for group, e in mine],
                label(run),
            )
        )
    drawn = figure(
        traces,
        height=66 * len(groups) + 110,
        top=34,
        xaxis={"title": title, "range": [-0.02, 1.02], "showgrid": True},
        yaxis={
            "tickvals": list(range(len(groups), 0, -1)),
            "ticktext": [g.replace(" (", "<br>(") for g in groups],
            "range": [0.4, len(groups) + 0.6],
            "showgrid": False,
        },
        legend=True,
    )
    values = "; ".join(f"{g}, {label(r)} {number(e.value)} ({interval(e)})" for g, r, e in rows)
    return Described(drawn, text, f"{values}.")


def interval_line(estimate: Estimate, shade: str) -> str:
    """A thin line from 0 to 1 with the interval and the value on it, as HTML for a number card."""
    spoken = f"{number(estimate.value)}, {interval(estimate)}, on a line from 0 to 1"

    def bar(left: float, width: float, style: str) -> str:
        return f'<div style="position:absolute;left:{100 * left:.2f}%;width:{100 * width:.2f}%;{style}"></div>'

    parts = [bar(0, 1, f"top:11px;height:2px;background:{GRID}")]
    parts += [bar(tick, 0, f"top:7px;height:10px;border-left:1px solid {GREY}") for tick in (0, 0.5, 1)]
    if estimate.low is not None and estimate.high is not None:
        style = f"top:9px;height:6px;border-radius:3px;background:{shade};opacity:.55"
        parts.append(bar(estimate.low, estimate.high - estimate.low, style))
    if estimate.value is not None:
        style = f"top:6px;width:12px;height:12px;margin-left:-6px;border-radius:6px;background:{shade}"
        parts.append(bar(estimate.value, 0, style))
    ends = "top:19px;font-size:.75rem"
    for side, end in (("left", 0), ("right", 1)):
        parts.append(f'<div style="position:absolute;{side}:0;{ends}">{end}</div>')
    frame = "position:relative;height:38px;margin:0 6px"
    return f'<div role="img" aria-label="{spoken}" style="{frame}">{"".join(parts)}</div>'


def _pair(c: Comparison) -> str:
    return f"{label(c.first)} − {label(c.second)}"

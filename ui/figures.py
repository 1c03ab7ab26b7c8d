"""Figures: result in, Plotly figure and its description in words out. Nothing here asks Streamlit anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap

import numpy as np
import plotly.graph_objects as go

from evalcore.comparison import Compared
from evalcore.evidence import Comparison, Estimate
from evalcore.evidence.claims import interval, number, signed
from evalcore.measures import Measure
from ui.theme import Palette, label

CONFIG = {"displayModeBar": False, "responsive": True}
_ROW = 62
_TALL = 340
_FONT = 14


@dataclass(frozen=True, slots=True)
class Described:
    """A figure with one sentence under it (``text``) and every value of it in words (``values``)."""

    figure: go.Figure
    text: str
    values: str

    @property
    def alt(self) -> str:
        """What a screen reader says instead of the figure."""
        return f"{self.text} {self.values}"


def forest(rows: Sequence[Comparison], colours: Palette) -> Described:
    """Paired differences with their intervals, one row a pair."""
    places = [float(place) for place in range(len(rows), 0, -1)]
    figure = go.Figure()
    figure.add_shape(type="line", x0=0, x1=0, y0=0.4, y1=len(rows) + 0.6, line={"color": colours.soft, "width": 1})
    for place, c in zip(places, rows, strict=True):
        d = c.difference
        if d.low is not None and d.high is not None:
            figure.add_trace(_line(np.array([d.low, d.high]), np.array([place, place]), colours.ink))
        if d.value is not None:
            colour = colours.ink if c.leader is None else colours.ranker(c.leader)
            figure.add_trace(_dot(d.value, place, colour, f"{_pair(c)}: {signed(d.value)}, {interval(d)}"))
    reach = max(
        (abs(x) for c in rows for x in (c.difference.value, c.difference.low, c.difference.high) if x), default=1
    )
    figure.update_xaxes(range=[-1.15 * reach, 1.15 * reach], title=f"difference in mean {rows[0].measure}")
    figure.update_yaxes(
        tickvals=places,
        ticktext=[f"{_pair(c)}<br>{signed(c.difference.value)}" for c in rows],
        range=[0.4, len(rows) + 0.6],
    )
    values = "; ".join(f"{_pair(c)} {signed(c.difference.value)} ({interval(c.difference)})" for c in rows) + "."
    text = (
        "A dot right of the line favours the first-named ranker; an interval that crosses the line is compatible with "
        "either sign."
    )
    return Described(_laid_out(figure, colours, max(_ROW * len(rows) + 80, _TALL)), text, values)


def question_differences(
    compared: Compared, first: str, second: str, measure: Measure, texts: Mapping[str, str], colours: Palette
) -> Described:
    """One bar a question, sorted: how far the first ranker is ahead on it; ``texts`` maps question ids to questions."""
    apart = compared.differences(first, second, measure)
    ids = sorted(apart, key=lambda q: -apart[q])
    sorted_differences = np.array([apart[q] for q in ids])
    c = compared.pair(first, second, measure)
    ahead, behind = colours.ranker(first), colours.ranker(second)
    figure = go.Figure(
        go.Bar(
            x=np.arange(1, len(ids) + 1),
            y=sorted_differences,
            customdata=np.array(ids),
            marker={"color": [ahead if d > 0 else behind for d in sorted_differences], "line": {"width": 0}},
            text=np.array(["<br>".join(wrap(texts.get(q, ""), 44)) for q in ids]),
            textposition="none",
            hovertemplate="%{customdata} %{y:+.3f}<br>%{text}<extra></extra>",
        )
    )
    figure.add_shape(type="line", x0=0.3, x1=len(ids) + 0.7, y0=0, y1=0, line={"color": colours.soft, "width": 1})
    # direct labels instead of a legend, one on each side of the line
    for text, colour, y, anchor in (
        (f"{label(first)} better on {c.wins}", ahead, 0.98, "top"),
        (f"{label(second)} better on {c.losses}", behind, 0.07, "bottom"),
    ):
        figure.add_annotation(
            text=text,
            x=0.98 if anchor == "top" else 0.02,
            y=y,
            xref="paper",
            yref="paper",
            showarrow=False,
            xanchor="right" if anchor == "top" else "left",
            yanchor=anchor,
            font={"color": colour, "size": _FONT},
        )
    figure.update_xaxes(title=f"{len(ids)} questions, sorted", showticklabels=False)
    figure.update_yaxes(title=f"{measure} difference", showgrid=True, gridcolor=colours.rule, zeroline=False)
    text = (
        f"{c.wins} questions favour {label(first)}, {c.losses} favour {label(second)}, {c.ties} tie. Click a bar to "
        "read that question below."
    )
    values = "; ".join(f"{q} {signed(float(d))}" for q, d in zip(ids, sorted_differences, strict=True)) + "."
    return Described(_laid_out(figure, colours, _TALL), text, values)


def means(rows: Sequence[tuple[str, str, Estimate]], title: str, text: str, colours: Palette) -> Described:
    """Dots with intervals: (group, run, estimate), grouped along the vertical axis; ``text`` says what it shows."""
    groups = list(dict.fromkeys(group for group, _, _ in rows))
    runs = list(dict.fromkeys(run for _, run, _ in rows))
    figure = go.Figure()
    for group, run, e in rows:
        place = (len(groups) - groups.index(group)) + (0.5 - (runs.index(run) + 0.5) / len(runs)) * 0.66
        if e.low is not None and e.high is not None:
            figure.add_trace(_line(np.array([e.low, e.high]), np.array([place, place]), colours.ranker(run)))
        if e.value is not None:
            figure.add_trace(
                _dot(e.value, place, colours.ranker(run), f"{group}, {label(run)}: {number(e.value)}, {interval(e)}")
            )
    for i, run in enumerate(runs):
        figure.add_annotation(
            text=f"● {label(run)}",
            x=i / max(len(runs), 1),
            y=1,
            xref="paper",
            yref="paper",
            xanchor="left",
            yanchor="bottom",
            showarrow=False,
            font={"color": colours.ranker(run), "size": _FONT},
        )
    figure.update_xaxes(title=title, range=[-0.02, 1.02], showgrid=True, gridcolor=colours.rule)
    figure.update_yaxes(
        tickvals=np.arange(len(groups), 0, -1),
        ticktext=[g.replace(" (", "<br>(") for g in groups],
        range=[0.4, len(groups) + 0.6],
    )
    values = "; ".join(f"{g}, {label(r)} {number(e.value)} ({interval(e)})" for g, r, e in rows) + "."
    return Described(_laid_out(figure, colours, 66 * len(groups) + 110, top=34), text, values)


def interval_line(estimate: Estimate, colour: str, colours: Palette) -> str:
    """A thin line from 0 to 1 with the interval and the value on it, as HTML for a number card."""
    spoken = f"{number(estimate.value)}, {interval(estimate)}, on a line from 0 to 1"

    def bar(left: float, width: float, style: str) -> str:
        return f'<div style="position:absolute;left:{100 * left:.2f}%;width:{100 * width:.2f}%;{style}"></div>'

    parts = [bar(0, 1, f"top:11px;height:2px;background:{colours.rule}")]
    parts += [bar(tick, 0, f"top:7px;height:10px;border-left:1px solid {colours.soft}") for tick in (0, 0.5, 1)]
    if estimate.low is not None and estimate.high is not None:
        style = f"top:9px;height:6px;border-radius:3px;background:{colour};opacity:.55"
        parts.append(bar(estimate.low, estimate.high - estimate.low, style))
    if estimate.value is not None:
        style = f"top:6px;width:12px;height:12px;margin-left:-6px;border-radius:6px;background:{colour}"
        parts.append(bar(estimate.value, 0, style))
    ends = f"top:19px;font-size:.75rem;color:{colours.soft}"
    parts += [
        f'<div style="position:absolute;left:0;{ends}">0</div><div style="position:absolute;right:0;{ends}">1</div>'
    ]
    frame = "position:relative;height:38px;margin:0 6px"
    return f'<div role="img" aria-label="{spoken}" style="{frame}">{"".join(parts)}</div>'


def _pair(c: Comparison) -> str:
    return f"{label(c.first)} − {label(c.second)}"


def _line(
    x: np.ndarray[tuple[int], np.dtype[np.float64]], y: np.ndarray[tuple[int], np.dtype[np.float64]], colour: str
) -> go.Scatter:
    return go.Scatter(x=x, y=y, mode="lines", line={"color": colour, "width": 2.5}, hoverinfo="skip")


def _dot(x: float, y: float, colour: str, hover: str) -> go.Scatter:
    return go.Scatter(
        x=[x],
        y=[y],
        mode="markers",
        marker={"color": colour, "size": 12},
        text=[hover],
        hovertemplate="%{text}<extra></extra>",
    )


def _laid_out(figure: go.Figure, colours: Palette, height: int, *, top: int = 10) -> go.Figure:
    tick = {"color": colours.ink, "size": _FONT}
    figure.update_layout(
        showlegend=False,
        height=height,
        margin={"l": 8, "r": 8, "t": top, "b": 8},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font=tick,
        bargap=0.25,
        dragmode=False,
        hoverlabel={
            "bgcolor": colours.ink,
            "font": {"color": "#FFFFFF" if colours.ink.startswith("#1") else "#15181B"},
        },
    )
    figure.update_xaxes(automargin=True, tickfont=tick, title_font=tick, zeroline=False, fixedrange=True)
    figure.update_yaxes(automargin=True, tickfont=tick, title_font=tick, zeroline=False, fixedrange=True)
    return figure

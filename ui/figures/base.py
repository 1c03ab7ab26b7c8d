"""What every figure is made of: one layout, direct labels, no box.

A figure is made with few traces and one layout: Plotly checks every property of every object, and that is most of the
time between a choice and the changed figure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from evalcore.evidence import Estimate
from ui.theme import GREY, GRID

CONFIG = {"displayModeBar": False, "responsive": True}
TALL = 340
FONT = 14


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


def dots(
    estimates: Sequence[Estimate],
    places: Sequence[float],
    fills: Sequence[str],
    line: str,
    hover: Sequence[str],
    name: str = "",
) -> go.Scatter:
    """Values at ``places`` with their intervals as bars without caps; a value without an interval is a dot alone."""
    values = np.array([e.value for e in estimates], dtype=float)
    low = np.array([e.value if e.low is None else e.low for e in estimates], dtype=float)
    high = np.array([e.value if e.high is None else e.high for e in estimates], dtype=float)
    bars = {"type": "data", "symmetric": False, "array": high - values, "arrayminus": values - low}
    return go.Scatter(
        x=values,
        y=np.array(places),
        mode="markers",
        cliponaxis=False,
        name=name,
        marker={"color": list(fills), "size": 12},
        error_x={**bars, "color": line, "thickness": 2.5, "width": 0},
        text=np.array(hover),
        hovertemplate="%{text}<extra></extra>",
    )


def zero(ends: dict[str, float]) -> dict[str, Any]:
    """A thin line between two points."""
    return {"type": "line", **ends, "line": {"color": GREY, "width": 1}}


def note(text: str, shade: str, *, x: float, y: float, anchor: tuple[str, str]) -> dict[str, Any]:
    """Words beside the data, after a square in the data's colour; the words themselves have the theme's ink."""
    place = {"x": x, "y": y, "xref": "paper", "yref": "paper", "xanchor": anchor[0], "yanchor": anchor[1]}
    words = f'<span style="color:{shade}">■</span> {text}'
    return {"text": words, "showarrow": False, "font": {"size": FONT}, **place}


def figure(
    traces: Sequence[go.Scatter | go.Bar],
    *,
    height: int,
    xaxis: dict[str, Any],
    yaxis: dict[str, Any],
    shapes: Sequence[dict[str, Any]] = (),
    annotations: Sequence[dict[str, Any]] = (),
    top: int = 10,
    legend: bool = False,
) -> go.Figure:
    """Traces under the common layout; ``xaxis`` and ``yaxis`` hold what is their own."""
    words = {"size": FONT}
    axis = {"automargin": True, "tickfont": words, "zeroline": False, "fixedrange": True, "gridcolor": GRID}

    def merged(own: dict[str, Any]) -> dict[str, Any]:
        return {**axis, **own, "title": {"text": own.get("title", ""), "font": words}}

    layout = go.Layout(
        showlegend=legend,
        legend={
            "orientation": "h",
            "x": 0,
            "y": 1,
            "yanchor": "bottom",
            "font": words,
            "itemclick": False,
            "itemdoubleclick": False,
        },
        height=height,
        margin={"l": 8, "r": 8, "t": top, "b": 8},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font=words,
        bargap=0.25,
        dragmode=False,
        hoverlabel={"bgcolor": "#2A3036", "bordercolor": "#2A3036", "font": {"color": "#FFFFFF"}},
        xaxis=merged(xaxis),
        yaxis=merged(yaxis),
        shapes=list(shapes),
        annotations=list(annotations),
    )
    return go.Figure(data=list(traces), layout=layout)

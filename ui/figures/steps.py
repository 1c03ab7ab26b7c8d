"""What figures over a threshold share: stairs, lines, cuts."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from evalcore.abstention.cuts import Cut
from evalcore.abstention.sweep import Floats, Ruler
from ui.theme import THRESHOLD, WINDOW

_GOLDEN = 0.618034
_GRID_POINTS = 120


def stairs(thresholds: Floats, values: Floats, reach: Ruler) -> tuple[Floats, Floats]:
    """Corners of a step function whose value between two scores is that of the upper one; values has one more."""
    x = np.concatenate([[reach.low], np.repeat(thresholds, 2), [reach.high]])
    return x, np.repeat(values, 2)


def line(x: Floats, y: Floats, shade: str, hover: str, name: str, dash: str = "solid") -> go.Scatter:
    """A line with its hover text."""
    return go.Scatter(
        x=x,
        y=y,
        mode="lines",
        line={"color": shade, "width": 2.5, "dash": dash},
        name=name,
        hovertemplate=f"{hover}<extra></extra>",
    )


def upright(x: float) -> dict[str, Any]:
    """An upright line at a threshold."""
    ends = {"x0": x, "x1": x, "y0": 0, "y1": 1, "yref": "paper"}
    return {"type": "line", **ends, "line": {"color": THRESHOLD, "width": 2}}


def ends_of(cut: Cut, reach: Ruler) -> tuple[float, float]:
    """The ends of a cut within reach."""
    return (reach.low if cut.low is None else cut.low, reach.high if cut.high is None else cut.high)


def shaded(cut: Cut, reach: Ruler) -> dict[str, Any]:
    """A cut as a shaded strip."""
    low, high = ends_of(cut, reach)
    ends = {"x0": low, "x1": high, "y0": 0, "y1": 1, "yref": "paper"}
    return {"type": "rect", **ends, "fillcolor": WINDOW, "line": {"width": 1, "color": WINDOW}, "layer": "below"}


def words_at(x: float, y: float, text: str) -> dict[str, Any]:
    """Words at a height, from the left."""
    return {
        "text": text,
        "x": x,
        "y": y,
        "xanchor": "left",
        "yanchor": "bottom",
        "showarrow": False,
        "font": {"size": 13},
    }


def faint(shade: str) -> str:
    """The colour, mostly transparent."""
    red, green, blue = (int(shade[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},0.18)"

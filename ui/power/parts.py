"""What the sections of the page share: a table of answers with its download, and a section's first line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, ParamSpec

import streamlit as st

from evalcore.evidence import Estimate
from evalcore.planning.answers import NO_SAMPLE, Answer, answers_csv
from ui.evidence import coverage_note, labels, linked
from ui.shell import guarded
from ui.tables import download, table
from ui.text import plain

P = ParamSpec("P")
_TERMS = {"95 % interval": "Limits; for a supposed outcome, what they would be.", "Value": "– where there is none."}


def section(draw: Callable[P, None]) -> Callable[P, None]:
    """A part of the page that answers its own controls: a move in it leaves the rest of the page alone."""

    @st.fragment
    @wraps(draw)
    def guarded_part(*args: P.args, **kwargs: P.kwargs) -> None:
        with guarded():
            draw(*args, **kwargs)

    return guarded_part


def answers_table(answers: Sequence[Answer], caption: str, file: str, tied_to: dict[str, Any]) -> None:
    """Answers, one row each, with their download."""
    rows = [
        {
            "What": a.title,
            "Value": a.shown,
            "95 % interval": linked(a.estimate) if a.estimate.low is not None else "–",
            "How": _how(a.estimate),
        }
        for a in answers
    ]
    known = [a.estimate for a in answers if a.estimate.value is not None]
    table(rows, f"{caption} {labels(known)}" if known else caption, _TERMS)
    download(answers_csv(answers, tied_to), file)
    coverage_note(a.estimate for a in answers)


def _how(estimate: Estimate) -> str:
    """The method; where a number or an interval is missing that there could be, why."""
    if estimate.value is None:
        return str(estimate.reason)
    return estimate.method if estimate.reason in (None, NO_SAMPLE) else f"{estimate.method}: {estimate.reason}"


def warn(text: str) -> None:
    """Something that the numbers cannot be used without."""
    st.warning(plain(text), icon=":material/warning:")

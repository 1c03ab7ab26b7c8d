"""Where an interval leads: to the row of the page Power and intervals that says how often such intervals hold."""

from __future__ import annotations

from urllib.parse import urlencode

import streamlit as st

from evalcore.evidence import Estimate
from evalcore.files import BadInput
from evalcore.planning.promises import Promise
from ui import cached

ANCHOR, ROW, OF = "promises", "row", "of"


def promise(estimate: Estimate) -> Promise | None:
    """The simulated figure of an estimate's method at the size or shape nearest to its own; None without either.

    None too where the figures cannot be read: an interval is no less right for that, and section 5 says what is wrong.
    """
    if estimate.low is None:
        return None
    try:
        return cached.promise(estimate.method, estimate.n, estimate.clusters)
    except BadInput:
        return None


def named() -> Promise | None:
    """The row that the page's link names, if it names one that is here.

    Raises:
        BadInput: the stored figures cannot be read.

    """
    return next((p for p in cached.promises() if p.figure.row == st.query_params.get(ROW)), None)


def address(found: Promise) -> str:
    """The row's address, relative to any page of the app."""
    return f"power?{urlencode({ROW: found.figure.row, OF: found.family})}#{ANCHOR}"

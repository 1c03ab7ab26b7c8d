"""The interval beside the planned one where that one does not keep its word; the planned one stays first."""

from __future__ import annotations

from dataclasses import replace

from evalcore.evidence import Estimate
from evalcore.stats.proportions import EXACT, WILSON, exact_rate


def exact_beside(estimate: Estimate) -> Estimate | None:
    """Clopper and Pearson's interval beside Wilson's of the same count; None for any other estimate."""
    if estimate.method != WILSON or estimate.value is None or estimate.low is None or estimate.level is None:
        return None
    found = exact_rate(round(estimate.value * estimate.n), estimate.n, level=estimate.level)
    return replace(estimate, low=found.low, high=found.high, method=EXACT)

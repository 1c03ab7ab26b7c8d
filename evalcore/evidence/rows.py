"""An estimate as a plain row, for JSON and CSV."""

from __future__ import annotations

from typing import Any

from evalcore.evidence.types import Estimate


def estimate_row(estimate: Estimate) -> dict[str, Any]:
    """An estimate's value, interval, n, method and label."""
    return {
        "value": estimate.value,
        "low": estimate.low,
        "high": estimate.high,
        "n": estimate.n,
        "method": estimate.method,
        "basis": estimate.basis.value,
    }


def reasoned_row(estimate: Estimate) -> dict[str, Any]:
    """An estimate's row with the reason why its interval is not there."""
    return {**estimate_row(estimate), "reason": estimate.reason}

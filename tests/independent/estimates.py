"""The rows of one ranker: a mean or a hit rate, its interval, and the interval that stands beside it."""

import numpy as np

from tests.independent import inference

BASIS = "Measured, retrieval-only"
SMALL = 30


def estimate(values, interval, method):
    low, high = interval
    value = float(values.mean())
    return {"value": value, "low": low, "high": high, "n": len(values), "method": method, "basis": BASIS}


def reason(values):
    """Why a mean has no interval; None when it has one."""
    if np.ptp(values) > 0:
        return None
    equal = f"all {len(values)} values are equal ({values.mean():g})"
    return f"{equal}; resampling cannot see past a constant sample, so there is no interval"


def mean(values):
    return estimate(values, inference.percentile(values), "percentile bootstrap")


def hit_rate(values):
    return estimate(values, inference.wilson(round(values.sum()), len(values)), "Wilson")


def mean_with_reason(values):
    return {**mean(values), "reason": reason(values)}


def beside(values):
    """The other interval of the same mean: Student's t for a small sample, BCa from 30 questions on."""
    if len(values) < SMALL:
        return {**estimate(values, inference.student(values), "t(n - 1)"), "reason": reason(values)}
    return {**estimate(values, inference.bca(values), "BCa bootstrap"), "reason": reason(values)}

"""How the benchmarks take time."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any


def timed(work: Callable[[], Any], times: int) -> float:
    """Median seconds of ``times`` calls after one that is not counted."""
    work()
    seconds = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)

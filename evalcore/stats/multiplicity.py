"""Holm's step-down adjustment over a family that was declared before the data."""

from __future__ import annotations

from collections.abc import Sequence


def holm(p_values: Sequence[float | None], *, k: int | None = None) -> list[float | None]:
    """Holm-adjusted p-values in the order given.

    Source: S. Holm, Scandinavian Journal of Statistics 6 (1979) 65-70. The family keeps its declared size ``k``:
    a member without a p counts as p = 1, because leaving it out would lower the others' adjusted p.

    Raises:
        ValueError: more p-values than the family has members.

    """
    size = len(p_values) if k is None else k
    if len(p_values) > size:
        raise ValueError(f"{len(p_values)} p-values in a family of {size}")
    adjusted: list[float | None] = [None] * len(p_values)
    running = 0.0
    defined = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    for step, (p, place) in enumerate(defined):
        running = max(running, min(1.0, (size - step) * p))
        adjusted[place] = running
    return adjusted

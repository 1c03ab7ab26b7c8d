"""A smooth picture of one group's scores; nothing is decided by it."""

from __future__ import annotations

import numpy as np

from evalcore.abstention.sweep import Floats


def density(scores: Floats, grid: Floats) -> Floats:
    """Gaussian kernel density of ``scores`` (shape (n,), n >= 1) at ``grid`` (shape (g,)).

    Bandwidth: 0.9 min(sd, IQR / 1.34) n^(-1/5) (Silverman 1986, equation 3.31); of a constant group, a hundredth of the
    grid's span.
    """
    low, high = np.quantile(scores, [0.25, 0.75])
    # the deviation of equal scores is a rounding error, not nil
    spreads = [s for s in (float(scores.std()), float(high - low) / 1.34) if s > 0] if np.ptp(scores) > 0 else []
    width = 0.9 * min(spreads) * len(scores) ** -0.2 if spreads else float(np.ptp(grid)) / 100
    apart = (grid[:, None] - scores[None, :]) / width
    return np.asarray(np.exp(-0.5 * apart**2).sum(axis=1) / (len(scores) * width * np.sqrt(2 * np.pi)))

"""The area under the ROC curve by counting pairs, its interval, and the difference between two of them."""

import numpy as np
from scipy.optimize import brentq
from scipy.stats import norm

from tests.independent import data
from tests.independent.estimates import BASIS
from tests.independent.inference import quantiles, stream, tails


def won(answerable, unanswerable):
    """One row for each answerable question, one column for each other: 1 where it scores higher, 1/2 in a tie."""
    above, beside = answerable[:, None], unanswerable[None, :]
    return (above > beside) + (above == beside) / 2


def newcombe_5(value, m, n):
    """Newcombe 2006, method 5: the shares at which the value stands z standard errors off."""
    z = norm.ppf(tails()[1])

    def off(theta):
        pairs = (m + n) / 2 - 1
        bracket = 1 + pairs * ((1 - theta) / (2 - theta) + theta / (1 + theta))
        return (value - theta) ** 2 - z**2 * theta * (1 - theta) / (m * n) * bracket

    low, high = (brentq(off, *ends, xtol=1e-15, rtol=1e-14) for ends in ((0, value), (value, 1)))
    return float(low), float(high)


def auc(answerable, unanswerable):
    pairs = won(answerable, unanswerable)
    low, high = newcombe_5(pairs.mean(), *pairs.shape)
    return {
        "value": float(pairs.mean()),
        "low": low,
        "high": high,
        "pairs_won": float(pairs.sum()),
        "pairs": pairs.size,
    }


def counts(drawn):
    """How often each question stands in each resample."""
    resamples, n = drawn.shape
    return np.bincount((drawn + n * np.arange(resamples)[:, None]).ravel(), minlength=resamples * n).reshape(
        drawn.shape
    )


def resampled(pairs):
    """The mean over pairs in every resample, each class drawn from itself, the answerable first."""
    (m, n), rng, resamples = pairs.shape, stream(), data.plan()["statistics"]["resamples"]
    rows, columns = (counts(rng.integers(0, size, (resamples, size))) for size in (m, n))
    return np.sum((rows @ pairs) * columns, axis=1) / (m * n)


def difference(first, second):
    """AUC of the first score minus AUC of the second, each given as (answerable, unanswerable)."""
    pairs = won(*first) - won(*second)
    low, high = quantiles(resampled(pairs), tails())
    return {
        "value": float(pairs.mean()),
        "low": low,
        "high": high,
        "n": sum(pairs.shape),
        "method": "stratified paired bootstrap",
        "basis": BASIS,
        "reason": None,
    }

"""The intervals and tests of section 6, written a second time."""

from math import sqrt

import numpy as np
from scipy.stats import norm, t
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from tests.independent import data

TIE = 1e-9
NOTHING = (None, None)


def tails():
    outside = 1 - data.plan()["statistics"]["level"]
    return np.array([outside / 2, 1 - outside / 2])


def stream():
    """A fresh generator: no number depends on which others were asked for."""
    return np.random.default_rng(data.plan()["statistics"]["seed"])


def resampled_means(values):
    size = (data.plan()["statistics"]["resamples"], len(values))
    return values[stream().integers(0, len(values), size)].mean(axis=1)


def quantiles(values, shares):
    low, high = np.quantile(values, shares, method="linear")
    return float(low), float(high)


def percentile(values):
    """The percentile interval of a mean; none for a constant sample."""
    return NOTHING if np.ptp(values) == 0 else quantiles(resampled_means(values), tails())


def acceleration(values):
    """From the means that leave one question out."""
    left_out = (values.sum() - values) / (len(values) - 1)
    away = left_out.mean() - left_out
    return np.sum(away**3) / (6 * np.sum(away**2) ** 1.5)


def bca(values):
    """Bias-corrected and accelerated; a resampled mean equal to the observed one, up to rounding, counts half."""
    if np.ptp(values) == 0:
        return NOTHING
    means, observed = resampled_means(values), values.mean()
    equal = np.abs(means - observed) <= TIE
    bias = norm.ppf(np.mean(np.where(equal, 0.5, means < observed)))
    shifted = bias + norm.ppf(tails())
    return quantiles(means, norm.cdf(bias + shifted / (1 - acceleration(values) * shifted)))


def student(values):
    """t(n - 1) about the mean, its limits not clipped; none for a constant sample."""
    if np.ptp(values) == 0:
        return NOTHING
    low, high = values.mean() + t.ppf(tails(), len(values) - 1) * values.std(ddof=1) / sqrt(len(values))
    return float(low), float(high)


def wilson(hits, n):
    low, high = proportion_confint(hits, n, alpha=1 - data.plan()["statistics"]["level"], method="wilson")
    return float(low), float(high)


# Two rankers.


def d_z(differences):
    spread = differences.std(ddof=1)
    return None if spread < TIE else float(differences.mean() / spread)


def flips(differences):
    """Wins, ties and losses."""
    wins, losses = int(np.sum(differences > TIE)), int(np.sum(differences < -TIE))
    return {"wins": wins, "ties": len(differences) - wins - losses, "losses": losses}


def non_zero(differences):
    return differences[np.abs(differences) > TIE]


def paired_percentile(differences):
    """The paired interval; none when so few differences are non-zero that no test could show anything."""
    few = 2 / 2 ** len(non_zero(differences)) > 1 - data.plan()["statistics"]["level"]
    return NOTHING if few or differences.std(ddof=1) < TIE else quantiles(resampled_means(differences), tails())


def extreme(signs, moved):
    """How many sign vectors give a sum at least as far from 0 as the one observed."""
    return int(np.sum(np.abs(signs @ moved) >= abs(moved.sum()) - TIE))


def sign_flip(differences):
    """The two-sided sign-flip test on the sum, as (p, number of sign vectors, whether they are all)."""
    statistics, moved = data.plan()["statistics"], non_zero(differences)
    k = len(moved)
    if k <= statistics["exact_sign_flips_up_to"]:
        signs = 1 - 2 * (np.arange(2**k)[:, None] >> np.arange(k) & 1)
        return extreme(signs, moved) / 2**k, 2**k, True
    draws = statistics["sign_vectors"]
    signs = 1 - 2 * stream().integers(0, 2, (draws, k))
    return (1 + extreme(signs, moved)) / (1 + draws), draws, False


def cells(first, second):
    """Both hit, the first only, the second only, neither."""
    a, b = first > 0.5, second > 0.5
    return tuple(int(np.sum(cell)) for cell in (a & b, a & ~b, ~a & b, ~a & ~b))


def mcnemar_exact(both, first_only, second_only, neither):
    return float(mcnemar([[both, first_only], [second_only, neither]], exact=True).pvalue)


def phi(both, first_only, second_only, neither):
    """Newcombe's correlation: a positive numerator is lowered by n/2, not below 0; 0 with an empty margin."""
    rows = (both + first_only) * (second_only + neither)
    columns = (both + second_only) * (first_only + neither)
    product = both * neither - first_only * second_only
    lowered = max(product - (both + first_only + second_only + neither) / 2, 0) if product > 0 else product
    return lowered / sqrt(rows * columns) if rows * columns else 0.0


def newcombe(both, first_only, second_only, neither):
    """Newcombe's paired score interval, method 10."""
    table = (both, first_only, second_only, neither)
    n, correlation = sum(table), phi(*table)
    first, second = (both + first_only) / n, (both + second_only) / n
    (low_1, high_1), (low_2, high_2) = wilson(both + first_only, n), wilson(both + second_only, n)

    def reach(a, b):
        return sqrt(a * a - 2 * correlation * a * b + b * b)

    low = first - second - reach(first - low_1, high_2 - second)
    high = first - second + reach(high_1 - first, second - low_2)
    return max(low, -1.0), min(high, 1.0)


def holm(p_values):
    """Adjusted over the family; a member without a p counts as p = 1."""
    return [float(p) for p in multipletests([1.0 if p is None else p for p in p_values], method="holm")[1]]

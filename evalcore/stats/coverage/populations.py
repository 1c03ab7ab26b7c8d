"""The populations that samples are drawn from, by name, each with its exact truth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit, ndtri

from evalcore.stats.agreement import kappas
from evalcore.stats.resampling import Floats

Samples = NDArray[np.number[Any]]
Size = tuple[int, ...]
_NODES = 64


@dataclass(frozen=True, slots=True)
class Population:
    """What is estimated, and how to draw: ``draw(rng, simulations, size)`` has one sample in each row.

    Below ``fewest`` units hardly a sample has an interval to judge, so that it is not drawn.
    """

    truth: float
    draw: Callable[[np.random.Generator, int, Size], Samples]
    fewest: int = 0


def _beta(a: float, b: float) -> Population:
    return Population(a / (a + b), lambda rng, simulations, size: rng.beta(a, b, (simulations, *size)))


def _with_ceiling(rng: np.random.Generator, simulations: int, size: Size) -> Floats:
    """Scores like nDCG's: half at 1, a tenth at 0, the rest between."""
    shape = (simulations, *size)
    u = rng.random(shape)
    return np.where(u < 0.5, 1.0, np.where(u < 0.6, 0.0, rng.random(shape)))


# nDCG with one relevant passage is 1 / log2(rank + 1), or 0 when it is not returned
_GRID = np.array([*(1 / np.log2(np.arange(1, 6) + 1)), 0.0])
_AT_RANK = np.array([0.7, 0.12, 0.06, 0.04, 0.03, 0.05])


def _one_relevant(first: float, fewest: int = 0) -> Population:
    """The passage stands first in a share ``first`` of questions, elsewhere in the proportions of seven in ten."""
    shares = np.array([first, *(_AT_RANK[1:] / _AT_RANK[1:].sum() * (1 - first))])
    truth = float(_GRID @ shares)
    return Population(truth, lambda rng, simulations, size: rng.choice(_GRID, (simulations, *size), p=shares), fewest)


def _steps(tie: float, first: float) -> tuple[Floats, Floats]:
    """Differences of two such scores and their shares: a share ``tie`` is 0, of the rest ``first`` are gains.

    How far apart the two ranks are is drawn as if each had been drawn on its own and the two were not the same.
    """
    better, worse = np.triu_indices(len(_GRID), 1)
    gains, weights = _GRID[better] - _GRID[worse], _AT_RANK[better] * _AT_RANK[worse]
    moved = (1 - tie) * weights / weights.sum()
    shares = np.array([tie, *(first * moved), *((1 - first) * moved)])
    return np.array([0.0, *gains, *-gains]), shares / shares.sum()


def _mostly_ties(tie: float, first: float, fewest: int) -> tuple[Population, Population]:
    """Two nearly equal rankers: their mean difference, and its d_z."""
    steps, shares = _steps(tie, first)
    mean = float(steps @ shares)
    spread = sqrt(float(steps**2 @ shares) - mean**2)

    def draw(rng: np.random.Generator, simulations: int, size: Size) -> Floats:
        return rng.choice(steps, (simulations, *size), p=shares)

    return Population(mean, draw, fewest), Population(mean / spread, draw, fewest)


def _paired_normal(rng: np.random.Generator, simulations: int, size: Size) -> Floats:
    return rng.normal(0.03, 0.12, (simulations, *size))


def _paired_sparse(rng: np.random.Generator, simulations: int, size: Size) -> Floats:
    """Most questions agree; the rest differ by a rank or two."""
    shape = (simulations, *size)
    return np.where(rng.random(shape) < 0.6, 0.0, rng.normal(0.05, 0.2, shape))


def _paired_skewed(rng: np.random.Generator, simulations: int, size: Size) -> Floats:
    return rng.exponential(0.1, (simulations, *size)) - 0.05


def _paired_against(rng: np.random.Generator, simulations: int, size: Size) -> Floats:
    """A few large losses among many small gains: the long tail lies on the other side of zero than the mean."""
    return 0.15 - rng.exponential(0.1, (simulations, *size))


def _rate(rate: float) -> Population:
    return Population(rate, lambda rng, simulations, size: rng.binomial(size[0], rate, simulations))


def _table(cells: tuple[float, float, float, float]) -> Population:
    return Population(cells[1] - cells[2], lambda rng, simulations, size: rng.multinomial(size[0], cells, simulations))


def _clustered(rate: float, icc: float) -> Population:
    """Beta-binomial: the topics' rates are beta with intraclass correlation ``icc``; rows are hits, shape (G,)."""
    a, b = _beta_shape(rate, icc)

    def draw(rng: np.random.Generator, simulations: int, size: Size) -> Samples:
        topics, items = size
        return rng.binomial(items, rng.beta(a, b, (simulations, topics)))

    return Population(rate, draw)


def _raters(prevalence: float, sensitivity: float, specificity: float, icc: float, spread: float) -> Population:
    """The first rater's share of yes is a beta of each topic; the second says yes to a yes with the sensitivity.

    It says no to a no with the specificity; a topic shifts both on the logit scale by one normal with standard
    deviation ``spread``. Rows have shape (G, 4) as in :func:`evalcore.stats.agreement.agreement`. The truth is
    kappa of the expected table, the expectation over the shift by Gauss-Hermite quadrature.
    """
    a, b = _beta_shape(prevalence, icc)

    def draw(rng: np.random.Generator, simulations: int, size: Size) -> Samples:
        topics, items = size
        shape = (simulations, topics)
        yes = rng.binomial(items, rng.beta(a, b, shape))
        shift = rng.normal(0.0, spread, shape)
        both = rng.binomial(yes, expit(logit(sensitivity) + shift))
        neither = rng.binomial(items - yes, expit(logit(specificity) + shift))
        return np.stack([both, yes - both, items - yes - neither, neither], axis=-1)

    nodes, weights = np.polynomial.hermite_e.hermegauss(_NODES)
    hit, rejected = (
        float(weights @ expit(logit(p) + spread * nodes) / weights.sum()) for p in (sensitivity, specificity)
    )
    yes, no = prevalence, 1 - prevalence
    expected = np.array([yes * hit, yes * (1 - hit), no * (1 - rejected), no * rejected])
    return Population(float(kappas(expected)), draw)


def _beta_shape(mean: float, icc: float) -> tuple[float, float]:
    """Parameters of the beta whose mean is ``mean`` and whose binomials correlate by ``icc``."""
    return mean * (1 - icc) / icc, (1 - mean) * (1 - icc) / icc


def _binormal(auc: float, spread: float) -> Population:
    """Negatives standard normal, positives with standard deviation ``spread``; rows have the m positives first."""
    shift = float(ndtri(auc)) * sqrt(1 + spread**2)

    def draw(rng: np.random.Generator, simulations: int, size: Size) -> Samples:
        m, n = size
        return np.hstack([rng.normal(shift, spread, (simulations, m)), rng.normal(0.0, 1.0, (simulations, n))])

    return Population(auc, draw)


def _binormal_pair(first: float, second: float, correlation: float) -> Population:
    """Two scores of each question, normal with variance 1 and this correlation in either group.

    Negatives have mean 0 and positives sqrt(2) ndtri(AUC), so that each score has its AUC whatever the correlation.
    Rows have shape (2, m + n), the m positives first.
    """
    shifts = sqrt(2) * ndtri(np.array([first, second]))
    own = sqrt(1 - correlation**2)

    def draw(rng: np.random.Generator, simulations: int, size: Size) -> Samples:
        m, n = size
        scores = rng.normal(0.0, 1.0, (simulations, 2, m + n))
        scores[:, 1] = correlation * scores[:, 0] + own * scores[:, 1]
        scores[:, :, :m] += shifts[:, None]
        return scores

    return Population(first - second, draw)


def _exponential(auc: float) -> Population:
    """Negatives exponential with mean 1, positives with mean auc / (1 - auc)."""
    scale = auc / (1 - auc)

    def draw(rng: np.random.Generator, simulations: int, size: Size) -> Samples:
        m, n = size
        return np.hstack([rng.exponential(scale, (simulations, m)), rng.exponential(1.0, (simulations, n))])

    return Population(auc, draw)


MEANS = {
    "symmetric, beta(2, 2)": _beta(2, 2),
    "skewed, beta(5, 1.3)": _beta(5, 1.3),
    "half at 1, a tenth at 0": Population(0.5 + 0.4 * 0.5, _with_ceiling),
    "one relevant passage, first in seven of ten": _one_relevant(0.7),
    "one relevant passage, first in nine of ten": _one_relevant(0.9),
    "one relevant passage, first in 95 of 100": _one_relevant(0.95, fewest=40),
}
_TIES = {
    "85 in 100 questions tie, nDCG steps both ways": _mostly_ties(0.85, 0.6, fewest=40),
    "85 in 100 questions tie, nDCG steps one way": _mostly_ties(0.85, 1.0, fewest=40),
    "90 in 100 questions tie, nDCG steps both ways": _mostly_ties(0.9, 0.6, fewest=100),
}
PAIRS = {
    "normal differences": Population(0.03, _paired_normal),
    "three in five questions tie": Population(0.4 * 0.05, _paired_sparse),
    "skewed differences": Population(0.1 - 0.05, _paired_skewed),
    "skewed against the mean": Population(0.15 - 0.1, _paired_against),
    **{name: mean for name, (mean, _) in _TIES.items()},
}
# the same differences; the truth is their mean over their standard deviation
EFFECTS = {
    "normal differences": Population(0.03 / 0.12, _paired_normal),
    "three in five questions tie": Population(
        0.4 * 0.05 / sqrt(0.4 * (0.05**2 + 0.2**2) - (0.4 * 0.05) ** 2), _paired_sparse
    ),
    "skewed differences": Population((0.1 - 0.05) / 0.1, _paired_skewed),
    "skewed against the mean": Population((0.15 - 0.1) / 0.1, _paired_against),
    **{name: effect for name, (_, effect) in _TIES.items()},
}
RATES = {f"rate {rate:g}": _rate(rate) for rate in (0.3, 0.5, 0.65, 0.8, 0.9, 0.95, 0.98, 0.99)}
# probabilities of: both hit, first only, second only, neither
TABLES = {
    "few flips, high rates": _table((0.85, 0.08, 0.02, 0.05)),
    "many flips": _table((0.5, 0.2, 0.15, 0.15)),
    "no difference": _table((0.6, 0.1, 0.1, 0.2)),
    "one-sided flips": _table((0.75, 0.15, 0.0, 0.1)),
    "nearly equal runs, 5 in 100 flip one way": _table((0.5, 0.05, 0.0, 0.45)),
    "nearly equal runs, 2 in 100 flip one way": _table((0.5, 0.02, 0.0, 0.48)),
}
CLUSTERS = {
    f"rate {rate:g}, ICC {icc:g}": _clustered(rate, icc)
    for rate in (0.8, 0.9, 0.95, 0.98)
    for icc in (0.05, 0.2, 0.4, 0.6, 0.8)
}
RATERS = {
    "prevalence 0.70": _raters(0.70, sensitivity=0.85, specificity=0.75, icc=0.10, spread=0.5),
    "prevalence 0.85": _raters(0.85, sensitivity=0.90, specificity=0.60, icc=0.15, spread=0.5),
    "prevalence 0.93": _raters(0.93, sensitivity=0.95, specificity=0.50, icc=0.20, spread=0.7),
}
SCORES = {
    f"AUC {auc:g}, {name}": _binormal(auc, spread)
    for auc in (0.7, 0.8, 0.9, 0.97)
    for name, spread in (("equal variances", 1.0), ("positives spread twice", 2.0), ("positives spread half", 0.5))
} | {"AUC 0.9, exponential scores": _exponential(0.9)}
SCORE_PAIRS = {
    f"AUC {first:g} and {second:g}, correlated {correlation:g}": _binormal_pair(first, second, correlation)
    for first, second, correlation in ((0.8, 0.8, 0.8), (0.85, 0.75, 0.6), (0.97, 0.9, 0.6))
}

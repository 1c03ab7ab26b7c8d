"""How often the published intervals hold the truth, found by simulation at our own sample sizes.

A nominal 95 % is a promise about large samples. Each interval is simulated on named populations and the lowest share
over them is what the pages print beside it, with its Monte Carlo error.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from math import sqrt
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from evalcore.stats.means import BCA, BCA_FROM, PERCENTILE, SAME, STUDENT_T, bca_levels
from evalcore.stats.paired import PAIRED_BOOTSTRAP
from evalcore.stats.proportions import NEWCOMBE, WILSON, Paired, newcombe_paired, wilson
from evalcore.stats.resampling import Floats, resampled_means

FIGURES = Path(__file__).with_name("coverage.json")
SIZES = (10, 40, 100)
SEED = 20241009
_RESAMPLES = 2_000
_BLOCK = 500
_LEVEL = 0.95

Sampler = Callable[[np.random.Generator, tuple[int, int]], Floats]


@dataclass(frozen=True, slots=True)
class Coverage:
    """Share of simulated samples whose interval held the truth: the lowest over the populations.

    ``error`` is its Monte Carlo standard error; ``undefined`` the share of samples without an interval, which count
    neither way.
    """

    interval: str
    n: int
    share: float
    error: float
    population: str
    undefined: float
    simulations: int


def _beta(a: float, b: float) -> tuple[Sampler, float]:
    return lambda rng, shape: rng.beta(a, b, shape), a / (a + b)


def _with_ceiling(rng: np.random.Generator, shape: tuple[int, int]) -> Floats:
    """Scores like nDCG's: half at 1, a tenth at 0, the rest between."""
    u = rng.random(shape)
    return np.where(u < 0.5, 1.0, np.where(u < 0.6, 0.0, rng.random(shape)))


MEANS: dict[str, tuple[Sampler, float]] = {
    "symmetric, beta(2, 2)": _beta(2, 2),
    "skewed, beta(5, 1.3)": _beta(5, 1.3),
    "half at 1, a tenth at 0": (_with_ceiling, 0.5 + 0.4 * 0.5),
}


def _paired_normal(rng: np.random.Generator, shape: tuple[int, int]) -> Floats:
    return rng.normal(0.03, 0.12, shape)


def _paired_sparse(rng: np.random.Generator, shape: tuple[int, int]) -> Floats:
    """Most questions agree; the rest differ by a rank or two."""
    return np.where(rng.random(shape) < 0.6, 0.0, rng.normal(0.05, 0.2, shape))


def _paired_skewed(rng: np.random.Generator, shape: tuple[int, int]) -> Floats:
    return rng.exponential(0.1, shape) - 0.05


PAIRS: dict[str, tuple[Sampler, float]] = {
    "normal differences": (_paired_normal, 0.03),
    "three in five questions tie": (_paired_sparse, 0.02),
    "skewed differences": (_paired_skewed, 0.05),
}

RATES = (0.65, 0.8, 0.9, 0.95, 0.98, 0.99)
# probabilities of: both hit, first only, second only, neither
TABLES: dict[str, tuple[float, float, float, float]] = {
    "few flips, high rates": (0.85, 0.08, 0.02, 0.05),
    "many flips": (0.5, 0.2, 0.15, 0.15),
    "no difference": (0.6, 0.1, 0.1, 0.2),
    "one-sided flips": (0.75, 0.15, 0.0, 0.1),
}


def simulate_all(simulations: int, sizes: Sequence[int] = SIZES) -> list[Coverage]:
    """Every interval at every size."""
    return [
        figure
        for n in sizes
        for figure in (
            percentile_mean(n, simulations),
            beside_mean(n, simulations),
            paired_bootstrap(n, simulations),
            wilson_rate(n, simulations),
            newcombe_difference(n, simulations),
        )
    ]


def percentile_mean(n: int, simulations: int) -> Coverage:
    """The percentile bootstrap of a mean."""
    found = {
        name: _bootstrap(draw, truth, n, simulations, few_differences=False) for name, (draw, truth) in MEANS.items()
    }
    return _lowest(PERCENTILE, n, found)


def beside_mean(n: int, simulations: int) -> Coverage:
    """The second interval of a mean: t(n - 1) below 30, BCa from there on."""
    few = n < BCA_FROM
    limits = _student_limits if few else _bca_limits
    found = {}
    for name, (draw, truth) in MEANS.items():
        samples = draw(np.random.default_rng(SEED), (simulations, n))
        held = np.full(simulations, np.nan)
        for start in range(0, simulations, _BLOCK):
            block = samples[start : start + _BLOCK]
            varied = np.ptp(block, axis=1) >= SAME
            low, high = limits(block[varied])
            held[start : start + _BLOCK][varied] = (low <= truth) & (truth <= high)
        found[name] = held
    return _lowest(STUDENT_T if few else BCA, n, found)


def paired_bootstrap(n: int, simulations: int) -> Coverage:
    """The paired bootstrap of a mean difference, with its rule that fewer than six non-zero differences give none."""
    found = {
        name: _bootstrap(draw, truth, n, simulations, few_differences=True) for name, (draw, truth) in PAIRS.items()
    }
    return _lowest(PAIRED_BOOTSTRAP, n, found)


def wilson_rate(n: int, simulations: int) -> Coverage:
    """Wilson's interval of a hit rate."""
    limits = [wilson(hits, n, level=_LEVEL) for hits in range(n + 1)]
    found = {}
    for rate in RATES:
        hits = np.random.default_rng(SEED).binomial(n, rate, simulations)
        held = np.array([i.low is not None and i.high is not None and i.low <= rate <= i.high for i in limits])
        found[f"rate {rate:g}"] = held[hits].astype(float)
    return _lowest(WILSON, n, found)


def newcombe_difference(n: int, simulations: int) -> Coverage:
    """Newcombe's interval of a paired difference of hit rates."""
    found = {}
    for name, cells in TABLES.items():
        truth = cells[1] - cells[2]
        drawn = np.random.default_rng(SEED).multinomial(n, cells, simulations)
        tables, times = np.unique(drawn, axis=0, return_inverse=True)
        intervals = [newcombe_paired(Paired(*map(int, t)), level=_LEVEL) for t in tables]
        held = np.array([i.low is not None and i.high is not None and i.low <= truth <= i.high for i in intervals])
        found[name] = held[times.ravel()].astype(float)
    return _lowest(NEWCOMBE, n, found)


def _bootstrap(draw: Sampler, truth: float, n: int, simulations: int, *, few_differences: bool) -> Floats:
    """For each simulated sample 1 or 0 when its interval held the truth, NaN when it has none."""
    samples = draw(np.random.default_rng(SEED), (simulations, n))
    held = np.empty(simulations)
    for start in range(0, simulations, _BLOCK):
        block = samples[start : start + _BLOCK]
        low, high = np.quantile(_resampled(block), [(1 - _LEVEL) / 2, (1 + _LEVEL) / 2], axis=0)
        held[start : start + _BLOCK] = (low <= truth) & (truth <= high)
    none = np.ptp(samples, axis=1) < SAME
    if few_differences:
        none |= 2 / 2.0 ** (np.abs(samples) > SAME).sum(axis=1) > 1 - _LEVEL + 1e-12
    held[none] = np.nan
    return held


def _resampled(block: Floats) -> Floats:
    """Resampled means, shape (resamples, samples), of samples of shape (samples, n)."""
    columns = [resampled_means(sample, seed=SEED, resamples=_RESAMPLES) for sample in block]
    return np.stack(columns, axis=1)


def _student_limits(block: Floats) -> tuple[Floats, Floats]:
    n = block.shape[1]
    half = stdtrit(n - 1, (1 + _LEVEL) / 2) * block.std(axis=1, ddof=1) / sqrt(n)
    return block.mean(axis=1) - half, block.mean(axis=1) + half


def _bca_limits(block: Floats) -> tuple[Floats, Floats]:
    means = _resampled(block)
    limits = np.array(
        [np.quantile(column, bca_levels(sample, column, _LEVEL)) for sample, column in zip(block, means.T, strict=True)]
    )
    return limits[:, 0], limits[:, 1]


def _lowest(interval: str, n: int, found: dict[str, NDArray[np.float64]]) -> Coverage:
    shares = {name: float(np.nanmean(held)) for name, held in found.items()}
    worst = min(shares, key=lambda name: shares[name])
    held = found[worst]
    defined = int((~np.isnan(held)).sum())
    share = shares[worst]
    error = sqrt(share * (1 - share) / defined)
    return Coverage(interval, n, share, error, worst, 1 - defined / len(held), len(held))


def write(figures: Sequence[Coverage]) -> None:
    """Stores the figures that the pages show."""
    FIGURES.write_text(json.dumps([asdict(f) for f in figures], indent=1) + "\n", encoding="utf-8")


def stored() -> list[Coverage]:
    """The stored figures."""
    return [Coverage(**row) for row in json.loads(FIGURES.read_text(encoding="utf-8"))]


def nearest(method: str, n: int) -> Coverage | None:
    """The stored figure of a method at the size nearest to ``n``; None for a method that is not simulated."""
    mine = [f for f in stored() if f.interval == method]
    return min(mine, key=lambda f: abs(f.n - n)) if mine else None


def lines(figures: Sequence[Coverage]) -> Iterator[str]:
    """The figures for reading."""
    for f in figures:
        none = f", no interval in {100 * f.undefined:.1f} %" if f.undefined else ""
        yield (
            f"{f.interval}, n = {f.n}: {100 * f.share:.1f} % (Monte Carlo error {100 * f.error:.1f}), "
            f"lowest at: {f.population}{none}"
        )

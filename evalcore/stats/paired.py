"""Two runs on the same questions: the difference of their means, its size, its interval and its test.

The unit is the question and each question is its own control. Two intervals that overlap say little about the
difference; the interval of the difference does.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil, sqrt

import numpy as np
from scipy.special import stdtrit

from evalcore.stats.means import RESAMPLES, SAME, SEED, bootstrap_mean
from evalcore.stats.proportions import Paired, mcnemar_exact, newcombe_paired
from evalcore.stats.resampling import Floats, every_sign_flip_sum, sign_flip_sums
from evalcore.stats.result import CONSTANT_SAMPLE, Interval, Test

SIGN_VECTORS = 20_000
EXACT_UP_TO = 16
PAIRED_BOOTSTRAP = "paired percentile bootstrap"
PAIRED_T, PAIRED_BCA = "paired t(n - 1)", "paired BCa bootstrap"


@dataclass(frozen=True, slots=True)
class PairedResult:
    """First minus second over n questions; wins, ties and losses are questions, from the first run's side."""

    interval: Interval
    d_z: float | None
    wins: int
    ties: int
    losses: int
    test: Test


@dataclass(frozen=True, slots=True)
class Settings:
    """What the plan fixes for a comparison."""

    level: float = 0.95
    seed: int = SEED
    resamples: int = RESAMPLES
    sign_vectors: int = SIGN_VECTORS
    exact_up_to: int = EXACT_UP_TO


def compare_means(first: Floats, second: Floats, settings: Settings) -> PairedResult:
    """Paired bootstrap, d_z and sign-flip test of two runs' values (shape (n,), ascending by question id)."""
    differences = first - second
    wins, ties, losses = signs(differences)
    return PairedResult(
        _paired_bootstrap(differences, settings),
        d_z(differences),
        wins,
        ties,
        losses,
        sign_flip(
            differences,
            seed=settings.seed,
            draws=settings.sign_vectors,
            exact_up_to=settings.exact_up_to,
        ),
    )


def compare_hits(first: Floats, second: Floats, settings: Settings) -> PairedResult:
    """Newcombe's interval and McNemar's test of two runs' hits (0 or 1, shape (n,), ascending by question id)."""
    one, two = first > 0.5, second > 0.5
    table = Paired(
        both=int((one & two).sum()),
        first_only=int((one & ~two).sum()),
        second_only=int((~one & two).sum()),
        neither=int((~one & ~two).sum()),
    )
    return PairedResult(
        newcombe_paired(table, level=settings.level),
        d_z(first - second),
        table.first_only,
        table.both + table.neither,
        table.second_only,
        mcnemar_exact(table.first_only, table.second_only),
    )


def beside_paired(differences: Floats, *, level: float = 0.95) -> Interval:
    """The second interval of a mean difference (shape (n,)): Student's t with n - 1 degrees of freedom.

    In simulation it holds more often than the percentile bootstrap of differences at 10 and 40 questions and as often
    at 100, where BCa holds less often when most questions tie. It is not given where the bootstrap is not.
    """
    n = len(differences)
    if n == 0:
        return Interval(None, None, None, level, 0, PAIRED_T, reason="no questions")
    mean, reason = float(differences.mean()), _too_few(differences, level)
    if reason is not None:
        return Interval(mean, None, None, level, n, PAIRED_T, reason=reason)
    half = float(stdtrit(n - 1, (1 + level) / 2) * differences.std(ddof=1) / sqrt(n))
    return Interval(mean, mean - half, mean + half, level, n, PAIRED_T)


def d_z(differences: Floats) -> float | None:
    """Mean difference over the standard deviation (ddof 1) of the differences; None when that is below 1e-9 or n < 2.

    Source: J. Cohen, Statistical Power Analysis (1988), section 2.3.5. It is neither Cohen's d of two groups nor d_av.
    """
    if len(differences) < 2:
        return None
    spread = float(differences.std(ddof=1))
    return None if spread < SAME else float(differences.mean()) / spread


def sign_flip(
    differences: Floats, *, seed: int = SEED, draws: int = SIGN_VECTORS, exact_up_to: int = EXACT_UP_TO
) -> Test:
    """Two-sided sign-flip permutation test on the sum of the differences (Fisher 1935).

    Exact over all sign vectors of the non-zero differences when there are at most ``exact_up_to``; otherwise
    p = (1 + hits) / (1 + draws), which is never 0. A sum within 1e-9 of the observed one counts as reaching it.
    Without a non-zero difference p = 1.
    """
    kept = differences[np.abs(differences) > SAME]
    observed = abs(float(kept.sum())) - SAME
    if len(kept) <= exact_up_to:
        sums = every_sign_flip_sum(kept)
        return Test(float((np.abs(sums) >= observed).mean()), f"sign-flip, exact ({len(sums):,} sign vectors)")
    sums = sign_flip_sums(kept, seed=seed, draws=draws)
    return Test((1 + int((np.abs(sums) >= observed).sum())) / (1 + draws), f"sign-flip, {draws:,} draws")


def draws_for_family(k: int, alpha: float, *, at_least: int = SIGN_VECTORS) -> int:
    """Sign vectors needed so that the smallest possible p, times k, can still reach alpha."""
    return max(at_least, ceil(k / alpha))


def signs(differences: Floats) -> tuple[int, int, int]:
    """Wins, ties and losses of the first: a tie is a difference of at most 1e-9."""
    wins, losses = int((differences > SAME).sum()), int((differences < -SAME).sum())
    return wins, len(differences) - wins - losses, losses


def _paired_bootstrap(differences: Floats, settings: Settings) -> Interval:
    whole = bootstrap_mean(differences, level=settings.level, seed=settings.seed, resamples=settings.resamples)
    reason = _too_few(differences, settings.level) or whole.reason
    if reason is not None:
        return Interval(whole.value, None, None, settings.level, whole.n, PAIRED_BOOTSTRAP, reason=reason)
    return replace(whole, method=PAIRED_BOOTSTRAP)


def _too_few(differences: Floats, level: float) -> str | None:
    """Why no interval of a mean difference should be given: nothing varies, or too few questions differ."""
    n = len(differences)
    if not n:
        return None
    if n < 2 or float(differences.std(ddof=1)) < SAME:
        return CONSTANT_SAMPLE.format(n=n, value=float(differences.mean()))
    wins, _, losses = signs(differences)
    if 2 / 2 ** (wins + losses) > 1 - level + 1e-12:
        return (
            f"only {wins + losses} of {n} questions differ; no test of so few can reach the {100 * level:g} % level, "
            "so the bootstrap would claim too much"
        )
    return None

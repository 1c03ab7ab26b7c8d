"""Agreement of two raters on items in topics: raw agreement, Cohen's kappa and its two intervals.

Resampling items is the obvious method and the wrong one: items of a topic fail together. Kappa that is undefined stays
undefined: a rater who gave one verdict throughout agrees perfectly or by chance, and kappa cannot say which.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from evalcore.stats.means import RESAMPLES, SAME, SEED
from evalcore.stats.resampling import Floats, count_rows
from evalcore.stats.result import Interval

BY_TOPIC, JACKKNIFE = "kappa, topics resampled", "kappa, leave-one-topic-out jackknife, t(G - 1)"
FEWEST_TOPICS, FEWEST_WITH_A_VERDICT = 5, 3
ONE_VERDICT = "a rater gave one verdict throughout: kappa cannot tell agreement from habit"


@dataclass(frozen=True, slots=True)
class Agreement:
    """Two raters' verdicts, yes or no: ``raw`` agreement, each rater's share of yes, and kappa with both intervals.

    ``dropped`` resamples had no kappa and were left out of the first interval.
    """

    raw: float
    yes_first: float
    yes_second: float
    resampled: Interval
    jackknife: Interval
    dropped: int = 0

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa; None when a rater gave one verdict throughout."""
        return self.jackknife.value


def agreement(
    topics: NDArray[np.int64], *, level: float = 0.95, seed: int = SEED, resamples: int = RESAMPLES
) -> Agreement:
    """Agreement over ``topics``, shape (G, 4): both yes, first only, second only, both no.

    Source of kappa: J. Cohen, Educational and Psychological Measurement 20 (1960) 37-46. (a) whole topics are
    resampled, undefined resamples dropped and counted; (b) leave-one-topic-out jackknife,
    SE^2 = (G - 1)/G sum (kappa_(g) - mean)^2 and kappa +- t(G - 1) SE, clipped to [-1, 1]. Neither is given when there
    are fewer than 5 topics, a kappa_(g) is undefined, a verdict of a rater occurs in fewer than 3 topics, or SE = 0.

    Topics without an item are left out.

    Raises:
        ValueError: no item.

    """
    topics = topics[topics.sum(axis=1) > 0]
    whole = topics.sum(axis=0)
    n = int(whole.sum())
    if n == 0:
        raise ValueError("there is no item to agree on")
    raw = float((whole[0] + whole[3]) / n)
    yes = float((whole[0] + whole[1]) / n), float((whole[0] + whole[2]) / n)
    value = float(kappas(whole[None, :])[0])
    defined = not np.isnan(value)
    left_out = kappas(whole - topics)
    reason = ONE_VERDICT if not defined else _why_none(topics, left_out)
    if reason is not None:
        shown = value if defined else None
        without = Interval(shown, None, None, level, n, BY_TOPIC, reason=reason)
        return Agreement(raw, *yes, without, replace(without, method=JACKKNIFE))
    groups = len(topics)
    drawn = np.random.default_rng(seed).integers(0, groups, (resamples, groups))
    again = kappas(count_rows(drawn, groups) @ topics)
    kept = again[~np.isnan(again)]
    low, high = (float(x) for x in np.quantile(kept, [(1 - level) / 2, (1 + level) / 2]))
    resampled = Interval(value, low, high, level, n, BY_TOPIC, seed=seed, resamples=resamples)
    half = float(stdtrit(groups - 1, (1 + level) / 2)) * jackknife_error(left_out)
    jackknife = Interval(value, max(value - half, -1.0), min(value + half, 1.0), level, n, JACKKNIFE)
    return Agreement(raw, *yes, resampled, jackknife, dropped=resamples - len(kept))


def kappas(cells: NDArray[np.int64] | Floats) -> Floats:
    """Cohen's kappa of each 2 x 2 table, shape (..., 4) to (...); NaN where a rater gave one verdict throughout.

    With one constant rater the formula gives 0 whatever the other did, which is no finding.
    """
    a, b, c, d = np.moveaxis(np.asarray(cells, dtype=np.float64), -1, 0)
    n = a + b + c + d
    chance = (a + b) * (a + c) + (c + d) * (b + d)
    varied = (a + b > 0) & (c + d > 0) & (a + c > 0) & (b + d > 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        found = (n * (a + d) - chance) / (n * n - chance)
    return np.where(varied, found, np.nan)


def jackknife_error(left_out: Floats) -> float:
    """Standard error from the G leave-one-topic-out values, shape (G,)."""
    groups = len(left_out)
    return sqrt((groups - 1) / groups * float(((left_out - left_out.mean()) ** 2).sum()))


def _why_none(topics: NDArray[np.int64], left_out: Floats) -> str | None:
    """Why a kappa that exists has no interval; None when it has one."""
    groups = len(topics)
    if groups < FEWEST_TOPICS:
        return f"{groups} topics: fewer than {FEWEST_TOPICS} say too little about the spread between topics"
    both, first, second, neither = topics.T
    for verdict in (both + first, second + neither, both + second, first + neither):
        seen = int((verdict > 0).sum())
        if seen < FEWEST_WITH_A_VERDICT:
            return (
                f"a rater gave one of the verdicts in {seen} of {groups} topics; with fewer than "
                f"{FEWEST_WITH_A_VERDICT}, kappa without a topic is undefined or rests on one"
            )
    if jackknife_error(left_out) < SAME:
        return "leaving out any topic gives the same kappa: the jackknife would claim a width of zero"
    return None

"""Power from a study's own paired differences: what the declared test would find in larger studies like this one.

The differences are moved so that their mean is the smallest difference worth having, which somebody chose. Leaving the
mean where it was observed is the obvious method and the wrong one: that power is the p-value in other clothes.

Moving all of them makes a difference of every tie, which the test then counts as evidence. Moving only the others
leaves ties as they are. With many ties the two are far apart, in either direction, and the data cannot tell which
is right.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from evalcore.stats.means import SAME, SEED
from evalcore.stats.paired import EXACT_UP_TO, SIGN_VECTORS
from evalcore.stats.resampling import Floats, every_sign_flip_sum, sign_vectors

STUDIES = 2_000
_FEWEST = 200
_WORK = 10_000_000_000  # signs drawn x studies x questions in one figure: some seconds
_AT_ONCE = 100


def recentred(differences: Floats, worth: float) -> Floats:
    """The differences with their spread as it is and their mean at ``worth``."""
    return np.asarray(differences - differences.mean() + worth)


def recentred_beside_ties(differences: Floats, worth: float) -> Floats:
    """The differences with their ties as they are, the others moved alike so that the mean of all is ``worth``.

    Raises:
        ValueError: every question ties.

    """
    apart = np.abs(differences) > SAME
    if not apart.any():
        raise ValueError("every question ties: there is no difference to move")
    return np.where(apart, differences + (worth - differences[apart].sum() / len(apart)) / apart.mean(), 0.0)


def studies_for(n: int, *, studies: int = STUDIES, draws: int = SIGN_VECTORS) -> int:
    """How many studies of n questions to simulate: fewer when each is large, never under 200."""
    return max(_FEWEST, min(studies, _WORK // (n * draws)))


def study_p_values(
    differences: Floats,
    worth: float,
    n: int,
    *,
    studies: int,
    move: Callable[[Floats, float], Floats] = recentred,
    seed: int = SEED,
    draws: int = SIGN_VECTORS,
    exact_up_to: int = EXACT_UP_TO,
    done: Callable[[float], None] = lambda share: None,
) -> Floats:
    """The sign-flip test's p in each of ``studies`` studies of n questions, shape (studies,).

    Each study draws n differences with replacement from ``differences`` (shape (m,)), recentred at ``worth`` by
    ``move``, by the stream ``default_rng(seed).integers(0, m, (studies, n))``; its test is
    :func:`evalcore.stats.paired.sign_flip` with the same seed. ``done`` hears the share that is finished.
    """
    moved = move(differences, worth)
    samples = moved[np.random.default_rng(seed).integers(0, len(moved), (studies, n))]
    # studies with equally many differences stand together, since each number of them has its own sign vectors
    order = np.argsort((np.abs(samples) > SAME).sum(axis=1), kind="stable")
    found = np.empty(studies)
    for start in range(0, studies, _AT_ONCE):
        mine = order[start : start + _AT_ONCE]
        found[mine] = sign_flip_p_values(samples[mine], seed=seed, draws=draws, exact_up_to=exact_up_to)
        done((start + len(mine)) / studies)
    return found


def sign_flip_p_values(
    samples: Floats, *, seed: int = SEED, draws: int = SIGN_VECTORS, exact_up_to: int = EXACT_UP_TO
) -> Floats:
    """The p of :func:`evalcore.stats.paired.sign_flip` for each row of ``samples`` (shape (studies, n))."""
    apart = np.abs(samples) > SAME
    counts = apart.sum(axis=1)
    found = np.ones(len(samples))
    for k in np.unique(counts[counts > 0]):
        mine = np.flatnonzero(counts == k)
        kept = samples[mine][apart[mine]].reshape(len(mine), int(k))
        observed = np.abs(kept.sum(axis=1)) - SAME
        if k <= exact_up_to:
            sums = (np.abs(every_sign_flip_sum(row)) for row in kept)
            found[mine] = [float((s >= least).mean()) for s, least in zip(sums, observed, strict=True)]
        else:
            hits = np.zeros(len(mine), dtype=np.int64)
            for signs in sign_vectors(int(k), seed=seed, draws=draws):
                hits += (np.abs(signs @ kept.T) >= observed).sum(axis=0)
            found[mine] = (1 + hits) / (1 + draws)
    return found

"""q(s): the probability that a question with score s is answerable, and the cut that the costs make of it.

The sweep is the headline: it counts. Calibration smooths, and is shown beside it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import inf, log

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from evalcore.abstention.cost import Costs
from evalcore.abstention.scored import VISITOR, Scored
from evalcore.abstention.sweep import Floats
from evalcore.evidence import Basis, Estimate, Source
from evalcore.evidence.claims import number
from evalcore.stats.logistic import FOLDS, Logistic, NotFittedError, cross_fitted, fit_logistic, isotonic
from evalcore.stats.proportions import wilson

BINS = 5
METHOD = "logistic regression, maximum likelihood"


def reweighted(q: Floats, share0: float, share: float) -> Floats:
    """q at another share of unanswerable questions: logit q' = logit q + log((1-pi)/pi) - log((1-pi0)/pi0).

    Both shares lie strictly between 0 and 1; a share of 0 or 1 makes every question answerable, or none.
    """
    return np.asarray(expit(logit(q) + _odds(share) - _odds(share0)))


@dataclass(frozen=True, slots=True)
class Bin:
    """Questions of similar predicted q: their mean prediction, and the share of them that is answerable."""

    predicted: float
    observed: Estimate


@dataclass(frozen=True)
class Calibration:
    """What logistic regression makes of a score. ``fit`` is None with a ``reason`` when it has no finite solution."""

    scored: Scored
    fit: Logistic | None
    reason: str | None

    @classmethod
    def of(cls, scored: Scored) -> Calibration:
        """Fits on all questions of the file, which are development questions."""
        try:
            found = fit_logistic(scored.scores, scored.answerable)
        except NotFittedError as error:
            return cls(scored, None, str(error))
        if found.slopes[0] <= 0:
            return cls(scored, None, "answerability does not rise with this score, so no cut on q is a threshold")
        return cls(scored, found, None)

    def q(self, scores: Floats, share: float | None = None) -> Floats | None:
        """Fitted q at these scores, at the file's own share or another; None without a fit."""
        if self.fit is None:
            return None
        fitted = self.fit.predict(scores)
        return fitted if share is None else reweighted(fitted, self.scored.sweep.share, share)

    def cut(self, costs: Costs, share: float | None = None) -> Estimate:
        """The score at which q equals c_u / (c_u + c_a): answer above it. None is the file's own share."""
        method = f"score where q = {number(costs.answer_above)}, {METHOD}"
        if self.fit is None:
            return Estimate.not_assessed(str(self.reason), method=method, provisional=self.scored.provisional)
        if not 0 < costs.answer_above < 1:
            reason = "with one cost at 0 every threshold, or none, is right"
            return Estimate.not_assessed(reason, method=method, provisional=self.scored.provisional)
        if share is not None and not 0 < share < 1:
            reason = "at a share of 0 every question is answerable, at 1 none is, whatever its score"
            return Estimate.not_assessed(reason, method=method, provisional=self.scored.provisional)
        shift = 0.0 if share is None else _odds(share) - _odds(self.scored.sweep.share)
        at = self.fit.where(float(expit(logit(costs.answer_above) - shift)))
        mix = "the file's mix" if share is None else f"unanswerable share {number(share)}"
        assumed = Source(f"costs {costs.unsupported:g} : {costs.refusal:g}, {mix}", chosen_by=VISITOR)
        n = self.scored.sweep.n
        reason = "no interval: it would not tell how far the logistic form itself is off"
        return Estimate(
            at,
            None,
            None,
            None,
            n,
            method,
            Basis.ASSUMED,
            (self.scored.source, assumed),
            reason,
            self.scored.provisional,
        )

    @property
    def isotonic(self) -> tuple[Floats, Floats]:
        """Distinct scores and the best monotone shares of answerable questions, as a check on the logistic form."""
        return isotonic(self.scored.scores, self.scored.answerable)

    @property
    def folds(self) -> int:
        """8, or as many as the smaller group allows."""
        return min(FOLDS, self.scored.sweep.answerable, self.scored.sweep.unanswerable)

    @cached_property
    def reliability(self) -> tuple[Bin, ...]:
        """Five groups of questions by cross-fitted q, equally large but for ties; empty where there is none to trust.

        That is where a fold has no fit, and for a score made from labels: the other folds' scores have seen the
        question's own label.
        """
        if self.scored.made_from_labels:
            return ()
        try:
            q = cross_fitted(self.scored.scores, self.scored.answerable, folds=self.folds)
        except NotFittedError:
            return ()
        bins = []
        for members in _groups(q):
            if len(members):
                share = wilson(int(self.scored.answerable[members].sum()), len(members))
                observed = self.scored.measured(share)
                bins.append(Bin(float(q[members].mean()), observed))
        return tuple(bins)


def _groups(q: Floats) -> list[NDArray[np.int64]]:
    """Places of q in five groups, ascending and about equally large; equal q stay together, whatever their order."""
    _, tie, counts = np.unique(q, return_inverse=True, return_counts=True)
    middle = (np.cumsum(counts) - counts / 2) / len(q)
    group = np.minimum((middle * BINS).astype(np.int64), BINS - 1)[tie]
    return [np.flatnonzero(group == g) for g in range(BINS)]


def _odds(share: float) -> float:
    """Log odds of an answerable question."""
    if not 0 <= share <= 1:
        raise ValueError(f"{share} is not a share")
    return log((1 - share) / share) if 0 < share < 1 else inf if share == 0 else -inf

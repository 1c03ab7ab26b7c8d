"""P(positive | features): logistic regression, isotonic regression, and predictions that no question makes of itself.

Cross-fitting is in folds, never leave-one-out: with one question held out, the others' base rate shifts against it, and
on pure noise the AUC of such predictions falls below one half.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import isotonic_regression
from scipy.special import expit, logit

from evalcore.stats.means import SEED
from evalcore.stats.resampling import Floats

Labels = NDArray[np.bool_]
FOLDS = 8


class NotFittedError(ValueError):
    """Maximum likelihood has no finite solution here; the message says why."""


@dataclass(frozen=True, slots=True)
class Logistic:
    """logit P(positive) = intercept + slopes . features."""

    intercept: float
    slopes: tuple[float, ...]

    def predict(self, features: Floats) -> Floats:
        """Probabilities, shape (n,), of features of shape (n, k) or, with one feature, (n,)."""
        return np.asarray(expit(self.intercept + _matrix(features) @ np.array(self.slopes)))

    def where(self, q: float) -> float | None:
        """The value of a single feature at which the probability is ``q``; None when the slope is nil."""
        (slope,) = self.slopes
        return (float(logit(q)) - self.intercept) / slope if slope else None


def fit_logistic(features: Floats, positive: Labels) -> Logistic:
    """Unpenalised maximum likelihood.

    Args:
        features: shape (n, k), or (n,) for one feature.
        positive: shape (n,).

    Raises:
        NotFittedError: one class only, a feature that never varies or repeats another, or features that separate the
            classes perfectly, so that the likelihood rises without end.

    """
    # statsmodels costs a second to import, and most commands and pages fit nothing
    from statsmodels.discrete.discrete_model import Logit
    from statsmodels.tools.sm_exceptions import ConvergenceWarning, PerfectSeparationError, PerfectSeparationWarning

    matrix = _matrix(features)
    if positive.all() or not positive.any():
        raise NotFittedError("only one kind of question is there")
    constant = np.ptp(matrix, axis=0) == 0
    centre, spread = matrix.mean(axis=0), np.where(constant, 1.0, matrix.std(axis=0))
    if constant.any() or np.linalg.matrix_rank((matrix - centre) / spread) < matrix.shape[1]:
        raise NotFittedError("a score never varies, or repeats another")
    design = np.column_stack([np.ones(len(matrix)), (matrix - centre) / spread])
    separated = "the scores separate the two kinds of question perfectly, so that no finite fit is the best"
    if matrix.shape[1] == 1 and _apart(matrix[:, 0], positive):
        raise NotFittedError(separated)
    with warnings.catch_warnings():
        for kind in (ConvergenceWarning, PerfectSeparationWarning, RuntimeWarning):
            warnings.simplefilter("error", kind)
        try:
            found = Logit(positive.astype(float), design).fit(disp=0, maxiter=200, tol=1e-12)
        except (ConvergenceWarning, PerfectSeparationError, PerfectSeparationWarning) as error:
            raise NotFittedError(separated) from error
        except (np.linalg.LinAlgError, RuntimeWarning) as error:
            raise NotFittedError("the fit does not converge") from error
    slopes = found.params[1:] / spread
    return Logistic(float(found.params[0] - slopes @ centre), tuple(map(float, slopes)))


def cross_fitted(features: Floats, positive: Labels, *, folds: int = FOLDS, seed: int = SEED) -> Floats:
    """Each question's probability from a fit on the other folds, shape (n,); rows ascending by question id.

    Raises:
        NotFittedError: a class has fewer members than there are folds, or a fold's fit has no finite solution.

    """
    fold_of = stratified_folds(positive, folds=folds, seed=seed)
    matrix, predicted = _matrix(features), np.empty(len(positive))
    for fold in range(folds):
        mine = fold_of == fold
        predicted[mine] = fit_logistic(matrix[~mine], positive[~mine]).predict(matrix[mine])
    return predicted


def stratified_folds(positive: Labels, *, folds: int = FOLDS, seed: int = SEED) -> NDArray[np.int64]:
    """A fold for each question: each class is shuffled and dealt out in turn, positives first, from one stream."""
    if min(int(positive.sum()), int((~positive).sum())) < folds:
        raise NotFittedError(f"fewer than {folds} questions of one kind, for {folds} folds")
    rng = np.random.default_rng(seed)
    fold_of = np.empty(len(positive), dtype=np.int64)
    for members in (np.flatnonzero(positive), np.flatnonzero(~positive)):
        fold_of[rng.permutation(members)] = np.arange(len(members)) % folds
    return fold_of


def isotonic(score: Floats, positive: Labels) -> tuple[Floats, Floats]:
    """The distinct scores, ascending, and the monotone shares of positives that fit best (pool adjacent violators).

    Source: R. E. Barlow et al., Statistical Inference under Order Restrictions (1972); least squares, weights = counts.
    """
    distinct, where, counts = np.unique(score, return_inverse=True, return_counts=True)
    shares = np.bincount(where, weights=positive.astype(float)) / counts
    return distinct, np.asarray(isotonic_regression(shares, weights=counts).x)


def _matrix(features: Floats) -> Floats:
    return features[:, None] if features.ndim == 1 else features


def _apart(score: Floats, positive: Labels) -> bool:
    """Whether one cut divides the two classes, a shared value at the cut included (quasi-complete separation)."""
    one, other = score[positive], score[~positive]
    return bool(one.min() >= other.max() or other.min() >= one.max())

"""Every simulated interval: what it is an interval of, on which populations and at which sizes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from evalcore.stats.agreement import BY_TOPIC, JACKKNIFE
from evalcore.stats.auc import NEWCOMBE_AUC, STRATIFIED
from evalcore.stats.clusters import CLUSTER_WILSON
from evalcore.stats.coverage import counts, ranks, scores
from evalcore.stats.coverage.limits import Limits
from evalcore.stats.coverage.populations import (
    CLUSTERS,
    EFFECTS,
    MEANS,
    PAIRS,
    RATERS,
    RATES,
    SCORE_PAIRS,
    SCORES,
    TABLES,
    Population,
    Samples,
    Size,
)
from evalcore.stats.means import BCA, HITS_RESAMPLED, PERCENTILE, STUDENT_T
from evalcore.stats.paired import PAIRED_BCA, PAIRED_BOOTSTRAP, PAIRED_T
from evalcore.stats.power import D_Z_INTERVAL
from evalcore.stats.proportions import EXACT, NEWCOMBE, NORMAL, WILSON

MEAN, DIFFERENCE, EFFECT, RATE = "mean", "mean difference", "d_z", "rate"
RATE_DIFFERENCE, CLUSTERED_RATE, KAPPA = "difference of rates", "clustered rate", "kappa"
AUC, AUC_DIFFERENCE = "AUC", "difference of AUCs"


@dataclass(frozen=True, slots=True)
class Design:
    """A sample size: ``parts`` as the limits take it, all units ``n``, and how it is said and linked to."""

    parts: Size
    n: int
    text: str
    slug: str


@dataclass(frozen=True, slots=True)
class Kind:
    """An interval by its method's name; two with the same ``family`` are of the same kind of number."""

    method: str
    family: str
    slug: str
    populations: Mapping[str, Population]
    limits: Callable[[Samples, Size, int], Limits]
    designs: tuple[Design, ...]

    def drawn(self, design: Design) -> Mapping[str, Population]:
        """The populations that are tried at this size."""
        return {name: p for name, p in self.populations.items() if p.fewest <= design.n}

    def row(self, design: Design) -> str:
        """The name of its figure at this size; it stays the same, since links lead to it."""
        return f"{self.slug}-{design.slug}"


def _questions(*sizes: int) -> tuple[Design, ...]:
    return tuple(Design((n,), n, f"n = {n}", str(n)) for n in sizes)


def _topics(*shapes: tuple[int, int]) -> tuple[Design, ...]:
    return tuple(Design((g, m), g * m, f"{g} topics of {m}", f"{g}x{m}") for g, m in shapes)


def _groups(*sizes: tuple[int, int]) -> tuple[Design, ...]:
    return tuple(Design((m, n), m + n, f"{m} against {n}", f"{m}-{n}") for m, n in sizes)


_USUAL = _questions(10, 40, 100)
_RATE_SIZES = _questions(6, 10, 24, 40, 100)
_HARNESS = _topics((8, 7))
_SHAPES = _topics((4, 7), (8, 7), (8, 20), (16, 7))

KINDS = (
    Kind(PERCENTILE, MEAN, "percentile-bootstrap", MEANS, scores.percentile, _USUAL),
    Kind(STUDENT_T, MEAN, "t", MEANS, scores.student, _USUAL),
    Kind(BCA, MEAN, "bca-bootstrap", MEANS, scores.bca, _USUAL),
    Kind(PAIRED_BOOTSTRAP, DIFFERENCE, "paired-percentile-bootstrap", PAIRS, scores.paired_percentile, _USUAL),
    Kind(PAIRED_T, DIFFERENCE, "paired-t", PAIRS, scores.paired_student, _USUAL),
    Kind(PAIRED_BCA, DIFFERENCE, "paired-bca-bootstrap", PAIRS, scores.paired_bca, _USUAL),
    Kind(D_Z_INTERVAL, EFFECT, "d-z", EFFECTS, scores.effect, _USUAL),
    Kind(WILSON, RATE, "wilson", RATES, counts.wilson_rate, _RATE_SIZES),
    Kind(EXACT, RATE, "clopper-pearson", RATES, counts.clopper_pearson, _RATE_SIZES),
    Kind(NORMAL, RATE, "normal", RATES, counts.normal_approximation, _RATE_SIZES),
    Kind(HITS_RESAMPLED, RATE, "hits-resampled", RATES, counts.hits_resampled, _RATE_SIZES),
    Kind(NEWCOMBE, RATE_DIFFERENCE, "newcombe-paired", TABLES, counts.newcombe_difference, _USUAL),
    Kind(CLUSTER_WILSON, CLUSTERED_RATE, "cluster-wilson-t", CLUSTERS, counts.cluster_student, _SHAPES),
    Kind(counts.CLUSTER_WILSON_Z, CLUSTERED_RATE, "cluster-wilson-z", CLUSTERS, counts.cluster_normal, _SHAPES),
    Kind(BY_TOPIC, KAPPA, "kappa-resampled", RATERS, counts.kappa_resampled, _HARNESS),
    Kind(JACKKNIFE, KAPPA, "kappa-jackknife", RATERS, counts.kappa_jackknife, _HARNESS),
    Kind(NEWCOMBE_AUC, AUC, "auc", SCORES, ranks.auc_limits, _groups((10, 6), (40, 24), (84, 48))),
    Kind(STRATIFIED, AUC_DIFFERENCE, "auc-difference", SCORE_PAIRS, ranks.difference_limits, _groups((40, 24))),
)
PLACES = {kind.row(design): (kind, design) for kind in KINDS for design in kind.designs}
FAMILY = {kind.method: kind.family for kind in KINDS}

"""The simulated limits are those of the functions that the report calls, sample by sample."""

from math import sqrt

import numpy as np
import pytest
from scipy.stats import norm

from evalcore.planning.rates import SupposedRate
from evalcore.stats import means
from evalcore.stats.agreement import BY_TOPIC, JACKKNIFE, agreement
from evalcore.stats.auc import NEWCOMBE_AUC, STRATIFIED, auc, auc_difference
from evalcore.stats.clusters import CLUSTER_WILSON, cluster_rate
from evalcore.stats.coverage import counts
from evalcore.stats.coverage.counts import CLUSTER_WILSON_Z, cluster_wilson_z
from evalcore.stats.coverage.kinds import KINDS, PLACES
from evalcore.stats.means import BCA, HITS_RESAMPLED, PERCENTILE, STUDENT_T, beside_percentile, bootstrap_mean
from evalcore.stats.paired import PAIRED_BCA, PAIRED_BOOTSTRAP, PAIRED_T, Settings, compare_means, d_z
from evalcore.stats.power import D_Z_INTERVAL, d_z_limits
from evalcore.stats.proportions import (
    EXACT,
    NEWCOMBE,
    NORMAL,
    WILSON,
    Paired,
    exact_rate,
    newcombe_paired,
    normal_rate,
    wilson,
)
from evalcore.stats.result import Interval

SEED, SAMPLES, RESAMPLES = 20241009, 25, 2_000


def beside(sample, least):
    """The report's second interval of a mean, as if BCa began at ``least`` questions."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(means, "BCA_FROM", least)
        return beside_percentile(sample, resamples=RESAMPLES)


def paired(sample):
    return compare_means(sample, np.zeros(len(sample)), Settings(resamples=RESAMPLES)).interval


def beside_paired(sample, least):
    first = paired(sample)
    return first if first.low is None else beside(sample, least)


def by_topic(topics):
    return agreement(topics, resamples=RESAMPLES)


def effect(sample):
    observed, n = d_z(sample), len(sample)
    low, high = (None, None) if observed is None else d_z_limits(observed, n)
    return Interval(observed, low, high, 0.95, n, D_Z_INTERVAL)


def listed(hits, n):
    return bootstrap_mean(np.array([1.0] * int(hits) + [0.0] * (n - int(hits))), resamples=RESAMPLES)


def of_two_scores(sample, m, n):
    return auc_difference(*sample, np.array([True] * m + [False] * n), resamples=RESAMPLES)


REPORTED = {
    PERCENTILE: lambda x, size: bootstrap_mean(x, resamples=RESAMPLES),
    STUDENT_T: lambda x, size: beside(x, 10**9),
    BCA: lambda x, size: beside(x, 0),
    PAIRED_BOOTSTRAP: lambda x, size: paired(x),
    PAIRED_T: lambda x, size: beside_paired(x, 10**9),
    PAIRED_BCA: lambda x, size: beside_paired(x, 0),
    D_Z_INTERVAL: lambda x, size: effect(x),
    WILSON: lambda x, size: wilson(int(x), *size),
    EXACT: lambda x, size: exact_rate(int(x), *size),
    NORMAL: lambda x, size: normal_rate(int(x), *size),
    HITS_RESAMPLED: lambda x, size: listed(x, *size),
    NEWCOMBE: lambda x, size: newcombe_paired(Paired(*x.tolist())),
    CLUSTER_WILSON: lambda x, size: cluster_rate(x.tolist(), [size[1]] * size[0]).interval,
    CLUSTER_WILSON_Z: lambda x, size: cluster_wilson_z(x, size[1]),
    BY_TOPIC: lambda x, size: by_topic(x).resampled,
    JACKKNIFE: lambda x, size: by_topic(x).jackknife,
    NEWCOMBE_AUC: lambda x, size: auc(x[: size[0]], x[size[0] :]).interval,
    STRATIFIED: lambda x, size: of_two_scores(x, *size),
}


def test_every_simulated_interval_is_compared_with_a_reported_one():
    assert list(REPORTED) == [kind.method for kind in KINDS]


@pytest.mark.parametrize("row", PLACES)
def test_simulated_limits_are_the_reported_functions_limits(row):
    kind, design = PLACES[row]
    seen = 0
    for population in kind.drawn(design).values():
        samples = population.draw(np.random.default_rng(5), SAMPLES, design.parts)
        low, high = kind.limits(samples, design.parts, SEED)
        for i, sample in enumerate(samples):
            interval = REPORTED[kind.method](sample, design.parts)
            if interval.low is None:
                assert np.isnan([low[i], high[i]]).all()
            else:
                seen += 1
                assert (low[i], high[i]) == pytest.approx((interval.low, interval.high), abs=1e-12)
                assert interval.n == design.n
    assert seen > SAMPLES / 2


@pytest.mark.parametrize("row", ["paired-t-10", "paired-bca-bootstrap-10", "paired-percentile-bootstrap-10"])
def test_fewer_than_six_non_zero_differences_have_no_interval(row):
    kind, design = PLACES[row]
    samples = np.zeros((2, 10))
    changes = [0.1, 0.2, 0.3, 0.1, 0.2, 0.4]
    samples[0, :5], samples[1, :6] = changes[:5], changes
    low, high = kind.limits(samples, design.parts, SEED)
    assert np.isnan([low[0], high[0]]).all()
    assert low[1] < 0.13 < high[1]


@pytest.mark.parametrize("row", ["percentile-bootstrap-10", "t-10", "bca-bootstrap-10"])
def test_a_constant_sample_has_no_interval(row):
    kind, design = PLACES[row]
    assert np.isnan(kind.limits(np.ones((3, 10)), design.parts, SEED)).all()


@pytest.mark.parametrize("row", ["normal-6", "hits-resampled-6"])
def test_no_hit_and_nothing_but_hits_have_no_interval(row):
    kind, design = PLACES[row]
    low, high = kind.limits(np.array([0, 1, 3, 5, 6, 0]), design.parts, SEED)
    assert np.isnan(low).tolist() == np.isnan(high).tolist() == [True, False, False, False, True, True]


def test_the_simulated_resampled_hits_are_those_that_a_page_shows(monkeypatch):
    monkeypatch.setattr(counts, "RESAMPLES", means.RESAMPLES)
    kind, design = PLACES["hits-resampled-40"]
    low, high = kind.limits(np.array([33, 39]), design.parts, SEED)
    for i, hits in enumerate((33, 39)):
        shown = SupposedRate(hits, 40).bootstrap
        assert (low[i], high[i], kind.method) == (shown.low, shown.high, shown.method)


def test_differences_that_do_not_vary_have_no_limits_of_d_z():
    kind, design = PLACES["d-z-10"]
    samples = np.array([[0.0] * 10, [0.1] * 10, [0.1] * 9 + [0.2]])
    low, high = kind.limits(samples, design.parts, SEED)
    assert np.isnan(low).tolist() == np.isnan(high).tolist() == [True, True, False]


def test_two_scores_that_order_every_pair_alike_have_no_interval():
    kind, design = PLACES["auc-difference-40-24"]
    scores = np.arange(64.0)
    low, high = kind.limits(np.array([[scores, 2 * scores], [scores, scores % 7]]), design.parts, SEED)
    assert np.isnan([low[0], high[0]]).all()
    # all positives stand below all negatives by the first score, and about half of the pairs by the second
    assert -1 < low[1] < high[1] < 0


@pytest.mark.parametrize("hits", [[7, 7, 2, 7, 5, 7, 7, 6], [7] * 7 + [6], [7] * 8])
def test_the_interval_with_z_is_wilsons_at_the_effective_n(hits):
    found = cluster_rate(hits, [7] * 8)
    p, n, z = sum(hits) / 56, found.n_effective, norm.ppf(0.975)
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    narrow = cluster_wilson_z(np.array(hits), 7)
    assert (narrow.low, narrow.high) == pytest.approx((centre - half, centre + half))
    assert found.interval.low < narrow.low
    assert narrow.method == CLUSTER_WILSON_Z

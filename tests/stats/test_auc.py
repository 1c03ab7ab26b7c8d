from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import mannwhitneyu, norm

from evalcore.stats.auc import auc, auc_difference, newcombe_auc
from tests.oracle import EXTRA

CASES = EXTRA["auc_newcombe_method_5"]["cases"]


def groups(most=15):
    values = st.lists(st.integers(-4, 4).map(lambda i: i / 4), min_size=1, max_size=most)
    return values.map(np.array)


def by_pairs(positive, negative):
    return sum((p > n) + (p == n) / 2 for p in positive for n in negative)


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c['auc']:.2f}-{c['answerable']}-{c['unanswerable']}")
def test_newcombes_limits_are_the_published_methods(case):
    value = 51.5 / 60 if case["auc"] == 0.858333 else case["auc"]
    limits = newcombe_auc(value, case["answerable"], case["unanswerable"])
    assert limits == pytest.approx((case["low"], case["high"]), abs=1e-6)


@given(st.floats(0.01, 0.99), st.integers(1, 60), st.integers(1, 60), st.sampled_from([0.8, 0.95, 0.99]))
def test_each_limit_solves_newcombes_equation(value, m, n, level):
    z, mean_size = norm.ppf(0.5 + level / 2), (m + n) / 2
    low, high = newcombe_auc(value, m, n, level=level)
    assert 0 <= low < value < high <= 1
    for theta in (low, high):
        factor = 1 + (mean_size - 1) * ((1 - theta) / (2 - theta) + theta / (1 + theta))
        assert abs(value - theta) == pytest.approx(z * sqrt(theta * (1 - theta) / (m * n) * factor), abs=1e-6)


def test_a_perfect_auc_keeps_its_high_limit_at_one_and_a_reversed_one_its_low_limit_at_zero():
    low, high = newcombe_auc(1.0, 40, 24)
    assert high == 1.0
    assert newcombe_auc(0.0, 40, 24) == pytest.approx((0.0, 1 - low), abs=1e-9)
    assert newcombe_auc(0.0, 40, 24)[0] == 0.0


@given(groups(), groups())
def test_auc_counts_every_pair_and_half_of_every_tie(positive, negative):
    found = auc(positive, negative)
    assert found.won == by_pairs(positive, negative)
    assert found.pairs == len(positive) * len(negative)
    assert found.interval.value == found.won / found.pairs
    assert found.won == mannwhitneyu(positive, negative).statistic


@given(groups(), groups())
def test_auc_of_the_groups_exchanged_is_one_minus_it_with_mirrored_limits(positive, negative):
    one, other = auc(positive, negative).interval, auc(negative, positive).interval
    assert other.value == pytest.approx(1 - one.value)
    assert (other.low, other.high) == pytest.approx((1 - one.high, 1 - one.low), abs=1e-9)


@given(groups(), groups())
def test_the_limits_hold_the_value(positive, negative):
    interval = auc(positive, negative).interval
    assert 0 <= interval.low <= interval.value <= interval.high <= 1
    assert interval.low < interval.high


@given(groups(), groups())
def test_only_the_order_of_scores_counts(positive, negative):
    assert auc(np.exp(positive), np.exp(negative)) == auc(positive, negative)


def test_a_higher_level_is_wider():
    positive, negative = np.array([1.0, 2.0, 4.0]), np.array([0.0, 3.0])
    narrow, wide = auc(positive, negative, level=0.8).interval, auc(positive, negative, level=0.99).interval
    assert wide.low < narrow.low < narrow.high < wide.high
    assert (narrow.level, wide.level, wide.n, wide.method) == (0.8, 0.99, 5, "Newcombe 2006, method 5")


@pytest.mark.parametrize(("positive", "negative"), [([], [1.0]), ([1.0], []), ([], [])])
def test_an_empty_group_has_no_auc_and_says_so(positive, negative):
    interval = auc(np.array(positive), np.array(negative)).interval
    assert (interval.value, interval.low, interval.high, interval.reason) == (None, None, None, "one group is empty")


SEED, RESAMPLES = 7, 400
KIND = np.array([True, False, True, True, False, True, False, True])
FIRST = np.array([0.9, 0.2, 0.8, 0.4, 0.5, 0.7, 0.1, 0.3])
SECOND = np.array([0.5, 0.6, 0.5, 0.4, 0.5, 0.9, 0.3, 0.2])


def slow_interval(first, second, kind, level):
    """Every resample on its own: positives drawn first from one stream, both scores on the same questions."""
    rng = np.random.default_rng(SEED)
    positives, negatives = np.flatnonzero(kind), np.flatnonzero(~kind)
    ups = rng.integers(0, len(positives), (RESAMPLES, len(positives)))
    downs = rng.integers(0, len(negatives), (RESAMPLES, len(negatives)))
    pairs, differences = len(positives) * len(negatives), []
    for up, down in zip(ups, downs, strict=True):
        p, n = positives[up], negatives[down]
        differences.append((by_pairs(first[p], first[n]) - by_pairs(second[p], second[n])) / pairs)
    return np.quantile(differences, [(1 - level) / 2, (1 + level) / 2])


@pytest.mark.parametrize("level", [0.95, 0.5])
def test_the_interval_of_a_difference_is_that_of_a_slow_loop_over_the_same_stream(level):
    found = auc_difference(FIRST, SECOND, KIND, level=level, seed=SEED, resamples=RESAMPLES)
    assert (found.low, found.high) == pytest.approx(slow_interval(FIRST, SECOND, KIND, level), abs=1e-12)
    expected = (by_pairs(FIRST[KIND], FIRST[~KIND]) - by_pairs(SECOND[KIND], SECOND[~KIND])) / 15
    assert found.value == pytest.approx(expected)
    assert (found.n, found.seed, found.resamples, found.level) == (8, SEED, RESAMPLES, level)
    assert found.method == "stratified paired bootstrap"


def test_the_difference_of_the_two_exchanged_changes_its_sign():
    there = auc_difference(FIRST, SECOND, KIND, resamples=RESAMPLES)
    back = auc_difference(SECOND, FIRST, KIND, resamples=RESAMPLES)
    assert there.value == pytest.approx(-back.value)
    assert (there.low, there.high) == pytest.approx((-back.high, -back.low))
    assert there.low < there.value < there.high


def test_the_difference_is_a_value_of_the_file_not_of_a_resample():
    first, second = (auc(s[KIND], s[~KIND]).interval.value for s in (FIRST, SECOND))
    assert auc_difference(FIRST, SECOND, KIND, resamples=10).value == pytest.approx(first - second)


@pytest.mark.parametrize("other", [FIRST, 10 * FIRST - 3, np.exp(FIRST)], ids=["same", "scaled", "bent"])
def test_scores_that_order_every_pair_alike_differ_by_nothing_and_have_no_interval(other):
    found = auc_difference(FIRST, other, KIND, resamples=10)
    assert (found.value, found.low, found.high) == (0.0, None, None)
    assert found.reason == "the two scores order every pair alike"


def test_resamples_that_cannot_vary_give_no_interval():
    found = auc_difference(np.array([1.0, 0.0]), np.array([0.0, 1.0]), np.array([True, False]), resamples=10)
    assert (found.value, found.low, found.reason) == (1.0, None, "every resample gives the same difference")


@pytest.mark.parametrize("kind", [True, False])
def test_one_kind_of_question_has_no_difference(kind):
    found = auc_difference(FIRST, SECOND, np.full(8, kind))
    assert (found.value, found.low, found.reason) == (None, None, "one group is empty")


def test_above_two_thousand_questions_the_difference_is_not_given_and_says_why():
    scores, kind = np.arange(2001.0), np.arange(2001) % 2 == 0
    found = auc_difference(scores, -scores, kind)
    assert (found.value, found.low, found.n, found.reason) == (None, None, 2001, "more than 2,000 questions")


def test_at_two_thousand_questions_the_difference_is_given():
    scores, kind = np.arange(2000.0), np.arange(2000) % 2 == 0
    assert auc_difference(scores, scores % 7, kind, resamples=10).reason is None

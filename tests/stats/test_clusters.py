import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.stats import f_oneway
from scipy.stats import t as student_t

from evalcore.stats.clusters import CLUSTER_WILSON, cluster_rate, design_effect, intraclass_correlation
from evalcore.stats.proportions import score_limits
from tests.oracle import EXTRA

CASES = EXTRA["cluster_wilson"]
topic = st.integers(1, 9).flatmap(lambda m: st.tuples(st.integers(0, m), st.just(m)))
topics = st.lists(topic, min_size=2, max_size=12)
equal_topics = st.tuples(st.integers(2, 9), st.integers(2, 12)).flatmap(
    lambda shape: st.lists(st.tuples(st.integers(0, shape[0]), st.just(shape[0])), min_size=shape[1], max_size=shape[1])
)
levels = st.sampled_from([0.8, 0.9, 0.95, 0.99])


def rate_of(pairs, **options):
    return cluster_rate([x for x, _ in pairs], [m for _, m in pairs], **options)


def limits(interval):
    return interval.low, interval.high


def has_spread(pairs):
    return 0 < sum(x for x, _ in pairs) < sum(m for _, m in pairs)


@pytest.mark.parametrize("case", CASES[:-1], ids=lambda c: "-".join(map(str, c["hits"])))
def test_the_clustered_rate_is_the_published_one(case):
    found = cluster_rate(case["hits"], case["sizes"])
    assert found.interval.value == pytest.approx(case["value"], abs=5.1e-7)
    assert (found.interval.n, found.clusters) == (case["n"], case["clusters"])
    assert found.icc_raw == pytest.approx(case["icc_raw"], abs=5.1e-7)
    assert found.icc == pytest.approx(case["icc"], abs=5.1e-7)
    assert found.design_effect == pytest.approx(case["design_effect"], abs=5.1e-7)
    assert found.n_effective == pytest.approx(case["n_effective"], abs=5.1e-7)
    assert limits(found.interval) == pytest.approx((case["low"], case["high"]), abs=5.1e-7)
    assert (found.interval.reason, found.if_independent) == (None, None)


def test_when_every_item_passes_both_published_low_limits_are_given():
    case = CASES[-1]
    found = cluster_rate(case["hits"], case["sizes"])
    assert (found.interval.value, found.interval.n, found.clusters) == (case["value"], case["n"], case["clusters"])
    assert (found.icc_raw, found.icc, found.design_effect) == (None, case["icc"], case["design_effect"])
    assert found.n_effective == case["clusters"]
    assert found.interval.low == pytest.approx(case["low_if_topics_are_the_sample"], abs=5e-7)
    assert found.if_independent.low == pytest.approx(case["low_if_items_are_independent"], abs=5e-7)
    assert found.interval.high == found.if_independent.high == case["high"]
    assert found.interval.reason == (
        "at 100 % the spread between topics cannot be seen: this interval takes the 8 topics as the sample, "
        "the one beside it all 56 items as independent"
    )


@given(st.lists(st.integers(1, 9), min_size=2, max_size=12), levels)
def test_when_no_item_passes_the_limits_are_those_of_the_misses_mirrored(sizes, level):
    none = cluster_rate([0] * len(sizes), sizes, level=level)
    every = cluster_rate(sizes, sizes, level=level)
    assert limits(none.interval) == (0.0, pytest.approx(1 - every.interval.low, abs=1e-12))
    assert limits(none.if_independent) == (0.0, pytest.approx(1 - every.if_independent.low, abs=1e-12))
    assert none.if_independent.high <= none.interval.high
    assert none.interval.reason.startswith("at 0 % the spread between topics cannot be seen")


def test_the_intraclass_correlation_is_the_analysis_of_variance_worked_by_hand():
    hits, sizes = np.array([4.0, 2.0, 0.0]), np.array([4.0, 4.0, 4.0])
    between, within = (4 * 0.25 + 0 + 4 * 0.25) / 2, (0 + 4 * 0.25 + 0) / 9
    by_hand = (between - within) / (between + 3 * within)
    assert by_hand == pytest.approx(2 / 3)
    assert intraclass_correlation(hits, sizes) == pytest.approx(by_hand, abs=1e-12)


def test_unequal_topics_count_with_their_mean_size_in_the_hand_worked_analysis_of_variance():
    hits, sizes = np.array([2.0, 1.0]), np.array([2.0, 4.0])
    between, within, m0 = 2 * 0.25 + 4 * 0.0625, (0 + 4 * 0.1875) / 4, 6 - 20 / 6
    by_hand = (between - within) / (between + (m0 - 1) * within)
    assert by_hand == pytest.approx(9 / 17)
    assert intraclass_correlation(hits, sizes) == pytest.approx(by_hand, abs=1e-12)


@given(equal_topics)
def test_the_intraclass_correlation_of_equal_topics_is_the_one_of_scipys_f(pairs):
    items = [[1.0] * x + [0.0] * (m - x) for x, m in pairs]
    within = sum(np.var(values) for values in items)
    assume(within > 0)
    f, m = float(f_oneway(*items).statistic), pairs[0][1]
    found = intraclass_correlation(*(np.array(column, dtype=float) for column in zip(*pairs, strict=True)))
    assert found == pytest.approx((f - 1) / (f + m - 1), abs=1e-9)


@given(st.lists(st.integers(0, 1), min_size=2, max_size=20), levels)
def test_with_one_item_a_topic_there_is_no_correlation_and_the_items_are_the_topics(hits, level):
    found = rate_of([(x, 1) for x in hits], level=level)
    n, edge = len(hits), float(student_t.isf((1 - level) / 2, len(hits) - 1))
    assert limits(found.interval) == pytest.approx(tuple(float(x) for x in score_limits(sum(hits) / n, n, edge)))
    if 0 < sum(hits) < n:
        assert (found.icc_raw, found.icc, found.design_effect, found.n_effective) == (0.0, 0.0, 1.0, n)
    else:
        assert limits(found.interval) == limits(found.if_independent)


@given(topics.flatmap(lambda pairs: st.tuples(st.just(pairs), st.permutations(pairs))))
def test_the_order_of_the_topics_changes_nothing(orders):
    here, there = (rate_of(pairs) for pairs in orders)
    assert there.interval.n == here.interval.n
    assert limits(there.interval) == pytest.approx(limits(here.interval), abs=1e-9)
    if has_spread(orders[0]):
        assert there.icc_raw == pytest.approx(here.icc_raw, abs=1e-9)


@given(topics, st.integers(0, 12))
def test_topics_without_an_item_are_left_out(pairs, place):
    assert rate_of([*pairs[:place], (0, 0), *pairs[place:], (0, 0)]) == rate_of(pairs)


@given(topics)
def test_counting_the_misses_mirrors_the_interval_and_keeps_the_correlation(pairs):
    hits, misses = rate_of(pairs), rate_of([(m - x, m) for x, m in pairs])
    assert limits(misses.interval) == pytest.approx((1 - hits.interval.high, 1 - hits.interval.low), abs=1e-9)
    if has_spread(pairs):
        assert misses.icc_raw == pytest.approx(hits.icc_raw, abs=1e-9)


@given(topics.filter(has_spread))
def test_the_design_effect_lies_between_one_and_the_mean_pack_an_item_is_in(pairs):
    found = rate_of(pairs)
    n = sum(m for _, m in pairs)
    pack = sum(m * m for _, m in pairs) / n
    assert 1 <= found.design_effect <= pack + 1e-12
    assert found.icc == min(max(found.icc_raw, 0), 1)
    assert found.design_effect == pytest.approx(1 + (pack - 1) * found.icc, abs=1e-12)
    assert found.n_effective == pytest.approx(n / found.design_effect, abs=1e-12)


@given(equal_topics.filter(has_spread))
def test_equal_topics_are_worth_between_their_number_and_their_items(pairs):
    found = rate_of(pairs)
    assert len(pairs) - 1e-9 <= found.n_effective <= sum(m for _, m in pairs)


@given(st.integers(2, 9), st.integers(1, 6), st.integers(1, 6))
def test_topics_that_pass_or_fail_as_one_are_worth_one_item_each(size, passing, failing):
    found = rate_of([(size, size)] * passing + [(0, size)] * failing)
    assert found.icc_raw == pytest.approx(1.0)
    assert found.design_effect == pytest.approx(size)
    assert found.n_effective == pytest.approx(passing + failing)


@given(topics.filter(has_spread), levels)
def test_at_each_limit_the_rate_lies_a_t_quantile_of_effective_errors_away(pairs, level):
    found = rate_of(pairs, level=level)
    value, n = found.interval.value, found.n_effective
    edge = float(student_t.isf((1 - level) / 2, len(pairs) - 1))

    def excess(limit):
        return (value - limit) ** 2 - edge**2 * limit * (1 - limit) / n

    assert found.interval.low == pytest.approx(brentq(excess, 0, value), abs=1e-9)
    assert found.interval.high == pytest.approx(brentq(excess, value, 1), abs=1e-9)
    assert found.interval.level == level


@pytest.mark.parametrize(
    ("hits", "sizes", "value", "clusters"),
    [
        ([3], [7], 3 / 7, 1),
        ([3, 0, 0], [7, 0, 0], 3 / 7, 1),
        ([7], [7], 1.0, 1),
        ([0, 0], [0, 0], None, 0),
        ([], [], None, 0),
    ],
)
def test_one_topic_or_none_is_not_assessed_with_a_reason(hits, sizes, value, clusters):
    found = cluster_rate(hits, sizes)
    assert (found.interval.value, found.clusters, found.interval.n) == (value, clusters, sum(sizes))
    assert limits(found.interval) == (None, None)
    assert found.interval.reason == "fewer than two topics: the spread between topics cannot be seen"
    assert (found.icc_raw, found.icc, found.design_effect, found.n_effective) == (None, None, None, None)
    assert found.if_independent is None


@pytest.mark.parametrize(
    ("hits", "sizes"),
    [([8, 1], [7, 7]), ([-1, 1], [7, 7]), ([1], [7, 7]), ([1, 2], [7]), ([1, 0], [0, 7]), ([0, 1], [-1, 7])],
)
def test_hits_that_do_not_fit_their_topics_are_refused(hits, sizes):
    with pytest.raises(ValueError, match="each topic needs its hits, between 0 and its number of items"):
        cluster_rate(hits, sizes)


@given(st.floats(1, 50), st.floats(0, 1))
def test_kishs_effect_is_one_without_correlation_and_the_pack_with_a_full_one(items, icc):
    assert design_effect(items, 0.0) == 1
    assert design_effect(items, 1.0) == pytest.approx(items)
    assert design_effect(1.0, icc) == 1
    assert design_effect(7.0, 0.25) == 2.5


def test_the_interval_names_its_method():
    assert CLUSTER_WILSON == "cluster-adjusted Wilson, t(G - 1)"
    for pairs in ([(3, 7), (6, 7)], [(7, 7), (7, 7)], [(3, 7)]):
        assert rate_of(pairs).interval.method == CLUSTER_WILSON

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import t as student_t

from evalcore.stats.agreement import BY_TOPIC, JACKKNIFE, ONE_VERDICT, agreement, jackknife_error, kappas
from tests.oracle import EXTRA

WORKED = EXTRA["kappa_by_topics"]
NOT_ASSESSED = EXTRA["kappa_not_assessed"]
SWAPPED, FLIPPED = [0, 2, 1, 3], [3, 2, 1, 0]
RARE_NO = [[4, 1, 1, 1], [5, 1, 0, 1], [4, 0, 1, 2], *[[7, 0, 0, 0]] * 5]
cells = st.tuples(*[st.integers(0, 6)] * 4)
tables = st.lists(cells, min_size=1, max_size=10).filter(lambda topics: any(map(any, topics)))
full_tables = st.lists(st.tuples(*[st.integers(1, 6)] * 4), min_size=5, max_size=10)


def array(topics):
    return np.array(topics, dtype=np.int64)


def by_hand(cells):
    a, b, c, d = (float(x) for x in cells)
    n = a + b + c + d
    if 0 in (a + b, c + d, a + c, b + d):
        return None
    seen = (a + d) / n
    chance = (a + b) / n * (a + c) / n + (c + d) / n * (b + d) / n
    return (seen - chance) / (1 - chance)


def limits(interval):
    return interval.low, interval.high


def test_the_agreement_is_the_published_one():
    found = agreement(array(WORKED["topics"]))
    assert found.raw == pytest.approx(WORKED["raw_agreement"], abs=5e-7)
    assert found.kappa == pytest.approx(WORKED["kappa"], abs=5e-7)
    assert limits(found.jackknife) == pytest.approx((WORKED["low"], WORKED["high"]), abs=5.1e-7)
    assert (found.jackknife.reason, found.resampled.reason, found.jackknife.n) == (None, None, 56)


def test_the_leave_one_topic_out_values_and_their_error_are_the_published_ones():
    topics = array(WORKED["topics"])
    left_out = kappas(topics.sum(axis=0) - topics)
    assert left_out.tolist() == pytest.approx(WORKED["leave_one_out"], abs=5e-7)
    assert jackknife_error(left_out) == pytest.approx(WORKED["jackknife_se"], abs=5e-7)


@pytest.mark.parametrize("case", NOT_ASSESSED, ids=lambda c: c["why"].split(":")[0])
def test_a_kappa_without_an_interval_is_published_as_such(case):
    found = agreement(array(case["topics"]))
    assert found.kappa == pytest.approx(case["kappa"], abs=5e-7) if case["kappa"] is not None else found.kappa is None
    assert limits(found.resampled) == limits(found.jackknife) == (None, None)
    assert case["interval"] is None
    assert found.dropped == 0


def test_kappa_is_cohens_worked_by_hand():
    assert kappas(array([20, 5, 10, 15])) == pytest.approx((0.7 - 0.5) / (1 - 0.5))
    found = agreement(array([[12, 2, 4, 7], [8, 3, 6, 8]]))
    assert (found.raw, found.yes_first, found.yes_second) == pytest.approx((0.7, 0.5, 0.6))
    assert found.kappa == pytest.approx(0.4)


@given(tables)
def test_kappa_and_its_leave_one_out_values_are_seen_above_chance_over_what_chance_leaves(topics):
    whole = array(topics).sum(axis=0)
    for ours, table in [
        (agreement(array(topics), resamples=50).kappa, whole),
        *zip(kappas(whole - array(topics)).tolist(), whole - array(topics), strict=True),
    ]:
        expected = by_hand(table)
        assert (ours is None or np.isnan(ours)) if expected is None else ours == pytest.approx(expected, abs=1e-9)


@given(tables)
def test_the_shares_are_counts_over_all_items(topics):
    both, first, second, neither = array(topics).sum(axis=0).tolist()
    n = both + first + second + neither
    found = agreement(array(topics), resamples=50)
    assert found.raw == pytest.approx((both + neither) / n)
    assert found.yes_first == pytest.approx((both + first) / n)
    assert found.yes_second == pytest.approx((both + second) / n)


@settings(max_examples=60)
@given(tables, st.sampled_from([SWAPPED, FLIPPED]))
def test_swapping_the_raters_or_their_yes_and_no_keeps_kappa_and_its_intervals(topics, order):
    here, there = (agreement(cells, resamples=200) for cells in (array(topics), array(topics)[:, order]))
    assert there.raw == here.raw
    assert there.dropped == here.dropped
    for mine, other in [(here.resampled, there.resampled), (here.jackknife, there.jackknife)]:
        for a, b in [(mine.value, other.value), (mine.low, other.low), (mine.high, other.high)]:
            assert a == b or b == pytest.approx(a, abs=1e-9)


def test_swapping_exchanges_the_shares_of_yes_and_flipping_reverses_them():
    topics = array(WORKED["topics"])
    here, swapped, flipped = (agreement(topics[:, order]) for order in ([0, 1, 2, 3], SWAPPED, FLIPPED))
    assert (swapped.yes_first, swapped.yes_second) == (here.yes_second, here.yes_first)
    assert (flipped.yes_first, flipped.yes_second) == pytest.approx((1 - here.yes_first, 1 - here.yes_second))


@given(tables)
def test_kappa_and_all_its_limits_lie_between_minus_one_and_one_around_it(topics):
    found = agreement(array(topics), resamples=100)
    if found.kappa is not None:
        assert -1 <= found.kappa <= 1
    if found.jackknife.low is not None:
        assert -1 <= found.jackknife.low < found.kappa < found.jackknife.high <= 1 or abs(found.kappa) == 1
        assert -1 <= found.resampled.low <= found.resampled.high <= 1


@given(full_tables, st.sampled_from([0.8, 0.95]))
def test_the_jackknife_limits_are_kappa_and_a_t_quantile_of_errors_worked_topic_by_topic(topics, level):
    found = agreement(array(topics), level=level, resamples=100)
    groups = len(topics)
    left_out = [by_hand(sum(array(topics)[np.arange(groups) != g])) for g in range(groups)]
    mean = sum(left_out) / groups
    error = ((groups - 1) / groups * sum((kappa - mean) ** 2 for kappa in left_out)) ** 0.5
    assume(error > 1e-8)
    half = float(student_t.isf((1 - level) / 2, groups - 1)) * error
    expected = max(found.kappa - half, -1), min(found.kappa + half, 1)
    assert limits(found.jackknife) == pytest.approx(expected, abs=1e-9)
    assert found.jackknife.level == found.resampled.level == level


def resampled_by_loop(topics, seed, resamples):
    drawn = np.random.default_rng(seed).integers(0, len(topics), (resamples, len(topics))).tolist()
    values = [by_hand([sum(topics[g][cell] for g in row) for cell in range(4)]) for row in drawn]
    return sorted(value for value in values if value is not None), values.count(None)


def quantile_by_hand(ordered, share):
    place = share * (len(ordered) - 1)
    below = int(place)
    return ordered[below] + (place - below) * (ordered[min(below + 1, len(ordered) - 1)] - ordered[below])


@pytest.mark.parametrize("topics", [WORKED["topics"], RARE_NO], ids=["published", "rare no"])
@pytest.mark.parametrize(("seed", "level"), [(20241009, 0.95), (5, 0.8)])
def test_the_resampled_limits_are_those_of_a_plain_loop_over_the_same_stream(topics, seed, level):
    found = agreement(array(topics), seed=seed, level=level, resamples=2_000)
    kept, undefined = resampled_by_loop(topics, seed, 2_000)
    ends = quantile_by_hand(kept, (1 - level) / 2), quantile_by_hand(kept, (1 + level) / 2)
    assert limits(found.resampled) == pytest.approx(ends, abs=1e-9)
    assert found.dropped == undefined
    assert (found.resampled.seed, found.resampled.resamples) == (seed, 2_000)


def test_resamples_without_a_no_are_dropped_and_counted():
    found = agreement(array(RARE_NO))
    drawn = np.random.default_rng(20241009).integers(0, 8, (10_000, 8))
    assert found.dropped == int((drawn >= 3).all(axis=1).sum())
    assert found.dropped == pytest.approx(10_000 * (5 / 8) ** 8, abs=4 * (10_000 * 0.0233 * 0.9767) ** 0.5)
    assert found.resampled.low < found.kappa < found.resampled.high
    assert agreement(array(WORKED["topics"])).dropped == 0


def test_the_stream_defaults_to_the_documented_seed_and_ten_thousand_resamples():
    found = agreement(array(WORKED["topics"]))
    assert found == agreement(array(WORKED["topics"]), seed=20241009, resamples=10_000)
    assert (found.resampled.seed, found.resampled.resamples) == (20241009, 10_000)
    assert limits(found.resampled) != limits(agreement(array(WORKED["topics"]), seed=1).resampled)


def test_the_intervals_name_their_methods_with_and_without_limits():
    for topics in (WORKED["topics"], WORKED["topics"][:3], NOT_ASSESSED[0]["topics"]):
        found = agreement(array(topics))
        assert found.resampled.method == BY_TOPIC == "kappa, topics resampled"
        assert found.jackknife.method == JACKKNIFE == "kappa, leave-one-topic-out jackknife, t(G - 1)"
        assert found.jackknife.resamples is None
        assert found.jackknife.n == found.resampled.n == int(np.sum(topics))


ONE_VERDICT_TABLES = {
    "both yes": [7, 0, 0, 0],
    "both no": [0, 0, 0, 3],
    "one yes, the other no": [0, 4, 0, 0],
    "one no, the other yes": [0, 0, 4, 0],
    "only the first yes": [5, 2, 0, 0],
    "only the second yes": [5, 0, 2, 0],
    "only the first no": [0, 0, 2, 5],
    "only the second no": [0, 2, 0, 5],
}


@pytest.mark.parametrize("topic", ONE_VERDICT_TABLES.values(), ids=ONE_VERDICT_TABLES)
@pytest.mark.parametrize("groups", [1, 2, 8])
def test_one_verdict_by_either_rater_throughout_leaves_kappa_undefined(topic, groups):
    found = agreement(array([topic] * groups))
    assert found.kappa is None
    assert found.raw == (topic[0] + topic[3]) / sum(topic)
    assert limits(found.jackknife) == limits(found.resampled) == (None, None)
    assert found.jackknife.value is found.resampled.value is None
    assert found.jackknife.reason == found.resampled.reason == ONE_VERDICT
    assert "kappa cannot tell agreement from habit" in ONE_VERDICT


@pytest.mark.parametrize("groups", [1, 2, 4])
def test_fewer_than_five_topics_give_kappa_without_an_interval(groups):
    topics = array(WORKED["topics"][:groups])
    found = agreement(topics)
    assert found.kappa == pytest.approx(by_hand(topics.sum(axis=0)))
    assert found.jackknife.reason == found.resampled.reason
    assert found.jackknife.reason == (f"{groups} topics: fewer than 5 say too little about the spread between topics")
    assert agreement(array(WORKED["topics"][:5])).jackknife.low is not None


RARE = {
    "first no": ([[2, 2, 0, 0]] * 5, [1, 2, 2, 1]),
    "first yes": ([[0, 0, 2, 2]] * 5, [1, 2, 2, 1]),
    "second no": ([[2, 0, 2, 0]] * 5, [1, 2, 2, 1]),
    "second yes": ([[0, 2, 0, 2]] * 5, [1, 2, 2, 1]),
}


@pytest.mark.parametrize("verdict", RARE)
@pytest.mark.parametrize("seen", [1, 2, 3])
def test_a_verdict_in_fewer_than_three_topics_gives_kappa_without_an_interval(verdict, seen):
    without, with_it = RARE[verdict]
    topics = array([*without, *[with_it] * seen])
    found = agreement(topics)
    assert found.kappa == pytest.approx(by_hand(topics.sum(axis=0)), abs=1e-12)
    if seen == 3:
        assert found.jackknife.low < found.kappa < found.jackknife.high
        return
    assert limits(found.jackknife) == limits(found.resampled) == (None, None)
    assert found.jackknife.reason == found.resampled.reason
    assert found.jackknife.reason == (
        f"a rater gave one of the verdicts in {seen} of {5 + seen} topics; with fewer than 3, "
        "kappa without a topic is undefined or rests on one"
    )


@pytest.mark.parametrize("topic", [[5, 0, 0, 2], [3, 1, 1, 2]])
def test_topics_that_are_all_alike_give_kappa_without_an_interval(topic):
    found = agreement(array([topic] * 8))
    assert found.kappa == pytest.approx(by_hand(topic))
    assert limits(found.jackknife) == limits(found.resampled) == (None, None)
    assert (
        found.jackknife.reason
        == found.resampled.reason
        == ("leaving out any topic gives the same kappa: the jackknife would claim a width of zero")
    )


def test_a_topic_without_an_item_is_not_one_of_the_five_that_an_interval_needs():
    topics = [[4, 1, 1, 1], [5, 1, 0, 1], [4, 0, 1, 2], [7, 0, 0, 0], [0, 0, 0, 0]]
    found = agreement(array(topics))
    assert found == agreement(array(topics[:4]))
    assert found.kappa == pytest.approx(by_hand(array(topics).sum(axis=0)))
    assert limits(found.jackknife) == limits(found.resampled) == (None, None)
    assert found.jackknife.reason == "4 topics: fewer than 5 say too little about the spread between topics"
    assert agreement(array([*topics[:4], [7, 0, 0, 0]])).jackknife.low is not None


@given(tables, st.lists(st.integers(0, 10), max_size=4))
def test_topics_without_an_item_change_nothing(topics, places):
    padded = list(topics)
    for place in places:
        padded.insert(place, (0, 0, 0, 0))
    assert agreement(array(padded), resamples=100) == agreement(array(topics), resamples=100)


@pytest.mark.parametrize("groups", [0, 1, 6])
def test_no_item_is_nothing_to_agree_on(groups):
    with pytest.raises(ValueError, match="there is no item to agree on"):
        agreement(np.zeros((groups, 4), dtype=np.int64))


def test_perfect_agreement_is_one_chance_is_zero_and_perfect_disagreement_is_minus_one():
    assert kappas(array([[3, 0, 0, 4], [2, 2, 2, 2], [0, 4, 4, 0], [6, 3, 2, 1]])).tolist() == [1.0, 0.0, -1.0, 0.0]
    assert np.isnan(kappas(array([[0, 0, 0, 0], *ONE_VERDICT_TABLES.values()]))).all()


def test_kappas_keep_the_leading_shape():
    block = np.arange(1, 25).reshape(2, 3, 4)
    assert kappas(block).shape == (2, 3)
    assert kappas(block)[1, 2] == pytest.approx(by_hand(block[1, 2]))


def test_the_jackknife_error_of_four_values_is_the_one_worked_by_hand():
    assert jackknife_error(np.array([0.1, 0.3, 0.3, 0.5])) == pytest.approx((3 / 4 * 0.08) ** 0.5)
    assert jackknife_error(np.array([0.5, 0.5, 0.5])) == 0.0

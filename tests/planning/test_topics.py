import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from evalcore.evidence import Basis
from evalcore.planning.topics import ITEMS, MOST_TOPICS, TOPICS, Pilot, TopicPlan, budget_table
from evalcore.stats.clusters import cluster_rate
from tests.oracle import EXTRA

CASES = EXTRA["cluster_wilson"]
AT_AN_END = CASES[-1]
pairs = st.integers(0, 20).flatmap(lambda m: st.tuples(st.integers(0, m), st.just(m)))
separators = st.sampled_from([" ", ",", ";", ", ", "; ", "\n", "\t", " ,; ", "\r\n"])
plans = st.builds(TopicPlan, st.integers(2, 60), st.integers(1, 40), st.floats(0, 1), st.floats(0.05, 0.95))


def pilot(case):
    return Pilot(tuple(case["hits"]), tuple(case["sizes"]))


@pytest.mark.parametrize(
    "text",
    [
        "7/7, 7/7;6/7 5/7",
        "7/7 7/7 6/7 5/7",
        "7/7\n7/7\t6/7,;5/7\n",
        " 7 / 7 ,7/ 7; 6 /7  5/7;",
        ",7/7,,7/7,6/7,5/7",
    ],
)
def test_topics_are_read_with_any_separators(text):
    assert Pilot.read(text) == Pilot((7, 7, 6, 5), (7, 7, 7, 7))


@given(st.lists(st.tuples(pairs, separators), min_size=1, max_size=30))
def test_what_was_written_is_read_back(topics):
    text = "".join(f"{x}/{m}{separator}" for (x, m), separator in topics)
    read = Pilot.read(text)
    assert list(zip(read.hits, read.sizes, strict=True)) == [topic for topic, _ in topics]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("7/7, seven", "topic 2: 'seven' is not hits/items, for example 7/7"),
        ("7/7 8/7 9/7", "topic 2: 8 hits of 7 items"),
        ("1/0", "topic 1: 1 hits of 0 items"),
        ("7/7; -1/7", "topic 2: '-1/7' is not hits/items, for example 7/7"),
        ("1.5/7", "topic 1: '1.5/7' is not hits/items, for example 7/7"),
        ("7/7 6/7 7/7/7", "topic 3: '7/7/7' is not hits/items, for example 7/7"),
        ("7/7 6", "topic 2: '6' is not hits/items, for example 7/7"),
        ("1234567/1234567", "topic 1: '1234567/1234567' is not hits/items, for example 7/7"),
        ("7/7 " + "x" * 50, "topic 2: 'xxxxxxxxxxxxxxxxxxxx' is not hits/items, for example 7/7"),
        ("", "no topic: write hits/items for each, for example 7/7, 5/7"),
        (" ,; ", "no topic: write hits/items for each, for example 7/7, 5/7"),
        ("1/1 " * (MOST_TOPICS + 1), "1,001 topics: 1,000 are the most"),
    ],
)
def test_what_cannot_be_read_is_refused_and_the_topic_is_named(text, said):
    with pytest.raises(ValueError) as refused:  # noqa: PT011 - the whole message is compared below
        Pilot.read(text)
    assert str(refused.value) == said


def test_the_most_topics_are_read():
    assert len(Pilot.read("1/1 " * MOST_TOPICS).hits) == MOST_TOPICS == 1_000


@pytest.mark.parametrize("case", CASES[:-1], ids=lambda c: "-".join(map(str, c["hits"])))
def test_a_pilot_gives_the_published_rate_and_spread(case):
    found = {a.key: a.estimate for a in pilot(case).answers()}
    assert list(found) == ["rate", "icc", "icc_raw", "design_effect", "n_effective"]
    rate = found["rate"]
    assert (rate.value, rate.low, rate.high) == pytest.approx((case["value"], case["low"], case["high"]), abs=1e-6)
    assert (rate.n, rate.clusters, rate.level) == (case["n"], case["clusters"], 0.95)
    for key in ("icc", "icc_raw", "design_effect", "n_effective"):
        assert found[key].value == pytest.approx(case[key], abs=1e-6)
    assert (rate.design_effect, rate.n_effective) == (found["design_effect"].value, found["n_effective"].value)
    assert pilot(case).if_independent is None


def test_at_a_hundred_per_cent_both_intervals_stand_side_by_side_and_the_spread_is_not_assessed():
    found = {a.key: a.estimate for a in pilot(AT_AN_END).answers()}
    assert list(found) == ["rate", "if_independent", "icc", "icc_raw", "design_effect", "n_effective"]
    few, all_items = found["rate"], found["if_independent"]
    assert few.low == pytest.approx(AT_AN_END["low_if_topics_are_the_sample"], abs=1e-6)
    assert all_items.low == pytest.approx(AT_AN_END["low_if_items_are_independent"], abs=1e-6)
    assert (few.high, all_items.high) == (1.0, 1.0)
    assert (few.n_effective, all_items.n_effective) == (8, 56)
    assert (few.design_effect, all_items.design_effect) == (None, None)
    for key in ("icc", "icc_raw", "design_effect"):
        assert (found[key].value, found[key].basis) == (None, Basis.NOT_ASSESSED)
        assert "at 100 % the spread between topics cannot be seen" in found[key].reason


def test_at_nothing_the_pilot_is_the_mirror_of_everything():
    none, all_ = Pilot((0,) * 8, (7,) * 8), pilot(AT_AN_END)
    assert (none.rate.low, none.rate.high) == pytest.approx((0.0, 1 - all_.rate.low))
    assert none.if_independent.high == pytest.approx(1 - all_.if_independent.low)


@pytest.mark.parametrize("text", ["7/7", "7/7 0/0", "3/5"])
def test_one_topic_has_a_rate_and_no_interval(text):
    found = {a.key: a.estimate for a in Pilot.read(text).answers()}
    assert found["rate"].value == (0.6 if text == "3/5" else 1.0)
    assert (found["rate"].low, found["rate"].basis) == (None, Basis.ASSUMED)
    for estimate in found.values():
        assert estimate.reason.startswith("fewer than two topics")


def test_topics_without_items_are_not_assessed():
    for estimate in (a.estimate for a in Pilot.read("0/0, 0/0").answers()):
        assert (estimate.value, estimate.basis) == (None, Basis.NOT_ASSESSED)
        assert estimate.reason


def test_the_lessons_topics_are_worth_half_as_many_items():
    plan = TopicPlan(8, 7, 0.2, 0.8)
    assert plan.n == 56
    assert plan.design_effect.value == pytest.approx(2.2)
    assert plan.n_effective.value == pytest.approx(56 / 2.2)
    assert plan.ceiling.value == pytest.approx(40)
    assert [a.key for a in plan.answers()] == ["design_effect", "n_effective", "ceiling", "interval"]
    assert [a.shown for a in plan.answers()] == ["2.20", "25.5", "40.0", "0.800"]


def test_a_plan_with_the_icc_of_four_sevenths_worked_by_hand_is_the_data_sets():
    # rates 1, 1, 0, 1/2 of two: MSB = 11/24, MSW = 1/8, so ICC = (1/3)/(7/12) = 4/7
    hits, sizes = (2, 2, 0, 1), (2, 2, 2, 2)
    plan, found = TopicPlan(4, 2, 4 / 7, 5 / 8), cluster_rate(hits, sizes)
    assert found.icc == pytest.approx(4 / 7)
    assert plan.design_effect.value == pytest.approx(11 / 7)
    assert plan.n_effective.value == pytest.approx(56 / 11)
    assert (plan.interval.low, plan.interval.high) == pytest.approx((found.interval.low, found.interval.high))


@given(st.integers(2, 12).flatmap(lambda m: st.tuples(st.just(m), st.lists(st.integers(0, m), min_size=2))))
def test_a_plan_with_a_data_sets_own_icc_and_rate_has_its_interval(case):
    items, hits = case
    assume(0 < sum(hits) < items * len(hits))
    found = cluster_rate(hits, [items] * len(hits))
    plan = TopicPlan(len(hits), items, found.icc, found.interval.value)
    assert plan.design_effect.value == pytest.approx(found.design_effect)
    assert plan.n_effective.value == pytest.approx(found.n_effective)
    assert (plan.interval.low, plan.interval.high) == pytest.approx((found.interval.low, found.interval.high))


@pytest.mark.parametrize(("hits", "icc"), [((7,) * 7 + (0,), 1.0), ((5, 6) * 4, 0.0)])
def test_a_plan_with_an_icc_at_either_end_is_that_of_the_published_data_set(hits, icc):
    case = next(c for c in CASES if tuple(c["hits"]) == hits)
    interval = TopicPlan(8, 7, icc, sum(hits) / 56).interval
    assert (interval.low, interval.high) == pytest.approx((case["low"], case["high"]), abs=1e-6)


@given(plans)
def test_topics_tell_at_most_what_their_ceiling_says_and_at_least_as_much_as_one_item_each(plan):
    assert plan.topics - 1e-9 <= plan.n_effective.value <= plan.n + 1e-9
    if plan.icc > 1e-6:
        assert plan.n_effective.value <= plan.ceiling.value + 1e-6
    assert plan.interval.low < plan.rate < plan.interval.high
    assert plan.half_width(plan.topics, plan.items).value == pytest.approx((plan.interval.high - plan.interval.low) / 2)


def test_without_correlation_there_is_no_ceiling():
    plan = TopicPlan(8, 7, 0.0, 0.8)
    assert (plan.ceiling.value, plan.ceiling.basis) == (None, Basis.NOT_ASSESSED)
    assert plan.ceiling.reason == "with an ICC of 0 every item counts, so there is no ceiling"
    assert (plan.design_effect.value, plan.n_effective.value) == (1.0, 56.0)


@given(plans)
def test_more_topics_and_more_items_never_widen_and_topics_narrow_more(plan):
    table = np.array([[e.value for e in row] for row in budget_table(plan)])
    assert table.shape == (len(TOPICS), len(ITEMS))
    assert (np.diff(table, axis=0) < 0).all()
    assert (np.diff(table, axis=1) <= 1e-12).all()
    same_items = plan.half_width(16, 7).value, plan.half_width(8, 14).value
    assert same_items[0] < same_items[1]


def test_with_full_correlation_more_items_a_topic_buy_nothing():
    plan = TopicPlan(8, 7, 1.0, 0.8)
    for row in budget_table(plan):
        assert len({round(e.value, 12) for e in row}) == 1
    widths = plan.half_widths(8, np.array([1.0, 7.0, 1000.0]))
    assert widths == pytest.approx([plan.half_width(8, 1).value] * 3)


@given(plans)
def test_the_budgets_cells_are_the_half_widths(plan):
    for topics, row in zip(TOPICS, budget_table(plan), strict=True):
        assert [e.value for e in row] == pytest.approx(plan.half_widths(topics, np.array(ITEMS, dtype=float)).tolist())

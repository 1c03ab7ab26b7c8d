"""Every planning number says that it is assumed, from which inputs, and whose."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.evidence import Basis
from evalcore.planning.answers import Answer, assumed, impossible, planned
from evalcore.planning.flips import SupposedFlips
from evalcore.planning.questions import HitPlan, MeanPlan
from evalcore.planning.rates import GateChance, SupposedRate, half_width_answers, half_width_table, rate_answers, width
from evalcore.planning.topics import Pilot, TopicPlan, budget_table
from evalcore.stats.proportions import Paired, wilson
from evalcore.stats.result import Interval

shares = st.tuples(st.floats(0, 0.5), st.floats(0, 0.5)).filter(lambda s: s[0] == s[1] or abs(s[0] - s[1]) > 0.05)
sizes = st.integers(2, 120)
supposed_rates = sizes.flatmap(lambda n: st.builds(SupposedRate, st.integers(0, n), st.just(n)))
tables = st.builds(Paired, *[st.integers(0, 30)] * 4).filter(lambda t: t.n > 0)
topics = st.lists(st.integers(0, 9).flatmap(lambda m: st.tuples(st.integers(0, m), st.just(m))), min_size=1, max_size=9)
alphas, powers, families = st.floats(0.001, 0.2), st.floats(0.5, 0.99), st.integers(1, 10)


def labelled(estimate, *inputs):
    """Asserts the label of one planning number, and that its sources hold these inputs."""
    if estimate.value is None:
        assert estimate.basis is Basis.NOT_ASSESSED
        assert estimate.reason
    else:
        assert (estimate.basis, estimate.basis.value) == (Basis.ASSUMED, "Assumed")
        named = [source.name for source in estimate.sources if source.chosen_by]
        assert named
        for part in inputs:
            assert any(part in name for name in named), (part, named)
    assert estimate.provisional is None
    assert (estimate.low is None) == (estimate.high is None)
    if estimate.low is None:
        assert estimate.reason
    else:
        assert estimate.low < estimate.high
        assert estimate.level == 0.95


@settings(max_examples=40)
@given(supposed_rates)
def test_a_supposed_rates_numbers_are_assumed(supposed):
    for answer in rate_answers(supposed):
        labelled(answer.estimate, f"{supposed.hits} of {supposed.n} questions hit")
    for estimate in supposed.methods:
        labelled(width(estimate), f"{supposed.hits} of {supposed.n} questions hit")


@given(st.floats(0.02, 0.98), st.lists(st.floats(0.005, 0.4), min_size=1, max_size=3))
def test_a_half_widths_numbers_are_assumed(rate, wanted):
    for row in half_width_table(rate, wanted):
        for estimate in (row.normal, row.wilson, row.ruled_out):
            labelled(estimate, f"rate {rate:g}", f"half-width {row.half_width:g}", "level 0.95")
    for answer in half_width_answers(rate, wanted):
        labelled(answer.estimate, f"rate {rate:g}")


@given(st.floats(0, 1), st.booleans(), st.integers(1, 200))
def test_a_gates_chances_are_assumed(limit, at_least, n):
    gate = GateChance(limit, at_least, n)
    for rate, chance in gate.table():
        labelled(chance, f"{'at least' if at_least else 'at most'} {limit:g} on {n} questions", f"true rate {rate:g}")


@settings(max_examples=40)
@given(tables)
def test_supposed_flips_are_assumed(table):
    for answer in SupposedFlips(table).answers():
        labelled(
            answer.estimate,
            f"{table.n} questions",
            f"{table.both} hit by both",
            f"{table.first_only} by the first only",
            f"{table.second_only} by the second only",
            f"{table.neither} by neither",
        )


@given(st.floats(0.05, 3), alphas, powers, families, sizes)
def test_a_mean_plans_numbers_are_assumed(d_z, alpha, power, family, now):
    plan = MeanPlan(d_z, alpha, power, family, now)
    for answer in plan.answers():
        named = str(now) if answer.key.startswith("detectable") else f"d_z {d_z:g}"
        labelled(answer.estimate, named)
    for estimate in (plan.after_the_fact, plan.exactly(alpha), plan.exactly(plan.first_step)):
        labelled(estimate)


@settings(max_examples=30)
@given(shares, alphas, powers, families, sizes)
def test_a_hit_plans_numbers_are_assumed(split, alpha, power, family, now):
    for answer in HitPlan(*split, alpha, power, family, now).answers():
        labelled(answer.estimate, f"only the first hits {split[0]:g}, only the second {split[1]:g}, alpha ")


@given(st.integers(2, 50), st.integers(1, 30), st.floats(1e-6, 1) | st.just(0.0), st.floats(0.02, 0.98))
def test_a_topic_plans_numbers_are_assumed(many, items, icc, rate):
    plan = TopicPlan(many, items, icc, rate)
    for answer in plan.answers():
        labelled(answer.estimate, f"{many} topics of {items} items, ICC {icc:g}, rate {rate:g}")
    for row in budget_table(plan):
        for estimate in row:
            labelled(estimate, f"ICC {icc:g}")
    assert (plan.interval.clusters, plan.interval.n) == (many, many * items)


@given(topics)
def test_a_pilots_numbers_are_assumed(counts):
    pilot = Pilot(tuple(x for x, _ in counts), tuple(m for _, m in counts))
    for answer in pilot.answers():
        labelled(answer.estimate, f"hits by topic: {', '.join(f'{x}/{m}' for x, m in counts)}")


def test_a_planned_number_has_no_interval_because_there_is_no_sample():
    estimate = planned(84, "noncentral t", "d_z 0.36, alpha 0.0167, power 0.8")
    assert (estimate.value, estimate.low, estimate.high, estimate.level) == (84, None, None, None)
    assert estimate.reason == "computed from the inputs: there is no sample, so no interval"
    assert estimate.sources[0].chosen_by == "whoever set these inputs"


def test_what_cannot_be_planned_is_not_assessed_and_says_why():
    estimate = impossible("equal shares are no difference to find", "McNemar exact")
    assert (estimate.value, estimate.basis, estimate.method) == (None, Basis.NOT_ASSESSED, "McNemar exact")
    assert estimate.reason == "equal shares are no difference to find"


def test_a_supposed_outcomes_interval_is_kept_whole():
    estimate = assumed(wilson(4, 6), "4 of 6 questions hit")
    assert (estimate.value, estimate.level, estimate.n, estimate.method) == (4 / 6, 0.95, 6, "Wilson")
    assert (estimate.low, estimate.high) == pytest.approx((0.299993, 0.903229), abs=5e-7)
    empty = assumed(Interval(None, None, None, 0.95, 0, "Wilson", reason="no questions"), "0 of 0 questions hit")
    assert (empty.basis, empty.reason, empty.level) == (Basis.NOT_ASSESSED, "no questions", None)


def test_an_answer_is_shown_with_its_digits():
    assert Answer("n", "Questions", planned(83.667, "m", "i"), 0).shown == "84"
    assert Answer("p", "p", planned(0.0375, "m", "i")).shown == "0.038"
    assert Answer("x", "x", impossible("why", "m")).shown == "–"

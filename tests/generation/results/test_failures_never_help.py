"""What a failure, a worse mark and the order of events may change, for any small run."""

from dataclasses import dataclass, replace

from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.generation.calls.outcomes import Outcome
from evalcore.generation.checks.findings import OF_OPTIONS, Check, Mark
from evalcore.generation.results.agreement import between_raters, checks_against
from evalcore.generation.results.comparison import compare_runs
from evalcore.generation.results.output import ValidOutput
from evalcore.generation.results.rates import check_rate, check_rates, rubric_rate, rubric_rates
from evalcore.generation.store.events import Answer, Began, Checked, Ended, Purpose, Question
from evalcore.generation.store.run import Run
from tests.generation.building import (
    CANNOT_TELL,
    NO,
    RATER,
    TOPICS,
    YES,
    a_run,
    a_sheet,
    all_rated,
    failing,
    items_of,
    rated,
    run_of,
)

few = settings(max_examples=40)
FAILURES = [outcome for outcome in Outcome if outcome.failure_of_model]
NOT_THE_MODELS = [outcome for outcome in Outcome if not outcome.of_model]
topics = st.sampled_from(TOPICS[:4])
failures, not_the_models = st.sampled_from(FAILURES), st.sampled_from(NOT_THE_MODELS)


@dataclass(frozen=True)
class Small:
    """A run on four topics, before it is built, so that one thing in it can be changed."""

    outcomes: dict
    marks: dict
    answers: dict

    @property
    def run(self) -> Run:
        there = [i for t, o in self.outcomes.items() if o is Outcome.OK for i in items_of(t)]
        ratings = [rated(i, a, q) for (i, q), a in self.answers.items() if i in there]
        return a_run(self.outcomes, self.marks, ratings)

    def ending(self, topic, outcome):
        return replace(self, outcomes=self.outcomes | {topic: outcome}).run

    def marked(self, item, check, mark):
        return replace(self, marks=self.marks | {item: self.marks.get(item, {}) | {check: mark}}).run

    def answered(self, item, question, answer):
        return replace(self, answers=self.answers | {(item, question): answer}).run


@st.composite
def smalls(draw):
    outcomes = draw(st.lists(st.sampled_from([Outcome.OK] * 6 + [*Outcome, None]), min_size=4, max_size=4))
    items = items_of(*TOPICS[:4])
    checks, marks = st.sampled_from(list(Check)), st.sampled_from([Mark.FAIL, Mark.DERIVED, Mark.PASS])
    worse = st.dictionaries(st.sampled_from(items), st.dictionaries(checks, marks, max_size=3), max_size=10)
    asked = st.tuples(st.sampled_from(items), st.sampled_from([Question.FAITHFUL, Question.USEFUL]))
    given_marks = {
        item: {c: m for c, m in found.items() if "-m" in item or c not in OF_OPTIONS}
        for item, found in draw(worse).items()
    }
    answers = draw(st.dictionaries(asked, st.sampled_from(Answer), max_size=20))
    return Small(dict(zip(TOPICS, outcomes, strict=False)), given_marks, answers)


def planned(run, undefined=None):
    """Rates over planned items; while an item is unrated the rubric's are ``undefined``."""
    rates = [*check_rates(run), *rubric_rates(a_sheet(run))]
    return [value(rate.planned, undefined) for rate in rates]


def value(estimate, undefined):
    return undefined if estimate.value is None else estimate.value


def none_rises(before, after):
    assert all(new <= old for old, new in zip(before, after, strict=True))


@few
@given(smalls(), topics, failures)
def test_a_pack_that_turns_into_a_failure_raises_neither_valid_output_nor_a_rate_over_planned_items(
    small, topic, failure
):
    before, after = small.ending(topic, Outcome.OK), small.ending(topic, failure)
    one, other = ValidOutput.of(before), ValidOutput.of(after)
    assert other.share.value < one.share.value
    assert (other.own, other.open) == (one.own, one.open)
    none_rises([one.worst.value, one.best.value], [other.worst.value, other.best.value])
    none_rises(planned(before, 1.0), planned(after, 0.0))


@few
@given(smalls(), topics, not_the_models, failures)
def test_an_outcome_that_turns_into_a_failure_of_the_model_raises_no_share_and_no_rate(small, topic, outcome, failure):
    before, after = small.ending(topic, outcome), small.ending(topic, failure)
    one, other = ValidOutput.of(before), ValidOutput.of(after)
    assert other.share.value <= value(one.share, 1.0)
    assert other.best.value < one.best.value
    assert (other.worst.value, planned(after)) == (one.worst.value, planned(before))


@few
@given(smalls(), topics, failures, not_the_models)
def test_a_failure_that_turns_into_an_outcome_not_the_models_leaves_the_denominator_aloud(
    small, topic, failure, outcome
):
    """The share may then rise: so the topic is named as open, and neither worst case nor planned rate moves."""
    before, after = small.ending(topic, failure), small.ending(topic, outcome)
    one, other = ValidOutput.of(before), ValidOutput.of(after)
    assert topic in other.open
    assert topic not in one.open
    assert other.own == one.own - 1
    assert (other.worst.value, planned(after)) == (one.worst.value, planned(before))


@few
@given(smalls(), topics, st.integers(0, 6), st.sampled_from(list(Check)), st.sampled_from([Mark.FAIL, Mark.DERIVED]))
def test_a_pass_that_turns_into_a_fail_raises_no_rate_of_its_check_or_of_support(small, topic, place, check, mark):
    item = items_of(topic)[place if check not in OF_OPTIONS else place % 4]
    before, after = small.marked(item, check, Mark.PASS), small.marked(item, check, mark)
    for what in (check, None):
        one, other = check_rate(before, what), check_rate(after, what)
        assert (other.n, other.planned_n) == (one.n, one.planned_n)
        none_rises([value(one.among, 0), value(one.planned, 0)], [value(other.among, 0), value(other.planned, 0)])
    if topic in before.packs:
        assert check_rate(after, check).hits == check_rate(before, check).hits - 1
    for rest in set(Check) - {check}:
        assert check_rate(before, rest) == check_rate(after, rest)


@few
@given(smalls(), topics, st.integers(0, 6), st.sampled_from([NO, CANNOT_TELL]))
def test_a_yes_that_turns_into_no_or_cannot_tell_raises_no_rate_of_its_question(small, topic, place, answer):
    item = items_of(topic)[place]
    before, after = (small.answered(item, Question.FAITHFUL, a) for a in (YES, answer))
    one, other = (rubric_rate(a_sheet(run), Question.FAITHFUL) for run in (before, after))
    assert other.n == one.n
    none_rises([value(one.among, 0), value(one.planned, 0)], [value(other.among, 0), value(other.planned, 0)])


@few
@given(smalls())
def test_a_rate_over_planned_items_is_never_above_the_one_among_those_there_are(small):
    for rate in [*check_rates(small.run), *rubric_rates(a_sheet(small.run))]:
        assert value(rate.planned, 0.0) <= value(rate.among, 1.0)
        assert (rate.planned.n, rate.among.n) == (rate.planned_n, rate.n)
        assert sum(rate.marks.values()) == rate.planned_n


@few
@given(smalls())
def test_every_item_is_in_the_table_of_an_agreement_or_counted_as_left_out(small):
    for found in checks_against(a_sheet(small.run)):
        assert found.n + sum(found.left_out.values()) == len(small.run.items)
        assert sum(found.cells) == found.n


@few
@given(smalls())
def test_no_number_is_a_certainty_without_a_width(small):
    run = small.run
    rates = [*check_rates(run), *rubric_rates(a_sheet(run))]
    for estimate in [ValidOutput.of(run).share, *(r.among for r in rates), *(r.planned for r in rates)]:
        assert estimate.low is None or estimate.low < estimate.high
        assert estimate.low is not None or estimate.reason


def test_a_failure_may_raise_the_rate_among_items_which_is_why_the_planned_one_stands_beside():
    poor = failing(items_of("t1"))
    outcomes = dict.fromkeys(TOPICS, Outcome.OK)
    before = check_rate(a_run(outcomes, poor), Check.KEY)
    after = check_rate(a_run(outcomes | {"t1": Outcome.REFUSED}, poor), Check.KEY)
    assert (before.among.value, after.among.value) == (49 / 56, 1.0)
    assert before.planned.value == after.planned.value == 49 / 56


def topic_of(event):
    what = event.what
    if isinstance(what, Checked):
        return what.item.partition("-")[0]
    return what.unit if isinstance(what, Ended) and what.purpose is Purpose.GENERATE else getattr(what, "unit", "")


def everything(run):
    sheet = a_sheet(run)
    return (
        ValidOutput.of(run),
        check_rates(run),
        rubric_rates(sheet),
        checks_against(sheet),
        between_raters(sheet, a_sheet(run, "ben")),
        compare_runs(run, a_run(), (sheet, a_sheet(a_run()))),
    )


@settings(max_examples=15)
@given(st.randoms(use_true_random=False))
def test_the_order_in_which_independent_topics_arrived_changes_nothing(random):
    outcomes = dict.fromkeys(TOPICS, Outcome.OK) | {"t2": Outcome.REFUSED, "t6": Outcome.NETWORK}
    there = [i for t, o in outcomes.items() if o is Outcome.OK for i in items_of(t)]
    ratings = all_rated(there, dict.fromkeys(there[::3], NO) | {there[4]: CANNOT_TELL}, rater=RATER)
    ratings += all_rated(there[:30], dict.fromkeys(there[:30:4], NO), rater="ben")
    run = a_run(outcomes, failing(there[::5]) | failing(there[1::7], Check.NUMBERS, Mark.DERIVED), ratings)
    began, *rest = run.events
    assert isinstance(began.what, Began)
    by_topic = {topic: [e for e in rest if topic_of(e) == topic] for topic in ("", *TOPICS)}
    answers = by_topic.pop("")
    waiting = list(by_topic.values())
    mixed = []
    while any(waiting):
        mixed.append(random.choice([events for events in waiting if events]).pop(0))
    random.shuffle(answers)  # one answer to each question, so that no order among them means anything
    shuffled = run_of([began.what, *(e.what for e in mixed), *(e.what for e in answers)])
    assert len(shuffled.events) == len(run.events)
    assert everything(shuffled) == everything(run)

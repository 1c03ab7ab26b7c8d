import pytest

from evalcore.evidence import Basis
from evalcore.generation.calls.outcomes import Outcome
from evalcore.generation.checks.findings import SUPPORT, Check, Mark
from evalcore.generation.results.rates import SUPPORTED, check_rate, check_rates, mark_of, rubric_rate, rubric_rates
from evalcore.generation.store.events import Question
from tests.generation.building import (
    CANNOT_TELL,
    NO,
    TOPICS,
    YES,
    a_run,
    a_sheet,
    all_rated,
    failing,
    items_of,
    rated,
    revealed,
)
from tests.oracle import EXTRA

PUBLISHED = [case for case in EXTRA["cluster_wilson"] if case["sizes"] == [7] * 8]
EVERY = [check_rate(a_run(), check) for check in (*Check, None)]


def limits(estimate):
    return estimate.low, estimate.high


def with_hits(hits, check=Check.KEY):
    """A run in which so many items of each topic pass."""
    return a_run(marks=failing([i for t, x in zip(TOPICS, hits, strict=True) for i in items_of(t)[x:]], check))


def outcomes(**given):
    return dict.fromkeys(TOPICS, Outcome.OK) | given


@pytest.mark.parametrize("case", PUBLISHED, ids=lambda c: "-".join(map(str, c["hits"])))
def test_a_rate_is_the_published_clustered_one(case):
    found = check_rate(with_hits(case["hits"]), Check.KEY)
    assert (found.hits, found.n) == (sum(case["hits"]), 56)
    assert found.among.value == pytest.approx(case["value"], abs=5.1e-7)
    assert (found.among.n, found.among.clusters) == (56, 8)
    assert found.icc == (None if case["icc"] is None else pytest.approx(case["icc"], abs=5.1e-7))
    assert found.among.design_effect == (
        None if case["design_effect"] is None else pytest.approx(case["design_effect"], abs=5.1e-7)
    )
    low = case.get("low", case.get("low_if_topics_are_the_sample"))
    assert limits(found.among) == pytest.approx((low, case["high"]), abs=5.1e-7)
    assert found.planned == found.among


@pytest.mark.parametrize("rate", EVERY, ids=lambda r: r.name)
def test_when_every_item_passes_both_ends_are_there_and_neither_is_without_width(rate):
    case = next(case for case in EXTRA["cluster_wilson"] if "low_if_topics_are_the_sample" in case)
    assert rate.hits == rate.n == rate.planned_n
    assert rate.among.value == rate.among.high == rate.beside.high == 1.0
    assert rate.among.low == pytest.approx(case["low_if_topics_are_the_sample"], abs=5e-7)
    assert rate.among.low < rate.beside.low < 1
    if rate.n == 56:
        assert rate.beside.low == pytest.approx(case["low_if_items_are_independent"], abs=5e-7)
    assert rate.among.reason.startswith("at 100 % the spread between topics cannot be seen")
    assert (rate.among.design_effect, rate.icc, rate.among.n_effective) == (None, None, 8.0)
    assert (rate.planned, rate.planned_beside) == (rate.among, rate.beside)


def test_when_no_item_passes_both_ends_are_there_too():
    rate = check_rate(with_hits([0] * 8), Check.KEY)
    assert rate.among.value == rate.among.low == rate.beside.low == 0.0
    assert 0 < rate.beside.high < rate.among.high < 1


def test_between_the_ends_there_is_one_interval():
    assert check_rate(with_hits([7, 7, 7, 7, 7, 7, 7, 3]), Check.KEY).beside is None


def test_each_check_has_a_row_in_its_order_and_support_comes_last():
    rows = check_rates(a_run())
    assert [row.what for row in rows] == [*Check, None]
    assert [row.name for row in rows] == [*(check.value for check in Check), SUPPORTED]


def test_a_failed_topic_leaves_the_rate_among_items_and_counts_in_the_one_over_planned():
    rate = check_rate(a_run(outcomes(t3=Outcome.REFUSED)), Check.NUMBERS)
    assert (rate.hits, rate.n, rate.planned_n) == (49, 49, 56)
    assert (rate.among.value, rate.among.clusters) == (1.0, 7)
    assert (rate.planned.value, rate.planned.n, rate.planned.clusters) == (49 / 56, 56, 8)
    assert (rate.planned_beside, dict(rate.marks)) == (None, {"pass": 49, "missing": 7})


def test_topics_that_wait_are_planned_as_well():
    rate = check_rate(a_run(outcomes(t1=None, t2=Outcome.NETWORK)), Check.NUMBERS)
    assert (rate.n, rate.planned_n, rate.planned.value) == (42, 56, 42 / 56)


@pytest.mark.parametrize("check", [Check.OPTIONS, Check.DISTRACTORS], ids=lambda c: c.value)
def test_checks_of_options_count_the_four_items_of_a_topic_that_have_some(check):
    rate = check_rate(a_run(outcomes(t3=Outcome.INVALID), failing(["t1-m1"], check)), check)
    assert (rate.hits, rate.n, rate.planned_n) == (27, 28, 32)
    assert dict(rate.marks) == {"pass": 27, "fail": 1, "missing": 4}


def test_a_file_that_marks_the_options_of_a_short_answer_changes_no_rate():
    shorts = [item for item in items_of(*TOPICS) if "-s" in item]
    for mark in (Mark.PASS, Mark.FAIL):
        run = a_run(marks=failing(shorts, Check.OPTIONS, mark))
        assert check_rate(run, Check.OPTIONS) == check_rate(a_run(), Check.OPTIONS)
    ratings = all_rated(items_of(*TOPICS), question=Question.DISTRACTORS)
    assert rubric_rate(a_sheet(a_run(ratings=ratings)), Question.DISTRACTORS).n == 32


def test_a_derived_number_is_no_pass_and_is_counted_apart():
    marks = failing(["t1-m1", "t1-m2"], Check.NUMBERS, Mark.DERIVED) | failing(["t2-s1"], Check.NUMBERS)
    run = a_run(marks=marks)
    for check in (Check.NUMBERS, None):
        assert dict(check_rate(run, check).marks) == {"pass": 53, "derived": 2, "fail": 1}
        assert check_rate(run, check).hits == 53


def test_support_is_the_conjunction_of_its_checks_and_of_no_other():
    items = items_of("t1")
    marks = {item: {check: Mark.FAIL} for item, check in zip(items, SUPPORT, strict=False)}
    marks["t1-s2"] = {Check.DUPLICATE: Mark.FAIL}
    run = a_run(marks=marks)
    assert [mark_of(run, item, None) for item in items] == [Mark.FAIL] * 5 + [Mark.PASS] * 2
    assert check_rate(run, None).hits == 51


def test_a_failed_part_of_support_outweighs_a_derived_one():
    run = a_run(marks={"t1-m1": {Check.NUMBERS: Mark.DERIVED, Check.KEY: Mark.FAIL}})
    assert mark_of(run, "t1-m1", None) is Mark.FAIL


@pytest.mark.parametrize("check", [Check.KEY, Check.OPTIONS, None], ids=str)
def test_an_item_whose_checks_are_not_in_the_run_has_not_passed(check):
    run = a_run(marks={"t1-m1": None})
    rate, whole = check_rate(run, check), check_rate(a_run(), check)
    assert (rate.hits, rate.n) == (whole.n - 1, whole.n)
    assert rate.marks["not checked"] == 1
    assert mark_of(run, "t1-m1", check) is None


def test_without_an_item_no_rate_is_assessed_and_the_one_over_planned_is_zero_with_a_width():
    for rate in check_rates(a_run(outcomes(**dict.fromkeys(TOPICS, Outcome.REFUSED)))):
        assert (rate.among.value, rate.among.basis, rate.beside) == (None, Basis.NOT_ASSESSED, None)
        assert rate.among.reason
        assert (rate.hits, rate.planned.value, rate.planned.low) == (0, 0.0, 0.0)
        assert 0 < rate.planned_beside.high < rate.planned.high < 1


def test_with_one_topic_there_is_a_value_and_the_reason_why_no_interval():
    rate = check_rate(a_run({"t1": Outcome.OK}, failing(["t1-m1"])), Check.KEY)
    assert (rate.among.value, rate.among.low) == (6 / 7, None)
    assert rate.among.reason == "fewer than two topics: the spread between topics cannot be seen"


def test_a_question_of_the_rubric_counts_yes_among_the_rated():
    ratings = all_rated(items_of("t1", "t2"), {"t1-m1": NO, "t1-m2": CANNOT_TELL, "t2-s3": None})
    rate = rubric_rate(a_sheet(a_run(ratings=ratings)), Question.FAITHFUL)
    assert (rate.hits, rate.n, rate.planned_n) == (11, 13, 56)
    assert (rate.among.value, rate.among.clusters) == (11 / 13, 2)
    # 1 of them and the 42 of the other topics that are there are not rated: of those nothing is known
    assert (rate.planned.value, rate.planned.reason) == (None, "43 items are not rated yet")
    assert (rate.marks["yes"], rate.marks["no"], rate.marks["cannot tell"]) == (11, 1, 1)


def test_cannot_tell_is_neither_a_pass_nor_unrated():
    items = items_of(*TOPICS)
    none, unsure = (
        rubric_rate(a_sheet(a_run(ratings=all_rated(items, {"t1-m1": a}))), Question.FAITHFUL)
        for a in (None, CANNOT_TELL)
    )
    assert (none.hits, none.n, unsure.hits, unsure.n) == (55, 55, 55, 56)
    assert (none.planned.value, unsure.planned.value) == (None, 55 / 56)


def test_the_question_about_distractors_is_planned_for_four_items_of_a_topic():
    items = [item for item in items_of(*TOPICS) if "-m" in item]
    rate = rubric_rate(a_sheet(a_run(ratings=all_rated(items, question=Question.DISTRACTORS))), Question.DISTRACTORS)
    assert (rate.hits, rate.n, rate.planned_n) == (32, 32, 32)


def test_answers_that_are_not_blind_count_in_the_rubrics_rates_and_the_last_one_stands():
    ratings = [revealed("t1-m1"), rated("t1-m1", NO, shown=True), rated("t2-m1", NO), rated("t2-m1", YES)]
    rate = rubric_rate(a_sheet(a_run(ratings=ratings)), Question.FAITHFUL)
    assert (rate.hits, rate.n) == (1, 2)


def test_each_rater_has_rates_of_their_own():
    ratings = [*all_rated(items_of("t1")), *all_rated(items_of("t1", "t2"), {"t1-m1": NO}, rater="ben")]
    run = a_run(ratings=ratings)
    assert [rubric_rates(a_sheet(run, who))[0].n for who in ("ana", "ben", "nobody")] == [7, 14, 0]


def test_a_rater_who_has_answered_nothing_has_no_rate():
    for rate in rubric_rates(a_sheet(a_run())):
        assert (rate.among.value, rate.among.basis, rate.hits) == (None, Basis.NOT_ASSESSED, 0)


def test_rates_of_a_recorded_sample_are_assumed():
    for rate in check_rates(a_run(written_for="somebody")):
        assert {rate.among.basis, rate.planned.basis, rate.beside.basis} == {Basis.ASSUMED}


def test_rates_over_generated_answers_name_the_model():
    for rate in check_rates(a_run(model="model-z")):
        assert (rate.among.basis, rate.among.sources[0].model) == (Basis.GENERATED, "model-z")

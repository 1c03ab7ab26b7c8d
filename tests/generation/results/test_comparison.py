import pytest
from scipy.stats import t as student_t

from evalcore.evidence import Basis
from evalcore.generation.calls.outcomes import Outcome
from evalcore.generation.checks.findings import Check, Mark
from evalcore.generation.results.comparison import VALID, compare_runs
from evalcore.generation.results.rates import SUPPORTED
from evalcore.generation.store.events import Question
from tests.generation.building import NO, TOPICS, a_run, a_sheet, all_rated, failing, items_of

ITEMS = items_of(*TOPICS)
MISSES = [1, 2, 3, 1, 2, 3, 4, 2]


def with_misses(misses, check=Check.KEY, **options):
    return a_run(
        marks=failing([i for t, m in zip(TOPICS, misses, strict=True) for i in items_of(t)[:m]], check), **options
    )


def row(compared, measure):
    return next(c for c in compared.differences if c.measure == measure)


def key_of(first, second):
    return row(compare_runs(first, second), Check.KEY.value)


def outcomes(**given):
    return dict.fromkeys(TOPICS, Outcome.OK) | given


def test_the_difference_has_students_interval_over_topics_worked_by_hand():
    found = key_of(a_run(), with_misses(MISSES)).difference
    # misses sum to 18: mean 2.25 / 7; squared deviations sum to 7.5, so sd = sqrt(7.5 / 7) / 7
    half = student_t.ppf(0.975, 7) * (7.5 / 7) ** 0.5 / 7 / 8**0.5
    assert found.value == pytest.approx(2.25 / 7, abs=1e-12)
    assert (found.low, found.high) == pytest.approx((2.25 / 7 - half, 2.25 / 7 + half), abs=1e-12)
    assert (found.n, found.clusters, found.method) == (8, 8, "paired t(n - 1)")


def test_eight_topics_that_all_go_one_way_have_the_smallest_p_that_eight_can_have():
    found = key_of(a_run(), with_misses(MISSES))
    assert (found.p, found.p_method) == (2 / 256, "sign-flip, exact (256 sign vectors)")
    assert (found.wins, found.ties, found.losses) == (8, 0, 0)


def test_p_counts_every_sign_vector_over_topics():
    # 1, 2, 3, 4 sevenths one way and 1 the other: |sum| >= 9 of 11 for the sums 11, 9, 9 and their negatives
    first, second = with_misses([0, 0, 0, 0, 1, 0, 0, 0]), with_misses([1, 2, 3, 4, 0, 0, 0, 0])
    found = key_of(first, second)
    assert found.p == 6 / 32
    assert (found.wins, found.ties, found.losses) == (4, 3, 1)


def test_with_fewer_than_six_topics_that_differ_there_is_a_p_and_no_interval():
    found = key_of(a_run(), with_misses([1, 2, 3, 1, 2, 0, 0, 0]))
    assert (found.difference.value, found.p) == (pytest.approx(9 / 56), 2 / 32)
    assert (found.difference.low, found.difference.high) == (None, None)
    assert found.difference.reason == "only 5 of 8 topics differ; no test of so few can reach the 95 % level"


def test_a_constant_difference_has_no_interval_and_no_d_z():
    found = key_of(a_run(), with_misses([1] * 8))
    assert found.difference.value == pytest.approx(1 / 7)
    assert (found.difference.low, found.d_z, found.p) == (None, None, 2 / 256)
    assert found.difference.reason == "all 8 topics differ by the same (0.143), so the spread cannot be seen"


def test_runs_that_passed_the_same_do_not_differ_and_claim_no_interval():
    for found in compare_runs(with_misses(MISSES), with_misses(MISSES)).differences:
        assert (found.difference.value, found.difference.low, found.p, found.ties) == (0.0, None, 1.0, 8)
        assert found.difference.reason == "none of 8 topics differs, so the spread cannot be seen"


def test_who_is_named_first_changes_the_sign_and_nothing_else():
    one, other = with_misses([3, 0, 1, 4, 0, 2, 2, 5]), with_misses([0, 1, 3, 1, 2, 6, 0, 2])
    forth, back = compare_runs(one, other), compare_runs(other, one)
    for there, here in zip(forth.differences, back.differences, strict=True):
        assert (here.difference.value, here.d_z) == (
            -there.difference.value,
            None if there.d_z is None else -there.d_z,
        )
        assert (here.p, here.wins, here.losses) == (there.p, there.losses, there.wins)
        if there.difference.low is not None:
            assert (here.difference.low, here.difference.high) == (-there.difference.high, -there.difference.low)


def test_there_is_a_row_for_valid_output_each_check_and_support():
    rows = [c.measure for c in compare_runs(a_run(), a_run()).differences]
    assert rows == [VALID, *(check.value for check in Check), SUPPORTED]


def test_everything_is_exploratory():
    for found in compare_runs(a_run(), with_misses(MISSES)).differences:
        assert (found.in_family, found.verdict, found.p_holm) == (False, None, None)


def test_a_topic_that_a_model_failed_on_has_passed_nothing():
    found = compare_runs(a_run(), a_run(outcomes(t1=Outcome.REFUSED, t2=Outcome.CUT_OFF)))
    assert (found.topics, found.left_out) == (TOPICS, {})
    for measure in (VALID, Check.KEY.value, Check.OPTIONS.value, SUPPORTED):
        assert (row(found, measure).difference.value, row(found, measure).wins) == (2 / 8, 2)


def test_a_failure_does_not_help_a_model_whose_items_were_poor():
    poor, failed = with_misses([7] * 2 + [0] * 6), a_run(outcomes(t1=Outcome.INVALID, t2=Outcome.INVALID))
    assert key_of(a_run(), poor).difference.value == key_of(a_run(), failed).difference.value


@pytest.mark.parametrize("outcome", [Outcome.NETWORK, Outcome.STOPPED, None], ids=str)
def test_a_topic_without_an_outcome_of_the_models_own_is_left_out_and_named(outcome):
    found = compare_runs(a_run(outcomes(t3=outcome)), a_run(outcomes(t5=outcome)))
    assert found.left_out == {
        "t3": "no outcome of the model's own in the first run",
        "t5": "no outcome of the model's own in the second run",
    }
    assert found.topics == ("t1", "t2", "t4", "t6", "t7", "t8")
    assert row(found, VALID).difference.n == 6


def test_a_topic_with_other_passages_is_left_out_and_named():
    found = compare_runs(a_run(), a_run(passages={"t2": "Something else."}))
    assert found.left_out == {"t2": "asked about with other passages"}


def test_a_topic_of_one_run_only_is_left_out_and_named():
    seven = dict.fromkeys(TOPICS[:7], Outcome.OK)
    for pair in ((a_run(), a_run(seven)), (a_run(seven), a_run())):
        assert compare_runs(*pair).left_out == {"t8": "in one of the runs only"}


@pytest.mark.parametrize("both", [0, 1])
def test_with_fewer_than_two_topics_in_both_runs_nothing_is_compared(both):
    other = outcomes(**dict.fromkeys(TOPICS[both:], Outcome.NETWORK))
    for found in compare_runs(a_run(), a_run(other)).differences:
        assert (found.difference.value, found.difference.basis) == (None, Basis.NOT_ASSESSED)
        assert (found.p, found.d_z) == (None, None)
        assert found.difference.reason == "fewer than two topics in both runs"


def test_checks_of_options_are_shares_of_the_four_items_that_have_some():
    second = a_run(marks=failing(["t1-m1", "t2-m1", "t2-m2"], Check.OPTIONS))
    assert row(compare_runs(a_run(), second), Check.OPTIONS.value).difference.value == (1 / 4 + 2 / 4) / 8


def test_a_file_that_marks_or_rates_the_options_of_a_short_answer_changes_no_share():
    shorts = [item for item in ITEMS if "-s" in item]
    choices = [item for item in ITEMS if "-m" in item]
    odd = a_run(
        marks=failing(shorts, Check.OPTIONS, Mark.PASS), ratings=all_rated(ITEMS, question=Question.DISTRACTORS)
    )
    usual = a_run(ratings=all_rated(choices, question=Question.DISTRACTORS))
    found = compare_runs(odd, usual, (a_sheet(odd), a_sheet(usual)))
    for measure in (Check.OPTIONS.value, "distractors"):
        assert row(found, measure).difference.value == 0.0


def test_derived_and_unchecked_items_have_not_passed():
    derived = a_run(marks=failing(["t1-m1"], Check.KEY, Mark.DERIVED))
    unchecked = a_run(marks={"t1-m1": None})
    for second in (derived, unchecked):
        assert key_of(a_run(), second).difference.value == pytest.approx(1 / 56)


def test_with_both_sheets_the_rubric_is_compared():
    first = a_run(ratings=all_rated(ITEMS))
    second = a_run(ratings=all_rated(ITEMS, {"t1-m1": NO, "t2-m1": NO}, rater="ben"))
    found = compare_runs(first, second, (a_sheet(first), a_sheet(second, "ben")))
    assert [c.measure for c in found.differences[-6:]] == [q.value for q in Question]
    assert row(found, "faithful").difference.value == pytest.approx(2 / 56)


def test_a_question_with_unrated_items_is_not_compared_since_unrated_is_no_answer():
    first = a_run(ratings=all_rated(ITEMS))
    second = a_run(ratings=all_rated(ITEMS, {"t2-m1": None}, rater="ben"))
    found = row(compare_runs(first, second, (a_sheet(first), a_sheet(second, "ben"))), "faithful")
    assert (found.difference.value, found.p) == (None, None)
    assert found.difference.reason == "1 items of the two runs are not rated"


def test_a_difference_names_both_models_and_a_recorded_sample_makes_it_assumed():
    difference = key_of(a_run(model="a"), a_run(model="b")).difference
    assert (difference.basis, [s.model for s in difference.sources]) == (Basis.GENERATED, ["a", "b"])
    for pair in ((a_run(), a_run(written_for="somebody")), (a_run(written_for="somebody"), a_run())):
        assert key_of(*pair).difference.basis is Basis.ASSUMED

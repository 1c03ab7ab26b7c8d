import pytest

from evalcore.evidence import Basis
from evalcore.generation.calls.outcomes import Outcome
from evalcore.generation.results.basis import evidence_of, evidence_of_both
from evalcore.generation.results.output import ValidOutput
from evalcore.generation.store.events import Question
from tests.generation.building import (
    NO,
    TOPICS,
    a_run,
    a_topic,
    all_rated,
    attempt,
    began,
    items_of,
    rated,
    run_of,
)

FAILURES = [outcome for outcome in Outcome if outcome.failure_of_model]
NOT_THE_MODELS = [outcome for outcome in Outcome if not outcome.of_model]


def outcomes(**given):
    return dict.fromkeys(TOPICS, Outcome.OK) | given


def limits(estimate):
    return estimate.low, estimate.high


def test_six_of_eight_topics_have_wilsons_interval():
    found = ValidOutput.of(a_run(outcomes(t2=Outcome.REFUSED, t5=Outcome.CUT_OFF)))
    assert (found.ok, found.own, found.planned, found.open) == (6, 8, 8, ())
    assert (found.share.value, found.share.n, found.share.method) == (0.75, 8, "Wilson")
    # Wilson's interval of 6 of 8, by hand: (6 + z^2/2 ± z sqrt(6 * 2/8 + z^2/4)) / (8 + z^2) with z = 1.959964
    assert limits(found.share) == pytest.approx((0.409276, 0.928522), abs=5e-6)
    assert found.causes == {Outcome.OK: 6, Outcome.REFUSED: 1, Outcome.CUT_OFF: 1}


def test_with_valid_output_on_every_topic_the_interval_still_has_a_width():
    found = ValidOutput.of(a_run())
    assert (found.share.value, found.share.high) == (1.0, 1.0)
    assert found.share.low == pytest.approx(8 / (8 + 1.959964**2), abs=1e-6)


@pytest.mark.parametrize("failure", FAILURES, ids=lambda o: o.value)
def test_each_failure_of_the_model_counts_against_it(failure):
    found = ValidOutput.of(a_run(outcomes(t1=failure)))
    assert (found.share.value, found.share.n, found.open) == (7 / 8, 8, ())
    assert found.causes[failure] == 1


@pytest.mark.parametrize("outcome", NOT_THE_MODELS, ids=lambda o: o.value)
def test_an_outcome_that_is_not_the_models_is_left_out_shown_and_open(outcome):
    found = ValidOutput.of(a_run(outcomes(t1=outcome, t2=Outcome.INVALID)))
    assert (found.share.value, found.share.n) == (6 / 7, 7)
    assert (found.open, found.causes[outcome]) == (("t1",), 1)
    assert (found.worst.value, found.best.value, found.worst.n) == (6 / 8, 7 / 8, 8)


def test_a_topic_that_waits_is_open_and_has_no_cause():
    found = ValidOutput.of(a_run(outcomes(t8=None)))
    assert (found.open, found.causes, found.share.n) == (("t8",), {Outcome.OK: 7}, 7)


@pytest.mark.parametrize("outcome", [None, Outcome.NETWORK, Outcome.STOPPED], ids=str)
def test_without_an_outcome_of_the_models_own_the_share_is_not_assessed(outcome):
    found = ValidOutput.of(a_run(dict.fromkeys(TOPICS, outcome)))
    assert (found.share.value, found.share.low, found.share.basis) == (None, None, Basis.NOT_ASSESSED)
    assert found.share.reason == "no topic has an outcome of the model's own"
    assert (found.worst.value, found.best.value) == (0.0, 1.0)


def test_bounds_over_open_topics_are_assumed_and_without_one_both_are_the_measured_share():
    open_, closed = (ValidOutput.of(a_run(outcomes(t1=end))) for end in (Outcome.NETWORK, Outcome.REFUSED))
    assert closed.worst == closed.best == closed.share
    assert open_.share.basis is Basis.GENERATED
    for bound, end in ((open_.worst, "fails"), (open_.best, "succeeds")):
        assert bound.basis is Basis.ASSUMED
        assert bound.sources[-1].name == f"every open topic {end} (1 of 8)"


def test_a_topic_that_was_tried_twice_counts_once_as_it_ended():
    records = [began([a_topic("t1"), a_topic("t2")]), *attempt("t1", Outcome.NETWORK)]
    records += [*attempt("t1", Outcome.OK, number=2), *attempt("t2", Outcome.REFUSED)]
    found = ValidOutput.of(run_of(records))
    assert (found.ok, found.own, found.causes) == (1, 2, {Outcome.OK: 1, Outcome.REFUSED: 1})


def test_a_later_success_does_not_replace_a_failure_of_the_model():
    records = [began([a_topic("t1")]), *attempt("t1", Outcome.INVALID), *attempt("t1", Outcome.OK, number=2)]
    found = ValidOutput.of(run_of(records))
    assert (found.share.value, found.causes) == (0.0, {Outcome.INVALID: 1})


def test_a_measured_run_names_its_model_its_date_and_how_many_items_somebody_read():
    read = [*all_rated(items_of("t1")), rated("t1-m1", NO, Question.CORRECT), rated("t1-m1", NO, rater="ben")]
    read += [rated("t2-m1", NO, rater="ben"), rated("t3-m1", NO), rated("t3-m1", None)]
    read += [rated("t4-m1", NO, shown=True), rated("t5-m1", NO, Question.CORRECT)]
    basis, (source,) = evidence_of(a_run(ratings=read))
    assert basis is Basis.GENERATED
    assert (source.name, source.model, source.date) == ("generation run", "model-a", "2026-11-30")
    assert source.items_read == 10  # seven of t1, one each of t2, t4 and t5; the answer on t3 was taken back


def test_a_run_that_nobody_read_says_so():
    assert evidence_of(a_run())[1][0].items_read == 0


def test_the_recorded_sample_measures_no_model():
    basis, (source,) = evidence_of(a_run(written_for="somebody who wrote it"))
    assert (basis, source.chosen_by, source.model) == (Basis.ASSUMED, "somebody who wrote it", None)
    assert ValidOutput.of(a_run(written_for="somebody")).share.basis is Basis.ASSUMED


def test_a_number_from_a_measured_run_and_a_recorded_sample_is_assumed():
    measured, sample = a_run(), a_run(written_for="somebody")
    assert evidence_of_both(measured, measured)[0] is Basis.GENERATED
    for pair in ((measured, sample), (sample, measured), (sample, sample)):
        basis, sources = evidence_of_both(*pair)
        assert (basis, len(sources)) == (Basis.ASSUMED, 2)

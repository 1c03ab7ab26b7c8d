import pytest

from evalcore.evidence import Basis
from evalcore.generation.calls.outcomes import Outcome
from evalcore.generation.checks.findings import Check, Mark
from evalcore.generation.results import agreement as results
from evalcore.generation.results.agreement import (
    between_raters,
    check_against,
    checks_against,
    disagreements,
    judge_against,
    judge_against_support,
)
from evalcore.generation.results.rates import SUPPORTED
from evalcore.generation.store.events import Place, Question
from evalcore.stats.agreement import ONE_VERDICT
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
    judge_failed,
    judged,
    rated,
    revealed,
)

ITEMS = items_of(*TOPICS)


def spread_over_topics(*cells):
    """Item to (check passes, rater says yes), so many of each of the four cells, dealt out over the topics."""
    dealt = [item for place in range(7) for item in ITEMS[place::7]]
    pairs = [(True, True), (True, False), (False, True), (False, False)]
    said = [pair for pair, count in zip(pairs, cells, strict=True) for _ in range(count)]
    return dict(zip(dealt, said, strict=False))


def against(cells, check=Check.KEY):
    said = spread_over_topics(*cells)
    ratings = [rated(item, YES if yes else NO) for item, (_, yes) in said.items()]
    run = a_run(marks=failing([item for item, (passes, _) in said.items() if not passes], check), ratings=ratings)
    return check_against(a_sheet(run), check)


def numbers(agreed):
    """Everything that a reader sees of an agreement, but for what was left out."""
    estimates = (agreed.raw, agreed.yes_first, agreed.yes_second, agreed.kappa_resampled, agreed.kappa_jackknife)
    shares = (agreed.sensitivity, agreed.specificity)
    return agreed.n, agreed.cells, [(e.value, e.low, e.high) for e in (*estimates, *shares)]


def nothing_assessed(agreed):
    return agreed.n == 0 and all(value is None for value, _, _ in numbers(agreed)[2])


@pytest.mark.parametrize(
    ("cells", "raw", "yes", "kappa", "sensitivity", "specificity"),
    [
        # expected by chance .5 * .6 + .5 * .4 = .5, so kappa = (.7 - .5) / (1 - .5)
        ((20, 5, 10, 15), 0.7, (0.5, 0.6), 0.4, 20 / 30, 15 / 20),
        # .75 * .75 + .25 * .25 = .625, so kappa = (.9 - .625) / .375
        ((28, 2, 2, 8), 0.9, (0.75, 0.75), 11 / 15, 28 / 30, 8 / 10),
        # .9 * .9 + .1 * .1 = .82: eight in ten agree, and less often than by chance
        ((32, 4, 4, 0), 0.8, (0.9, 0.9), -1 / 9, 32 / 36, 0 / 4),
    ],
    ids=["moderate", "good", "high raw agreement, kappa below zero"],
)
def test_the_agreement_of_a_check_and_a_rater_is_the_one_worked_by_hand(
    cells, raw, yes, kappa, sensitivity, specificity
):
    found = against(cells)
    assert (found.cells, found.n) == (cells, sum(cells))
    assert found.left_out == {"not rated": 56 - sum(cells)}
    assert found.raw.value == pytest.approx(raw, abs=1e-12)
    assert (found.yes_first.value, found.yes_second.value) == pytest.approx(yes, abs=1e-12)
    assert found.kappa_jackknife.value == found.kappa_resampled.value == pytest.approx(kappa, abs=1e-12)
    assert found.sensitivity.value == pytest.approx(sensitivity, abs=1e-12)
    assert found.specificity.value == pytest.approx(specificity, abs=1e-12)
    assert found.raw.clusters == found.yes_first.clusters == 8
    assert (found.sensitivity.n, found.specificity.n) == (cells[0] + cells[2], cells[1] + cells[3])


def test_kappa_has_both_intervals_and_each_names_its_method():
    found = against((20, 5, 10, 15))
    resampled, jackknife = found.kappa_resampled, found.kappa_jackknife
    assert -1 <= resampled.low < 0.4 < resampled.high <= 1
    assert -1 <= jackknife.low < 0.4 < jackknife.high <= 1
    assert (resampled.method, resampled.resamples) == ("kappa, topics resampled", 10_000)
    assert jackknife.method == "kappa, leave-one-topic-out jackknife, t(G - 1)"
    assert found.dropped == 0


def test_perfect_agreement_is_one_with_an_interval_of_raw_agreement_that_has_a_width():
    found = against((30, 0, 0, 20))
    assert found.raw.value == found.raw.high == 1.0
    assert found.raw.low < found.beside["raw"].low < found.beside["raw"].high == 1.0
    assert set(found.beside) == {"raw", "sensitivity", "specificity"}
    assert found.kappa_jackknife.value == 1.0
    assert (found.kappa_jackknife.low, found.kappa_resampled.low) == (None, None)
    assert found.kappa_jackknife.reason


def test_a_rater_who_says_yes_throughout_agrees_often_and_has_no_kappa():
    found = against((40, 0, 10, 0))
    assert found.raw.value == 0.8
    for kappa in (found.kappa_jackknife, found.kappa_resampled):
        assert (kappa.value, kappa.low, kappa.basis, kappa.reason) == (None, None, Basis.NOT_ASSESSED, ONE_VERDICT)
    assert (found.sensitivity.value, found.specificity.value) == (0.8, None)
    assert set(found.beside) == {"yes_second"}
    assert found.specificity.reason == "no item to which ana says no"


def test_a_rater_who_says_no_throughout_leaves_sensitivity_not_assessed():
    found = against((0, 40, 0, 10))
    assert (found.sensitivity.value, found.specificity.value) == (None, 0.2)
    assert found.sensitivity.reason == "no item to which ana says yes"


def test_without_a_blind_rating_nothing_is_assessed_and_nothing_agrees():
    for found in checks_against(a_sheet(a_run())):
        assert nothing_assessed(found)
        for estimate in (found.raw, found.yes_first, found.kappa_resampled, found.kappa_jackknife, found.sensitivity):
            assert estimate.basis is Basis.NOT_ASSESSED
            assert estimate.reason


def test_support_comes_first_and_then_each_check_in_its_order():
    rows = checks_against(a_sheet(a_run()))
    assert [row.first for row in rows] == [SUPPORTED, *(check.value for check in Check)]
    assert {row.second for row in rows} == {"ana"}


@pytest.mark.parametrize("place", Place, ids=lambda p: p.value)
def test_ratings_given_after_the_checks_were_shown_change_no_number_and_are_counted(place):
    """The first of the seed's traps: whoever has seen a verdict agrees with it."""
    said = spread_over_topics(20, 5, 10, 15)
    blind = [rated(item, YES if yes else NO) for item, (_, yes) in said.items()]
    marks = failing([item for item, (passes, _) in said.items() if not passes])
    anchored = [item for item in ITEMS if item not in said]
    # they echo the checks, which would raise the agreement
    after = [revealed(*anchored, place=place), *(rated(item, YES, shown=True) for item in anchored)]
    without, with_them = (
        check_against(a_sheet(a_run(marks=marks, ratings=ratings)), Check.KEY) for ratings in (blind, blind + after)
    )
    assert numbers(with_them) == numbers(without)
    assert (without.left_out, with_them.left_out) == ({"not rated": 6}, {"not rated blind": 6})


def test_when_no_rating_is_blind_perfect_echo_is_no_agreement():
    ratings = [revealed(*ITEMS), *all_rated(ITEMS, {"t1-m1": NO}, shown=True)]
    for found in checks_against(a_sheet(a_run(marks=failing(["t1-m1"]), ratings=ratings))):
        assert nothing_assessed(found)
        assert found.left_out["not rated blind"] >= 32


def test_a_blind_value_that_was_changed_after_the_reveal_stays_the_one_that_counts():
    ratings = [*all_rated(ITEMS, {"t1-m1": NO}), revealed("t1-m1"), rated("t1-m1", YES, shown=True)]
    assert check_against(a_sheet(a_run(ratings=ratings)), Check.KEY).cells == (55, 1, 0, 0)


def test_a_blind_value_that_was_taken_back_after_the_reveal_stays_the_one_that_counts():
    ratings = [*all_rated(ITEMS, {"t1-m1": NO}), revealed("t1-m1"), rated("t1-m1", None, shown=True)]
    assert check_against(a_sheet(a_run(ratings=ratings)), Check.KEY).cells == (55, 1, 0, 0)


def test_the_checks_that_another_rater_was_shown_leave_a_rating_blind():
    ratings = [revealed(*ITEMS, rater="ben"), *all_rated(ITEMS)]
    assert check_against(a_sheet(a_run(ratings=ratings)), Check.KEY).n == 56


def test_cannot_tell_leaves_the_table_and_is_counted():
    ratings = all_rated(ITEMS, {"t1-m1": CANNOT_TELL, "t1-m2": CANNOT_TELL, "t2-m1": NO, "t3-m1": None})
    found = check_against(a_sheet(a_run(ratings=ratings)), Check.KEY)
    assert (found.n, found.cells) == (53, (52, 1, 0, 0))
    assert found.left_out == {"cannot tell": 2, "not rated": 1}


@pytest.mark.parametrize("check", [Check.NUMBERS, None], ids=str)
def test_derived_is_no_pass_in_an_agreement(check):
    run = a_run(marks=failing(["t1-m1"], Check.NUMBERS, Mark.DERIVED), ratings=all_rated(ITEMS))
    found = check_against(a_sheet(run), check)
    assert (found.cells, found.sensitivity.value) == ((55, 0, 1, 0), 55 / 56)


def test_an_item_to_which_a_check_does_not_apply_leaves_the_table():
    found = check_against(a_sheet(a_run(ratings=all_rated(ITEMS))), Check.OPTIONS)
    assert (found.n, found.left_out) == (32, {"check does not apply": 24})


def test_a_file_that_marks_the_options_of_a_short_answer_brings_no_item_into_the_table():
    marks = failing([item for item in ITEMS if "-s" in item], Check.OPTIONS)
    assert check_against(a_sheet(a_run(marks=marks, ratings=all_rated(ITEMS))), Check.OPTIONS).n == 32


@pytest.mark.parametrize("check", [Check.KEY, None], ids=str)
def test_an_item_whose_checks_are_not_in_the_run_leaves_the_table_and_is_counted(check):
    found = check_against(a_sheet(a_run(marks={"t1-m1": None}, ratings=all_rated(ITEMS))), check)
    assert (found.n, found.left_out) == (55, {results.NOT_CHECKED: 1})


def test_two_raters_are_compared_over_the_items_that_both_rated_blind():
    ana = [*all_rated(items_of("t1", "t2"), {"t1-m1": NO, "t1-m2": NO, "t1-m3": CANNOT_TELL})]
    ben = [revealed("t2-s3", rater="ben"), *all_rated(items_of("t1", "t2"), {"t1-m1": NO, "t2-m1": NO}, rater="ben")]
    run = a_run({"t1": Outcome.OK, "t2": Outcome.OK, "t3": Outcome.OK}, ratings=ana + ben)
    found = between_raters(a_sheet(run), a_sheet(run, "ben"))
    assert (found.first, found.second, found.n, found.cells) == ("ana", "ben", 12, (9, 1, 1, 1))
    assert found.left_out == {"cannot tell": 1, "not rated blind": 1, "not rated": 7}
    assert found.raw.value == 10 / 12
    # 10/12 agree, by chance (10 * 10 + 2 * 2) / 144 would
    assert found.kappa_jackknife.value == pytest.approx((10 / 12 - 104 / 144) / (1 - 104 / 144), abs=1e-12)
    assert found.kappa_jackknife.low is None
    assert found.kappa_jackknife.reason.startswith("2 topics: fewer than 5")


def test_the_agreement_of_two_raters_does_not_depend_on_who_is_named_first():
    ana = all_rated(ITEMS, dict.fromkeys(ITEMS[::3], NO))
    ben = all_rated(ITEMS, dict.fromkeys(ITEMS[::4], NO), rater="ben")
    run = a_run(ratings=ana + ben)
    one, other = (between_raters(a_sheet(run, a), a_sheet(run, b)) for a, b in (("ana", "ben"), ("ben", "ana")))
    assert one.cells == tuple(other.cells[i] for i in (0, 2, 1, 3))
    assert (one.raw, one.kappa_resampled, one.kappa_jackknife) == (
        other.raw,
        other.kappa_resampled,
        other.kappa_jackknife,
    )
    assert (one.yes_first, one.yes_second) == (other.yes_second, other.yes_first)


@pytest.mark.parametrize(
    "human",
    [
        [],
        [rated("t1-m1", YES, Question.CORRECT)],
        [rated("t1-m1", CANNOT_TELL), rated("t1-m1", None)],
        [revealed(*ITEMS), *all_rated(ITEMS, shown=True)],
    ],
    ids=["nobody", "only correct", "taken back", "after the checks"],
)
def test_without_a_blind_human_rating_the_judge_is_not_assessed(human):
    run = a_run(ratings=[*human, *(event for item in ITEMS for event in judged(item))])
    assert judge_against(a_sheet(run), Question.FAITHFUL) is None
    assert judge_against(a_sheet(run), Question.CORRECT) is None
    assert judge_against_support(run) is None


def test_the_judge_is_set_against_the_blind_answers_on_faithful():
    human = [*all_rated(ITEMS[:6], {ITEMS[0]: NO, ITEMS[1]: CANNOT_TELL})]
    human += [revealed(ITEMS[6]), rated(ITEMS[6], YES, shown=True)]
    judge = [*judged(ITEMS[0], NO), *judged(ITEMS[1]), *judged(ITEMS[2], NO), *judged(ITEMS[3]), *judged(ITEMS[6])]
    judge += [*judged(ITEMS[4], CANNOT_TELL), *judge_failed(ITEMS[5])]
    found = judge_against(a_sheet(a_run(ratings=human + judge)), Question.FAITHFUL)
    assert (found.n, found.cells) == (3, (1, 0, 1, 1))
    assert found.left_out["cannot tell"] == 2
    assert sum(found.left_out.values()) == 53


def test_on_correct_the_judge_is_set_against_answers_given_before_the_checks_were_shown():
    human = [rated(ITEMS[0], YES), rated(ITEMS[0], NO, Question.CORRECT), rated(ITEMS[2], YES, Question.CORRECT)]
    human += [revealed(ITEMS[1]), rated(ITEMS[1], YES, Question.CORRECT, shown=True)]
    judge = [event for item in ITEMS[:3] for event in judged(item, correct=YES, faithful=NO)]
    found = judge_against(a_sheet(a_run(ratings=human + judge)), Question.CORRECT)
    assert (found.n, found.cells, found.left_out["not rated blind"]) == (2, (1, 1, 0, 0), 1)


def test_the_judge_beside_a_rater_who_rated_nothing_blind_is_not_assessed():
    ratings = [rated("t1-m1", YES), *judged("t1-m1")]
    assert nothing_assessed(judge_against(a_sheet(a_run(ratings=ratings), "ben"), Question.FAITHFUL))


def test_the_support_check_is_set_against_the_judge():
    ratings = [rated("t1-m1", YES), *judged("t1-m1"), *judged("t1-m2", NO), *judged("t1-m3"), *judged("t1-m4", NO)]
    found = judge_against_support(a_run(marks=failing(["t1-m3", "t1-m4"]), ratings=ratings))
    assert (found.first, found.n, found.cells) == (SUPPORTED, 4, (1, 1, 1, 1))
    assert found.left_out == {results.NO_JUDGEMENT: 52}


def test_the_items_to_read_are_those_on_which_a_blind_answer_and_the_support_check_differ():
    marks = failing(["t1-m1", "t1-m2", "t2-m1", "t3-m1"]) | failing(["t1-m3"], Check.NUMBERS, Mark.DERIVED)
    unsure = dict.fromkeys(["t2-m1", "t2-m2"], CANNOT_TELL)  # one that passes, one that does not
    ratings = all_rated(ITEMS, {"t1-m1": NO, "t1-s1": NO, "t3-m1": None} | unsure)
    ratings += [revealed("t3-m1"), rated("t3-m1", YES, shown=True)]
    found = disagreements(a_sheet(a_run(marks=marks, ratings=ratings)))
    assert [(item.id, answer, mark) for item, answer, mark in found] == [
        ("t1-m2", YES, Mark.FAIL),
        ("t1-m3", YES, Mark.DERIVED),
        ("t1-s1", NO, Mark.PASS),
    ]


def test_the_items_to_read_are_as_many_as_the_table_has_off_its_diagonal():
    said = spread_over_topics(20, 5, 10, 15)
    ratings = [rated(item, YES if yes else NO) for item, (_, yes) in said.items()]
    run = a_run(marks=failing([item for item, (passes, _) in said.items() if not passes]), ratings=ratings)
    assert len(disagreements(a_sheet(run))) == 15


def test_agreement_on_a_recorded_sample_is_assumed():
    run = a_run(ratings=all_rated(ITEMS, {"t1-m1": NO}), written_for="somebody")
    assert check_against(a_sheet(run), Check.KEY).raw.basis is Basis.ASSUMED

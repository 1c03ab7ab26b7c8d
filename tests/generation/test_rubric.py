"""A rating is blind or not by the order of events, and nothing makes one blind afterwards."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.generation.rubric import (
    TITLES,
    WORDING,
    Rating,
    Sheet,
    questions_for,
    rate,
    raters,
    rating_order,
    reveal,
)
from evalcore.generation.store.events import Answer, Place, Question, Rated, Revealed
from evalcore.generation.store.run import Run
from tests.generation.store.runs import (
    CANNOT_TELL,
    CORRECT,
    FAITHFUL,
    NO,
    YES,
    in_journal,
    rated,
    revealed,
    run_of,
    written,
)

ITEM, OTHER = "t1-m1", "t1-s1"


def sheet(*records, rater="ana"):
    return Sheet(run_of(*written("t1"), *records), rater)


def test_a_value_given_before_any_reveal_is_blind():
    found = sheet(rated(ITEM, YES))
    assert found.blind == {ITEM: YES}
    assert found.ratings == {(ITEM, FAITHFUL): Rating(YES, checks_shown=False)}
    assert found.not_blind == 0


def test_a_value_given_after_a_reveal_is_not_blind_even_if_its_record_says_so():
    found = sheet(revealed(ITEM), rated(ITEM, YES, shown=False))
    assert found.blind == {}
    assert found.ratings[ITEM, FAITHFUL].checks_shown
    assert found.not_blind == 1


def test_a_value_whose_record_says_that_the_checks_were_shown_is_not_blind():
    found = sheet(rated(ITEM, YES, shown=True))
    assert (found.blind, found.not_blind) == ({}, 1)


def test_the_first_blind_value_stays_the_one_that_counts_when_it_is_changed_after_a_reveal():
    found = sheet(rated(ITEM, YES), revealed(ITEM), rated(ITEM, NO))
    assert found.blind == {ITEM: YES}
    assert found.answer(ITEM, FAITHFUL) is NO
    assert found.ratings[ITEM, FAITHFUL].checks_shown
    assert found.not_blind == 0


def test_the_first_blind_value_stays_when_it_is_changed_while_blind():
    assert sheet(rated(ITEM, YES), rated(ITEM, NO)).blind == {ITEM: YES}


def test_a_value_taken_back_before_the_checks_were_seen_is_withdrawn():
    found = sheet(rated(ITEM, YES), rated(ITEM, None))
    assert (found.blind, found.ratings, found.not_blind) == ({}, {}, 0)
    assert sheet(rated(ITEM, YES), rated(ITEM, None), rated(ITEM, NO)).blind == {ITEM: NO}


def test_a_value_taken_back_after_a_reveal_still_counts_and_a_new_one_is_never_blind():
    found = sheet(rated(ITEM, YES), revealed(ITEM), rated(ITEM, None), rated(ITEM, NO))
    assert found.blind == {ITEM: YES}
    assert found.answer(ITEM, FAITHFUL) is NO
    assert sheet(revealed(ITEM), rated(ITEM, YES), rated(ITEM, None), rated(ITEM, NO)).blind == {}


def test_a_value_withdrawn_while_blind_and_given_after_a_reveal_is_not_blind():
    found = sheet(rated(ITEM, YES), rated(ITEM, None), revealed(ITEM), rated(ITEM, YES))
    assert (found.blind, found.not_blind) == ({}, 1)


def test_a_reveal_is_of_the_items_and_of_the_rater_that_it_names():
    found = sheet(revealed(ITEM), rated(OTHER, YES), revealed(OTHER, rater="ben"))
    assert found.blind == {OTHER: YES}
    assert found.seen == {ITEM}
    run = run_of(*written("t1"), revealed(ITEM, rater="ana"), rated(ITEM, YES, rater="ben"), rated(ITEM, NO))
    assert Sheet(run, "ben").blind == {ITEM: YES}
    assert Sheet(run, "ana").blind == {}
    assert raters(run) == ["ben", "ana"]


@pytest.mark.parametrize("place", Place)
def test_every_place_that_shows_checks_ends_the_blindness(place):
    assert sheet(revealed(ITEM, place=place), rated(ITEM, YES)).blind == {}


def test_other_questions_neither_enter_the_agreement_nor_take_anything_out_of_it():
    found = sheet(rated(ITEM, NO, CORRECT), rated(ITEM, YES), rated(ITEM, None, CORRECT))
    assert found.blind == {ITEM: YES}
    assert found.ratings == {(ITEM, FAITHFUL): Rating(YES, checks_shown=False)}


def test_cannot_tell_no_and_unrated_differ():
    found = sheet(rated("t1-m1", CANNOT_TELL), rated("t1-m2", NO))
    assert [found.answer(f"t1-m{i}", FAITHFUL) for i in (1, 2, 3)] == [CANNOT_TELL, NO, None]
    assert found.blind == {"t1-m1": CANNOT_TELL, "t1-m2": NO}


def test_checks_may_be_seen_once_faithful_is_given_or_they_were_asked_for():
    assert not sheet().may_see(ITEM)
    assert not sheet(rated(ITEM, YES, CORRECT)).may_see(ITEM)
    assert not sheet(rated(ITEM, YES), rated(ITEM, None)).may_see(ITEM)
    assert not sheet(rated(OTHER, YES)).may_see(ITEM)
    assert sheet(rated(ITEM, CANNOT_TELL)).may_see(ITEM)
    assert sheet(revealed(ITEM)).may_see(ITEM)
    assert not sheet(revealed(ITEM, rater="ben")).may_see(ITEM)


def test_a_short_answer_is_not_asked_about_distractors():
    items = run_of(*written("t1")).items
    assert questions_for(items["t1-m1"]) == tuple(Question)
    assert questions_for(items["t1-s1"]) == tuple(q for q in Question if q is not Question.DISTRACTORS)
    assert len(questions_for(items["t1-s1"])) == 5
    assert set(WORDING) == set(TITLES) == set(Question)


def test_an_item_is_done_when_each_question_that_applies_is_answered():
    answers = [rated("t1-s1", CANNOT_TELL, q) for q in Question if q is not Question.DISTRACTORS]
    items = sheet().run.items
    assert sheet(*answers).done(items["t1-s1"])
    assert not sheet(*answers[:-1]).done(items["t1-s1"])
    same = [rated("t1-m1", YES, q) for q in Question if q is not Question.DISTRACTORS]
    assert not sheet(*same).done(items["t1-m1"])


def test_undo_goes_back_through_what_stands_newest_first():
    records = [rated(ITEM, YES), rated(ITEM, NO, CORRECT), rated(OTHER, YES, rater="ben"), rated(OTHER, NO)]
    taken = []
    while (last := sheet(*records).last) is not None:
        taken.append((last.item, last.question, last.answer))
        records.append(rated(last.item, None, last.question))
    assert taken == [(OTHER, FAITHFUL, NO), (ITEM, CORRECT, NO), (ITEM, FAITHFUL, YES)]
    assert sheet(*records).ratings == {}
    assert Sheet(sheet(*records).run, "ben").answer(OTHER, FAITHFUL) is YES


def test_the_order_is_a_shuffle_over_topics_that_differs_between_raters_and_seeds():
    items = [f"t{t}-{kind}{i}" for t in range(1, 9) for kind, n in (("m", 4), ("s", 3)) for i in range(1, n + 1)]
    order = rating_order(items, "ana", 7)
    assert sorted(order) == sorted(items)
    assert order == rating_order(list(reversed(items)), "ana", 7)
    assert order != items
    assert order != rating_order(items, "ben", 7)
    assert order != rating_order(items, "ana", 8)
    # over topics: of the 55 neighbours, one in eight is of the same topic by chance, not six in seven
    same = sum(a.partition("-")[0] == b.partition("-")[0] for a, b in pairwise(order))
    assert same < 20


def test_items_that_arrive_later_move_no_item_that_was_there():
    first, more = run_of(*written("t1")), run_of(*written("t1", "t2"))
    before = [item.id for item in Sheet(first, "ana").order]
    after = [item.id for item in Sheet(more, "ana").order]
    assert len(after) == 14
    assert [item for item in after if item in first.items] == before


def test_rate_decides_by_the_journal_whether_the_checks_were_shown(tmp_path):
    journal, run = in_journal(tmp_path, *written("t1"))
    rate(journal, run, "ana", ITEM, FAITHFUL, YES)
    reveal(journal, run, "ana", [ITEM, OTHER], Place.RESULTS)
    rate(journal, run, "ana", ITEM, FAITHFUL, NO)
    rate(journal, run, "ana", OTHER, FAITHFUL, NO)
    rate(journal, run, "ben", OTHER, FAITHFUL, NO)
    rate(journal, run, "ana", ITEM, FAITHFUL, None)
    found = [e.what for e in journal.events(run) if isinstance(e.what, Rated)]
    assert [what.checks_shown_before_rating for what in found] == [False, True, True, False, True]
    now = Run(journal.events(run))
    assert Sheet(now, "ana").blind == {ITEM: YES}
    assert Sheet(now, "ben").blind == {OTHER: NO}


def test_a_reveal_is_committed_once_an_item(tmp_path):
    journal, run = in_journal(tmp_path, *written("t1"))
    reveal(journal, run, "ana", [ITEM], Place.ITEM)
    reveal(journal, run, "ana", [ITEM], Place.EXPORT)
    reveal(journal, run, "ana", [ITEM, OTHER], Place.EXPORT)
    reveal(journal, run, "ben", [ITEM], Place.ITEM)
    found = [e.what for e in journal.events(run) if isinstance(e.what, Revealed)]
    assert [(what.rater, what.items) for what in found] == [("ana", (ITEM,)), ("ana", (OTHER,)), ("ben", (ITEM,))]


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["ana", "ben"]),
        st.sampled_from([ITEM, OTHER]),
        st.sampled_from(["reveal", *Answer, None]),
        st.sampled_from([FAITHFUL, FAITHFUL, CORRECT]),
    ),
    max_size=14,
)


@given(STEPS)
def test_no_sequence_of_steps_lets_a_value_given_after_a_reveal_into_the_agreement(steps):
    """Against a second account of the rules, which keeps for each rater and item what was said before the reveal."""
    records, shown, said = [], set(), {}
    for rater, item, step, question in steps:
        if step == "reveal":
            shown.add((rater, item))
            records.append(revealed(item, rater=rater))
            continue
        records.append(rated(item, step, question, rater=rater))
        if question is FAITHFUL and (rater, item) not in shown:
            before = said.setdefault((rater, item), [])
            before.clear() if step is None else before.append(step)
    run = run_of(*written("t1"), *records)
    for rater in ("ana", "ben"):
        expected = {i: values[0] for (r, i), values in said.items() if r == rater and values}
        assert Sheet(run, rater).blind == expected
    for rater, item in shown:
        if not said.get((rater, item)):
            assert item not in Sheet(run, rater).blind


@given(STEPS, STEPS)
def test_once_the_checks_were_shown_nothing_changes_what_entered_the_agreement(before, after):
    def records(steps):
        return [
            revealed(item, rater=r) if step == "reveal" else rated(item, step, q, rater=r) for r, item, step, q in steps
        ]

    start = [*written("t1"), *records(before), revealed(ITEM, OTHER), revealed(ITEM, OTHER, rater="ben")]
    for rater in ("ana", "ben"):
        assert Sheet(run_of(*start, *records(after)), rater).blind == Sheet(run_of(*start), rater).blind

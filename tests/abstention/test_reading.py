import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.abstention.reading import AT_LEAST, Outcome, ToRead, outcome, to_read
from tests.abstention.toy import scored, toy

SCORES = [i / 10 for i in range(1, 10)]
WRONG = {Outcome.UNSUPPORTED, Outcome.REFUSED}


def rows(least):
    pairs = st.lists(st.tuples(st.booleans(), st.sampled_from(SCORES)), min_size=least, max_size=20)
    return pairs.filter(lambda found: len({a for a, _ in found}) == 2)


def thresholds():
    return st.one_of(st.none(), st.sampled_from([0.05, *SCORES, 0.95]))


def told(found):
    return [(row.question, row.score, row.outcome.name) for row in found]


@pytest.mark.parametrize(
    ("answerable", "served", "said", "wrong"),
    [
        (True, True, Outcome.ANSWERED, False),
        (True, False, Outcome.REFUSED, True),
        (False, True, Outcome.UNSUPPORTED, True),
        (False, False, Outcome.ABSTAINED, False),
    ],
)
def test_each_question_has_one_of_four_outcomes_and_two_are_wrong(answerable, served, said, wrong):
    assert outcome(answerable, served) is said
    assert ToRead("q", 0.5, said).wrong is wrong


def test_the_outcomes_have_their_words_on_screen():
    assert [o.value for o in Outcome] == [
        "answerable, served",
        "unanswerable, served: unsupported answer",
        "answerable, refused: false abstention",
        "unanswerable, refused: correct abstention",
    ]


def test_wrongly_served_come_first_highest_first_then_wrongly_refused_lowest_first():
    run = scored([1, 1, 1, 1, 0, 0, 0, 0], [0.9, 0.3, 0.1, 0.2, 0.6, 0.8, 0.7, 0.05])
    assert told(to_read(run, 0.5)) == [
        ("q0005", 0.8, "UNSUPPORTED"),
        ("q0006", 0.7, "UNSUPPORTED"),
        ("q0004", 0.6, "UNSUPPORTED"),
        ("q0002", 0.1, "REFUSED"),
        ("q0003", 0.2, "REFUSED"),
        ("q0001", 0.3, "REFUSED"),
    ]


def test_fewer_than_five_wrong_ones_are_made_up_by_the_nearest_that_went_right():
    run = scored([1, 1, 1, 0, 0, 0], [0.9, 0.8, 0.2, 0.6, 0.4, 0.1])
    assert told(to_read(run, 0.5)) == [
        ("q0003", 0.6, "UNSUPPORTED"),
        ("q0002", 0.2, "REFUSED"),
        ("q0004", 0.4, "ABSTAINED"),
        ("q0001", 0.8, "ANSWERED"),
        ("q0000", 0.9, "ANSWERED"),
    ]


def test_where_every_question_went_right_the_five_nearest_to_the_threshold_are_read():
    run = scored([1, 1, 1, 1, 0, 0, 0], [0.9, 0.8, 0.7, 0.55, 0.4, 0.3, 0.1])
    found = to_read(run, 0.5)
    assert [row.question for row in found] == ["q0003", "q0004", "q0002", "q0005", "q0001"]
    assert not any(row.wrong for row in found)


def test_a_score_at_the_threshold_is_served():
    found = {row.question: row.outcome for row in to_read(scored([1, 0], [0.5, 0.5]), 0.5)}
    assert found == {"q0000": Outcome.ANSWERED, "q0001": Outcome.UNSUPPORTED}


def test_refusing_everything_errs_on_every_answerable_question_alone():
    run = scored([1, 1, 0, 0, 0, 0], [0.9, 0.3, 0.8, 0.2, 0.5, 0.1])
    assert told(to_read(run, None)) == [
        ("q0001", 0.3, "REFUSED"),
        ("q0000", 0.9, "REFUSED"),
        ("q0002", 0.8, "ABSTAINED"),
        ("q0004", 0.5, "ABSTAINED"),
        ("q0003", 0.2, "ABSTAINED"),
    ]


def test_at_most_as_many_of_each_error_are_read_as_asked():
    run = scored([1] * 12 + [0] * 12, [i / 100 for i in range(12)] + [0.8 + i / 100 for i in range(12)])
    assert [row.outcome.name for row in to_read(run, 0.5)] == ["UNSUPPORTED"] * 8 + ["REFUSED"] * 8
    found = to_read(run, 0.5, most=3)
    assert [row.score for row in found] == pytest.approx([0.91, 0.9, 0.89, 0.0, 0.01, 0.02])


def test_at_the_toy_runs_threshold_the_four_errors_and_one_more_are_read():
    found = to_read(toy(), 0.45)
    assert [row.outcome.name for row in found[:4]] == ["UNSUPPORTED", "UNSUPPORTED", "REFUSED", "REFUSED"]
    assert (len(found), found[4].wrong) == (AT_LEAST, False)


@given(rows(5), thresholds())
def test_at_least_five_different_questions_are_read_wrong_ones_first(found, threshold):
    answerable, scores = zip(*found, strict=True)
    read = to_read(scored(answerable, scores), threshold)
    assert len(read) >= AT_LEAST == 5
    assert len({row.question for row in read}) == len(read)
    wrong = [row.wrong for row in read]
    assert wrong == sorted(wrong, reverse=True)
    for row in read:
        place = int(row.question[1:])
        served = threshold is not None and scores[place] >= threshold
        assert (row.score, row.outcome) == (scores[place], outcome(answerable[place], served))


@given(rows(2), thresholds())
def test_every_error_is_read_up_to_eight_of_a_kind(found, threshold):
    answerable, scores = zip(*found, strict=True)
    served = [threshold is not None and s >= threshold for s in scores]
    read = [row.outcome for row in to_read(scored(answerable, scores), threshold)]
    unsupported = sum(s and not a for a, s in zip(answerable, served, strict=True))
    refused = sum(a and not s for a, s in zip(answerable, served, strict=True))
    assert (read.count(Outcome.UNSUPPORTED), read.count(Outcome.REFUSED)) == (min(8, unsupported), min(8, refused))
    assert set(read[: min(8, unsupported) + min(8, refused)]) <= WRONG

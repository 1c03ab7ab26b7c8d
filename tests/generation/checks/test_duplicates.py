"""Near-duplicates: the same question with the same answer, not the same template."""

import pytest

from evalcore.generation.checks import Mark
from evalcore.generation.checks.duplicates import duplicate_check, jaccard
from evalcore.generation.limits import Limits
from tests.generation.checks.making import choice, short

LIMITS = Limits()


def test_the_same_question_and_answer_again_fails_and_names_the_earlier_item():
    first = short("What is the median of a sample?", "The middle value.", name="t-s1")
    again = short("Which is the median of the samples?", "the middle value", name="t-s2")
    finding = duplicate_check(again, [first], LIMITS)
    assert (finding.mark, finding.says) == (Mark.FAIL, "Repeats t-s1.")
    assert duplicate_check(first, [], LIMITS).mark is Mark.PASS


def test_stems_from_one_template_with_other_numbers_are_no_duplicates():
    a = short("What is the mean of 3, 5, 7?", "5")
    b = short("What is the mean of 2, 4, 9?", "5")
    assert jaccard(a.question, b.question) == pytest.approx(1 / 7)
    assert duplicate_check(b, [a], LIMITS).mark is Mark.PASS


def test_like_stems_with_other_answers_are_no_duplicates_and_are_shown():
    stem = "For the sorted waiting times of the clinic in minutes, which one is the {} quartile?"
    a, b = short(stem.format("lower"), "6"), short(stem.format("upper"), "14")
    assert jaccard(a.question, b.question) == pytest.approx(6 / 8)
    finding = duplicate_check(b, [a], Limits(duplicate_jaccard=0.7))
    assert finding.mark is Mark.PASS
    assert finding.evidence[0].where == "Jaccard 0.75, another answer"


def test_the_same_answer_to_another_question_is_no_duplicate():
    a = short("Which measure halves the data?", "median")
    b = short("Which centre resists outliers?", "median")
    assert duplicate_check(b, [a], LIMITS).mark is Mark.PASS


def test_the_threshold_itself_counts_as_near():
    a = short("alpha beta gamma delta", "yes indeed")
    b = short("alpha beta gamma delta epsilon", "yes indeed")
    assert jaccard(a.question, b.question) == 0.8
    assert duplicate_check(b, [a], LIMITS).mark is Mark.FAIL
    assert duplicate_check(b, [a], Limits(duplicate_jaccard=0.81)).mark is Mark.PASS


def test_shuffled_options_make_no_new_item():
    a = choice(options=("mean", "median", "mode", "range"), key="A", name="t-m1")
    b = choice(options=("Range", "mode", "Median", "mean."), key="D", name="t-m2")
    assert duplicate_check(b, [a], LIMITS).mark is Mark.FAIL


def test_the_same_options_with_another_key_ask_something_else():
    a = choice(options=("mean", "median", "mode", "range"), key="A", name="t-m1")
    b = choice(options=("mean", "median", "mode", "range"), key="D", name="t-m2")
    assert duplicate_check(b, [a], LIMITS).mark is Mark.PASS


def test_a_short_answer_can_repeat_a_choice():
    a = choice("What is the median of a sample?", name="t-m1")
    b = short("What is the median of a sample?", "The middle value")
    assert duplicate_check(b, [a], LIMITS).says == "Repeats t-m1."


def test_two_keys_that_name_no_option_are_not_the_same_answer():
    a = choice(key="X")
    b = choice(key="X", options=("one mean", "two means", "some mean", "other mean"))
    assert duplicate_check(b, [a], LIMITS).mark is Mark.PASS


def test_stems_without_any_word_are_alike_only_when_equal():
    assert jaccard("", "") == 1
    assert jaccard("What is it?", "what is it") == 1
    assert jaccard("What is it?", "Which is it?") == 0
    assert jaccard("", "median") == 0

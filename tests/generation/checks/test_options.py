"""Options: distinct, with a valid key, on topic, of similar length."""

import pytest

from evalcore.generation.checks import Mark
from evalcore.generation.checks.normal import normal
from evalcore.generation.checks.options import distractor_check, options_check
from evalcore.generation.limits import Limits
from tests.generation.checks.making import choice, short

LIMITS = Limits()


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The mean", " the  MEAN. "),
        ("least-squares line", "Least squares line"),
        ("mean, median", "mean median"),
        ("1,200", "1200"),
        ("0.5", ".5"),
        ("0.50", "0.5"),
        ("35 %", "35 per cent"),
        ("−5", "-5"),
        ("two", "2"),
        ("A. the mean", "the mean"),
        ("n − 1", "n-1"),
        ("18–25", "18 - 25"),
        ("y\u0304", "ȳ"),
        ("(the mean)", "the mean"),
    ],
)
def test_answers_that_differ_in_typing_are_equal(a, b):
    assert normal(a) == normal(b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("-5", "5"),
        ("x̄", "x"),
        ("r", "r²"),
        ("<", ">"),
        ("x < 3", "x > 3"),
        ("35 %", "35"),
        ("35 %", "0.35"),
        ("$35", "£35"),
        ("Σ", "σ"),
        ("n − 1", "n + 1"),
        ("n - 1", "n 1"),
        ("1, 2", "12"),
        ("(a + b)/c", "a + (b/c)"),
        ("≤", "<"),
        ("Q1", "Q3"),
        ("group A. then more", "group then more"),
    ],
)
def test_answers_that_mean_different_things_are_distinct(a, b):
    assert normal(a) != normal(b)


def test_four_distinct_options_and_a_valid_key_pass():
    assert options_check(choice(), LIMITS).mark is Mark.PASS
    assert options_check(choice(options=("<", ">", "=", "≠")), LIMITS).mark is Mark.PASS
    assert options_check(choice(options=("...", "?", "!", "-")), LIMITS).mark is Mark.PASS


def test_equal_options_fail_and_are_named():
    finding = options_check(choice(options=("1,200", "900", "1200.", "1000")), LIMITS)
    assert (finding.mark, finding.says) == (Mark.FAIL, "C is equal to A.")
    assert [m.found for m in finding.evidence] == [True, True, False, True]


def test_every_fault_of_the_options_is_said():
    finding = options_check(choice(options=("mean", " ", "Mean"), key="D"), LIMITS)
    assert finding.says == "There are 3 options, not 4; B is empty; C is equal to A; the key names no option."


def test_a_short_answer_has_no_options_to_check():
    assert options_check(short(), LIMITS).mark is Mark.DOES_NOT_APPLY
    assert distractor_check(short(), {}, LIMITS).mark is Mark.DOES_NOT_APPLY


def test_a_distractor_off_topic_fails_and_is_named():
    item = choice(options=("the middle value", "the mean value", "a purple elephant", "the first value"))
    finding = distractor_check(item, {"p1": "mean and median"}, LIMITS)
    assert finding.mark is Mark.FAIL
    assert [(m.looked_for, m.where) for m in finding.evidence if not m.found] == [("a purple elephant", "off topic")]


def test_a_word_of_a_retrieved_passage_puts_a_distractor_on_topic():
    item = choice("Which?", ("middle one of all", "elephants of all", "middle of them", "middle of us all"))
    assert distractor_check(item, {}, LIMITS).mark is Mark.FAIL
    assert distractor_check(item, {"p9": "an elephant"}, LIMITS).mark is Mark.PASS


def test_a_bare_number_is_on_topic_beside_a_key_with_a_number_only():
    assert distractor_check(choice("Which?", ("18", "19", "20", "1,200")), {}, LIMITS).mark is Mark.PASS
    assert distractor_check(choice("Which?", ("median", "19", "20", "21")), {}, LIMITS).mark is Mark.FAIL


def test_a_bare_symbol_is_on_topic_beside_a_key_that_is_a_symbol_only():
    assert distractor_check(choice("Which?", ("σ", "μ", "x̄", "r²")), {}, LIMITS).mark is Mark.PASS
    assert distractor_check(choice("Which?", ("median", "μ", "x̄", "r²")), {}, LIMITS).mark is Mark.FAIL


def test_a_distractor_of_exactly_half_or_twice_the_length_passes_and_beyond_fails():
    key = "mean mean mean mean "[:-1]  # 19 characters

    def marks(length):
        return distractor_check(choice("Which mean?", (key, "mean " + "x" * (length - 5), key, key)), {}, LIMITS).mark

    assert [marks(n) for n in (9, 10, 38, 39)] == [Mark.FAIL, Mark.PASS, Mark.PASS, Mark.FAIL]


def test_lengths_of_brief_options_are_not_judged():
    item = choice("Mean or mode?", ("mean", "mean of all", "mode", "mode of all!"))
    finding = distractor_check(item, {}, LIMITS)
    assert finding.mark is Mark.PASS
    assert finding.says == "All 3 distractors are on topic and too short for a comparison of lengths."


@pytest.mark.parametrize(("options", "key"), [(("a", "b"), "C"), ((), "A"), (("mean",), "A"), (("", "mean"), "A")])
def test_without_a_key_and_a_distractor_there_is_nothing_to_compare(options, key):
    assert distractor_check(choice(options=options, key=key), {}, LIMITS).mark is Mark.FAIL

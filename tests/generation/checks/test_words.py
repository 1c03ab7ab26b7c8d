"""Content words, and the check that enough of them are in the cited passages."""

import pytest

from evalcore.generation.checks import Mark
from evalcore.generation.checks.word_check import word_check
from evalcore.generation.checks.words import content_words, is_symbol
from evalcore.generation.limits import Limits
from tests.generation.checks.making import short

LIMITS = Limits()


def stems(text):
    return list(content_words(text))


def test_function_words_and_question_scaffolding_are_left_out():
    assert stems("According to the passage, which of the following statements best describes the median?") == ["median"]
    assert stems("What is true?") == stems("It doesn't.") == stems("") == []


def test_words_are_distinct_stems_without_case():
    assert content_words("Medians, a median, the MEDIAN's sampling samples") == {
        "median": "Medians",
        "sampl": "sampling",
    }


def test_numbers_in_digits_or_words_are_no_content_words():
    assert stems("Twenty-five plants, 35 per cent, two thirds, $35M and 10 kg") == ["plant", "kg"]


def test_symbols_ordinals_and_identifiers_are_words():
    assert stems("x̄, σ, μ, r², b₁, Q1 and the 25th percentile") == [
        "x̄",
        "σ",
        "μ",
        "r²",
        "b₁",
        "q1",
        "25th",
        "percentil",
    ]


def test_symbols_that_look_alike_stay_apart_and_those_typed_in_two_ways_meet():
    assert len(content_words("x̄ x r² r Σ σ")) == 6
    assert stems("r^2") == stems("r²")
    assert stems("y\u0304") == stems("ȳ")
    assert stems("µ") == stems("μ")


@pytest.mark.parametrize(("word", "symbol"), [("σ", True), ("x̄", True), ("r²", True), ("Q1", True), ("mean", False)])
def test_a_symbol_is_one_letter_with_or_without_marks(word, symbol):
    assert is_symbol(word) is symbol


def test_half_of_the_words_pass_and_fewer_fail():
    passages = {"p1": "The median halves the data."}
    assert word_check(short("median?", "skewness", ["p1"]), passages, LIMITS).mark is Mark.PASS
    finding = word_check(short("median?", "skewness or kurtosis", ["p1"]), passages, LIMITS)
    assert finding.mark is Mark.FAIL
    assert finding.says == "1 of 3 content words are in the cited passages."
    assert [(m.looked_for, m.found, m.where) for m in finding.evidence] == [
        ("median", True, "p1"),
        ("skewness", False, ""),
        ("kurtosis", False, ""),
    ]


def test_words_may_be_spread_over_the_cited_passages_but_not_over_others():
    passages = {"p1": "median", "p2": "skewness", "p3": "kurtosis"}
    assert word_check(short("median?", "skewness", ["p1", "p2"]), passages, Limits(content_share=1)).mark is Mark.PASS
    assert word_check(short("median?", "kurtosis", ["p1", "p2"]), passages, Limits(content_share=1)).mark is Mark.FAIL


def test_a_short_answer_is_not_judged_on_its_own_few_words():
    passages = {"p1": "The median is the middle value of the sorted data."}
    assert word_check(short("Which middle value of data is it?", "Robust.", ["p1"]), passages, LIMITS).mark is Mark.PASS


def test_without_content_words_or_without_citation_nothing_is_supported():
    assert word_check(short("What is it?", "18", ["p1"]), {"p1": "18"}, LIMITS).mark is Mark.FAIL
    finding = word_check(short("median?", "median", []), {"p1": "median"}, LIMITS)
    assert (finding.mark, finding.says) == (Mark.FAIL, "No retrieved passage is cited.")


def test_a_word_is_not_found_inside_another():
    assert word_check(short("mean?", "art", ["p1"]), {"p1": "meaning parts"}, LIMITS).evidence[1].found is False

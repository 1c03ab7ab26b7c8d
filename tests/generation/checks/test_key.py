"""The key is in the cited passages."""

import pytest

from evalcore.generation.checks import Mark
from evalcore.generation.checks.key_check import key_check
from evalcore.generation.limits import Limits
from tests.generation.checks.making import choice, short

LIMITS = Limits()


def check(key, *passages):
    retrieved = {f"p{i}": text for i, text in enumerate(passages, 1)}
    return key_check(short("Why?", key, list(retrieved)), retrieved, LIMITS)


def test_half_of_a_long_key_in_one_passage_is_enough():
    assert check("the middle value of sorted skewed observations", "a middle value, sorted").mark is Mark.PASS
    assert check("the middle value of sorted skewed observations", "a middle value").mark is Mark.FAIL


def test_words_spread_over_two_passages_do_not_add_up():
    finding = check("middle value sorted observations leaf stem", "middle value", "sorted observations")
    assert finding.mark is Mark.FAIL
    assert finding.says == "2 of 6 content words of the key are in p1."


@pytest.mark.parametrize("key", ["The median.", "interquartile range", "Medians"])
def test_a_short_key_passes_when_all_its_words_are_there(key):
    assert check(key, "The median and the interquartile range resist outliers.").mark is Mark.PASS


def test_a_short_key_needs_all_its_words_in_one_passage():
    assert check("interquartile range", "the range").mark is Mark.FAIL
    finding = check("interquartile range", "the range", "interquartile")
    assert finding.mark is Mark.FAIL
    assert finding.says.endswith("all are needed.")


@pytest.mark.parametrize(
    ("key", "passage", "mark"),
    [
        ("σ", "the deviation σ", Mark.PASS),
        ("σ", "the sum Σ", Mark.FAIL),
        ("r²", "r² is a share", Mark.PASS),
        ("r²", "r is no share", Mark.FAIL),
        ("x̄", "the mean x̄", Mark.PASS),
        ("x̄", "the value x", Mark.FAIL),
        ("x̄, s and n", "x̄ and s", Mark.FAIL),
    ],
)
def test_a_key_of_symbols_needs_each_symbol(key, passage, mark):
    assert check(key, passage).mark is mark


def test_every_number_of_the_key_has_to_be_found():
    assert check("18 minutes", "it took 18 minutes").mark is Mark.PASS
    assert check("85.2", "it was 85.19").mark is Mark.PASS
    assert check("18 minutes", "it took 25 minutes").mark is Mark.FAIL
    assert check("35 %", "35 trees").mark is Mark.FAIL


def test_a_key_whose_number_is_computed_is_derived_unless_its_words_are_missing_too():
    assert check("7", "from 18 to 25").mark is Mark.DERIVED
    assert check("7 minutes", "from 18 to 25").mark is Mark.FAIL


@pytest.mark.parametrize("key", ["Yes", "no.", "True", "FALSE", "", "?", "all of the above"])
def test_a_key_with_nothing_to_look_for_claims_no_support(key):
    finding = check(key, "Yes, no, true, false, all of the above.")
    assert finding.mark is Mark.FAIL
    assert finding.says == "The key has neither a number nor a content word to look for."


@pytest.mark.parametrize("key", ["E", "", "AB", "the middle value"])
def test_a_letter_that_names_no_option_fails(key):
    finding = key_check(choice(key=key), {"p1": "the middle value"}, LIMITS)
    assert (finding.mark, finding.says) == (Mark.FAIL, "The key names no option.")


@pytest.mark.parametrize("key", ["A", "a", "A.", "a)"])
def test_the_letter_of_the_key_may_be_written_in_any_case(key):
    assert key_check(choice(key=key), {"p1": "the middle value"}, LIMITS).mark is Mark.PASS


def test_without_a_citation_the_key_is_nowhere():
    finding = key_check(short(key="median", citations=[]), {"p1": "median"}, LIMITS)
    assert (finding.mark, finding.says) == (Mark.FAIL, "No retrieved passage is cited.")

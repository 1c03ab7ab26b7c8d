"""Citations, and what holds of all checks together."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.generation.checks import SUPPORT, Check, Mark, check_item, definitions, supported
from evalcore.generation.checks.citations import citations, cited, cites
from evalcore.generation.items import Item, Kind
from evalcore.generation.limits import Limits
from tests.generation.checks.making import choice, short

LIMITS = Limits()
PASSAGES = {"s01-c03": "The median is the middle value.", "s02-c01": "The mean is 18."}


@pytest.mark.parametrize("written", ["s01-c03", "S01-C03", " s01-c03 ", "[s01-c03]", "[ S01-c03 ]", '("s01-c03")'])
def test_a_citation_names_a_passage_whatever_its_case_spaces_or_brackets(written):
    item = short(citations=[written])
    assert cites(item, PASSAGES).mark is citations(item, PASSAGES).mark is Mark.PASS
    assert cited(item, PASSAGES) == {"s01-c03": PASSAGES["s01-c03"]}


def test_no_citation_fails_both_checks():
    item = short(citations=[])
    assert cites(item, PASSAGES).mark is citations(item, PASSAGES).mark is Mark.FAIL
    assert citations(item, PASSAGES).says == "There is no citation."


def test_one_unknown_citation_among_known_ones_fails_only_the_check_of_each():
    item = short(citations=["s01-c03", "s99-c99"])
    assert cites(item, PASSAGES).mark is Mark.PASS
    finding = citations(item, PASSAGES)
    assert finding.mark is Mark.FAIL
    assert finding.says == "1 of 2 citations name no retrieved passage: 's99-c99'."
    assert [m.found for m in finding.evidence] == [True, False]


@pytest.mark.parametrize("written", ["", "[]", "s01-c0", "s01-c03, s02-c01", "1"])
def test_part_of_an_id_or_two_ids_in_one_citation_name_nothing(written):
    assert cites(short(citations=[written]), PASSAGES).mark is Mark.FAIL


def test_a_faithful_item_passes_every_check_that_applies():
    found = check_item(short("Which value is the median?", "The middle value.", ["s01-c03"]), PASSAGES, [], LIMITS)
    assert [f.check for f in found] == list(Check)
    assert {f.check for f in found if f.mark is Mark.DOES_NOT_APPLY} == {Check.OPTIONS, Check.DISTRACTORS}
    assert supported(found)
    assert {f.mark for f in check_item(choice(citations=["s01-c03"]), PASSAGES, [], LIMITS)} == {Mark.PASS}


@pytest.mark.parametrize("check", SUPPORT)
def test_support_needs_each_of_its_checks_to_pass(check):
    found = check_item(short("Which value is the median?", "The middle value.", ["s01-c03"]), PASSAGES, [], LIMITS)
    assert not supported([f for f in found if f.check is not check])


def test_a_derived_number_is_no_support():
    passages = {"p1": "The bread cost 18 in May and 25 in June."}
    item = short("By how much did the bread rise from May to June?", "7", ["p1"])
    found = {f.check: f.mark for f in check_item(item, passages, [], LIMITS)}
    assert found[Check.NUMBERS] is found[Check.KEY] is Mark.DERIVED
    assert not supported(check_item(item, passages, [], LIMITS))


def test_definitions_print_the_thresholds_that_are_used():
    words = definitions(LIMITS)
    assert list(words) == list(Check)
    assert words[Check.WORDS].startswith("At least half of the distinct content words")
    assert "exactly four options" in words[Check.OPTIONS]
    assert "between 0.5 and 2 times" in words[Check.DISTRACTORS]
    assert "at least 80 %" in words[Check.DUPLICATE]
    assert words[Check.NUMBERS].startswith("Every number of")
    changed = definitions(Limits(content_share=0.6, numbers_not_found=1, shared_words=2))
    assert changed[Check.WORDS].startswith("At least 60 %")
    assert changed[Check.NUMBERS].startswith("Every number, but for at most one, of")
    assert "at least two content words" in changed[Check.DISTRACTORS]


TEXT = st.text(max_size=40) | st.sampled_from(
    ["", "A", "B.", "−5 %", "σ/√n", "x̄", "the mean of 3, 5", "two thirds", "–"]
)
PASSAGE_ID = st.sampled_from(["p1", "p2", "[P1]", "p9", ""])


@st.composite
def items(draw):
    kind = draw(st.sampled_from(Kind))
    options = tuple(draw(st.lists(TEXT, max_size=30 if draw(st.integers(0, 20)) == 0 else 5)))
    cited_ids = tuple(draw(st.lists(PASSAGE_ID, max_size=3)))
    return Item("t-x1", "t", kind, draw(TEXT), options if kind is Kind.CHOICE else (), draw(TEXT), cited_ids)


@settings(max_examples=150, deadline=None)
@given(items(), st.dictionaries(st.sampled_from(["p1", "p2", "P1"]), TEXT), st.lists(items(), max_size=3))
def test_any_item_gets_each_check_once_with_a_sentence_and_the_same_again(item, retrieved, earlier):
    found = check_item(item, retrieved, earlier, LIMITS)
    assert [f.check for f in found] == list(Check)
    assert all(f.says.endswith(".") and f.says[0] == f.says[0].upper() for f in found)
    assert check_item(item, retrieved, earlier, LIMITS) == found


@settings(max_examples=80, deadline=None)
@given(items(), st.dictionaries(st.sampled_from(["p1", "p2"]), TEXT))
def test_an_unknown_citation_more_never_raises_support(item, retrieved):
    more = Item(item.id, item.topic, item.kind, item.question, item.options, item.key, (*item.citations, "nowhere"))
    assert not supported(check_item(more, retrieved, [], LIMITS))
    before, after = check_item(item, retrieved, [], LIMITS), check_item(more, retrieved, [], LIMITS)
    assert all(a.mark is b.mark or a.mark is Mark.FAIL for a, b in zip(after, before, strict=True))


def test_a_text_with_a_lone_surrogate_or_thousands_of_digits_does_not_stop_the_checks():
    item = choice("\ud800 " + "9" * 5000, ("1e99", "10^-99", "\ud800", " " * 3000 + "-"), "A", ["\ud800"])
    assert len(check_item(item, {"p1": "9" * 5000 + " 1e99"}, [item], LIMITS)) == len(Check)

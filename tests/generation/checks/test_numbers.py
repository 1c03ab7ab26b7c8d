"""The tokenizer and the check of numbers: claims from failures that other tools' trackers report."""

from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.generation.checks import Mark, derived
from evalcore.generation.checks.number_check import number_check
from evalcore.generation.checks.numbers import EXACT, Number, numbers
from evalcore.generation.limits import Limits
from evalcore.retrieval.corpus import Corpus
from tests.generation.checks.making import choice, short

LIMITS = Limits()


def values(text):
    return [(n.value if n.value.denominator > 1 else int(n.value), n.unit) for n in numbers(text)]


def plain(text):
    assert all(not n.unit for n in numbers(text))
    return [float(n.value) for n in numbers(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("18,19,20", [18, 19, 20]),
        ("ages 18, 19, 20", [18, 19, 20]),
        ("1,200", [1200]),
        ("1200", [1200]),
        ("1\u202f200\u2009000", [1200000]),
        ("1,234,567.5", [1234567.5]),
        ("18,190,20", [18, 190, 20]),
        ("between 18, 1,200 and 3", [18, 1200, 3]),
    ],
)
def test_a_comma_before_exactly_three_digits_separates_thousands_and_any_other_a_list(text, expected):
    assert plain(text) == expected


@pytest.mark.parametrize(
    "text", ["18-25", "18–25", "18 - 25", "18 – 25", "18 to 25", "18 -25", "18−25", "pages 18--25"]
)
def test_the_hyphen_of_a_range_is_no_sign(text):
    assert plain(text) == [18, 25]


@pytest.mark.parametrize("text", ["-5", "−5", "(-5)", "x = −5", "at -5.", "1:-5", "a slope of −5"])
def test_a_minus_before_a_digit_after_a_space_or_a_bracket_is_a_sign(text):
    assert plain(text)[-1] == -5


def test_signs_in_a_list_and_in_a_range_are_kept():
    assert plain("3, -5, −2") == [3, -5, -2]
    assert plain("from −1 to −0.5") == [-1, -0.5]
    assert plain("base-10") == [10]


@pytest.mark.parametrize("text", ["35 %", "35%", "35 percent", "35 per cent", "35-percent", "35 percentage points"])
def test_percent_is_a_unit_however_it_is_written(text):
    assert values(text) == [(35, "%")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$35M", [(35_000_000, "$")]),
        ("$50 million", [(50_000_000, "$")]),
        ("£2.5bn", [(2_500_000_000, "£")]),
        ("€5k", [(5000, "€")]),
        ("35 €", [(35, "€")]),
        ("-$5", [(-5, "$")]),
        ("£−5", [(-5, "£")]),
        ("50 dollars", [(50, "$")]),
        ("18–25 %", [(18, "%"), (25, "%")]),
        ("$5-10", [(5, "$"), (10, "$")]),
        ("35", [(35, "")]),
        ("5 m and 3.5m", [(5, ""), (Fraction(7, 2), "")]),
    ],
)
def test_currency_is_a_unit_and_scales_attach_only_to_it(text, expected):
    assert values(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3.5 million", 3_500_000),
        ("4 thousand", 4000),
        ("a thousand", 1000),
        ("two hundred and fifty thousand", 250_000),
        ("two thousand five hundred", 2500),
        ("twenty-five", 25),
        ("forty eight", 48),
        ("Nineteen", 19),
        ("one hundred", 100),
        ("one minute", 1),
        ("two thirds", Fraction(2, 3)),
        ("three-quarters", Fraction(3, 4)),
        ("one half", Fraction(1, 2)),
        ("a third of", Fraction(1, 3)),
        ("2/3", Fraction(2, 3)),
        (".5", Fraction(1, 2)),
        ("1.2e-3", Fraction(12, 10000)),
        ("1.2 × 10^-3", Fraction(12, 10000)),
        ("1.2 × 10⁻³", Fraction(12, 10000)),
        ("10^3", 1000),
        ("10³", 1000),
        ("36.5²", Fraction(73, 2)),
        ("0.0135x", Fraction(135, 10000)),
        ("10kg", 10),
        ("√50", 50),
        ("in 1998", 1998),
        ("It was 42.", 42),
    ],
)
def test_words_scales_fractions_and_powers_have_their_value(text, expected):
    assert [n.value for n in numbers(text)] == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "the first of them", "the 25th percentile", "1st and 22nd", "the second week", "one of these", "no one",
        "one another", "this one", "1. The mean\n2) The median", "## 3.2 Spread", "Section 2.1 and Table 4",
        "version 2.1.3", "[s01-c03]", "Q1, x2, H0 and R2", "r² and r^2", "x̄ and b₁", "A) mean B) mode",
        "half of them", "someone often", "hundreds of them", "1" * 31, "",
    ],
)  # fmt: skip
def test_ordinals_labels_identifiers_and_pronouns_are_no_numbers(text):
    assert numbers(text) == ()


def test_a_number_says_where_it_stands():
    text = "from £1,200 to 35 per cent"
    assert [text[n.start : n.start + len(n.text)] for n in numbers(text)] == ["£1,200", "35 per cent"]


TEXT = st.text(max_size=80) | st.text(alphabet="0123456789 .,-−–%$£/^eE×x10³()onetwhird|#\n", max_size=60)


@given(TEXT)
def test_the_tokenizer_never_raises_and_reads_spans_of_the_text(text):
    end = 0
    for n in numbers(text):
        assert n.start >= end
        end = n.start + len(n.text)
        assert text[n.start : end] == n.text != ""


@given(st.integers(0, 10**9))
def test_separators_of_thousands_do_not_change_a_value(value):
    assert [n.value for n in numbers(f"{value:,}")] == [n.value for n in numbers(str(value))] == [value]


# the check


def check(claim, passage, limits=LIMITS):
    return number_check(short("What is it?", claim, ["p1"]), {"p1": passage}, limits)


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("1200 loaves", "it sold 1,200 loaves"),
        ("1,200 loaves", "it sold 1200 loaves"),
        ("35 %", "35 per cent of them"),
        ("$35M", "a fund of $35 million"),
        ("3,500,000 people", "3.5 million people"),
        ("twenty-five", "25 trees"),
        ("2/3", "two thirds"),
        ("18 to 25", "aged 18-25"),
        ("−5", "a slope of -5"),
        ("1998", "since 1998"),
        ("151 minutes over 15", "it is 151/15"),
        ("151/15", "it is 151 / 15"),
    ],
)
def test_a_number_is_found_however_it_is_written(claim, passage):
    assert check(claim, passage).mark is Mark.PASS


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("$50 million", "150 people, or 50%"),
        ("35 %", "a fund of $35M"),
        ("35 %", "35 trees"),
        ("35", "35 % of the trees"),
        ("-25", "aged 18-25"),
        ("5", "a slope of −5"),
        ("20", "1,200 loaves"),
        ("3.5", "3.5 million"),
        ("85.3", "it was 85.19"),
        ("85.190", "it was 85.2"),
        ("3", "it was 2.8"),
        ("0", "it was 0.3"),
        ("ten", "it was 9.8"),
        ("5", "this is Q5, in Section 5, the 5th"),
    ],
)
def test_a_number_of_another_value_unit_or_sign_is_not_found(claim, passage):
    assert check(claim, passage).mark is Mark.FAIL


@pytest.mark.parametrize(
    ("claim", "passage", "stated"),
    [
        ("85.2", "it was 85.19", "85.19"),
        ("85", "it was 85.19", "85.19"),
        ("0.13", "it was 0.125", "0.125"),
        ("0.12", "it was 0.125", "0.125"),
        ("−1.3", "it was −1.25", "−1.25"),
        ("3.5 million", "3,512,000 people", "3,512,000"),
        ("0.67", "two thirds", "two thirds"),
        ("12.5 %", "12.47 %", "12.47 %"),
    ],
)
def test_a_conventional_rounding_of_a_stated_number_is_found_and_said(claim, passage, stated):
    finding = check(claim, passage)
    assert finding.mark is Mark.PASS
    assert finding.evidence[0].where == f"p1, rounded from {stated}"


@pytest.mark.parametrize(
    ("claim", "passage", "how"),
    [
        ("7", "from 18 to 25", "25 - 18"),
        ("43", "18 and 25 trees", "18 + 25"),
        ("72 %", "18 of 25 trees", "18 / 25 x 100"),
        ("0.72", "18 of 25 trees", "18 / 25"),
        ("450", "18 rows of 25", "18 x 25"),
        ("70", "35 % of 200", "35 % x 200"),
        ("0.35", "35 % of them", "35 % as a proportion"),
        ("35 %", "a share of 0.35", "0.35 x 100"),
        ("10 %", "35 % and 45 %", "45 % - 35 %"),
    ],
)
def test_a_value_computed_from_two_stated_numbers_is_derived_and_no_pass(claim, passage, how):
    finding = check(claim, passage)
    assert finding.mark is Mark.DERIVED
    assert finding.evidence[0].where == f"derived: {how} (p1)"
    assert not finding.evidence[0].found


def test_nothing_is_derived_from_one_mention_across_units_or_across_passages():
    assert check("36", "only 18").mark is Mark.FAIL
    assert check("43", "18 % and 25 trees").mark is Mark.FAIL
    item = short("What is it?", "43", ["p1", "p2"])
    assert number_check(item, {"p1": "18", "p2": "25"}, LIMITS).mark is Mark.FAIL


def test_zero_one_and_small_products_are_never_derived():
    assert check("0", "18 and 18").mark is Mark.FAIL
    assert check("1", "18 and 17").mark is Mark.FAIL
    assert check("6", "24 over 4").mark is Mark.FAIL


def test_a_missing_number_beside_a_derived_one_fails():
    assert check("7 or 999", "from 18 to 25").mark is Mark.FAIL


def test_the_limit_allows_that_many_numbers_not_found():
    assert check("999 of 18", "18", Limits(numbers_not_found=1)).mark is Mark.PASS
    assert check("999 of 888", "18", Limits(numbers_not_found=1)).mark is Mark.FAIL


def test_no_number_passes_and_a_number_without_a_citation_fails():
    assert number_check(short("Why?", "Because.", []), {"p1": "18"}, LIMITS).mark is Mark.PASS
    finding = number_check(short("Why?", "18", []), {"p1": "18"}, LIMITS)
    assert finding.mark is Mark.FAIL
    assert finding.evidence[0].where == "no retrieved passage is cited"


def test_only_the_cited_passages_count_and_distractors_do_not():
    assert number_check(short("Why?", "18", ["p2"]), {"p1": "18", "p2": "x"}, LIMITS).mark is Mark.FAIL
    item = choice("What is it?", ["18", "19", "20", "21"], "A", ["p1"])
    assert number_check(item, {"p1": "It is 18."}, LIMITS).mark is Mark.PASS


def test_a_negative_answer_to_a_question_that_ends_in_a_number_is_no_range():
    assert number_check(short("x at 3", "−5", ["p1"]), {"p1": "3 and 5"}, LIMITS).mark is Mark.FAIL


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="0123456789 .,%-$/", max_size=15), st.lists(st.text(alphabet="0123456789 .,%$", max_size=15)))
def test_one_more_cited_passage_never_turns_a_pass_into_a_fail(claim, passages):
    retrieved = {f"p{i}": text for i, text in enumerate(passages)}
    marks = [
        number_check(short("Why?", claim, list(retrieved)[:n]), retrieved, LIMITS).mark
        for n in range(len(retrieved) + 1)
    ]
    order = [Mark.FAIL, Mark.DERIVED, Mark.PASS]
    assert [order.index(m) for m in marks] == sorted(order.index(m) for m in marks)


# the real text

READ = {
    "s03-c03": ("80 1 80 5 47 91 8 63 47 0 22 85 74 15 47 91 8 63 47 0 85 22 74 47 8 63 22 74 15 47 47", ""),
    "s03-c06": ("80 8 10 2 20 2 2 8 0.25 20 2 20", ""),
    "s01-c06": ("4640 4640 8 580 4 8 500 4 8 0.5 48 580 0.5 580 8 48 580 48 580 27840 27312", ""),
    "s17-c05": ("2 7 0.787 0.00787 0.969 329 276 1.192 0.787", ""),
    "s02-c08": ("5 1 2 3 6 10 1 5 5 3 2 5 10 20 15", ""),
    "s06-c05": ("1836 2074 18 20 2 8 2 4 28 24", ""),
    "s07-c07": ("50 1 1299.5 1349.5 2 2 1099.5 1399.5 8 0.2 0.2", ""),
    "s07-c10": ("2 130 12 11 15 22 0 90 0 210 230 150 36 170 30 160 34 60 20 2", "15 22 36 30 34 60"),
    "s04-c07": (
        "3 3 30 24 6 20 3 3 2 30 19 11 36.7 2 4 8 5 4 17 30 56.7 2 4 3 5 16.7 28 4 11 1 17 19 2 2",
        "20 36.7 56.7 16.7",
    ),
    "s11-c09": ("10 275 1.5 70 380000 21 9 1 10 2 1 3 1 5 2 37 21 1.76 1", ""),
    "s19-c02": (
        "2 2 2 10 31.1 5.96 0.751 1306.8 1306.8 8 12.78 2 25.56 72.83 42 72.83 -30.83 14.21 2",
        "",
    ),
    "s13-c05": (
        "25.6 50 124.7 200 25.6 27.4 1.2 -1.5 124.7 132.5 6.5 -1.2 50 200 7.8 50 1.8 50 200 132.5 1.5 6.5 122.75",
        "",
    ),
}


@pytest.fixture(scope="module")
def passages():
    return Corpus.load().chunk_text


@pytest.mark.parametrize("name", READ)
def test_a_passage_of_the_textbook_is_read_as_a_person_reads_it(passages, name):
    everything, percent = READ[name]
    found = numbers(passages[name])
    assert [f"{float(n.value):g}" for n in found] == [f"{float(v):g}" for v in everything.split()]
    assert [f"{float(n.value):g}" for n in found if n.unit == "%"] == percent.split()


def test_every_passage_of_the_textbook_can_be_read(passages):
    found = [n for text in passages.values() for n in numbers(text)]
    assert len(found) > 2000
    assert {n.unit for n in found} == {"", "%", "£"}


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.sampled_from(["2", "7", "18", "25", "−4", "0.5", "12.25", "35%", "4%", "$8", "2/3", "1e9"]),
        min_size=2,
        max_size=4,
        unique=True,
    )
)
def test_the_quick_look_for_pairs_misses_no_derivation(written):
    stated = numbers(", ".join(written))
    for a, b in permutations(stated, 2):
        for result, unit, _, _ in derived._results(a, b, sums_only=False):
            if abs(result) not in (0, 1):
                number = Number(result, unit, EXACT, "it", 0)
                small = result.denominator == 1 and abs(result) < 10
                assert small or derived.derivation(number, stated) is not None


def test_where_numbers_abound_no_derivation_is_looked_for():
    # 4.63 = 1.13 + 3.5 either way; among 200 numbers some pair would give almost anything
    few = "1.13 and 3.5"
    many = " ".join([few, *(f"{n}.37" for n in range(1000, 1200))])
    item = short("What is 4.63?", "It is said.", ("p1",))
    assert number_check(item, {"p1": few}, LIMITS).mark is Mark.DERIVED
    assert number_check(item, {"p1": many}, LIMITS).mark is Mark.FAIL
    crowded = short(" ".join(["What is 4.63?", *(f"{n}.5" for n in range(20, 40))]), "It is said.", ("p1",))
    assert all("derived" not in found.where for found in number_check(crowded, {"p1": few}, LIMITS).evidence)

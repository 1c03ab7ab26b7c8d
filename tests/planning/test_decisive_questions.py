import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from evalcore.evidence import Basis
from evalcore.planning.flips import LESSON_FLIPS, SupposedFlips, lesson_rows
from evalcore.stats.proportions import Paired
from tests.oracle import STATS

tables = st.builds(Paired, *[st.integers(0, 40)] * 4).filter(lambda t: t.n > 0)


def test_the_four_rows_of_the_lesson_have_the_published_difference_and_error():
    assert LESSON_FLIPS == ((4, 0), (6, 2), (10, 6), (16, 12))
    for row, case in zip(lesson_rows(), STATS["paired_flip_se"], strict=True):
        assert (row.table.first_only, row.table.second_only) == (case["first_only"], case["second_only"])
        assert row.table.n == case["n"] == 60
        assert row.paired.value == pytest.approx(case["difference"], abs=5e-7)
        assert row.error.value == pytest.approx(case["se"], abs=5e-7)


def test_every_row_of_the_lesson_is_a_net_gain_of_four_on_forty_two_hits():
    for row in lesson_rows():
        t = row.table
        assert t.first_only - t.second_only == 4
        assert (t.both + t.second_only, t.both + t.first_only) == (42, 46)
        for estimate in (row.paired, row.unpaired, row.bootstrap):
            assert estimate.value == pytest.approx(4 / 60)


def test_more_flips_widen_the_paired_interval_and_leave_the_unpaired_one_as_it_was():
    rows = lesson_rows()
    widths = [row.paired.high - row.paired.low for row in rows]
    assert widths == sorted(set(widths))
    errors = [row.error.value for row in rows]
    assert errors == sorted(set(errors))
    assert len({(row.unpaired.low, row.unpaired.high) for row in rows}) == 1
    for row in rows:
        assert row.unpaired_error.value == pytest.approx((0.7 * 0.3 / 60 + 46 / 60 * 14 / 60 / 60) ** 0.5)


def test_the_worth_of_pairing_falls_with_the_flips_from_six_and_a_quarter():
    worth = [row.worth_of_pairing.value for row in lesson_rows()]
    # unpaired variance (0.21 + 161/900)/60 over paired (4/60 - (4/60)^2)/60
    assert worth[0] == pytest.approx(6.25)
    assert worth == sorted(set(worth), reverse=True)
    assert worth[-1] < 1


def test_the_ps_of_the_lesson_are_binomial():
    ps = [row.p.value for row in lesson_rows()]
    assert ps == pytest.approx([binomtest(b, b + c).pvalue for b, c in LESSON_FLIPS])
    assert ps[0] == 0.125


@pytest.mark.parametrize(
    ("given_", "expected"),
    [
        ((40, 4, 0, 0.75), Paired(27, 4, 0, 9)),
        ((3, 1, 1, 0.5), Paired(1, 1, 1, 0)),
        ((40, 20, 20, 0.75), Paired(0, 20, 20, 0)),
        ((10, 0, 0, 1.0), Paired(10, 0, 0, 0)),
        ((10, 0, 0, 0.0), Paired(0, 0, 0, 10)),
        ((100, 0, 0, 0.145), Paired(15, 0, 0, 85)),
    ],
)
def test_the_table_is_filled_from_the_flips_and_the_share_of_agreements_that_hit(given_, expected):
    assert SupposedFlips.of(*given_).table == expected


@given(st.integers(0, 200), st.integers(0, 200), st.integers(1, 300), st.floats(0, 1))
def test_the_table_always_holds_every_question_or_the_flips_are_refused(first, second, n, share):
    if first + second > n:
        with pytest.raises(ValueError, match=f"{first} \\+ {second} questions change outcome, .* more than the {n} "):
            SupposedFlips.of(n, first, second, share)
        return
    t = SupposedFlips.of(n, first, second, share).table
    assert (t.n, t.first_only, t.second_only) == (n, first, second)
    assert min(t.both, t.neither) >= 0


@pytest.mark.parametrize("case", STATS["newcombe_paired"], ids=lambda c: f"{c['both']}-{c['first_only']}")
def test_the_paired_interval_is_the_published_one(case):
    found = SupposedFlips(Paired(*(case[k] for k in ("both", "first_only", "second_only", "neither")))).paired
    expected = case["difference"], case["low"], case["high"]
    assert (found.value, found.low, found.high) == pytest.approx(expected, abs=5e-7)


def test_below_six_flips_the_bootstrap_is_refused_and_from_six_it_is_there():
    few, enough = SupposedFlips(Paired(27, 5, 0, 8)), SupposedFlips(Paired(26, 6, 0, 8))
    assert (few.bootstrap.value, few.bootstrap.low) == (0.125, None)
    assert "only 5 of 40 questions differ" in few.bootstrap.reason
    assert enough.bootstrap.low > 0
    assert (enough.bootstrap.seed, enough.bootstrap.resamples) == (20241009, 10_000)


def test_the_bootstrap_claims_more_than_newcombe_when_all_flips_go_one_way():
    flips = SupposedFlips(Paired(26, 6, 0, 8))
    assert flips.bootstrap.high - flips.bootstrap.low < flips.paired.high - flips.paired.low


def test_without_a_paired_error_pairing_has_no_worth_and_the_reason_is_given():
    for table in (Paired(30, 0, 0, 10), Paired(0, 7, 0, 0)):
        flips = SupposedFlips(table)
        assert flips.error.value == 0
        worth = flips.worth_of_pairing
        assert (worth.value, worth.basis, worth.reason) == (
            None,
            Basis.NOT_ASSESSED,
            "the paired standard error is 0",
        )


@given(tables)
def test_the_worth_of_pairing_is_the_ratio_of_the_variances(table):
    flips = SupposedFlips(table)
    if flips.error.value:
        squared = (flips.unpaired_error.value / flips.error.value) ** 2
        assert flips.worth_of_pairing.value == pytest.approx(squared)


@given(tables)
def test_exchanging_the_runs_turns_every_number_round_and_changes_no_p(table):
    flips = SupposedFlips(table)
    turned = SupposedFlips(Paired(table.both, table.second_only, table.first_only, table.neither))
    assert turned.p.value == pytest.approx(flips.p.value)
    assert turned.error.value == pytest.approx(flips.error.value)
    for here, there in ((flips.paired, turned.paired), (flips.unpaired, turned.unpaired)):
        assert (there.value, there.low, there.high) == pytest.approx((-here.value, -here.high, -here.low), abs=1e-12)


def test_the_sentence_says_what_decides():
    assert SupposedFlips(Paired(27, 4, 0, 9)).sentence() == (
        "4 of 40 questions change outcome, 4 for the first run and 0 for the second. The paired interval includes "
        "zero; McNemar's exact p is 0.125."
    )
    assert SupposedFlips(Paired(24, 12, 2, 2)).sentence() == (
        "14 of 40 questions change outcome, 12 for the first run and 2 for the second. The paired interval excludes "
        "zero; McNemar's exact p is 0.013."
    )
    assert "The paired interval excludes zero" in SupposedFlips(Paired(24, 2, 12, 2)).sentence()


def test_no_flip_is_said_not_to_be_equality():
    assert SupposedFlips(Paired(30, 0, 0, 10)).sentence() == (
        "No question changes outcome among 40: nothing decides between the two, which is not equality."
    )


def test_the_answers_carry_the_numbers_of_the_properties():
    flips = SupposedFlips(Paired(27, 4, 0, 9))
    assert {a.key: a.estimate for a in flips.answers()} == {
        "difference": flips.paired,
        "unpaired": flips.unpaired,
        "bootstrap": flips.bootstrap,
        "paired_error": flips.error,
        "unpaired_error": flips.unpaired_error,
        "mcnemar_p": flips.p,
        "worth_of_pairing": flips.worth_of_pairing,
    }
    assert {a.key: a.shown for a in flips.answers() if a.estimate.low is None}["worth_of_pairing"] == "4.38"

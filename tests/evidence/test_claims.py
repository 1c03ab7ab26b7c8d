import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.evidence import Basis, Comparison, Estimate, Source, Verdict
from evalcore.evidence.claims import (
    disagreement,
    ends_at_zero,
    finding,
    headline,
    interval,
    may_not_be_said,
    number,
    p_value,
    signed,
)
from evalcore.stats.multiplicity import holm

FILE = Source("run.trec", "b2" * 32)
CLAIMS_TOO_MUCH = re.compile(r"\b(equal|equals|equally|tied|significant|significantly|the same|no effect)\b")


def difference(value, low, high, n=40, **changes):
    level = None if low is None else 0.95
    return Estimate(value, low, high, level, n, "paired percentile bootstrap", Basis.RETRIEVAL, (FILE,), **changes)


def comparison(d, verdict=None, p=0.028, p_holm=None, **changes):
    counts = {"wins": 28, "ties": 1, "losses": 11, "d_z": 0.36, **changes}
    family = {"in_family": verdict is not None, "p_holm": p_holm, "verdict": verdict}
    return Comparison("hybrid", "dense", "nDCG@10", d, p=p, p_method="sign-flip", **family, **counts)


# Seed A: hybrid minus dense, one of three declared pairs; its raw p of 0.028 is the smallest.
RECORD = comparison(difference(0.048, 0.008, 0.089), Verdict.INCONCLUSIVE, p_holm=holm([0.028, 0.5, 0.2])[0])
ACROSS_ZERO = replace(RECORD, difference=difference(0.01, -0.03, 0.05))
GAIN = comparison(difference(0.1, 0.04, 0.16), Verdict.GAIN, p=0.001, p_holm=0.003)
LOSS = GAIN.reversed()
DEVELOPMENT = replace(GAIN, verdict=Verdict.DEVELOPMENT)
EXPLORATORY = comparison(difference(0.1, 0.04, 0.16))
NO_DIFFERENCE = comparison(
    difference(0.0, None, None, reason="all 40 values are equal (0)"),
    Verdict.INCONCLUSIVE,
    *(1.0, 1.0),
    wins=0,
    ties=40,
    losses=0,
    d_z=None,
)
MISSING = Comparison(
    *("hybrid", "dense", "nDCG@10", Estimate.not_assessed("the run was not evaluated", method="paired difference")),
    *(None, 0, 0, 0, None, "none"),
    in_family=True,
)


def said(c):
    return " ".join([headline(c), finding(c, k=3, alpha=0.05), *may_not_be_said(c)])


def test_the_decision_records_case_is_inconclusive_in_one_sentence():
    assert headline(RECORD) == "hybrid is ahead of dense by 0.048 nDCG@10, but this study cannot separate them."


def test_the_decision_records_figures_stand_side_by_side_and_their_disagreement_is_said():
    assert finding(RECORD, k=3, alpha=0.05) == (
        "hybrid minus dense: +0.048 (95 % interval 0.008 to 0.089, n = 40). "
        "The Holm-adjusted p over 3 comparisons is 0.084 (raw 0.028), against alpha 0.05. "
        'The verdict is inconclusive, which is not "no difference". '
        "39 of 40 questions differ: 28 favour hybrid, 11 favour dense, 1 tie. "
        "The interval excludes zero and the verdict is still inconclusive: the interval is for this comparison "
        "alone, the verdict is adjusted for the whole family."
    )


def test_the_same_case_from_the_other_side_says_the_same():
    back = RECORD.reversed()
    assert headline(back) == headline(RECORD)
    assert finding(back, k=3, alpha=0.05) == finding(RECORD, k=3, alpha=0.05)
    assert finding(back, k=3, alpha=0.05).startswith("hybrid minus dense: +0.048")
    assert disagreement(back, alpha=0.05) == disagreement(RECORD, alpha=0.05)


def test_an_interval_of_losses_that_excludes_zero_disagrees_with_an_inconclusive_verdict_too():
    c = replace(RECORD, difference=difference(-0.048, -0.089, -0.008))
    assert disagreement(c, alpha=0.05) == disagreement(RECORD, alpha=0.05)


@pytest.mark.parametrize("limits", [(0.1, -0.001, 0.201), (-0.1, -0.201, 0.001), (0.1, 0.0, 0.2), (-0.1, -0.2, 0.0)])
def test_an_interval_that_reaches_zero_disagrees_with_a_gain(limits):
    assert "The interval reaches zero although the test does not" in disagreement(
        replace(GAIN, difference=difference(*limits)), alpha=0.05
    )


def test_an_interval_that_excludes_zero_beside_a_raw_p_above_alpha_is_not_blamed_on_the_family():
    said = disagreement(replace(RECORD, p=0.062, p_holm=0.062), alpha=0.05)
    assert "different methods" in said
    assert "family" not in said


# The standard error of a 95 % limit over B resamples is 0.68 / sqrt(B) of the width: 0.00068 of 0.1 at B = 10,000.
@pytest.mark.parametrize(
    ("low", "expected"), [(0.0013, True), (-0.0013, True), (0.0, True), (0.0015, False), (-0.0015, False)]
)
def test_an_interval_ends_at_zero_when_twice_its_resampling_error_reaches_it(low, expected):
    there = difference(low + 0.05, low, low + 0.1, resamples=10_000)
    assert ends_at_zero(there) is ends_at_zero(there.negated()) is expected
    assert ends_at_zero(replace(there, resamples=10_000_000)) is (low == 0)


def test_a_formulas_interval_and_none_at_all_do_not_end_at_zero_by_resampling():
    assert ends_at_zero(difference(0.05, 0.0, 0.1)) is False
    assert ends_at_zero(difference(0.05, None, None, reason="few questions differ")) is False


@pytest.mark.parametrize("verdict", [Verdict.GAIN, Verdict.INCONCLUSIVE])
def test_a_limit_that_another_seed_could_move_across_zero_is_not_read_as_a_disagreement(verdict):
    c = replace(RECORD, difference=difference(0.05, 0.001, 0.1, resamples=10_000), verdict=verdict)
    said = disagreement(c, alpha=0.05)
    assert said.startswith("The interval ends at zero, to within the error of resampling, and so decides nothing here")


@pytest.mark.parametrize(
    "c",
    [GAIN, LOSS, DEVELOPMENT, EXPLORATORY, MISSING, NO_DIFFERENCE, ACROSS_ZERO],
    ids=["gain", "loss", "development", "exploratory", "missing", "no difference", "inconclusive across zero"],
)
def test_where_interval_and_verdict_agree_nothing_is_said(c):
    assert disagreement(c, alpha=0.05) is None


@given(
    st.floats(-0.5, 0.5).filter(lambda v: abs(v) > 1e-6),
    st.floats(0.001, 0.5),
    st.floats(0.0501, 1),
    st.integers(0, 40),
)
def test_no_inconclusive_result_is_ever_called_equal_tied_or_significant(value, half, p, wins):
    d = difference(value, value - half, value + half)
    c = comparison(d, Verdict.INCONCLUSIVE, p=p, p_holm=p, wins=wins, ties=0, losses=40 - wins)
    for view in (c, c.reversed()):
        found = headline(view) + finding(view, k=3, alpha=0.05)
        assert not CLAIMS_TOO_MUCH.search(found)
        assert "cannot separate them" in found
        assert 'inconclusive, which is not "no difference"' in found
    assert any(s.startswith("That hybrid and dense are equal") for s in may_not_be_said(c))


def test_the_same_mean_is_said_and_not_taken_for_proof():
    assert headline(NO_DIFFERENCE) == (
        "hybrid and dense have the same mean nDCG@10; that is not proof that they are equal."
    )
    assert "hybrid minus dense: 0.000 (no interval, n = 40). No interval: all 40 values are equal (0)." in finding(
        NO_DIFFERENCE, k=3, alpha=0.05
    )


def test_a_gain_names_the_run_with_the_higher_mean_and_stays_retrieval_only():
    sentence = "hybrid is ahead of dense by 0.100 nDCG@10, a measured gain, still retrieval-only."
    assert headline(GAIN) == headline(LOSS) == sentence
    assert "The verdict is: measured gain, still retrieval-only." in finding(GAIN, k=3, alpha=0.05)
    assert not CLAIMS_TOO_MUCH.search(headline(GAIN) + finding(GAIN, k=3, alpha=0.05))


def test_tuned_rankers_give_a_development_grade_whatever_their_p():
    assert headline(DEVELOPMENT).endswith("on the questions that the rankers were tuned on: development-grade.")
    assert "The verdict is: development-grade." in finding(DEVELOPMENT, k=3, alpha=0.05)


def test_outside_the_family_there_is_no_verdict_and_the_p_is_called_raw():
    assert headline(EXPLORATORY).endswith("an exploratory figure without a verdict.")
    text = finding(EXPLORATORY, k=3, alpha=0.05)
    assert "Raw p 0.028; outside the declared family, so exploratory and without a verdict." in text
    assert "Holm" not in text
    assert any("outside the family that was declared" in s for s in may_not_be_said(EXPLORATORY))


def test_a_comparison_that_could_not_be_made_says_why_and_gives_no_number():
    assert headline(MISSING) == "hybrid and dense could not be compared: the run was not evaluated."
    assert finding(MISSING, k=3, alpha=0.05) == "Not assessed: the run was not evaluated."
    assert not re.search(r"\d", said(MISSING).replace("nDCG@10", ""))


def test_one_comparison_is_not_called_comparisons():
    assert "over 1 comparison is" in finding(RECORD, k=1, alpha=0.05)


@pytest.mark.parametrize("c", [RECORD, GAIN, DEVELOPMENT, EXPLORATORY, MISSING, NO_DIFFERENCE])
def test_no_result_may_be_carried_over_to_generated_answers(c):
    assert may_not_be_said(c)[-1].startswith("That answers generated from these passages are right")


@pytest.mark.parametrize(
    ("c", "starts"),
    [
        (RECORD, ["That hybrid ranks better than dense in general", "That hybrid and dense are equal"]),
        (NO_DIFFERENCE, ["That hybrid and dense are equal"]),
        (EXPLORATORY, ["That either is better"]),
        (GAIN, []),
        (DEVELOPMENT, []),
        (MISSING, []),
    ],
    ids=["inconclusive", "no difference", "exploratory", "gain", "development", "missing"],
)
def test_only_what_a_reader_might_conclude_is_ruled_out(c, starts):
    said = may_not_be_said(c)
    assert len(said) == len(starts) + 1
    for sentence, start in zip(said, starts, strict=False):
        assert sentence.startswith(start)


@pytest.mark.parametrize(("provisional", "expected"), [(True, True), (False, False), (None, False)])
def test_a_provisional_result_is_not_final(provisional, expected):
    c = replace(RECORD, difference=replace(RECORD.difference, provisional=provisional))
    assert any("no person has reviewed" in s for s in may_not_be_said(c)) is expected


def test_names_on_screen_replace_the_runs_own_everywhere():
    text = [headline(RECORD, str.upper), finding(RECORD, k=3, alpha=0.05, name=str.upper)]
    for sentence in [*text, *may_not_be_said(RECORD, str.upper)]:
        assert "hybrid" not in sentence
        assert "dense" not in sentence


def test_a_run_name_goes_into_a_sentence_as_it_is():
    c = replace(RECORD, first="{alpha} %s <b>", second="b")
    assert headline(c).startswith("{alpha} %s <b> is ahead of b")


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "–"),
        (0.048, "0.048"),
        (-0.048, "−0.048"),
        (0.0, "0.000"),
        (-0.0, "0.000"),
        (1.0, "1.000"),
        (-0.0004, "−0.0004"),
        (0.00049, "0.0005"),
        (0.0005, "0.001"),
        (2e-9, "0.000000002"),
        (-1e-17, "0.000"),
    ],
)
def test_a_number_keeps_a_digit_of_its_own_and_a_real_minus_sign(value, shown):
    assert number(value) == shown


def test_digits_are_fixed():
    assert number(0.36, 2) == "0.36"
    assert number(-12.3456, 1) == "−12.3"


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0.048, "+0.048"), (-0.048, "−0.048"), (0.0, "0.000"), (1e-17, "0.000"), (0.0004, "+0.0004"), (None, "–")],
)
def test_a_difference_is_shown_with_its_sign_and_nothing_has_none(value, shown):
    assert signed(value) == shown


@given(st.floats(-10, 10))
def test_a_number_on_screen_never_has_the_wrong_sign(value):
    shown = float(number(value).replace("−", "-"))
    assert shown * value >= 0
    assert (shown == 0) == (abs(value) < 1e-9)
    assert abs(shown - value) <= 0.0005 + 1e-12


@pytest.mark.parametrize(
    ("p", "shown"),
    [(None, "–"), (1.0, "1.000"), (0.084, "0.084"), (0.001, "0.001"), (0.00096, "0.0010"), (1 / 20_001, "5e-05")],
)
def test_a_small_p_is_never_shown_as_zero(p, shown):
    assert p_value(p) == shown


@given(st.floats(1e-9, 1))
def test_a_p_on_screen_is_close_and_above_zero(p):
    assert float(p_value(p)) == pytest.approx(p, rel=0.51)
    assert float(p_value(p)) > 0


def test_an_interval_says_its_level_or_that_there_is_none():
    assert interval(difference(0.048, 0.008, 0.089)) == "95 % interval 0.008 to 0.089"
    assert interval(replace(difference(0.048, 0.008, 0.089), level=0.995)) == "99.5 % interval 0.008 to 0.089"
    assert interval(difference(0.5, None, None, reason="one question")) == "no interval"


def test_a_limit_just_below_zero_is_not_shown_as_zero():
    assert interval(difference(0.048, -0.0004, 0.089)) == "95 % interval −0.0004 to 0.089"


@pytest.mark.parametrize(("p", "shown"), [(0.0499, "0.0499"), (0.0501, "0.0501"), (0.05, "0.050"), (0.051, "0.051")])
def test_a_p_value_beside_alpha_never_rounds_to_it(p, shown):
    assert p_value(p) == shown


@pytest.mark.parametrize(
    ("value", "shown"), [(0.7625, "0.763"), (0.037499999999999985, "0.038"), (-0.0375, "−0.038"), (0.0004, "0.0004")]
)
def test_halves_are_rounded_as_a_reader_would(value, shown):
    assert number(value) == shown

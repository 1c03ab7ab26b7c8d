from dataclasses import FrozenInstanceError, replace
from math import copysign, inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.evidence import Basis, Comparison, Count, Estimate, EvidenceError, Source, Verdict

HASH = "a1" * 32
FILE = Source("run.trec", HASH)
MODEL = Source("pack", model="some-model", date="2026-11-30", items_read=0)
FROM_FILE = (Basis.RETRIEVAL, (FILE,))
CHOICE = Source("written for this demo", chosen_by="the authors")
WORDS = {
    Basis.RETRIEVAL: "Measured, retrieval-only",
    Basis.GENERATED: "Measured, generated answers",
    Basis.ASSUMED: "Assumed",
    Basis.NOT_ASSESSED: "Not assessed",
}


def estimate(value=0.5, low=0.4, high=0.6, **changes):
    fields = {"level": 0.95, "n": 40, "method": "m", "basis": Basis.RETRIEVAL, "sources": (FILE,), **changes}
    return Estimate(value, low, high, **fields)


def comparison(value=0.1, low=0.02, high=0.18, **changes):
    fields = {"wins": 6, "ties": 1, "losses": 3, "p": 0.02, "p_method": "sign-flip", "d_z": 0.4, **changes}
    return Comparison("a", "b", "nDCG@10", estimate(value, low, high, n=10), **fields)


def test_there_are_four_bases_with_their_words_on_screen():
    assert {basis: basis.value for basis in Basis} == WORDS


def test_the_verdicts_are_the_three_strings_of_the_json():
    assert [v.value for v in Verdict] == ["development-grade", "inconclusive", "measured gain, still retrieval-only"]


@pytest.mark.parametrize("digest", ["", "a1" * 31, "A1" * 32, "a1" * 32 + "\n", "g1" * 32])
def test_a_sha256_is_sixty_four_lower_case_hexadecimal_digits(digest):
    with pytest.raises(EvidenceError, match="64 lower-case hexadecimal digits"):
        Source("run.trec", digest)


def test_a_source_needs_a_name():
    with pytest.raises(EvidenceError, match="needs a name"):
        Source("", HASH)


def test_fewer_than_no_items_cannot_have_been_read():
    with pytest.raises(EvidenceError, match="-1 items read"):
        replace(MODEL, items_read=-1)


@pytest.mark.parametrize("sources", [(), (Source("run.trec"),), (CHOICE,), (MODEL,)])
def test_retrieval_only_needs_a_file_with_its_hash(sources):
    with pytest.raises(EvidenceError, match="needs a source file with its sha256"):
        estimate(sources=sources)


@pytest.mark.parametrize(
    "missing", [{"model": None}, {"date": None}, {"items_read": None}, {"model": ""}, {"date": ""}], ids=str
)
def test_generated_answers_name_the_model_the_date_and_the_items_read(missing):
    with pytest.raises(EvidenceError, match="needs the model, the date and the number of items read"):
        estimate(basis=Basis.GENERATED, sources=(replace(MODEL, **missing), FILE))


def test_generated_answers_do_not_gather_their_facts_from_two_sources():
    halves = (replace(MODEL, model=None), replace(MODEL, date=None))
    with pytest.raises(EvidenceError, match="needs the model, the date and the number of items read"):
        estimate(basis=Basis.GENERATED, sources=halves)


def test_generated_answers_may_have_been_checked_by_machine_alone():
    assert estimate(basis=Basis.GENERATED, sources=(MODEL,)).sources[0].items_read == 0


@pytest.mark.parametrize("sources", [(), (FILE,), (replace(CHOICE, chosen_by=""),)])
def test_an_assumed_number_says_who_chose_it(sources):
    with pytest.raises(EvidenceError, match="must say who chose the number"):
        estimate(basis=Basis.ASSUMED, sources=sources)
    assert estimate(basis=Basis.ASSUMED, sources=(CHOICE,)).basis is Basis.ASSUMED


def test_not_assessed_has_no_value():
    with pytest.raises(EvidenceError, match="'not assessed' cannot have a value"):
        estimate(basis=Basis.NOT_ASSESSED, reason="none was made")


@pytest.mark.parametrize("basis", Basis)
@pytest.mark.parametrize("reason", [None, ""])
def test_a_number_that_is_not_there_needs_a_reason(basis, reason):
    with pytest.raises(EvidenceError, match="needs a reason"):
        estimate(None, None, None, basis=basis, sources=(FILE, MODEL, CHOICE), reason=reason)


def test_not_assessed_says_why_and_carries_its_label():
    nothing = Estimate.not_assessed("no questions", method="mean", provisional=True)
    assert (nothing.value, nothing.low, nothing.high, nothing.level, nothing.n) == (None, None, None, None, 0)
    assert (nothing.basis, nothing.reason, nothing.provisional) == (Basis.NOT_ASSESSED, "no questions", True)


@pytest.mark.parametrize(("low", "high"), [(0.4, None), (None, 0.6)])
def test_an_interval_has_two_limits_or_none(low, high):
    with pytest.raises(EvidenceError, match="two limits or none"):
        estimate(0.5, low, high, reason="half an interval")


def test_an_interval_needs_a_value():
    with pytest.raises(EvidenceError, match="an interval without a value"):
        estimate(None, 0.4, 0.6, reason="lost")


@pytest.mark.parametrize("bad", [nan, inf, -inf])
@pytest.mark.parametrize("field", ["value", "low", "high", "design_effect", "n_effective"])
def test_undefined_is_none_and_never_nan_or_infinite(field, bad):
    with pytest.raises(EvidenceError, match="must be finite"):
        replace(estimate(), **{field: bad})


@pytest.mark.parametrize("value", [0.3999, 0.6001, -0.5])
def test_the_value_lies_between_its_limits(value):
    with pytest.raises(EvidenceError, match="does not hold"):
        estimate(value)


def test_limits_the_wrong_way_round_are_refused():
    with pytest.raises(EvidenceError, match="does not hold"):
        estimate(0.5, 0.6, 0.4)


@pytest.mark.parametrize("value", [0.4, 0.6])
def test_a_value_may_stand_on_its_limit_as_wilsons_does(value):
    assert estimate(value).value == value


def test_a_zero_width_interval_is_refused():
    with pytest.raises(EvidenceError, match="zero-width"):
        estimate(0.5, 0.5, 0.5)


@pytest.mark.parametrize("level", [None, 0.0, 1.0, 95, -0.95, nan])
def test_an_interval_needs_its_level(level):
    with pytest.raises(EvidenceError, match="needs its level"):
        estimate(level=level)


def test_a_value_without_an_interval_says_why():
    with pytest.raises(EvidenceError, match="without an interval needs the reason"):
        estimate(0.5, None, None, level=None)
    assert estimate(0.5, None, None, level=None, reason="constant sample").value == 0.5


@pytest.mark.parametrize(
    ("thing", "field"),
    [(estimate(), "value"), (comparison(), "verdict"), (FILE, "sha256"), (Count(1, 2, "q", *FROM_FILE), "count")],
    ids=lambda x: type(x).__name__,
)
def test_evidence_cannot_be_changed_afterwards(thing, field):
    with pytest.raises(FrozenInstanceError):
        setattr(thing, field, None)


def test_a_negated_estimate_exchanges_its_limits_and_keeps_its_label():
    there = estimate(0.048, 0.008, 0.089, provisional=True, seed=7, resamples=10)
    back = there.negated()
    assert (back.value, back.low, back.high) == (-0.048, -0.089, -0.008)
    assert replace(back, value=there.value, low=there.low, high=there.high) == there


@given(st.tuples(*[st.floats(-1, 1)] * 3).map(sorted).filter(lambda x: x[0] < x[2]))
def test_negating_twice_gives_the_same_estimate(limits):
    low, value, high = limits
    there = estimate(value, low, high)
    assert there.negated().negated() == there


def test_negating_never_makes_a_negative_zero():
    back = estimate(0.0, -0.0, 0.5).negated()
    assert [copysign(1, x) for x in (back.value, back.high)] == [1, 1]
    assert copysign(1, comparison(d_z=0.0).reversed().d_z) == 1


def test_an_undefined_estimate_is_its_own_negative():
    nothing = Estimate.not_assessed("no questions", method="mean")
    assert nothing.negated() == nothing


def test_a_reversed_comparison_is_the_same_one_from_the_other_side():
    there = comparison(in_family=True, p_holm=0.04, verdict=Verdict.GAIN)
    back = there.reversed()
    assert (back.first, back.second, back.difference) == ("b", "a", there.difference.negated())
    assert (back.d_z, back.wins, back.ties, back.losses) == (-0.4, 3, 1, 6)
    kept = ("measure", "p", "p_method", "p_holm", "in_family", "verdict", "flipped", "leader", "basis", "sources")
    assert [getattr(back, name) for name in kept] == [getattr(there, name) for name in kept]
    assert back.reversed() == there


def test_a_comparison_carries_the_label_of_its_difference():
    c = replace(comparison(), difference=estimate(0.1, None, None, level=None, reason="few", provisional=True))
    assert (c.basis, c.sources, c.reason, c.provisional) == (Basis.RETRIEVAL, (FILE,), "few", True)


def test_flipped_questions_are_wins_and_losses():
    assert comparison().flipped == 9


@pytest.mark.parametrize(("value", "leader"), [(0.1, "a"), (-0.1, "b"), (2e-9, "a"), (0.0, None)])
def test_the_leader_has_the_higher_mean(value, leader):
    assert comparison(value, -0.2, 0.2).leader == leader


@pytest.mark.parametrize("noise", [1e-17, -1e-17, 1e-9])
def test_float_noise_makes_no_leader(noise):
    assert comparison(noise, -0.2, 0.2).leader is None


def test_an_undefined_difference_has_no_leader():
    nothing = Estimate.not_assessed("not evaluated", method="paired")
    assert Comparison("a", "b", "nDCG@10", nothing, None, 0, 0, 0, None, "none").leader is None


def test_a_run_is_not_compared_with_itself():
    with pytest.raises(EvidenceError, match="compared with itself"):
        replace(comparison(), second="a")


@pytest.mark.parametrize("p", [0.0, -0.1, 1.01, nan, inf])
def test_a_p_value_is_above_zero_and_at_most_one(p):
    with pytest.raises(EvidenceError, match="is not in"):
        comparison(p=p)


@pytest.mark.parametrize(("p", "p_holm"), [(0.02, 0.01), (None, 0.5), (0.02, 1.01), (0.02, nan), (0.02, inf)])
def test_an_adjusted_p_lies_between_the_raw_one_and_one(p, p_holm):
    with pytest.raises(EvidenceError, match="never below the raw one, nor above 1"):
        comparison(p=p, p_holm=p_holm, in_family=True)


@pytest.mark.parametrize("changes", [{"verdict": v, "p_holm": 0.04} for v in Verdict] + [{"p_holm": 0.04}], ids=str)
def test_nothing_outside_the_family_has_a_verdict_or_an_adjusted_p(changes):
    with pytest.raises(EvidenceError, match="outside the family"):
        comparison(**changes)


@pytest.mark.parametrize("verdict", Verdict)
def test_no_verdict_without_an_adjusted_p(verdict):
    with pytest.raises(EvidenceError, match="a verdict needs an adjusted p"):
        comparison(in_family=True, verdict=verdict)


@pytest.mark.parametrize("value", [0.0, 1e-17])
def test_a_gain_needs_a_difference(value):
    with pytest.raises(EvidenceError, match="a measured gain needs a difference"):
        comparison(value, -0.2, 0.2, in_family=True, p_holm=0.04, verdict=Verdict.GAIN)


@pytest.mark.parametrize("bad", [nan, inf])
def test_d_z_is_finite_or_none(bad):
    with pytest.raises(EvidenceError, match="d_z must be finite"):
        comparison(d_z=bad)


@pytest.mark.parametrize(("count", "total"), [(-1, 3), (4, 3)])
def test_a_count_is_a_whole_number_out_of_a_whole_number(count, total):
    with pytest.raises(EvidenceError, match=f"{count} of {total} is not a count"):
        Count(count, total, "questions", *FROM_FILE)


def test_a_count_needs_its_sources_or_the_reason_why_it_is_not_there():
    with pytest.raises(EvidenceError, match="sha256"):
        Count(1, 3, "questions", Basis.RETRIEVAL)
    with pytest.raises(EvidenceError, match="needs a reason"):
        Count(None, 3, "wrong scope", Basis.NOT_ASSESSED)
    with pytest.raises(EvidenceError, match="cannot have a value"):
        Count(0, 3, "wrong scope", Basis.NOT_ASSESSED, reason="no scope column")
    assert Count(None, 3, "wrong scope", Basis.NOT_ASSESSED, reason="no scope column").count is None


@pytest.mark.parametrize("count", [0, 3])
def test_none_of_them_and_all_of_them_are_counts(count):
    assert Count(count, 3, "questions", *FROM_FILE).count == count

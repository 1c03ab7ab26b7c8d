import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from evalcore.evidence import Basis
from evalcore.goldset.schema import GoldSet
from evalcore.measures import Measure
from evalcore.planning.own import OwnPair, own_pairs
from evalcore.stats.power import d_z_limits, paired_power, questions_needed
from evalcore.stats.resampled_power import STUDIES, studies_for, study_p_values
from evalcore.textbook import Textbook
from tests.small import NDCG, SUCCESS_1, THREE, compared, places

HALF = {"a": places(1, 1, 1, 1), "b": places(1, 1, 0, 0)}
FEW = 200


@pytest.fixture(scope="module")
def textbook():
    return Textbook(GoldSet()).rankers


@pytest.fixture
def three():
    return compared(12, THREE)


def moved(pair, by):
    """The pair with every difference moved by a constant."""
    other = OwnPair(pair.compared, pair.first, pair.second, pair.measure, pair.worth)
    vars(other)["differences"] = pair.differences + by
    return other


def test_every_pair_is_planned_on_the_primary_measure_the_higher_mean_first(textbook):
    pairs = own_pairs(textbook, 0.05)
    assert {frozenset((p.first, p.second)) for p in pairs} == {
        frozenset(x) for x in [("bm25", "dense"), ("bm25", "hybrid"), ("dense", "hybrid")]
    }
    assert all(p.differences.mean() > 0 for p in pairs)
    assert {str(p.measure) for p in pairs} == {"nDCG@10"}
    assert {(p.n, p.worth) for p in pairs} == {(40, 0.05)}


def test_on_the_textbook_the_spread_and_d_z_are_measured_with_hashes_and_provisional(textbook):
    for pair in own_pairs(textbook, 0.05):
        for estimate in (pair.spread, pair.d_z):
            assert (estimate.basis, estimate.basis.value) == (Basis.RETRIEVAL, "Measured, retrieval-only")
            hashed = {s.name: s.sha256 for s in estimate.sources}
            assert set(hashed) == {"qrels.trec", pair.first, pair.second}
            assert all(len(sha) == 64 for sha in hashed.values())
            assert estimate.provisional is True
            assert (estimate.seed, estimate.resamples) == (None, None)
        assert (pair.spread.low, pair.spread.reason) == (None, "a spread, shown without an interval")
        assert pair.spread.value == pytest.approx(pair.differences.std(ddof=1))
        assert pair.d_z.value == pytest.approx(pair.differences.mean() / pair.differences.std(ddof=1))
        assert (pair.d_z.low, pair.d_z.high) == d_z_limits(pair.d_z.value, 40)


def test_on_the_textbook_powers_are_assumed_and_provisional_with_seed_and_studies(textbook):
    pair = own_pairs(textbook, 0.05)[0]
    power = pair.power(40, studies=FEW)
    assert power.n == 40
    for estimate in (power.one_test, power.family):
        assert (estimate.basis, estimate.provisional) == (Basis.ASSUMED, True)
        assert (estimate.seed, estimate.resamples, estimate.n, estimate.level) == (20241009, FEW, FEW, 0.95)
        limits = binomtest(round(estimate.value * FEW), FEW).proportion_ci(method="wilson")
        assert (estimate.low, estimate.high) == pytest.approx((limits.low, limits.high))
    for estimate in (
        power.one_test,
        power.family,
        pair.d_z_at_worth,
        pair.closed_form(40, 0.05),
        pair.needed(0.05, 0.8),
    ):
        assert (estimate.basis, estimate.provisional) == (Basis.ASSUMED, True)
        chosen = [s.name for s in estimate.sources if s.chosen_by]
        assert chosen[0] == "smallest difference worth having 0.05 nDCG@10"
        if estimate is not pair.d_z_at_worth:
            assert "alpha 0.0" in chosen[1]
        assert sum(s.sha256 is not None for s in estimate.sources) == 3
    assert power.one_test.value >= power.family.value


def test_a_users_own_runs_are_not_called_provisional(three):
    pair = own_pairs(three, 0.05)[0]
    power = pair.power(12, studies=FEW)
    for estimate in (pair.spread, pair.d_z, pair.d_z_at_worth, power.one_test, power.family, pair.closed_form(9, 0.05)):
        assert estimate.provisional is None


def test_the_spread_and_d_z_of_four_questions_are_those_worked_by_hand():
    # nDCG differences 0, 0, 1, 1: mean 1/2, variance 1/3
    (pair,) = own_pairs(compared(4, HALF), 0.1)
    assert pair.differences.tolist() == [0, 0, 1, 1]
    assert pair.spread.value == pytest.approx(3**-0.5)
    assert pair.d_z.value == pytest.approx(0.75**0.5)
    assert pair.d_z_at_worth.value == pytest.approx(0.1 * 3**0.5)


def test_the_power_is_the_share_of_studies_whose_p_is_below_alpha_and_below_holms_first_step(three):
    pair = own_pairs(three, 0.2)[0]
    p = study_p_values(pair.differences, 0.2, 18, studies=FEW, seed=20241009)
    power = pair.power(18, studies=FEW)
    assert pair.first_step == pytest.approx(0.05 / 3)
    assert power.one_test.value == (p < 0.05).mean()
    assert power.family.value == (p < 0.05 / 3).mean()
    assert 0 < power.family.value < power.one_test.value < 1


def test_the_sizes_are_the_questions_there_are_and_one_and_a_half_two_and_three_times_as_many(textbook, three):
    assert own_pairs(textbook, 0.05)[0].sizes == (40, 60, 80, 120)
    assert own_pairs(three, 0.05)[0].sizes == (12, 18, 24, 36)
    assert own_pairs(compared(5, {"a": places(1, 1, 1, 1, 2), "b": places(2, 2, 3, 4, 1)}), 0.1)[0].sizes == (
        *(5, 8),
        *(10, 15),
    )


def test_the_same_power_comes_again_whatever_was_asked_before():
    fresh = {(p.first, p.second): p.power(12, studies=FEW) for p in own_pairs(compared(12, THREE), 0.1)}
    asked_backwards = own_pairs(compared(12, THREE), 0.1)[::-1]
    for pair in asked_backwards:
        pair.power(24, studies=FEW)
        assert pair.power(12, studies=FEW) == fresh[pair.first, pair.second] == pair.power(12, studies=FEW)


def test_the_smallest_difference_worth_having_has_no_default(three):
    with pytest.raises(TypeError, match="worth"):
        own_pairs(three)
    with pytest.raises(TypeError, match="worth"):
        OwnPair(three, "hybrid", "bm25", NDCG)


def test_moving_every_difference_by_a_constant_changes_no_power(textbook):
    pair = own_pairs(textbook, 0.05)[1]
    before = pair.power(40, studies=FEW)
    for by in (-pair.differences.mean(), 0.25, -1.0):
        other = moved(pair, by)
        after = other.power(40, studies=FEW)
        assert (after.one_test.value, after.family.value) == (before.one_test.value, before.family.value)
        assert other.d_z_at_worth.value == pytest.approx(pair.d_z_at_worth.value)
        assert other.closed_form(60, 0.05).value == pytest.approx(pair.closed_form(60, 0.05).value)


def test_a_larger_difference_worth_having_is_found_more_often_and_its_sign_does_not_matter(three):
    powers = [
        OwnPair(three, "hybrid", "bm25", NDCG, w).power(24, studies=FEW).one_test.value for w in (0.02, 0.05, 0.2)
    ]
    assert powers == sorted(set(powers))
    turned = OwnPair(three, "hybrid", "bm25", NDCG, -0.2)
    assert turned.power(24, studies=FEW).one_test.value == powers[2]
    assert turned.d_z_at_worth.value == OwnPair(three, "hybrid", "bm25", NDCG, 0.2).d_z_at_worth.value


@settings(max_examples=30)
@given(st.floats(0.005, 1), st.lists(st.integers(2, 400), min_size=1, max_size=5))
def test_the_closed_curve_is_the_closed_form_at_holms_first_step(worth, sizes):
    pair = own_pairs(compared(12, THREE), worth)[0]
    curve = pair.closed_curve(np.array(sizes, dtype=float))
    assert curve.tolist() == pytest.approx([pair.closed_form(n, pair.first_step).value for n in sizes])
    # seven questions are the fewest whose sign-flip test comes below 0.05/3: 2/2^7 = 0.0156, 2/2^6 = 0.0313
    formula = paired_power(worth / pair.spread.value, np.array(sizes), 0.05 / 3)
    assert curve == pytest.approx(np.where(np.array(sizes) < 7, 0, formula))


def test_the_questions_needed_are_those_of_the_closed_form(three):
    pair = own_pairs(three, 0.2)[0]
    needed = pair.needed(0.05, 0.8)
    assert needed.value == questions_needed(pair.d_z_at_worth.value, 0.05, 0.8)
    assert pair.closed_form(int(needed.value), 0.05).value >= 0.8 > pair.closed_form(int(needed.value) - 1, 0.05).value
    unreachable = OwnPair(three, pair.first, pair.second, NDCG, 1e-6).needed(0.05, 0.8)
    assert (unreachable.value, unreachable.basis) == (None, Basis.NOT_ASSESSED)
    assert "needs more than 10,000,000 questions" in unreachable.reason


def test_without_a_family_the_first_step_is_alpha():
    pair = own_pairs(compared(12, THREE, family=()), 0.1)[0]
    assert pair.first_step == 0.05
    power = pair.power(12, studies=FEW)
    assert power.one_test == power.family


SAME_RUNS = {"a": places(1, 2, 0, 3), "b": places(1, 2, 0, 3)}
ALWAYS_BETTER = {"a": places(1, 1, 1, 1), "b": places(2, 2, 2, 2)}
ONE_QUESTION = {"a": places(1), "b": places(2)}
CONSTANT = "the differences do not vary, so they say nothing about other questions"
HITS = "a hit rate has no such differences: plan it from the questions that change outcome"


@pytest.mark.parametrize(
    ("runs", "measure", "reason"),
    [
        (SAME_RUNS, NDCG, CONSTANT),
        (ALWAYS_BETTER, NDCG, CONSTANT),
        (ONE_QUESTION, NDCG, CONSTANT),
        (HALF, SUCCESS_1, HITS),
        (HALF, Measure.parse("Success@3"), HITS),
    ],
)
def test_where_the_differences_do_not_carry_a_plan_everything_is_not_assessed_with_the_reason(runs, measure, reason):
    pair = OwnPair(compared(len(runs["a"]), runs), "a", "b", measure, 0.1)
    assert pair.reason == reason
    heard = []
    power = pair.power(40, studies=FEW, done=heard.append)
    found = (
        *(pair.spread, pair.d_z, pair.d_z_at_worth, pair.closed_form(40, 0.05), pair.needed(0.05, 0.8)),
        *(power.one_test, power.family, power.one_test_ties, power.family_ties),
    )
    assert not power.readings_differ
    assert pair.caution([power]) is None
    for estimate in found:
        assert (estimate.value, estimate.low, estimate.basis) == (None, None, Basis.NOT_ASSESSED)
        assert estimate.reason == reason
    assert heard == []
    assert all(math.isnan(x) for x in pair.closed_curve(np.array([10.0, 20.0])))


def test_an_impossible_plan_on_the_textbook_stays_provisional(textbook):
    pair = OwnPair(textbook, "hybrid", "bm25", Measure.parse("Success@5"), 0.1)
    assert pair.power(40).family.provisional is True
    assert pair.spread.provisional is True


def test_the_simulation_says_how_far_it_is(three):
    heard = []
    own_pairs(three, 0.1)[0].power(12, studies=FEW, done=heard.append)
    assert heard == sorted(heard)
    assert heard[-1] == 1.0


# forty questions, four of which differ: half of them by 0.2 or 0.3 for the first, one against it
SPARSE = np.array([0.2, 0.3, 0.3, -0.1, *[0.0] * 36])


def with_differences(pair, differences, worth=0.05):
    other = OwnPair(pair.compared, pair.first, pair.second, pair.measure, worth)
    vars(other)["differences"] = differences
    return other


def test_the_ties_of_a_pair_are_counted(three):
    assert with_differences(own_pairs(three, 0.05)[0], SPARSE).ties == 36
    (half,) = own_pairs(compared(4, HALF), 0.1)
    assert (half.ties, half.n) == (2, 4)


def test_with_four_non_ties_of_forty_the_two_readings_of_ties_are_far_apart_and_it_is_said(three):
    pair = with_differences(own_pairs(three, 0.05)[0], SPARSE)
    power = pair.power(40, studies=400)
    assert power.one_test.value > 0.6
    assert power.one_test_ties.value < 0.3
    assert power.readings_differ
    assert pair.caution([power]).startswith(
        f"36 of 40 questions tie, and what is made of ties decides: with 40 questions power at Holm's first step of 3 "
        f"is {power.family.value:.3f} when ties move with the rest and "
    )


def test_the_second_reading_is_the_share_of_studies_in_which_only_the_non_ties_moved(three):
    pair = with_differences(own_pairs(three, 0.05)[0], SPARSE)
    # 36 of 40 stay 0; the four, 0.7 together, are to be 40 x 0.05 = 2 together: each moves by 1.3 / 4 = 0.325
    moved = np.array([0.525, 0.625, 0.625, 0.225, *[0.0] * 36])
    p = study_p_values(moved, 0.05, 60, studies=FEW, seed=20241009, move=lambda values, worth: values)
    power = pair.power(60, studies=FEW)
    assert (power.one_test_ties.value, power.family_ties.value) == ((p < 0.05).mean(), (p < 0.05 / 3).mean())
    for estimate, which in ((power.family, "ties moved with the rest"), (power.family_ties, "ties stay ties")):
        assert which in estimate.method


def test_without_a_tie_the_two_readings_are_one(three):
    pair = with_differences(own_pairs(three, 0.05)[0], np.linspace(-0.3, 0.5, 40))
    power = pair.power(40, studies=FEW)
    assert pair.ties == 0
    assert (power.one_test.value, power.family.value) == (power.one_test_ties.value, power.family_ties.value)
    assert pair.caution([power]) is None


def test_below_the_fewest_questions_of_the_sign_flip_test_the_closed_form_has_no_power(three):
    pair = own_pairs(three, 5.0)[0]
    assert pair.closed_form(6, 0.05 / 3).value == 0
    assert "cannot come below alpha 0.0167; 7 questions can" in pair.closed_form(6, 0.05 / 3).method
    assert pair.closed_form(7, 0.05 / 3).value > 0.9
    assert (pair.needed(0.05, 0.8).value, pair.needed(0.05 / 3, 0.8).value) == (6, 7)


def test_very_large_studies_are_simulated_fewer_times_and_never_below_two_hundred(three):
    assert (studies_for(40), studies_for(10**7), STUDIES) == (2_000, 200, 2_000)
    assert own_pairs(three, 0.1)[0].power(12, studies=1).one_test.n == FEW


def test_a_family_that_is_asked_for_takes_the_place_of_the_studys_own(three):
    (own, *_), (asked, *_) = own_pairs(three, 0.05), own_pairs(three, 0.05, 12)
    assert (own.family, asked.family) == (3, 12)
    assert asked.first_step == pytest.approx(0.05 / 12)
    assert asked.closed_form(40, asked.first_step).value < own.closed_form(40, own.first_step).value

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.stats import resampled_power
from evalcore.stats.paired import sign_flip
from evalcore.stats.power import paired_power
from evalcore.stats.resampled_power import (
    recentred,
    recentred_beside_ties,
    sign_flip_p_values,
    studies_for,
    study_p_values,
)
from evalcore.stats.resampling import sign_flip_sums, sign_vectors

SCORES = [-1.0, -0.5, -0.25, 0.0, 0.0, 0.25, 0.5, 0.63, 1.0]
OBSERVED = np.array([0.0, 0.0, 0.5, -0.25, 1.0, 0.37, 0.0, -0.63, 0.5, 0.25])
rows = st.integers(1, 24).flatmap(
    lambda n: st.lists(st.lists(st.sampled_from(SCORES), min_size=n, max_size=n), min_size=1, max_size=8)
)


def standard_normal(size=5_000):
    values = np.random.default_rng(11).normal(size=size)
    return (values - values.mean()) / values.std()


def plain_loop(differences, worth, n, *, studies, seed, **options):
    moved = recentred(differences, worth)
    drawn = np.random.default_rng(seed).integers(0, len(moved), (studies, n))
    return [sign_flip(moved[row], seed=seed, **options).p for row in drawn]


def significant_studies(*asked, alpha, **options):
    return int((study_p_values(*asked, **options) < alpha).sum())


@settings(max_examples=50)
@given(rows, st.integers(0, 5), st.sampled_from([0, 6, 16]))
def test_each_p_is_that_of_the_sign_flip_test_of_its_row(samples, seed, exact_up_to):
    options = {"seed": seed, "draws": 500, "exact_up_to": exact_up_to}
    found = sign_flip_p_values(np.array(samples), **options)
    assert found.tolist() == [sign_flip(np.array(row), **options).p for row in samples]


def test_rows_with_few_many_and_no_differences_stand_side_by_side():
    rng = np.random.default_rng(2)
    samples = rng.normal(0.3, 1, (7, 40))
    for row, zeros in zip(samples, [40, 39, 37, 25, 24, 23, 0], strict=True):
        row[rng.permutation(40)[:zeros]] = 0.0
    found = sign_flip_p_values(samples)
    assert found.tolist() == [sign_flip(row).p for row in samples]
    assert found[:3].tolist() == [1.0, 1.0, sign_flip(samples[2]).p]


def test_no_non_zero_difference_has_p_one_also_within_rounding():
    assert sign_flip_p_values(np.zeros((3, 5))).tolist() == [1.0, 1.0, 1.0]
    assert sign_flip_p_values(np.full((1, 20), 1e-12)).tolist() == [1.0]


def test_the_exact_p_of_six_gains_is_two_of_sixty_four():
    assert sign_flip_p_values(np.array([[0.1] * 6, [0.1] * 5 + [-0.1]])).tolist() == [2 / 64, 14 / 64]


def test_draws_too_many_to_keep_give_the_same_p():
    samples = np.random.default_rng(3).normal(0.15, 1, (4, 90))
    samples[0, :30] = 0.0
    found = sign_flip_p_values(samples, draws=50_000)
    assert found.tolist() == [sign_flip(row, draws=50_000).p for row in samples]


@pytest.mark.parametrize(("k", "draws", "blocks"), [(7, 100, 1), (64, 500, 1), (65, 500, 1), (90, 50_000, 2)])
def test_the_sign_vectors_are_the_documented_stream_in_one_block_or_several(k, draws, blocks):
    found = list(sign_vectors(k, seed=5, draws=draws))
    expected = 1 - 2 * np.random.default_rng(5).integers(0, 2, (draws, k))
    assert len(found) == blocks
    assert np.array_equal(np.concatenate(found), expected)


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=70), st.integers(0, 3))
def test_the_sign_vectors_give_the_sums_of_the_sign_flip_test(differences, seed):
    values = np.array(differences)
    (signs,) = sign_vectors(len(values), seed=seed, draws=50)
    assert signs @ values == pytest.approx(sign_flip_sums(values, seed=seed, draws=50), abs=1e-9)


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=40), st.floats(-2, 2))
def test_recentring_moves_the_mean_and_keeps_the_spread(differences, worth):
    values = np.array(differences)
    moved = recentred(values, worth)
    assert moved.mean() == pytest.approx(worth, abs=1e-12)
    assert moved.std() == pytest.approx(values.std(), abs=1e-12)
    assert moved - moved[0] == pytest.approx(values - values[0], abs=1e-12)


def test_beside_ties_only_the_others_move_and_far_enough_for_the_mean_of_all():
    # two of five differ, 0.1 together; a mean of 0.2 is 1 together, so each moves by 0.45
    moved = recentred_beside_ties(np.array([0.0, 0.3, 0.0, -0.2, 0.0]), 0.2)
    assert moved.tolist() == pytest.approx([0.0, 0.75, 0.0, 0.25, 0.0])


@given(st.lists(st.sampled_from([*SCORES, 0.0, 0.0]), min_size=1, max_size=40), st.floats(-2, 2))
def test_beside_ties_the_mean_is_the_worth_and_the_ties_stay(differences, worth):
    values = np.array(differences)
    if not values.any():
        with pytest.raises(ValueError, match="every question ties"):
            recentred_beside_ties(values, worth)
        return
    moved = recentred_beside_ties(values, worth)
    assert moved.mean() == pytest.approx(worth, abs=1e-12)
    assert (moved[values == 0] == 0).all()
    assert np.ptp((moved - values)[values != 0]) < 1e-12


def test_few_non_ties_have_power_when_all_differences_move_and_hardly_any_when_ties_stay():
    sparse = np.array([0.2, 0.3, 0.3, -0.1, *[0.0] * 36])
    asked = {"studies": 400, "draws": 2_000}
    together = study_p_values(sparse, 0.05, 40, **asked)
    beside = study_p_values(sparse, 0.05, 40, move=recentred_beside_ties, **asked)
    assert (together < 0.05).mean() > 0.6
    assert (beside < 0.05).mean() < 0.3


@pytest.mark.parametrize("n", [4, 12, 30])
@pytest.mark.parametrize("seed", [20241009, 3])
def test_the_studies_p_values_are_those_of_a_plain_loop(n, seed):
    asked = {"studies": 230, "seed": seed, "draws": 400, "exact_up_to": 10}
    found = study_p_values(OBSERVED, 0.3, n, **asked)
    assert found.tolist() == plain_loop(OBSERVED, 0.3, n, **asked)


def test_the_loop_uses_the_house_seed_draws_and_exact_limit_by_default():
    found = study_p_values(OBSERVED, 0.3, 18, studies=60)
    assert found.tolist() == plain_loop(OBSERVED, 0.3, 18, studies=60, seed=20241009)


def test_studies_with_different_numbers_of_unchanged_questions_are_tested_each_on_its_own_changes():
    changes = np.array([1.0, -1.0, 0.0, 0.0])
    assert study_p_values(changes, 0.0, 12, studies=50).tolist() == plain_loop(
        changes, 0.0, 12, studies=50, seed=20241009
    )


@pytest.mark.parametrize("at_once", [1, 7, 100, 1_000])
def test_the_p_values_are_the_same_when_asked_again_and_for_any_block_size(at_once, monkeypatch):
    asked = {"studies": 150, "draws": 300}
    first = study_p_values(OBSERVED, 0.3, 25, **asked).tolist()
    assert study_p_values(OBSERVED, 0.3, 25, **asked).tolist() == first
    monkeypatch.setattr(resampled_power, "_AT_ONCE", at_once)
    assert study_p_values(OBSERVED, 0.3, 25, **asked).tolist() == first


@pytest.mark.parametrize("studies", [1, 99, 100, 101, 250])
def test_the_callback_hears_rising_shares_that_end_at_one(studies):
    shares = []
    found = study_p_values(OBSERVED, 0.3, 5, studies=studies, done=shares.append)
    assert found.shape == (studies,)
    assert shares == sorted(set(shares))
    assert shares[-1] == 1.0
    assert len(shares) == -(-studies // 100)


def test_differences_without_spread_are_all_moved_to_the_worth():
    gains = np.full(3, 0.7)
    assert study_p_values(gains, 0.1, 6, studies=3).tolist() == [2 / 64] * 3


def test_differences_without_spread_and_worth_are_never_significant():
    assert study_p_values(np.full(4, 0.25), 0.0, 30, studies=20).tolist() == [1.0] * 20


def test_a_loss_is_found_as_often_as_the_mirrored_gain():
    asked = {"studies": 150, "draws": 300}
    losses = study_p_values(-OBSERVED, -0.3, 25, **asked)
    assert study_p_values(OBSERVED, 0.3, 25, **asked).tolist() == losses.tolist()


@pytest.mark.parametrize(
    ("d_z", "n", "alpha"),
    [
        (0.36, 40, 0.05),
        (0.36, 84, 0.05 / 3),
        (0.5, 20, 0.05),
        (-0.25, 84, 0.05),
        (1.0, 12, 0.05),
    ],
)
def test_on_normal_differences_the_simulated_power_is_the_closed_form(d_z, n, alpha):
    studies = 2_000
    found = significant_studies(standard_normal(), d_z, n, alpha=alpha, studies=studies, draws=4_000) / studies
    expected = float(paired_power(d_z, n, alpha))
    assert abs(found - expected) <= 4 * (expected * (1 - expected) / studies) ** 0.5 + 0.01


@pytest.mark.parametrize(("n", "alpha"), [(15, 0.05), (40, 0.05), (40, 0.2)])
def test_without_worth_the_power_is_the_size_of_the_test(n, alpha):
    studies = 2_000
    found = significant_studies(standard_normal(), 0.0, n, alpha=alpha, studies=studies, draws=4_000) / studies
    assert abs(found - alpha) <= 4 * (alpha * (1 - alpha) / studies) ** 0.5


def test_more_worth_and_more_questions_are_significant_more_often():
    asked = {"alpha": 0.05, "studies": 400, "draws": 500}
    by_worth = [significant_studies(OBSERVED, worth, 30, **asked) for worth in (0.0, 0.15, 0.3, 0.6)]
    by_size = [significant_studies(OBSERVED, 0.2, n, **asked) for n in (8, 20, 40, 80)]
    assert by_worth == sorted(by_worth)
    assert by_size == sorted(by_size)
    assert by_worth[0] < 40 < 380 < by_worth[-1]


@pytest.mark.parametrize(
    ("n", "expected"),
    [(1, 2_000), (250, 2_000), (251, 1_992), (1_000, 500), (2_500, 200), (2_501, 200), (1_000_000, 200)],
)
def test_fewer_studies_are_simulated_when_each_is_large_and_never_fewer_than_two_hundred(n, expected):
    assert studies_for(n) == expected


def test_the_studies_also_depend_on_the_draws_and_on_how_many_are_wanted():
    assert studies_for(1_000, draws=10_000) == 1_000
    assert studies_for(40, studies=500) == 500
    assert studies_for(40, studies=50) == 200

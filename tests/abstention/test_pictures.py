from math import isclose

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import gaussian_kde, norm

from evalcore.abstention.cost import Costs
from evalcore.abstention.density import density
from evalcore.abstention.mixes import MIXES, SETTINGS
from evalcore.abstention.sweep import ruler
from tests.abstention.toy import scored, toy


def silverman(scores):
    """0.9 min(sd, IQR / 1.34) n^(-1/5), a spread of 0 left out."""
    low, high = np.percentile(scores, [25, 75])
    spreads = [spread for spread in (np.std(scores), (high - low) / 1.34) if spread > 0]
    return 0.9 * min(spreads) / len(scores) ** (1 / 5)


def groups():
    rng = np.random.default_rng(11)
    return {
        "normal": rng.normal(0.5, 0.1, 40),
        "skewed": rng.exponential(5, 24),
        "two": np.array([0.2, 0.9]),
        "few apart": np.array([0.5, 0.5, 0.5, 0.5, 0.5, 0.9]),
        "toy": toy().scores[toy().answerable],
    }


@pytest.mark.parametrize("name", groups())
def test_a_density_is_scipys_at_silvermans_bandwidth(name):
    scores = groups()[name]
    grid = np.linspace(scores.min() - 1, scores.max() + 1, 501)
    theirs = gaussian_kde(scores, bw_method=silverman(scores) / np.std(scores, ddof=1))
    assert density(scores, grid) == pytest.approx(theirs(grid), abs=1e-9)


@pytest.mark.parametrize("name", groups())
def test_a_density_integrates_to_one(name):
    scores = groups()[name]
    reach = 8 * silverman(scores)
    grid = np.linspace(scores.min() - reach, scores.max() + reach, 20_001)
    assert np.trapezoid(density(scores, grid), grid) == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize("scores", [[0.5], [0.5, 0.5, 0.5], [0.25] * 8])
def test_a_constant_group_is_one_bell_a_hundredth_of_the_grid_wide(scores):
    grid = np.linspace(0, 2, 4001)
    found = density(np.array(scores), grid)
    assert found == pytest.approx(norm.pdf(grid, scores[0], 0.02), abs=1e-9)
    assert np.trapezoid(found, grid) == pytest.approx(1, abs=1e-6)


def test_the_order_of_scores_changes_no_density():
    scores, grid = groups()["normal"], np.linspace(0, 1, 50)
    assert density(scores[::-1], grid) == pytest.approx(density(scores, grid), abs=1e-12)


def reach(*scores):
    return ruler(scored([True, *[False] * (len(scores) - 1)], scores).sweep)


def holds(found, low, high):
    """A range in steps of a power of ten with both ends outside the scores, each by at most two steps."""
    assert found.low < low
    assert high < found.high
    assert low - found.low <= 2.001 * found.step
    assert found.high - high <= 2.001 * found.step
    assert isclose(np.log10(found.step), round(np.log10(found.step)), abs_tol=1e-9)
    assert found.digits == max(0, -round(np.log10(found.step)))
    for end in (found.low, found.high):
        assert end == round(end, found.digits)


@pytest.mark.parametrize(
    "scores",
    [(0.36, 0.88), (0.0, 1.0), (-3.2, 17.9), (0.4692, 0.4693), (1000.0, 250_000.0), (-0.5, -0.4), (0.0, 1e-6)],
)
def test_a_ruler_has_at_least_a_hundred_steps_and_ends_outside_the_scores(scores):
    found = reach(*scores)
    holds(found, *scores)
    assert (scores[1] - scores[0]) / found.step >= 100 - 1e-9
    assert (scores[1] - scores[0]) / found.step < 1001


@given(st.floats(-100, 100), st.floats(0.001, 1000))
def test_any_ruler_has_at_least_a_hundred_steps(low, span):
    high = low + span
    found = reach(low, high)
    assert (found.low < low, found.high > high) == (True, True)
    assert round((found.high - found.low) / found.step) >= 100


@pytest.mark.parametrize("score", [0.0, 0.5, -2.25, 12.3456])
def test_a_constant_score_has_a_ruler_of_thousandths_around_it(score):
    found = reach(score, score, score)
    assert (found.step, found.digits) == (0.001, 3)
    holds(found, score, score)


def test_the_toy_runs_ruler():
    found = ruler(toy().sweep)
    low, high = toy().scores.min(), toy().scores.max()
    assert found.step == 0.001
    holds(found, low, high)


def test_the_example_mixes_and_settings_are_named_once_and_lie_in_their_ranges():
    shares = [mix.share for mix in MIXES]
    assert shares == sorted(shares) == [0.05, 0.10, 0.20, 0.50]
    assert len({mix.name for mix in MIXES}) == len(MIXES)
    assert [setting.costs for setting in SETTINGS] == [Costs(1, 1), Costs(3, 1), Costs(20, 1)]
    assert len({setting.name for setting in SETTINGS}) == len(SETTINGS)

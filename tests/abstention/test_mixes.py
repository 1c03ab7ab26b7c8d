from fractions import Fraction

import numpy as np
import pytest

from evalcore.abstention.cost import unsupported_by_mix, unsupported_share
from evalcore.evidence import Basis
from tests.abstention.toy import scored, toy

SHARES = np.linspace(0, 1, 21)


def drawn(seed):
    """A file of 30 questions whose scores tie often."""
    rng = np.random.default_rng(seed)
    answerable = rng.permutation([True] * 18 + [False] * 12)
    return scored(answerable.tolist(), rng.integers(0, 9, 30).tolist())


RUNS = {"toy": toy(), "first": drawn(1), "second": drawn(2)}


@pytest.mark.parametrize("error", [0.0, 0.05, 1.0])
@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
def test_the_unsupported_share_by_mix_is_that_of_each_candidate_at_each_share(run, error):
    swept = run.sweep
    by_mix = [unsupported_by_mix(swept, at, SHARES, generation_error=error) for at in range(len(swept))]
    by_share = [unsupported_share(swept, float(share), generation_error=error) for share in SHARES]
    assert np.array(by_mix) == pytest.approx(np.array(by_share).T, abs=1e-12, nan_ok=True)
    assert np.isnan(by_mix[-1]).all()  # refuse everything
    assert not np.isnan(by_mix[0]).any()


def test_by_mix_where_everything_is_answered_the_unsupported_share_is_the_mix():
    assert unsupported_by_mix(toy().sweep, 0, SHARES) == pytest.approx(SHARES)
    assert unsupported_by_mix(toy().sweep, 0, SHARES[:1]).shape == (1,)


def test_by_mix_at_the_toy_runs_threshold_the_shares_are_those_worked_by_hand():
    # at 0.45, 2 of 6 unanswerable and 8 of 10 answerable questions are served
    shares = [Fraction(1, 20), Fraction(1, 10), Fraction(1, 2)]
    exact = [float(p * Fraction(1, 3) / (p * Fraction(1, 3) + (1 - p) * Fraction(4, 5))) for p in shares]
    found = unsupported_by_mix(toy().sweep, toy().sweep.at(0.45), np.array(shares, dtype=float))
    assert found == pytest.approx(exact)


@pytest.mark.parametrize("share", [0.0, 0.05, 0.1, 0.375, 0.5, 1.0])
@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
def test_the_refused_share_is_both_refusal_rates_weighted_by_the_mix(run, share):
    for at in range(len(run.sweep)):
        expected = share * run.correct_abstention(at).value + (1 - share) * run.false_abstention(at).value
        assert run.refused_at(at, share).value == pytest.approx(expected, abs=1e-12)


def test_the_refused_share_is_assumed_without_an_interval_and_says_at_which_mix():
    refused = toy().refused_at(toy().sweep.at(0.45), 0.1)
    assert refused.value == pytest.approx(0.1 * 4 / 6 + 0.9 * 2 / 10)
    assert (refused.basis, refused.low, refused.high) == (Basis.ASSUMED, None, None)
    assert refused.reason == "no interval is given at an assumed share of traffic"
    assert "unanswerable share of traffic 0.100" in refused.method
    assert [source.chosen_by for source in refused.sources] == [None, "whoever set the controls"]


@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
def test_the_trivial_rules_refuse_nothing_and_everything(run):
    for share in (0.0, 0.1, 1.0):
        assert run.refused_at(0, share).value == pytest.approx(0)
        assert run.refused_at(len(run.sweep) - 1, share).value == 1

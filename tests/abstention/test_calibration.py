from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.abstention.calibration import Calibration, reweighted
from evalcore.abstention.cost import Costs
from evalcore.evidence import Basis
from evalcore.stats.logistic import cross_fitted
from tests.abstention.toy import scored, toy
from tests.oracle import EXTRA

INNER = st.integers(1, 19).map(lambda i: i / 20)
SEPARATE = "the scores separate the two kinds of question perfectly, so that no finite fit is the best"
NOISY = np.random.default_rng(57)
MANY = scored([1] * 40 + [0] * 24, [*NOISY.normal(1.2, 1, 40), *NOISY.normal(0, 1, 24)])


@pytest.mark.parametrize("case", EXTRA["bayes_reweighting"]["cases"], ids=lambda case: str(case["pi"]))
def test_reweighting_gives_the_worked_probabilities(case):
    assert reweighted(np.array([case["q"]]), case["pi0"], case["pi"])[0] == pytest.approx(case["q_at_pi"], abs=5e-7)


@given(INNER, INNER, INNER)
def test_reweighting_is_bayes_rule(q, share0, share):
    yes, no = q / (1 - share0) * (1 - share), (1 - q) / share0 * share
    assert reweighted(np.array([q]), share0, share)[0] == pytest.approx(yes / (yes + no))


@given(INNER, INNER, INNER)
def test_reweighting_there_and_back_changes_nothing_and_to_the_same_mix_neither(q, share0, share):
    there = reweighted(np.array([q]), share0, share)
    assert reweighted(there, share, share0)[0] == pytest.approx(q)
    assert reweighted(np.array([q]), share0, share0)[0] == pytest.approx(q)


@pytest.mark.parametrize("q", [0.0, 1.0])
def test_certainty_stays_certain_at_every_mix(q):
    assert reweighted(np.array([q]), 0.375, 0.05).tolist() == [q]


def test_traffic_of_one_kind_leaves_no_doubt():
    q = np.array([0.2, 0.8])
    assert reweighted(q, 0.375, 0.0).tolist() == [1.0, 1.0]
    assert reweighted(q, 0.375, 1.0).tolist() == [0.0, 0.0]


@pytest.mark.parametrize("share", [-0.1, 1.2, float("nan")])
def test_what_is_no_share_is_refused(share):
    with pytest.raises(ValueError, match="is not a share"):
        reweighted(np.array([0.5]), 0.375, share)


@pytest.mark.parametrize("share", [None, 0.05, 0.1, 0.375, 0.6])
@pytest.mark.parametrize("costs", [Costs(3, 1), Costs(1, 1), Costs(1, 4)], ids=str)
def test_at_the_cut_q_equals_the_ratio_of_costs(costs, share):
    calibration = Calibration.of(toy())
    at = np.array([calibration.cut(costs, share).value])
    assert calibration.q(at, share)[0] == pytest.approx(costs.unsupported / (costs.unsupported + costs.refusal))


def test_at_the_cut_the_likelihood_ratio_is_the_prior_odds_times_the_ratio_of_costs():
    calibration, share0, share = Calibration.of(toy()), 6 / 16, 0.1
    q = calibration.q(np.array([calibration.cut(Costs(3, 1), share).value]))[0]
    assert q / (1 - q) * share0 / (1 - share0) == pytest.approx(share / (1 - share) * 3)


def test_no_share_is_the_files_own_share():
    calibration = Calibration.of(toy())
    assert calibration.cut(Costs(3, 1)).value == pytest.approx(calibration.cut(Costs(3, 1), 0.375).value)
    scores = np.array([0.3, 0.5])
    assert calibration.q(scores) == pytest.approx(calibration.q(scores, 0.375))


def test_a_cut_is_assumed_says_whose_costs_and_why_it_has_no_interval():
    cut = Calibration.of(toy()).cut(Costs(3, 1), 0.1)
    assert (cut.basis, cut.low, cut.n) == (Basis.ASSUMED, None, 16)
    assert cut.method == "score where q = 0.750, logistic regression, maximum likelihood"
    assert cut.sources[1].name == "costs 3 : 1, unanswerable share 0.100"
    assert cut.sources[1].chosen_by
    assert cut.reason.startswith("no interval: ")
    assert "the file's mix" in Calibration.of(toy()).cut(Costs(3, 1)).sources[1].name


@pytest.mark.parametrize("costs", [Costs(0, 1), Costs(1, 0)], ids=["answers cost nothing", "refusals cost nothing"])
def test_with_one_cost_at_zero_there_is_no_cut(costs):
    cut = Calibration.of(toy()).cut(costs)
    assert (cut.value, cut.basis) == (None, Basis.NOT_ASSESSED)
    assert cut.reason == "with one cost at 0 every threshold, or none, is right"


FALLS = scored([0, 0, 1, 0, 1, 1], [0.9, 0.8, 0.7, 0.6, 0.5, 0.1])
APART = scored([1, 1, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.5])
CONSTANT = scored([1, 0, 1, 0], [0.5, 0.5, 0.5, 0.5])


@pytest.mark.parametrize(
    ("run", "why"),
    [
        (FALLS, "answerability does not rise with this score, so no cut on q is a threshold"),
        (APART, SEPARATE),
        (CONSTANT, "a score never varies, or repeats another"),
    ],
    ids=["falls", "apart", "constant"],
)
def test_a_score_without_a_usable_fit_says_why_everywhere(run, why):
    calibration = Calibration.of(run)
    assert (calibration.fit, calibration.reason) == (None, why)
    assert calibration.q(np.array([0.5])) is None
    assert calibration.q(np.array([0.5]), 0.1) is None
    cut = calibration.cut(Costs(3, 1), 0.1)
    assert (cut.value, cut.basis, cut.reason) == (None, Basis.NOT_ASSESSED, why)


@pytest.mark.parametrize("run", [APART, CONSTANT, scored([1, 1, 0], [0.9, 0.2, 0.5])], ids=["apart", "constant", "few"])
def test_where_a_fold_has_no_fit_there_is_no_reliability_diagram(run):
    assert Calibration.of(run).reliability == ()


@pytest.mark.parametrize("run", [toy(), MANY], ids=["toy", "40 and 24"])
def test_reliability_bins_hold_every_question_once(run):
    calibration = Calibration.of(run)
    bins, q = calibration.reliability, cross_fitted(run.scores, run.answerable, folds=calibration.folds)
    n = len(q)
    sizes = [b.observed.n for b in bins]
    assert sum(sizes) == n
    assert max(sizes) - min(sizes) <= 1
    assert sum(round(b.observed.value * b.observed.n) for b in bins) == run.answerable.sum()
    assert sum(b.predicted * b.observed.n for b in bins) == pytest.approx(q.sum())
    for b in bins:
        assert 0 <= b.predicted <= 1
        assert 0 <= b.observed.low <= b.observed.value <= b.observed.high <= 1
        assert (b.observed.method, b.observed.basis) == ("Wilson", Basis.RETRIEVAL)


def test_reliability_bins_group_neighbours_in_q():
    calibration = Calibration.of(MANY)
    q = cross_fitted(MANY.scores, MANY.answerable, folds=8)
    assert len(set(q)) == 64
    ranked = sorted(zip(q.tolist(), MANY.answerable.tolist(), strict=True))
    start = 0
    for b in calibration.reliability:
        members = ranked[start : start + b.observed.n]
        assert b.predicted == pytest.approx(sum(p for p, _ in members) / len(members))
        assert b.observed.value == pytest.approx(sum(a for _, a in members) / len(members))
        start += b.observed.n


def test_folds_are_eight_or_as_many_as_the_smaller_kind_has_questions():
    assert [Calibration.of(run).folds for run in (MANY, toy(), APART)] == [8, 6, 2]


def test_the_isotonic_check_rises_with_the_score_and_is_of_the_whole_file():
    distinct, shares = Calibration.of(scored([0, 1, 0, 1], [0.1, 0.2, 0.3, 0.4])).isotonic
    assert (distinct.tolist(), shares.tolist()) == ([0.1, 0.2, 0.3, 0.4], [0.0, 0.5, 0.5, 1.0])


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_at_a_share_of_nought_or_one_there_is_no_cut_and_it_says_why(share):
    cut = Calibration.of(toy()).cut(Costs(3, 1), share)
    assert cut.value is None
    assert cut.reason == "at a share of 0 every question is answerable, at 1 none is, whatever its score"


def test_questions_of_equal_q_stay_in_one_group_whatever_their_ids():
    answerable, scores = [1] * 20 + [0] * 10 + [1] * 10 + [0] * 20, [0.9] * 30 + [0.1] * 30
    shuffled = [(i * 7) % 60 for i in range(60)]
    one = Calibration.of(scored(answerable, scores)).reliability
    two = Calibration.of(scored([answerable[i] for i in shuffled], [scores[i] for i in shuffled])).reliability
    assert sum(b.observed.n for b in one) == sum(b.observed.n for b in two) == 60
    for bins in (one, two):
        assert all(0 <= b.predicted <= 1 for b in bins)


def test_a_constant_score_is_called_constant_and_not_separation():
    fitted = Calibration.of(scored([1, 1, 0], [0.1, 0.1, 0.1]))
    assert fitted.reason == "a score never varies, or repeats another"


def test_a_score_made_from_these_labels_has_no_reliability_of_its_own():
    run = toy()
    assert Calibration.of(run).reliability
    assert Calibration.of(replace(run, made_from_labels=True)).reliability == ()

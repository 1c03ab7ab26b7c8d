import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.stats.auc import auc
from evalcore.stats.logistic import (
    FOLDS,
    Logistic,
    NotFittedError,
    cross_fitted,
    fit_logistic,
    isotonic,
    stratified_folds,
)
from tests.abstention.toy import toy
from tests.oracle import EXTRA

KIND = np.array([True] * 40 + [False] * 24)
SEPARATE = "the scores separate the two kinds of question perfectly, so that no finite fit is the best"
NEVER_VARIES = "a score never varies, or repeats another"


def drawn(seed, n=60, k=1):
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(n, k)) * 10.0 ** rng.integers(-2, 3, k) + rng.normal(size=k)
    signal = (features - features.mean(axis=0)) / features.std(axis=0) @ rng.normal(size=k)
    return features, rng.random(n) < 1 / (1 + np.exp(-signal))


def noise(seed):
    return np.random.default_rng(seed).normal(size=len(KIND))


@pytest.mark.parametrize("k", [1, 3])
@pytest.mark.parametrize("seed", range(6))
def test_the_fit_is_the_binomial_generalised_linear_model(seed, k):
    from statsmodels.genmod.families import Binomial
    from statsmodels.genmod.generalized_linear_model import GLM

    features, positive = drawn(seed, k=k)
    ours = fit_logistic(features, positive)
    design = np.column_stack([np.ones(len(features)), features])
    theirs = GLM(positive.astype(float), design, family=Binomial()).fit(tol=1e-14)
    assert [ours.intercept, *ours.slopes] == pytest.approx(theirs.params.tolist(), rel=1e-6, abs=1e-8)
    assert ours.predict(features) == pytest.approx(theirs.fittedvalues, abs=1e-9)


def test_the_fit_of_the_toy_run_is_the_worked_one():
    run, worked = toy(), EXTRA["toy_run_more"]["logistic_maximum_likelihood"]
    fit = fit_logistic(run.scores, run.answerable)
    assert (fit.intercept, *fit.slopes) == pytest.approx((worked["intercept"], worked["slope"]), abs=1e-5)
    assert fit.where(0.75) == pytest.approx(worked["score_where_q_is_0_75"]["file_mix"], abs=1e-6)


@given(st.integers(0, 500))
@settings(max_examples=25)
def test_fitted_probabilities_average_to_the_share_of_positives(seed):
    features, positive = drawn(seed)
    try:
        predicted = fit_logistic(features, positive).predict(features)
    except NotFittedError:
        assert positive.all() or not positive.any() or abs(np.corrcoef(features[:, 0], positive)[0, 1]) > 0.7
        return
    assert predicted.mean() == pytest.approx(positive.mean())
    assert predicted @ features[:, 0] == pytest.approx(positive @ features[:, 0], abs=1e-6)


def test_a_shift_and_a_change_of_unit_move_the_fit_with_them():
    features, positive = drawn(3)
    one, other = fit_logistic(features, positive), fit_logistic(1000 * features + 7, positive)
    assert other.slopes[0] == pytest.approx(one.slopes[0] / 1000)
    assert other.predict(1000 * features + 7) == pytest.approx(one.predict(features))


def test_one_feature_may_come_as_a_column_or_as_a_list():
    features, positive = drawn(3)
    assert fit_logistic(features[:, 0], positive) == fit_logistic(features, positive)


def test_prediction_is_the_logistic_function_of_the_line():
    fit = Logistic(-1.0, (2.0, 0.5))
    assert fit.predict(np.array([[0.5, 0.0], [1.0, -2.0], [0.0, 2.0 + 2 * np.log(3)]])) == pytest.approx(
        [0.5, 0.5, 0.75]
    )


def test_where_gives_back_the_score_of_a_probability():
    fit = Logistic(-6.0, (12.0,))
    assert fit.where(0.5) == pytest.approx(0.5)
    assert fit.predict(np.array([fit.where(0.9)]))[0] == pytest.approx(0.9)
    assert Logistic(0.3, (0.0,)).where(0.5) is None


@pytest.mark.parametrize(
    ("features", "positive", "why"),
    [
        ([1, 2, 3, 4], [1, 1, 1, 1], "only one kind of question is there"),
        ([1, 2, 3, 4], [0, 0, 0, 0], "only one kind of question is there"),
        ([5, 5, 5, 5], [1, 0, 1, 0], NEVER_VARIES),
        ([[1, 2], [2, 4], [4, 8], [3, 6]], [1, 0, 1, 0], NEVER_VARIES),
        ([[1, 9], [2, 9], [4, 9], [3, 9]], [1, 0, 1, 0], NEVER_VARIES),
        ([1, 2, 3, 4], [0, 0, 1, 1], SEPARATE),
        ([1, 2, 3, 4], [1, 1, 0, 0], SEPARATE),
        ([1, 2, 2, 3], [0, 0, 1, 1], SEPARATE),
        ([1, 2, 2, 2, 3], [1, 1, 0, 0, 0], SEPARATE),
        ([[0, 1], [1, 0], [2, 2], [3, 1], [1, 3], [4, 5]], [0, 0, 1, 1, 1, 1], SEPARATE),
        ([[1, 0.1], [1, 0.5], [0, 0.2], [0, 0.9], [0, 0.4], [0, 0.3]], [1, 1, 0, 1, 0, 1], SEPARATE),
    ],
    ids=["all yes", "all no", "constant", "repeated", "one constant", "apart", "apart the other way",
         "a shared value at the cut", "the same the other way", "apart in the plane", "a corner of one kind"],
)  # fmt: skip
def test_what_has_no_finite_fit_says_why(features, positive, why):
    with pytest.raises(NotFittedError) as caught:
        fit_logistic(np.array(features, dtype=float), np.array(positive, dtype=bool))
    assert str(caught.value) == why


def test_one_overlap_is_enough_for_a_fit():
    fit = fit_logistic(np.array([1.0, 2.0, 3.0, 4.0]), np.array([False, True, False, True]))
    assert fit.slopes[0] > 0


@given(st.integers(2, 8), st.integers(8, 40), st.integers(8, 40), st.integers(0, 99))
def test_folds_spread_each_kind_evenly(folds, yes, no, seed):
    positive = np.random.default_rng(seed).permutation(np.arange(yes + no) < yes)
    fold_of = stratified_folds(positive, folds=folds, seed=seed)
    assert set(fold_of) == set(range(folds))
    for kind in (positive, ~positive):
        sizes = np.bincount(fold_of[kind], minlength=folds)
        assert sizes.max() - sizes.min() <= 1
        assert sizes.sum() == kind.sum()


def test_the_seed_alone_decides_the_folds():
    one, again = stratified_folds(KIND, seed=5), stratified_folds(KIND, seed=5)
    assert one.tolist() == again.tolist()
    assert one.tolist() != stratified_folds(KIND, seed=6).tolist()
    assert one[KIND].tolist() != (np.arange(40) % FOLDS).tolist()  # shuffled, not dealt in the order of rows


def test_folds_are_dealt_from_one_stream_positives_first():
    rng, expected = np.random.default_rng(11), np.empty(64, dtype=int)
    for members in (np.arange(40), np.arange(40, 64)):
        for place, question in enumerate(rng.permutation(members)):
            expected[question] = place % 8
    assert stratified_folds(KIND, folds=8, seed=11).tolist() == expected.tolist()


def test_fewer_questions_of_a_kind_than_folds_are_refused():
    with pytest.raises(NotFittedError, match=r"^fewer than 8 questions of one kind, for 8 folds$"):
        stratified_folds(np.arange(20) < 7)
    assert len(stratified_folds(np.arange(20) < 8)) == 20


def test_cross_fitting_predicts_each_fold_from_the_others():
    score = noise(1) + KIND
    fold_of, expected = stratified_folds(KIND, folds=4, seed=3), np.empty(len(KIND))
    for fold in range(4):
        fit = fit_logistic(score[fold_of != fold], KIND[fold_of != fold])
        for i in np.flatnonzero(fold_of == fold):
            expected[i] = 1 / (1 + np.exp(-(fit.intercept + fit.slopes[0] * score[i])))
    assert cross_fitted(score, KIND, folds=4, seed=3) == pytest.approx(expected)


@pytest.mark.parametrize("question", [0, 17, 39, 40, 63])
def test_no_question_s_prediction_depends_on_its_own_label(question, monkeypatch):
    score, flipped = noise(2) + KIND, KIND.copy()
    flipped[question] = not flipped[question]
    folds = stratified_folds(KIND)
    before = cross_fitted(score, KIND)
    monkeypatch.setattr("evalcore.stats.logistic.stratified_folds", lambda *_, **__: folds)
    after = cross_fitted(score, flipped)
    assert after[question] == before[question]
    assert (after != before).sum() == (folds != folds[question]).sum()


def test_a_fold_without_a_finite_fit_says_why():
    with pytest.raises(NotFittedError, match="separate the two kinds of question perfectly"):
        cross_fitted(np.arange(64.0), np.arange(64) < 40)


def leave_one_out(score):
    predicted = np.empty(len(KIND))
    for i in range(len(KIND)):
        rest = np.arange(len(KIND)) != i
        predicted[i] = fit_logistic(score[rest], KIND[rest]).predict(score[[i]])[0]
    return predicted


def test_on_noise_folds_hold_the_auc_near_one_half_where_leaving_one_out_sinks_it():
    def area(predicted):
        return auc(predicted[KIND], predicted[~KIND]).interval.value

    in_folds = np.mean([area(cross_fitted(noise(seed), KIND)) for seed in range(60)])
    one_out = np.mean([area(leave_one_out(noise(seed))) for seed in range(20)])
    assert 0.42 < in_folds < 0.55
    assert one_out < 0.4


def scores_and_labels():
    return st.lists(st.tuples(st.integers(0, 6), st.booleans()), min_size=1, max_size=20)


@given(scores_and_labels())
def test_isotonic_shares_are_those_of_the_min_max_formula(rows):
    distinct, shares = isotonic(np.array([s for s, _ in rows], dtype=float), np.array([p for _, p in rows]))
    values = sorted({s for s, _ in rows})
    assert distinct.tolist() == values

    def mean(first, last):
        inside = [p for s, p in rows if values[first] <= s <= values[last]]
        return sum(inside) / len(inside)

    places = range(len(values))
    expected = [max(min(mean(a, b) for b in places if b >= i) for a in places if a <= i) for i in places]
    assert shares.tolist() == pytest.approx(expected)
    assert (np.diff(shares) >= 0).all()


def test_isotonic_weighs_a_score_by_its_questions():
    distinct, shares = isotonic(np.array([1.0, 2.0, 2.0, 2.0]), np.array([True, False, False, True]))
    assert (distinct.tolist(), shares.tolist()) == ([1.0, 2.0], [0.5, 0.5])

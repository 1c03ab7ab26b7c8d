"""The published scores are the ones that vectors, texts and a fit give when computed again."""

from collections import Counter

import numpy as np
import pytest
from scipy.optimize import minimize

from tests.independent import data
from tests.independent.ranking import per_question
from tests.independent.retrieval import vectors
from tests.independent.scores import (
    ANSWERABLE,
    OFF_TOPIC,
    UNANSWERABLE,
    classes,
    combined,
    combined_off_topic,
    features,
    fitted,
    folds,
    simple,
)

SCORE_GAP = 1e-5
FIT_GAP = 1e-4
SIMPLE = ("dense_top1", "best_sentence", "bm25_top1", "hybrid_top1", "dense_margin")
FILES = {ANSWERABLE: "scores", UNANSWERABLE: "scores", OFF_TOPIC: "off_topic_scores"}


def stated(file, score, questions):
    return np.array([float(data.table(file)[question][score]) for question in questions])


def apart(file, score, computed):
    """{question: (stated, computed, gap)} where the two differ by more than the score may."""
    limit = FIT_GAP if score == "combined" else SCORE_GAP
    pairs = zip(computed, stated(file, score, computed).tolist(), computed.values(), strict=True)
    return {question: (said, found, said - found) for question, said, found in pairs if abs(said - found) > limit}


@pytest.mark.parametrize("score", SIMPLE)
@pytest.mark.parametrize("name", FILES)
def test_a_score_without_a_fit_follows_from_the_vectors_and_the_texts(name, score):
    computed = {question: row[score] for question, row in simple(name).items()}
    assert apart(FILES[name], score, computed) == {}
    assert len(apart(FILES[name], score, {q: value + 2.1 * SCORE_GAP for q, value in computed.items()})) == len(
        computed
    )


def test_the_combined_score_is_the_cross_fitted_probability():
    assert apart("scores", "combined", combined()) == {}


def test_the_combined_score_of_an_off_topic_question_comes_from_one_fit_on_all_the_others():
    assert apart("off_topic_scores", "combined", combined_off_topic()) == {}


def test_the_hit_is_success_at_5_of_the_hybrid_ranker_and_stands_with_answerable_questions_only():
    found = per_question("hybrid", "Success@5").astype(int).astype(str)
    hits = dict(zip(data.question_ids(), found, strict=True)) | dict.fromkeys(simple(UNANSWERABLE), "")
    assert {question: row["hit"] for question, row in data.table("scores").items()} == hits


def test_the_rows_are_the_questions_of_the_study_each_in_its_class():
    labels = {question: str(int(answerable)) for question, answerable in classes().items()}
    assert {question: row["answerable"] for question, row in data.table("scores").items()} == labels
    assert list(data.table("off_topic_scores")) == list(simple(OFF_TOPIC))


def test_the_columns_are_the_declared_scores():
    declared = [name for name in data.unanswerable_plan()["scores"] if name != "primary"]
    assert all(list(row) == ["answerable", *declared, "hit"] for row in data.table("scores").values())
    assert all(list(row) == declared for row in data.table("off_topic_scores").values())


def test_the_sentences_are_numbered_within_every_passage():
    counts = Counter(name.rsplit("-", 1)[0] for name in vectors("sentences")[0])
    numbered = [f"{chunk['id']}-{n:02}" for chunk in data.chunks() for n in range(1, counts[chunk["id"]] + 1)]
    assert vectors("sentences")[0] == numbered
    assert set(counts) == {chunk["id"] for chunk in data.chunks()}


def test_the_folds_hold_as_many_of_each_class_as_can_be():
    count = data.unanswerable_plan()["combined"]["folds"]
    for name in (ANSWERABLE, UNANSWERABLE):
        held = Counter(folds()[question] for question in simple(name))
        assert set(held) == set(range(count))
        assert max(held.values()) - min(held.values()) <= 1


def test_the_fit_is_the_minimum_of_the_log_loss():
    rows, answerable = list((simple(ANSWERABLE) | simple(UNANSWERABLE)).values()), np.array(list(classes().values()))
    x, sign = features(rows), 2 * answerable - 1
    centred = np.column_stack([x[:, :1], (x[:, 1:] - x[:, 1:].mean(axis=0)) / x[:, 1:].std(axis=0)])
    found = minimize(lambda beta: np.logaddexp(0, -sign * (centred @ beta)).sum(), np.zeros(x.shape[1]), tol=1e-10)
    assert np.allclose(fitted(rows, answerable)(rows), 1 / (1 + np.exp(-centred @ found.x)), rtol=0, atol=1e-5)

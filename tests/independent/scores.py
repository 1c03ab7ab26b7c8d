"""The scores of every question, from the stored vectors and the texts."""

from functools import cache

import numpy as np
from statsmodels.discrete.discrete_model import Logit

from tests.independent import data
from tests.independent.ranking import ranked
from tests.independent.retrieval import bm25, cosines, fused

ANSWERABLE, UNANSWERABLE, OFF_TOPIC = "questions", "unanswerable", "off_topic"
TEXTS = {ANSWERABLE: "questions", UNANSWERABLE: "unanswerable/questions", OFF_TOPIC: "unanswerable/off_topic"}


def of_question(text, passages, sentences):
    """The five scores that need no fit, from a question's text and its cosines."""
    nearest, second = sorted(passages.values(), reverse=True)[:2]
    words = bm25(text)
    both = fused([ranked(words), ranked(passages)], data.plan()["rankers"]["hybrid"]["constant"])
    return {
        "dense_top1": nearest,
        "best_sentence": max(sentences.values()),
        "bm25_top1": max(words.values(), default=0.0),
        "hybrid_top1": max(both.values()),
        "dense_margin": nearest - second,
    }


@cache
def simple(name):
    """{question: {score: value}} of one set of questions, ascending by id as bytes."""
    passages, sentences = cosines("chunks", name), cosines("sentences", name)
    texts = {row["id"]: row["text"] for row in data.rows(TEXTS[name])}
    assert set(texts) == set(passages) == set(sentences)
    return {q: of_question(texts[q], passages[q], sentences[q]) for q in data.by_bytes(texts)}


# The probability that a question is answerable.


def features(rows):
    chosen = data.unanswerable_plan()["combined"]["features"]
    return np.array([[1.0, *(row[name] for name in chosen)] for row in rows])


def fitted(rows, answerable):
    """Unpenalised maximum likelihood, as a function of other questions."""
    model = Logit(np.array(answerable, dtype=float), features(rows)).fit(disp=False)
    assert model.mle_retvals["converged"]
    return lambda others: model.predict(features(others))


def classes():
    """{question: whether it is answerable}, the answerable first, each class ascending."""
    return dict.fromkeys(simple(ANSWERABLE), True) | dict.fromkeys(simple(UNANSWERABLE), False)


@cache
def folds():
    """{question: fold}: each class shuffled, then dealt out in turn."""
    rule = data.unanswerable_plan()["combined"]
    rng, dealt = np.random.default_rng(rule["seed"]), {}
    for name in (ANSWERABLE, UNANSWERABLE):
        shuffled = rng.permutation(list(simple(name))).tolist()
        dealt |= {question: place % rule["folds"] for place, question in enumerate(shuffled)}
    return dealt


def of_fold(fold):
    """The questions of one fold, by a fit on all the others."""
    rows, answerable = simple(ANSWERABLE) | simple(UNANSWERABLE), classes()
    held = [question for question in rows if folds()[question] == fold]
    others = [question for question in rows if folds()[question] != fold]
    model = fitted([rows[q] for q in others], [answerable[q] for q in others])
    return dict(zip(held, model([rows[q] for q in held]).tolist(), strict=True))


@cache
def combined():
    """{question: probability}, cross-fitted."""
    probabilities = {}
    for fold in range(data.unanswerable_plan()["combined"]["folds"]):
        probabilities |= of_fold(fold)
    return probabilities


@cache
def combined_off_topic():
    """{question: probability} of the questions in no fold, by one fit on all the others."""
    rows = simple(ANSWERABLE) | simple(UNANSWERABLE)
    model = fitted(list(rows.values()), [classes()[question] for question in rows])
    others = simple(OFF_TOPIC)
    return dict(zip(others, model(list(others.values())).tolist(), strict=True))

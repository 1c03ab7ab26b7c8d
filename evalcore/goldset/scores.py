"""The candidate abstention scores of every question: what a retriever says before anything is answered."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evalcore.files import reading
from evalcore.goldset.build import Rankers, chunk_grades, stored_run
from evalcore.goldset.schema import GoldSet
from evalcore.goldset.unanswerable import Slice
from evalcore.retrieval.corpus import Corpus
from evalcore.retrieval.dense import Dense
from evalcore.stats.logistic import cross_fitted, fit_logistic

SCORES = ("dense_top1", "best_sentence", "bm25_top1", "hybrid_top1", "dense_margin", "combined")
FEATURES = ("dense_top1", "best_sentence", "bm25_top1")
FOLDS, SEED = 8, 20241009
DIGITS = 6
ANSWERS, HIT_DEPTH = 2, 5
FILE, OFF_TOPIC = "scores.csv", "off_topic_scores.csv"


@dataclass(frozen=True, slots=True)
class Raw:
    """One question's scores before they are combined, with the passage that a reader would be served first."""

    scores: dict[str, float]
    passages: dict[str, str]


def raw_scores(text: str, vector: NDArray[np.float32], rankers: Rankers, sentences: Dense) -> Raw:
    """Every plain score of one question, given its text and its vector."""
    ranked = rankers.rank(text, vector)
    bm25, dense, hybrid = ranked["bm25"], ranked["dense"], ranked["hybrid"]
    sentence = sentences.rank(vector)
    scores = {
        "dense_top1": dense.scores[0],
        "best_sentence": sentence.scores[0],
        "bm25_top1": bm25.scores[0] if len(bm25) else 0.0,
        "hybrid_top1": hybrid.scores[0],
        "dense_margin": dense.scores[0] - dense.scores[1],
    }
    passages = {
        "dense_top1": dense.ids[0],
        "best_sentence": sentence.ids[0].rsplit("-", 1)[0],
        "bm25_top1": bm25.ids[0] if len(bm25) else hybrid.ids[0],
        "hybrid_top1": hybrid.ids[0],
        "dense_margin": dense.ids[0],
        "combined": hybrid.ids[0],
    }
    return Raw(scores, passages)


@dataclass(frozen=True)
class Candidates:
    """Scores of the near study and of the off-topic questions: question id to score name to value."""

    answerable: Mapping[str, bool]
    near: Mapping[str, Mapping[str, float]]
    off_topic: Mapping[str, Mapping[str, float]]
    passages: Mapping[str, Mapping[str, str]]


def candidates(gold: GoldSet, near: Slice, corpus: Corpus) -> Candidates:
    """Computes all scores from stored vectors and a fresh BM25 index.

    The combined score of a question comes from a fit on the seven folds that it is not in; that of an off-topic
    question from a fit on all near ones.
    """
    ids, halves = corpus.vectors("sentences")
    # they are stored in half precision, whose rounding moves their length off 1 by up to 5e-5
    sentences = Dense.build(ids, halves / np.linalg.norm(halves, axis=1, keepdims=True))
    rankers = Rankers.load(corpus)

    def raw(questions: Sequence[tuple[str, str]], name: str) -> dict[str, Raw]:
        vectors = dict(zip(*corpus.vectors(name), strict=True))
        return {i: raw_scores(text, vectors[i], rankers, sentences) for i, text in questions}

    answered = raw([(q.id, q.text) for q in gold.questions], "questions")
    unanswered = raw([(q.id, q.text) for q in near.questions], "unanswerable")
    off_topic = raw([(q.id, q.text) for q in near.off_topic], "off_topic")
    found = dict(sorted({**answered, **unanswered}.items(), key=lambda item: item[0].encode()))
    answerable = {i: i in answered for i in found}
    features = np.array([[r.scores[f] for f in FEATURES] for r in found.values()])
    labels = np.array(list(answerable.values()))
    combined = cross_fitted(features, labels, folds=FOLDS, seed=SEED)
    whole = fit_logistic(features, labels)
    beyond = whole.predict(np.array([[r.scores[f] for f in FEATURES] for r in off_topic.values()]))
    return Candidates(
        answerable,
        {i: {**r.scores, "combined": float(c)} for (i, r), c in zip(found.items(), combined, strict=True)},
        {i: {**r.scores, "combined": float(c)} for (i, r), c in zip(off_topic.items(), beyond, strict=True)},
        {i: r.passages for i, r in found.items()},
    )


def hits(gold: GoldSet, corpus: Corpus) -> dict[str, bool]:
    """Answerable question to whether the hybrid ranker has an answer among the first five, as the plan declares."""
    grades, ranked = chunk_grades(gold, corpus), stored_run(gold, "hybrid")
    return {q.id: any(grades[q.id].get(c, 0) >= ANSWERS for c in ranked[q.id].ids[:HIT_DEPTH]) for q in gold.questions}


def scores_csv(found: Candidates, hit_of: Mapping[str, bool]) -> str:
    """gold/scores.csv: one row a question, ``hit`` for answerable ones only; six decimals, as machines differ later."""
    lines = [",".join(["query_id", "answerable", *SCORES, "hit"])]
    for i, scores in found.near.items():
        hit = str(int(hit_of[i])) if found.answerable[i] else ""
        lines.append(",".join([i, str(int(found.answerable[i])), *(f"{scores[s]:.{DIGITS}f}" for s in SCORES), hit]))
    return "\n".join(lines) + "\n"


def off_topic_csv(found: Candidates) -> str:
    """gold/off_topic_scores.csv: shown for contrast, never counted."""
    lines = [",".join(["query_id", *SCORES])]
    lines += [",".join([i, *(f"{scores[s]:.{DIGITS}f}" for s in SCORES)]) for i, scores in found.off_topic.items()]
    return "\n".join(lines) + "\n"


def read_off_topic(path: Path) -> dict[str, dict[str, float]]:
    """Off-topic question to score name to value.

    Raises:
        BadInput: the file cannot be read.

    """
    with reading(path):
        rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
        return {row["query_id"]: {score: float(row[score]) for score in SCORES} for row in rows}

"""The rankers, written a second time: stored vectors, reciprocal ranks, and BM25 by hand."""

import re
from collections import Counter, defaultdict
from functools import cache
from itertools import pairwise
from math import log

import numpy as np
import Stemmer

from tests.independent import data
from tests.independent.ranking import ranked

STEMMER = Stemmer.Stemmer("english")


@cache
def vectors(name):
    """(ids, vectors of length 1) of a stored set."""
    index = data.as_json("corpus/vectors/index.json")["sets"][name]
    stored = np.load(data.ROOT / "corpus/vectors" / index["file"]).astype(float)
    return index["ids"], stored / np.linalg.norm(stored, axis=1, keepdims=True)


@cache
def cosines(name, of="questions"):
    """{question: {document: cosine}} of one set of questions over a whole set."""
    (questions, asked), (documents, stored) = vectors(of), vectors(name)
    return {
        question: dict(zip(documents, row.tolist(), strict=True))
        for question, row in zip(questions, asked @ stored.T, strict=True)
    }


def collapsed(scores):
    """A section scores as its best chunk does, and so ranks where that chunk does."""
    section_of = {chunk["id"]: chunk["section"] for chunk in data.chunks()}
    best = defaultdict(lambda: -np.inf)
    for chunk, score in scores.items():
        best[section_of[chunk]] = max(best[section_of[chunk]], score)
    return dict(best)


def fused(rankings, constant):
    """Reciprocal rank fusion; a ranking that leaves a document out gives it nothing."""
    scores = defaultdict(float)
    for ranking in rankings:
        for rank, document in enumerate(ranking, 1):
            scores[document] += 1 / (constant + rank)
    return dict(scores)


def fusion(question):
    rule = data.plan()["rankers"]["hybrid"]
    return fused([ranked(data.run(name)[question]) for name in rule["of"]], rule["constant"])


def tokens(text):
    return STEMMER.stemWords(re.findall(r"\b\w+\b", text.lower()))


@cache
def counted():
    """How often each token stands in each passage."""
    return {chunk: Counter(tokens(text)) for chunk, text in data.chunk_texts().items()}


@cache
def inverse_frequency(token):
    passages, holding = len(counted()), sum(token in counts for counts in counted().values())
    return log(1 + (passages - holding + 0.5) / (holding + 0.5))


@cache
def mean_length():
    return sum(counts.total() for counts in counted().values()) / len(counted())


def saturated(frequency, length):
    rule = data.plan()["rankers"]["bm25"]
    return frequency / (frequency + rule["k1"] * (1 - rule["b"] + rule["b"] * length / mean_length()))


def bm25(text):
    """{passage: score} of the passages that score above 0; a token asked twice counts twice."""
    asked = tokens(text)
    scores = {
        chunk: sum(inverse_frequency(t) * saturated(counts[t], counts.total()) for t in asked if counts[t])
        for chunk, counts in counted().items()
    }
    return {chunk: score for chunk, score in scores.items() if score > 0}


def misplaced(ranking, scores, gap):
    """Documents ranked above another whose score is higher by the gap or more."""
    highest_below = np.maximum.accumulate([scores[document] for document in ranking][::-1])[::-1]
    return [document for document, best in zip(ranking, highest_below, strict=True) if best - scores[document] >= gap]


def first_apart(ranking, scores, gap):
    """The first two neighbours whose scores differ by the gap or more."""
    return next(pair for pair in pairwise(ranking) if abs(scores[pair[0]] - scores[pair[1]]) >= gap)

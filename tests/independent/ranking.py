"""Rankings, and the measures of a ranking, by their definitions."""

from functools import cache
from itertools import chain, groupby, permutations, product

import numpy as np

from tests.independent import data

DEPTH = 10
MEANS = ("nDCG@10", "RR@10", "R@5", "R@10")


def ranked(scores):
    """Documents by score as a 32-bit float, descending, ties by id descending as bytes."""
    return sorted(scores, key=lambda document: (np.float32(scores[document]), document.encode()), reverse=True)


def measures():
    measured = data.plan()["measures"]
    return [measured["primary"], *measured["secondary"]]


def relevant_grade():
    return data.plan()["measures"]["relevant_grade"]


def relevant(grades):
    return [grade >= relevant_grade() for grade in grades]


def dcg(grades):
    gains = np.maximum(np.array(grades[:DEPTH], dtype=float), 0)
    return float(np.sum(gains / np.log2(np.arange(len(gains)) + 2)))


def reciprocal_rank(hits):
    return next((1 / rank for rank, hit in enumerate(hits, 1) if hit), 0.0)


def measured(measure, grades, judged):
    """The measure of one ranking, given the grades down the ranking and all the grades of the question."""
    kind, k = measure.split("@")
    hits = relevant(grades)[: int(k)]
    if kind == "nDCG":
        return dcg(grades) / dcg(sorted(judged, reverse=True))
    if kind == "RR":
        return reciprocal_rank(hits)
    return sum(hits) / sum(relevant(judged)) if kind == "R" else float(any(hits))


def evaluated(qrels):
    """The questions in the means: those with a grade at or above the relevant one, ascending."""
    return data.by_bytes(question for question, judged in qrels.items() if any(relevant(judged.values())))


def grades_down(ranking, judged):
    return [judged.get(document, 0) for document in ranking]


@cache
def per_question(run, measure, qrels="qrels"):
    """The measure of every evaluated question; a question that the run leaves out scores 0."""
    judged = data.qrels(qrels)
    rankings = {question: ranked(scores) for question, scores in data.run(run).items()}
    return np.array(
        [
            measured(measure, grades_down(rankings.get(question, []), judged[question]), judged[question].values())
            for question in evaluated(judged)
        ]
    )


def judged_share(run):
    """Of the documents returned in the first ten, the share that is judged, for every evaluated question."""
    shares = []
    for question in evaluated(data.qrels()):
        top = ranked(data.run(run)[question])[:DEPTH]
        shares.append(sum(document in data.qrels()[question] for document in top) / len(top))
    return np.array(shares)


def unjudged(run):
    """How many documents in the first ten, over all questions, nobody judged."""
    returned = ((question, ranked(scores)[:DEPTH]) for question, scores in data.run(run).items())
    return sum(document not in data.qrels().get(question, {}) for question, top in returned for document in top)


# Ties.


def tie_groups(scores):
    """The ranking cut into groups of one score."""
    return [list(group) for _, group in groupby(ranked(scores), key=lambda document: np.float32(scores[document]))]


def top_groups(scores, depth=DEPTH):
    """The groups that begin in the first ranks; the last is taken whole where it crosses the depth."""
    groups, taken = [], 0
    for group in tie_groups(scores):
        if taken >= depth:
            break
        groups.append(group)
        taken += len(group)
    return groups


def tied(run):
    """The questions with tied scores in the top ten."""
    return [question for question, scores in data.run(run).items() if any(len(g) > 1 for g in top_groups(scores))]


def tie_orders(scores):
    """Every order that the ties leave open; the groups of the textbook's runs are small."""
    groups = (permutations(group) for group in top_groups(scores))
    return [list(chain.from_iterable(order)) for order in product(*groups)]


def tie_bounds(run, measure):
    """The mean with every tie at its worst and at its best, by brute force over the orders."""
    bounds = []
    for question in evaluated(data.qrels()):
        judged = data.qrels()[question]
        orders = tie_orders(data.run(run)[question])
        values = [measured(measure, grades_down(order, judged), judged.values()) for order in orders]
        bounds.append((min(values), max(values)))
    worst, best = np.mean(bounds, axis=0)
    return float(worst), float(best)

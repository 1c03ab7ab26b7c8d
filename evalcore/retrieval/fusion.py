"""Reciprocal rank fusion (Cormack, Clarke and Buettcher, SIGIR 2009): score = sum over rankings of 1 / (60 + rank)."""

from __future__ import annotations

from evalcore.ranking import order
from evalcore.retrieval.ranked import Ranked

CONSTANT = 60


def reciprocal_rank_fusion(*rankings: Ranked, constant: int = CONSTANT) -> Ranked:
    """Fuses full rankings; a document that one of them leaves out gets nothing from it. Ranks begin at 1."""
    total: dict[str, float] = {}
    for ranking in rankings:
        for rank, identifier in enumerate(ranking.ids, start=1):
            total[identifier] = total.get(identifier, 0.0) + 1 / (constant + rank)
    ids, scores = list(total), list(total.values())
    best = order(ids, scores)
    return Ranked(tuple(ids[i] for i in best), tuple(scores[i] for i in best))

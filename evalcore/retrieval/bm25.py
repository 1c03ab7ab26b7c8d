"""BM25 over passages: bm25s, Lucene variant.

One-letter tokens stay (x, n, r and s are words of a statistics text, which the library's own pattern drops), words
are stemmed by Snowball's English stemmer, and there is no stop list: rare words weigh more by their idf anyway.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import bm25s
import numpy as np
import Stemmer

from evalcore.ranking import order
from evalcore.retrieval.ranked import Ranked

K1, B = 1.5, 0.75
_TOKEN = re.compile(r"(?u)\b\w+\b")


def tokens(text: str) -> list[str]:
    """Lower-cased, stemmed words of the text; a word that occurs twice is there twice."""
    stemmed: list[str] = Stemmer.Stemmer("english").stemWords(_TOKEN.findall(text.lower()))
    return stemmed


@dataclass(frozen=True)
class BM25:
    """An index over passages."""

    ids: tuple[str, ...]
    index: Any
    k1: float
    b: float

    @classmethod
    def build(cls, ids: Sequence[str], texts: Sequence[str], *, k1: float = K1, b: float = B) -> BM25:
        """Indexes ``texts`` under ``ids`` (both of length n, in the same order)."""
        index = bm25s.BM25(method="lucene", k1=k1, b=b)
        index.index([tokens(text) for text in texts], show_progress=False)
        return cls(tuple(ids), index, k1, b)

    def rank(self, query: str) -> Ranked:
        """Every passage with a positive score, best first; none when no word of the query is in the index."""
        words = [word for word in tokens(query) if word in self.index.vocab_dict]
        if not words:
            return Ranked((), ())
        scores = np.asarray(self.index.get_scores(words))
        best = [i for i in order(self.ids, scores) if scores[i] > 0]
        return Ranked(tuple(self.ids[i] for i in best), tuple(float(scores[i]) for i in best))

"""Dense retrieval by exact cosine over stored vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evalcore.ranking import order
from evalcore.retrieval.ranked import Ranked


@dataclass(frozen=True)
class Dense:
    """Vectors of length 1, shape (n, 384), one for each of ``ids``."""

    ids: tuple[str, ...]
    vectors: NDArray[np.float64]

    @classmethod
    def build(cls, ids: Sequence[str], vectors: NDArray[np.float32]) -> Dense:
        """Vectors are used in double precision, so that the order does not hang on the BLAS of a machine."""
        if len(ids) != len(vectors):
            raise ValueError(f"{len(ids)} ids but {len(vectors)} vectors")
        return cls(tuple(ids), vectors.astype(np.float64))

    def rank(self, query: NDArray[np.float32]) -> Ranked:
        """Every document by its cosine with the query vector (shape (384,), length 1), best first."""
        scores = self.vectors @ query.astype(np.float64)
        best = order(self.ids, scores)
        return Ranked(tuple(self.ids[i] for i in best), tuple(float(scores[i]) for i in best))

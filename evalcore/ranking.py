"""The one rule by which scores become a ranking.

trec_eval holds scores as 32-bit floats and breaks ties by document id, descending. Everything here that orders
documents (rankers, measures, the question browser) goes through this function, so they cannot disagree.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import ArrayLike, NDArray


def order(ids: Sequence[str], scores: ArrayLike) -> NDArray[np.intp]:
    """Positions of the documents, best first.

    Args:
        ids: document ids, length n, all different.
        scores: n numbers, higher is better; compared as 32-bit floats.

    Returns:
        n positions into ``ids``: score descending, ties by id descending in UTF-8 byte order.

    """
    single = np.asarray(scores, dtype=np.float32)
    if len(ids) != len(single):
        raise IndexError(f"{len(ids)} ids but {len(single)} scores")
    return order_within(np.zeros(len(ids), dtype=np.int32), pa.array(ids, pa.string()), single)


def order_within(groups: NDArray[np.int32], ids: pa.StringArray, scores: ArrayLike) -> NDArray[np.intp]:
    """Positions of the documents of many questions: question by question, each best first.

    Args:
        groups: the question of each document, shape (n,).
        ids: n document ids, all different within a question.
        scores: n numbers, higher is better; compared as 32-bit floats.

    Returns:
        n positions: groups ascending, then score descending, then id descending in UTF-8 byte order.

    """
    # -0.0 and 0.0 are one score
    single = np.asarray(scores, dtype=np.float32) + np.float32(0)
    table = pa.table({"group": groups, "score": single, "id": ids})
    keys = [("group", "ascending"), ("score", "descending"), ("id", "descending")]
    # Arrow compares strings byte by byte, unsigned
    best: NDArray[np.intp] = pc.sort_indices(table, sort_keys=keys).to_numpy().astype(np.intp)
    return best

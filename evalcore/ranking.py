"""The one rule by which scores become a ranking.

trec_eval holds scores as 32-bit floats and breaks ties by document id, descending. Everything here that orders
documents (rankers, measures, the question browser) goes through this function, so they cannot disagree.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
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
    # numpy compares bytes like C strings, which is UTF-8 byte order; a trailing NUL cannot occur in an id
    by_id = np.argsort(np.array([i.encode() for i in ids], dtype=np.bytes_), kind="stable")[::-1]
    return by_id[np.argsort(-single[by_id], kind="stable")]

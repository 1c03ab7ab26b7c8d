"""The random numbers behind every bootstrap and sign-flip test.

Each procedure starts a fresh ``numpy.random.default_rng(seed)``, so that no number depends on which others were
asked for. Equal sizes therefore draw equal streams, and a stream that fits is kept between calls: drawing it is most
of the work. Means over resamples are taken as counts times values, which is the same sum in another order.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_KEPT_CELLS = 4_000_000  # 32 MB of counts: about 400 questions at 10,000 resamples
_BLOCK = 64


def resampled_means(values: Floats, *, seed: int, resamples: int) -> Floats:
    """Means of ``resamples`` bootstrap samples of ``values``.

    Args:
        values: shape (n,), in ascending order of question id.
        seed: of the stream ``default_rng(seed).integers(0, n, (resamples, n))``.
        resamples: how many.

    Returns:
        shape (resamples,), in the order of the stream.

    """
    n = len(values)
    if n * resamples <= _KEPT_CELLS:
        return np.asarray(_counts(seed, n, resamples) @ values / n)
    return np.concatenate([counts @ values / n for counts in _count_blocks(seed, n, resamples)])


def sign_flip_sums(differences: Floats, *, seed: int, draws: int) -> Floats:
    """Sums of ``differences`` (shape (k,), none zero) under ``draws`` random sign vectors.

    The stream is ``1 - 2 * default_rng(seed).integers(0, 2, (draws, k))``.
    """
    k = len(differences)
    if k * draws <= _KEPT_CELLS:
        kept = _bits(seed, draws * (-(-k // _BLOCK) * _BLOCK))
        return _signed_sums(kept[: draws * k].reshape(draws, k), differences)
    rng = np.random.default_rng(seed)
    return np.concatenate([_signed_sums(rng.integers(0, 2, (rows, k)), differences) for rows in _row_blocks(draws, k)])


def sign_vectors(k: int, *, seed: int, draws: int) -> Iterator[Floats]:
    """The sign vectors of :func:`sign_flip_sums` themselves, 1 or -1, in blocks of shape (rows, k)."""
    if k * draws <= _KEPT_CELLS:
        yield _signs(seed, draws, k)
        return
    rng = np.random.default_rng(seed)
    for rows in _row_blocks(draws, k):
        yield np.asarray(1 - 2 * rng.integers(0, 2, (rows, k)), dtype=np.float64)


def every_sign_flip_sum(differences: Floats) -> Floats:
    """Sums of ``differences`` (shape (k,)) under all 2**k sign vectors."""
    sums = np.zeros(1)
    for difference in differences:
        sums = np.concatenate([sums + difference, sums - difference])
    return sums


def count_rows(drawn: NDArray[np.int64], n: int) -> Floats:
    """How often each of 0 … n - 1 stands in each row of ``drawn`` (shape (rows, any)); shape (rows, n)."""
    rows = len(drawn)
    flat = (drawn + n * np.arange(rows)[:, None]).ravel()
    return np.bincount(flat, minlength=rows * n).reshape(rows, n).astype(np.float64)


def _signed_sums(bits: NDArray[np.integer], differences: Floats) -> Floats:
    return np.asarray(differences.sum() - 2 * (bits.astype(np.float64) @ differences))


@lru_cache(maxsize=4)
def _counts(seed: int, n: int, resamples: int) -> Floats:
    counts = next(iter(_count_blocks(seed, n, resamples)))
    counts.setflags(write=False)
    return counts


@lru_cache(maxsize=4)
def _bits(seed: int, length: int) -> NDArray[np.int8]:
    """The first ``length`` fair bits of the stream; a prefix of it is the stream of a smaller k."""
    bits = np.random.default_rng(seed).integers(0, 2, length).astype(np.int8)
    bits.setflags(write=False)
    return bits


@lru_cache(maxsize=2)
def _signs(seed: int, draws: int, k: int) -> Floats:
    bits = _bits(seed, draws * (-(-k // _BLOCK) * _BLOCK))[: draws * k]
    signs = np.asarray(1 - 2 * bits.reshape(draws, k), dtype=np.float64)
    signs.setflags(write=False)
    return signs


def _count_blocks(seed: int, n: int, resamples: int) -> Iterator[Floats]:
    """How often each of n values occurs in each resample, in blocks of rows; one block when it is small."""
    rng = np.random.default_rng(seed)
    for rows in _row_blocks(resamples, n):
        yield count_rows(rng.integers(0, n, (rows, n)), n)


def _row_blocks(rows: int, columns: int) -> Iterator[int]:
    at_once = max(1, _KEPT_CELLS // columns)
    for start in range(0, rows, at_once):
        yield min(at_once, rows - start)

"""Lines split at spaces and tabs into Arrow columns, a megabyte at a time, and the hashes by which rows are told apart.

Where the fields lie is found byte-wise with NumPy; Arrow then copies the columns that are wanted and nothing else. What
a file has beside one separator between two fields (runs of spaces, padding, blank lines) is taken out first, from the
blocks that have it. Nothing here says what is wrong with a file: whoever gets ``Unclean`` walks it line by line.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import BinaryIO, Generic, TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

T = TypeVar("T")
Number = TypeVar("Number", bound=np.generic)

BLOCK = 1 << 20
WORKERS = 2
_LONGEST = 1 << 30
_BOM = b"\xef\xbb\xbf"
_TAB, _NEWLINE, _SPACE = b"\t\n "
# bytes of an id that are hashed; longer ids that agree so far are compared as they are
_HASHED = 256
_ODD = np.uint64(0x9E3779B97F4A7C15)
_OTHER_ODD = np.uint64(0xD6E8FEB86659FD93)


class Unclean(ValueError):
    """The text cannot be read by columns; a walk line by line says why."""


class Source:
    """A file or an upload as blocks of whole lines, hashed as it is read."""

    def __init__(self, source: Path | bytes) -> None:
        self._source = source
        self._digest = hashlib.sha256()

    @property
    def sha256(self) -> str:
        """Of the bytes as they were given (compressed when they were); complete when all blocks were taken."""
        return self._digest.hexdigest()

    def blocks(self) -> Iterator[bytes]:
        """Whole lines, about ``BLOCK`` bytes at a time, each ended by a line feed alone.

        Raises:
            Unclean: a damaged gzip file, or a line of a gigabyte.
            OSError: the file cannot be read.

        """
        with io.BytesIO(self._source) if isinstance(self._source, bytes) else self._source.open("rb") as file:
            hashing = _Hashing(file, self._digest.update)
            zipped = file.read(2) == b"\x1f\x8b"
            file.seek(0)
            try:
                yield from _lines(gzip.GzipFile(fileobj=hashing) if zipped else hashing)
            except (gzip.BadGzipFile, EOFError, zlib.error) as error:
                raise Unclean from error
            while hashing.read(BLOCK):
                pass


class _Hashing(io.RawIOBase):
    """Reads a file and shows every byte to ``seen``."""

    def __init__(self, file: BinaryIO, seen: Callable[[memoryview], None]) -> None:
        self._file, self._seen = file, seen

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        count = self._file.readinto(buffer)  # type: ignore[attr-defined]
        self._seen(memoryview(buffer)[:count])
        return int(count)


def _lines(stream: io.RawIOBase | gzip.GzipFile) -> Iterator[bytes]:
    rest: list[bytes] = []
    first = True
    while chunk := stream.read(BLOCK):
        if first:
            while chunk.startswith(_BOM):
                chunk = chunk[len(_BOM) :]
            first = False
        if b"\r" in chunk:
            # a CR LF that two chunks share becomes a blank line more, and blank lines say nothing
            chunk = chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        cut = chunk.rfind(b"\n") + 1
        if cut:
            rest.append(chunk[:cut])
            yield b"".join(rest)
            rest = []
        rest.append(chunk[cut:])
        if sum(map(len, rest)) > _LONGEST:
            raise Unclean
    if any(rest):
        yield b"".join([*rest, b"\n"])


class Growing(Generic[Number]):
    """One column of numbers, filled part by part, so that the parts need not all be kept until the end."""

    def __init__(self, kind: type[Number]) -> None:
        self._held: NDArray[Number] = np.empty(BLOCK, dtype=kind)
        self._used = 0

    def add(self, part: NDArray[Number]) -> None:
        """Puts a part behind those there are."""
        end = self._used + len(part)
        if end > len(self._held):
            # memory that was never written to takes no room
            larger = np.empty(max(end, 2 * len(self._held)), dtype=self._held.dtype)
            larger[: self._used] = self._held[: self._used]
            self._held = larger
        self._held[self._used : end] = part
        self._used = end

    @property
    def values(self) -> NDArray[Number]:
        """All parts, without a copy."""
        return self._held[: self._used]


def each(work: Callable[[bytes], T], blocks: Iterable[bytes]) -> Iterator[T]:
    """What ``work`` makes of each block, in order, by two threads; only a few blocks are held at a time."""
    with ThreadPoolExecutor(WORKERS) as pool:
        waiting: deque[Future[T]] = deque()
        for block in blocks:
            waiting.append(pool.submit(work, block))
            if len(waiting) > WORKERS:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def split(block: bytes, width: int, wanted: Sequence[int]) -> list[pa.StringArray]:
    """Some columns of lines that have ``width`` fields each; every field is kept as it is written.

    Args:
        block: whole lines, under 2 GB, each ended by a line feed.
        width: fields in a line that is not blank, at least 2.
        wanted: which columns, from 0.

    Returns:
        for each column wanted one array, as long as there are lines that are not blank.

    Raises:
        Unclean: a line of another width, a control character, or text that is not UTF-8.

    """
    if not block.isascii():
        try:
            block.decode()
        except UnicodeDecodeError as error:
            raise Unclean from error
    ends = _field_ends(block, width)
    if ends is None:
        block = tidy(block)
        if not block:
            return [pa.array([], pa.string()) for _ in wanted]
        ends = _field_ends(block, width)
    if ends is None:
        raise Unclean
    held = pa.py_buffer(block)
    return [_column(held, ends, place) for place in wanted]


def _field_ends(block: bytes, width: int) -> NDArray[np.int32] | None:
    """Where each field ends, shape (lines, width).

    None when there is no line, or one has not ``width`` fields with a single separator after each.
    """
    codes = np.frombuffer(block, dtype=np.uint8)
    # every control character is taken for a separator here, and refused as none below
    places = np.flatnonzero(codes <= _SPACE)
    lines, over = divmod(len(places), width)
    if over or not lines or places[0] == 0:
        return None
    separators = codes[places]
    if separators.tobytes() != (b" " * (width - 1) + b"\n") * lines:
        separators = separators.reshape(-1, width)
        inner = separators[:, :-1]
        if (separators[:, -1] != _NEWLINE).any() or ((inner != _SPACE) & (inner != _TAB)).any():
            return None
    ends = places.astype(np.int32)
    return None if (ends[1:] - ends[:-1]).min() == 1 else ends.reshape(-1, width)


def _column(held: pa.Buffer, ends: NDArray[np.int32], place: int) -> pa.StringArray:
    # Arrow is shown the text as field, gap, field, gap, …, without a copy, and copies every second piece
    bounds = np.zeros(2 * len(ends) + 1, dtype=np.int32)
    bounds[1::2] = ends[:, place]
    if place:
        bounds[:-1:2] = ends[:, place - 1] + 1
    else:
        bounds[2:-1:2] = ends[:-1, -1] + 1
    bounds[-1] = bounds[-2]
    pieces = pa.StringArray.from_buffers(2 * len(ends), pa.py_buffer(bounds), held)
    return pieces.take(pa.array(np.arange(0, 2 * len(ends), 2, dtype=np.int32)))


def tidy(block: bytes) -> bytes:
    """The block with one separator between two fields, none around a line, and no blank line."""
    codes = np.frombuffer(block, dtype=np.uint8)
    gap = (codes == _SPACE) | (codes == _TAB)
    # of a run of separators the first is kept, or the line feed when there is one
    codes = codes[~(gap & np.concatenate([[True], gap[:-1] | (codes[:-1] == _NEWLINE)]))]
    gap, newline = (codes == _SPACE) | (codes == _TAB), codes == _NEWLINE
    codes = codes[~(gap & np.concatenate([newline[1:], [True]]))]
    newline = codes == _NEWLINE
    tidied: bytes = codes[~(newline & np.concatenate([[True], newline[:-1]]))].tobytes()
    return tidied


def hashes(texts: pa.StringArray) -> NDArray[np.uint64]:
    """64 bits for each text, equal for equal texts; shape (n,). Different texts may share them, if seldom."""
    _, ends, data = texts.buffers()
    offsets = np.frombuffer(ends, dtype=np.int32)[texts.offset : texts.offset + len(texts) + 1]
    held = np.frombuffer(data, dtype=np.uint8) if data is not None else np.empty(0, dtype=np.uint8)
    padded = np.concatenate([held[: offsets[-1]], np.zeros(8, dtype=np.uint8)])
    # the eight bytes from each place on, as one number
    words: NDArray[np.uint64] = np.ndarray((len(padded) - 7,), dtype="<u8", buffer=padded, strides=(1,))
    starts, lengths = offsets[:-1], np.diff(offsets)
    found = lengths.astype(np.uint64) * _OTHER_ODD
    rows: slice | NDArray[np.intp] = slice(None)
    for done in range(0, min(int(lengths.max(initial=0)), _HASHED), 8):
        if done:
            rows = np.flatnonzero(lengths > done)
        left = np.minimum(lengths[rows] - done, 8)
        spare = (8 * (8 - left)).astype(np.uint64)
        # shifting there and back would lose the low bytes; shifting left only drops what lies past the text's end
        word = np.where(left > 0, words[starts[rows] + done] << np.minimum(spare, np.uint64(63)), np.uint64(0))
        mixed = (found[rows] ^ word) * _ODD
        found[rows] = mixed ^ (mixed >> np.uint64(32))
    return found


def paired(first: NDArray[np.uint64], second: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """One hash for two; the order counts."""
    return (first * _OTHER_ODD) + second

"""Text split at spaces into Arrow columns, a few megabytes at a time, and the hashes by which rows are told apart.

Arrow wants one separator between two fields. What a file has instead (tabs, runs of spaces, CRLF, a byte-order mark)
is made so first, byte-wise with NumPy; a file that is clean already is only looked at. Nothing here says what is wrong
with a file: whoever gets ``Unclean`` walks it line by line.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import BinaryIO, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv
from numpy.typing import NDArray

T = TypeVar("T")

BLOCK = 4 << 20
WORKERS = 2
_LONGEST = 1 << 30
_BOM = b"\xef\xbb\xbf"
_TABS = bytes.maketrans(b"\t", b" ")
_NEWLINE, _SPACE = 10, 32
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
        """Whole lines, about ``BLOCK`` bytes at a time, each ended by a line feed alone except perhaps the last.

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
        yield b"".join(rest)


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


def split(block: bytes, names: Iterable[str], types: Mapping[str, pa.DataType]) -> dict[str, pa.Array]:
    """The columns of ``types`` of lines that have as many fields as ``names``, none of them empty.

    Every field is kept as it is written: no quotes, no escapes, no spelling of a missing value.

    Returns:
        for each column asked for one array, as long as there are lines that are not blank.

    Raises:
        Unclean: another number of fields, a field that is not of its type, a control character, or text that is
            not UTF-8.

    """
    tidied = tidy(block)
    if not tidied:
        return {name: pa.array([], kind) for name, kind in types.items()}
    if tidied.startswith(_BOM):
        # past the start of a file these bytes belong to an id, but Arrow would drop them
        tidied = b"\n" + tidied
    try:
        table = pa_csv.read_csv(
            pa.BufferReader(tidied),
            pa_csv.ReadOptions(column_names=list(names), block_size=len(tidied) + 1, use_threads=False),
            pa_csv.ParseOptions(delimiter=" ", quote_char=False, double_quote=False, escape_char=False),
            pa_csv.ConvertOptions(
                include_columns=list(types), column_types=types, null_values=[], strings_can_be_null=False
            ),
        )
    except pa.ArrowInvalid as error:
        raise Unclean from error
    return {name: _whole(table[name]) for name in types}


def _whole(column: pa.ChunkedArray) -> pa.Array:
    return column.chunk(0) if column.num_chunks == 1 else column.unify_dictionaries().combine_chunks()


def tidy(block: bytes) -> bytes:
    """The block with one space between two fields and none around a line; empty when it holds blank lines only.

    Raises:
        Unclean: a control character, or text that is not UTF-8.

    """
    if not block.isascii():
        try:
            block.decode()
        except UnicodeDecodeError as error:
            raise Unclean from error
    if b"\t" in block:
        block = block.translate(_TABS)
    codes = np.frombuffer(block, dtype=np.uint8)
    newline, space = codes == _NEWLINE, codes == _SPACE
    newlines = np.count_nonzero(newline)
    if np.count_nonzero(codes < _SPACE) != newlines:
        raise Unclean
    gap = newline | space
    padded = bool(space[:1].any() or space[-1:].any() or (gap[1:] & gap[:-1] & (space[1:] | space[:-1])).any())
    if not padded:
        return block if newlines < len(block) else b""
    after_gap = np.concatenate([[True], gap[:-1]])
    codes = codes[~(space & after_gap)]
    before_end = np.concatenate([codes[1:] == _NEWLINE, [True]])
    codes = codes[~((codes == _SPACE) & before_end)]
    return codes.tobytes() if (codes != _NEWLINE).any() else b""


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

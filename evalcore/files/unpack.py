"""The bytes of an upload, unpacked under a limit, and how much of anything is read at all."""

from __future__ import annotations

import gzip
import io
import re
import zlib
from dataclasses import dataclass

from evalcore.files.problems import BadInput, Problem

GZIP = b"\x1f\x8b"
UTF16 = (b"\xff\xfe", b"\xfe\xff")
CONTROL = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_STEP = 1 << 20
_HEAD = 1 << 16


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is read; what is beyond is refused with the number, never cut short.

    ``unpacked`` is counted while a gzip file is unpacked, so that a small file of gigabytes costs no gigabytes.
    """

    raw: int = 200_000_000
    unpacked: int = 1_000_000_000
    columns: int = 50
    rows: int = 20_000_000


LIMITS = Limits()
# a machine of one's own: the upload limits of a shared page do not apply
OWN_MACHINE = Limits(raw=20_000_000_000, unpacked=20_000_000_000, rows=200_000_000)


def refusal(name: str, what: str, remedy: str, line: int | None = None) -> BadInput:
    """One problem, ready to raise."""
    return BadInput([Problem(name, line, what, remedy)])


def unpack(raw: bytes, name: str, limits: Limits = LIMITS) -> bytes:
    """The bytes inside, whatever the file's name ends in; gzip is known by its first bytes.

    Raises:
        BadInput: too many bytes before or after unpacking, a damaged gzip file, or gzip inside gzip.

    """
    if len(raw) > limits.raw:
        what = f"has {_megabytes(len(raw))}, more than the {_megabytes(limits.raw)} read here"
        raise refusal(name, what, "cut it to the questions or columns needed")
    if not raw.startswith(GZIP):
        return raw
    unpacked = io.BytesIO()
    with _unpacking(raw) as stream:
        while part := _read(stream, name, _STEP):
            if unpacked.tell() + len(part) > limits.unpacked:
                what = f"unpacks to more than {_megabytes(limits.unpacked)} (from {_megabytes(len(raw))})"
                raise refusal(name, what, "cut it to the questions or columns needed")
            unpacked.write(part)
    inside = unpacked.getvalue()
    if inside.startswith(GZIP):
        raise refusal(name, "is gzip inside gzip", "unpack it once")
    return inside


def head(raw: bytes, name: str) -> tuple[bytes, bool]:
    """The first bytes inside, and whether they are all there is.

    Raises:
        BadInput: a damaged gzip file.

    """
    if not raw.startswith(GZIP):
        return raw[:_HEAD], len(raw) <= _HEAD
    with _unpacking(raw) as stream:
        first = _read(stream, name, _HEAD + 1)
    return first[:_HEAD], len(first) <= _HEAD


def plain(raw: bytes, name: str) -> bytes:
    """UTF-8 text with line ends of a line feed alone, without a byte-order mark.

    Raises:
        BadInput: it is UTF-16, binary, not UTF-8, holds a control character, or is empty.

    """
    if raw.startswith(UTF16):
        raise refusal(name, "is UTF-16, not UTF-8", "save it as UTF-8 (in Excel: CSV UTF-8)")
    while raw.startswith(b"\xef\xbb\xbf"):
        raw = raw[3:]
    if b"\r" in raw:
        raw = raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if (control := CONTROL.search(raw)) is not None:
        line = raw.count(b"\n", 0, control.start()) + 1
        what = "holds a NUL byte" if control[0] == b"\0" else "holds a control character"
        raise refusal(name, what, "give a text file", line)
    try:
        raw.decode()
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise refusal(name, f"is not UTF-8 (byte {error.start})", "save it as UTF-8", line) from error
    if not raw.strip():
        raise refusal(name, "is empty", "give a file with at least one line")
    return raw


def _unpacking(raw: bytes) -> gzip.GzipFile:
    return gzip.GzipFile(fileobj=io.BytesIO(raw))


def _read(stream: gzip.GzipFile, name: str, size: int) -> bytes:
    try:
        return stream.read(size)
    except (OSError, EOFError, zlib.error) as error:
        raise refusal(name, "is a damaged gzip file", "compress it again or give it uncompressed") from error


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.0f} MB" if size >= 1_000_000 else f"{size:,} bytes"

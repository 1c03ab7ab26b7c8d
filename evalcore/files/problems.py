"""What is wrong with a file, said so that it can be mended, and the reading of text that every format shares."""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

SHOWN = 5
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a file; ``line`` is 1-based, None for the file as a whole."""

    file: str
    line: int | None
    what: str
    remedy: str

    def __str__(self) -> str:
        where = self.file if self.line is None else f"{self.file} line {self.line}"
        return f"{where}: {self.what}; {self.remedy}"


class BadInput(ValueError):
    """Input that cannot be used; ``problems`` holds all of them, the message the first five and the total."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.lines()))

    def lines(self) -> list[str]:
        """The first five problems, one line each, and the total when there are more."""
        shown = [str(problem) for problem in self.problems[:SHOWN]]
        if len(self.problems) > SHOWN:
            shown.append(f"{len(self.problems)} problems in all; the first {SHOWN} are shown")
        return shown


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turns whatever goes wrong while one of the study's own files is read into one problem that names it."""
    try:
        yield
    except BadInput:
        raise
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        first = str(getattr(error, "strerror", None) or error).splitlines()[0]
        what = f"cannot be read ({first[:120]})"
        raise BadInput([Problem(path.name, None, what, "restore it from the repository")]) from error


def content(source: Path | bytes, name: str) -> bytes:
    """The bytes of a path or of an upload."""
    if isinstance(source, bytes):
        return source
    try:
        return source.read_bytes()
    except OSError as error:
        what, remedy = f"cannot be read ({error.strerror})", "give the path of a readable file"
        raise BadInput([Problem(name, None, what, remedy)]) from error


def text_of(raw: bytes, name: str, form: str) -> str:
    """The file's text without a byte-order mark; refuses what is not text. ``form`` names what the file should be."""

    def refuse(what: str, remedy: str) -> BadInput:
        return BadInput([Problem(name, None, what, remedy)])

    if raw[:2] == b"\x1f\x8b":
        try:
            raw = gzip.decompress(raw)
        except (OSError, EOFError, zlib.error) as error:
            raise refuse("is a damaged gzip file", "compress it again or give it uncompressed") from error
    if b"\x00" in raw and not raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise refuse("is a binary file", f"give a text file in {form} form")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        what = f"is not UTF-8 (byte {error.start}, line {line})"
        raise refuse(what, "save it as UTF-8") from error
    text = text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if (control := _CONTROL.search(text)) is not None:
        line = text[: control.start()].count("\n") + 1
        raise refuse(f"holds a control character (line {line})", f"give a text file in {form} form")
    if not text.strip():
        raise refuse("is empty", "give a file with at least one line")
    return text


def short(text: str) -> str:
    """A value for a one-line message."""
    return repr(text) if len(text) <= 60 else f"{text[:60]!r}…"

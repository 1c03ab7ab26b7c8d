"""What the commands that CI calls share: one form of output, and files written whole or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from evalcore.files import BadInput, Problem
from evalcore.stats.coverage import replace_text


def one_form(*, as_json: bool, as_markdown: bool) -> None:
    """Refuses two forms of output at once.

    Raises:
        BadInput: both are asked for.

    """
    if as_json and as_markdown:
        raise BadInput([Problem("--markdown", None, "and --json exclude each other", "give one of them")])


def refuse_same(option: str, target: str | None, others: Sequence[str | None]) -> None:
    """Refuses to write over a file that the command reads, or writes otherwise.

    Raises:
        BadInput: the target is one of the others.

    """
    if target is not None and Path(target).resolve() in {Path(other).resolve() for other in others if other}:
        what = f"{target!r} is also another file of this command"
        raise BadInput([Problem(option, None, what, "write to another file")])


def write_at_once(path: str, text: str) -> None:
    """Writes a file so that a reader meets the old text or the new, never half of one.

    What is there and is no plain file (a pipe, /dev/null) cannot be replaced and is written to.

    Raises:
        BadInput: the file cannot be written.

    """
    target = Path(path)
    try:
        if target.exists() and not target.is_file():
            with target.open("w", encoding="utf-8") as file:
                file.write(text)
        else:
            replace_text(target.resolve(), text)
    except (OSError, ValueError) as error:
        what = f"cannot be written ({getattr(error, 'strerror', None) or error})"
        raise BadInput([Problem(path, None, what, "give a path in a folder that is there")]) from error

"""Who is running a run: a lock that the operating system takes away from a process that dies."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class Busy(RuntimeError):
    """The run is under way already, perhaps started from another tab."""


@contextmanager
def held(folder: Path, run: str) -> Iterator[None]:
    """Holds a run's lock while the block runs.

    Raises:
        Busy: somebody else holds it.

    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f"{run}.lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise Busy from error
        yield

"""The textbook lies beside the package in the repository and is no part of an installed one."""

from __future__ import annotations

from evalcore.files import BadInput, Problem
from evalcore.goldset.schema import GOLD
from evalcore.retrieval.corpus import CORPUS


def needs_textbook() -> None:
    """Ends a command about the textbook where there is none.

    Raises:
        BadInput: gold/ or corpus/ does not lie beside the package.

    """
    absent = [f"{folder.name}/" for folder in (GOLD, CORPUS) if not folder.is_dir()]
    if absent:
        what = "cannot be found: this command is about the textbook, which an installed evalcore does not have"
        remedy = "run it in a clone of the repository, as python -m evalcore"
        raise BadInput([Problem(" and ".join(absent), None, what, remedy)])

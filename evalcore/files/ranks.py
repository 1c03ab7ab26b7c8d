"""Whether a run's rank column says what its scores say. Rankings are made from scores; a difference is told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evalcore.files.columns import Unclean, split
from evalcore.files.problems import BadInput, short
from evalcore.files.read_table import read_table
from evalcore.files.roles import Role, chosen, run_columns
from evalcore.files.sniffing import Kind, sniff
from evalcore.files.table import Column, Table
from evalcore.files.unpack import LIMITS, Limits, plain, refusal, unpack
from evalcore.files.walk import RUN_COLUMNS

_PLACES = {Role.QUERY: 0, Role.DOCUMENT: 2, Role.RANK: 3, Role.SCORE: 4}


@dataclass(frozen=True, slots=True)
class RankCheck:
    """Questions of a run whose order by rank is not the order by score; ``reason`` says why it was not assessed."""

    run: str
    questions: int
    differing: int | None
    example: str | None = None
    reason: str | None = None

    @property
    def sentence(self) -> str:
        """The finding, for reading."""
        if self.differing is None:
            return f"{self.run}: ranks against scores not assessed: {self.reason}"
        if not self.differing:
            return f"{self.run}: ranks and scores agree on all {self.questions:,} questions"
        return (
            f"{self.run}: ranks and scores differ in order on {self.differing:,} of {self.questions:,} questions "
            f"({self.example}); scores decide, the rank column is not read"
        )


def rank_disagreements(
    raw: bytes, name: str, columns: Mapping[Role, str] | None = None, limits: Limits = LIMITS
) -> list[RankCheck]:
    """Compares ranks with scores in every question of a run that ``read_run_any`` has read.

    A question differs when some document has a higher score and a larger rank than another. Documents whose scores tie
    as 32-bit floats are left aside.

    Raises:
        BadInput: the file cannot be read as a run.

    """
    found = sniff(raw, name)
    if found.problem is not None:
        raise BadInput([found.problem])
    if found.kind is Kind.JSON:
        return [RankCheck(name, 0, None, reason="a JSON dictionary has no ranks")]
    if found.kind is Kind.RUN:
        table = _trec_table(plain(unpack(raw, name, limits), name), name)
        return _checked(table, {role: str(place) for role, place in _PLACES.items()}, name)
    table = read_table(raw, name, limits)
    read = chosen(columns, run_columns(table.heads), table.heads, name)
    if Role.RANK not in read:
        return [RankCheck(name, 0, None, reason="it has no rank column")]
    return _checked(table, read, name)


def _trec_table(data: bytes, name: str) -> Table:
    """The columns of a run by their places, split as the run's reader splits them."""
    try:
        found = split(data if data.endswith(b"\n") else data + b"\n", 6, tuple(_PLACES.values()))
    except Unclean as error:
        raise refusal(name, "cannot be read as a run", f"give six columns: {RUN_COLUMNS}") from error
    columns = {
        str(place): Column(pa.chunked_array([part])) for place, part in zip(_PLACES.values(), found, strict=True)
    }
    return Table(name, "", Kind.RUN, columns, len(found[0]))


def _checked(table: Table, read: Mapping[Role, str], name: str) -> list[RankCheck]:
    queries = table.ids(read[Role.QUERY], Role.QUERY)
    documents = table.ids(read[Role.DOCUMENT], Role.DOCUMENT)
    scores = table.scores(read[Role.SCORE])
    runs = table.ids(read[Role.RUN], Role.RUN) if Role.RUN in read else None
    systems = [name] if runs is None else [str(system) for system in runs.names]
    try:
        ranks = table.scores(read[Role.RANK])
    except BadInput:
        return [RankCheck(system, 0, None, reason="the ranks are not numbers") for system in systems]
    found = []
    for code, system in enumerate(systems):
        rows = np.arange(table.rows) if runs is None else np.flatnonzero(runs.codes == code)
        asked = queries.codes[rows]
        order = rows[np.lexsort((ranks[rows], -scores[rows], asked))]
        better, worse = _descents(queries.codes[order], ranks[order])
        differing = len(np.unique(queries.codes[order[better]]))
        example = None
        if differing:
            # the descent that stands first in the file
            at = int(np.argmin(order[better]))
            a, b = order[better[at]], order[worse[at]]
            one, other = (
                f"{short(str(documents.names[documents.codes[row]]))} score {scores[row]:g} rank {ranks[row]:g}"
                for row in (a, b)
            )
            example = f"{short(str(queries.names[queries.codes[a]]))}: {one}, {other}"
        found.append(RankCheck(system, len(np.unique(asked)), differing, example))
    return found


def _descents(asked: NDArray[np.int64], ranks: NDArray[np.float32]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Neighbours, best score first and within ties by rank, in which the better score has the larger rank.

    Within a tie ranks ascend, so a descent is always between two different scores; and where no neighbours descend, no
    two documents do.
    """
    at = np.flatnonzero((asked[1:] == asked[:-1]) & (ranks[:-1] > ranks[1:]))
    return at, at + 1

"""The toy run, and scores from plain lists, both through the reader that a user's file goes through."""

import tomllib
from collections.abc import Sequence
from pathlib import Path

from evalcore.abstention.scored import Scored
from evalcore.evidence import Source
from evalcore.files.scores import ScoreTable, read_scores

FOLDER = Path(__file__).resolve().parents[2] / "gold" / "toy"
PLAN = FOLDER / "plan.toml"


def of_table(table: ScoreTable, column: str = "score") -> Scored:
    """A column of a table as it is measured from a user's own file."""
    return Scored(table, column, Source(table.name, table.sha256))


def toy() -> Scored:
    """The toy run's scores."""
    return of_table(read_scores(FOLDER / "scores.csv", name="scores.csv"))


def threshold() -> float:
    """The threshold that the toy run's plan wrote down."""
    return float(tomllib.loads(PLAN.read_text())["threshold"])


def csv_text(
    answerable: Sequence[bool],
    scores: Sequence[float],
    hit: Sequence[bool] | None = None,
    scope_ok: Sequence[bool] | None = None,
    *,
    order: Sequence[int] | None = None,
) -> str:
    """A score file; question i is ``q000i`` wherever ``order`` puts its row."""
    columns = {"answerable": [int(a) for a in answerable], "score": [repr(float(s)) for s in scores]}
    for name, values in (("hit", hit), ("scope_ok", scope_ok)):
        if values is not None:
            columns[name] = [int(v) if a else "" for a, v in zip(answerable, values, strict=True)]
    rows = range(len(scores)) if order is None else order
    lines = [",".join([f"q{i:04d}", *(str(values[i]) for values in columns.values())]) for i in rows]
    return "\n".join([",".join(["query_id", *columns]), *lines]) + "\n"


def scored(
    answerable: Sequence[bool],
    scores: Sequence[float],
    hit: Sequence[bool] | None = None,
    scope_ok: Sequence[bool] | None = None,
    *,
    order: Sequence[int] | None = None,
) -> Scored:
    """Plain lists, one entry a question, as a measured score."""
    text = csv_text(answerable, scores, hit, scope_ok, order=order)
    return of_table(read_scores(text.encode(), name="scores.csv"))

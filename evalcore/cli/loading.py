"""Runs and judgements named on the command line, joined under their plan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click

from evalcore.comparison import Compared
from evalcore.files import BadInput, Problem, RunFile, read_qrels, read_run
from evalcore.goldset.schema import GoldSet
from evalcore.measures import STANDARD, Measure
from evalcore.plan import Plan
from evalcore.study import join
from evalcore.textbook import recognise


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line may set otherwise than the plan; None leaves the plan's."""

    relevant_grade: int | None = None
    primary: Measure | None = None
    alpha: float | None = None
    seed: int | None = None
    resamples: int | None = None

    def over(self, plan: Plan) -> Plan:
        """The plan with these options.

        Raises:
            BadInput: an alpha that is not between 0.0001 and 0.5.

        """
        settings = replace(
            plan.settings,
            seed=plan.settings.seed if self.seed is None else self.seed,
            resamples=plan.settings.resamples if self.resamples is None else self.resamples,
        )
        first = plan.primary if self.primary is None else self.primary
        return replace(
            plan,
            primary=first,
            measures=plan.measures if first in plan.measures else (first, *STANDARD),
            relevant_grade=plan.relevant_grade if self.relevant_grade is None else self.relevant_grade,
            alpha=plan.alpha if self.alpha is None else _alpha(self.alpha),
            settings=settings,
        )


def joined(qrels_path: str, runs: Sequence[RunFile], options: Options, more: Sequence[Measure] = ()) -> Compared:
    """The runs on the judgements; what has to be said about the plan goes to stderr.

    Raises:
        BadInput: a file that cannot be read, or a run that shares no question with the judgements.

    """
    qrels = read_qrels(Path(qrels_path), name=qrels_path)
    known = recognise(qrels, runs, GoldSet())
    plan = options.over(known.plan)
    notes = list(known.notes)
    if known.plan.sha256 and plan != known.plan:
        notes.append("The options depart from the declared plan: this is not the declared analysis.")
        plan = replace(plan, sha256=None)
    for note in notes:
        click.echo(note, err=True)
    measures = tuple(dict.fromkeys([plan.primary, *plan.measures, *more]))
    study = join(qrels, runs, relevant_grade=plan.relevant_grade, measures=measures)
    if strangers := [run.name for run in study.runs if not run.evaluated]:
        what = f"shares no question with {qrels_path} ({_ids(runs, strangers[0])} against {_some(qrels.grades)})"
        remedy = "check ids for another prefix, zero padding or case"
        raise BadInput([Problem(name, None, what, remedy) for name in strangers])
    return Compared(study, replace(plan, measures=measures), known.provisional)


def _alpha(alpha: float) -> float:
    low, high = 0.0001, 0.5
    if not low <= alpha <= high:
        raise BadInput([Problem("--alpha", None, f"{alpha:g} is not between {low} and {high}", "use one such as 0.05")])
    return alpha


def measure_of(name: str | None) -> Measure | None:
    """The measure that an option names.

    Raises:
        BadInput: no such measure.

    """
    try:
        return None if name is None else Measure.parse(name)
    except ValueError as error:
        raise BadInput([misnamed("--primary", error)]) from error


def misnamed(option: str, error: ValueError) -> Problem:
    """A measure's name that cannot be read, as a problem of its option."""
    what, _, remedy = str(error).partition("; ")
    return Problem(option, None, what, remedy or "write it as a number")


def read_runs(options: Sequence[str]) -> list[RunFile]:
    """Runs given as NAME=FILE.

    Raises:
        BadInput: fewer than two, an option of another shape, a name that cannot be shown, a file that cannot be read.

    """
    problems: list[Problem] = []
    runs = []
    for option in options:
        name, equals, path = option.partition("=")
        if not (equals and name and path):
            problems.append(Problem("--run", None, f"{option!r} is not NAME=FILE", "write it like --run new=new.trec"))
            continue
        if not name.isprintable() or not name.strip():
            what = f"the run name {name!r} holds characters that cannot be shown"
            problems.append(Problem("--run", None, what, "use printable characters"))
            continue
        try:
            runs.append(replace(read_run(Path(path), name=path), name=name))
        except BadInput as error:
            problems += error.problems
    if problems:
        raise BadInput(problems)
    if len(runs) < 2:
        raise BadInput([Problem("--run", None, "is there once", "give two runs or more to compare")])
    return runs


def _ids(runs: Sequence[RunFile], name: str) -> str:
    return _some(next(run.questions for run in runs if run.name == name))


def _some(ids: object) -> str:
    listed = list(dict.fromkeys(ids))  # type: ignore[call-overload]
    return ", ".join(map(repr, listed[:3])) + (", …" if len(listed) > 3 else "")

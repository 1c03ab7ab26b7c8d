"""Runs and judgements named on the command line, joined under their plan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click

from evalcore.comparison import Compared
from evalcore.files import BadInput, Problem, RunFile, read_qrels_any, read_run_any
from evalcore.files.from_table import remarks
from evalcore.files.problems import content
from evalcore.files.unpack import OWN_MACHINE
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
    qrels = read_qrels_any(content(Path(qrels_path), qrels_path), qrels_path, limits=OWN_MACHINE)
    known = recognise(qrels, runs, GoldSet())
    plan = options.over(known.plan)
    notes = [*known.notes, *remarks(qrels)]
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
    """Runs given as NAME=FILE, or as FILE, which brings every run that is in it.

    Raises:
        BadInput: fewer than two, an option of another shape, a name that cannot be shown, a file that cannot be read.

    """
    problems: list[Problem] = []
    runs: list[RunFile] = []
    for option in options:
        try:
            runs += _runs(option)
        except BadInput as error:
            problems += error.problems
    if problems:
        raise BadInput(problems)
    if len(runs) < 2:
        raise BadInput([Problem("--run", None, "is there once", "give two runs or more to compare")])
    return runs


def _runs(option: str) -> list[RunFile]:
    """The run that NAME=FILE names, or all of FILE, called as they are called in it or else as the file."""
    name, equals, path = option.partition("=")
    alone = not equals and Path(option).is_file()
    if alone:
        name, path = Path(option).name.partition(".")[0] or option, option
    if not ((equals or alone) and name and path):
        raise BadInput([Problem("--run", None, f"{option!r} is not NAME=FILE", "write it like --run new=new.trec")])
    _showable(name)
    found = read_run_any(content(Path(path), path), path, limits=OWN_MACHINE)
    if alone:
        # a run that has no name in the file is called by its path so far
        named = [replace(run, name=name) if run.name == path else run for run in found]
        for run in named:
            _showable(run.name)
        return named
    if len(found) == 1:
        return [replace(found[0], name=name)]
    if one := [run for run in found if run.name == name]:
        return one
    inside = ", ".join(repr(run.name) for run in found[:12]) + (", …" if len(found) > 12 else "")
    what = f"holds {len(found)} runs ({inside}), and none is called {name!r}"
    raise BadInput([Problem(path, None, what, f"give one of these names, or --run {path} for all of them")])


def _showable(name: str) -> None:
    if not name.isprintable() or not name.strip():
        what = f"the run name {name!r} holds characters that cannot be shown"
        raise BadInput([Problem("--run", None, what, "use printable characters")])


def _ids(runs: Sequence[RunFile], name: str) -> str:
    return _some(next(run.questions for run in runs if run.name == name))


def _some(ids: object) -> str:
    listed = list(dict.fromkeys(ids))  # type: ignore[call-overload]
    return ", ".join(map(repr, listed[:3])) + (", …" if len(listed) > 3 else "")

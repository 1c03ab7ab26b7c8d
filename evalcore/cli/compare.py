"""``compare``: runs on the same judgements, as a table or as JSON, with an optional gate for CI."""

from __future__ import annotations

import json
import operator
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite

import click

from evalcore.cli.loading import Options, joined, measure_of, misnamed, read_runs
from evalcore.comparison import Compared
from evalcore.evidence import Comparison, Result
from evalcore.evidence.claims import finding, headline, interval, number, p_value, signed
from evalcore.export import comparison_json
from evalcore.files import BadInput, Problem
from evalcore.files.problems import NUMBER
from evalcore.files.trec import MOST_GRADE
from evalcore.measures import Measure

_GATE = re.compile(r"(\S+)\s+(\S+)\s+(low|high|difference|p|p_holm|d_z)\s*(<=|>=|<|>)\s*(\S+)")
_OPERATORS: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


@dataclass(frozen=True)
class Gate:
    """A condition that must not hold, such as "new:old nDCG@10 low < -0.02"."""

    text: str
    first: str
    second: str
    measure: Measure
    field: str
    operator: str
    bound: float

    @classmethod
    def parse(cls, text: str, runs: list[str]) -> Gate:
        """Reads a condition over two of ``runs``.

        Raises:
            BadInput: the condition is not NEW:OLD MEASURE FIELD OPERATOR NUMBER, or names a run that is not given.

        """
        match = _GATE.fullmatch(text.strip())
        if match is None:
            remedy = 'write it like "new:old nDCG@10 low < -0.02" (fields: low, high, difference, p, p_holm, d_z)'
            raise BadInput([Problem("--fail-if", None, f"cannot be read: {text!r}", remedy)])
        pair, measure, field, sign, bound = match.groups()
        named = [(a, b) for a in runs for b in runs if a != b and f"{a}:{b}" == pair]
        if len(named) != 1:
            remedy = f"use two of {', '.join(runs)} as NEW:OLD"
            what = f"{pair!r} names no two runs" if not named else f"{pair!r} can be read as two pairs of runs"
            raise BadInput([Problem("--fail-if", None, what, remedy if not named else "rename the runs")])
        try:
            measured = Measure.parse(measure)
        except ValueError as error:
            raise BadInput([misnamed("--fail-if", error)]) from error
        if not (NUMBER.fullmatch(bound) and isfinite(float(bound))):
            # nothing is ever below NaN: such a gate would be open for good
            raise BadInput(
                [Problem("--fail-if", None, f"the bound {bound!r} is not a number", "write one such as -0.02")]
            )
        return cls(text, *named[0], measured, field, sign, float(bound))

    def value(self, c: Comparison) -> float | None:
        """The number that the condition is about; None when it is undefined."""
        found: float | None
        if self.field in ("low", "high"):
            found = getattr(c.difference, self.field)
        elif self.field == "difference":
            found = c.difference.value
        else:
            found = getattr(c, self.field)
        return found

    def assess(self, compared: Compared) -> tuple[Result, str]:
        """How the gate comes out, and the line that says so."""
        value = self.value(compared.pair(self.first, self.second, self.measure))
        if value is None:
            return Result.NOT_ASSESSED, f"gate not assessed: --fail-if {self.text!r}, {self.field} is undefined"
        failed = _OPERATORS[self.operator](value, self.bound)
        word = "fails" if failed else "holds"
        line = f"gate {word}: --fail-if {self.text!r}, {self.field} is {value:.6g}"
        return Result.FAIL if failed else Result.PASS, line


@click.command()
@click.option("--qrels", "qrels_path", required=True, metavar="FILE", help="Judgements, TREC qrels.")
@click.option(
    "--run", "run_options", required=True, multiple=True, metavar="NAME=FILE", help="A run; give two or more."
)
@click.option(
    "--relevant-grade",
    type=click.IntRange(1, MOST_GRADE),
    help="Lowest grade relevant for RR, R and Success [1; the textbook's plan: 2].",
)
@click.option("--primary", metavar="MEASURE", help="Primary measure; the family is all pairs on it [nDCG@10].")
@click.option("--alpha", type=float, help="Family-wise error rate [0.05].")
@click.option("--seed", type=click.IntRange(0), help="Seed of every resampling [20241009].")
@click.option("--resamples", type=click.IntRange(100, 1_000_000), help="Bootstrap resamples [10000].")
@click.option(
    "--fail-if", "conditions", multiple=True, metavar="CONDITION", help="Exit 1 when it holds or is undefined."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON for machines.")
def compare(
    qrels_path: str,
    run_options: tuple[str, ...],
    relevant_grade: int | None,
    primary: str | None,
    alpha: float | None,
    seed: int | None,
    resamples: int | None,
    conditions: tuple[str, ...],
    as_json: bool,
) -> None:
    """Compare rankers on the same questions, with paired intervals."""
    runs = read_runs(run_options)
    gates = [Gate.parse(text, [run.name for run in runs]) for text in conditions]
    options = Options(relevant_grade, measure_of(primary), alpha, seed, resamples)
    compared = joined(qrels_path, runs, options, [gate.measure for gate in gates])
    click.echo(json.dumps(comparison_json(compared), indent=1) if as_json else _table(compared))
    assessed = [gate.assess(compared) for gate in gates]
    for _, line in assessed:
        click.echo(line, err=True)
    sys.exit(0 if all(result is Result.PASS for result, _ in assessed) else 1)


def _table(compared: Compared) -> str:
    """The comparison for reading: the findings in sentences first, then every measure."""
    plan, study = compared.plan, compared.study
    n = len(study.questions)
    source = "the textbook's plan" if plan.sha256 else "no plan"
    lines = [
        f"{n} questions ({len(study.excluded)} without a relevant document left out); relevant means grade "
        f"{study.relevant_grade} or above; {source}; seed {plan.settings.seed}, {plan.settings.resamples:,} resamples",
        *(["Provisional: no person has reviewed this gold set."] if compared.provisional else []),
    ]
    lines += [
        f"{run.name}: {len(run.missing)} of {n} questions returned nothing; counted as 0"
        for run in study.runs
        if run.missing
    ]
    for c in compared.pairs(plan.primary):
        lines += ["", headline(c), "  " + finding(c, k=len(compared.family), alpha=plan.alpha)]
    for measure in study.measures:
        lines += ["", f"{measure} ({measure.title})"]
        for run in study.runs:
            mean = compared.mean(run.name, measure)
            lines.append(f"  {run.name:<16} {number(mean.value):>7}  {interval(mean)}  [{mean.basis.value}]")
        lines += [f"  {_pair_line(c)}" for c in compared.pairs(measure)]
    return "\n".join(
        [*lines, "", "w/t/l: questions on which the first run wins, ties, loses. Holm: adjusted over the family."]
    )


def _pair_line(c: Comparison) -> str:
    holm = f", Holm {p_value(c.p_holm)}" if c.in_family else ""
    verdict = c.verdict.value if c.verdict else ("not assessed" if c.in_family else "exploratory")
    return (
        f"{c.first} - {c.second}: {signed(c.difference.value)}, {interval(c.difference)}, "
        f"w/t/l {c.wins}/{c.ties}/{c.losses}, p {p_value(c.p)}{holm}, {verdict}"
    )

"""``compare``: runs on the same judgements, as a table or as JSON, with an optional gate for CI."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

import click

from evalcore.cli.conditions import Condition
from evalcore.cli.loading import Options, joined, measure_of, read_runs
from evalcore.cli.writing import one_form, refuse_same, write_at_once
from evalcore.comparison import Compared
from evalcore.evidence import Comparison
from evalcore.evidence.claims import finding, headline, interval, number, p_value, signed
from evalcore.export import comparison_json
from evalcore.files.walk import MOST_GRADE
from evalcore.reporting.comparison import comparison_markdown, comparison_properties
from evalcore.reporting.junit import junit
from evalcore.reporting.outcomes import all_pass


@click.command()
@click.option(
    "--qrels", "qrels_path", required=True, metavar="FILE", help="Judgements: TREC, CSV, JSONL, JSON or Parquet."
)
@click.option(
    "--run",
    "run_options",
    required=True,
    multiple=True,
    metavar="NAME=FILE",
    help="A run; two or more. FILE: all runs in it.",
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
    "--fail-if",
    "conditions",
    multiple=True,
    metavar="CONDITION",
    help='Exit 1 when it holds or is undefined: "NEW nDCG@10 < 0.60", "NEW nDCG@10 low < 0.55", or, of a pair, '
    '"NEW:OLD nDCG@10 low < -0.02".',
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON for machines.")
@click.option("--markdown", "as_markdown", is_flag=True, help="Print Markdown for a pull-request comment.")
@click.option("--junit", "junit_path", metavar="FILE", help="Write the gates as JUnit XML.")
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
    as_markdown: bool,
    junit_path: str | None,
) -> None:
    """Compare rankers on the same questions, with paired intervals."""
    one_form(as_json=as_json, as_markdown=as_markdown)
    refuse_same("--junit", junit_path, [qrels_path, *(option.partition("=")[2] for option in run_options)])
    runs = read_runs(run_options)
    gates = [Condition.parse(text, [run.name for run in runs]) for text in conditions]
    options = Options(relevant_grade, measure_of(primary), alpha, seed, resamples)
    compared = joined(qrels_path, runs, options, [gate.measure for gate in gates])
    outcomes = [gate.assess(compared) for gate in gates]
    if junit_path is not None:
        write_at_once(junit_path, junit("compare", outcomes, comparison_properties(compared)))
    if as_json:
        click.echo(_json(compared, gates))
    else:
        click.echo(comparison_markdown(compared, outcomes) if as_markdown else _table(compared))
    for outcome in outcomes:
        click.echo(outcome.line, err=True)
    sys.exit(0 if all_pass(outcomes) else 1)


def _json(compared: Compared, gates: Sequence[Condition]) -> str:
    """The comparison's JSON, with a list of the gates where any were set."""
    found = comparison_json(compared)
    return json.dumps({**found, "gates": [gate.row(compared) for gate in gates]} if gates else found, indent=1)


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

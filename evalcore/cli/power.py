"""``power``: how wide an interval will be, which questions decide, how many are needed, also from one's own runs."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from math import isfinite
from typing import Any

import click

from evalcore.cli.loading import Options, joined, measure_of, read_runs
from evalcore.comparison import Compared
from evalcore.evidence.claims import interval, number
from evalcore.files import BadInput, Problem
from evalcore.files.walk import MOST_GRADE
from evalcore.planning import defaults
from evalcore.planning.answers import NO_SAMPLE, Answer, answers_json
from evalcore.planning.export import gate_rows, half_width_rows, own_rows
from evalcore.planning.flips import SupposedFlips
from evalcore.planning.own import OwnPair, OwnPower, own_pairs
from evalcore.planning.questions import HitPlan, MeanPlan
from evalcore.planning.rates import HALF_WIDTHS, GateChance, SupposedRate, half_width_table, rate_answers
from evalcore.planning.topics import Pilot, TopicPlan
from evalcore.planning.words import IF_NORMAL, WIDER


class _Range(click.FloatRange):
    """A range of finite numbers: NaN is in no range, but click lets it through."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        found = super().convert(value, param, ctx)
        if not isfinite(found):
            self.fail(f"{value} is not a finite number.", param, ctx)
        return found


_SHARE, _INNER = _Range(0, 1), _Range(0, 1, min_open=True, max_open=True)
_MANY = click.IntRange(2, 10_000)


@click.command()
@click.option("--rate", type=_INNER, default=defaults.RATE, show_default=True, help="Supposed hit rate.")
@click.option(
    "--half-width",
    "half_widths",
    type=_Range(0.001, 0.5),
    multiple=True,
    default=HALF_WIDTHS,
    show_default=True,
    help="Wanted half-width; may be given again.",
)
@click.option("--questions", type=_MANY, help="Questions of all three: a rate, a pair of runs, and those there are.")
@click.option("--rate-questions", type=_MANY, help=f"Questions of the rate [--questions, or {defaults.QUESTIONS}].")
@click.option(
    "--pair-questions", type=_MANY, help=f"Questions of the flips [--questions, or {defaults.PAIRED_QUESTIONS}]."
)
@click.option("--now", type=_MANY, help=f"Questions there are to plan with [--questions, or {defaults.QUESTIONS_NOW}].")
@click.option(
    "--d-z",
    "d_z",
    type=_Range(0.001, 10),
    default=defaults.D_Z,
    show_default=True,
    help="Supposed mean difference over the standard deviation of the differences.",
)
@click.option("--alpha", type=_Range(0.0001, 0.5), help=f"Family-wise error rate [{defaults.ALPHA}, or the plan's].")
@click.option(
    "--power", "wanted", type=_Range(0.5, 0.999), default=defaults.POWER, show_default=True, help="Wanted power."
)
@click.option(
    "--family",
    type=click.IntRange(1, 1000),
    help="Comparisons in the family; the smallest p meets alpha over it [those of your own study, or "
    f"{defaults.FAMILY}].",
)
@click.option(
    "--only-first",
    type=_SHARE,
    default=defaults.ONLY_FIRST,
    show_default=True,
    help="Supposed share of questions that only the first run hits.",
)
@click.option(
    "--only-second",
    type=_SHARE,
    default=defaults.ONLY_SECOND,
    show_default=True,
    help="Supposed share of questions that only the second run hits.",
)
@click.option(
    "--flips",
    nargs=2,
    type=click.IntRange(0),
    default=defaults.FLIPS,
    show_default=True,
    help="Questions of the study that only the first, and only the second, run hits.",
)
@click.option(
    "--both-hit",
    type=_SHARE,
    default=defaults.BOTH_HIT,
    show_default=True,
    help="Share of the agreeing questions that both runs hit.",
)
@click.option(
    "--topics", type=click.IntRange(2, 10_000), default=defaults.TOPICS, show_default=True, help="Topics of items."
)
@click.option(
    "--items", type=click.IntRange(1, 10_000), default=defaults.ITEMS, show_default=True, help="Items in each topic."
)
@click.option("--icc", type=_SHARE, default=defaults.ICC, show_default=True, help="Supposed intraclass correlation.")
@click.option("--topic-rate", type=_INNER, help="Supposed rate over items in topics [that of --rate].")
@click.option("--pilot", metavar="COUNTS", help='Hits by topic, such as "7/7, 5/7, 6/7".')
@click.option("--gate", type=_SHARE, default=defaults.GATE, show_default=True, help="Bound of a gate on a rate.")
@click.option("--at-most", is_flag=True, help="The gate wants a rate at most its bound, not at least.")
@click.option(
    "--gate-questions",
    type=click.IntRange(1, 1_000_000),
    default=defaults.GATE_QUESTIONS,
    show_default=True,
    help="Questions that the gate is read on.",
)
@click.option("--qrels", metavar="FILE", help="Judgements of your own study, TREC qrels.")
@click.option("--run", "runs", multiple=True, metavar="NAME=FILE", help="A run of your own study; give two or more.")
@click.option(
    "--worth",
    # every measure lies between 0 and 1, and so does every difference
    type=_Range(0, 1, min_open=True),
    help="Smallest difference worth having, on the primary measure; needed with --qrels.",
)
@click.option("--primary", metavar="MEASURE", help="Primary measure of your own study [the plan's, or nDCG@10].")
@click.option("--relevant-grade", type=click.IntRange(1, MOST_GRADE), help="Lowest relevant grade [1, or the plan's].")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for machines.")
def power(
    as_json: bool,
    qrels: str | None,
    runs: tuple[str, ...],
    worth: float | None,
    primary: str | None,
    relevant_grade: int | None,
    pilot: str | None,
    **given: Any,
) -> None:
    """Plan a study: interval widths, deciding questions, numbers of questions, and power from your own runs."""
    alpha: float | None = given["alpha"]
    pairs = _pairs(qrels, runs, worth, Options(relevant_grade, measure_of(primary), alpha), given["family"])
    family = given["family"] or (pairs[0].family if pairs else defaults.FAMILY)
    sections = _sections(given, defaults.ALPHA if alpha is None else alpha, family, pilot)
    gate = GateChance(given["gate"], not given["at_most"], given["gate_questions"])
    widths = half_width_rows(given["rate"], half_width_table(given["rate"], given["half_widths"]))
    # last, since it takes seconds: whatever is wrong with the inputs has been said by now
    own = _simulated(pairs)
    if as_json:
        named = {key: answers_json(answers) for key, (_, answers) in sections.items()}
        found = {"half_widths": widths, **named, "gate": gate_rows(gate), "own": own_rows(own)}
        click.echo(json.dumps(found, indent=1, ensure_ascii=False))
        return
    lines = [f"Questions for a half-width at a rate of {given['rate']:g}"]
    lines += [
        f"  ± {row['half_width']:g}: {row['n_normal']:g} by the normal approximation, {row['n_wilson']:g} by Wilson; "
        f"{row['rate']:g} measured on {row['n_normal']:g} rules out a true rate below {_ruled_out(row)}"
        + (f". Trust Wilson's here: {row['normal_caution']}" if row["normal_caution"] else "")
        for row in widths
    ]
    for title, answers in sections.values():
        lines += ["", title, *(f"  {_line(answer)}" for answer in answers)]
    lines += ["", f"A {gate.inputs} passes, at a true rate of"]
    lines += [f"  {rate:.3f}: {number(chance.value)}" for rate, chance in gate.table()]
    for pair, powers in own:
        lines += ["", *_own_lines(pair, powers)]
    lines += ["", WIDER]
    closing = "Everything here is assumed: it follows from the inputs."
    if own:
        closing = "All but the spread of your own differences and the d_z seen is assumed: it follows from the inputs."
    click.echo("\n".join([*lines, "", closing]))


def _sections(
    given: dict[str, Any], alpha: float, family: int, pilot: str | None
) -> dict[str, tuple[str, list[Answer]]]:
    wanted = given["wanted"]
    asked, paired, now = (
        given[apart] or given["questions"] or usual
        for apart, usual in (
            ("rate_questions", defaults.QUESTIONS),
            ("pair_questions", defaults.PAIRED_QUESTIONS),
            ("now", defaults.QUESTIONS_NOW),
        )
    )
    try:
        hits = HitPlan(given["only_first"], given["only_second"], alpha, wanted, family, now).answers()
        first_only, second_only = given["flips"]
        flips = SupposedFlips.of(paired, first_only, second_only, given["both_hit"])
        piloted = None if pilot is None else Pilot.read(pilot)
    except ValueError as error:
        raise BadInput([Problem("power", None, str(error), "change the inputs")]) from error
    supposed = SupposedRate.near(given["rate"], asked)
    topics = TopicPlan(given["topics"], given["items"], given["icc"], given["topic_rate"] or given["rate"])
    means = MeanPlan(given["d_z"], alpha, wanted, family, now)
    return {
        "rate": (_supposed(supposed, given["rate"]), rate_answers(supposed)),
        "flips": (f"Which questions decide: {flips.inputs}", flips.answers()),
        "paired_mean": (f"A difference of means, d_z {means.d_z:g}", means.answers()),
        "hit_rates": (
            f"A difference of hit rates: {given['only_first']:g} only the first, {given['only_second']:g} only the "
            "second",
            hits,
        ),
        "topics": (topics.inputs, topics.answers()),
        **({"pilot": ("The pilot", piloted.answers())} if piloted is not None else {}),
    }


def _pairs(
    qrels: str | None, runs: tuple[str, ...], worth: float | None, options: Options, family: int | None
) -> Sequence[OwnPair]:
    """Every pair of the own study."""
    if qrels is None and not runs:
        if worth is not None or options != Options(alpha=options.alpha):
            remedy = "give --qrels and two --run, or leave it out"
            what = "--worth, --primary or --relevant-grade is given without a study of your own"
            raise BadInput([Problem("power", None, what, remedy)])
        return []
    if qrels is None or worth is None:
        missing = "--qrels" if qrels is None else "--worth"
        remedy = "name the judgements" if qrels is None else "say which difference would be worth having, such as 0.05"
        raise BadInput([Problem("power", None, f"{missing} is missing for a plan from your own runs", remedy)])
    compared: Compared = joined(qrels, read_runs(runs), options)
    return own_pairs(compared, worth, family)


def _simulated(pairs: Sequence[OwnPair]) -> list[tuple[OwnPair, list[OwnPower]]]:
    """Every pair with its simulated power, a progress bar on stderr."""
    if not pairs:
        return []
    sizes: list[tuple[OwnPair, int]] = [
        (pair, n) for pair in pairs for n in (pair.sizes if pair.reason is None else ())
    ]
    found: dict[int, list[OwnPower]] = {id(pair): [] for pair in pairs}
    with click.progressbar(sizes, label="Resampling", file=sys.stderr) as bar:
        for pair, n in bar:
            found[id(pair)].append(pair.power(n))
    return [(pair, found[id(pair)]) for pair in pairs]


def _own_lines(pair: OwnPair, powers: Sequence[OwnPower]) -> list[str]:
    head = f"{pair.first} - {pair.second}, {pair.measure}, worth having {pair.worth:g} (assumed)"
    if pair.reason is not None:
        return [head, f"  not assessed: {pair.reason}"]
    lines = [
        head,
        f"  {pair.ties} of {pair.n} questions tie",
        f"  standard deviation of the differences {number(pair.spread.value)} ({pair.spread.basis.value}"
        f"{', provisional' if pair.spread.provisional else ''}); d_z seen {number(pair.d_z.value)}, "
        f"{interval(pair.d_z)}, {IF_NORMAL}; d_z worth having {number(pair.d_z_at_worth.value)}",
    ]
    lines += [
        f"  {power.n} questions: power {number(power.one_test.value)} for one test, {number(power.family.value)} at "
        f"Holm's first step of {pair.family} ({interval(power.family)} from {power.family.n:,} simulated studies); if "
        f"ties stay ties {number(power.one_test_ties.value)} and {number(power.family_ties.value)}; closed form "
        f"{number(pair.closed_form(power.n, pair.compared.plan.alpha).value)} and "
        f"{number(pair.closed_form(power.n, pair.first_step).value)}"
        for power in powers
    ]
    caution = pair.caution(powers)
    return lines if caution is None else [*lines, f"  Caution: {caution}."]


def _supposed(supposed: SupposedRate, rate: float) -> str:
    rounding = supposed.rounding(rate)
    return f"If {supposed.inputs}" + (f" ({rounding})" if rounding else "")


def _ruled_out(row: dict[str, Any]) -> str:
    normal = row["rules_out_below_normal"]
    wilson = number(row["rules_out_below_wilson"])
    if normal is None:
        return f"{wilson} by Wilson, none by the normal approximation"
    return f"about {number(normal)} by the normal approximation, {wilson} by Wilson"


def _line(answer: Answer) -> str:
    e = answer.estimate
    if e.value is None:
        return f"{answer.title}: not assessed, {e.reason}"
    if e.low is not None:
        condition = f", {IF_NORMAL}" if answer.key == "d_z_seen" else ""
        return f"{answer.title}: {answer.shown}, {interval(e)}{condition}"
    return f"{answer.title}: {answer.shown}" + ("" if e.reason == NO_SAMPLE else f" (no interval: {e.reason})")

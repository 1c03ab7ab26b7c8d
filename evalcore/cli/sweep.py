"""``sweep``: an abstention threshold against gates, costs and traffic mix. ``confirm``: once, on the held-out part."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from math import isfinite
from pathlib import Path

import click

from evalcore.abstention.cost import Cheapest, Costs, cheapest, read_costs
from evalcore.abstention.cuts import shown
from evalcore.abstention.export import COLUMNS, candidate_rows, candidates_csv, sweep_json, thinned
from evalcore.abstention.heldout import LEDGER, LOCK, PLAN, SCORES, HeldOut
from evalcore.abstention.scale import read_threshold
from evalcore.abstention.scored import CORRECT, FALSE, GENERATED, RECALL, SCOPE, Scored, decides_nothing
from evalcore.abstention.words import cheapest_in_words, sentence, separation, window
from evalcore.cli.textbook import needs_textbook
from evalcore.cli.writing import one_form, refuse_same, write_at_once
from evalcore.evidence import Count, Source
from evalcore.evidence.claims import interval, number
from evalcore.files import BadInput, Problem
from evalcore.files.scores import ANSWERABLE, HIT, ID, SCORE, read_scores
from evalcore.files.scores import SCOPE as SCOPE_OK
from evalcore.gates import Decision, Gate, decide, read_gates, spoken
from evalcore.goldset.schema import GOLD, GoldSet
from evalcore.reporting.junit import junit
from evalcore.reporting.outcomes import gate_outcomes
from evalcore.reporting.sweep import sweep_markdown, sweep_properties
from evalcore.textbook import provisional_scores

_SHOWN = 12
OPTIONS = {
    RECALL: "--gate-recall",
    CORRECT: "--gate-correct",
    FALSE: "--gate-false",
    SCOPE: "--gate-wrong-scope",
}


@dataclass(frozen=True)
class Asked:
    """What was asked of a sweep: gates, costs, shares of traffic, and the threshold at which gates are read."""

    gates: dict[str, Gate]
    costs: Costs
    shares: tuple[float, ...]
    threshold: float | None

    def chosen(self, scored: Scored) -> Cheapest:
        """The cheapest thresholds at the first share."""
        return cheapest(scored.sweep, self.costs, self.shares[0])


@click.command()
@click.option(
    "--scores", "path", required=True, metavar="FILE", help="CSV: query_id, answerable, score; hit, scope_ok."
)
@click.option("--score", "column", default=SCORE, show_default=True, metavar="COLUMN", help="The column of scores.")
@click.option("--gate-correct", type=float, metavar="X", help="Correct abstention at least X.")
@click.option("--gate-false", type=float, metavar="X", help="False abstention at most X.")
@click.option("--gate-recall", type=float, metavar="X", help="Share of answerable questions with a hit at least X.")
@click.option(
    "--gate-wrong-scope",
    type=click.IntRange(0),
    metavar="N",
    help="Answerable questions served from the wrong scope at most N.",
)
@click.option("--cost-unsupported", type=float, default=3.0, show_default=True, help="Cost of an unsupported answer.")
@click.option("--cost-refusal", type=float, default=1.0, show_default=True, help="Cost of refusing an answerable one.")
@click.option(
    "--unanswerable-share", "shares", type=float, multiple=True, metavar="P", help="Share of traffic; several [0.1]."
)
@click.option("--threshold", type=float, metavar="T", help="Serve at or above T [the cheapest at the first share].")
@click.option("--all-candidates", metavar="OUT.csv", help="Write every candidate.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for machines.")
@click.option("--markdown", "as_markdown", is_flag=True, help="Print Markdown for a pull-request comment.")
@click.option("--junit", "junit_path", metavar="FILE", help="Write the gates as JUnit XML.")
def sweep(
    path: str,
    column: str,
    gate_correct: float | None,
    gate_false: float | None,
    gate_recall: float | None,
    gate_wrong_scope: int | None,
    cost_unsupported: float,
    cost_refusal: float,
    shares: tuple[float, ...],
    threshold: float | None,
    all_candidates: str | None,
    as_json: bool,
    as_markdown: bool,
    junit_path: str | None,
) -> None:
    """Sweep an abstention threshold over the scores of a file."""
    _check_shares("--unanswerable-share", *shares)
    _check_shares("--gate-correct", gate_correct)
    _check_shares("--gate-false", gate_false)
    _check_shares("--gate-recall", gate_recall)
    bounds = {
        RECALL: Gate(RECALL, at_least=gate_recall),
        CORRECT: Gate(CORRECT, at_least=gate_correct),
        FALSE: Gate(FALSE, at_most=gate_false),
        SCOPE: Gate(SCOPE, at_most=gate_wrong_scope),
    }
    gates = {name: gate for name, gate in bounds.items() if gate.is_set}
    one_form(as_json=as_json, as_markdown=as_markdown)
    if all_candidates is not None and Path(all_candidates).resolve() == Path(path).resolve():
        what = "names the file of scores itself"
        raise BadInput([Problem("--all-candidates", None, what, "write the candidates to another file")])
    refuse_same("--junit", junit_path, [path, all_candidates])
    asked = Asked(gates, _costs(cost_unsupported, cost_refusal), shares or (0.1,), _threshold(threshold))
    scored = _scored(Path(path), path, column)
    at = asked.threshold if threshold is not None else asked.chosen(scored).threshold
    candidate = scored.sweep.at(at)
    measured, nothing = scored.against(gates, candidate), decides_nothing(scored, gates)
    decision = decide(measured, decides_nothing=nothing)
    named = [(f"{OPTIONS[gate.name]} {gate.limit:.12g}", gate, m) for gate, m in measured]
    outcomes = gate_outcomes(named, decides_nothing=nothing)
    if all_candidates is not None:
        _write(Path(all_candidates), candidates_csv(scored, asked.costs, asked.shares[0]), all_candidates)
    if junit_path is not None:
        properties = sweep_properties(scored, asked.costs, asked.shares[0], at)
        write_at_once(junit_path, junit("sweep", outcomes, properties))
    if as_json:
        found = sweep_json(scored, gates, decision, costs=asked.costs, shares=asked.shares, threshold=at)
        click.echo(json.dumps(found, indent=1))
    elif as_markdown:
        costs, shares = asked.costs, asked.shares
        click.echo(sweep_markdown(scored, gates, decision, outcomes, costs=costs, shares=shares, threshold=at))
    else:
        click.echo(_text(scored, asked, at, decision))
    for outcome in outcomes:
        click.echo(outcome.line, err=True)
    sys.exit(0 if decision.go is True or not gates else 1)


@click.command()
@click.option("--folder", default=str(GOLD), metavar="DIR", help=f"Holds {SCORES}, {PLAN}, {LOCK} [gold].")
@click.option("--score", "column", default=SCORE, show_default=True, metavar="COLUMN", help="The column of scores.")
@click.option("--threshold", type=float, metavar="T", help="Serve at or above T.")
@click.option("--stored", metavar="FILE", help="A threshold stored with the fingerprint of its score.")
@click.option("--lock", "locking", is_flag=True, help=f"Write {LOCK} and open nothing; commit it before opening.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for machines.")
def confirm(
    folder: str, column: str, threshold: float | None, stored: str | None, locking: bool, as_json: bool
) -> None:
    """Open the held-out part at a threshold, once: every opening is written to the ledger."""
    if folder == str(GOLD):
        needs_textbook()
    held_out = HeldOut(Path(folder))
    if not held_out.folder.is_dir():
        raise BadInput([Problem("--folder", None, f"{folder!r} is no folder", "give the folder of the held-out part")])
    if locking and threshold is not None:
        raise BadInput([Problem("--lock", None, "takes no --threshold", "give the threshold when the part is opened")])
    if not held_out.exists:
        what = "is not there: held-out is not assessed"
        raise BadInput([Problem(SCORES, None, what, "the threshold stands on development questions alone")])
    now = datetime.now(UTC)
    kept = read_threshold(Path(stored)) if stored is not None else None
    if locking:
        name = column if kept is None else kept.scale.score
        read_scores(held_out.folder / SCORES, name=SCORES, columns=(name,))
        lock = held_out.lock(date=f"{now:%Y-%m-%d}", score=name, scale=kept.scale if kept else None)
        click.echo(f"{LOCK} written for {SCORES} {lock.heldout_sha256[:12]}…; commit it before the part is opened")
        return
    if (threshold is None) == (kept is None):
        raise BadInput([Problem("--threshold", None, "or --stored is needed, and not both", "give one of them")])
    at = _threshold(threshold) if kept is None else kept.threshold
    name = column if kept is None else kept.scale.score
    gates, declared = read_gates(held_out.folder / PLAN), read_costs(held_out.folder / PLAN)
    opening = held_out.open(at, score=name, when=now, stored=kept)
    scored = _scored(held_out.folder / SCORES, SCORES, name)
    candidate = scored.sweep.at(at)
    decision = decide(scored.against(gates, candidate), decides_nothing=decides_nothing(scored, gates))
    times = len(held_out.openings)
    if as_json:
        found = sweep_json(
            scored, gates, decision, costs=declared.costs, shares=(declared.unanswerable_share,), threshold=at
        )
        kept_parts = {k: found[k] for k in ("at_threshold", "by_mix", "gates", GENERATED, "go", "reasons")}
        click.echo(json.dumps({"opening": opening.model_dump(), "openings": times, **kept_parts}, indent=1))
    else:
        lines = [f"Opened {times} {'time' if times == 1 else 'times'}; written to {LEDGER}. Threshold {_shown(at)}."]
        if times > 1:
            lines.append("More than one opening: whatever was decided between them was tuned on the held-out part.")
        click.echo("\n".join([*lines, *_gate_lines(scored, gates, candidate), decision.sentence]))
    sys.exit(0 if decision.go is True else 1)


def _scored(path: Path, name: str, column: str) -> Scored:
    if column in (ID, ANSWERABLE, HIT, SCOPE_OK):
        raise BadInput([Problem("--score", None, f"{column!r} is no score", "name a column of scores")])
    table = read_scores(path, name=name, columns=(column,))
    if table.unread:
        click.echo(f"columns not read: {', '.join(table.unread[:_SHOWN])}", err=True)
    source = Source(f"{name}, {column}", sha256=table.sha256)
    return Scored(table, column, source, provisional=provisional_scores(table.sha256, GoldSet()))


def _costs(unsupported: float, refusal: float) -> Costs:
    try:
        return Costs(unsupported, refusal)
    except ValueError as error:
        what = f"{unsupported:g} and --cost-refusal {refusal:g} cannot be weighed"
        raise BadInput([Problem("--cost-unsupported", None, what, str(error))]) from error


def _check_shares(option: str, *values: float | None) -> None:
    for value in values:
        if value is not None and not 0 <= value <= 1:
            raise BadInput([Problem(option, None, f"{value:g} is not between 0 and 1", "write a share such as 0.1")])


def _threshold(value: float | None) -> float | None:
    if value is not None and not isfinite(value):
        raise BadInput([Problem("--threshold", None, f"{value} is not a finite number", "write one such as 0.45")])
    return value


def _write(path: Path, text: str, name: str) -> None:
    try:
        path.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        what = f"cannot be written ({error.strerror})"
        raise BadInput([Problem(name, None, what, "give a path in a folder that is there")]) from error


def _text(scored: Scored, asked: Asked, at: float | None, decision: Decision) -> str:
    """The sweep for reading: what separates, which thresholds pass, what they cost, and the gates at one of them."""
    swept = scored.sweep
    lines = [
        f"{swept.answerable} answerable and {swept.unanswerable} unanswerable questions by {scored.column}; "
        f"{len(swept.thresholds):,} distinct scores. {scored.basis.value}.",
        *(["Provisional: no person has reviewed these questions."] if scored.provisional else []),
        sentence(separation(scored)),
        window(scored, asked.gates),
        f"Cheapest at the file's mix ({number(swept.share)}): "
        f"{cheapest_in_words(scored, cheapest(swept, asked.costs, swept.share))}.",
    ]
    lines += [
        f"Cheapest at an unanswerable share of {share:g} (assumed): "
        f"{cheapest_in_words(scored, cheapest(swept, asked.costs, share))}."
        for share in asked.shares
    ]
    lines += ["", _candidates(scored, asked), "", f"At threshold {_shown(at)}:"]
    lines += _gate_lines(scored, asked.gates, swept.at(at))
    lines.append(
        f"Expected cost per 1,000 questions is assumed: costs {asked.costs.unsupported:g} : {asked.costs.refusal:g}."
    )
    lines.append(
        "Development: intervals are pointwise, and none allows for choosing a threshold on the same questions. "
        "Held-out: not assessed."
    )
    return "\n".join([*lines, *decision.reasons, decision.sentence])


def _candidates(scored: Scored, asked: Asked) -> str:
    rows = candidate_rows(scored, asked.costs, asked.shares[0], thinned(len(scored.sweep), _SHOWN))
    heads = [*COLUMNS[:6], "cost, file mix", f"cost, {asked.shares[0]:g}"]
    cells = [
        [
            _shown(row["threshold"]),
            str(row["served"]),
            *(number(row[name]) for name in COLUMNS[2:6]),
            number(row["cost_per_1000_test_mix"], 0),
            number(row["cost_per_1000"], 0),
        ]
        for row in rows
    ]
    widths = [max(len(head), *(len(line[i]) for line in cells)) for i, head in enumerate(heads)]
    table = ["  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)) for line in [heads, *cells]]
    left = len(scored.sweep) - len(rows)
    return "\n".join([*table, *([f"({left:,} more candidates; --all-candidates writes them)"] if left else [])])


def _gate_lines(scored: Scored, gates: dict[str, Gate], candidate: int) -> list[str]:
    correct, wrong = scored.correct_abstention(candidate), scored.false_abstention(candidate)
    lines = [
        f"  correct abstention {number(correct.value)} ({interval(correct)}, n = {correct.n})",
        f"  false abstention {number(wrong.value)} ({interval(wrong)}, n = {wrong.n})",
    ]
    for gate, measured in scored.against({k: g for k, g in gates.items() if k != GENERATED}, candidate):
        value = str(measured.count) if isinstance(measured, Count) else number(measured.value)
        lines.append(f"  gate {spoken(gate.name)} {gate.bound}: {value}, {gate.result(measured).value}")
    return [*lines, "  generated-answer competence: not assessed"]


def _shown(threshold: float | None) -> str:
    return "refuse everything" if threshold is None else shown(threshold, 9)

"""A run for keeping: JSON that can be opened again, and CSV of items, rates and agreement.

Every printed rate can be recomputed from the counts beside it.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

from evalcore.evidence import Comparison, Estimate
from evalcore.evidence.rows import reasoned_row
from evalcore.files.tables import to_csv
from evalcore.generation.checks.findings import Check
from evalcore.generation.results.agreement import (
    Agreed,
    between_raters,
    checks_against,
    judge_against,
    judge_against_support,
)
from evalcore.generation.results.comparison import Compared
from evalcore.generation.results.output import ValidOutput
from evalcore.generation.results.rates import Rate, check_rates, mark_of, rubric_rates
from evalcore.generation.rubric import Sheet, raters
from evalcore.generation.store.events import Question
from evalcore.generation.store.files import run_document
from evalcore.generation.store.run import Run
from evalcore.generation.words import SAMPLE


def run_json(run: Run) -> dict[str, Any]:
    """The run's events, and beside them its results, which are computed again when the file is opened."""
    output = ValidOutput.of(run)
    return {
        **run_document(run),
        "results": {
            "valid_output": {
                "ok": output.ok,
                "own": output.own,
                "planned": output.planned,
                **_row(output.share),
                "causes": {outcome.value: n for outcome, n in output.causes.items()},
                "open": list(output.open),
            },
            "rates": rate_rows(run),
            "agreement": agreement_rows(run),
            "items": item_rows(run),
        },
    }


def rate_rows(run: Run) -> list[dict[str, Any]]:
    """Every check, then every rater's rubric: among the items that there are, and over planned ones."""
    rows = [_rate_row("checks", rate) for rate in check_rates(run)]
    for rater in raters(run):
        rows += [_rate_row(rater, rate) for rate in rubric_rates(Sheet(run, rater))]
    return rows


def agreement_rows(run: Run) -> list[dict[str, Any]]:
    """Checks against each rater, raters against each other, the judge against both; blind ratings only."""
    sheets = [Sheet(run, rater) for rater in raters(run)]
    found: list[Agreed | None] = []
    for sheet in sheets:
        found += checks_against(sheet)
    found += [between_raters(one, other) for one, other in combinations(sheets, 2)]
    found += [judge_against(sheet, q) for sheet in sheets for q in (Question.FAITHFUL, Question.CORRECT)]
    if sheets:
        found.append(judge_against_support(run))
    return [_agreed_row(a) for a in found if a is not None]


def item_rows(run: Run) -> list[dict[str, Any]]:
    """One row an item: what the model wrote, every check's mark, every rater's answers."""
    sheets = [Sheet(run, rater) for rater in raters(run)]
    rows = []
    for item in run.items.values():
        row: dict[str, Any] = {
            "item": item.id,
            "topic": run.topics[item.topic].title,
            "kind": item.kind.value,
            "question": item.question,
            "options": " | ".join(item.options),
            "key": item.key,
            "citations": " ".join(item.citations),
        }
        for check in (*Check, None):
            mark = mark_of(run, item.id, check)
            row["supported" if check is None else check.value] = None if mark is None else mark.value
        for sheet in sheets:
            # not the bare name, which may begin like a formula
            by = f"rater {sheet.rater}"
            for question in Question:
                rating = sheet.ratings.get((item.id, question))
                row[f"{by}: {question.value}"] = None if rating is None else rating.answer.value
            faithful = sheet.ratings.get((item.id, Question.FAITHFUL))
            row[f"{by}: checksShownBeforeRating"] = None if faithful is None else faithful.checks_shown
            first = sheet.blind.get(item.id)
            row[f"{by}: first blind faithful"] = None if first is None else first.value
        rows.append(row)
    return rows


def comparison_rows(compared: Compared) -> list[dict[str, Any]]:
    """One row a measure of two runs, first minus second."""
    return [_difference_row(c, compared) for c in compared.differences]


def stamp(run: Run) -> dict[str, Any]:
    """What ties an exported row to its run."""
    sample = run.began.written_for is not None
    return {
        "models": ", ".join(run.models),
        "date": run.date,
        "written_for_demo": SAMPLE if sample else None,
        "plan_sha256": run.began.plan_sha256,
        "prompt_sha256": run.began.prompt_sha256,
    }


def rates_csv(run: Run) -> str:
    """Rates with their counts."""
    rows = [{**row, "marks": _counts(row["marks"])} for row in rate_rows(run)]
    return to_csv(rows, stamp=stamp(run))


def agreement_csv(run: Run) -> str:
    """Agreement with its 2 x 2 counts; empty before anybody has rated."""
    rows = [{**row, "left_out": _counts(row["left_out"])} for row in agreement_rows(run)]
    return to_csv(rows, stamp=stamp(run))


def items_csv(run: Run) -> str:
    """Items with marks and ratings."""
    return to_csv(item_rows(run), stamp=stamp(run))


def _rate_row(of: str, rate: Rate[Any]) -> dict[str, Any]:
    return {
        "of": of,
        "name": rate.name,
        "hits": rate.hits,
        "n": rate.n,
        "planned_n": rate.planned_n,
        **_row(rate.among),
        "topics": rate.among.clusters,
        "icc": rate.icc,
        "design_effect": rate.among.design_effect,
        "n_effective": rate.among.n_effective,
        **_limits("independent", rate.beside),
        "planned_value": rate.planned.value,
        **_limits("planned", rate.planned),
        **_limits("planned_independent", rate.planned_beside),
        "planned_topics": rate.planned.clusters,
        "planned_design_effect": rate.planned.design_effect,
        "marks": dict(rate.marks),
    }


def _agreed_row(a: Agreed) -> dict[str, Any]:
    both, first_only, second_only, neither = a.cells
    return {
        "first": a.first,
        "second": a.second,
        "n": a.n,
        "both_yes": both,
        "first_only": first_only,
        "second_only": second_only,
        "both_no": neither,
        "left_out": dict(a.left_out),
        "raw": a.raw.value,
        **_limits("raw", a.raw),
        "yes_first": a.yes_first.value,
        "yes_second": a.yes_second.value,
        "kappa": a.kappa_jackknife.value,
        "kappa_reason": a.kappa_jackknife.reason,
        **_limits("kappa_jackknife", a.kappa_jackknife),
        **_limits("kappa_resampled", a.kappa_resampled),
        "resamples_without_kappa": a.dropped if a.kappa_resampled.low is not None else None,
        "sensitivity": a.sensitivity.value,
        **_limits("sensitivity", a.sensitivity),
        "specificity": a.specificity.value,
        **_limits("specificity", a.specificity),
        **{
            key: limit
            for name in ("raw", "sensitivity", "specificity")
            for key, limit in _limits(f"{name}_independent", a.beside.get(name)).items()
        },
        "basis": a.raw.basis.value,
    }


def _difference_row(c: Comparison, compared: Compared) -> dict[str, Any]:
    d = c.difference
    return {
        "measure": c.measure,
        "difference": d.value,
        "low": d.low,
        "high": d.high,
        "method": d.method,
        "topics": len(compared.topics),
        "wins": c.wins,
        "ties": c.ties,
        "losses": c.losses,
        "d_z": c.d_z,
        "p": c.p,
        "p_method": c.p_method,
        "basis": d.basis.value,
        "reason": d.reason,
    }


def _row(estimate: Estimate) -> dict[str, Any]:
    return {key: value for key, value in reasoned_row(estimate).items() if key != "n"}


def _limits(name: str, estimate: Estimate | None) -> dict[str, Any]:
    low, high = (None, None) if estimate is None else (estimate.low, estimate.high)
    return {f"{name}_low": low, f"{name}_high": high}


def _counts(counts: dict[str, int]) -> str:
    return "; ".join(f"{name} {n}" for name, n in counts.items())

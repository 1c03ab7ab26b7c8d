"""A comparison as JSON, CSV and LaTeX. The page's downloads, the command line and the report all come from here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from evalcore.comparison import Compared
from evalcore.evidence import Comparison, Estimate
from evalcore.evidence.claims import number, p_value, signed
from evalcore.evidence.rows import estimate_row, reasoned_row
from evalcore.files.tables import Row, to_csv
from evalcore.measures import Measure

_LATEX = {"&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}"} | {
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
    # at the start of a row these would be read as arguments of the line break before it
    "[": "{[}",
    "]": "{]}",
    "*": "{*}",
}


def comparison_json(compared: Compared) -> dict[str, Any]:
    """The comparison in the shape that DESIGN section 10 fixes for ``compare --json``."""
    study, plan = compared.study, compared.plan
    return {
        "study": {
            "questions": len(study.questions),
            "excluded_questions": len(study.excluded),
            "plan_sha256": plan.sha256,
            "seed": plan.settings.seed,
            "resamples": plan.settings.resamples,
            "provisional": compared.provisional,
            **_remark(compared),
            "runs": [
                {
                    "name": run.name,
                    "sha256": run.sha256,
                    "missing_questions": len(run.missing),
                    "unjudged_at_10": study.unjudged_at_10(run.name),
                }
                for run in study.runs
            ],
        },
        "measures": measure_rows(compared, study.measures),
        "pairs": [pair_row(c) for measure in study.measures for c in compared.pairs(measure)],
        "family": {"k": len(compared.family), "alpha": plan.alpha},
    }


def measure_rows(compared: Compared, measures: Iterable[Measure]) -> list[dict[str, Any]]:
    """One row a run and measure."""
    return [
        {"run": run.name, "measure": str(measure), **estimate_row(compared.mean(run.name, measure))}
        for measure in measures
        for run in compared.study.runs
    ]


def pair_row(c: Comparison) -> dict[str, Any]:
    """One row of the table of pairs."""
    return {
        "first": c.first,
        "second": c.second,
        "measure": c.measure,
        "difference": c.difference.value,
        "low": c.difference.low,
        "high": c.difference.high,
        "method": c.difference.method,
        "d_z": c.d_z,
        "wins": c.wins,
        "ties": c.ties,
        "losses": c.losses,
        "p": c.p,
        "p_method": c.p_method,
        "p_holm": c.p_holm,
        "in_family": c.in_family,
        "verdict": c.verdict.value if c.verdict else None,
    }


def stamp(compared: Compared) -> dict[str, Any]:
    """What ties an exported row to its files and settings."""
    return {
        "level": compared.plan.settings.level,
        "relevant_grade": compared.study.relevant_grade,
        "provisional": compared.provisional,
        **_remark(compared),
        "plan_sha256": compared.plan.sha256,
        "qrels_sha256": compared.study.qrels_sha256,
        **{f"{run.name}_sha256": run.sha256 for run in compared.study.runs},
    }


def _remark(compared: Compared) -> dict[str, str]:
    return {} if compared.remark is None else {"remark": compared.remark}


@dataclass(frozen=True, slots=True)
class MeanRow:
    """A mean for export: over which questions, of which run and measure, with a second interval if it has one."""

    questions: str
    run: str
    measure: Measure
    estimate: Estimate
    second: Estimate | None = None


def means_csv(rows: Iterable[MeanRow], tied_to: Row) -> str:
    """Means as CSV, each with the seed that it used."""
    full = [
        {
            "questions": row.questions,
            "run": row.run,
            "measure": str(row.measure),
            **reasoned_row(row.estimate),
            "seed": row.estimate.seed,
            "resamples": row.estimate.resamples,
            **_second(row.second),
        }
        for row in rows
    ]
    return to_csv(full, stamp=tied_to)


def pairs_csv(compared: Compared, comparisons: Iterable[Comparison], tied_to: Row) -> str:
    """Pairs of a comparison as CSV, each with its second interval, label, reason, alpha and seed."""
    full = [
        {
            **pair_row(c),
            **_second(compared.beside_pair(c.first, c.second, Measure.parse(c.measure))),
            "alpha": compared.plan.alpha,
            "n": c.difference.n,
            "basis": c.basis.value,
            "reason": c.reason,
            "seed": c.difference.seed,
            "resamples": c.difference.resamples,
        }
        for c in comparisons
    ]
    return to_csv(full, stamp=tied_to)


def _second(beside: Estimate | None) -> dict[str, Any]:
    if beside is None:
        return {"second_low": None, "second_high": None, "second_method": None}
    return {"second_low": beside.low, "second_high": beside.high, "second_method": beside.method}


def pairs_latex(compared: Compared, measure: Measure) -> str:
    """The table of pairs on one measure, for a paper; needs the package booktabs. Its last rows say what it is."""
    lines = [
        r"\begin{tabular}{lrrrrrrl}",
        r"\toprule",
        r"Pair & Difference & Interval & $d_z$ & W/T/L & $p$ & $p$ (Holm) & Verdict \\",
        r"\midrule",
    ]
    pairs = compared.pairs(measure)
    for c in pairs:
        d = c.difference
        cells = [
            f"{latex_text(c.first)} $-$ {latex_text(c.second)}",
            _math(signed(d.value)),
            "--" if d.low is None else f"[{_math(number(d.low))}, {_math(number(d.high))}]",
            _math(number(c.d_z, 2)),
            f"{c.wins}/{c.ties}/{c.losses}",
            _math(p_value(c.p)),
            _math(p_value(c.p_holm)),
            c.verdict.value if c.verdict else "exploratory",
        ]
        lines.append(" & ".join(cells) + r" \\")
    notes = [rf"\multicolumn{{8}}{{l}}{{\footnotesize {note}}} \\" for note in _latex_notes(compared, measure, pairs)]
    hashes = [f"% {name} {sha}" for name, sha in stamp(compared).items() if name.endswith("sha256")]
    return "\n".join([*lines, r"\midrule", *notes, r"\bottomrule", r"\end{tabular}", *hashes, ""])


def _latex_notes(compared: Compared, measure: Measure, pairs: Sequence[Comparison]) -> list[str]:
    settings = compared.plan.settings
    methods = "; ".join(dict.fromkeys(c.difference.method for c in pairs if c.difference.low is not None))
    tests = "; ".join(dict.fromkeys(c.p_method for c in pairs))
    basis = "; ".join(dict.fromkeys(c.basis.value for c in pairs))
    state = "; provisional: no person has reviewed the gold set" if compared.provisional else ""
    return [
        *([latex_text(f"Note: {compared.remark}.")] if compared.remark else []),
        latex_text(f"{measure}, n = {len(compared.study.questions)} questions. {basis}{state}."),
        latex_text(
            f"{100 * settings.level:g} % intervals: {methods or 'none'}; tests: {tests}; Holm over "
            f"{len(compared.family)}, alpha {compared.plan.alpha:g}; seed {settings.seed}, "
            f"{settings.resamples:,} resamples."
        ),
    ]


def latex_text(text: str) -> str:
    """Text with the characters escaped that LaTeX would act on."""
    return re.sub(r"[][&%$#_{}~^\\*]", lambda m: _LATEX[m[0]], text)


def _math(shown: str) -> str:
    return "--" if shown == "–" else f"${shown.replace('−', '-')}$"

"""A comparison as Markdown for a pull-request comment, and what a JUnit file says of its files and settings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from evalcore.comparison import Compared
from evalcore.evidence import Comparison, Estimate
from evalcore.evidence.claims import headline, may_not_be_said, number, p_value, signed
from evalcore.plan import MOST_RUNS_IN_ALL_PAIRS
from evalcore.reporting.escaping import code, escaped, table
from evalcore.reporting.outcomes import Outcome

MOST_HEADLINES = 5


def comparison_markdown(compared: Compared, outcomes: Sequence[Outcome] = ()) -> str:
    """The findings in sentences, what may not be said, gates, means, pairs, and what they rest on."""
    plan = compared.plan
    primary = compared.pairs(plan.primary)
    told = [c for c in primary if c.in_family] or list(primary)
    return "\n".join(
        [
            "## Evidence Lab: comparison",
            "",
            *(f"- {headline(c, code)}" for c in told[:MOST_HEADLINES]),
            *([f"- {len(told) - MOST_HEADLINES} more pairs are in the table."] if len(told) > MOST_HEADLINES else []),
            "",
            _may_not_be_said(told[:MOST_HEADLINES]),
            "",
            "### Gates",
            "",
            *gates_markdown(outcomes),
            "",
            "### Means",
            "",
            *_means(compared),
            "",
            "### Pairs",
            "",
            *_pairs(compared),
            "",
            "### What this rests on",
            "",
            *_rests_on(compared),
        ]
    )


def comparison_properties(compared: Compared) -> dict[str, object]:
    """Hashes, seed, label and family, by name."""
    study, plan = compared.study, compared.plan
    return {
        "plan_sha256": plan.sha256,
        "qrels_sha256": study.qrels_sha256,
        **{f"run {run.name} sha256": run.sha256 for run in study.runs},
        "basis": "; ".join(_bases(compared)),
        "provisional": compared.provisional,
        "questions": len(study.questions),
        "primary": str(plan.primary),
        "relevant_grade": study.relevant_grade,
        "family": len(compared.family),
        "alpha": plan.alpha,
        "level": plan.settings.level,
        "seed": plan.settings.seed,
        "resamples": plan.settings.resamples,
    }


def gates_markdown(outcomes: Sequence[Outcome]) -> list[str]:
    """The table of gates, or that there was none."""
    if not outcomes:
        return ["No gate was set."]
    return table(
        ["gate", "result", "why"], [[code(o.name), f"**{o.result.value}**", escaped(o.reason)] for o in outcomes]
    )


def limits(estimate: Estimate) -> str:
    """An interval as a cell, or why there is none."""
    if estimate.low is None:
        return f"none: {escaped(estimate.reason or 'not given')}"
    return f"{number(estimate.low)} to {number(estimate.high)}"


def provisional_line(provisional: bool | None) -> str:
    """Whether a person has reviewed what the numbers rest on, as an entry of a list."""
    if provisional is None:
        return "- Provisional: does not apply to files of your own"
    return f"- Provisional: {'yes, no person has reviewed this gold set' if provisional else 'no'}"


def _bases(compared: Compared) -> list[str]:
    study, primary = compared.study, compared.plan.primary
    return list(dict.fromkeys(compared.mean(run.name, primary).basis.value for run in study.runs))


def _may_not_be_said(told: Iterable[Comparison]) -> str:
    said = dict.fromkeys(sentence for c in told for sentence in may_not_be_said(c, code))
    return f"**May not be said:** {' '.join(said)}"


def _means(compared: Compared) -> list[str]:
    rows = []
    for measure in compared.study.measures:
        for run in compared.study.runs:
            mean = compared.mean(run.name, measure)
            cells = [number(mean.value), limits(mean), str(mean.n), mean.method, mean.basis.value]
            rows.append([code(run.name), str(measure), *cells])
    heads = ["run", "measure", "mean", _interval_head(compared), "n", "method", "label"]
    return table(heads, rows, right=(2, 4))


def _pairs(compared: Compared) -> list[str]:
    """Every pair of up to five runs; above, the family alone, since all pairs of many runs fill no comment."""
    study, plan = compared.study, compared.plan
    measures = dict.fromkeys((plan.primary, *study.measures))
    every = [c for measure in measures for c in compared.pairs(measure)]
    shown = every if len(study.runs) <= MOST_RUNS_IN_ALL_PAIRS else [c for c in every if c.in_family]
    heads = ["pair", "measure", "difference", _interval_head(compared), "w/t/l", "p", "Holm p", "verdict"]
    lines = table(heads, map(_pair_row, shown), right=(2, 5, 6))
    left = len(every) - len(shown)
    return [*lines, *(["", f"{left:,} pairs outside the family are in the JSON."] if left else [])]


def _pair_row(c: Comparison) -> list[str]:
    verdict = c.verdict.value if c.verdict else ("not assessed" if c.in_family else "exploratory")
    return [
        f"{code(c.first)} − {code(c.second)}",
        c.measure,
        signed(c.difference.value),
        limits(c.difference),
        f"{c.wins}/{c.ties}/{c.losses}",
        p_value(c.p),
        p_value(c.p_holm),
        verdict,
    ]


def _interval_head(compared: Compared) -> str:
    return f"{100 * compared.plan.settings.level:g} % interval"


def _rests_on(compared: Compared) -> list[str]:
    study, plan = compared.study, compared.plan
    settings = plan.settings
    declared = f"plan sha256 `{plan.sha256}`" if plan.sha256 else "no plan file: settings as given to the command"
    files = [[f"judgements {code(study.qrels_name)}", "–", "–", f"`{study.qrels_sha256}`"]]
    files += [
        [
            f"run {code(run.name)}",
            str(len(run.missing)),
            str(study.unjudged_at_10(run.name)),
            f"`{run.sha256}`",
        ]
        for run in study.runs
    ]
    heads = ["file", "questions not returned (count as 0)", "unjudged in the top 10", "sha256"]
    return [
        f"- Label: {'; '.join(_bases(compared))}",
        provisional_line(compared.provisional),
        f"- Declared: {declared}",
        f"- Questions: {len(study.questions)}; {len(study.excluded)} without a relevant document left out; relevant "
        f"means grade {study.relevant_grade} or above",
        f"- Primary measure {plan.primary}; Holm over {len(compared.family)}, alpha {plan.alpha:g}; intervals are each "
        "for one number, unadjusted",
        f"- Seed {settings.seed}, {settings.resamples:,} resamples",
        "",
        *table(heads, files, right=(1, 2)),
    ]

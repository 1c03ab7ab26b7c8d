"""A sweep as Markdown for a pull-request comment, and what a JUnit file says of its file and settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from evalcore.abstention.cost import Costs, cheapest
from evalcore.abstention.cuts import shown
from evalcore.abstention.scored import Scored
from evalcore.abstention.words import cheapest_in_words, headline, may_not_be_said, sentence, separation, window
from evalcore.evidence.claims import number
from evalcore.gates import Decision, Gate
from evalcore.reporting.comparison import gates_markdown, limits, provisional_line
from evalcore.reporting.escaping import code, table
from evalcore.reporting.outcomes import Outcome


def sweep_markdown(
    scored: Scored,
    gates: Mapping[str, Gate],
    decision: Decision,
    outcomes: Sequence[Outcome],
    *,
    costs: Costs,
    shares: Sequence[float],
    threshold: float | None,
) -> str:
    """Whether a threshold passes, what may not be said, the gates, the rates at the threshold, what they rest on."""
    return "\n".join(
        [
            "## Evidence Lab: abstention threshold",
            "",
            f"{headline(scored, gates, code(scored.column))} {decision.sentence}" if gates else decision.sentence,
            "",
            f"**May not be said:** {' '.join(may_not_be_said(scored))}",
            "",
            "### Gates",
            "",
            *gates_markdown(outcomes),
            "",
            f"### At threshold {_spoken(threshold)}",
            "",
            *_rates(scored, scored.sweep.at(threshold)),
            "",
            sentence(separation(scored)),
            window(scored, gates),
            "",
            *(
                f"- Cheapest at an unanswerable share of {share:g} (assumed): "
                f"{cheapest_in_words(scored, cheapest(scored.sweep, costs, share))}"
                for share in shares
            ),
            "",
            "### What this rests on",
            "",
            *_rests_on(scored, costs),
        ]
    )


def sweep_properties(scored: Scored, costs: Costs, share: float, threshold: float | None) -> dict[str, object]:
    """The file's hash, its label, and what was assumed, by name."""
    return {
        "plan_sha256": None,
        "scores": scored.source.name,
        "scores_sha256": scored.table.sha256,
        "basis": scored.basis.value,
        "provisional": scored.provisional,
        "held_out": "not assessed",
        "threshold": threshold,
        "cost_unsupported (assumed)": costs.unsupported,
        "cost_refusal (assumed)": costs.refusal,
        "unanswerable_share (assumed)": share,
    }


def _rates(scored: Scored, candidate: int) -> list[str]:
    measured = {
        "correct abstention": scored.correct_abstention(candidate),
        "false abstention": scored.false_abstention(candidate),
        "coverage": scored.coverage(candidate),
        "unsupported share of what is served": scored.unsupported(candidate),
        "AUC, at every threshold": scored.auc,
    }
    rows = [[what, number(e.value), limits(e), str(e.n), e.method, e.basis.value] for what, e in measured.items()]
    return table(["rate", "value", "95 % interval", "n", "method", "label"], rows, right=(1, 3))


def _rests_on(scored: Scored, costs: Costs) -> list[str]:
    swept = scored.sweep
    return [
        f"- Label: {scored.basis.value}; expected costs are assumed, {costs.unsupported:g} : {costs.refusal:g}",
        provisional_line(scored.provisional),
        "- Declared: no plan file; gates and costs as given to the command. No seed: nothing here is resampled",
        f"- Questions: {swept.answerable} answerable, {swept.unanswerable} unanswerable",
        "- Generated-answer competence: not assessed. Held-out: not assessed",
        "",
        *table(["file", "sha256"], [[f"scores {code(scored.source.name)}", f"`{scored.table.sha256}`"]]),
    ]


def _spoken(threshold: float | None) -> str:
    return "refuse everything" if threshold is None else shown(threshold, 9)

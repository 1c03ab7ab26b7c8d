"""What the Overview page says of the textbook study, taken from the study itself."""

from __future__ import annotations

from typing import Any

from evalcore.evidence import Estimate
from evalcore.evidence.rows import estimate_row
from evalcore.gates import Gate
from evalcore.measures import Measure
from evalcore.textbook import Textbook
from ui.theme import label

_NAMES = {
    "correct_abstention": "Correct abstention on unanswerable questions",
    "false_abstention": "False abstention on answerable questions",
    "wrong_scope_served": "A passage from the wrong scope served first",
    "generated_answer_competence": "Generated answers are right",
}
_WHY = {
    "correct_abstention": "there are no unanswerable questions yet",
    "false_abstention": "no abstention threshold has been chosen yet",
    "wrong_scope_served": "does not apply: one textbook, one scope",
    "generated_answer_competence": "no generated answer has been read",
}


def gate_rows(study: Textbook, gates: dict[str, Gate]) -> list[tuple[str, Gate, Estimate]]:
    """The plan's gates with what there is to hold against them; the recall gate once for each ranker."""
    compared = study.rankers
    rows = []
    for name, gate in gates.items():
        if gate.measure is not None:
            measure = Measure.parse(gate.measure)
            rows += [
                (f"{measure}, {label(run.name)}", gate, compared.mean(run.name, measure)) for run in compared.study.runs
            ]
        else:
            missing = Estimate.not_assessed(_WHY[name], method="none", provisional=compared.provisional)
            rows.append((f"{_NAMES[name]} ({_WHY[name]})", gate, missing))
    return rows


def gate_records(rows: list[tuple[str, Gate, Estimate]]) -> list[dict[str, Any]]:
    """The gates as plain rows for a download."""
    return [
        {
            "gate": name,
            "at_least": gate.at_least,
            "at_most": gate.at_most,
            **estimate_row(estimate),
            "result": gate.result(estimate).value,
            "interval_on_one_side": gate.decided_by_interval(estimate),
        }
        for name, gate, estimate in rows
    ]


def scope_text(report: dict[str, Any]) -> str:
    """What the gold set is, in counts from the published report."""
    g = report["gold_set"]
    return (
        f"- **Text:** an original statistics textbook of {g['sections']} sections and {g['words']:,} words, cut "
        f"into {g['passages']} passages.\n"
        f"- **Questions:** {g['questions']}, taken from {g['drafted_questions']} drafted by an author who saw titles "
        f"and topics only; {g['set_aside_unanswered']} set aside because no single section answers it, "
        f"{g['spares_not_needed']} spares not needed.\n"
        f"- **Judgements:** {g['pooled_judgements']} pairs of a question and a pooled passage, read blind; in all "
        f"{g['answer_bearing_passages']} pairs answer, {g['related_passages']} are related. All "
        f"{g['sections_read_per_question']} sections were read for every question.\n"
        f"- **Where two model readers disagree:** {g['judged_below_2_but_holding_a_span']} pairs with a "
        f"section reader's span were graded lower by the pool's judge, and {g['spans_added_by_pool_judges']} spans "
        "were added by judges. Agreement between language models is not agreement with a person."
    )


def what_is_open() -> str:
    """What nobody has measured or reviewed."""
    return (
        "- **Human review.** A language model wrote the text, drafted the questions, found the evidence and graded the "
        "passages. Until a person has reviewed them, every number here is provisional.\n"
        "- **Generated answers.** Nothing here says whether an answer written from these passages would be right.\n"
        "- **Other readers, other texts.** One textbook, one register of English, 40 questions."
    )

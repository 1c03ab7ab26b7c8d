"""What the Overview page says of the textbook study, taken from the study itself."""

from __future__ import annotations

from typing import Any

from evalcore.abstention.scored import GENERATED, SCOPE, UNREAD
from evalcore.abstention.words import below_the_headline, joined
from evalcore.evidence import Count, Estimate
from evalcore.gates import Gate
from evalcore.measures import Measure
from evalcore.studies import MEANINGS, AbstentionStudy
from evalcore.textbook import Textbook
from ui.evidence import NAMES
from ui.theme import label

Row = tuple[str, Gate, Estimate | Count]
_WHY = {SCOPE: "does not apply: one textbook, one scope", GENERATED: UNREAD}


def gate_rows(study: Textbook, abstention: AbstentionStudy) -> list[Row]:
    """The plan's gates with what was measured for them: recall once for each ranker, abstention by the rule.

    Abstention is that of the declared primary score, at the threshold that the declared rule chooses.
    """
    compared, scored = study.rankers, abstention.scores[abstention.primary]
    at = scored.sweep.at(abstention.by_rule(abstention.primary).threshold)
    rows: list[Row] = []
    for gate, measured in scored.against(abstention.gates, at):
        if gate.measure is not None:
            measure = Measure.parse(gate.measure)
            rows += [
                (f"{measure}, {label(run.name)}", gate, compared.mean(run.name, measure)) for run in compared.study.runs
            ]
        else:
            why = f" ({_WHY[gate.name]})" if gate.name in _WHY else ""
            rows.append((f"{NAMES[gate.name]}{why}", gate, measured))
    return rows


def abstention_text(abstention: AbstentionStudy) -> str:
    """Where the abstention gates are read, and what the score can do at all."""
    scored, best = abstention.scores[abstention.primary], abstention.by_rule(abstention.primary)
    costs, name = abstention.declared.costs, MEANINGS[abstention.primary]
    return (
        f"The abstention gates are read at the threshold that the declared rule chooses for {name}: the cheapest, "
        f"{joined(best.cuts)}, at costs {costs.unsupported:g} : {costs.refusal:g} and an unanswerable share of "
        f"{abstention.declared.unanswerable_share:g}, both assumed. {below_the_headline(scored, abstention.gates)}"
    )


def scope_text(report: dict[str, Any]) -> str:
    """What the gold set is, in counts from the published report."""
    g, near = report["gold_set"], report["abstention"]["questions"]["unanswerable"]
    return (
        f"- **Text:** an original statistics textbook of {g['sections']} sections and {g['words']:,} words, cut "
        f"into {g['passages']} passages.\n"
        f"- **Questions:** {g['questions']}, taken from {g['drafted_questions']} drafted by an author who saw titles "
        f"and topics only; {g['set_aside_unanswered']} set aside because no single section answers it, "
        f"{g['spares_not_needed']} spares not needed. Beside them {near} unanswerable ones, near the text, which two "
        "readers of the whole of it found unanswered.\n"
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

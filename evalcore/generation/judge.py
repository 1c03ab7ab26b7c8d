"""A judge that is a model: it is given what a human rater sees, and counts for nothing but its own agreement."""

from __future__ import annotations

import string
from dataclasses import dataclass

from evalcore.generation.calls.outcomes import Outcome
from evalcore.generation.calls.prompt import NotAsAsked, object_schema, passages_text, read_json
from evalcore.generation.items import Item, Kind
from evalcore.generation.rubric import WORDING
from evalcore.generation.store.events import Answer, Purpose, Question, StoredPassage, StoredTopic
from evalcore.generation.store.run import Run

ASKED = (Question.FAITHFUL, Question.CORRECT)
SYSTEM = (
    "You rate a revision question for students of statistics against the passages of a textbook that it cites. Answer "
    "each question about it with yes, no or cannot tell."
)
_ANSWERS = {"type": "string", "enum": [answer.value for answer in Answer]}
SCHEMA = object_schema(**{question.value: _ANSWERS for question in ASKED})
OUTPUT_CAP = 4000


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the judge answered on one item, and which model it was."""

    model: str
    answers: dict[Question, Answer]


def cited_first(item: Item, topic: StoredTopic) -> list[StoredPassage]:
    """The passages of a topic, those that the item cites before the others: how a rater sees them."""
    cited = {c.strip().lower() for c in item.citations}
    return sorted(topic.passages, key=lambda p: p.id.lower() not in cited)


def judge_prompt(item: Item, topic: StoredTopic) -> str:
    """The item, the passages with the cited ones first, and the rubric's wording."""
    asked = "\n".join(f"{question.value}: {WORDING[question]}" for question in ASKED)
    return (
        f"{passages_text(cited_first(item, topic))}\n\nCited passages: {', '.join(item.citations) or 'none'}\n\n"
        f"{item_text(item)}\n\n{asked}"
    )


def item_text(item: Item) -> str:
    """An item as a rater reads it: question, options, and which one is given as right."""
    if item.kind is Kind.SHORT:
        return f"Question: {item.question}\nAnswer given: {item.key}"
    letters = string.ascii_uppercase
    options = "\n".join(f"{letter}. {option}" for letter, option in zip(letters, item.options, strict=False))
    return f"Question: {item.question}\n{options}\nKey given: {item.key}"


def read_judgement(text: str) -> dict[Question, Answer]:
    """The judge's answers.

    Raises:
        NotAsAsked: the text is not the JSON asked for. Letter case does not matter: a schema does not keep it.

    """
    found = read_json(text)
    if not isinstance(found, dict) or set(found) != {question.value for question in ASKED}:
        raise NotAsAsked("not the schema asked for: faithful and correct")
    answers = {}
    for question in ASKED:
        said = found[question.value]
        try:
            answers[question] = Answer(said.strip().lower() if isinstance(said, str) else said)
        except ValueError:
            raise NotAsAsked(f"not the schema asked for: {question.value} is neither yes, no nor cannot tell") from None
    return answers


def judgements(run: Run) -> dict[str, Judgement]:
    """Item id to what the judge answered, for the items on which it gave a valid answer."""
    found = {}
    for item in run.items:
        end = run.final(Purpose.JUDGE, item)
        if end is not None and end.outcome is Outcome.OK and end.model:
            found[item] = Judgement(end.model, read_judgement(end.text or ""))
    return found

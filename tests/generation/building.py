"""Small runs, made of the events that the harness would have committed: ``a_run(outcomes={"t1": Outcome.OK})``.

An item's id is its topic's id, then m1 to m4 or s1 to s3. Every moment is ``AT``, so equal runs are equal.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime

from evalcore.generation.calls.outcomes import Outcome
from evalcore.generation.checks.findings import OF_OPTIONS, Check, Finding, Mark
from evalcore.generation.items import MULTIPLE_CHOICE, SHORT_ANSWER
from evalcore.generation.rubric import Sheet
from evalcore.generation.store.events import (
    Answer,
    Began,
    Called,
    Checked,
    Ended,
    Event,
    Place,
    Purpose,
    Question,
    Rated,
    Record,
    Revealed,
    StoredPassage,
    StoredTopic,
)
from evalcore.generation.store.run import Run

AT = datetime(2026, 11, 30, 12, tzinfo=UTC)
MODEL, JUDGE, RATER = "model-a", "model-j", "ana"
TOPICS = tuple(f"t{i}" for i in range(1, 9))
YES, NO, CANNOT_TELL = Answer.YES, Answer.NO, Answer.CANNOT_TELL


def a_run(
    outcomes: Mapping[str, Outcome | None] | None = None,
    marks: Mapping[str, Mapping[Check, Mark] | None] | None = None,
    ratings: Iterable[Record] = (),
    *,
    model: str = MODEL,
    written_for: str | None = None,
    passages: Mapping[str, str] | None = None,
) -> Run:
    """A run on the topics of ``outcomes`` (None: still waiting); by default eight, all ok.

    ``marks`` holds what did not pass, by item; None leaves an item unchecked. ``ratings`` come last, in their order.
    ``passages`` gives a topic's passage another text.
    """
    found = dict.fromkeys(TOPICS, Outcome.OK) if outcomes is None else outcomes
    topics = [a_topic(topic, (passages or {}).get(topic, "")) for topic in found]
    records: list[Record] = [began(topics, model=model, written_for=written_for)]
    for topic, outcome in found.items():
        if outcome is not None:
            records += attempt(topic, outcome, model=model)
        if outcome is Outcome.OK:
            unmarked = [item for item in items_of(topic) if marks is None or marks.get(item, ()) is not None]
            records += [checked(item, (marks or {}).get(item)) for item in unmarked]
    return run_of([*records, *ratings])


def run_of(records: Iterable[Record]) -> Run:
    """A run of these records in their order."""
    return Run(tuple(Event(at=AT, what=record) for record in records))


def a_sheet(run: Run, rater: str = RATER) -> Sheet:
    return Sheet(run, rater)


def items_of(*topics: str) -> list[str]:
    """The ids of all items of these topics."""
    kinds = [f"m{i + 1}" for i in range(MULTIPLE_CHOICE)] + [f"s{i + 1}" for i in range(SHORT_ANSWER)]
    return [f"{topic}-{kind}" for topic in topics for kind in kinds]


def a_topic(topic: str, text: str = "") -> StoredTopic:
    """A topic with one passage; another text is another fingerprint."""
    text = text or f"What is known about {topic}."
    passage = StoredPassage(id=f"{topic}.1", section="s01", text=text)
    return StoredTopic(id=topic, title=f"Topic {topic}", query=topic, sha256=text.encode().hex(), passages=(passage,))


def began(topics: Sequence[StoredTopic], *, model: str = MODEL, written_for: str | None = None) -> Began:
    return Began(
        model=model,
        output_cap=8_000,
        spend_cap_usd=1.0,
        concurrency=2,
        seed=20241009,
        plan_sha256=None,
        prompt_sha256="0" * 64,
        sdk="anthropic 0",
        topics=tuple(topics),
        written_for=written_for,
    )


def pack_text(topic: str) -> str:
    """A valid answer of four multiple-choice and three short-answer items."""
    cited = [f"{topic}.1"]
    choices = [
        {"question": f"{topic} question {i}?", "options": ["one", "two", "three", "four"], "key": "A"}
        for i in range(MULTIPLE_CHOICE)
    ]
    shorts = [{"question": f"{topic} short question {i}?", "answer": "one"} for i in range(SHORT_ANSWER)]
    return json.dumps(
        {
            "multiple_choice": [choice | {"citations": cited} for choice in choices],
            "short_answer": [short | {"citations": cited} for short in shorts],
        }
    )


def attempt(topic: str, outcome: Outcome, *, number: int = 1, model: str = MODEL) -> list[Record]:
    """A call about a topic, and how it ended."""
    return [called(topic, number=number, model=model), ended(topic, outcome, number=number, model=model)]


def called(unit: str, *, purpose: Purpose = Purpose.GENERATE, number: int = 1, model: str = MODEL) -> Called:
    return Called(purpose=purpose, unit=unit, attempt=number, model=model, sent={"model": model})


def ended(topic: str, outcome: Outcome, *, number: int = 1, model: str = MODEL) -> Ended:
    return Ended(
        purpose=Purpose.GENERATE,
        unit=topic,
        attempt=number,
        outcome=outcome,
        detail=outcome.meaning,
        model=model if outcome.of_model else None,
        text=pack_text(topic) if outcome is Outcome.OK else None,
    )


def checked(item: str, marks: Mapping[Check, Mark] | None = None) -> Checked:
    """Every check of an item: a pass unless ``marks`` says otherwise; those of options leave out a short answer."""
    usual = {check: Mark.DOES_NOT_APPLY if check in OF_OPTIONS and "-s" in item else Mark.PASS for check in Check}
    given = usual | dict(marks or {})
    return Checked(item=item, findings=tuple(Finding(check, mark, f"{mark.value}.") for check, mark in given.items()))


def failing(items: Iterable[str], check: Check = Check.KEY, mark: Mark = Mark.FAIL) -> dict[str, dict[Check, Mark]]:
    """``marks`` for a run in which these items do not pass one check."""
    return {item: {check: mark} for item in items}


def rated(
    item: str,
    answer: Answer | None,
    question: Question = Question.FAITHFUL,
    *,
    rater: str = RATER,
    shown: bool = False,
) -> Rated:
    """An answer (None takes the last one back); ``shown`` says that the checks had been on screen."""
    return Rated(rater=rater, item=item, question=question, answer=answer, checks_shown_before_rating=shown)


def all_rated(
    items: Iterable[str],
    answers: Mapping[str, Answer | None] | None = None,
    question: Question = Question.FAITHFUL,
    *,
    rater: str = RATER,
    shown: bool = False,
) -> list[Record]:
    """Yes to each of these items unless ``answers`` says otherwise; None leaves an item unrated."""
    given = dict.fromkeys(items, YES) | dict(answers or {})
    return [rated(i, a, question, rater=rater, shown=shown) for i, a in given.items() if a is not None]


def revealed(*items: str, rater: str = RATER, place: Place = Place.ITEM) -> Revealed:
    return Revealed(rater=rater, items=items, place=place)


def judged(item: str, faithful: Answer = YES, correct: Answer = YES) -> list[Record]:
    """The judge's valid answer on one item."""
    text = json.dumps({"faithful": faithful.value, "correct": correct.value})
    return [called(item, purpose=Purpose.JUDGE, model=JUDGE), _judgement(item, Outcome.OK, text)]


def judge_failed(item: str, outcome: Outcome = Outcome.REFUSED) -> list[Record]:
    """A call to the judge that gave no answer."""
    return [called(item, purpose=Purpose.JUDGE, model=JUDGE), _judgement(item, outcome, None)]


def _judgement(item: str, outcome: Outcome, text: str | None) -> Ended:
    return Ended(
        purpose=Purpose.JUDGE,
        unit=item,
        attempt=1,
        outcome=outcome,
        detail=outcome.meaning,
        model=JUDGE,
        text=text,
    )

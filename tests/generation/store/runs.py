"""Small runs in a journal, of events written by hand; a topic has seven items: t1-m1 to t1-m4, t1-s1 to t1-s3."""

import json
from datetime import UTC, datetime

from evalcore.generation.calls.outcomes import Outcome
from evalcore.generation.store.events import (
    Answer,
    Began,
    Called,
    Ended,
    Event,
    Place,
    Purpose,
    Question,
    Rated,
    Revealed,
    StoredPassage,
    StoredTopic,
    Usage,
)
from evalcore.generation.store.journal import Journal
from evalcore.generation.store.run import Run

AT = datetime(2026, 11, 30, 12, 30, 15, 123456, tzinfo=UTC)
YES, NO, CANNOT_TELL = Answer.YES, Answer.NO, Answer.CANNOT_TELL
FAITHFUL, CORRECT = Question.FAITHFUL, Question.CORRECT


def topic(name):
    passages = tuple(StoredPassage(id=f"{name}.{i}", section="A section", text=f"Text {i} of {name}.") for i in (1, 2))
    return StoredTopic(id=name, title=f"Topic {name}", query=f"What of {name}?", sha256="0" * 64, passages=passages)


def began(*names, **more):
    usual = {"model": "claude-haiku-4-5", "output_cap": 8_000, "spend_cap_usd": 1.0, "concurrency": 2, "seed": 7}
    fixed = {"plan_sha256": None, "prompt_sha256": "1" * 64, "sdk": "anthropic 0"}
    return Began(**(usual | fixed | more), topics=tuple(topic(name) for name in names))


def pack(name):
    choices = [
        {"question": f"{name} {i}?", "options": ["a", "b", "c", "d"], "key": "B", "citations": [f"{name}.2"]}
        for i in range(4)
    ]
    shorts = [{"question": f"{name} short {i}?", "answer": "x̄ = “5”", "citations": [f"{name}.1"]} for i in range(3)]
    return json.dumps({"multiple_choice": choices, "short_answer": shorts}, ensure_ascii=False)


def called(unit, attempt=1, purpose=Purpose.GENERATE, model="claude-haiku-4-5"):
    return Called(purpose=purpose, unit=unit, attempt=attempt, model=model, sent={"model": model, "temperature": 0})


def ended(unit, outcome=Outcome.OK, attempt=1, text=None, purpose=Purpose.GENERATE, **more):
    if outcome is Outcome.OK and text is None:
        text = pack(unit) if purpose is Purpose.GENERATE else json.dumps({"faithful": "yes", "correct": "no"})
    usual = {"detail": outcome.meaning, "model": "claude-haiku-4-5" if outcome.of_model else None}
    spent = {"usage": Usage(input_tokens=10, output_tokens=20), "cost_usd": 0.00011, "seconds": 1.25}
    known = usual | (spent if outcome.of_model else {}) | more
    return Ended(purpose=purpose, unit=unit, attempt=attempt, outcome=outcome, text=text, **known)


def rated(item, answer, question=FAITHFUL, rater="ana", shown=False):
    return Rated(rater=rater, item=item, question=question, answer=answer, checks_shown_before_rating=shown)


def revealed(*items, rater="ana", place=Place.ITEM):
    return Revealed(rater=rater, items=items, place=place)


def run_of(*records):
    return Run(tuple(Event(at=AT, what=record) for record in records))


def written(*names):
    """The records of a run whose topics all have a pack."""
    return [began(*names), *(record for name in names for record in (called(name), ended(name)))]


def in_journal(folder, *records):
    journal = Journal(folder / "h.sqlite3")
    return journal, journal.begin(records)

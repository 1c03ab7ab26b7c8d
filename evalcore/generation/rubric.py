"""The rubric, and what each rater has answered: blind or not, which is decided by the order of events."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from evalcore.generation.items import Item, Kind
from evalcore.generation.store.events import Answer, Event, Place, Question, Rated, Revealed
from evalcore.generation.store.journal import Journal
from evalcore.generation.store.run import Run

# The wording that a rater, human or model, is given.
WORDING = {
    Question.FAITHFUL: "Is everything that the question and its right answer state supported by the cited passages?",
    Question.CORRECT: "Is the right answer right, as a matter of statistics?",
    Question.ANSWERABLE: "Can a student answer the question from the cited passages alone?",
    Question.DISTRACTORS: "Are the wrong options plausible, and clearly wrong?",
    Question.USEFUL: "Would it help a student to revise?",
    Question.ACCEPT: "Would you accept it into a set of revision questions?",
}
TITLES = {
    Question.FAITHFUL: "Faithful",
    Question.CORRECT: "Correct",
    Question.ANSWERABLE: "Answerable from the passages",
    Question.DISTRACTORS: "Distractors plausible",
    Question.USEFUL: "Useful for revision",
    Question.ACCEPT: "Accepted",
}


def questions_for(item: Item) -> tuple[Question, ...]:
    """The rubric's questions for an item; a short answer has no distractors."""
    return tuple(q for q in Question if q is not Question.DISTRACTORS or item.kind is Kind.CHOICE)


def rating_order(items: Sequence[str], rater: str, seed: int) -> list[str]:
    """Items in one rater's order: shuffled over topics by the seed, and unmoved by items that arrive later."""
    return sorted(items, key=lambda item: hashlib.sha256(f"{seed}\0{rater}\0{item}".encode()).digest())


@dataclass(frozen=True, slots=True)
class Rating:
    """An answer that stands. ``checks_shown`` says whether the checks had been on screen before it."""

    answer: Answer
    checks_shown: bool


@dataclass(frozen=True)
class Sheet:
    """One rater's answers on one run.

    A value of "faithful" counts in the agreement when it was the first blind one. Taking it back withdraws it only
    while the checks are still hidden; after that a new value is not blind, and the first one stays the one that counts.
    """

    run: Run
    rater: str

    @cached_property
    def _folded(self) -> tuple[dict[tuple[str, Question], Rating], dict[str, Answer], set[str]]:
        standing: dict[tuple[str, Question], Rating] = {}
        blind: dict[str, Answer] = {}
        seen: set[str] = set()
        for event in self.run.events:
            what = event.what
            if isinstance(what, Revealed) and what.rater == self.rater:
                seen.update(what.items)
            elif isinstance(what, Rated) and what.rater == self.rater:
                shown = what.checks_shown_before_rating or what.item in seen
                if what.answer is None:
                    standing.pop((what.item, what.question), None)
                    if what.question is Question.FAITHFUL and not shown:
                        blind.pop(what.item, None)
                    continue
                standing[what.item, what.question] = Rating(what.answer, shown)
                if what.question is Question.FAITHFUL and not shown:
                    blind.setdefault(what.item, what.answer)
        return standing, blind, seen

    @property
    def ratings(self) -> dict[tuple[str, Question], Rating]:
        """Item and question to the answer that stands."""
        return self._folded[0]

    @property
    def blind(self) -> dict[str, Answer]:
        """Item to the first blind answer to "faithful": what enters the agreement."""
        return self._folded[1]

    @property
    def seen(self) -> set[str]:
        """Items whose checks this rater has been shown."""
        return self._folded[2]

    @property
    def not_blind(self) -> int:
        """Items with an answer to "faithful" of which none was blind."""
        rated = {item for item, question in self.ratings if question is Question.FAITHFUL}
        return len(rated - set(self.blind))

    def answer(self, item: str, question: Question) -> Answer | None:
        """The answer that stands; None when unrated."""
        rating = self.ratings.get((item, question))
        return None if rating is None else rating.answer

    def done(self, item: Item) -> bool:
        """Whether every question of the rubric that applies is answered."""
        return all((item.id, q) in self.ratings for q in questions_for(item))

    @cached_property
    def order(self) -> list[Item]:
        """The items in this rater's order."""
        return [self.run.items[i] for i in rating_order(tuple(self.run.items), self.rater, self.run.began.seed)]

    @property
    def last(self) -> Rated | None:
        """The newest answer that stands, to be taken back."""
        for event in reversed(self.run.events):
            what = event.what
            if isinstance(what, Rated) and what.rater == self.rater and what.answer is not None:
                rating = self.ratings.get((what.item, what.question))
                if rating is not None and rating.answer is what.answer:
                    return what
        return None

    def may_see(self, item: str) -> bool:
        """Whether checks and model may be shown: "faithful" is given, or the checks were asked for before."""
        return item in self.seen or (item, Question.FAITHFUL) in self.ratings


def raters(run: Run) -> list[str]:
    """Who has rated, in order of their first answer."""
    return list(dict.fromkeys(e.what.rater for e in run.events if isinstance(e.what, Rated)))


def rate(journal: Journal, run: str, rater: str, item: str, question: Question, answer: Answer | None) -> None:
    """Commits an answer, or with None takes it back; whether the checks had been shown is decided here.

    Raises:
        ValueError: the run has no such item, or the rubric does not ask that of it.

    """

    def record(events: Sequence[Event]) -> Rated:
        found = Run(tuple(events))
        if item not in found.items or question not in questions_for(found.items[item]):
            raise ValueError(f"the rubric does not ask {question.value!r} of an item {item!r} of this run")
        shown = item in Sheet(found, rater).seen
        return Rated(rater=rater, item=item, question=question, answer=answer, checks_shown_before_rating=shown)

    journal.decide(run, record)


def reveal(journal: Journal, run: str, rater: str, items: Sequence[str], place: Place) -> None:
    """Commits that a rater is about to be shown the checks of these items; those shown before are not repeated."""
    new = [i for i in items if i not in Sheet(Run(journal.events(run)), rater).seen]
    if new:
        journal.append(run, Revealed(rater=rater, items=tuple(new), place=place))

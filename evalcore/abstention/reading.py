"""Which questions to read at a threshold: a rate says how many went wrong, only reading says why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np

from evalcore.abstention.scored import Scored

AT_LEAST = 5


class Outcome(Enum):
    """The four outcomes; the value is the word on screen."""

    ANSWERED = "answerable, served"
    UNSUPPORTED = "unanswerable, served: unsupported answer"
    REFUSED = "answerable, refused: false abstention"
    ABSTAINED = "unanswerable, refused: correct abstention"


@dataclass(frozen=True, slots=True)
class ToRead:
    """One question with its score and what the threshold does to it."""

    question: str
    score: float
    outcome: Outcome

    @property
    def wrong(self) -> bool:
        """Whether the threshold errs on it."""
        return self.outcome in (Outcome.UNSUPPORTED, Outcome.REFUSED)


def to_read(scored: Scored, threshold: float | None, *, most: int = 8) -> list[ToRead]:
    """Wrongly served, highest score first, then wrongly refused, lowest first, at most ``most`` of each.

    Fewer than five are made up to five by the questions nearest to the threshold that went right.
    """
    served = scored.scores >= (np.inf if threshold is None else threshold)
    answerable, scores, ids = scored.answerable, scored.scores, scored.table.ids

    def rows(chosen: np.ndarray) -> list[ToRead]:
        return [ToRead(ids[i], float(scores[i]), outcome(bool(answerable[i]), bool(served[i]))) for i in chosen]

    wrong_served = np.flatnonzero(served & ~answerable)
    wrong_refused = np.flatnonzero(~served & answerable)
    found = rows(wrong_served[np.argsort(-scores[wrong_served], kind="stable")][:most])
    found += rows(wrong_refused[np.argsort(scores[wrong_refused], kind="stable")][:most])
    right = np.flatnonzero(served == answerable)
    edge = float(scores.max()) if threshold is None else threshold
    nearest = right[np.argsort(np.abs(scores[right] - edge), kind="stable")]
    return found + rows(nearest[: max(0, AT_LEAST - len(found))])


def outcome(answerable: bool, served: bool) -> Outcome:
    """What became of one question."""
    if served:
        return Outcome.ANSWERED if answerable else Outcome.UNSUPPORTED
    return Outcome.REFUSED if answerable else Outcome.ABSTAINED

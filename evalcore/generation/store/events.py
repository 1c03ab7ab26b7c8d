"""What happens in a run, one record each; a run is nothing but its events in their order.

Names in files are those of the decision record where it has one (``checksShownBeforeRating``).
"""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Any, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from evalcore.generation.calls.outcomes import Outcome
from evalcore.generation.checks.findings import Finding


class _Record(BaseModel):
    # no number in a run is NaN or infinite: a cap would let everything pass
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True, allow_inf_nan=False)


_Count = Annotated[int, Field(ge=0, le=10**9)]
_FromOne = Annotated[int, Field(ge=1)]
_Amount = Annotated[float, Field(ge=0, le=1e6)]
_Named = Annotated[str, Field(pattern=r"\S", max_length=200)]
_Prose = Annotated[str, Field(max_length=5_000)]
# What a run may be set to; a file that says otherwise would spend the key of whoever goes on with it.
MOST_TOKENS, MOST_AT_ONCE, MOST_USD = 32_000, 4, 50.0


class Purpose(Enum):
    """What a call was for."""

    GENERATE = "generate"
    JUDGE = "judge"


class Answer(Enum):
    """A rater's answer; unrated is none of them."""

    YES = "yes"
    NO = "no"
    CANNOT_TELL = "cannot tell"


class Question(Enum):
    """The rubric's questions, in the order in which they are asked; the value names one in files."""

    FAITHFUL = "faithful"
    CORRECT = "correct"
    ANSWERABLE = "answerable"
    DISTRACTORS = "distractors"
    USEFUL = "useful"
    ACCEPT = "accept"


class Place(Enum):
    """What showed an item's checks to a rater."""

    ITEM = "item"
    RESULTS = "results"
    EXPORT = "export"


class StoredPassage(_Record):
    """A passage as it was given to the model."""

    id: _Named
    section: _Prose
    text: _Prose


class StoredTopic(_Record):
    """A topic as it was run."""

    id: _Named
    title: _Named
    query: _Prose
    sha256: str
    passages: Annotated[tuple[StoredPassage, ...], Field(max_length=10)]


class Usage(_Record):
    """Tokens as the service counted them; thinking is part of the output."""

    input_tokens: _Count = 0
    output_tokens: _Count = 0
    cache_write_tokens: _Count = 0
    cache_read_tokens: _Count = 0


class Began(_Record):
    """A run was set up. ``written_for`` is set on a recorded sample, which measures no model."""

    kind: Literal["began"] = "began"
    model: _Named
    output_cap: Annotated[int, Field(ge=0, le=MOST_TOKENS)]
    spend_cap_usd: Annotated[float, Field(ge=0, le=MOST_USD)] | None
    concurrency: Annotated[int, Field(ge=1, le=MOST_AT_ONCE)]
    seed: int
    plan_sha256: str | None
    prompt_sha256: str
    sdk: str
    topics: tuple[StoredTopic, ...]
    written_for: _Named | None = None


class Called(_Record):
    """A request is about to be sent; ``sent`` is its body and what was set beside it, without the key."""

    kind: Literal["called"] = "called"
    purpose: Purpose
    unit: str
    attempt: _FromOne
    model: str
    sent: dict[str, Any]


class Ended(_Record):
    """How an attempt ended. ``unit`` is a topic, or for a judge's call an item.

    ``text`` is the model's answer as it came; ``usage`` and ``cost_usd`` are None where they are not known.
    """

    kind: Literal["ended"] = "ended"
    purpose: Purpose
    unit: str
    attempt: _FromOne
    outcome: Outcome
    detail: str
    stop_reason: str | None = None
    model: str | None = None
    request_id: str | None = None
    usage: Usage | None = None
    cost_usd: _Amount | None = None
    seconds: _Amount | None = None
    text: str | None = None


class Checked(_Record):
    """The checks of one item."""

    kind: Literal["checked"] = "checked"
    item: str
    findings: tuple[Finding, ...]


class Rated(_Record):
    """A rater's answer to one question of one item; ``answer`` None takes the last one back."""

    kind: Literal["rated"] = "rated"
    rater: _Named
    item: str
    question: Question
    answer: Answer | None
    checks_shown_before_rating: bool = Field(
        validation_alias="checksShownBeforeRating", serialization_alias="checksShownBeforeRating"
    )


class Revealed(_Record):
    """A rater was shown the checks, and the model, of these items."""

    kind: Literal["revealed"] = "revealed"
    rater: _Named
    items: tuple[str, ...]
    place: Place


class Stopped(_Record):
    """The visitor stopped the run."""

    kind: Literal["stopped"] = "stopped"


Record = Annotated[Began | Called | Ended | Checked | Rated | Revealed | Stopped, Field(discriminator="kind")]


class Event(_Record):
    """A record with the moment at which it was committed."""

    at: AwareDatetime
    what: Record

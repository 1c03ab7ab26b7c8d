"""A run as one JSON file: its events, whole and in their order, so that reading what was written gives it back."""

from __future__ import annotations

import json
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import from_json

from evalcore.files import BadInput, Problem
from evalcore.generation.calls.outcomes import Outcome
from evalcore.generation.calls.prompt import NotAsAsked
from evalcore.generation.items import item_ids
from evalcore.generation.judge import read_judgement
from evalcore.generation.store.events import Called, Checked, Ended, Event, Purpose, Rated, Revealed
from evalcore.generation.store.run import Damaged, Run

FORMAT, VERSION = "evidence-lab generation run", 1
MOST_BYTES, MOST_TOPICS, MOST_EVENTS = 20_000_000, 64, 20_000
MOST_RATERS = 20
_REMEDY = "open a file that the harness exported"


class _File(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)
    format: str
    version: int
    events: tuple[Event, ...]


def run_document(run: Run) -> dict[str, Any]:
    """The events with the name and version of the format."""
    events = [event.model_dump(mode="json", by_alias=True) for event in run.events]
    return {"format": FORMAT, "version": VERSION, "events": events}


def read_run_file(raw: bytes, name: str) -> Run:
    """The run in an exported file. Results that the file carries are not read: they are computed from the events.

    Raises:
        BadInput: the file is none of ours, or its events do not make a run.

    """
    if len(raw) > MOST_BYTES:
        raise _bad(name, f"is larger than {MOST_BYTES // 1_000_000} MB")
    try:
        # not JSON's own reading of numbers: NaN is no JSON
        file = _File.model_validate(from_json(raw, allow_inf_nan=False))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise _bad(name, f"is no exported run ({f'{where}: ' if where else ''}{first['msg'][:120]})") from None
    except ValueError as error:
        raise _bad(name, f"is no exported run ({str(error)[:120]})") from None
    if len(file.events) > MOST_EVENTS:
        raise _bad(name, f"holds {len(file.events):,} events, more than {MOST_EVENTS:,}")
    if file.format != FORMAT or file.version != VERSION:
        raise _bad(name, f"is of format {file.format[:60]!r}, version {file.version}, not {FORMAT!r}, {VERSION}")
    try:
        run = Run(file.events)
        _check_names(run)
    except Damaged as problem:
        raise _bad(name, f"does not hold a run: {problem}") from None
    return run


def _check_names(run: Run) -> None:
    """Refuses events about topics or items that the run does not have, and what no journal would have taken."""
    if len(run.topics) != len(run.began.topics):
        raise Damaged("two topics have the same id")
    if len(run.topics) > MOST_TOPICS:
        raise Damaged(f"{len(run.topics)} topics, more than {MOST_TOPICS}")
    raters = {event.what.rater for event in run.events if isinstance(event.what, Rated)}
    if len(raters) > MOST_RATERS:
        raise Damaged(f"{len(raters)} raters, more than {MOST_RATERS}")
    announced = set()
    # what a rater was shown counts for items that were still to come, too
    asked_for = {name for topic in run.topics for name in item_ids(topic)}
    for event in run.events:
        what = event.what
        if isinstance(what, Called | Ended):
            units = run.topics if what.purpose is Purpose.GENERATE else run.items
            if what.unit not in units:
                raise Damaged(f"a call is about {what.unit[:40]!r}, which the run does not have")
        if isinstance(what, Called):
            if (what.purpose, what.unit, what.attempt) in announced:
                raise Damaged(f"attempt {what.attempt} at {what.unit} is announced twice")
            announced.add((what.purpose, what.unit, what.attempt))
        if isinstance(what, Ended) and what.purpose is Purpose.JUDGE and what.outcome is Outcome.OK:
            _check_judgement(what)
        named = (what.item,) if isinstance(what, Rated | Checked) else what.items if isinstance(what, Revealed) else ()
        known = asked_for if isinstance(what, Revealed) else run.items
        for item in named:
            if item not in known:
                raise Damaged(f"a rating or a check is about item {item[:40]!r}, which the run does not have")


def _check_judgement(end: Ended) -> None:
    try:
        read_judgement(end.text or "")
    except NotAsAsked as problem:
        raise Damaged(f"item {end.unit}: the judgement that counts as valid is not: {problem}") from None


def to_json(document: dict[str, Any]) -> str:
    """A document as text, the same for the same content."""
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def _bad(name: str, what: str) -> BadInput:
    return BadInput([Problem(name, None, what, _REMEDY)])

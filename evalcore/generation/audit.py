"""The audit log: one row an attempt, with everything that was sent but the key."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from evalcore.generation.store.events import Called, Ended, Event, Stopped
from evalcore.generation.store.run import Run


@dataclass(frozen=True, slots=True)
class AuditRow:
    """One attempt. ``called`` and ``sent`` are None when nothing was sent (the spend cap); times are ISO 8601, UTC.

    A stop by the visitor is a row of its own, with neither unit nor attempt.
    """

    called: str | None
    ended: str | None
    purpose: str
    unit: str
    attempt: int | None
    outcome: str
    detail: str
    against_model: bool
    model_asked: str | None = None
    model_answered: str | None = None
    stop_reason: str | None = None
    request_id: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_write_tokens: int | None = None
    cache_read_tokens: int | None = None
    cost_usd: float | None = None
    seconds: float | None = None
    temperature_sent: float | None = None
    sent: str | None = None

    def flat(self) -> dict[str, Any]:
        """The row for a table of text and numbers."""
        return asdict(self)


def audit_rows(run: Run) -> list[AuditRow]:
    """Attempts in the order in which they were announced, the visitor's stops between them."""
    rows = []
    ends = {(e.what.purpose, e.what.unit, e.what.attempt): e for e in run.events if isinstance(e.what, Ended)}
    announced = set()
    for event in run.events:
        what = event.what
        if isinstance(what, Called):
            key = (what.purpose, what.unit, what.attempt)
            announced.add(key)
            rows.append(_row(event, what, ends.get(key)))
        elif isinstance(what, Ended) and (what.purpose, what.unit, what.attempt) not in announced:
            rows.append(_row(None, what, event))
        elif isinstance(what, Stopped):
            rows.append(AuditRow(None, event.at.isoformat(), "stop", "", None, "stopped", "by the visitor", False))
    return rows


def _row(called: Event | None, what: Called | Ended, ended: Event | None) -> AuditRow:
    call = called.what if called is not None and isinstance(called.what, Called) else None
    end = ended.what if ended is not None and isinstance(ended.what, Ended) else None
    usage = end.usage if end is not None else None
    return AuditRow(
        called=called.at.isoformat() if called else None,
        ended=ended.at.isoformat() if ended else None,
        purpose=what.purpose.value,
        unit=what.unit,
        attempt=what.attempt,
        outcome=end.outcome.value if end else "under way",
        detail=end.detail if end else "",
        against_model=end is not None and end.outcome.failure_of_model,
        model_asked=call.model if call else None,
        model_answered=end.model if end else None,
        stop_reason=end.stop_reason if end else None,
        request_id=end.request_id if end else None,
        input_tokens=usage.input_tokens if usage else None,
        output_tokens=usage.output_tokens if usage else None,
        cache_write_tokens=usage.cache_write_tokens if usage else None,
        cache_read_tokens=usage.cache_read_tokens if usage else None,
        cost_usd=end.cost_usd if end else None,
        seconds=end.seconds if end else None,
        temperature_sent=call.sent.get("temperature") if call else None,
        sent=json.dumps(call.sent, ensure_ascii=False, indent=1) if call else None,
    )

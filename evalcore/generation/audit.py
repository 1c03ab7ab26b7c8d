"""The audit log: one row an attempt, with everything that was sent but the key."""

from __future__ import annotations

import json
from typing import Any

from evalcore.generation.store.events import Called, Ended, Event, Stopped
from evalcore.generation.store.run import Run


def audit_rows(run: Run) -> list[dict[str, Any]]:
    """Attempts in the order in which they were announced, the visitor's stops between them.

    An attempt for which nothing was sent (the spend cap) has no ``called`` and no ``sent``.
    """
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
            rows.append({**dict.fromkeys(_COLUMNS), "ended": event.at.isoformat(), "detail": "stopped by the visitor"})
    return rows


_COLUMNS = (
    *("called", "ended", "purpose", "unit", "attempt", "model_asked", "model_answered", "outcome", "detail"),
    *("counted_against_model", "stop_reason", "request_id", "input_tokens", "output_tokens", "cache_write_tokens"),
    *("cache_read_tokens", "cost_usd", "seconds", "temperature_sent", "sent"),
)


def _row(called: Event | None, what: Called | Ended, ended: Event | None) -> dict[str, Any]:
    call = called.what if called is not None and isinstance(called.what, Called) else None
    end = ended.what if ended is not None and isinstance(ended.what, Ended) else None
    usage = end.usage if end is not None else None
    return {
        "called": called.at.isoformat() if called else None,
        "ended": ended.at.isoformat() if ended else None,
        "purpose": what.purpose.value,
        "unit": what.unit,
        "attempt": what.attempt,
        "model_asked": call.model if call else None,
        "model_answered": end.model if end else None,
        "outcome": end.outcome.value if end else "under way",
        "detail": end.detail if end else None,
        "counted_against_model": end.outcome.failure_of_model if end else None,
        "stop_reason": end.stop_reason if end else None,
        "request_id": end.request_id if end else None,
        "input_tokens": usage.input_tokens if usage else None,
        "output_tokens": usage.output_tokens if usage else None,
        "cache_write_tokens": usage.cache_write_tokens if usage else None,
        "cache_read_tokens": usage.cache_read_tokens if usage else None,
        "cost_usd": end.cost_usd if end else None,
        "seconds": end.seconds if end else None,
        "temperature_sent": call.sent.get("temperature") if call else None,
        "sent": json.dumps(call.sent, ensure_ascii=False) if call else None,
    }

"""How a call to a model ended: a closed list, and which of them are the model's own."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


@dataclass(frozen=True, slots=True)
class _Nature:
    of_model: bool
    retried: bool
    meaning: str


class Outcome(Enum):
    """The value names an outcome in files.

    The model's own are final and count in the share of topics with valid output. The others are nobody's verdict on
    the model: they are left out, shown, and can be run again; only some of them are retried by themselves.
    """

    OK = "ok"
    REFUSED = "refused"
    CUT_OFF = "cut_off"
    INVALID = "invalid"
    STOPPED = "stopped"
    BAD_KEY = "bad_key"
    SPEND_LIMIT = "spend_limit"
    REJECTED = "rejected"
    RATE_LIMITED = "rate_limited"
    NETWORK = "network"
    OVERLOADED = "overloaded"
    SERVER_ERROR = "server_error"

    @property
    def of_model(self) -> bool:
        """Whether it is the model's own: final, and counted."""
        return _NATURES[self].of_model

    @property
    def failure_of_model(self) -> bool:
        """Whether it counts against the model."""
        return self.of_model and self is not Outcome.OK

    @property
    def retried(self) -> bool:
        """Whether a run tries again by itself."""
        return _NATURES[self].retried

    @property
    def meaning(self) -> str:
        """In plain words."""
        return _NATURES[self].meaning


_NATURES = {
    Outcome.OK: _Nature(True, False, "A complete answer in the form that was asked for."),
    Outcome.REFUSED: _Nature(True, False, "The model refused, or another model answered in its place."),
    Outcome.CUT_OFF: _Nature(True, False, "The answer ended at the output cap or at the end of the context window."),
    Outcome.INVALID: _Nature(True, False, "A complete answer that is not the JSON, schema or counts asked for."),
    Outcome.STOPPED: _Nature(False, False, "Stopped by the visitor, or the server ended during the call."),
    Outcome.BAD_KEY: _Nature(False, False, "The key was not accepted, or may not use this model."),
    Outcome.SPEND_LIMIT: _Nature(False, False, "A spend limit was reached: the account's, or the cap set here."),
    Outcome.REJECTED: _Nature(False, False, "The request was rejected before the model saw it."),
    Outcome.RATE_LIMITED: _Nature(False, True, "Too many requests for this account just now."),
    Outcome.NETWORK: _Nature(
        False, True, "No usable answer came back: connection, time-out, or a body that is no answer."
    ),
    Outcome.OVERLOADED: _Nature(False, True, "The service is overloaded."),
    Outcome.SERVER_ERROR: _Nature(False, True, "The service failed."),
}

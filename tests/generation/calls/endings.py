"""How calls end: the table that the engine is held to, and that docs/harness.md prints."""

from dataclasses import dataclass

from evalcore.generation.calls.outcomes import Outcome

HEAD = ("case", "outcome", "counted against the model", "tried again")
_AGAIN = {0: "nothing is sent", 1: "no", 2: "yes"}


@dataclass(frozen=True)
class Case:
    """One way for a call to end; ``calls`` is how many requests are sent when one retry is allowed.

    ``scenario`` is the fake server's, which answers so every time.
    """

    name: str
    scenario: str
    outcome: Outcome
    against: bool
    calls: int
    again: str = ""

    @property
    def row(self):
        against = "yes" if self.against else "no"
        return (self.name, self.outcome.value, against, self.again or _AGAIN[self.calls])


def _model(name, scenario, outcome):
    return Case(name, scenario, outcome, True, 1)


def _once(name, scenario, outcome):
    return Case(name, scenario, outcome, False, 1)


def _retried(name, scenario, outcome):
    return Case(name, scenario, outcome, False, 2)


CASES = (
    _once("an answer as asked for", "ok", Outcome.OK),
    _once("the same after thinking blocks", "ok_thinking", Outcome.OK),
    _once("the same, signed with the dated name of the model", "alias", Outcome.OK),
    _once("two equal options (left to the checks)", "duplicate_options", Outcome.OK),
    Case("400 naming temperature", "ok", Outcome.OK, False, 2, "once, without it"),
    _model("refusal with details", "refusal", Outcome.REFUSED),
    _model("refusal without details", "refusal_nodetails", Outcome.REFUSED),
    _model("refusal in the middle of an answer", "refusal_partial", Outcome.REFUSED),
    _model("fallback: a block in the answer", "fallback_block", Outcome.REFUSED),
    _model("fallback: an entry in the usage", "fallback_usage", Outcome.REFUSED),
    _model("fallback: signed by another model", "fallback_model", Outcome.REFUSED),
    _model("the output cap is reached", "max_tokens", Outcome.CUT_OFF),
    _model("the context window is full", "ctx_window", Outcome.CUT_OFF),
    _model("not JSON", "invalid_json", Outcome.INVALID),
    _model("an empty answer", "empty", Outcome.INVALID),
    _model("a field is missing", "wrong_schema", Outcome.INVALID),
    _model("wrong counts of items", "wrong_counts", Outcome.INVALID),
    _model("half of a surrogate pair in a text", "escaped_surrogate", Outcome.INVALID),
    _model("an unknown stop reason", "unknown_stop", Outcome.INVALID),
    _once("400", "400", Outcome.REJECTED),
    _once("400 naming a spend limit", "400_spend", Outcome.SPEND_LIMIT),
    _once("401", "401", Outcome.BAD_KEY),
    _once("402", "402", Outcome.SPEND_LIMIT),
    _once("403", "403", Outcome.BAD_KEY),
    _once("404", "404", Outcome.REJECTED),
    _retried("408", "408", Outcome.NETWORK),
    _once("409", "409", Outcome.REJECTED),
    _once("413", "413", Outcome.REJECTED),
    _once("418", "418", Outcome.REJECTED),
    _once("422", "422", Outcome.REJECTED),
    _retried("429 with a wait of 1 s", "429", Outcome.RATE_LIMITED),
    _once("429 with a wait of two hours", "429_long", Outcome.RATE_LIMITED),
    _once("429 naming a spend limit", "429_spend", Outcome.SPEND_LIMIT),
    _retried("500", "500", Outcome.SERVER_ERROR),
    _retried("502 with a page of HTML", "html_502", Outcome.SERVER_ERROR),
    _retried("503", "503", Outcome.SERVER_ERROR),
    _retried("504", "504", Outcome.SERVER_ERROR),
    _retried("529", "529", Outcome.OVERLOADED),
    _retried("200 with a page of HTML", "html_200", Outcome.NETWORK),
    _retried("200 with broken JSON", "broken_json_200", Outcome.NETWORK),
    _retried("200 with JSON of another shape", "wrong_shape_200", Outcome.NETWORK),
    _retried("200 without a stop reason", "no_stop_reason", Outcome.NETWORK),
    _retried("the connection is dropped before an answer", "drop", Outcome.NETWORK),
    _retried("the connection is dropped in an answer", "drop_mid", Outcome.NETWORK),
    _retried("no answer before the deadline", "stall", Outcome.NETWORK),
    _once("a stop by the visitor during a call", "stall", Outcome.STOPPED),
    Case("the visitor's own cap could be passed", "ok", Outcome.SPEND_LIMIT, False, 0),
)

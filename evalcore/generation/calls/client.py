"""The one place that talks to the service: a request in, an ended attempt out, never an exception of the SDK's.

The SDK is asked for nothing that it would do by itself: no key, address, header, proxy or retry that is not given here.
Its exceptions keep the request, and with it the key, so none of them leaves this module.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Self

import anthropic
import httpx2
from anthropic.types import Message
from pydantic import SecretStr

from evalcore.generation.calls.key import without_key
from evalcore.generation.calls.outcomes import Outcome
from evalcore.generation.calls.prompt import NotAsAsked
from evalcore.generation.store.events import Usage

BASE_URL = "https://api.anthropic.com"
SDK = f"anthropic {anthropic.__version__}"
DEADLINE = 300.0
_CONNECT = 10.0
# Models that are believed to take a temperature, and only under this older version of the interface.
_TAKES_TEMPERATURE = (
    "claude-haiku-4-5",
    "claude-sonnet-4-6",
    "claude-opus-4-6",
    "claude-opus-4-5",
    "claude-sonnet-4-5",
)
OLDER_VERSION = "2023-06-01"
_LONGEST_DETAIL = 300


@dataclass(frozen=True, slots=True)
class Model:
    """A model that the key may use, as the service lists it."""

    id: str
    title: str
    deprecated: bool
    retires: str | None
    structured: bool | None


@dataclass(frozen=True, slots=True)
class Request:
    """One question to a model. ``schema`` is that of the answer, ``read`` raises NotAsAsked on one that is not it."""

    model: str
    system: str
    prompt: str
    schema: Mapping[str, Any]
    output_cap: int
    read: Callable[[str], object]
    temperature: bool

    @property
    def sent(self) -> dict[str, Any]:
        """The body, and the version asked for where it is not the SDK's own."""
        body: dict[str, Any] = {
            "model": self.model,
            "max_tokens": self.output_cap,
            "system": self.system,
            "messages": [{"role": "user", "content": self.prompt}],
            "output_config": {"format": {"type": "json_schema", "schema": dict(self.schema)}},
        }
        return {**body, "temperature": 0, "anthropic-version": OLDER_VERSION} if self.temperature else body

    def without_temperature(self) -> Self:
        """The same, with nothing said about temperature."""
        return replace(self, temperature=False)


@dataclass(frozen=True, slots=True)
class Reply:
    """How one attempt ended. ``wait`` is what the service asked for, in seconds."""

    outcome: Outcome
    detail: str
    stop_reason: str | None = None
    model: str | None = None
    request_id: str | None = None
    usage: Usage | None = None
    seconds: float | None = None
    text: str | None = None
    wait: float | None = None
    names_temperature: bool = False


class KeyRefused(RuntimeError):
    """The models could not be listed; ``outcome`` says of which kind, the message why."""

    def __init__(self, outcome: Outcome, message: str) -> None:
        super().__init__(message)
        self.outcome = outcome


def takes_temperature(model: str) -> bool:
    """Whether temperature 0 is sent to a model at first; a refusal of it is answered by sending none."""
    return model.startswith(_TAKES_TEMPERATURE)


class Client:
    """Calls with one visitor's key. It lives in one event loop; leave it with ``async with``."""

    def __init__(self, key: SecretStr, base_url: str = BASE_URL, *, deadline: float = DEADLINE) -> None:
        self._key = key
        self._deadline = deadline
        self._sdk = anthropic.AsyncAnthropic(
            api_key=key.get_secret_value(),
            base_url=base_url,
            max_retries=0,
            timeout=httpx2.Timeout(deadline, connect=_CONNECT),
            open_telemetry=False,
            http_client=anthropic.DefaultAsyncHttpxClient(trust_env=False, follow_redirects=False),
        )
        # the SDK reads them from the machine even when everything else is given; one of them could replace the key
        self._sdk._custom_headers = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        with suppress(Exception):
            await self._sdk.close()

    async def models(self) -> list[Model]:
        """The models that the key may use, in the service's order; which is also how a key is checked.

        Raises:
            KeyRefused: the service did not list them.

        """
        try:
            async with asyncio.timeout(_CONNECT * 3):
                found = [_model(info) async for info in self._sdk.models.list(limit=1000)]
            if found:
                return found
            reply = Reply(Outcome.NETWORK, "the body of the answer lists no models")
        except Exception as error:
            reply = self._kept(failed(error))
        raise KeyRefused(reply.outcome, reply.detail)

    async def ask(self, request: Request) -> Reply:
        """Sends one request once and says how it ended. Cancelling the task ends it at once."""
        began = time.monotonic()
        sent = {k: v for k, v in request.sent.items() if k not in ("temperature", "anthropic-version")}
        extra: dict[str, Any] = {}
        if request.temperature:
            extra = {"extra_body": {"temperature": 0}, "extra_headers": {"anthropic-version": OLDER_VERSION}}
        try:
            async with asyncio.timeout(self._deadline):
                answered: object = await self._sdk.messages.create(**sent, **extra)
            reply = self._kept(judged(answered, request))
        except Exception as error:
            reply = self._kept(failed(error))
        return replace(reply, seconds=time.monotonic() - began)

    def _kept(self, reply: Reply) -> Reply:
        """The reply as it may be stored: no text that came from outside holds the key."""
        return replace(
            reply,
            detail=(self._cleaned(reply.detail) or "")[:_LONGEST_DETAIL],
            stop_reason=self._cleaned(reply.stop_reason),
            model=self._cleaned(reply.model),
            request_id=self._cleaned(reply.request_id),
            text=self._cleaned(reply.text),
        )

    def _cleaned(self, text: str | None) -> str | None:
        return None if text is None else _storable(without_key(text, self._key))


def judged(answered: object, request: Request) -> Reply:
    """How a call that raised nothing ended: fallback signals first, then the stop reason, then the text."""
    if not isinstance(answered, Message) or answered.content is None:
        return Reply(Outcome.NETWORK, "the body of the answer is no message of the service's")
    text = "".join(b.text for b in answered.content if b.type == "text")
    reply = Reply(
        Outcome.OK,
        "as asked for",
        stop_reason=answered.stop_reason,
        model=answered.model,
        request_id=getattr(answered, "_request_id", None),
        usage=_usage(answered),
        text=text,
    )
    if signal := _fallback(answered, request.model):
        return replace(reply, outcome=Outcome.REFUSED, detail=f"another model wrote the answer ({signal})")
    match answered.stop_reason:
        case None:
            return replace(reply, outcome=Outcome.NETWORK, detail="the answer ended without a stop reason")
        case "refusal":
            category = getattr(answered.stop_details, "category", None)
            why = f", category {category}" if category else ""
            return replace(reply, outcome=Outcome.REFUSED, detail=f"the model refused{why}")
        case "max_tokens":
            cap = f"the answer reached the output cap of {request.output_cap:,} tokens, thinking included"
            return replace(reply, outcome=Outcome.CUT_OFF, detail=f"{cap}; a new run can have a higher one")
        case "model_context_window_exceeded":
            return replace(reply, outcome=Outcome.CUT_OFF, detail="the answer reached the end of the context window")
        case "end_turn":
            try:
                request.read(text)
            except NotAsAsked as problem:
                return replace(reply, outcome=Outcome.INVALID, detail=str(problem))
            return reply
        case other:
            return replace(reply, outcome=Outcome.INVALID, detail=f"the model stopped for another reason: {other}")


def failed(error: Exception) -> Reply:
    """How a call that raised ended, by the kind of error that the service names, then by its status."""
    if isinstance(error, anthropic.APIStatusError):
        return _refused_by_service(error)
    if isinstance(error, anthropic.APITimeoutError | TimeoutError):
        return Reply(Outcome.NETWORK, "no answer within the time allowed")
    if isinstance(error, anthropic.APIConnectionError | httpx2.HTTPError):
        return Reply(Outcome.NETWORK, "the connection failed or was dropped")
    if isinstance(error, ValueError):
        return Reply(Outcome.NETWORK, "the body of the answer cannot be read")
    # by its type alone: what an unknown error says may hold anything
    return Reply(Outcome.NETWORK, f"the call failed ({type(error).__name__})")


_BY_STATUS = {401: Outcome.BAD_KEY, 402: Outcome.SPEND_LIMIT, 403: Outcome.BAD_KEY, 408: Outcome.NETWORK}
_BY_STATUS |= {429: Outcome.RATE_LIMITED, 529: Outcome.OVERLOADED}
_BY_TYPE = {
    "authentication_error": Outcome.BAD_KEY,
    "permission_error": Outcome.BAD_KEY,
    "billing_error": Outcome.SPEND_LIMIT,
    "rate_limit_error": Outcome.RATE_LIMITED,
    "overloaded_error": Outcome.OVERLOADED,
    "timeout_error": Outcome.NETWORK,
}
_SPEND_CODES = ("enforced_spend_limit_reached", "contract_spend_limit_reached")


def _refused_by_service(error: anthropic.APIStatusError) -> Reply:
    status = error.status_code
    said = error.api_message if isinstance(error.api_message, str) else ""
    outcome = _BY_STATUS.get(status)
    if status < 400:
        # an error inside a stream has status 200 and a type; a redirect, which is not followed, has neither
        outcome = _BY_TYPE.get(error.type or "", Outcome.NETWORK)
    elif outcome is None:
        outcome = Outcome.REJECTED if status < 500 else Outcome.SERVER_ERROR
    if status in (400, 429) and (error.error_code in _SPEND_CODES or "spend limit" in said.lower()):
        outcome = Outcome.SPEND_LIMIT
    named = any(name in said for name in ("temperature", "top_p", "top_k"))
    return Reply(
        outcome,
        f"status {status}{f': {said}' if said else ''}",
        request_id=error.request_id,
        wait=_seconds(error.response.headers.get("retry-after")),
        names_temperature=status == 400 and named,
    )


def _fallback(message: Message, asked: str) -> str | None:
    """Which sign says that another model wrote the answer; None for no sign."""
    # the SDK builds a block of a kind that it does not know as a text, with the type as it came
    if any(getattr(block, "type", None) == "fallback" for block in message.content):
        return "a fallback block"
    iterations = getattr(message.usage, "iterations", None)
    if isinstance(iterations, list) and any(_kind(i) == "fallback_message" for i in iterations):
        return "a fallback entry in the usage"
    answered = message.model or ""
    dated = answered.removeprefix(f"{asked}-")
    if answered != asked and not (dated != answered and len(dated) == 8 and dated.isdigit()):
        return f"it is signed {answered or 'by nobody'}"
    return None


def _storable(text: str) -> str:
    """The text with a question mark for each half of a surrogate pair, which no file and no database takes."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _kind(iteration: Any) -> object:
    return iteration.get("type") if isinstance(iteration, dict) else getattr(iteration, "type", None)


def _usage(message: Message) -> Usage | None:
    usage = message.usage
    if usage is None:
        return None
    return Usage(
        input_tokens=usage.input_tokens or 0,
        output_tokens=usage.output_tokens or 0,
        cache_write_tokens=usage.cache_creation_input_tokens or 0,
        cache_read_tokens=usage.cache_read_input_tokens or 0,
    )


def _seconds(header: str | None) -> float | None:
    try:
        return None if header is None else max(0.0, float(header))
    except ValueError:
        return None


def _model(info: Any) -> Model:
    capabilities = info.capabilities
    return Model(
        id=info.id,
        title=info.display_name or info.id,
        deprecated=info.lifecycle != "active",
        retires=info.retires_at.date().isoformat() if info.retires_at else None,
        structured=None if capabilities is None else capabilities.structured_outputs.supported,
    )

"""A local stand-in for Anthropic's HTTP API, for tests that drive the real SDK; standard library only.

It encodes a reading of the SDK's types (2.14.0) and of published errors. It shows what a client does with
such answers, not what the service does. As a program, for browser tests::

    python tests/generation/fake_server.py --port 0 --script FILE.json --delay 0.2

prints the address on its first line. FILE.json: ``{"default": "ok", "models": "ok", "slow_seconds": 2,
"scripts": {"text found in the request": ["529", "ok"]}}``, every key optional.
"""

import argparse
import hashlib
import json
import re
import socket
import socketserver
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

TAKES_TEMPERATURE = ("claude-haiku-4-5", "claude-sonnet-4-5", "claude-sonnet-4-6", "claude-opus-4-5", "claude-opus-4-6")
OLD_VERSION = "2023-06-01"
OTHER_MODEL = "claude-opus-4-8"


@dataclass(frozen=True)
class Seen:
    """One request as it arrived; header names in lower case, the path with its query."""

    method: str
    path: str
    headers: dict
    body: dict | None


@dataclass(frozen=True)
class Reply:
    status: int
    body: bytes
    headers: dict = field(default_factory=dict)
    content_type: str = "application/json"


@dataclass(frozen=True)
class Ticket:
    """What one request was given on arrival: its id, and the gates as they stood then."""

    request_id: str
    gate: threading.Event
    hold: threading.Event | None


# --- scenarios: name -> (status, error type, message, headers, details)

ERRORS: dict[str, tuple[int, str, str, dict, dict | None]] = {
    "400": (400, "invalid_request_error", "messages: the request is not valid", {}, None),
    "400_spend": (400, "invalid_request_error", "Spend limit reached: raise it to continue.", {}, None),
    "401": (401, "authentication_error", "invalid API key", {}, None),
    "402": (402, "billing_error", "Your credit balance is too low.", {}, None),
    "403": (403, "permission_error", "Your API key may not use the specified resource.", {}, None),
    "404": (404, "not_found_error", "model: not found", {}, None),
    "408": (408, "timeout_error", "Request timed out.", {}, None),
    "409": (409, "conflict_error", "The request conflicts with another.", {}, None),
    "413": (413, "request_too_large", "Request exceeds the maximum size.", {}, None),
    "418": (418, "api_error", "A status nobody expects.", {}, None),
    "422": (422, "invalid_request_error", "The request could not be processed.", {}, None),
    "429": (429, "rate_limit_error", "This request would exceed your rate limit.", {"retry-after": "1"}, None),
    "429_long": (429, "rate_limit_error", "This request would exceed your rate limit.", {"retry-after": "7200"}, None),
    "429_spend": (
        429,
        "rate_limit_error",
        "The monthly spend limit is reached.",
        {},
        {"error_code": "enforced_spend_limit_reached"},
    ),
    "500": (500, "api_error", "Internal server error", {}, None),
    "503": (503, "api_error", "Service unavailable", {}, None),
    "504": (504, "timeout_error", "Request timed out", {}, None),
    "529": (529, "overloaded_error", "Overloaded", {}, None),
}
RAW = {
    "html_502": Reply(502, b"<html><body>Bad gateway</body></html>", content_type="text/html"),
    "html_200": Reply(200, b"<html><body>Sign in to the network</body></html>", content_type="text/html"),
    "broken_json_200": Reply(200, b'{"id": "msg_1", "type": "message", "content": ['),
    "wrong_shape_200": Reply(200, b'{"hello": "world"}'),
}
TRANSPORT = ("ok", "drop", "drop_mid", "stall", "slow", "echo_key", *ERRORS, *RAW)
MESSAGES = (
    *("ok_thinking", "alias", "refusal", "refusal_nodetails", "refusal_partial", "max_tokens", "ctx_window"),
    *("invalid_json", "empty", "unknown_stop", "no_stop_reason", "wrong_counts", "wrong_schema", "duplicate_options"),
    *("fallback_block", "fallback_usage", "fallback_model", "lone_surrogate", "escaped_surrogate"),
)
SCENARIOS = frozenset((*TRANSPORT, *MESSAGES))


def known(name: str, names=SCENARIOS) -> str:
    if name not in names:
        raise ValueError(f"no scenario {name!r}; there are {', '.join(sorted(names))}")
    return name


# --- the text of an answer, built from the request


def texts(content) -> Iterator[str]:
    """Yield every text in a message's content, a system prompt or a list of messages."""
    if isinstance(content, str):
        yield content
    elif isinstance(content, list):
        for part in content:
            if isinstance(part, dict):
                yield from texts(part.get("text") or part.get("content"))


def prompt_of(body: dict) -> str:
    return "\n".join([*texts(body.get("system")), *texts(body.get("messages"))])


def passages_of(body: dict) -> list[tuple[str, str]]:
    users = [m for m in body["messages"] if isinstance(m, dict) and m.get("role") == "user"]
    found = re.findall(r'<passage\b[^>]*?\bid="([^"]+)"[^>]*>(.*?)</passage>', "\n".join(texts(users)), re.DOTALL)
    return [(name, " ".join(re.sub(r"(?m)^#+ .*$", "", text).split())) for name, text in found]  # no headings


STOCK = [
    f"The {name} statement of the stand-in ends with words of the {kind} kind"
    for name, kind in zip(
        ["first", "second", "third", "fourth", "fifth", "sixth", "seventh"],
        ["amber", "birch", "cedar", "daisy", "elder", "fennel", "ginger"],
        strict=True,
    )
]


@dataclass(frozen=True)
class Cut:
    """A sentence cut in two: the lead goes into the question, the ending is the answer."""

    passage: str
    lead: str
    ending: str


def cuts_of(passages: list[tuple[str, str]]) -> list[Cut]:
    """Cut sentences, one passage after the other in turn; no lead and no ending occurs twice."""
    per_passage = []
    for name, text in passages:
        sentences = [
            s for s in re.split(r"(?<=[.!?])\s+", text) if re.fullmatch(r"[A-Z][^$|`\\{}<>*#=&\[\]_]+[.!?]", s)
        ]
        words = text.split()
        windows = [" ".join(words[i : i + 12]) for i in range(0, len(words) - 11, 12)]
        per_passage.append([(name, s) for s in sentences + windows if 5 <= len(s.split()) <= 40])
    depth = max(map(len, per_passage), default=0)
    turns = [found[i] for i in range(depth) for found in per_passage if i < len(found)]
    cuts: list[Cut] = []
    taken: set[str] = set()
    for name, sentence in turns + [(passages[0][0] if passages else "none", s) for s in STOCK]:
        words = sentence.split()
        at = len(words) - min(4, len(words) // 3)
        lead, ending = " ".join(words[:at]), " ".join(words[at:]).rstrip(".!?,;:")
        keys = {lead.casefold(), ending.casefold()}
        if ending and ending.casefold() not in lead.casefold() and not keys & taken:
            taken |= keys
            cuts.append(Cut(name, lead, ending))
    return cuts


def questions(body: dict, digest: bytes) -> dict:
    """Four multiple-choice and three short questions that the passages of the prompt answer."""
    cuts = cuts_of(passages_of(body))
    choice = []
    for i, cut in enumerate(cuts[:4]):
        options = [cuts[(i + step) % len(cuts)].ending for step in (1, 2, 3)]
        place = (digest[0] + i) % 4
        options.insert(place, cut.ending)
        stem = f"Which words complete the sentence “{cut.lead} …”?"
        choice.append({"question": stem, "options": options, "key": "ABCD"[place], "citations": [cut.passage]})
    short = [
        {"question": f"How does the statement “{c.lead} …” end?", "answer": c.ending, "citations": [c.passage]}
        for c in cuts[4:7]
    ]
    return {"multiple_choice": choice, "short_answer": short}


def is_judge(body: dict) -> bool:
    with suppress(AttributeError):
        schema = ((body.get("output_config") or {}).get("format") or {}).get("schema") or {}
        return {"faithful", "correct"} <= set(schema.get("properties") or {})
    return False


def verdict(digest: bytes) -> dict:
    """Six in ten yes, three in ten no, one in ten cannot tell; the two questions apart."""
    scale = ["yes"] * 6 + ["no"] * 3 + ["cannot tell"]
    return {"faithful": scale[digest[1] % 10], "correct": scale[digest[2] % 10]}


def answer_text(scenario: str, body: dict) -> str:
    digest = hashlib.sha256(prompt_of(body).encode()).digest()
    if is_judge(body):
        answer = verdict(digest)
        if scenario == "wrong_schema":
            del answer["correct"]
    else:
        answer = questions(body, digest)
        first = answer["multiple_choice"][0]
        if scenario == "wrong_counts":
            del answer["multiple_choice"][3:]
        elif scenario == "wrong_schema":
            del first["key"]
        elif scenario == "duplicate_options":
            one, other = [i for i in range(4) if i != "ABCD".index(first["key"])][:2]
            first["options"][other] = first["options"][one]
    text = json.dumps(answer, ensure_ascii=False)
    if scenario in ("refusal_partial", "max_tokens", "ctx_window"):
        return text[: len(text) // 2]
    if scenario == "lone_surrogate":
        return text.replace("Which words", "\ud835 words", 1)
    if scenario == "escaped_surrogate":
        return text.replace("Which words", "\\ud835 words", 1)
    if scenario == "invalid_json":
        return text[:-1] + ", oops"
    return "I cannot help with that." if scenario == "refusal_nodetails" else text


# --- the message around the text

STOPS: dict[str, str | None] = {
    **dict.fromkeys(("refusal", "refusal_nodetails", "refusal_partial"), "refusal"),
    "max_tokens": "max_tokens",
    "ctx_window": "model_context_window_exceeded",
    "unknown_stop": "brand_new_reason",
    "no_stop_reason": None,
}


def usage_of(body: dict, output: int, thinking: int) -> dict:
    return {
        "input_tokens": len(prompt_of(body)) // 4,
        "output_tokens": output,
        "output_tokens_details": {"thinking_tokens": thinking},
        "cache_creation": {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 0},
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
        "inference_geo": "global",
        "server_tool_use": None,
        "service_tier": "standard",
        "speed": None,
    }


def message(scenario: str, body: dict, request_id: str) -> dict:
    model = body["model"]
    text = "" if scenario in ("refusal", "empty") else answer_text(scenario, body)
    content: list[dict] = [{"type": "text", "text": text, "citations": None}] if text else []
    output, thinking = len(text) // 4, 0
    if scenario == "ok_thinking":
        thought = "The passages name the terms; I pick sentences that say what they mean."
        content.insert(0, {"type": "thinking", "thinking": thought, "signature": "c2lnbmF0dXJl"})
        thinking = len(thought) // 4
        output += thinking
    if scenario == "max_tokens":
        output = body["max_tokens"]
    usage = usage_of(body, output, thinking)
    if scenario == "fallback_block":
        trigger = {"type": "refusal", "category": "bio"}
        block = {"type": "fallback", "from": {"model": model}, "to": {"model": OTHER_MODEL}, "trigger": trigger}
        content.insert(0, block)
    if scenario == "fallback_usage":
        keys = ("input_tokens", "output_tokens", "cache_creation", "cache_creation_input_tokens")
        counts = {key: usage[key] for key in (*keys, "cache_read_input_tokens")}
        usage["iterations"] = [{"type": "fallback_message", "model": OTHER_MODEL, **counts}]
    refused = {"type": "refusal", "category": "bio", "explanation": "This request could enable biological harm."}
    return {
        "id": request_id.replace("req", "msg"),
        "type": "message",
        "role": "assistant",
        "model": {"alias": f"{model}-20251001", "fallback_model": OTHER_MODEL}.get(scenario, model),
        "content": content,
        "stop_reason": STOPS.get(scenario, "end_turn"),
        "stop_sequence": None,
        "stop_details": refused if scenario in ("refusal", "refusal_partial") else None,
        "usage": usage,
    }


# --- the catalogue of models


def capabilities(structured: bool, adaptive: bool) -> dict:
    def says(supported: bool) -> dict:
        return {"supported": supported}

    levels = ("low", "medium", "high", "xhigh", "max")
    kinds = {"adaptive": adaptive, "between_tools": False, "disabled": True, "enabled": structured and not adaptive}
    return {
        **{name: says(True) for name in ("batch", "citations", "image_input", "pdf_input")},
        "code_execution": says(adaptive),
        "context_management": {
            **says(adaptive),
            "clear_thinking_20251015": says(adaptive),
            "clear_tool_uses_20250919": says(adaptive),
            "compact_20260112": says(adaptive),
        },
        "effort": {**says(adaptive), **{level: says(adaptive) for level in levels}},
        "server_tools": {**says(structured), "code_execution": says(structured), "web_search": says(structured)},
        "structured_outputs": says(structured),
        "thinking": {**says(structured), "types": {kind: says(value) for kind, value in kinds.items()}},
    }


def model(name: str, shown: str, created: str, able: dict | None, line: str | None, **more) -> dict:
    return {
        "type": "model",
        "id": name,
        "display_name": shown,
        "created_at": f"{created}T00:00:00Z",
        "lifecycle": "active",
        "line": line,
        "max_input_tokens": 200_000 if able else None,
        "max_tokens": 64_000 if able else None,
        "deprecated_at": None,
        "retires_at": None,
        "capabilities": able,
        **more,
    }


DEPRECATED = {
    "lifecycle": "deprecated",
    "deprecated_at": "2026-10-22T00:00:00Z",
    "retires_at": "2027-01-22T00:00:00Z",
}
RETIRED = {"lifecycle": "retired", "deprecated_at": "2025-06-30T00:00:00Z", "retires_at": "2026-01-05T00:00:00Z"}
CATALOGUE = [
    model("claude-lab-preview", "Claude Lab Preview", "2026-11-01", None, None),
    model("claude-haiku-5-5", "Claude Haiku 5.5", "2026-10-07", capabilities(True, True), "haiku"),
    model("claude-sonnet-5-5", "Claude Sonnet 5.5", "2026-09-24", capabilities(True, True), "sonnet"),
    model("claude-opus-4-5-20251101", "Claude Opus 4.5", "2025-11-24", capabilities(True, False), "opus", **DEPRECATED),
    model("claude-haiku-4-5", "Claude Haiku 4.5", "2025-10-15", capabilities(True, False), "haiku"),
    model("claude-3-5-haiku-20241022", "Claude Haiku 3.5", "2024-10-22", capabilities(False, False), "haiku"),
    model("claude-3-opus-20240229", "Claude Opus 3", "2024-02-29", capabilities(False, False), "opus", **RETIRED),
]


def model_page(query: str, cap: int) -> dict:
    asked = parse_qs(query)
    stages = [s for key in ("lifecycle", "lifecycle[]") for value in asked.get(key, []) for s in value.split(",")]
    rows = [m for m in CATALOGUE if m["lifecycle"] in (stages or ("active", "deprecated"))]
    ids = [m["id"] for m in rows]
    limit = min(int(asked.get("limit", ["20"])[0]), cap)
    if "before_id" in asked:
        end = ids.index(asked["before_id"][0])
        page, more = rows[max(0, end - limit) : end], end > limit
    else:
        start = ids.index(asked["after_id"][0]) + 1 if "after_id" in asked else 0
        page, more = rows[start : start + limit], start + limit < len(rows)
    edges = (page[0]["id"], page[-1]["id"]) if page else (None, None)
    return {"data": page, "has_more": more, "first_id": edges[0], "last_id": edges[1]}


# --- rules that come before any scenario


def as_json(status: int, value: dict, headers: dict | None = None) -> Reply:
    raw = json.dumps(value, ensure_ascii=False).encode(
        "utf-8", "backslashreplace"
    )  # half a surrogate pair goes out as its escape
    return Reply(status, raw, headers or {})


def error(ticket: Ticket, status: int, kind: str, text: str, headers=None, details=None) -> Reply:
    inner = {"type": kind, "message": text} | ({"details": details} if details else {})
    return as_json(status, {"type": "error", "error": inner, "request_id": ticket.request_id}, headers)


def authorised(headers: dict) -> bool:
    return bool(re.fullmatch(r"Bearer sk-ant-[A-Za-z0-9_-]+", headers.get("authorization", "")))


def fault_in(headers: dict, body: dict | None) -> str | None:
    """Return the message of the 400 that this messages request earns, or None."""
    if body is None:
        return "The request body is not a JSON object."
    for name in ("model", "max_tokens", "messages"):
        if not body.get(name):
            return f"{name}: Field required"
    if body.get("stream"):
        return "stream: this stand-in does not stream"
    for name in ("temperature", "top_p", "top_k"):
        if name in body and headers.get("anthropic-version") != OLD_VERSION:
            return f"{name}: Extra inputs are not permitted"
        if name in body and not body["model"].startswith(TAKES_TEMPERATURE):
            return f"`{name}` is deprecated for this model."
    return None


class Handler(BaseHTTPRequestHandler):
    """Speaks HTTP; what to say it asks of the FakeAPI."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1
    disable_nagle_algorithm = True
    server: "Server"

    def log_message(self, *args):
        pass

    def setup(self):
        super().setup()
        self.api = self.server.api
        self.api.opened(self.connection)

    def finish(self):
        with suppress(OSError):
            super().finish()
        self.api.gone(self.connection)

    def handle(self):
        with suppress(OSError):
            super().handle()

    def do_GET(self):
        self.respond(None)

    def do_POST(self):
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        try:
            body = json.loads(raw)
        except ValueError:
            body = None
        self.respond(body if isinstance(body, dict) else None)

    def respond(self, body: dict | None):
        headers = {name.lower(): value for name, value in self.headers.items()}
        seen = Seen(self.command, self.path, headers, body)
        ticket = self.api.note(seen)
        route = urlsplit(self.path)
        if seen.method == "POST" and route.path == "/v1/messages":
            self.messages(seen, ticket)
        elif seen.method == "GET" and (route.path == "/v1/models" or route.path.startswith("/v1/models/")):
            self.models(seen, ticket, route.path.removeprefix("/v1/models").strip("/"), route.query)
        else:
            self.send(error(ticket, 404, "not_found_error", f"no such endpoint: {route.path}"), ticket)

    def messages(self, seen: Seen, ticket: Ticket):
        if ticket.hold is not None:
            self.api.wait(ticket.hold, ticket.gate)
        self.api.wait(seconds=self.api.delay)
        if not authorised(seen.headers):
            self.play("401", ticket, dict)
        elif (fault := fault_in(seen.headers, seen.body)) is not None:
            self.send(error(ticket, 400, "invalid_request_error", fault), ticket)
        else:
            scenario = self.api.next_scenario(seen.body)
            self.play(scenario, ticket, lambda: message(scenario, seen.body, ticket.request_id))

    def models(self, seen: Seen, ticket: Ticket, name: str, query: str):
        if not authorised(seen.headers):
            self.play("401", ticket, dict)
        elif name and name not in [m["id"] for m in CATALOGUE]:
            self.send(error(ticket, 404, "not_found_error", f"model: {name}"), ticket)
        elif name:
            self.play(self.api.models_scenario, ticket, lambda: next(m for m in CATALOGUE if m["id"] == name))
        else:
            try:
                page = model_page(query, self.api.models_page)
            except ValueError:
                self.send(error(ticket, 400, "invalid_request_error", "the page asked for does not exist"), ticket)
            else:
                self.play(self.api.models_scenario, ticket, lambda: page)

    def play(self, scenario: str, ticket: Ticket, good: Callable[[], dict]):
        if scenario == "stall":
            self.api.wait(ticket.gate)
        elif scenario == "slow":
            self.api.wait(seconds=self.api.slow_seconds)
        if scenario == "drop":
            self.close_connection = True
        elif scenario == "echo_key":
            said = self.headers.get("authorization", "").removeprefix("Bearer ")
            self.send(error(ticket, 400, "invalid_request_error", f"the key {said} may not do this"), ticket)
        elif scenario in ERRORS:
            self.send(error(ticket, *ERRORS[scenario]), ticket)
        elif scenario in RAW:
            self.send(RAW[scenario], ticket)
        else:
            self.send(as_json(200, good()), ticket, half=scenario == "drop_mid")

    def send(self, reply: Reply, ticket: Ticket, half: bool = False):
        if self.api.closed:
            self.close_connection = True
            return
        self.send_response(reply.status)
        self.send_header("content-type", reply.content_type)
        self.send_header("content-length", str(len(reply.body)))
        if reply.content_type != "text/html":  # a page from a proxy carries no id of the API
            self.send_header("request-id", ticket.request_id)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(reply.body[: len(reply.body) // 2] if half else reply.body)
        if half:
            self.close_connection = True


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64
    api: "FakeAPI"

    def server_bind(self):
        socketserver.TCPServer.server_bind(self)  # HTTPServer's own asks the resolver for a host name
        self.server_name, self.server_port = self.server_address[:2]


class FakeAPI:
    """The stand-in and its controls; ``with FakeAPI() as api:`` runs it on a free port of 127.0.0.1."""

    def __init__(self, port: int = 0, *, delay: float = 0.0, slow_seconds: float = 1.0):
        self.delay = delay  # seconds before every answer to POST /v1/messages
        self.slow_seconds = slow_seconds
        self.models_page = 1000  # no page of models is longer than this, whatever the limit asked for
        self._port = port
        self._default = self._models_scenario = "ok"
        self._seen: list[Seen] = []
        self._scripts: dict[str, list[str]] = {}
        self._open: set[socket.socket] = set()
        self._changed = threading.Condition()
        self._gate = threading.Event()
        self._hold: threading.Event | None = None
        self._closing = threading.Event()
        self._server: Server | None = None

    def start(self) -> "FakeAPI":
        self._server = Server(("127.0.0.1", self._port), Handler)
        self._server.api = self
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        return self

    def close(self) -> None:
        """Stop listening, cut every connection and wait until its thread has let go; a second call does nothing."""
        server, self._server = self._server, None
        if server is None:
            return
        self._closing.set()
        self.release()
        server.shutdown()
        server.server_close()
        self._thread.join(5)
        with self._changed:
            for connection in self._open:
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
            self._changed.wait_for(lambda: not self._open, 5)

    def __enter__(self) -> "FakeAPI":
        return self.start()

    def __exit__(self, *exc) -> None:
        self.close()

    @property
    def url(self) -> str:
        if self._server is None:
            raise RuntimeError("the stand-in is not running")
        return f"http://127.0.0.1:{self._server.server_port}"

    @property
    def requests(self) -> list[Seen]:
        """All requests so far, as a copy; the n-th was given the request id req_00000n."""
        with self._changed:
            return list(self._seen)

    def wait_for(self, count: int, timeout: float = 5.0) -> bool:
        """Wait until that many requests have arrived; False when they did not in time."""
        with self._changed:
            return self._changed.wait_for(lambda: len(self._seen) >= count, timeout)

    @property
    def default(self) -> str:
        return self._default

    @default.setter
    def default(self, scenario: str) -> None:
        self._default = known(scenario)

    @property
    def models_scenario(self) -> str:
        return self._models_scenario

    @models_scenario.setter
    def models_scenario(self, scenario: str) -> None:
        self._models_scenario = known(scenario, TRANSPORT)

    def script(self, topic_marker: str, *scenarios: str) -> None:
        """Give requests that contain the marker these scenarios in order, the last one for ever.

        When several markers occur in one request, the one scripted first decides. Scripting a marker anew replaces
        its steps. A request that a rule turns away (key, stream, temperature, a missing field) uses up no step.
        """
        if not scenarios:
            raise ValueError("a script needs at least one scenario")
        steps = [known(name) for name in scenarios]
        with self._changed:
            self._scripts[topic_marker] = steps

    def hold(self, event: threading.Event | None = None) -> threading.Event:
        """From now on leave every messages request unanswered until the event is set, or release() or close()."""
        event = event or threading.Event()
        with self._changed:
            self._hold = event
        return event

    def release(self) -> None:
        """Answer all that is held or stalled now, and end the hold; a later "stall" stalls anew."""
        with self._changed:
            self._gate.set()
            self._gate, self._hold = threading.Event(), None

    # what the handler's threads call

    @property
    def closed(self) -> bool:
        return self._closing.is_set()

    def opened(self, connection: socket.socket) -> None:
        with self._changed:
            self._open.add(connection)

    def gone(self, connection: socket.socket) -> None:
        with self._changed:
            self._open.discard(connection)
            self._changed.notify_all()

    def note(self, seen: Seen) -> Ticket:
        with self._changed:
            self._seen.append(seen)
            self._changed.notify_all()
            return Ticket(f"req_{len(self._seen):06d}", self._gate, self._hold)

    def next_scenario(self, body: dict) -> str:
        text = json.dumps(body, ensure_ascii=False)
        with self._changed:
            for marker, steps in self._scripts.items():
                if marker in text or json.dumps(marker, ensure_ascii=False)[1:-1] in text:
                    return steps.pop(0) if len(steps) > 1 else steps[0]
        return self.default

    def wait(self, *events: threading.Event, seconds: float | None = None) -> None:
        """Wait for any of the events or for the time to pass; closing ends every wait."""
        end = None if seconds is None else time.monotonic() + seconds
        while not any(e.is_set() for e in (*events, self._closing)) and (end is None or time.monotonic() < end):
            self._closing.wait(0.01)


def main() -> None:
    options = argparse.ArgumentParser(description="A local stand-in for Anthropic's HTTP API.")
    options.add_argument("--port", type=int, default=0)
    options.add_argument("--script", type=Path, help="a JSON file; see the head of this module")
    options.add_argument("--delay", type=float, default=0.0, help="seconds before each message answer")
    given = options.parse_args()
    plan = json.loads(given.script.read_text(encoding="utf-8")) if given.script else {}
    api = FakeAPI(given.port, delay=given.delay, slow_seconds=plan.get("slow_seconds", 1.0))
    api.default = plan.get("default", "ok")
    api.models_scenario = plan.get("models", "ok")
    for marker, steps in plan.get("scripts", {}).items():
        api.script(marker, *([steps] if isinstance(steps, str) else steps))
    with api, suppress(KeyboardInterrupt):
        print(api.url, flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()

"""A visitor's key is where it was given, in the request to the service, and nowhere else."""

import asyncio
import json
import logging
import os
import socket
import traceback
from contextlib import closing

import anthropic
import pytest
from anthropic._utils._logs import setup_logging

from evalcore.generation.audit import audit_rows
from evalcore.generation.calls import client
from evalcore.generation.calls.client import BASE_URL, Client, KeyRefused
from evalcore.generation.calls.key import BadKey, read_key, without_key
from evalcore.generation.calls.outcomes import Outcome
from evalcore.generation.calls.runner import Pauses, Runner, Work
from evalcore.generation.setup import packs_to_write
from evalcore.generation.store.files import run_document, to_json
from tests.generation import fake_server
from tests.generation.calls.running import CANARY, ends, finished, outcomes
from tests.generation.fake_server import CATALOGUE

MARK = "canary-0123456789"
PASTES = {
    "empty": "",
    "a space": " ",
    "leading space": f" {CANARY}",
    "trailing space": f"{CANARY} ",
    "inner space": f"{CANARY[:20]} {CANARY[20:]}",
    "trailing newline": f"{CANARY}\n",
    "leading newline": f"\n{CANARY}",
    "inner newline": f"{CANARY[:20]}\n{CANARY[20:]}",
    "carriage return": f"{CANARY}\r\n",
    "tab": f"{CANARY}\t",
    "NUL": f"{CANARY}\0",
    "escape": f"{CANARY}\x1b",
    "no-break space": f"{CANARY}\u00a0",
    "zero-width space": f"{CANARY}\u200b",
    "dash": f"{CANARY}–",
    "full-width digits": f"{CANARY}０１",
    "half a surrogate pair": f"{CANARY}\ud835",
    "too short": "sk-ant-canary",
    "another maker's": f"sk-proj-{CANARY[7:]}",
    "quoted": f'"{CANARY}"',
    "header": f"Bearer {CANARY}",
    "twice, with a comma": f"{CANARY},{CANARY}",
}


@pytest.mark.parametrize("pasted", PASTES.values(), ids=PASTES)
def test_what_is_no_key_is_refused_before_anything_is_made_of_it(pasted, api):
    with pytest.raises(BadKey) as refused:
        read_key(pasted)
    said = "".join(traceback.format_exception(refused.value))
    assert "key" in str(refused.value)
    assert len(str(refused.value)) > 15
    assert MARK not in said
    assert CANARY not in said
    assert api.requests == []


def test_a_space_or_a_line_break_is_named_as_such():
    for name in ("leading space", "trailing newline", "tab", "no-break space"):
        with pytest.raises(BadKey, match="space or a line break"):
            read_key(PASTES[name])


def test_a_key_is_taken_as_it_is():
    key = read_key(CANARY)
    assert key.get_secret_value() == CANARY
    assert CANARY not in f"{key!r} {key} {[key]}"


def test_a_key_that_comes_back_is_taken_out_wherever_it_stands():
    key = read_key(CANARY)
    assert without_key(f"{CANARY} and {CANARY}.", key) == "[key] and [key]."


@pytest.fixture
def dead_port():
    with closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))  # bound and never listening: a connection is refused
        yield taken.getsockname()[1]


@pytest.fixture
def hostile(monkeypatch, dead_port):
    """A server's own settings, each of which would send the call elsewhere or as somebody else."""
    nowhere = f"http://127.0.0.1:{dead_port}"
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, nowhere)
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-of-the-server-0123456789abcdef")
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "token-of-the-server")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", nowhere)
    monkeypatch.setenv("ANTHROPIC_LOG", "debug")
    headers = (
        "Authorization: Bearer of-the-server\nanthropic-beta: server-side-fallback-2026-07-01\nX-Other: of-the-server"
    )
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", headers)


class Gathering(logging.Handler):
    def __init__(self):
        super().__init__(logging.DEBUG)
        self.setFormatter(logging.Formatter("%(name)s %(levelname)s %(message)s %(args)s"))
        self.said = []

    def emit(self, record):
        self.said.append(self.format(record))
        self.said.append(repr(vars(record)))


LOGGERS = (
    "",
    "anthropic",
    "anthropic._base_client",
    "httpx2",
    "httpcore2",
    "httpcore2.http11",
    "asyncio",
    "evidence_lab",
)


@pytest.fixture
def log():
    handler = Gathering()
    before = {name: (logging.getLogger(name).level, logging.getLogger(name).propagate) for name in LOGGERS}
    setup_logging()
    for name in LOGGERS:
        logging.getLogger(name).setLevel(logging.DEBUG)
    logging.getLogger().addHandler(handler)
    yield handler
    logging.getLogger().removeHandler(handler)
    for name, (level, propagate) in before.items():
        logging.getLogger(name).setLevel(level)
        logging.getLogger(name).propagate = propagate


SCENARIOS = (
    *("ok", "ok_thinking", "refusal", "invalid_json", "fallback_block", "echo_key", "400", "404", "422", "429_long"),
    *("500", "529", "html_502", "html_200", "broken_json_200", "wrong_shape_200", "drop", "drop_mid", "stall"),
    *("401", "403", "402"),
)


def test_the_key_is_in_the_request_and_nowhere_else(bench, api, hostile, log, capfd):
    key = read_key(CANARY)
    texts, given = [], [key]
    for scenario in SCENARIOS:
        api.default = scenario
        made = bench(topics=1, deadline=0.3 if scenario in ("stall", "drop") else 30.0)
        runner = made.runner(Pauses((0.01,)))
        work = packs_to_write(made.now)
        runner.start(work)
        finished(runner)
        run = made.now
        assert ends(run), scenario
        connected = made.connect()
        texts += [repr(runner), str(runner), repr(vars(runner)), repr(work), repr(work[0].request), repr(run)]
        texts += [repr(connected), str(connected), repr(runner._error)]
        texts += [to_json(run_document(run)), *(json.dumps(row.flat()) for row in audit_rows(run))]
        given += [connected, runner]
    # a stop in the middle of a call, a run that ends early, and a list of models that is refused
    api.default = "stall"
    made = bench(topics=2)
    runner = made.started()
    assert api.wait_for(len(api.requests) + 1) or made.posts()
    runner.stop()
    finished(runner)
    texts += [repr(runner), repr(made.now)]

    def broken():
        raise RuntimeError("no client")

    runner = made.runner(connect=broken)
    runner.start(packs_to_write(made.now))
    finished(runner)
    assert isinstance(runner._error, RuntimeError)
    texts += ["".join(traceback.format_exception(runner._error)), repr(runner)]
    for scenario in ("401", "403", "500", "html_200", "broken_json_200", "drop", "echo_key"):
        api.models_scenario = scenario
        with pytest.raises(KeyRefused) as refused:
            listed(made)
        texts += ["".join(traceback.format_exception(refused.value)), repr(refused.value), repr(vars(refused.value))]
        assert refused.value.__cause__ is None
        assert refused.value.__context__ is None

    for seen in api.requests:
        assert seen.headers["authorization"] == f"Bearer {CANARY}"
        assert not {"anthropic-beta", "x-other", "x-api-key", "proxy-authorization"} & set(seen.headers)
        assert "of-the-server" not in str(seen)
        assert CANARY not in seen.path
        assert CANARY not in json.dumps(seen.body)
        assert [name for name, value in seen.headers.items() if CANARY in value] == ["authorization"]
    files = [path for path in made.folder.rglob("*") if path.is_file()]
    assert {path.suffix for path in files} >= {".sqlite3", ".lock"}
    texts += [path.read_bytes().decode("latin-1") for path in files]
    texts += [*log.said, *os.environ.values(), *capfd.readouterr()]
    assert any("httpcore2" in said for said in log.said)
    assert any("anthropic" in said for said in log.said)
    for text in texts:
        assert CANARY not in text
        assert MARK not in text
    assert given


def listed(made):
    async def ask():
        async with made.connect() as connected:
            return await connected.models()

    return asyncio.run(ask())


def test_the_journal_while_it_is_open_has_no_key_in_its_log_files(bench, api):
    """The -wal and -shm files are there only while a connection is."""
    made = bench(topics=2)
    made.script("t1", "echo_key")
    journal = made.journal
    with closing(journal._connected()) as open_:
        open_.execute("SELECT count(*) FROM events").fetchone()
        made.go()
        files = {path.name: path.read_bytes() for path in journal.path.parent.iterdir() if path.is_file()}
    assert {name.partition(".sqlite3")[2] for name in files} == {"", "-wal", "-shm"}
    assert b"[key]" in files["h.sqlite3-wal"] + files["h.sqlite3"]
    assert all(CANARY.encode() not in raw for raw in files.values())


def test_a_key_that_the_service_sends_back_is_stored_as_a_mark(bench):
    made = bench(topics=1)
    made.script("t1", "echo_key")
    run = made.go()
    assert outcomes(run) == {"t1": Outcome.REJECTED}
    assert ends(run)[0].detail == "status 400: the key [key] may not do this"


def test_a_long_message_with_the_key_across_its_end_is_cut_after_the_key_was_taken_out(bench, monkeypatch):
    monkeypatch.setattr(client, "_LONGEST_DETAIL", len("status 400: the key ") + 10)
    made = bench(topics=1)
    made.script("t1", "echo_key")
    assert ends(made.go())[0].detail == "status 400: the key [key] may "


def test_an_answer_that_holds_the_key_is_stored_without_it(bench, monkeypatch):
    """No model knows the key, but a proxy that rewrites answers may."""
    usual = fake_server.answer_text
    monkeypatch.setattr(fake_server, "answer_text", lambda *a: usual(*a).replace("Which", f"Which {CANARY}", 1))
    made = bench(topics=1)
    run = made.go()
    assert outcomes(run) == {"t1": Outcome.OK}
    assert CANARY not in to_json(run_document(run))
    assert "[key]" in to_json(run_document(run))


def test_the_server_environment_changes_neither_address_nor_key_nor_outcome(bench, hostile):
    made = bench(topics=2)
    run = made.go()
    assert outcomes(run) == {"t1": Outcome.OK, "t2": Outcome.OK}
    assert {seen.headers["authorization"] for seen in made.api.requests} == {f"Bearer {CANARY}"}


def test_the_address_is_the_makers_unless_a_caller_gives_another(hostile):
    made = Client(read_key(CANARY))
    assert BASE_URL == "https://api.anthropic.com"
    assert str(made._sdk.base_url).rstrip("/") == BASE_URL
    assert made._sdk.max_retries == 0


def test_listing_models_checks_the_key_and_fills_the_menu(bench):
    found = listed(bench(topics=1))
    shown = [m for m in CATALOGUE if m["lifecycle"] != "retired"]
    assert [m.id for m in found] == [m["id"] for m in shown]
    by_id = {m.id: m for m in found}
    assert by_id["claude-lab-preview"].structured is None
    assert by_id["claude-haiku-5-5"].structured is True
    assert by_id["claude-3-5-haiku-20241022"].structured is False
    old = by_id["claude-opus-4-5-20251101"]
    assert (old.deprecated, old.retires) == (True, "2027-01-22")
    assert [m.id for m in found if m.deprecated] == [old.id]


def test_models_on_several_pages_are_all_listed(bench, api):
    api.models_page = 2
    assert len(listed(bench(topics=1))) == len([m for m in CATALOGUE if m["lifecycle"] != "retired"])


@pytest.mark.parametrize(
    ("scenario", "outcome"),
    [
        ("401", Outcome.BAD_KEY),
        ("403", Outcome.BAD_KEY),
        ("402", Outcome.SPEND_LIMIT),
        ("404", Outcome.REJECTED),
        ("429_long", Outcome.RATE_LIMITED),
        ("500", Outcome.SERVER_ERROR),
        ("529", Outcome.OVERLOADED),
        ("html_200", Outcome.NETWORK),
        ("broken_json_200", Outcome.NETWORK),
        ("wrong_shape_200", Outcome.NETWORK),
        ("drop", Outcome.NETWORK),
    ],
)
def test_models_that_cannot_be_listed_say_of_which_kind_the_failure_is(scenario, outcome, bench, api):
    api.models_scenario = scenario
    with pytest.raises(KeyRefused) as refused:
        listed(bench(topics=1))
    assert refused.value.outcome is outcome
    assert str(refused.value)
    assert len(api.requests) == 1


def test_the_types_of_the_engine_have_no_field_for_a_key():
    assert "key" not in {*Runner.__dataclass_fields__, *Work.__dataclass_fields__}
    assert anthropic.__version__.startswith("2.")

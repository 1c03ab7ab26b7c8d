"""Every way for a call to end, through the whole runner with the real SDK: outcome, whose it is, how often sent."""

import socket
import threading
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from evalcore.generation.audit import audit_rows
from evalcore.generation.calls.client import Client
from evalcore.generation.calls.key import read_key
from evalcore.generation.calls.outcomes import Outcome
from evalcore.generation.calls.runner import Pauses
from evalcore.generation.setup import packs_to_write
from evalcore.generation.store.run import Standing
from tests.generation import fake_server
from tests.generation.calls.endings import CASES, HEAD
from tests.generation.calls.running import CANARY, PRICED, calls, every_call_has_one_end, finished, of_topic, settings

DOCS = Path(__file__).resolve().parents[3] / "docs" / "harness.md"
ONE_RETRY = Pauses((0.01,))


def ended(case, bench, api, monkeypatch):
    """The run with one topic after the case has happened to it."""
    api.default = case.scenario
    chosen = settings(output_cap=2_000)
    if case.name.startswith("the visitor's own cap"):
        chosen = settings(spend_cap_usd=0.0001)
    if case.name == "400 naming temperature":
        monkeypatch.setattr(fake_server, "TAKES_TEMPERATURE", ())
    made = bench(topics=1, chosen=chosen, deadline=0.2 if case.outcome is Outcome.NETWORK else 60.0)
    runner = made.started(ONE_RETRY)
    if case.outcome is Outcome.STOPPED:
        assert api.wait_for(1)
        runner.stop()
    finished(runner)
    return made


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_call_ends_as_the_table_says(case, bench, api, monkeypatch):
    made = ended(case, bench, api, monkeypatch)
    run = made.now
    end = run.outcomes["t1"]
    assert (end.outcome, end.outcome.failure_of_model) == (case.outcome, case.against), end.detail
    assert len(made.posts()) == len(calls(run)) == case.calls
    every_call_has_one_end(run)
    assert [row.against_model for row in audit_rows(run)][-1:] in ([case.against], [False])
    assert sum(row.against_model for row in audit_rows(run)) == case.against
    # what is the model's own is final; everything else can be asked again, and nothing else is shown as ready
    assert bool(packs_to_write(run)) is not end.outcome.of_model
    standings = {Outcome.OK: Standing.READY} | dict.fromkeys(
        (Outcome.REFUSED, Outcome.CUT_OFF, Outcome.INVALID), Standing.FAILED
    )
    assert run.standing("t1") is standings.get(case.outcome, Standing.OPEN)
    assert len(run.packs) == (case.outcome is Outcome.OK)
    assert end.detail
    kept(case, made)


def kept(case, made):
    """What the answer came with is in the journal, and what is not known is None."""
    end = made.now.outcomes["t1"]
    if not case.outcome.of_model:
        assert end.cost_usd is None or case.scenario == "no_stop_reason"
        return
    last = len(made.posts())
    assert end.request_id == f"req_{last:06d}"
    assert end.model in (PRICED, f"{PRICED}-20251001", fake_server.OTHER_MODEL)
    assert end.stop_reason
    assert end.text is not None
    # $1 and $5 a million tokens
    assert end.cost_usd == pytest.approx((end.usage.input_tokens + 5 * end.usage.output_tokens) / 1e6)
    row = audit_rows(made.now)[-1]
    assert (row.request_id, row.cost_usd, row.stop_reason) == (end.request_id, end.cost_usd, end.stop_reason)


def test_every_outcome_is_in_the_table():
    assert {case.outcome for case in CASES} == set(Outcome)


def test_every_scenario_of_the_server_is_in_the_table():
    slow_or_other_tests = {"slow", "echo_key", "lone_surrogate"}
    assert fake_server.SCENARIOS - slow_or_other_tests == {case.scenario for case in CASES}


def test_a_refusal_names_its_category_and_a_cut_off_its_cap(bench, api):
    made = bench(topics=3, chosen=settings(output_cap=2_000))
    made.script("t1", "refusal")
    made.script("t2", "max_tokens")
    made.script("t3", "fallback_model")
    run = made.go()
    details = [run.outcomes[topic].detail for topic in ("t1", "t2", "t3")]
    assert "bio" in details[0]
    assert "2,000" in details[1]
    assert fake_server.OTHER_MODEL in details[2]


@pytest.mark.parametrize("scenario", ["lone_surrogate", "escaped_surrogate"])
def test_half_a_surrogate_pair_in_an_answer_does_not_end_the_run(scenario, bench):
    """SQLite cannot store one: the run would end early, and the topic would be billed again at every resume."""
    made = bench(topics=2, chosen=settings(concurrency=1))
    made.script("t1", scenario)
    run = made.go()
    assert run.outcomes["t1"].outcome.of_model
    assert run.outcomes["t2"].outcome is Outcome.OK
    assert len(of_topic(run, "t1")) == 1


def printed():
    section = DOCS.read_text().split("## How calls end\n")[1].split("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("|")]
    return [tuple(row) for row in rows if not row[0].startswith("-")]


def test_the_document_prints_the_table_that_is_tested():
    assert printed() == [HEAD, *(case.row for case in CASES)]


@contextmanager
def trickling():
    """A server that answers a byte every now and then, for ever: no wait for a byte is long."""
    ended = threading.Event()

    def answer(listening):
        with suppress(OSError), listening.accept()[0] as connection:
            connection.recv(65_536)
            connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99999\r\n\r\n{")
            while not ended.wait(0.02):
                connection.sendall(b" ")

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=answer, args=(listening,), daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        ended.set()
        thread.join(5)


def test_an_answer_that_never_ends_is_over_at_the_deadline(bench):
    made = bench(topics=1)
    with trickling() as url:
        runner = made.started(Pauses(()), connect=lambda: Client(read_key(CANARY), url, deadline=0.3))
        finished(runner, 10.0)
    end = made.now.outcomes["t1"]
    assert (end.outcome, end.detail) == (Outcome.NETWORK, "no answer within the time allowed")
    assert 0.3 <= end.seconds < 10.0

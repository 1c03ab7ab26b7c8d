"""What is tried again, after which wait, and what is sent."""

import pytest

from evalcore.generation.audit import audit_rows
from evalcore.generation.calls.client import OLDER_VERSION, Client, takes_temperature
from evalcore.generation.calls.key import read_key
from evalcore.generation.calls.outcomes import Outcome
from evalcore.generation.calls.runner import Pauses
from evalcore.generation.setup import packs_to_write
from evalcore.generation.store.events import Called
from tests.generation import fake_server
from tests.generation.calls.running import (
    CANARY,
    NO_TEMPERATURE,
    PRICED,
    SHORT,
    calls,
    ends,
    every_call_has_one_end,
    finished,
    of_kind,
    of_topic,
    outcomes,
    settings,
    until,
)

NEWER_VERSION = "2026-10-21"


@pytest.mark.parametrize(
    ("failures", "asked", "pause"),
    [
        (1, None, 2.0),
        (2, None, 8.0),
        (3, None, 20.0),
        (4, None, None),
        (1, 0.0, 2.0),
        (1, 1.0, 2.0),
        (1, 30.0, 30.0),
        (3, 60.0, 60.0),
        (1, 60.5, None),
        (1, 7200.0, None),
        (1, float("inf"), None),
        (4, 1.0, None),
    ],
)
def test_a_pause_is_ours_or_the_services_and_never_beyond_a_minute(failures, asked, pause):
    assert Pauses().pause(failures, asked) == pause


@pytest.mark.parametrize("said", ["nan", "-5", "soon", "Wed, 21 Oct 2026 07:28:00 GMT", ""])
def test_a_wait_that_cannot_be_read_is_as_if_none_had_been_asked_for(said, bench, monkeypatch):
    status, kind, text, _, details = fake_server.ERRORS["429"]
    monkeypatch.setitem(fake_server.ERRORS, "429", (status, kind, text, {"retry-after": said}, details))
    made = bench(topics=1)
    made.script("t1", "429", "ok")
    assert outcomes(made.go()) == {"t1": Outcome.OK}
    assert made.asked() == {"t1": 2}


def test_three_retries_follow_a_failure_that_is_not_the_models_and_no_more(bench, api):
    api.default = "529"
    made = bench(topics=1)
    run = made.go(SHORT)
    assert [a.number for a in of_topic(run, "t1")] == [1, 2, 3, 4]
    assert len(made.posts()) == 4
    assert outcomes(run) == {"t1": Outcome.OVERLOADED}


def test_different_failures_share_the_three_retries(bench):
    made = bench(topics=1)
    made.script("t1", "529", "drop", "html_200", "500", "ok")
    run = made.go()
    found = [a.end.outcome for a in of_topic(run, "t1")]
    assert found == [Outcome.OVERLOADED, Outcome.NETWORK, Outcome.NETWORK, Outcome.SERVER_ERROR]


def test_a_retry_that_succeeds_is_the_outcome_and_the_failures_stay_in_the_log(bench):
    made = bench(topics=1)
    made.script("t1", "529", "drop_mid", "ok")
    run = made.go()
    assert outcomes(run) == {"t1": Outcome.OK}
    assert [row.outcome for row in audit_rows(run)] == ["overloaded", "network", "ok"]
    assert [row.attempt for row in audit_rows(run)] == [1, 2, 3]
    assert not any(row.against_model for row in audit_rows(run))


@pytest.mark.parametrize("scenario", ["401", "403", "402", "400_spend", "429_spend"])
def test_a_refused_key_and_a_spend_limit_end_the_whole_run(scenario, bench, api):
    api.default = scenario
    made = bench(topics=4, chosen=settings(concurrency=1))
    run = made.go()
    assert made.asked() == {"t1": 1}
    assert list(outcomes(run)) == ["t1"]
    assert len(packs_to_write(run)) == 4


@pytest.mark.parametrize("scenario", ["refusal", "max_tokens", "invalid_json", "fallback_usage"])
def test_what_the_model_did_first_is_final_also_for_a_work_list_made_before(scenario, bench):
    made = bench(topics=2)
    made.script("t1", scenario, "ok")
    stale = packs_to_write(made.now)
    first = made.go(work=stale)
    assert [piece.unit for piece in stale] == ["t1", "t2"]
    assert packs_to_write(first) == []
    again = made.go(work=stale)
    assert made.asked() == {"t1": 1, "t2": 1}
    assert again.outcomes == first.outcomes
    assert again.outcomes["t1"].outcome.failure_of_model


def test_a_run_goes_on_with_what_failed_outside_the_model_and_counts_attempts_on(bench):
    made = bench(topics=3)
    made.script("t1", "400")
    made.script("t2", "wrong_counts")
    first = made.go()
    assert outcomes(first) == {"t1": Outcome.REJECTED, "t2": Outcome.INVALID, "t3": Outcome.OK}
    assert [piece.unit for piece in packs_to_write(first)] == ["t1"]
    made.script("t1", "ok")
    second = made.go()
    assert outcomes(second)["t1"] is Outcome.OK
    assert [a.number for a in of_topic(second, "t1")] == [1, 2]
    assert made.asked() == {"t1": 2, "t2": 1, "t3": 1}


@pytest.mark.filterwarnings("ignore:The model:DeprecationWarning")
@pytest.mark.parametrize("model", [*fake_server.TAKES_TEMPERATURE, "claude-haiku-4-5-20251001"])
def test_temperature_0_goes_to_models_on_the_list_under_the_older_version(model, bench):
    made = bench(topics=1, chosen=settings(model=model))
    run = made.go()
    [seen] = made.posts()
    assert takes_temperature(model)
    assert (seen.body["temperature"], seen.headers["anthropic-version"]) == (0, OLDER_VERSION)
    assert outcomes(run) == {"t1": Outcome.OK}
    assert audit_rows(run)[0].temperature_sent == 0


@pytest.mark.parametrize("model", [NO_TEMPERATURE, "claude-lab-preview", "claude-opus-4-8", "claude-haiku-5-5-2"])
def test_no_other_model_is_sent_a_temperature(model, bench):
    made = bench(topics=1, chosen=settings(model=model, spend_cap_usd=None))
    run = made.go()
    [seen] = made.posts()
    assert not takes_temperature(model)
    assert "temperature" not in seen.body
    assert seen.headers["anthropic-version"] == NEWER_VERSION
    assert audit_rows(run)[0].temperature_sent is None


def test_a_400_that_names_temperature_is_sent_once_more_without_and_both_are_logged(bench, monkeypatch):
    monkeypatch.setattr(fake_server, "TAKES_TEMPERATURE", ())
    made = bench(topics=1)
    run = made.go(Pauses(()))
    one, other = made.posts()
    assert (one.body["temperature"], one.headers["anthropic-version"]) == (0, OLDER_VERSION)
    assert "temperature" not in other.body
    assert other.headers["anthropic-version"] == NEWER_VERSION
    assert [end.outcome for end in ends(run)] == [Outcome.REJECTED, Outcome.OK]
    assert [row.temperature_sent for row in audit_rows(run)] == [0, None]
    assert [call.sent.get("anthropic-version") for call in calls(run)] == [OLDER_VERSION, None]


def test_a_400_that_names_temperature_when_none_was_sent_is_not_sent_again(bench, monkeypatch):
    status, kind, _, headers, details = fake_server.ERRORS["400"]
    monkeypatch.setitem(fake_server.ERRORS, "400", (status, kind, "temperature is odd", headers, details))
    made = bench(topics=1, chosen=settings(model=NO_TEMPERATURE))
    made.script("t1", "400")
    assert outcomes(made.go()) == {"t1": Outcome.REJECTED}
    assert made.asked() == {"t1": 1}


def test_what_is_recorded_as_sent_is_what_reached_the_server(bench):
    made = bench(topics=3)
    run = made.go()
    arrived = [{**seen.body, "anthropic-version": seen.headers["anthropic-version"]} for seen in made.posts()]
    recorded = [call.sent for call in calls(run)]
    assert len(arrived) == 3
    assert sorted(map(str, map(_ordered, arrived))) == sorted(map(str, map(_ordered, recorded)))


def _ordered(sent):
    return sorted(sent.items(), key=lambda pair: pair[0])


def test_the_body_asks_for_the_schema_and_opts_in_to_nothing(bench):
    made = bench(topics=1, chosen=settings(model=NO_TEMPERATURE, output_cap=3_000))
    made.go()
    [seen] = made.posts()
    assert set(seen.body) == {"model", "max_tokens", "system", "messages", "output_config"}
    assert seen.body["max_tokens"] == 3_000
    assert seen.body["output_config"]["format"]["type"] == "json_schema"
    assert "anthropic-beta" not in seen.headers


def test_a_call_is_in_the_journal_before_its_request_reaches_the_server_and_its_end_after(bench, api):
    made = bench(topics=4)
    at_arrival = []

    class Watching(Client):
        async def ask(self, request):
            run = made.now
            open_ = [call.unit for call in run.unfinished if call.sent == request.sent]
            at_arrival.append((len(open_), len(made.posts()) < len(calls(run))))
            return await super().ask(request)

    api.hold()
    runner = made.started(connect=lambda: Watching(read_key(CANARY), api.url))
    assert api.wait_for(2)
    assert len(calls(made.now)) == 2
    assert ends(made.now) == []
    api.release()
    finished(runner)
    assert at_arrival == [(1, True)] * 4
    assert len(made.posts()) == len(calls(made.now)) == 4
    every_call_has_one_end(made.now)


def test_no_more_calls_are_under_way_than_were_chosen(bench, api):
    made = bench(topics=4, chosen=settings(concurrency=3))
    api.hold()
    runner = made.started()
    assert api.wait_for(3)
    assert not api.wait_for(4, timeout=0.2)
    api.release()
    finished(runner)
    open_, most = 0, 0
    for event in made.now.events:
        open_ += isinstance(event.what, Called) - (type(event.what).__name__ == "Ended")
        most = max(most, open_)
    assert most == 3


def test_the_checks_of_a_pack_follow_it(bench):
    made = bench(topics=2, chosen=settings(concurrency=1))
    run = made.go()
    assert list(run.findings) == list(run.items)
    assert len(run.items) == 14
    kinds = [type(e.what).__name__ for e in run.events]
    assert kinds == ["Began", *(["Called", "Ended", *["Checked"] * 7] * 2)]


def test_two_runners_on_one_run_never_announce_an_attempt_twice(bench, api):
    """The lock keeps a second one out; were it gone, the journal would."""
    made = bench(topics=3)
    api.hold()
    one = made.started()
    assert api.wait_for(2)
    other = made.runner(locks=made.folder / "elsewhere", pauses=SHORT)
    other.start(packs_to_write(made.now))
    until(lambda: len(of_kind(made.now, Called)) >= 4)
    api.release()
    finished(one)
    finished(other)
    assert PRICED in made.now.models
    assert outcomes(made.now) == dict.fromkeys(("t1", "t2", "t3"), Outcome.OK)
    announced = [(c.unit, c.attempt) for c in calls(made.now)]
    assert len(set(announced)) == len(announced)

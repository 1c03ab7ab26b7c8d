"""The stand-in for the API answers the real SDK as the SDK's types say."""

import json
import subprocess
import sys
import threading
import time
from pathlib import Path

import anthropic
import pytest

from tests.generation import fake_server
from tests.generation.fake_server import FakeAPI

PROMPT = "Topic: Sampling\n" + "\n".join(
    f'<passage id="s03-c{n:02d}">{text}</passage>'
    for n, text in enumerate(
        (
            "A sample is a part of the population that we have observed. Two samples of one population differ by luck.",
            "The mean is the sum of all values divided by how many there are. Half of the values lie below the median.",
            "A wider interval promises more and says less about where the true value lies. Nothing is free here.",
            "The standard error falls with the square root of the number of observations that we can afford.",
        ),
        1,
    )
)
JUDGE = {
    "type": "object",
    "properties": {"faithful": {"type": "string"}, "correct": {"type": "string"}},
    "required": ["faithful", "correct"],
    "additionalProperties": False,
}


@pytest.fixture
def api(monkeypatch):
    for name in ("ANTHROPIC_BASE_URL", "ANTHROPIC_CUSTOM_HEADERS", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    with FakeAPI() as running:
        yield running


def connect(url, key="sk-ant-canary-0123456789abcdefghij", timeout=10.0):
    plain = anthropic.DefaultHttpxClient(trust_env=False)
    return anthropic.Anthropic(api_key=key, base_url=url, max_retries=0, timeout=timeout, http_client=plain)


@pytest.fixture
def client(api):
    with connect(api.url) as made:
        yield made


def ask(client, prompt=PROMPT, model="claude-haiku-5-5", **more):
    return client.messages.create(model=model, max_tokens=2000, messages=[{"role": "user", "content": prompt}], **more)


def text_of(message):
    return "".join(block.text for block in message.content if block.type == "text")


def test_a_good_answer_holds_distinct_questions_that_the_cited_passages_answer(client):
    message = ask(client)
    answer = json.loads(text_of(message))
    choice, short = answer["multiple_choice"], answer["short_answer"]
    assert (len(choice), len(short), message.stop_reason) == (4, 3, "end_turn")
    assert len({q["question"] for q in choice + short}) == 7
    passages = dict(fake_server.passages_of({"messages": [{"role": "user", "content": PROMPT}]}))
    for question in choice:
        assert len(set(question["options"])) == 4
        question["answer"] = question["options"]["ABCD".index(question["key"])]
    assert all(q["answer"] in passages[q["citations"][0]] for q in choice + short)
    assert text_of(ask(client)) == text_of(message)
    assert message.usage.input_tokens == len(PROMPT) // 4
    assert message.usage.output_tokens == len(text_of(message)) // 4


def test_a_prompt_without_passages_still_gets_seven_distinct_questions(client):
    answer = json.loads(text_of(ask(client, "no passages")))
    assert len({q["question"] for q in answer["multiple_choice"] + answer["short_answer"]}) == 7


def test_a_judge_gets_two_verdicts_that_depend_on_the_prompt_alone(client):
    config = {"format": {"type": "json_schema", "schema": JUDGE}}
    verdicts = [json.loads(text_of(ask(client, f"item {n % 20}", output_config=config))) for n in range(40)]
    assert verdicts[:20] == verdicts[20:]
    assert {v["faithful"] for v in verdicts} | {v["correct"] for v in verdicts} == {"yes", "no", "cannot tell"}


def test_a_rate_limit_says_when_to_come_back(api, client):
    api.default = "429"
    with pytest.raises(anthropic.RateLimitError) as caught:
        ask(client)
    assert caught.value.response.headers["retry-after"] == "1"
    assert (caught.value.type, caught.value.request_id) == ("rate_limit_error", "req_000001")
    api.default = "429_spend"
    with pytest.raises(anthropic.RateLimitError) as caught:
        ask(client)
    assert caught.value.error_code == "enforced_spend_limit_reached"
    assert "retry-after" not in caught.value.response.headers


@pytest.mark.parametrize("name", sorted({*fake_server.ERRORS, "html_502"}))
def test_an_error_scenario_raises_the_sdks_error_of_that_status(api, client, name):
    api.default = name
    with pytest.raises(anthropic.APIStatusError) as caught:
        ask(client)
    assert str(caught.value.status_code) in name


def test_a_refusal_has_no_content(api, client):
    api.default = "refusal"
    message = ask(client)
    assert (message.content, message.stop_reason, message.stop_details.category) == ([], "refusal", "bio")
    assert message.usage.output_tokens == 0
    api.default = "refusal_nodetails"
    message = ask(client)
    assert text_of(message)
    assert (message.stop_reason, message.stop_details) == ("refusal", None)


@pytest.mark.parametrize(
    ("name", "stop", "parses"),
    [
        ("max_tokens", "max_tokens", False),
        ("ctx_window", "model_context_window_exceeded", False),
        ("refusal_partial", "refusal", False),
        ("invalid_json", "end_turn", False),
        ("empty", "end_turn", False),
        ("unknown_stop", "brand_new_reason", True),
        ("no_stop_reason", None, True),
        ("ok_thinking", "end_turn", True),
        ("wrong_counts", "end_turn", True),
        ("wrong_schema", "end_turn", True),
        ("duplicate_options", "end_turn", True),
    ],
)
def test_a_spoiled_answer_is_spoiled_in_its_one_way(api, client, name, stop, parses):
    api.default = name
    message = ask(client)
    assert message.stop_reason == stop
    try:
        answer = json.loads(text_of(message))
    except ValueError:
        assert not parses
        return
    assert parses
    choice = answer["multiple_choice"]
    assert len(choice) == (3 if name == "wrong_counts" else 4)
    assert ("key" in choice[0]) == (name != "wrong_schema")
    assert len(set(choice[0]["options"])) == (3 if name == "duplicate_options" else 4)
    assert (message.content[0].type == "thinking") == (name == "ok_thinking")


@pytest.mark.parametrize("name", ["alias", "fallback_block", "fallback_usage", "fallback_model"])
def test_each_sign_of_another_model_comes_alone(api, client, name):
    api.default = name
    message = ask(client)
    models = {"alias": "claude-haiku-5-5-20251001", "fallback_model": fake_server.OTHER_MODEL}
    assert message.model == models.get(name, "claude-haiku-5-5")
    assert any(block.type == "fallback" for block in message.content) == (name == "fallback_block")
    assert bool(getattr(message.usage, "iterations", None)) == (name == "fallback_usage")


def test_a_page_of_html_with_status_200_comes_back_as_a_string(api, client):
    api.default = "html_200"
    assert isinstance(ask(client), str)
    api.default = "broken_json_200"
    with pytest.raises(json.JSONDecodeError):
        ask(client)
    api.default = "wrong_shape_200"
    assert ask(client).content is None


@pytest.mark.parametrize("name", ["drop", "drop_mid"])
def test_a_dropped_connection_is_a_connection_error_and_the_next_request_works(api, client, name):
    api.script("Sampling", name, "ok")
    with pytest.raises(anthropic.APIConnectionError):
        ask(client)
    assert ask(client).stop_reason == "end_turn"


def test_each_topic_takes_its_own_scenarios_in_order_and_repeats_the_last(api, client):
    api.script("Topic: Sampling", "529", "529", "ok")
    api.script('a "quoted" topic', "refusal")
    for _ in range(2):
        with pytest.raises(anthropic.OverloadedError):
            ask(client)
        assert ask(client, 'a "quoted" topic').stop_reason == "refusal"
    assert [ask(client).stop_reason for _ in range(2)] == ["end_turn", "end_turn"]
    assert ask(client, "elsewhere").stop_reason == "end_turn"
    with pytest.raises(ValueError, match="no scenario 'bogus'"):
        api.script("x", "bogus")


def test_temperature_passes_only_under_the_old_version_and_for_an_old_model(api, client):
    api.script("Sampling", "429_long", "ok")
    old = {"anthropic-version": fake_server.OLD_VERSION}
    with pytest.raises(anthropic.BadRequestError, match="temperature: Extra inputs are not permitted"):
        ask(client, model="claude-haiku-4-5", extra_body={"temperature": 0})
    with pytest.raises(anthropic.BadRequestError, match="`temperature` is deprecated for this model"):
        ask(client, extra_body={"temperature": 0}, extra_headers=old)
    with pytest.raises(anthropic.RateLimitError):  # a request turned away by a rule used up no step
        ask(client)
    message = ask(client, model="claude-haiku-4-5", extra_body={"temperature": 0}, extra_headers=old)
    assert message.stop_reason == "end_turn"
    assert message._request_id == "req_000004"
    assert api.requests[3].body["temperature"] == 0
    assert api.requests[3].headers["anthropic-version"] == fake_server.OLD_VERSION


def test_a_stream_is_turned_away(client):
    with pytest.raises(anthropic.BadRequestError, match="stream"):
        ask(client, stream=True)


def test_a_key_of_another_kind_is_turned_away(api):
    with connect(api.url, key="something-else") as other:
        with pytest.raises(anthropic.AuthenticationError):
            ask(other)
        with pytest.raises(anthropic.AuthenticationError):
            other.models.list()


def test_the_list_of_models_comes_in_pages(api, client):
    first = client.models.list(limit=2)
    assert (len(first.data), first.has_more) == (2, True)
    found = {model.id: model for model in first}
    assert [model.id for model in client.models.list(limit=1000)] == list(found)
    assert len(api.requests) == 4
    for name in ("claude-haiku-5-5", "claude-sonnet-5-5", "claude-haiku-4-5"):
        assert found[name].lifecycle == "active"
        assert found[name].capabilities.structured_outputs.supported
    gone = found["claude-opus-4-5-20251101"]
    assert (gone.lifecycle, gone.retires_at.year) == ("deprecated", 2027)
    assert not found["claude-3-5-haiku-20241022"].capabilities.structured_outputs.supported
    assert found["claude-lab-preview"].capabilities is None
    active = [model.id for model in client.models.list(lifecycle=["active"])]
    assert active == [name for name, model in found.items() if model.lifecycle == "active"]
    assert client.models.retrieve("claude-haiku-5-5").id == "claude-haiku-5-5"


def test_every_listed_model_has_the_shape_the_sdk_declares():
    for row in fake_server.CATALOGUE:
        shape = anthropic.types.ModelInfo.model_validate(row)
        assert set(row) == set(type(shape).model_fields)


def test_the_list_of_models_can_fail_like_any_request(api, client):
    api.models_scenario = "401"
    with pytest.raises(anthropic.AuthenticationError):
        client.models.list()
    assert ask(client).stop_reason == "end_turn"


def answer_in_thread(client, got):
    def work():
        try:
            got.append(ask(client).stop_reason)
        except anthropic.APIConnectionError:
            got.append("cut")

    thread = threading.Thread(target=work)
    thread.start()
    return thread


@pytest.mark.parametrize(("end", "outcome"), [("release", "end_turn"), ("close", "cut")])
def test_a_stalled_request_gets_nothing_until_release_or_close(api, client, end, outcome):
    api.default = "stall"
    got = []
    thread = answer_in_thread(client, got)
    assert api.wait_for(1)
    time.sleep(0.1)
    assert got == []
    getattr(api, end)()
    thread.join(5)
    assert got == [outcome]


def test_a_held_request_is_answered_when_the_event_is_set(api, client):
    event = api.hold()
    got = []
    thread = answer_in_thread(client, got)
    assert api.wait_for(1)
    assert got == []
    event.set()
    thread.join(5)
    assert got == ["end_turn"]


def test_a_slow_answer_outlasts_a_short_timeout(api):
    api.default, api.slow_seconds = "slow", 5.0
    with connect(api.url, timeout=0.2) as hasty, pytest.raises(anthropic.APITimeoutError):
        ask(hasty)


def test_the_program_prints_its_address_first_and_follows_its_script(tmp_path):
    script = tmp_path / "script.json"
    script.write_text(json.dumps({"default": "refusal", "scripts": {"Sampling": ["529", "ok"], "other": "empty"}}))
    program = [
        sys.executable,
        str(Path(fake_server.__file__)),
        "--port",
        "0",
        "--script",
        str(script),
        "--delay",
        "0.1",
    ]
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as process:
        try:
            with connect(process.stdout.readline().strip()) as client:
                began = time.monotonic()
                with pytest.raises(anthropic.OverloadedError):
                    ask(client)
                assert time.monotonic() - began >= 0.1
                assert ask(client).stop_reason == "end_turn"
                assert ask(client, "other").content == []
                assert ask(client, "third").stop_reason == "refusal"
        finally:
            process.terminate()

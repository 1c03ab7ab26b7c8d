"""The judge sees what a human sees, and is asked under the rules of any call."""

import json

import pytest

from evalcore.generation.audit import audit_rows
from evalcore.generation.calls.outcomes import Outcome
from evalcore.generation.calls.prompt import NotAsAsked
from evalcore.generation.checks.findings import Check
from evalcore.generation.items import Item, Kind
from evalcore.generation.judge import cited_first, item_text, judge_prompt, judgements, read_judgement
from evalcore.generation.rubric import WORDING
from evalcore.generation.setup import items_to_judge
from evalcore.generation.store.events import Purpose
from tests.generation.calls.running import Bench, calls, every_call_has_one_end, outcomes, settings
from tests.generation.fake_server import FakeAPI
from tests.generation.store.runs import CANNOT_TELL, CORRECT, FAITHFUL, NO, YES, ended, run_of, topic, written

JUDGE = "claude-haiku-5-5"
CHOICE = Item("t1-m1", "t1", Kind.CHOICE, "Which one?", ("a", "b", "c", "d"), "B", ("T1.2 ",))
SHORT = Item("t1-s1", "t1", Kind.SHORT, "What is it?", (), "It is this.", ())


@pytest.fixture
def bench(tmp_path):
    with FakeAPI() as api:
        yield lambda **more: Bench(tmp_path, api, **more)


def test_the_cited_passages_come_first_and_the_others_stay_in_their_order():
    assert [p.id for p in cited_first(CHOICE, topic("t1"))] == ["t1.2", "t1.1"]
    assert [p.id for p in cited_first(SHORT, topic("t1"))] == ["t1.1", "t1.2"]


def test_the_prompt_is_passages_item_and_the_rubrics_wording():
    prompt = judge_prompt(CHOICE, topic("t1"))
    parts = ['id="t1.2"', 'id="t1.1"', "Cited passages: T1.2", "Which one?", "A. a", "B. b", "D. d", "Key given: B"]
    places = [prompt.index(part) for part in [*parts, WORDING[FAITHFUL], WORDING[CORRECT]]]
    assert places == sorted(places)
    assert "Cited passages: none" in judge_prompt(SHORT, topic("t1"))
    assert item_text(SHORT) == "Question: What is it?\nAnswer given: It is this."


def test_the_prompt_holds_no_result_of_a_check_and_no_model(bench):
    made = bench(topics=1)
    run = made.go()
    assert run.findings
    for piece in items_to_judge(run, JUDGE):
        text = piece.request.system + piece.request.prompt
        assert not any(check.value in text for check in Check)
        assert not any(finding.says in text for found in run.findings.values() for finding in found)
        assert run.began.model not in text


@pytest.mark.parametrize(
    ("faithful", "correct", "answers"),
    [
        ("yes", "no", (YES, NO)),
        ("YES", "Cannot Tell", (YES, CANNOT_TELL)),
        (" cannot tell ", "No\n", (CANNOT_TELL, NO)),
    ],
)
def test_an_answer_is_read_whatever_its_letter_case(faithful, correct, answers):
    found = read_judgement(json.dumps({"faithful": faithful, "correct": correct}))
    assert (found[FAITHFUL], found[CORRECT]) == answers


@pytest.mark.parametrize(
    "answer",
    [
        '{"faithful": "yes"}',
        '{"faithful": "yes", "correct": "no", "why": "so"}',
        '{"faithful": "yes", "correct": "maybe"}',
        '{"faithful": "yes", "correct": ""}',
        '{"faithful": true, "correct": "no"}',
        '{"faithful": null, "correct": "no"}',
        '{"faithful": ["yes"], "correct": "no"}',
        '{"faithful": {"a": 1}, "correct": "no"}',
        '["yes", "no"]',
        '"yes"',
        "yes",
        "",
    ],
)
def test_anything_else_is_not_as_asked(answer):
    with pytest.raises(NotAsAsked):
        read_judgement(answer)


def test_judging_asks_every_item_once_and_no_answered_one_again(bench):
    made = bench(topics=1, chosen=settings(spend_cap_usd=5.0, concurrency=4))
    run = made.go()
    first_item = run.items["t1-m1"].question
    made.api.script(first_item, "invalid_json", "ok")
    made.api.script(run.items["t1-m2"].question, "404", "ok")
    made.api.script(run.items["t1-m3"].question, "529", "ok")
    before = len(made.posts())
    work = items_to_judge(run, JUDGE)
    assert [piece.unit for piece in work] == list(run.items)
    once = made.go(work=work)
    assert len(made.posts()) - before == 8  # seven, and one retry
    every_call_has_one_end(once)
    ends = {item: once.final(Purpose.JUDGE, item).outcome for item in once.items}
    assert ends.pop("t1-m1") is Outcome.INVALID
    assert ends.pop("t1-m2") is Outcome.REJECTED
    assert set(ends.values()) == {Outcome.OK}
    assert set(judgements(once)) == set(once.items) - {"t1-m1", "t1-m2"}
    # the invalid answer is the judge's own; the rejected request is asked again
    assert [piece.unit for piece in items_to_judge(once, JUDGE)] == ["t1-m2"]
    again = made.go(work=items_to_judge(once, JUDGE))
    assert len(made.posts()) - before == 9
    assert items_to_judge(again, JUDGE) == []
    assert {j.model for j in judgements(again).values()} == {JUDGE}
    # and the run itself is what it was: no pack, no topic's outcome, no check has changed
    assert (outcomes(again), again.packs, again.findings) == (outcomes(run), run.packs, run.findings)


def test_what_the_server_was_asked_is_the_judges_prompt_and_schema(bench):
    made = bench(topics=1, chosen=settings(spend_cap_usd=5.0))
    run = made.go()
    made.go(work=items_to_judge(run, JUDGE)[:1])
    body = made.posts()[-1].body
    assert body["messages"][0]["content"] == judge_prompt(run.items["t1-m1"], run.topics["t1"])
    assert set(body["output_config"]["format"]["schema"]["properties"]) == {"faithful", "correct"}
    assert body["model"] == JUDGE
    assert "temperature" not in body


def test_judging_is_under_the_runs_cap(bench):
    made = bench(topics=1, chosen=settings(spend_cap_usd=0.06))
    run = made.go()
    before = len(made.posts())
    # claude-opus-4-8 may cost $25 * 4,000 / 1e6 = $0.10 a call
    capped = made.go(work=items_to_judge(run, "claude-opus-4-8"))
    assert len(made.posts()) == before
    found = [end for e in capped.events if getattr(end := e.what, "purpose", None) is Purpose.JUDGE]
    assert {end.outcome for end in found} == {Outcome.SPEND_LIMIT}
    assert judgements(capped) == {}
    assert [row.sent for row in audit_rows(capped) if row.purpose == "judge"] == [None] * len(found)
    assert len(calls(capped)) == 1


def test_a_judgement_that_failed_is_none():
    judge = {"purpose": Purpose.JUDGE, "model": JUDGE}
    text = '{"faithful": "No", "correct": "cannot tell"}'
    run = run_of(
        *written("t1"),
        ended("t1-m1", text=text, **judge),
        ended("t1-m2", Outcome.REFUSED, **judge),
        ended("t1-m3", Outcome.NETWORK, purpose=Purpose.JUDGE),
    )
    found = judgements(run)
    assert list(found) == ["t1-m1"]
    assert found["t1-m1"].answers == {FAITHFUL: NO, CORRECT: CANNOT_TELL}

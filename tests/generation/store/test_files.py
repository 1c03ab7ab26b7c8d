"""A run in a file comes back as it was, and a file that is no run is refused with its name and a remedy."""

import json
from datetime import timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.files import BadInput
from evalcore.generation.calls.outcomes import Outcome
from evalcore.generation.checking import new_checks
from evalcore.generation.limits import Limits
from evalcore.generation.store.events import Answer, Event, Place, Purpose, Question, Stopped
from evalcore.generation.store.files import MOST_BYTES, read_run_file, run_document, to_json
from evalcore.generation.store.journal import Journal
from evalcore.generation.store.run import Run
from tests.generation.store.runs import (
    AT,
    CANNOT_TELL,
    NO,
    YES,
    began,
    called,
    ended,
    rated,
    revealed,
    run_of,
    written,
)

NAME = "my run.json"
JUDGED = {"purpose": Purpose.JUDGE, "model": "claude-opus-5"}


def full():
    """A run with something of every kind of event."""
    run = run_of(
        began("t1", "t2", "t3", spend_cap_usd=None, plan_sha256="2" * 64, written_for="a demo"),
        called("t1"),
        ended("t1", Outcome.OVERLOADED),
        called("t1", 2),
        ended("t1", attempt=2),
        called("t2"),
        Stopped(),
        ended("t2", Outcome.STOPPED),
        ended("t3", Outcome.SPEND_LIMIT),
        rated("t1-m1", YES),
        revealed("t1-m1", "t1-m2", place=Place.EXPORT),
        rated("t1-m1", NO, shown=True),
        rated("t1-s1", CANNOT_TELL, Question.USEFUL, rater="Bén “x̄”\n"),
        rated("t1-m1", None, shown=True),
        called("t1-m1", purpose=Purpose.JUDGE, model="claude-opus-5"),
        ended("t1-m1", **JUDGED),
        called("t1-m2", purpose=Purpose.JUDGE),
        ended("t1-m2", Outcome.INVALID, text="no", **JUDGED),
    )
    return Run((*run.events, *(Event(at=AT, what=check) for check in new_checks(run, Limits()))))


def raw(run):
    return to_json(run_document(run)).encode()


@pytest.mark.parametrize("make", [full, lambda: run_of(began("t1")), lambda: run_of(*written("t1", "t2"))])
def test_a_run_that_was_written_is_read_back_equal(make):
    run = make()
    back = read_run_file(raw(run), NAME)
    assert back == run
    assert back.events == run.events
    assert raw(back) == raw(run)


def test_a_run_read_from_a_file_can_be_opened_in_a_journal_and_written_again(tmp_path):
    journal = Journal(tmp_path / "h.sqlite3")
    run = Run(journal.events(journal.begin(read_run_file(raw(full()), NAME).events)))
    assert run == full()
    assert raw(run) == raw(full())


def test_the_file_says_how_a_rating_was_made_in_the_decision_records_words():
    ratings = [e["what"] for e in run_document(full())["events"] if e["what"]["kind"] == "rated"]
    assert [r["checksShownBeforeRating"] for r in ratings] == [False, True, False, True]


def test_another_time_zone_is_kept():
    event = Event(at=AT.astimezone(timezone(timedelta(hours=-3, minutes=-30))), what=began("t1"))
    assert read_run_file(raw(Run((event,))), NAME).events[0].at.utcoffset() == timedelta(hours=-3, minutes=-30)


ITEMS = [f"{topic}-{kind}" for topic in ("t1", "t2") for kind in ("m1", "m4", "s3")]
TEXTS = st.text(st.characters(codec="utf-8"), max_size=12)
# a name holds something to be seen
NAMES = TEXTS.map(lambda text: f"r{text}")
RATINGS = st.builds(
    rated,
    st.sampled_from(ITEMS),
    st.sampled_from([*Answer, None]),
    st.sampled_from(Question),
    rater=NAMES,
    shown=st.booleans(),
)
REVEALS = st.lists(st.sampled_from(ITEMS)).flatmap(
    lambda items: st.builds(lambda r, p: revealed(*items, rater=r, place=p), NAMES, st.sampled_from(Place))
)
JUDGEMENTS = st.sampled_from(ITEMS).map(lambda item: ended(item, **JUDGED))
FAILURES = st.builds(
    lambda outcome, attempt, text, detail: ended("t2", outcome, attempt, text, detail=detail),
    st.sampled_from([outcome for outcome in Outcome if not outcome.of_model]),
    st.integers(2, 9),
    st.none() | TEXTS,
    TEXTS,
)


@settings(max_examples=60)
@given(st.lists(RATINGS | REVEALS | JUDGEMENTS | FAILURES | st.just(Stopped()), max_size=12))
def test_whatever_happened_in_a_run_is_read_back_equal(records):
    run = run_of(*written("t1", "t2"), *records)
    assert read_run_file(raw(run), NAME) == run


def document(**change):
    return run_document(full()) | change


def changed(kind, /, nth=0, **change):
    """The file with other fields in one event; ``at`` is the event's own."""
    made = document()
    found = [event for event in made["events"] if event["what"]["kind"] == kind][nth]
    at = change.pop("at", None)
    found["what"] |= change
    if at:
        found["at"] = at
    return json.dumps(made)


def added(*records):
    return json.dumps(run_document(run_of(*(e.what for e in full().events), *records)))


def without_first():
    made = document()
    del made["events"][0]
    return json.dumps(made)


def twice(kind):
    made = document()
    made["events"] += [event for event in made["events"] if event["what"]["kind"] == kind][:1]
    return json.dumps(made)


NAN = json.dumps(document()).replace('"cost_usd": 0.00011', '"cost_usd": NaN', 1)
BAD = {
    "nothing": ("", "no exported run"),
    "not JSON": ("Dear all,", "no exported run"),
    "not text": (b"\xff\xfe\x00", "no exported run"),
    "cut off": (json.dumps(document())[:-40], "no exported run"),
    "other JSON": ('{"questions": []}', "no exported run"),
    "a list": ("[1, 2]", "no exported run"),
    "deeply nested": ("[" * 100_000, "no exported run"),
    "another format": (json.dumps(document(format="evidence-lab study")), "is of format 'evidence-lab study'"),
    "a later version": (json.dumps(document(version=2)), "version 2"),
    "no events": (json.dumps(document(events=[])), "first event"),
    "no beginning": (without_first(), "first event"),
    "two beginnings": (twice("began"), "begins twice"),
    "too large": (b" " * (MOST_BYTES + 1), "larger than 20 MB"),
    "an unknown kind of event": (changed("stopped", kind="paused"), "no exported run"),
    "an unknown field": (changed("stopped", by="me"), "no exported run"),
    "an unknown outcome": (changed("ended", outcome="fine"), "no exported run"),
    "an unknown answer": (changed("rated", answer="perhaps"), "no exported run"),
    "a rating of an unknown item": (changed("rated", item="t1-m9"), "t1-m9"),
    "a rating of an item of a topic without a pack": (changed("rated", item="t2-m1"), "t2-m1"),
    "a reveal of an unknown item": (changed("revealed", items=["t9-m1"]), "t9-m1"),
    "checks of an unknown item": (changed("checked", item="t1-m9"), "t1-m9"),
    "an outcome of an unknown topic": (changed("ended", unit="t9"), "t9"),
    "a call about an unknown topic": (added(called("t9")), "t9"),
    "a judgement of an unknown item": (added(called("t9-m1", purpose=Purpose.JUDGE)), "t9-m1"),
    "a judge's outcome of an unknown item": (added(ended("t9-m1", **JUDGED)), "t9-m1"),
    "two topics of one id": (json.dumps(run_document(run_of(began("t1", "t1")))), "same id"),
    "an ok answer that is no pack": (changed("ended", nth=1, text="{}"), "t1"),
    "an ok answer without a text": (changed("ended", nth=1, text=None), "t1"),
    "an ok judgement that is none": (added(ended("t1-m3", text='{"faithful": "well"}', **JUDGED)), "t1-m3"),
    "a call announced twice": (twice("called"), "twice"),
    "a naive moment": (changed("rated", at="2026-11-30T12:00:00"), "no exported run"),
    "no moment": (changed("rated", at="today"), "no exported run"),
    "NaN for a cost": (NAN, "no exported run"),
    "a cost below 0": (changed("ended", nth=1, cost_usd=-5.0), "no exported run"),
    "tokens below 0": (changed("ended", nth=1, usage={"input_tokens": -1}), "no exported run"),
    "an infinite cap": (
        json.dumps(document()).replace('"spend_cap_usd": null', '"spend_cap_usd": 1e999'),
        "no exported",
    ),
    "a negative cap": (changed("began", spend_cap_usd=-1.0), "no exported run"),
    "no call at a time": (changed("began", concurrency=0), "no exported run"),
    "more calls at a time than a run may make": (changed("began", concurrency=5), "no exported run"),
    "more tokens than a run may ask for": (changed("began", output_cap=10**9), "no exported run"),
    "a higher cap than a run may have": (changed("began", spend_cap_usd=1000.0), "no exported run"),
    "no model": (changed("began", model=" "), "no exported run"),
    "a sample written by nobody": (changed("began", written_for=""), "no exported run"),
    "a rater without a name": (changed("rated", rater=" "), "no exported run"),
    "more raters than a run takes": (added(*(rated("t1-m1", YES, rater=f"r{n}") for n in range(21))), "raters"),
    "attempt 0": (changed("called", attempt=0), "no exported run"),
    "half a surrogate pair": (json.dumps(document()).replace("a demo", "\\ud835"), "no exported run"),
}


@pytest.mark.parametrize(("content", "says"), BAD.values(), ids=BAD)
def test_a_file_that_is_no_run_is_refused_with_its_name_what_is_wrong_and_a_remedy(content, says):
    content = content if isinstance(content, bytes) else content.encode()
    with pytest.raises(BadInput) as refused:
        read_run_file(content, NAME)
    [problem] = refused.value.problems
    assert NAME in str(refused.value)
    assert says in str(refused.value)
    assert problem.remedy
    assert len(str(refused.value)) < 600


def test_the_unchanged_file_is_none_of_those():
    assert read_run_file(json.dumps(document()).encode(), NAME) == full()
    assert "NaN" in NAN

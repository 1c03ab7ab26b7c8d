"""A stop ends the thread at once, whatever it is doing, and leaves a run that can be finished."""

from functools import partial

import pytest

from evalcore.generation.calls.outcomes import Outcome
from evalcore.generation.calls.runner import Pauses
from evalcore.generation.setup import packs_to_write
from evalcore.generation.store.events import Ended
from evalcore.generation.store.journal import Journal
from evalcore.generation.store.run import Run
from tests.generation.calls.running import (
    NO_RETRY,
    calls,
    ends,
    every_call_has_one_end,
    finished,
    outcomes,
    settings,
    stops,
    until,
)

# The server stalls or is slow for a minute, a pause lasts ten; none of it is waited for.
PROMPTLY = 5.0
LONG_PAUSE = Pauses((600.0,))


def stopped(runner):
    runner.stop()
    finished(runner, PROMPTLY)


def finishes(made, asked_before):
    """A later runner asks what is open and nothing else."""
    done = {topic for topic, outcome in outcomes(made.now).items() if outcome.of_model}
    made.api.default = "ok"
    for topic in made.now.topics:
        made.script(topic, "ok")
    run = made.go()
    assert outcomes(run) == dict.fromkeys(run.topics, Outcome.OK)
    every_call_has_one_end(run)
    assert made.asked() == {topic: asked_before[topic] + (topic not in done) for topic in run.topics}


@pytest.mark.parametrize("scenario", ["stall", "slow"])
def test_a_stop_ends_calls_that_are_being_answered(scenario, bench, api):
    api.slow_seconds = 60.0
    made = bench(topics=4)
    made.script("t1", "ok")
    made.script("t2", scenario)
    made.script("t3", scenario)
    runner = made.started()
    assert api.wait_for(3)
    until(lambda: "t1" in outcomes(made.now))
    stopped(runner)
    run, before = made.now, made.asked()
    every_call_has_one_end(run)
    assert outcomes(run) == {"t1": Outcome.OK, "t2": Outcome.STOPPED, "t3": Outcome.STOPPED}
    assert [end.cost_usd for end in ends(run) if end.outcome is Outcome.STOPPED] == [None, None]
    assert len(stops(run)) == 1
    assert before == {"t1": 1, "t2": 1, "t3": 1}
    finishes(made, before)


PAUSES = ("408", "500", "503", "504", "529", "html_502", "html_200", "broken_json_200", "wrong_shape_200", "drop")


@pytest.mark.parametrize("scenario", [*PAUSES, "drop_mid", "no_stop_reason"])
def test_a_stop_ends_the_pause_before_a_retry(scenario, bench):
    made = bench(topics=2)
    made.script("t1", scenario)
    made.script("t2", scenario)
    runner = made.started(LONG_PAUSE)
    until(lambda: len(ends(made.now)) == 2)
    stopped(runner)
    run, before = made.now, made.asked()
    every_call_has_one_end(run)
    assert all(end.outcome.retried for end in ends(run))
    assert before == {"t1": 1, "t2": 1}
    finishes(made, before)


def test_a_stop_ends_a_pause_that_the_service_asked_for(bench):
    made = bench(topics=2)
    made.script("t1", "429_long")
    made.script("t2", "429_long")
    runner = made.started(Pauses((0.01,), longest=10_000.0))
    until(lambda: len(ends(made.now)) == 2)
    stopped(runner)
    before = made.asked()
    assert before == {"t1": 1, "t2": 1}
    assert set(outcomes(made.now).values()) == {Outcome.RATE_LIMITED}
    finishes(made, before)


class Telling(Journal):
    """A journal that tells of each event after it has been committed, in the thread that wrote it."""

    def __init__(self, path, tell):
        super().__init__(path)
        object.__setattr__(self, "_tell", tell)

    def append(self, run, record):
        event = super().append(run, record)
        self._tell(event.what)
        return event


def test_a_stop_between_two_calls_sends_no_second_one(bench):
    made = bench(topics=4, chosen=settings(concurrency=1))
    running = []
    journal = Telling(made.journal.path, lambda what: isinstance(what, Ended) and running[0].stop())
    runner = made.runner(journal=journal)
    running.append(runner)
    runner.start([*map(partial(_work, made), made.now.topics)])
    finished(runner, PROMPTLY)
    run, before = made.now, made.asked()
    every_call_has_one_end(run)
    assert outcomes(run) == {"t1": Outcome.OK}
    assert before == {"t1": 1}
    finishes(made, before)


def _work(made, topic):
    return next(piece for piece in packs_to_write(made.now) if piece.unit == topic)


def test_a_stop_before_the_first_call_sends_nothing(bench, api):
    made = bench(topics=4)
    running = []

    def connect():
        running[0].stop()
        return made.connect()

    runner = made.runner(connect=connect)
    running.append(runner)
    runner.start([*map(partial(_work, made), made.now.topics)])
    finished(runner, PROMPTLY)
    assert api.requests == []
    assert calls(made.now) == []
    assert len(stops(made.now)) == 1
    finishes(made, made.asked())


def test_a_stop_right_after_the_start_leaves_no_call_open(bench):
    made = bench(topics=4)
    stopped(made.started())
    every_call_has_one_end(made.now)
    assert len(made.posts()) <= len(calls(made.now))
    finishes(made, made.asked())


def test_a_stop_after_the_end_is_no_event(bench):
    made = bench(topics=1)
    runner = made.started()
    finished(runner)
    runner.stop()
    assert stops(made.now) == []


def test_a_stop_while_the_run_is_ending_is_no_error(bench):
    """The loop may be closed between the question whether it is and the message to it."""
    made = bench(topics=1)
    runner = made.started()
    finished(runner)
    loop = runner._loop

    class Closing:
        def is_closed(self):
            return False

        def call_soon_threadsafe(self, *given):
            loop.call_soon_threadsafe(*given)

    class Alive:
        def is_alive(self):
            return True

    runner._loop, runner._thread = Closing(), Alive()
    runner.stop()
    assert len(stops(made.now)) == 1


def test_an_answer_that_came_before_the_stop_stays(bench):
    made = bench(topics=2, chosen=settings(concurrency=1))
    made.script("t1", "refusal")
    made.script("t2", "stall")
    runner = made.started(NO_RETRY)
    until(lambda: len(calls(made.now)) == 2)
    stopped(runner)
    assert outcomes(made.now) == {"t1": Outcome.REFUSED, "t2": Outcome.STOPPED}
    before = made.asked()
    made.script("t1", "ok")
    made.script("t2", "ok")
    run = made.go()
    assert outcomes(run) == {"t1": Outcome.REFUSED, "t2": Outcome.OK}
    assert made.asked() == {"t1": 1, "t2": before["t2"] + 1}
    assert isinstance(run, Run)

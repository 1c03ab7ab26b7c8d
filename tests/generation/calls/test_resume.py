"""A server that is killed loses at most the calls in flight; what it was doing goes on elsewhere."""

import subprocess
import sys
from pathlib import Path

import pytest

from evalcore.generation.audit import audit_rows
from evalcore.generation.calls.outcomes import Outcome
from evalcore.generation.setup import packs_to_write
from evalcore.generation.store.lock import Busy
from evalcore.generation.store.run import Standing
from tests.generation.calls.running import calls, ends, every_call_has_one_end, finished, outcomes, until

ROOT = Path(__file__).resolve().parents[3]
SERVER = """
import sys
from pathlib import Path
from tests.generation.calls.running import Bench, packs_to_write

class At:
    url = sys.argv[2]

made = Bench(Path(sys.argv[1]), At, run=sys.argv[3])
runner = made.started()
print("started", flush=True)
runner.join()
"""


def server(made):
    command = [sys.executable, "-c", SERVER, str(made.folder), made.api.url, made.run]
    return subprocess.Popen(command, cwd=ROOT, text=True, stdout=subprocess.PIPE)


def test_after_kill_9_the_run_goes_on_and_only_what_was_in_flight_is_asked_again(bench, api):
    made = bench(topics=6)
    made.script("t3", "stall", "ok")
    made.script("t4", "stall", "ok")
    with server(made) as killed:
        assert killed.stdout.readline() == "started\n"
        until(lambda: list(outcomes(made.now)) == ["t1", "t2"] and len(made.posts()) == 4, 30.0)
        until(lambda: len(made.now.findings) == 14)
        # another tab, in another process, finds the run under way
        with pytest.raises(Busy):
            made.started()
        assert made.now.standing("t3") is Standing.UNDER_WAY
        killed.kill()
        killed.wait(20)
    before = made.now
    assert [call.unit for call in before.unfinished] == ["t3", "t4"]
    run = made.go()
    assert run.events[: len(before.events)] == before.events
    assert made.asked() == {"t1": 1, "t2": 1, "t3": 2, "t4": 2, "t5": 1, "t6": 1}
    assert outcomes(run) == dict.fromkeys(run.topics, Outcome.OK)
    every_call_has_one_end(run)
    lost = [end for end in ends(run) if end.outcome is Outcome.STOPPED]
    assert [(end.unit, end.attempt, end.cost_usd) for end in lost] == [("t3", 1, None), ("t4", 1, None)]
    assert all("server ended" in end.detail for end in lost)
    assert not any(row.against_model for row in audit_rows(run))
    assert run.of_unknown_cost == 2
    assert len(run.items) == len(run.findings) == 42


@pytest.mark.parametrize("left", [["t2"], []])
def test_a_pack_whose_checks_were_lost_with_the_server_gets_them_when_the_run_goes_on(left, bench):
    made = bench(topics=2)
    made.script("t2", *(["400", "ok"] if left else ["refusal"]))
    run = made.go()
    made.run = made.journal.begin([event for event in run.events if type(event.what).__name__ != "Checked"])
    assert made.now.findings == {}
    assert [piece.unit for piece in packs_to_write(made.now)] == left
    after = made.go()
    assert list(after.findings) == list(after.items)
    assert {item: found for item, found in after.findings.items() if item in run.findings} == run.findings


def test_a_run_that_is_under_way_is_not_started_again_from_the_same_process(bench, api):
    made = bench(topics=3)
    api.hold()
    one = made.started()
    assert api.wait_for(2)
    other = made.runner()
    with pytest.raises(Busy):
        other.start(packs_to_write(made.now))
    finished(other)
    assert not other.alive
    assert len(calls(made.now)) == 2
    api.release()
    finished(one)
    assert made.asked() == {"t1": 1, "t2": 1, "t3": 1}
    # and once it has ended, it can be
    assert outcomes(made.go()) == dict.fromkeys(made.now.topics, Outcome.OK)
    assert len(made.posts()) == 3


def test_a_runner_that_was_kept_out_stops_nothing(bench, api):
    made = bench(topics=2)
    api.hold()
    one = made.started()
    assert api.wait_for(2)
    other = made.runner()
    with pytest.raises(Busy):
        other.start(packs_to_write(made.now))
    other.stop()
    api.release()
    finished(one)
    assert outcomes(made.now) == {"t1": Outcome.OK, "t2": Outcome.OK}


def test_a_client_that_cannot_be_made_ends_the_run_and_frees_it(bench, caplog):
    made = bench(topics=2)

    def broken():
        raise OSError("something private")

    runner = made.started(connect=broken)
    finished(runner)
    assert "OSError" in caplog.text
    assert "private" not in caplog.text
    assert calls(made.now) == []
    assert outcomes(made.go()) == {"t1": Outcome.OK, "t2": Outcome.OK}

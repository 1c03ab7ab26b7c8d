"""The visitor's cap is kept, and a cost that is not known is never 0."""

import pytest

from evalcore.generation.audit import audit_rows
from evalcore.generation.calls.estimate import cost_range, most_of_call
from evalcore.generation.calls.outcomes import Outcome
from evalcore.generation.calls.prices import cost, price
from evalcore.generation.setup import packs_to_write
from evalcore.generation.store.events import Usage
from tests.generation.calls.running import (
    NO_RETRY,
    PRICED,
    UNPRICED,
    calls,
    ends,
    every_call_has_one_end,
    finished,
    outcomes,
    settings,
)


def most_of(made):
    """What each call may cost at most, in the order of the work."""
    requests = [piece.request for piece in packs_to_write(made.now)]
    return [most_of_call(r.model, len(r.system) + len(r.prompt), r.output_cap) for r in requests]


def capped(bench, dollars, **more):
    return bench(chosen=settings(spend_cap_usd=dollars, **more))


def test_most_of_a_call_is_the_prompt_counted_high_and_the_whole_output_cap():
    # 3,000 characters: 3,000 / 3 * 1.3 + 600 = 1,900 tokens at $1, 8,000 at $5 a million
    assert most_of_call(PRICED, 3_000, 8_000) == pytest.approx(0.0019 + 0.04)
    assert most_of_call(UNPRICED, 3_000, 8_000) is None


def test_the_range_is_from_seven_short_items_to_the_cap_reached_every_time():
    # 3,000 characters: 750 tokens and 700 of output at least
    found = cost_range(PRICED, [3_000, 3_000], 8_000)
    assert found.low == pytest.approx(2 * (0.00075 + 0.0035))
    assert found.high == pytest.approx(2 * (0.0019 + 0.04))
    assert cost_range(UNPRICED, [3_000], 8_000) is None


def test_cost_is_list_price_with_caching_and_unknown_is_none():
    usage = Usage(input_tokens=1_000, output_tokens=2_000, cache_write_tokens=400, cache_read_tokens=5_000)
    # 1,000 + 400 * 1.25 + 5,000 * 0.1 + 2,000 * 5 = 12,000 millionths
    assert cost("claude-haiku-4-5-20251001", usage) == pytest.approx(0.012)
    assert cost(UNPRICED, usage) is None
    assert cost(PRICED, None) is None
    assert price("") is None


def test_a_long_prompt_is_charged_at_the_long_price():
    short, long = Usage(input_tokens=100_000), Usage(input_tokens=100_001)
    assert cost("claude-haiku-5-5", short) == pytest.approx(0.01)
    assert cost("claude-haiku-5-5", long) == pytest.approx(0.0500005)


def test_a_cap_below_one_call_sends_nothing(bench, api):
    made = capped(bench, 0.0001)
    run = made.go()
    assert api.requests == []
    assert calls(run) == []
    assert set(outcomes(run).values()) == {Outcome.SPEND_LIMIT}
    assert "$0.00" in ends(run)[0].detail
    assert "nothing was sent" in ends(run)[0].detail
    assert [row.sent for row in audit_rows(run)] == [None] * len(ends(run))
    assert (run.spent, run.of_unknown_cost) == (0, 0)


def test_a_cap_in_the_middle_stops_before_it_is_passed(bench):
    free = bench(chosen=settings(spend_cap_usd=None, concurrency=1))
    costs = [end.cost_usd for end in ends(free.go())]
    assert len(costs) == 8
    before = len(free.posts())
    most = most_of(capped(bench, 1.0))
    # room for three calls and what the fourth may cost at most, less a little
    cap = sum(costs[:3]) + most[3] - 1e-6
    assert max(most[:3]) + sum(costs[:2]) < cap
    made = capped(bench, cap, concurrency=1)
    run = made.go()
    assert len(made.posts()) - before == 3
    assert run.spent == pytest.approx(sum(costs[:3]))
    assert run.spent < cap
    assert list(outcomes(run).values()) == [Outcome.OK] * 3 + [Outcome.SPEND_LIMIT]
    every_call_has_one_end(run)


def test_calls_side_by_side_are_counted_at_their_most_until_they_end(bench, api):
    made = capped(bench, 0.40, output_cap=32_000, concurrency=4)  # $0.16 and a little for each
    assert all(0.16 < most < 0.17 for most in most_of(made))
    api.hold()
    runner = made.started()
    assert api.wait_for(2)
    assert not api.wait_for(3, timeout=0.3)
    api.release()
    finished(runner)
    assert len(made.posts()) == 2
    assert len(calls(made.now)) == 2
    assert Outcome.SPEND_LIMIT in outcomes(made.now).values()


@pytest.mark.parametrize(("scenario", "unknown"), [("drop", True), ("stall", True), ("529", False), ("400", False)])
def test_a_call_of_unknown_cost_counts_as_most_and_an_error_of_the_service_as_nothing(scenario, unknown, bench, api):
    api.default = scenario
    made = bench(
        chosen=settings(spend_cap_usd=0.40, output_cap=32_000, concurrency=1),
        deadline=0.1 if scenario == "stall" else 30.0,
    )
    run = made.go(NO_RETRY)
    assert len(made.posts()) == (2 if unknown else 8)
    assert run.of_unknown_cost == (2 if unknown else 0)
    assert run.spent == 0


def test_a_stopped_call_counts_as_most_when_the_run_goes_on(bench, api):
    api.default = "stall"
    made = capped(bench, 0.30, output_cap=32_000, concurrency=1)
    runner = made.started()
    assert api.wait_for(1)
    runner.stop()
    finished(runner)
    assert made.now.of_unknown_cost == 1
    api.default = "ok"
    run = made.go()
    assert len(made.posts()) == 1
    assert outcomes(run)["t1"] is Outcome.SPEND_LIMIT


def test_an_unknown_price_with_a_cap_sends_nothing_and_says_why(bench, api):
    made = bench(chosen=settings(model=UNPRICED))
    run = made.go()
    assert api.requests == []
    assert "price of this model is not known" in ends(run)[0].detail
    assert set(outcomes(run).values()) == {Outcome.SPEND_LIMIT}


def test_an_unknown_price_without_a_cap_runs_at_a_cost_of_none(bench):
    made = bench(topics=2, chosen=settings(model=UNPRICED, spend_cap_usd=None))
    run = made.go()
    assert set(outcomes(run).values()) == {Outcome.OK}
    assert [end.cost_usd for end in ends(run)] == [None, None]
    assert [row.cost_usd for row in audit_rows(run)] == [None, None]
    assert run.of_unknown_cost == 2


def test_what_was_spent_is_the_sum_of_what_is_known(bench):
    made = bench(topics=3)
    made.script("t1", "refusal")
    made.script("t2", "529", "ok")
    run = made.go()
    assert run.spent == pytest.approx(sum(row.cost_usd for row in audit_rows(run) if row.cost_usd is not None))
    assert [end.outcome for end in ends(run) if end.cost_usd is None] == [Outcome.OVERLOADED]
    assert run.of_unknown_cost == 0


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"model": ""}, "model"),
        ({"output_cap": 999}, "1,000 to 32,000"),
        ({"output_cap": 32_001}, "1,000 to 32,000"),
        ({"concurrency": 0}, "1 to 4"),
        ({"concurrency": 5}, "1 to 4"),
        ({"spend_cap_usd": 0.0}, "above $0"),
        ({"spend_cap_usd": -1.0}, "above $0"),
        ({"spend_cap_usd": 50.01}, "at most $50"),
        ({"spend_cap_usd": float("nan")}, "above $0"),
        ({"spend_cap_usd": float("inf")}, "above $0"),
    ],
)
def test_a_setting_outside_its_range_is_refused_with_the_range(wrong, says):
    with pytest.raises(ValueError, match=says.replace("$", r"\$")):
        settings(**wrong)

import numpy as np
import pytest

from evalcore.files.scores import read_scores
from evalcore.stats.proportions import wilson, wilson_band
from tests.abstention.toy import of_table, toy


@pytest.mark.parametrize("level", [0.8, 0.95])
@pytest.mark.parametrize("n", [1, 6, 10, 24, 40])
def test_a_band_is_wilsons_interval_of_every_count(n, level):
    low, high = wilson_band(np.arange(n + 1), n, level=level)
    single = [wilson(hits, n, level=level) for hits in range(n + 1)]
    assert low.tolist() == pytest.approx([interval.low for interval in single], abs=1e-15)
    assert high.tolist() == pytest.approx([interval.high for interval in single], abs=1e-15)
    assert (low[0], high[-1]) == (0.0, 1.0)


@pytest.mark.parametrize("n", [1, 6, 10, 24, 40])
def test_a_bands_limits_solve_wilsons_equation(n):
    hits = np.arange(n + 1)
    for limit in wilson_band(hits, n):
        assert np.abs(hits / n - limit) == pytest.approx(1.959964 * np.sqrt(limit * (1 - limit) / n), abs=1e-6)


@pytest.mark.parametrize("n", [1, 6, 10, 24, 40])
def test_bands_rise_with_the_count_and_hold_the_rate(n):
    rate = np.arange(n + 1) / n
    low, high = wilson_band(np.arange(n + 1), n)
    assert (np.diff(low) > 0).all()
    assert (np.diff(high) > 0).all()
    assert ((low <= rate) & (rate <= high) & (low < high)).all()
    assert low == pytest.approx(1 - high[::-1])


def test_the_bands_of_a_sweep_are_those_of_its_two_rates():
    swept = toy().sweep
    for band, counts, rate, n in (
        (swept.false_band, swept.refused_answerable, swept.false_abstention, 10),
        (swept.correct_band, swept.refused_unanswerable, swept.correct_abstention, 6),
    ):
        assert band[0] == pytest.approx([wilson(int(count), n).low for count in counts])
        assert band[1] == pytest.approx([wilson(int(count), n).high for count in counts])
        assert ((band[0] <= rate) & (rate <= band[1])).all()
        assert band[0].shape == band[1].shape == (len(swept),)


def test_a_rate_at_one_threshold_carries_the_bands_limits():
    run = toy()
    for at in range(len(run.sweep)):
        false, correct = run.false_abstention(at), run.correct_abstention(at)
        assert (false.low, false.high) == (run.sweep.false_band[0][at], run.sweep.false_band[1][at])
        assert (correct.low, correct.high) == (run.sweep.correct_band[0][at], run.sweep.correct_band[1][at])
        assert (false.n, correct.n, false.method) == (10, 6, "Wilson")


def test_other_shares_carry_wilsons_limits_of_their_own_counts():
    run = toy()
    at = run.sweep.at(0.45)
    served, unsupported = wilson(10, 16), wilson(2, 10)
    assert (run.coverage(at).low, run.coverage(at).high) == (served.low, served.high)
    assert (run.unsupported(at).low, run.unsupported(at).high) == (unsupported.low, unsupported.high)
    hits = wilson(8, 10)
    assert (run.recall.low, run.recall.high) == (hits.low, hits.high)


def test_hits_of_unanswerable_questions_are_no_recall():
    text = b"query_id,answerable,score,hit\na,1,0.9,1\nb,1,0.8,0\nu,0,0.7,1\nv,0,0.1,\n"
    run = of_table(read_scores(text, name="s.csv"))
    assert (run.recall.value, run.recall.n) == (0.5, 2)

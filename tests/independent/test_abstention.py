"""Areas, cheapest intervals and gates against a plainer or another way of finding them."""

from itertools import pairwise
from math import inf

import numpy as np
import pytest
from scipy.stats import bootstrap, mannwhitneyu, norm

from tests.independent import abstention, data, inference
from tests.independent.auc import auc, difference, newcombe_5, resampled, won

SHARES = abstention.shares()
NAMES = abstention.names()


@pytest.mark.parametrize("score", NAMES)
def test_the_pairs_won_are_the_statistic_of_mann_and_whitney(score):
    assert auc(*abstention.split(score))["pairs_won"] == mannwhitneyu(*abstention.split(score)).statistic


def test_a_tie_is_half_a_pair():
    found = auc(np.array([1.0, 2.0]), np.array([1.0, 3.0]))
    assert (found["pairs_won"], found["pairs"], found["value"]) == (1.5, 4, 0.375)


@pytest.mark.parametrize("value", [0.55, 0.8, 0.97])
def test_the_limits_solve_the_equation_of_method_5_and_mirror(value):
    low, high = newcombe_5(value, 40, 24)
    for theta in (low, high):
        spread = 1 + (32 - 1) * ((1 - theta) / (2 - theta) + theta / (1 + theta))
        assert abs((value - theta) ** 2 - norm.ppf(0.975) ** 2 * theta * (1 - theta) / 960 * spread) < 1e-12
    assert low < value < high
    assert np.allclose(newcombe_5(1 - value, 40, 24), (1 - high, 1 - low), rtol=0, atol=1e-12)


def test_the_limits_end_at_0_and_1_where_every_pair_is_lost_or_won():
    assert newcombe_5(0.0, 40, 24)[0] == 0
    assert newcombe_5(1.0, 40, 24)[1] == 1


def test_counting_draws_gives_the_area_of_the_drawn_questions():
    answerable, unanswerable = abstention.split(abstention.primary())
    m, n, rng = len(answerable), len(unanswerable), inference.stream()
    rows, columns = rng.integers(0, m, (10000, m)), rng.integers(0, n, (10000, n))
    found = resampled(won(answerable, unanswerable))
    for place in (0, 1, 4999, 9999):
        drawn = won(answerable[rows[place]], unanswerable[columns[place]])
        assert abs(drawn.mean() - found[place]) < 1e-12


@pytest.mark.parametrize("score", [name for name in NAMES if name != abstention.primary()])
def test_the_difference_between_areas_is_near_to_scipys_on_another_stream(score):
    first, second = abstention.split(abstention.primary()), abstention.split(score)
    pairs, (m, n) = won(*first) - won(*second), abstention.sizes()
    interval = bootstrap(
        (np.arange(m), np.arange(n)),
        lambda rows, columns: pairs[np.ix_(rows.astype(int), columns.astype(int))].mean(),
        n_resamples=10000,
        vectorized=False,
        method="percentile",
        rng=np.random.default_rng(1),
    ).confidence_interval
    found = difference(first, second)
    assert np.allclose((found["low"], found["high"]), (interval.low, interval.high), rtol=0, atol=0.01)


def between(score):
    """A threshold strictly between every two candidates, one below all and one above."""
    distinct = abstention.candidates(score)[:-1]
    return [distinct[0] - 1, *((low + high) / 2 for low, high in pairwise(distinct)), distinct[-1] + 1]


def inside(value, rows):
    """Whether a threshold lies in one of the intervals, open below and closed above."""
    ends = [(-inf if r["low"] is None else r["low"], inf if r["high"] is None else r["high"]) for r in rows]
    return any(low < value <= high for low, high in ends)


@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("score", NAMES)
def test_a_threshold_is_cheapest_inside_the_intervals_and_nowhere_else(score, share):
    asked = [*abstention.candidates(score)[:-1], *between(score)]
    costs, rows = np.array([abstention.cost(score, value, share) for value in asked]), abstention.cheapest(score, share)
    least = costs <= costs.min() * (1 + 1e-9)
    assert least.tolist() == [inside(value, rows) for value in asked]
    assert all(abs(row["cost_per_1000"] - costs.min()) < 1e-9 for row in rows)


@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("score", NAMES)
def test_cheapest_intervals_do_not_touch(score, share):
    rows = abstention.cheapest(score, share)
    assert all(first["high"] < second["low"] for first, second in pairwise(rows))


@pytest.mark.parametrize("score", NAMES)
def test_no_threshold_on_or_between_the_scores_meets_both_gates(score):
    (answerable, unanswerable), asked = abstention.sizes(), [*abstention.candidates(score), *between(score)]
    refused = [abstention.refused(score, value) for value in asked]
    assert not any(10 * false <= answerable and 5 * correct >= 4 * unanswerable for false, correct in refused)


def test_a_feasible_threshold_would_be_found(monkeypatch):
    """Of four answerable and four other scores, 0.5 parts all; 0.45 and all below serve one too many."""
    monkeypatch.setattr(
        abstention, "split", lambda score: (np.array([0.5, 0.6, 0.7, 0.8]), np.arange(1, 5) / 10 + 0.05)
    )
    assert abstention.feasible("a score") == [{"low": 0.45, "high": 0.5}]


@pytest.mark.parametrize(("name", "value"), [("correct_abstention", 0.8), ("false_abstention", 0.1)])
def test_a_rate_at_its_bound_passes_up_to_rounding(name, value):
    worse = -1e-6 if name == "correct_abstention" else 1e-6
    assert abstention.meets(name, value)
    assert abstention.meets(name, value + worse / 1e4)
    assert not abstention.meets(name, value + worse)


def test_refusing_everything_serves_nothing_and_has_no_unsupported_share():
    row = abstention.at(abstention.primary(), inf)
    assert (row["served"], row["threshold"], row["unsupported_share"]) == (0, None, None)
    assert (row["false_abstention"], row["correct_abstention"]) == (1, 1)
    assert abstention.unsupported_at(abstention.primary(), inf, 0.1) is None


@pytest.mark.parametrize("score", NAMES)
def test_at_the_mix_of_the_file_the_unsupported_share_is_the_one_counted(score):
    counted = abstention.at(score, abstention.threshold(score))
    assert abs(abstention.mixed(score, SHARES[-1])["unsupported_share"] - counted["unsupported_share"]) < 1e-12


def test_neither_trivial_rule_passes_the_gates_of_abstention():
    assert not abstention.decides_nothing()


def test_the_stored_threshold_is_the_chosen_one_and_names_its_scale():
    stored, scale = data.as_json("gold/threshold.json"), data.as_json("gold/threshold.json")["scale"]
    costs = data.plan()["costs"]
    ratio = f"{costs['unsupported_answer']:g} : {costs['refusal']:g}"
    assert stored["threshold"] == abstention.threshold(abstention.primary())
    assert stored["rule"].endswith(f"at costs {ratio} and an unanswerable share of {costs['unanswerable_share']:g}")
    assert scale["score"] == abstention.primary()
    assert scale["model_sha256"] == data.plan()["rankers"]["dense"]["model_sha256"]
    assert scale["chunking_sha256"] == data.sha256("corpus/chunks.json")
    assert scale["corpus_sha256"] == data.sha256("corpus/manifest.json")

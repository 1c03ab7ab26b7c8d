import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, binomtest, norm
from statsmodels.stats.proportion import confint_proportions_2indep

from evalcore.stats.proportions import (
    Paired,
    exact_rate,
    newcombe_paired,
    newcombe_unpaired,
    normal_quantile,
    normal_rate,
    score_limits,
    wilson,
)

counts = st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
levels = st.sampled_from([0.8, 0.9, 0.95, 0.99])


def limits(interval):
    return interval.low, interval.high


@given(counts, levels)
def test_the_exact_interval_is_scipys(case, level):
    hits, n = case
    theirs = binomtest(hits, n).proportion_ci(level, method="exact")
    assert limits(exact_rate(hits, n, level=level)) == pytest.approx((theirs.low, theirs.high), abs=1e-9)


@given(counts, levels)
def test_the_exact_limits_leave_exactly_half_of_the_rest_in_each_tail(case, level):
    hits, n = case
    interval = exact_rate(hits, n, level=level)
    if hits > 0:
        assert binomtest(hits, n, interval.low, alternative="greater").pvalue == pytest.approx((1 - level) / 2)
    if hits < n:
        assert binomtest(hits, n, interval.high, alternative="less").pvalue == pytest.approx((1 - level) / 2)


@given(st.integers(1, 40), st.floats(0.001, 0.999), levels)
def test_the_exact_interval_holds_any_true_rate_at_least_as_often_as_its_level(n, true, level):
    intervals = [exact_rate(hits, n, level=level) for hits in range(n + 1)]
    holding = [hits for hits, interval in enumerate(intervals) if interval.low <= true <= interval.high]
    assert binom.pmf(holding, n, true).sum() >= level - 1e-9


@pytest.mark.parametrize(("hits", "n"), [(1, 4), (8, 10), (30, 60), (50, 56)])
def test_the_exact_interval_is_wider_than_wilsons(hits, n):
    exact, score = exact_rate(hits, n), wilson(hits, n)
    assert exact.high - exact.low > score.high - score.low


@pytest.mark.parametrize("n", [1, 2, 10, 500])
def test_the_exact_interval_of_none_and_of_all_has_one_closed_form_limit(n):
    reach = 1 - 0.025 ** (1 / n)
    assert limits(exact_rate(0, n)) == (0.0, pytest.approx(reach, abs=1e-12))
    assert limits(exact_rate(n, n)) == (pytest.approx(1 - reach, abs=1e-12), 1.0)


@pytest.mark.parametrize("rate", [exact_rate, normal_rate])
def test_a_rate_without_questions_is_undefined_with_a_reason(rate):
    interval = rate(0, 0)
    assert (interval.value, interval.low, interval.high, interval.n) == (None, None, None, 0)
    assert interval.reason == "no questions"


@pytest.mark.parametrize("rate", [exact_rate, normal_rate])
@pytest.mark.parametrize(("hits", "n"), [(5, 4), (-1, 4), (1, 0)])
def test_a_rate_of_more_hits_than_questions_is_refused(rate, hits, n):
    with pytest.raises(ValueError, match=f"{hits} hits of {n} is not a count"):
        rate(hits, n)


def test_the_intervals_name_their_methods():
    table = Paired(1, 2, 3, 4)
    assert exact_rate(3, 4).method == exact_rate(0, 0).method == "Clopper-Pearson"
    assert normal_rate(3, 4).method == normal_rate(0, 0).method == normal_rate(4, 4).method == "normal approximation"
    assert newcombe_unpaired(table).method == "Newcombe unpaired score, method 10"
    assert newcombe_unpaired(Paired(0, 0, 0, 0)).method == "Newcombe unpaired score, method 10"
    assert newcombe_paired(table).method == "Newcombe paired score, method 10"


def test_the_normal_approximation_of_half_of_a_hundred_is_the_one_worked_by_hand():
    interval = normal_rate(50, 100)
    assert interval.value == 0.5
    assert limits(interval) == pytest.approx((0.5 - 1.959964 * 0.05, 0.5 + 1.959964 * 0.05), abs=5e-8)


def test_the_normal_approximation_leaves_the_unit_interval_at_eight_of_ten_and_is_not_clipped():
    interval = normal_rate(8, 10)
    assert interval.high == pytest.approx(0.8 + 1.959964 * 0.126491, abs=5e-7)
    assert interval.high > 1
    assert normal_rate(2, 10).low == pytest.approx(1 - interval.high, abs=1e-12)
    assert normal_rate(2, 10).low < 0


@given(counts, levels)
def test_the_normal_approximation_is_symmetric_about_the_rate(case, level):
    hits, n = case
    interval = normal_rate(hits, n, level=level)
    if 0 < hits < n:
        assert interval.high - interval.value == pytest.approx(interval.value - interval.low, abs=1e-12)
        assert interval.high - interval.value == pytest.approx(
            norm.ppf(0.5 + level / 2) * np.sqrt(hits * (n - hits) / n**3), abs=1e-12
        )
    else:
        assert limits(interval) == (None, None)
        assert interval.value == hits / n


@pytest.mark.parametrize("hits", [0, 4])
def test_the_normal_approximation_of_none_or_all_is_no_interval_and_says_so(hits):
    interval = normal_rate(hits, 4)
    assert interval.reason == f"at {hits} of 4 the normal approximation has no width"
    assert (interval.level, interval.n) == (0.95, 4)


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"),
    [
        ((9, 3), 10, 0.1705, 0.8090),
        ((6, 2), 7, 0.0582, 0.8062),
        ((0, 0), 10, -0.2775, 0.2775),
        ((10, 0), 10, 0.6075, 1.0),
    ],
)
def test_the_unpaired_interval_is_the_one_in_newcombes_table_two(hits, n, low, high):
    first, second = hits
    both = max(0, first + second - n)
    interval = newcombe_unpaired(Paired(both, first - both, second - both, n - first - second + both))
    assert limits(interval) == pytest.approx((low, high), abs=5e-5)
    assert interval.value == pytest.approx((first - second) / n)


@given(st.tuples(*[st.integers(0, 60)] * 4).filter(any), levels)
def test_the_unpaired_interval_is_statsmodels_and_sees_only_the_margins(cells, level):
    both, first, second, neither = cells
    n = sum(cells)
    low, high = confint_proportions_2indep(
        both + first, n, both + second, n, method="newcomb", compare="diff", alpha=1 - level
    )
    interval = newcombe_unpaired(Paired(*cells), level=level)
    assert limits(interval) == pytest.approx((max(low, -1), min(high, 1)), abs=1e-9)
    moved = min(first, second)
    assert limits(interval) == limits(
        newcombe_unpaired(Paired(both + moved, first - moved, second - moved, neither + moved), level=level)
    )


def test_pairing_narrows_the_interval_when_the_hits_go_together_and_not_when_they_are_unrelated():
    together, unrelated = Paired(40, 8, 1, 11), Paired(16, 16, 4, 4)
    paired, unpaired = newcombe_paired(together), newcombe_unpaired(together)
    assert unpaired.low < 0 < paired.low
    assert paired.high < unpaired.high
    assert unrelated.phi() == 0.0
    assert limits(newcombe_paired(unrelated)) == limits(newcombe_unpaired(unrelated))


def test_the_unpaired_interval_of_no_question_is_undefined_with_a_reason():
    interval = newcombe_unpaired(Paired(0, 0, 0, 0))
    assert (interval.value, interval.low, interval.high) == (None, None, None)
    assert interval.reason == "no questions"


@given(counts, levels)
def test_the_score_limits_of_a_count_are_scipys_wilson_limits(case, level):
    hits, n = case
    theirs = binomtest(hits, n).proportion_ci(level, method="wilson")
    low, high = score_limits(hits / n, n, normal_quantile(level))
    assert (float(low), float(high)) == pytest.approx((theirs.low, theirs.high), abs=1e-9)


@given(st.floats(0.01, 0.99), st.floats(0.5, 1e4), st.floats(0.1, 13))
def test_the_score_limits_are_where_the_rate_lies_a_quantile_of_errors_away(rate, n, quantile):
    for limit in score_limits(rate, n, quantile):
        assert (rate - limit) ** 2 == pytest.approx(quantile**2 * limit * (1 - limit) / n, rel=1e-6, abs=1e-12)


def test_the_score_limits_end_exactly_at_zero_and_one_and_take_many_rates():
    low, high = score_limits(np.array([0.0, 0.5, 1.0]), np.array([2.5, 4.0, 7.0]), 2.0)
    assert (low[0], high[2]) == (0.0, 1.0)
    assert high[0] == pytest.approx(4 / 6.5)
    assert low[2] == pytest.approx(7 / 11)
    assert (low[1], high[1]) == pytest.approx((0.5 - 0.5 / np.sqrt(2), 0.5 + 0.5 / np.sqrt(2)))


@pytest.mark.parametrize(("level", "quantile"), [(0.95, 1.959963984540054), (0.99, 2.5758293035489004), (0.0, 0.0)])
def test_the_normal_quantile_holds_the_level_between_plus_and_minus(level, quantile):
    assert normal_quantile(level) == pytest.approx(quantile, abs=1e-12)

"""Re-simulates the stored coverage of every interval, by other random numbers and, where it can be, without any."""

from math import comb, isfinite, sqrt

import numpy as np
import pytest
from scipy.stats import binom, multinomial

from evalcore.stats import coverage
from evalcore.stats.means import BCA, PERCENTILE, STUDENT_T, beside_percentile, bootstrap_mean
from evalcore.stats.paired import PAIRED_BOOTSTRAP, Settings, compare_means
from evalcore.stats.proportions import NEWCOMBE, WILSON, Paired, newcombe_paired, wilson

SIZES = (10, 40, 100)
KEYS = [
    (method, n)
    for n in SIZES
    for method in (PERCENTILE, STUDENT_T if n < 30 else BCA, PAIRED_BOOTSTRAP, WILSON, NEWCOMBE)
]
SIMULATIONS = 1_000
STORED = {(f.interval, f.n): f for f in coverage.stored()}
every = pytest.mark.parametrize("key", KEYS, ids=lambda k: f"{k[0]}, n = {k[1]}")


@pytest.fixture(scope="module")
def again():
    """All figures once more, from another seed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(coverage, "SEED", 7)
        return {(f.interval, f.n): f for f in coverage.simulate_all(SIMULATIONS)}


def test_every_interval_has_a_stored_figure_at_ten_forty_and_a_hundred():
    assert list(STORED) == KEYS


@every
def test_a_stored_figure_has_a_finite_error_and_its_simulations(key):
    figure = STORED[key]
    assert figure.simulations >= 10_000
    assert 0 <= figure.undefined < 1
    defined = round((1 - figure.undefined) * figure.simulations)
    assert isfinite(figure.error)
    assert figure.error == pytest.approx(sqrt(figure.share * (1 - figure.share) / defined))
    assert 0 < figure.error < 0.005
    assert figure.population


@every
def test_a_stored_figure_is_found_again_from_other_random_numbers(key, again):
    stored, fresh = STORED[key], again[key]
    assert abs(stored.share - fresh.share) <= 4 * sqrt(stored.error**2 + fresh.error**2)
    share = stored.undefined
    assert (
        abs(share - fresh.undefined)
        <= 4 * sqrt(share * (1 - share) * (1 / stored.simulations + 1 / SIMULATIONS)) + 1e-12
    )


def shipped(method, n):
    """Simulated by the functions that the report calls, one sample at a time, at the stored figure's population."""
    draw, truth = (coverage.PAIRS if method == PAIRED_BOOTSTRAP else coverage.MEANS)[STORED[method, n].population]
    quick = Settings(resamples=2_000, sign_vectors=1, exact_up_to=0)
    found = []
    for sample in draw(np.random.default_rng(11), (SIMULATIONS, n)):
        if method == PERCENTILE:
            interval = bootstrap_mean(sample, resamples=2_000)
        elif method == PAIRED_BOOTSTRAP:
            interval = compare_means(sample, np.zeros(n), quick).interval
        else:
            interval = beside_percentile(sample, resamples=2_000)
        if interval.low is not None:
            assert interval.method == method
            found.append(interval.low <= truth <= interval.high)
    return np.array(found)


@pytest.mark.parametrize(
    "key", [k for k in KEYS if k[0] not in (WILSON, NEWCOMBE)], ids=lambda k: f"{k[0]}, n = {k[1]}"
)
def test_the_figure_is_that_of_the_function_that_the_report_calls(key):
    found, stored = shipped(*key), STORED[key]
    error = sqrt(found.mean() * (1 - found.mean()) / len(found))
    assert abs(found.mean() - stored.share) <= 4 * sqrt(error**2 + stored.error**2)
    assert len(found) / SIMULATIONS == pytest.approx(1 - stored.undefined, abs=0.01)


@pytest.mark.parametrize("n", SIZES)
def test_wilsons_figure_is_its_exact_coverage_by_enumeration(n):
    limits = [wilson(x, n) for x in range(n + 1)]

    def exact(rate):
        return sum(binom.pmf(x, n, rate) for x, i in enumerate(limits) if i.low <= rate <= i.high)

    stored = STORED[WILSON, n]
    lowest = min(coverage.RATES, key=exact)
    assert stored.share == pytest.approx(exact(lowest), abs=4 * stored.error)
    assert stored.population == f"rate {lowest:g}"


@pytest.mark.parametrize("n", [10, 40])
def test_newcombes_figure_is_its_exact_coverage_by_enumeration(n):
    tables = [(a, b, c, n - a - b - c) for a in range(n + 1) for b in range(n + 1 - a) for c in range(n + 1 - a - b)]
    assert len(tables) == comb(n + 3, 3)
    intervals = [newcombe_paired(Paired(*t)) for t in tables]

    def exact(cells):
        truth = cells[1] - cells[2]
        held = np.array([i.low <= truth <= i.high for i in intervals])
        return float(multinomial.pmf(tables, n, cells)[held].sum())

    shares = {name: exact(cells) for name, cells in coverage.TABLES.items()}
    stored = STORED[NEWCOMBE, n]
    assert stored.share == pytest.approx(min(shares.values()), abs=4 * stored.error)


def test_the_truth_of_every_named_population_is_its_mean():
    for draw, truth in (*coverage.MEANS.values(), *coverage.PAIRS.values()):
        sample = draw(np.random.default_rng(3), (1_000, 100))
        assert sample.mean() == pytest.approx(truth, abs=5 * sample.std() / sqrt(sample.size))
    for cells in coverage.TABLES.values():
        assert sum(cells) == pytest.approx(1)


def test_a_sample_without_an_interval_counts_neither_way():
    figure = coverage._lowest("m", 4, {"a": np.array([1.0, 0.0, np.nan, np.nan]), "b": np.ones(4)})
    assert (figure.share, figure.undefined, figure.population, figure.simulations) == (0.5, 0.5, "a", 4)
    assert figure.error == pytest.approx(sqrt(0.25 / 2))


@pytest.mark.parametrize(("n", "size"), [(1, 10), (24, 10), (26, 40), (40, 40), (69, 40), (71, 100), (5_000, 100)])
def test_the_figure_beside_an_interval_is_the_one_of_the_nearest_size(n, size):
    assert coverage.nearest(WILSON, n) == STORED[WILSON, size]


def test_a_method_that_is_not_simulated_has_no_figure():
    assert coverage.nearest("a guess", 40) is None


def test_the_same_simulation_gives_the_same_figure_twice():
    assert coverage.simulate_all(200, sizes=(10,)) == coverage.simulate_all(200, sizes=(10,))


def test_a_figure_says_itself_with_its_error_and_where_it_is_lowest():
    figure = coverage.Coverage("Wilson", 10, 0.917, 0.002, "rate 0.95", 0.0, 20_000)
    assert list(coverage.lines([figure])) == ["Wilson, n = 10: 91.7 % (Monte Carlo error 0.2), lowest at: rate 0.95"]
    some = coverage.Coverage("m", 10, 0.9, 0.004, "p", 0.125, 20_000)
    assert next(coverage.lines([some])).endswith("lowest at: p, no interval in 12.5 %")

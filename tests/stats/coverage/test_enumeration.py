"""Coverage without random numbers: every possible sample, weighted by its probability."""

from math import comb

import numpy as np
import pytest
from scipy.stats import binom, multinomial

from evalcore.stats.coverage import stored
from evalcore.stats.coverage.populations import RATES, TABLES
from evalcore.stats.means import SEED, bootstrap_mean
from evalcore.stats.proportions import Paired, exact_rate, newcombe_paired, normal_rate, wilson

STORED = {f.row: f for f in stored()}
CELLS = {
    "few flips, high rates": (0.85, 0.08, 0.02, 0.05),
    "many flips": (0.5, 0.2, 0.15, 0.15),
    "no difference": (0.6, 0.1, 0.1, 0.2),
    "one-sided flips": (0.75, 0.15, 0.0, 0.1),
    "nearly equal runs, 5 in 100 flip one way": (0.5, 0.05, 0.0, 0.45),
    "nearly equal runs, 2 in 100 flip one way": (0.5, 0.02, 0.0, 0.48),
}


def assert_same(figure, exact, defined=None):
    """``exact`` shares of the samples with an interval, which are a share ``defined`` of all, each 1 unless given."""
    assert set(figure.shares) == set(exact)
    for name, share in figure.shares.items():
        samples = figure.simulations * (1 if defined is None else defined[name])
        error = np.sqrt(exact[name] * (1 - exact[name]) / samples)
        assert share == pytest.approx(exact[name], abs=4 * error + 1e-12), name
    assert figure.share == pytest.approx(min(exact.values()), abs=4 * figure.error)


def of_rates(interval, n):
    limits = [interval(hits, n) for hits in range(n + 1)]
    return {
        name: sum(
            binom.pmf(hits, n, population.truth) for hits, i in enumerate(limits) if i.low <= population.truth <= i.high
        )
        for name, population in RATES.items()
    }


@pytest.mark.parametrize("n", [6, 10, 24, 40, 100])
def test_wilsons_figure_is_its_exact_coverage(n):
    assert_same(STORED[f"wilson-{n}"], of_rates(wilson, n))


@pytest.mark.parametrize("n", [6, 10, 24, 40, 100])
def test_clopper_and_pearsons_figure_is_its_exact_coverage_and_never_below_its_level(n):
    exact = of_rates(exact_rate, n)
    assert_same(STORED[f"clopper-pearson-{n}"], exact)
    assert min(exact.values()) >= 0.95


def listed(hits, n):
    return bootstrap_mean(np.repeat([1.0, 0.0], [hits, n - hits]), seed=SEED, resamples=2_000)


@pytest.mark.parametrize("n", [6, 10, 24, 40, 100])
@pytest.mark.parametrize(("slug", "interval"), [("normal", normal_rate), ("hits-resampled", listed)])
def test_the_figure_of_an_interval_that_all_or_no_hits_do_not_have_is_its_exact_coverage_of_the_others(
    slug, interval, n
):
    figure, inside = STORED[f"{slug}-{n}"], range(1, n)
    limits = [interval(hits, n) for hits in inside]
    exact, defined = {}, {}
    for name, population in RATES.items():
        p = binom.pmf(inside, n, population.truth)
        held = [i.low <= population.truth <= i.high for i in limits]
        defined[name] = 1 - population.truth**n - (1 - population.truth) ** n
        exact[name] = float(p[held].sum()) / defined[name]
    assert interval(0, n).low is interval(n, n).low is None
    assert_same(figure, exact, defined)
    none = 1 - defined[figure.population]
    assert figure.undefined == pytest.approx(none, abs=4 * np.sqrt(none * (1 - none) / figure.simulations) + 1e-12)


@pytest.mark.parametrize("n", [10, 40])
def test_newcombes_figure_is_its_exact_coverage(n):
    tables = [(a, b, c, n - a - b - c) for a in range(n + 1) for b in range(n + 1 - a) for c in range(n + 1 - a - b)]
    assert len(tables) == comb(n + 3, 3)
    intervals = [newcombe_paired(Paired(*t)) for t in tables]

    def exact(name):
        truth = TABLES[name].truth
        held = np.array([i.low <= truth <= i.high for i in intervals])
        return float(multinomial.pmf(tables, n, CELLS[name])[held].sum())

    assert_same(STORED[f"newcombe-paired-{n}"], {name: exact(name) for name in TABLES})


def test_newcombes_figure_of_two_in_a_hundred_one_sided_flips_is_its_exact_coverage_at_a_hundred():
    """No flip is against: a table is the questions that both hit, and the flips."""
    held = 0.0
    for flips in range(13):
        both = np.arange(101 - flips)
        inside = [
            i.low <= 0.02 <= i.high
            for i in (newcombe_paired(Paired(int(a), flips, 0, 100 - flips - int(a))) for a in both)
        ]
        held += binom.pmf(flips, 100, 0.02) * float(binom.pmf(both, 100 - flips, 0.5 / 0.98)[inside].sum())
    assert held == pytest.approx(0.886, abs=0.001)
    figure = STORED["newcombe-paired-100"]
    assert figure.shares["nearly equal runs, 2 in 100 flip one way"] == pytest.approx(held, abs=4 * figure.error)

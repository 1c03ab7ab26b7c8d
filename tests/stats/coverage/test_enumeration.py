"""Coverage without random numbers: every possible sample, weighted by its probability."""

from math import comb

import numpy as np
import pytest
from scipy.stats import binom, multinomial

from evalcore.stats.coverage import stored
from evalcore.stats.coverage.populations import RATES, TABLES
from evalcore.stats.proportions import Paired, exact_rate, newcombe_paired, wilson

STORED = {f.row: f for f in stored()}
CELLS = {
    "few flips, high rates": (0.85, 0.08, 0.02, 0.05),
    "many flips": (0.5, 0.2, 0.15, 0.15),
    "no difference": (0.6, 0.1, 0.1, 0.2),
    "one-sided flips": (0.75, 0.15, 0.0, 0.1),
}


def assert_same(figure, exact):
    assert set(figure.shares) == set(exact)
    for name, share in figure.shares.items():
        error = np.sqrt(exact[name] * (1 - exact[name]) / figure.simulations)
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

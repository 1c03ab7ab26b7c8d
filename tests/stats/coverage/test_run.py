"""The simulation once more, smaller and from other random numbers, against the stored figures and stated bounds."""

from math import sqrt

import numpy as np
import pytest

from evalcore.stats.coverage import ROWS, counts, keeps_word, ranks, scores, simulate_all, stored
from evalcore.stats.coverage.kinds import PLACES
from evalcore.stats.coverage.run import lowest, simulate

STORED = {f.row: f for f in stored()}
# one sample at a time and two thousand resamples: dear
RESAMPLED = ("bootstrap", "kappa")
FEW, MANY = 600, 4_000
BOUNDS = {}
every = pytest.mark.parametrize("row", ROWS)


def smaller():
    dear = [row for row in ROWS if any(word in row for word in RESAMPLED)]
    cheap = [row for row in ROWS if row not in dear]
    figures = [*simulate_all(FEW, seed=7, rows=dear), *simulate_all(MANY, seed=7, rows=cheap)]
    return {f.row: f for f in figures}


@pytest.fixture(scope="module")
def again():
    return smaller()


@pytest.fixture(scope="module")
def too_narrow():
    """The same with every function asked for its 80 % interval."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (scores, counts, ranks):
            patch.setattr(module, "LEVEL", 0.8)
        return smaller()


def holds(figure):
    return figure.share + 3 * figure.error >= BOUNDS[figure.row]


def test_every_interval_has_a_stated_bound():
    assert list(BOUNDS) == list(ROWS)


@every
def test_an_interval_holds_its_stated_bound(row, again):
    assert STORED[row].share >= BOUNDS[row]
    assert holds(again[row])


@every
def test_the_bound_notices_an_interval_that_is_too_narrow(row, too_narrow):
    assert not holds(too_narrow[row])


@every
def test_a_stored_figure_is_found_again_from_other_random_numbers(row, again):
    stored, fresh = STORED[row], again[row]
    for name, share in stored.shares.items():
        # the share of samples with an interval is known only where the figure is lowest; kappa's differ by population
        simulations = fresh.simulations * (1 - max(stored.undefined, fresh.undefined))
        error = sqrt(share * (1 - share) * (1 / simulations + 1 / stored.simulations))
        assert abs(share - fresh.shares[name]) <= 4.5 * error + 2 / fresh.simulations, name
    if stored.population == fresh.population:
        undefined = stored.undefined
        error = sqrt(undefined * (1 - undefined) * (1 / stored.simulations + 1 / fresh.simulations))
        assert abs(undefined - fresh.undefined) <= 4 * error + 1e-12


def test_which_intervals_keep_their_word():
    assert [row for row in ROWS if keeps_word(STORED[row])] == []


def test_a_sample_without_an_interval_counts_neither_way():
    kind, design = PLACES["wilson-10"]
    figure = lowest(kind, design, {"a": np.array([1.0, 0.0, np.nan, np.nan]), "b": np.ones(4)})
    assert (figure.share, figure.undefined, figure.population, figure.simulations) == (0.5, 0.5, "a", 4)
    assert figure.error == pytest.approx(sqrt(0.25 / 2))
    assert figure.shares == {"a": 0.5, "b": 1.0}
    assert (figure.interval, figure.n, figure.size, figure.row) == ("Wilson", 10, "n = 10", "wilson-10")


def test_the_number_of_workers_changes_no_figure_and_each_is_counted_once():
    rows = ("kappa-jackknife-8x7", "wilson-6", "bca-bootstrap-10", "auc-10-6", "t-10")
    counted = []
    alone = simulate_all(200, rows=rows)
    shared = simulate_all(200, rows=rows, workers=2, done=lambda: counted.append(1))
    assert alone == shared == simulate_all(200, rows=rows)
    assert [f.row for f in shared] == list(rows)
    assert len(counted) == len(rows)


def test_a_figure_depends_on_its_seed_and_on_no_other_figure():
    assert simulate("t-10", 200, 1) == simulate_all(200, seed=1, rows=("wilson-6", "t-10"))[1]
    assert simulate("t-10", 200, 1).shares != simulate("t-10", 200, 2).shares

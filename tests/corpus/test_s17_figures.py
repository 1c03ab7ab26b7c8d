"""The worked figures of s17, recomputed from the data in its text."""

import numpy as np
import pytest

from tests.corpus.reading import data, says

S = "s17"


def _r(x, y):
    dx, dy = x - x.mean(), y - y.mean()
    return (dx * dy).sum() / ((dx**2).sum() * (dy**2).sum()) ** 0.5


def _slope(x, y):
    return ((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum()


def _sse(x, y):
    return ((y - y.mean() - _slope(x, y) * (x - x.mean())) ** 2).sum()


def _listed(values):
    return ", ".join(f"{value + 0.0:g}" for value in values)  # adding 0.0 turns -0 into 0


@pytest.fixture
def fair():
    x = np.array(data(S, "arm spans of 158, 163, 166, 170, 174, 177 and 182 cm"))
    y = np.array(data(S, "in the same order, were 161, 167, 166, 173, 172, 178 and 180 cm"))
    return x, y


@pytest.fixture
def wheat():
    x = np.array(data(S, "Spring rainfall was 310, 340, 370, 420, 460, 500, 550 and 570 mm"))
    y = np.array(data(S, "Wheat yields were 3.4, 3.1, 4.4, 3.9, 4.7, 4.2, 5.5 and 5.0 tonnes"))
    return x, y


@pytest.fixture
def car():
    x = np.array(data(S, "steady speeds of 30, 50, 70, 90 and 110 km/h"))
    y = np.array(data(S, "used 7.9, 6.0, 5.3, 5.9 and 8.1 litres"))
    return x, y


@pytest.fixture
def cool():
    return (
        np.array(data(S, "were 12, 15, 19 and 14 in four cool weeks")),
        np.array(data(S, "numbered 2, 1, 2 and 3 in the cool weeks")),
    )


@pytest.fixture
def hot():
    return (
        np.array(data(S, "and 34, 38, 36 and 32 in four hot ones")),
        np.array(data(S, "and 8, 7, 9 and 7 in the hot ones")),
    )


def test_the_means_of_span_and_height_are_recomputed(fair):
    x, y = fair
    says(S, "arm spans have mean {:g} cm and the heights have mean {:g} cm", x.mean(), y.mean())


def test_the_deviations_and_products_of_span_and_height_are_recomputed(fair):
    x, y = fair
    dx, dy = x - x.mean(), y - y.mean()
    says(S, "The span deviations are {} and the height deviations are {}.", _listed(dx), _listed(dy))
    says(S, "Products {} add to {:g}", _listed(dx * dy), (dx * dy).sum())
    says(S, "the squared deviations add to {:g} for span and {:g} for height", (dx**2).sum(), (dy**2).sum())


def test_the_correlation_of_span_and_height_is_recomputed(fair):
    x, y = fair
    dx, dy = x - x.mean(), y - y.mean()
    says(S, "r = {:g} / √({:g} × {:g}) = {:.3f}", (dx * dy).sum(), (dx**2).sum(), (dy**2).sum(), _r(x, y))


def test_the_slope_from_r_and_the_standard_deviations_is_recomputed(fair):
    x, y = fair
    sx, sy, r = x.std(ddof=1), y.std(ddof=1), _r(x, y)
    assert r * sy / sx == pytest.approx(_slope(x, y))
    says(
        S,
        "s_x = {:.2f} cm and s_y = {:.2f} cm, so b = {:.3f} × {:.2f} / {:.2f} = {:.3f}",
        sx,
        sy,
        r,
        sy,
        sx,
        r * sy / sx,
    )
    says(S, "{:.3f} cm of predicted height per centimetre of span", _slope(x, y))


def test_the_slope_in_metres_and_the_unchanged_correlation_are_recomputed(fair):
    x, y = fair
    says(
        S,
        "the slope falls from {:.3f} cm to {:.5f} m per centimetre of span, while r stays at {:.3f}",
        _slope(x, y),
        _slope(x, y / 100),
        _r(x, y / 100),
    )


def test_the_slope_for_predicting_span_from_height_is_recomputed(fair):
    x, y = fair
    assert _r(y, x) == pytest.approx(_r(x, y))
    says(
        S,
        "{:g} / {:g} = {:.3f} instead of {:.3f}",
        ((x - x.mean()) * (y - y.mean())).sum(),
        ((y - y.mean()) ** 2).sum(),
        _slope(y, x),
        _slope(x, y),
    )


def test_the_total_and_unexplained_variation_of_the_yields_are_recomputed(wheat):
    x, y = wheat
    says(
        S,
        "Around their mean of {:.3f} the yields have total variation {:.3f}; "
        "around the least-squares line SSE = {:.3f}",
        y.mean(),
        ((y - y.mean()) ** 2).sum(),
        _sse(x, y),
    )


def test_the_coefficient_of_determination_of_the_harvests_is_recomputed(wheat):
    x, y = wheat
    total = ((y - y.mean()) ** 2).sum()
    explained = 1 - _sse(x, y) / total
    assert explained == pytest.approx(_r(x, y) ** 2)
    assert _slope(x, y) > 0
    says(S, "r² = 1 − {:.3f} / {:.3f} = {:.3f}", _sse(x, y), total, explained)
    says(S, "r = √{:.3f} = {:.3f}", explained, explained**0.5)


def test_the_explained_and_unexplained_percentages_are_recomputed(wheat):
    share = 100 * _r(*wheat) ** 2
    says(S, "about {:.1f} % of the variation in yield", share)
    says(S, "the other {:.1f} % reflects everything else", 100 - share)
    says(
        S,
        "{:.1f} % of the points lie on the line, that {:.1f} % of predictions are right, or that "
        "rain produces {:.1f} %",
        share,
        share,
        share,
    )


def test_the_shares_explained_by_two_correlations_are_recomputed():
    high, low = data(S, 'A correlation of 0.8 is not "twice as good" as one of 0.4')
    says(
        S,
        "the explained shares are {:.0f} % and {:.0f} %, a ratio of {:.0f}",
        100 * high**2,
        100 * low**2,
        high**2 / low**2,
    )


def test_the_two_roots_of_the_coefficient_of_determination_are_recomputed():
    (share,) = data(S, "If r² = 0.49")
    says(S, "then r is {:.1f} for a rising line but {:.1f} for a falling one", share**0.5, -(share**0.5))


def test_the_correlation_in_the_restricted_rainfall_range_is_recomputed(wheat):
    x, y = wheat
    low, high = data(S, "rainfall between 370 and 500 mm")
    kept = (x >= low) & (x <= high)
    assert kept.sum() == 4
    assert data(S, "whose yields were 4.4, 3.9, 4.7 and 4.2 tonnes") == list(y[kept])
    says(S, "the correlation r drops from {:.3f} to {:.3f}", _r(x, y), _r(x[kept], y[kept]))


def test_the_correlations_of_speed_and_fuel_are_recomputed(car):
    x, y = car
    says(S, "The correlation is {:.2f}, yet fuel use", _r(x, y))
    says(
        S,
        "For the three lowest speeds alone r = {:.2f}; for the three highest, r = {:.2f}",
        _r(x[:3], y[:3]),
        _r(x[-3:], y[-3:]),
    )


def test_the_correlation_of_sales_and_accidents_over_all_weeks_is_recomputed(cool, hot):
    x, y = np.concatenate([cool[0], hot[0]]), np.concatenate([cool[1], hot[1]])
    says(S, "Over all eight weeks r = {:.2f}.", _r(x, y))


def test_the_correlations_within_cool_and_hot_weeks_are_recomputed(cool, hot):
    says(
        S,
        "Among the cool weeks the correlation of ice-cream sales and accidents is {:.2f}, "
        "and among the hot weeks it is {:.2f}",
        _r(*cool),
        _r(*hot),
    )

"""The worked figures of s16, recomputed from the data in its text."""

import numpy as np
import pytest

from tests.corpus.reading import data, says, table

S = "s16"


def _line(x, y):
    """Intercept and slope by the section's own formulas."""
    b = ((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum()
    return y.mean() - b * x.mean(), b


def _sse(x, y, a, b):
    return ((y - a - b * x) ** 2).sum()


def _listed(values):
    return ", ".join(f"{value + 0.0:g}" for value in values)  # adding 0.0 turns -0 into 0


@pytest.fixture
def typing():
    x = np.array(data(S, "practice times are 2, 4, 5, 6, 8, 9, 10 and 12 hours"))
    y = np.array(data(S, "matching speeds are 24, 31, 29, 38, 39, 47, 44 and 52 words"))
    return x, y


@pytest.fixture
def heating():
    x = np.array(data(S, "mean outdoor temperatures: −2, 1, 4, 6, 9 and 12 °C"))
    y = np.array(data(S, "Heating in those weeks cost 61, 54, 47, 45, 34 and 29 pounds"))
    return x, y


@pytest.fixture
def by_eye():
    return data(S, "the typing line ŷ = 20 + 2.5x is drawn by eye")


def test_the_residuals_of_the_line_drawn_by_eye_are_recomputed(typing, by_eye):
    x, y = typing
    a, b = by_eye
    (hours,) = data(S, "At 9 hours it predicts")
    seen = y[x == hours][0]
    says(
        S,
        "At {:g} hours it predicts {:.1f} words a minute; the learner in the log reached {:g}, so the residual is "
        "{:g} − {:.1f} = {:.1f}",
        hours,
        a + b * hours,
        seen,
        seen,
        a + b * hours,
        seen - a - b * hours,
    )
    (hours,) = data(S, "At 5 hours the same line predicts")
    seen = y[x == hours][0]
    says(
        S,
        "the same line predicts {:.1f}, the observed speed is {:g}, and the residual is {:.1f}",
        a + b * hours,
        seen,
        seen - a - b * hours,
    )


def test_the_flat_line_is_the_mean_and_its_residuals_add_to_zero(typing):
    _x, y = typing
    (level,) = data(S, "The flat line ŷ = 38")
    assert level == y.mean()
    says(S, "has residuals adding to exactly {:g}", (y - level).sum())


def test_the_sums_of_squared_errors_of_the_rival_lines_are_recomputed(typing, by_eye):
    x, y = typing
    says(
        S,
        "the flat line has SSE = {:g}, whereas the line drawn by eye has SSE = {:.1f}",
        _sse(x, y, y.mean(), 0),
        _sse(x, y, *by_eye),
    )


def test_the_typing_means_are_recomputed(typing):
    x, y = typing
    says(
        S,
        "x̄ = {:g} / {} = {:g} hours and ȳ = {:g} / {} = {:g} words a minute",
        x.sum(),
        len(x),
        x.mean(),
        y.sum(),
        len(y),
        y.mean(),
    )


def test_the_typing_deviations_products_and_squares_are_recomputed(typing):
    x, y = typing
    dx, dy = x - x.mean(), y - y.mean()
    says(S, "The deviations of the hours are {} and those of the speeds are {}.", _listed(dx), _listed(dy))
    says(S, "Their products, {}, add to {:g}.", _listed(dx * dy), (dx * dy).sum())
    says(S, "The squared hour deviations, {}, add to {:g}.", _listed(dx**2), (dx**2).sum())


def test_the_typing_slope_and_intercept_are_recomputed(typing):
    x, y = typing
    a, b = _line(x, y)
    sxy, sxx = ((x - x.mean()) * (y - y.mean())).sum(), ((x - x.mean()) ** 2).sum()
    says(S, "b = {:g} / {:g} = {:.3f}", sxy, sxx, b)
    says(S, "a = {:g} − ({:g} / {:g}) × {:g} = {:.3f}", y.mean(), sxy, sxx, x.mean(), a)
    says(S, "The line is ŷ = {:.3f} + {:.3f}x", a, b)


def test_the_typing_line_passes_through_the_point_of_means(typing):
    x, y = typing
    a, b = _line(x, y)
    assert a + b * x.mean() == pytest.approx(y.mean())
    says(S, "It passes through ({:g}, {:g}), the point of means", x.mean(), y.mean())


def test_the_typing_slope_prediction_and_intercept_in_words_are_recomputed(typing):
    x, y = typing
    a, b = _line(x, y)
    says(S, "a predicted typing speed about {:.2f} words a minute higher", b)
    (hours,) = data(S, "For 11 hours the prediction is")
    says(S, "For {:g} hours the prediction is {:.2f} words a minute", hours, a + b * hours)
    says(S, "The intercept, {:.1f} words a minute", a)
    says(S, "the shortest time in the log is {:g} hours", x.min())


def test_the_residual_table_is_recomputed(typing):
    x, y = typing
    a, b = _line(x, y)
    rows = table(S, "Hours")
    assert rows["Hours"] == list(x)
    assert rows["Observed"] == list(y)
    assert rows["Predicted"] == [float(f"{v:.2f}") for v in a + b * x]
    assert rows["Residual"] == [float(f"{v:.2f}") for v in y - a - b * x]
    assert rows["Squared"] == [float(f"{v:.2f}") for v in (y - a - b * x) ** 2]


def test_the_typing_residuals_add_to_zero(typing):
    x, y = typing
    a, b = _line(x, y)
    says(S, "The residuals of a least-squares line add to {:.0f}.", abs((y - a - b * x).sum()))
    says(S, "The residual table of the typing line ŷ = {:.3f} + {:.3f}x", a, b)
    assert sum(table(S, "Hours")["Residual"]) == pytest.approx(0, abs=1e-9)


def test_the_typing_sse_beats_the_line_drawn_by_eye(typing, by_eye):
    x, y = typing
    best, rival = _sse(x, y, *_line(x, y)), _sse(x, y, *by_eye)
    assert best < rival
    says(S, "the squares add to SSE = {:.2f}, smaller, as it must be, than the {:.1f} of", best, rival)


def test_the_standard_error_of_the_typing_residuals_is_recomputed(typing):
    x, y = typing
    sse = _sse(x, y, *_line(x, y))
    s = (sse / (len(x) - 2)) ** 0.5
    says(S, "s = √({:.2f} / {}) = {:.2f} words a minute", sse, len(x) - 2, s)
    assert 2 < s < 3  # "between two and three words a minute"


def test_no_typing_residual_reaches_the_outlier_cut_off(typing):
    x, y = typing
    a, b = _line(x, y)
    s = (_sse(x, y, a, b) / (len(x) - 2)) ** 0.5
    largest = abs(y - a - b * x).max()
    assert largest < 2 * s
    says(S, "exceeds 2s, which is {:.2f} words a minute", 2 * s)
    says(S, "The largest residual in the table is {:.2f} in size", largest)


def test_the_heating_line_is_recomputed(heating):
    x, y = heating
    a, b = _line(x, y)
    sxy, sxx = ((x - x.mean()) * (y - y.mean())).sum(), ((x - x.mean()) ** 2).sum()
    says(S, "x̄ = {:g} °C and ȳ = {:g} pounds", x.mean(), y.mean())
    says(S, "products of deviations add to {:g} and the squared temperature deviations to {:g}", sxy, sxx)
    says(S, "b = {:g} / {:g} = {:.3f} and a = {:g} + {:.3f} × {:g} = {:.2f}", sxy, sxx, b, y.mean(), -b, x.mean(), a)
    says(S, "so ŷ = {:.2f} − {:.3f}x", a, -b)


def test_the_heating_slope_and_intercept_in_words_are_recomputed(heating):
    x, y = heating
    a, b = _line(x, y)
    says(S, "predicted weekly heating cost by about {:.2f} pounds", -b)
    says(S, "a week with mean temperature 0 °C is predicted to cost {:.2f} pounds", a)
    assert x.min() < 0 < x.max()


def test_the_heating_residual_and_standard_error_are_recomputed(heating):
    x, y = heating
    a, b = _line(x, y)
    (degrees,) = data(S, "In the 9 °C week")
    seen, predicted = y[x == degrees][0], a + b * degrees
    says(
        S,
        "In the {:g} °C week the prediction is {:.2f} pounds and the residual {:g} − {:.2f} = {:.2f}",
        degrees,
        predicted,
        seen,
        predicted,
        seen - predicted,
    )
    sse = _sse(x, y, a, b)
    says(
        S,
        "The heating line has SSE = {:.2f}, so the typical miss is s = √({:.2f} / {}) = {:.2f} pounds",
        sse,
        sse,
        len(x) - 2,
        (sse / (len(x) - 2)) ** 0.5,
    )


def test_the_cooling_line_and_its_residuals_are_recomputed():
    x = np.array(data(S, "Water cooling for 0, 5, 10, 15 and 20 minutes"))
    y = np.array(data(S, "minutes reads 86, 68, 57, 50 and 46 °C"))
    a, b = _line(x, y)
    says(S, "ŷ = {:.1f} − {:.2f}x, with residuals {:.1f}, {:.1f}, {:.1f}, {:.1f} and {:.1f}", a, -b, *(y - a - b * x))
    says(S, "Positive, negative, positive")
    assert list(np.sign(y - a - b * x)) == [1, -1, -1, -1, 1]


def test_the_two_regressions_disagree_as_stated(typing):
    x, y = typing
    a, b = _line(x, y)
    c, d = _line(y, x)
    (speed,) = data(S, "which practice time matches 47 words")
    says(S, "matches {:g} words a minute gives {:.2f} hours", speed, (speed - a) / b)
    says(
        S,
        "has slope {:g} / {:g} = {:.4f} and predicts {:.2f} hours",
        ((x - x.mean()) * (y - y.mean())).sum(),
        ((y - y.mean()) ** 2).sum(),
        d,
        c + d * speed,
    )


def test_the_intercept_after_early_rounding_is_recomputed(typing):
    x, y = typing
    a, b = _line(x, y)
    says(
        S,
        "Rounding the typing slope to {:g} too early gives an intercept of {:g} instead of {:.3f}",
        round(b),
        y.mean() - round(b) * x.mean(),
        a,
    )

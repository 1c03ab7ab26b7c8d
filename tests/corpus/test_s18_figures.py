"""The worked figures of s18, recomputed from the data in its text."""

import numpy as np
import pytest
from scipy import stats

from tests.corpus.reading import data, says, table

S = "s18"
ALPHA = 0.05


def girths():
    return np.array(
        data(
            S,
            "The girths of the eight limes at chest height, in centimetres, are 60, 72, 85, 96, 108, 120, 139 and 160.",
        )
    )


def ages():
    return np.array(data(S, "Their ages in years, in the same order, are 38, 31, 52, 46, 67, 58, 74 and 82."))


def sums():
    x, y = girths(), ages()
    dx, dy = x - x.mean(), y - y.mean()
    return (dx**2).sum(), (dy**2).sum(), (dx * dy).sum()


def correlation():
    sxx, syy, sxy = sums()
    return sxy / np.sqrt(sxx * syy)


def t_and_p(r, n):
    t = r * np.sqrt(n - 2) / np.sqrt(1 - r**2)
    return t, 2 * stats.t.sf(abs(t), n - 2)


def line():
    sxx, _, sxy = sums()
    b = sxy / sxx
    return ages().mean() - b * girths().mean(), b


def critical(n):
    t = stats.t.ppf(1 - ALPHA / 2, n - 2)
    return t, t / np.sqrt(t**2 + n - 2)


def orchard():
    return data(S, "for a random sample of apple trees, with n = 150 and r = 0.21.")


def pilot():
    return data(S, "had given the opposite picture, with n = 10 and r = 0.58.")


def test_eight_limes_were_measured():
    assert len(girths()) == len(ages()) == 8


def test_the_sample_correlation_of_the_limes_is_recomputed():
    says(S, "the sample correlation comes to r = {:.3f}", correlation())
    says(S, "The value r = {:.3f} describes eight limes", correlation())
    assert correlation() == pytest.approx(stats.pearsonr(girths(), ages()).statistic)


def test_the_means_of_girth_and_age_are_recomputed():
    says(S, "x̄ = {:.0f} cm and the mean age is ȳ = {:.0f} years", girths().mean(), ages().mean())
    assert girths().mean() == round(girths().mean())
    assert ages().mean() == round(ages().mean())


def test_the_sums_of_squares_and_products_are_recomputed():
    sxx, syy, sxy = sums()
    says(
        S,
        "Σ(x − x̄)² = {:,.0f} for girth, Σ(y − ȳ)² = {:,.0f} for age and Σ(x − x̄)(y − ȳ) = {:,.0f} for the products",
        sxx,
        syy,
        sxy,
    )


def test_the_correlation_formula_is_worked_with_the_sums():
    sxx, syy, sxy = sums()
    says(S, "r = {:,.0f} / √({:,.0f} × {:,.0f}) = {:.4f}", sxy, sxx, syy, correlation())


def test_the_t_statistic_of_the_limes_is_recomputed():
    r, n = correlation(), len(girths())
    t, _ = t_and_p(r, n)
    says(S, "With n = {:d} the top of the test statistic is r√{:d} = {:.3f}", n, n - 2, r * np.sqrt(n - 2))
    says(S, "√(1 − r²) = {:.3f}, so that t = {:.2f} with df = {:d}", np.sqrt(1 - r**2), t, n - 2)


def test_the_p_value_of_the_limes_is_recomputed():
    _, p = t_and_p(correlation(), len(girths()))
    assert p == pytest.approx(stats.pearsonr(girths(), ages()).pvalue)
    says(S, "The two-sided p-value is about {:.4f}, far below {:.2f}", p, ALPHA)
    says(S, "Reading p = {:.4f} as", p)
    says(S, "there is a {:.2f}% chance that ρ is 0", 100 * p)


def test_the_limes_lie_beyond_the_critical_r():
    _, r_critical = critical(len(girths()))
    says(S, "{:.3f} lies beyond the critical value {:.3f} for n = {:d}", correlation(), r_critical, len(girths()))
    assert correlation() > r_critical


def test_the_table_of_critical_values_is_recomputed():
    columns = table(S, "n")
    assert len(columns["n"]) == 6
    for n, df, t, r in zip(columns["n"], columns["df"], columns["Critical t"], columns["Critical r"], strict=True):
        assert df == n - 2
        t_exact, r_exact = critical(n)
        assert t == pytest.approx(round(t_exact, 3), abs=1e-9)
        assert r == pytest.approx(round(r_exact, 3), abs=1e-9)


def test_the_soil_depth_test_is_recomputed_and_significant():
    n, r = orchard()
    t, p = t_and_p(r, n)
    says(S, "Here t = {:.2f}, with {:.0f} degrees of freedom, and p is about {:.3f}, so H₀ is rejected", t, n - 2, p)
    assert p < ALPHA


def test_the_share_of_variation_explained_by_soil_depth_is_recomputed():
    _, r = orchard()
    says(S, "r² = {:.3f}: the least-squares line accounts for a mere {:.1f}%", r**2, 100 * r**2)


def test_the_standard_error_of_the_soil_depth_line_is_recomputed():
    n, r = orchard()
    (spread,) = data(S, "If the yields have a standard deviation of 13 kg,")
    sse = (1 - r**2) * (n - 1) * spread**2
    says(S, "the typical error s of a prediction from soil depth is {:.2f} kg", np.sqrt(sse / (n - 2)))


def test_the_pilot_study_is_recomputed_and_not_significant():
    n, r = pilot()
    t, p = t_and_p(r, n)
    says(S, "t = {:.2f} falls short of the critical {:.3f}, and p is about {:.3f}", t, critical(n)[0], p)
    assert p > ALPHA
    assert r > orchard()[1]


def test_the_line_for_the_limes_is_recomputed():
    sxx, _, sxy = sums()
    a, b = line()
    says(S, "b = {:,.0f} / {:,.0f} = {:.3f} years per centimetre and its intercept a = {:.2f} years", sxy, sxx, b, a)
    says(S, "ŷ = {:.2f} + {:.3f}x", a, b)


def test_the_prediction_inside_the_data_is_recomputed():
    a, b = line()
    (girth,) = data(S, "For a lime of girth 130 cm")
    says(S, "the line predicts an age of {:.1f} years", a + b * girth)
    assert girths().min() < girth < girths().max()


def test_the_standard_error_of_the_residuals_is_recomputed():
    a, b = line()
    residuals = ages() - a - b * girths()
    s = np.sqrt((residuals**2).sum() / (len(residuals) - 2))
    says(S, "s = {:.2f} years, so an error of seven years", s)
    says(S, "with no bend and no stray tree")
    assert (abs(residuals) <= 2 * s).all()


def test_the_prediction_far_outside_the_data_is_recomputed():
    a, b = line()
    (girth,) = data(S, "A giant lime by the lock measures 400 cm")
    says(S, "the equation ŷ = {:.2f} + {:.3f}x obligingly returns {:.0f} years", a, b, a + b * girth)
    says(S, "a straight pattern was seen only between {:.0f} and {:.0f} cm", girths().min(), girths().max())
    says(S, "Its girth is {:.1f} times the largest in the sample", girth / girths().max())

"""The worked figures of s19, recomputed from the data in its text."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats

from tests.corpus.reading import data, says, table

S = "s19"
ODD = 7  # the eighth week
BUSIEST = 9  # the tenth week
FLOOD = -1  # the last day
MISTYPED = 1  # the second tray


def fit(x, y):
    x, y = np.array(x), np.array(y)
    n = len(x)
    assert n == len(y)
    dx, dy = x - x.mean(), y - y.mean()
    sxx = (dx**2).sum()
    b = (dx * dy).sum() / sxx
    a = y.mean() - b * x.mean()
    e = y - a - b * x
    sse = (e**2).sum()
    r = (dx * dy).sum() / np.sqrt(sxx * (dy**2).sum())
    return SimpleNamespace(
        n=n, x=x, y=y, a=a, b=b, e=e, sse=sse, s=np.sqrt(sse / (n - 2)), r=r, sxx=sxx, h=1 / n + dx**2 / sxx
    )


def without(whole, place):
    return fit(np.delete(whole.x, place), np.delete(whole.y, place))


def shop():
    return fit(
        data(S, "The spending in ten weeks, in hundreds of pounds, was 2, 3, 3, 4, 5, 5, 6, 7, 8 and 9."),
        data(S, "The orders in the same weeks numbered 43, 45, 56, 54, 68, 60, 70, 42, 93 and 90."),
    )


def stream():
    return fit(
        data(S, "The flows, in cubic metres per second, were 1.8, 2.1, 2.4, 2.6, 3.0, 3.3, 3.7, 4.1 and 16.0,"),
        data(S, "The sediment readings, in milligrams per litre, were 34, 22, 41, 29, 38, 25, 42, 33 and 150."),
    )


def days():
    return data(S, "the days to sprouting are 17, 14, 15, 11, 12, 9, 9 and 6.")


def typed():
    return fit(data(S, "The temperatures as typed, in degrees Celsius, are 12, 41, 15, 17, 18, 20, 22 and 24,"), days())


def corrected():
    return fit(data(S, "After correction the temperatures are 12, 14, 15, 17, 18, 20, 22 and 24,"), days())


def test_the_fit_to_all_ten_weeks_is_recomputed():
    f = shop()
    says(S, "For all ten weeks of the seed shop the line is ŷ = {:.2f} + {:.2f}x, with r = {:.3f}", f.a, f.b, f.r)
    says(S, "SSE = {:,.1f}, so s = √({:,.1f} / {:d}) = {:.2f}", f.sse, f.sse, f.n - 2, f.s)
    says(S, "the corridor reaches 2s = {:.2f} orders", 2 * f.s)


def test_the_odd_week_is_the_one_described():
    f = shop()
    says(S, "The eighth, with {:.0f} pounds spent and just {:.0f} orders", 100 * f.x[ODD], f.y[ODD])


def test_the_residual_of_the_odd_week_is_recomputed():
    f = shop()
    predicted = f.a + f.b * f.x[ODD]
    says(S, "In the odd week the line predicts {:.2f} orders", predicted)
    says(S, "the residual is {:.0f} − {:.2f} = {:.2f}", f.y[ODD], predicted, f.e[ODD])


def test_the_two_s_rule_picks_the_odd_week_alone():
    f = shop()
    assert list(np.flatnonzero(abs(f.e) > 2 * f.s)) == [ODD]
    says(S, "the next largest residual in size is {:.2f}", sorted(abs(f.e))[-2])


def test_the_fit_without_the_odd_week_is_recomputed():
    f, g = shop(), without(shop(), ODD)
    says(S, "A refit on the other nine weeks gives ŷ = {:.2f} + {:.2f}x and r = {:.3f}", g.a, g.b, g.r)
    says(S, "goes with {:.2f} more orders instead of {:.2f}", g.b, f.b)
    says(S, "SSE drops to {:.1f}, and s = √({:.1f} / {:d}) = {:.2f}, the divisor being 7", g.sse, g.sse, g.n - 2, g.s)
    assert f.x[ODD] > f.x.mean()
    assert f.b < g.b


def test_the_fall_in_sse_exceeds_the_squared_residual():
    f, g = shop(), without(shop(), ODD)
    squared, drop = f.e[ODD] ** 2, f.sse - g.sse
    says(S, "accounts for about {:.0f} of the original {:,.0f}, but the drop is about {:,.0f}", squared, f.sse, drop)
    assert drop == pytest.approx(squared / (1 - f.h[ODD]))
    assert drop > squared


def test_the_leverages_add_up_to_two_and_lie_between_their_bounds():
    for f in (shop(), stream(), typed()):
        assert f.h.sum() == pytest.approx(2)
        assert (f.h >= 1 / f.n - 1e-12).all()
        assert (f.h <= 1).all()


def test_the_leverage_rule_marks_the_tenth_week_alone():
    f = shop()
    says(S, "The eighth week has h = {:.3f}", f.h[ODD])
    says(
        S,
        "h = 1/{:d} + {:.1f}² / {:.1f} = {:.3f} against 4/{:d} = {:.3f}",
        f.n,
        f.x[BUSIEST] - f.x.mean(),
        f.sxx,
        f.h[BUSIEST],
        f.n,
        4 / f.n,
    )
    assert list(np.flatnonzero(f.h > 4 / f.n)) == [BUSIEST]
    assert f.x.argmax() == BUSIEST


def test_the_tenth_week_matters_half_as_much_as_the_eighth():
    f, g = shop(), without(shop(), BUSIEST)
    says(S, "The tenth week's residual is only {:.2f} orders", f.e[BUSIEST])
    says(S, "Leaving out that week alone lowers the slope from {:.2f} to {:.2f}", f.b, g.b)
    says(S, "half the change made by leaving out the eighth")
    assert abs(g.b - f.b) / abs(without(f, ODD).b - f.b) == pytest.approx(0.5, abs=0.01)


def test_no_point_is_marked_beyond_those_the_text_names():
    named = [
        (shop(), [ODD], [BUSIEST]),
        (stream(), [], [FLOOD % stream().n]),
        (typed(), [], [MISTYPED]),
        (corrected(), [], []),
    ]
    for f, beyond, far in named:
        assert list(np.flatnonzero(abs(f.e) > 2 * f.s)) == beyond
        assert list(np.flatnonzero(f.h > 4 / f.n)) == far


def test_the_fit_to_all_nine_days_is_recomputed():
    f = stream()
    says(S, "With all nine days the line is ŷ = {:.2f} + {:.2f}x and r = {:.3f}", f.a, f.b, f.r)


def test_the_flood_escapes_the_outlier_rule():
    f = stream()
    says(S, "The flood's residual is a harmless {:.2f} against a limit of 2s = {:.2f}", f.e[FLOOD], 2 * f.s)
    assert (abs(f.e) <= 2 * f.s).all()


def test_the_leverage_of_the_flood_is_recomputed():
    f = stream()
    says(S, "The mean flow is {:.2f} and Σ(x − x̄)² = {:.2f}", f.x.mean(), f.sxx)
    says(
        S,
        "the flood has h = 1/{:d} + {:.2f}² / {:.2f} = {:.3f}, more than twice the yardstick 4/{:d} = {:.3f}",
        f.n,
        f.x[FLOOD] - f.x.mean(),
        f.sxx,
        f.h[FLOOD],
        f.n,
        4 / f.n,
    )
    assert f.h[FLOOD] > 2 * 4 / f.n


def test_the_fit_without_the_flood_is_recomputed():
    g = without(stream(), FLOOD)
    p = stats.pearsonr(g.x, g.y).pvalue
    says(S, "Without the flood the eight ordinary days give a slope of {:.2f} and r = {:.3f}", g.b, g.r)
    says(S, "(p is about {:.2f})", p)
    says(S, "The handsome correlation of {:.3f} rested on one day", stream().r)


def test_the_prediction_in_the_gap_is_recomputed():
    f = stream()
    ordinary, flood = sorted(f.x)[-2:]
    says(S, "days with flows between {:.1f} and {:.1f}", ordinary, flood)
    *_, flow = data(S, "milligrams per litre at a flow of 10")
    assert ordinary < flow < flood
    says(S, "the line's prediction of {:.1f} milligrams per litre", f.a + f.b * flow)


def test_the_fit_to_the_temperatures_as_typed_is_recomputed():
    f = typed()
    says(S, "The fit has a slope of {:.3f} days per degree and r = {:.3f}", f.b, f.r)


def test_the_mistyped_tray_hides_from_the_outlier_rule():
    f = typed()
    says(S, "The second tray, with a residual of {:.2f}, stays inside 2s = {:.2f}", f.e[MISTYPED], 2 * f.s)
    worst = int(np.argmax(abs(f.e)))
    assert worst != MISTYPED
    assert (abs(f.e) <= 2 * f.s).all()
    says(S, "the largest residual in size, {:.2f}, belongs", f.e[worst])
    says(S, "the blameless tray at {:.0f} degrees", f.x[worst])


def test_the_leverage_betrays_the_mistyped_tray():
    f = typed()
    says(S, "its leverage, h = {:.3f} against 4/{:d} = {:.1f}", f.h[MISTYPED], f.n, 4 / f.n)
    assert list(np.flatnonzero(f.h > 4 / f.n)) == [MISTYPED]


def test_the_fit_to_the_corrected_temperatures_is_recomputed():
    f, g = typed(), corrected()
    assert list(np.flatnonzero(f.x != g.x)) == [MISTYPED]
    says(S, "the second tray was kept at {:.0f} degrees", g.x[MISTYPED])
    says(S, "the slope is {:.3f} and r = {:.3f}", g.b, g.r)
    says(S, "sprouting about {:.2f} days sooner", -g.b)
    says(S, "SSE shrinks from {:.2f} to {:.2f}", f.sse, g.sse)


def test_the_table_of_fits_is_recomputed():
    fits = [shop(), without(shop(), ODD), stream(), without(stream(), FLOOD), typed(), corrected()]
    columns = table(S, "Fit")
    assert columns["b"] == [round(f.b, 2 if abs(f.b) >= 1 else 3) for f in fits]
    assert columns["r"] == [round(f.r, 3) for f in fits]
    assert columns["SSE"] == [round(f.sse, 1 if f.sse >= 100 else 2) for f in fits]
    assert columns["s"] == [round(f.s, 2) for f in fits]


def test_the_report_and_the_warnings_repeat_the_recomputed_figures():
    f, g = shop(), without(shop(), ODD)
    says(S, "merely because r rises from {:.3f} to {:.3f}", f.r, g.r)
    says(S, "with it the slope is {:.2f}, without it {:.2f}", f.b, g.b)
    says(S, "dropping the flood lowered it from {:.3f} to {:.3f}", stream().r, without(stream(), FLOOD).r)


def test_six_points_are_too_few_for_the_two_s_rule():
    says(S, "With six points or fewer no residual can exceed 2s")
    # the squared residual of a point is at most (1 - h) SSE, and h is at least 1/n
    largest = {n: np.sqrt((n - 2) * (1 - 1 / n)) for n in range(3, 8)}
    assert all(largest[n] < 2 for n in range(3, 7))
    assert largest[7] > 2

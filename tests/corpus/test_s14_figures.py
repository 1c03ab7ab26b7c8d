"""The worked figures of section 14 (linear equations), recomputed from the section's own data."""

import numpy as np
import pytest

from tests.corpus.reading import data, says, table

SID = "s14"


def _plumber():
    return data(SID, "a call-out fee of £45 and then £38 for every hour")


def _candle():
    """Intercept and slope through the two readings."""
    y1, x1, y2, x2 = data(SID, "stands 19.4 cm tall after burning for 2 hours and 14.6 cm tall after 5 hours")
    slope = (y2 - y1) / (x2 - x1)
    return y1 - slope * x1, slope


def _plans():
    fee_a, rate_a = data(SID, "Plan A costs £8 plus £2.50 per GB")
    fee_b, rate_b = data(SID, "Plan B costs £14 plus £1 per GB")
    (fee_c,) = data(SID, "Plan C costs a flat £26")
    return {"Plan A": (fee_a, rate_a), "Plan B": (fee_b, rate_b), "Plan C": (fee_c, 0.0)}


def _mountain():
    x1, y1 = data(SID, "station 600 m above sea level is 14.1 °C")
    x2, y2 = data(SID, "another, 2,200 m above sea level, it is 3.7 °C")
    slope = (y2 - y1) / (x2 - x1)
    return x1, y1, x2, y2, y1 - slope * x1, slope


def _lake():
    return data(SID, "y = −31.2 + 0.021x")


def test_the_plumbers_bills_are_recomputed():
    fee, rate = _plumber()
    says(
        SID,
        "one hour costs £{:.0f}, two hours cost £{:.0f} and three hours cost £{:.0f}",
        *(fee + rate * x for x in (1, 2, 3)),
    )
    says(SID, "each extra hour adds the same £{:.0f}", rate)
    says(SID, "shrinks to y = {:.0f} + {:.0f}x", fee, rate)
    says(SID, "the intercept of £{:.0f} is a fixed cost", fee)
    says(SID, "the slope of £{:.0f} per hour is a per-unit cost", rate)


def test_the_bill_for_a_given_visit_is_recomputed():
    fee, rate = _plumber()
    (hours,) = data(SID, "For a visit of 2.5 hours")
    bill = fee + rate * hours
    says(SID, "y = {:.0f} + {:.0f} × {} = {:.0f}, so the bill is £{:.0f}", fee, rate, hours, bill, bill)
    says(SID, "adding {:.0f} and {:.0f} before multiplying", fee, rate)
    says(SID, "produce £{:.2f}", (fee + rate) * hours)


def test_the_visit_behind_a_given_bill_is_recomputed():
    fee, rate = _plumber()
    (bill,) = data(SID, "If the bill is £178")
    says(SID, "x = ({:.0f} − {:.0f}) / {:.0f} = {:.1f} hours", bill, fee, rate, (bill - fee) / rate)


def test_doubling_the_visit_does_not_double_the_bill():
    fee, rate = _plumber()
    two, four = fee + 2 * rate, fee + 4 * rate
    says(SID, "which rises from £{:.0f} to £{:.0f}", two, four)
    says(SID, "the average cost per hour falls from £{:.2f} to £{:.2f}", two / 2, four / 4)
    says(SID, "The £{:.0f} is paid only once", fee)
    says(SID, "the slope stays at £{:.0f} throughout", rate)
    assert four < 2 * two


def test_the_candles_slope_and_intercept_are_recomputed():
    y1, x1, y2, x2 = data(SID, "stands 19.4 cm tall after burning for 2 hours and 14.6 cm tall after 5 hours")
    a, b = _candle()
    says(SID, "b = ({} − {}) / ({:.0f} − {:.0f}) = {:.1f}", y2, y1, x2, x1, b)
    says(SID, "loses {:.1f} cm of height per hour", -b)
    says(SID, "a = {} − ({:.1f}) × {:.0f} = {:.1f}", y1, b, x1, a)
    says(SID, "Hence y = {:.1f} − {:.1f}x", a, -b)
    says(SID, "the candle was {:.1f} cm tall when lit and shortens by {:.1f} cm each hour", a, -b)


def test_the_candles_equation_passes_the_check_at_the_second_reading():
    _, _, y2, x2 = data(SID, "stands 19.4 cm tall after burning for 2 hours and 14.6 cm tall after 5 hours")
    a, b = _candle()
    assert a + b * x2 == pytest.approx(y2)
    says(SID, "the check at {:.0f} hours gives {:.1f} − {:.1f} = {:.1f}", x2, a, -b * x2, a + b * x2)


def test_the_candles_later_height_and_burning_time_are_recomputed():
    a, b = _candle()
    (later,) = data(SID, "After 8 hours its height")
    says(
        SID,
        "After {:.0f} hours its height should be {:.1f} − {:.1f} × {:.0f} = {:.1f} cm",
        later,
        a,
        -b,
        later,
        a + b * later,
    )
    end = -a / b
    says(SID, "x = {:.1f} / {:.1f} = {:.1f} hours, rounded from {:.3f}", a, -b, end, end)
    says(SID, "run from 0 to about {:.0f} hours", end)


def test_the_hourly_candle_heights_drop_steadily():
    heights = data(SID, "Heights of 22.6, 21.0, 19.4 and 17.8 cm")
    a, b = _candle()
    assert heights == pytest.approx([a + b * hour for hour in range(4)])
    drops = -np.diff(heights)
    assert drops == pytest.approx(drops[0])
    says(SID, "every drop is {:.1f} cm", drops[0])


def test_the_kettles_falls_are_recomputed():
    kettle = data(SID, "temperatures of 90, 74, 62, 53 and 46 °C")
    falls = -np.diff(kettle)
    says(SID, "fall by {:.0f}, then {:.0f}, then {:.0f}, then {:.0f} degrees", *falls)
    assert len(set(falls)) > 1


def test_the_equations_of_the_data_plans_are_recomputed():
    plans = _plans()
    says(SID, "so y = {:.0f} + {:.1f}x", *plans["Plan A"])
    says(SID, "so y = {:.0f} + {:.0f}x", *plans["Plan B"])


def test_the_table_of_plan_costs_is_recomputed():
    costs = table(SID, "Data used (GB)")
    used = np.array(costs["Data used (GB)"])
    for plan, (fee, rate) in _plans().items():
        assert costs[plan] == pytest.approx(fee + rate * used)


def test_the_break_even_points_of_the_plans_are_recomputed():
    plans = _plans()
    (fee_a, rate_a), (fee_b, rate_b), (fee_c, _) = plans.values()
    ab = (fee_b - fee_a) / (rate_a - rate_b)
    bc = (fee_c - fee_b) / rate_b
    says(SID, "{:.0f} + {:.1f}x = {:.0f} + {:.0f}x", fee_a, rate_a, fee_b, rate_b)
    says(
        SID,
        "gives {:.1f}x = {:.0f}, so x = {:.0f} GB, at a cost of £{:.0f}",
        rate_a - rate_b,
        fee_b - fee_a,
        ab,
        fee_a + rate_a * ab,
    )
    says(SID, "{:.0f} + {:.0f}x = {:.0f}, at x = {:.0f} GB", fee_b, rate_b, fee_c, bc)
    says(SID, "lines A and B cross at {:.0f} GB and lines B and C at {:.0f} GB", ab, bc)
    says(SID, "plan A is cheapest below {:.0f} GB, plan B between {:.0f} and {:.0f} GB", ab, ab, bc)


def test_the_cheapest_and_the_dearest_plan_are_as_stated():
    plans = _plans()
    (ab,) = data(SID, "plan A is cheapest below 4 GB")
    _, bc = data(SID, "plan B between 4 and 12 GB")
    light, heavy = data(SID, "At 2 GB plan C")[0], data(SID, "at 15 GB plan A is dearest")[0]

    def cost(x):
        return {plan: fee + rate * x for plan, (fee, rate) in plans.items()}

    for x, cheapest in ((ab / 2, "Plan A"), ((ab + bc) / 2, "Plan B"), (bc + 1, "Plan C")):
        assert min(cost(x), key=cost(x).get) == cheapest
    assert max(cost(light), key=cost(light).get) == "Plan C"
    assert max(cost(heavy), key=cost(heavy).get) == "Plan A"
    fees, rates = zip(*plans.values(), strict=False)
    assert list(fees) == sorted(fees)
    assert list(rates) == sorted(rates, reverse=True)


def test_the_mountain_slope_and_intercept_are_recomputed():
    x1, y1, x2, y2, a, b = _mountain()
    says(SID, "({} − {}) / ({:,.0f} − {:.0f}) = {:.4f} °C per metre", y2, y1, x2, x1, b)
    says(SID, "in kilometres it is {:.1f} °C per km", b * 1000)
    says(SID, "The intercept is {} + {:.4f} × {:.0f} = {:.1f} °C", y1, -b, x1, a)
    says(SID, "giving y = {:.1f} − {:.4f}x", a, -b)


def test_the_altitude_of_a_given_temperature_is_recomputed():
    x1, _, x2, _, a, b = _mountain()
    (wanted,) = data(SID, "the air on the mountain should be 8 °C")
    altitude = (a - wanted) / -b
    says(
        SID,
        "solve {:.0f} = {:.1f} − {:.4f}x, which gives x = {:.0f} / {:.4f} = {:,.0f} m",
        wanted,
        a,
        -b,
        a - wanted,
        -b,
        altitude,
    )
    assert x1 < altitude < x2
    assert 0 < data(SID, "the valley floor lies at 550 m")[0] < x1
    says(SID, "There, {:.1f} °C merely positions the line", a)


def test_the_lake_temperatures_are_recomputed():
    a, b = _lake()
    start, end = data(SID, "from 1980 to 2020")
    says(SID, "In {:.0f} the equation gives a reasonable {:.2f} °C", end, a + b * end)
    says(SID, "for x = 0 it would give {:.1f} °C", a)
    says(SID, "Letting x count the years since {:.0f} instead leaves the slope at {:.3f} °C per year", start, b)
    says(SID, "changes the intercept to {:.2f} °C, the value for {:.0f}", a + b * start, start)

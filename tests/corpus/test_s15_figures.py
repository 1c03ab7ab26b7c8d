"""The worked figures of section 15 (scatter plots), recomputed from the section's own data."""

import numpy as np
import pytest

from tests.corpus.reading import data, says, table

SID = "s15"


def _seedlings():
    columns = table(SID, "Light (h/day)")
    return np.array(columns["Light (h/day)"]), np.array(columns["Height (cm)"])


def _cars():
    first, last = data(SID, "aged 1 to 10 years")
    prices = data(SID, "17.8, 14.9, 12.6, 10.5, 9.0, 7.4, 6.3, 5.2, 4.5 and 3.8 thousand pounds")
    ages = np.arange(first, last + 1)
    assert len(ages) == len(prices)
    return ages, np.array(prices)


def _noise():
    levels = data(SID, "84, 78, 72, 66, 59 and 54 decibels")
    distances = data(SID, "at distances of 5, 10, 20, 40, 80 and 160 m")
    return np.array(distances), np.array(levels)


def _wheat():
    doses = data(SID, "0, 30, 60, 90, 120, 150, 180, 210 and 240 kg of fertiliser per hectare")
    yields = data(SID, "4.1, 5.3, 6.4, 7.2, 7.7, 7.9, 7.8, 7.3 and 6.6 tonnes per hectare")
    return np.array(doses), np.array(yields)


def test_the_hours_of_light_run_between_the_stated_ends():
    light, _ = _seedlings()
    says(SID, "The lamps burn for between {:.0f} and {:.0f} hours a day", light.min(), light.max())


def test_the_first_seedling_is_the_stated_point():
    light, height = _seedlings()
    says(SID, "The seedling with {:.0f} hours of light and a height of {:.0f} cm", light[0], height[0])
    says(SID, "becomes the point ({:.0f}, {:.0f})", light[0], height[0])


def test_the_two_seedlings_with_equal_light_differ_as_stated():
    light, height = _seedlings()
    (hours,) = data(SID, "The two seedlings at 6 hours of light")
    low, high = sorted(height[light == hours])
    says(SID, "are {:.0f} cm and {:.0f} cm tall, a difference of {:.0f} cm", low, high, high - low)


def test_the_seedling_means_are_recomputed():
    light, height = _seedlings()
    says(SID, "The mean light is {:.1f} hours and the mean height is {:.1f} cm", light.mean(), height.mean())


def test_the_quadrant_counts_of_the_seedlings_are_recomputed():
    light, height = _seedlings()
    bright, tall = light > light.mean(), height > height.mean()
    both, neither = np.sum(bright & tall), np.sum(~bright & ~tall)
    says(SID, "{} lie above both means and {} lie below both", both, neither)
    odd = np.sum(~bright & tall), np.sum(bright & ~tall)
    says(SID, "only {} has low light with tall growth and only {} has high light with short growth", *odd)
    says(SID, "Agreement outnumbers disagreement by {} to {}", both + neither, sum(odd))
    assert not np.any(light == light.mean())
    assert not np.any(height == height.mean())
    assert np.corrcoef(light, height)[0, 1] > 0.8


def test_the_exception_to_the_seedling_pattern_is_as_stated():
    light, height = _seedlings()
    more, tall, less = data(
        SID, "the plant with 8 hours of light, at 13 cm, is shorter than one of the plants with 6 hours"
    )
    assert list(height[light == more]) == [tall]
    assert np.sum(height[light == less] > tall) == 1


def test_the_vertical_strip_of_seedlings_is_recomputed():
    light, height = _seedlings()
    low, high = data(SID, "All seedlings with 9 to 12 hours of light")
    strip = height[(light >= low) & (light <= high)]
    says(SID, "hours of light stand between {:.0f} and {:.0f} cm tall", strip.min(), strip.max())


def test_the_falls_in_car_price_are_recomputed():
    _, prices = _cars()
    falls = -np.diff(prices)
    says(SID, "falls by {:.1f} thousand pounds between the first and second cars", falls[0])
    says(SID, "by only {:.1f} between the ninth and tenth", falls[-1])
    ratios = 100 * prices[1:] / prices[:-1]
    says(
        SID,
        "each price is between {:.0f}% and {:.0f}% of the one before",
        np.floor(ratios.min()),
        np.ceil(ratios.max()),
    )


def test_the_ruler_through_the_end_cars_is_recomputed():
    ages, prices = _cars()
    rate = (prices[0] - prices[-1]) / (ages[-1] - ages[0])
    ruler = prices[0] - rate * (ages - ages[0])
    says(
        SID,
        "it drops ({} − {}) / {:.0f} = {:.2f} thousand pounds a year",
        prices[0],
        prices[-1],
        ages[-1] - ages[0],
        rate,
    )
    (age,) = data(SID, "At 5 years the ruler reads")
    says(SID, "At {:.0f} years the ruler reads {:.1f} thousand pounds", age, ruler[ages == age][0])
    says(SID, "the five-year-old car is advertised at {:.1f}", prices[ages == age][0])
    assert np.all(prices[1:-1] < ruler[1:-1])
    (beyond,) = data(SID, "At 13 years the ruler")
    says(SID, "At {:.0f} years the ruler reads {:.1f} thousand pounds", beyond, prices[0] - rate * (beyond - ages[0]))


def test_the_outlying_car_is_ordinary_in_each_variable_only():
    ages, prices = _cars()
    age, price = data(SID, "an eleventh car, 9 years old and priced at 14.0 thousand pounds")
    assert ages.min() < age < ages.max()
    assert prices.min() < price < prices.max()
    says(SID, "lying between {:.0f} and {:.0f} years", ages.min(), ages.max())
    says(SID, "lying between {:.1f} and {:.1f} thousand pounds", prices.min(), prices.max())
    says(SID, "the other nine-year-old costs {:.1f} thousand pounds less", price - prices[ages == age][0])


def test_the_outlying_car_escapes_both_box_plots():
    ages, prices = _cars()
    age, price = data(SID, "an eleventh car, 9 years old and priced at 14.0 thousand pounds")
    for values, new in ((ages, age), (prices, price)):
        ordered = np.sort(np.append(values, new))
        half = len(ordered) // 2
        q1, q3 = np.median(ordered[:half]), np.median(ordered[-half:])
        assert np.all(ordered >= q1 - 1.5 * (q3 - q1))
        assert np.all(ordered <= q3 + 1.5 * (q3 - q1))


def test_the_outlying_car_is_beyond_two_s_of_the_fitted_line():
    ages, prices = _cars()
    age, price = data(SID, "an eleventh car, 9 years old and priced at 14.0 thousand pounds")
    x, y = np.append(ages, age), np.append(prices, price)
    b, a = np.polyfit(x, y, 1)
    residuals = y - a - b * x
    s = np.sqrt((residuals**2).sum() / (len(x) - 2))
    assert list(np.flatnonzero(abs(residuals) > 2 * s)) == [len(x) - 1]


def test_the_noise_falls_per_metre_are_recomputed():
    distances, levels = _noise()
    rates = -np.diff(levels) / np.diff(distances)
    says(SID, "the level falls by {:.1f} decibels per metre", rates[0])
    says(SID, "it falls by just {:.2f} decibels per metre", rates[-1])


def test_the_noise_falls_per_doubling_are_recomputed():
    distances, levels = _noise()
    assert distances[1:] / distances[:-1] == pytest.approx(2)
    says(SID, "each doubling costs {:.0f}, {:.0f}, {:.0f}, {:.0f} and {:.0f} decibels", *-np.diff(levels))


def test_the_rise_and_fall_of_the_wheat_yield_are_recomputed():
    doses, yields = _wheat()
    top = yields.argmax()
    says(SID, "The yield rises by {:.1f} tonnes up to {:.0f} kg", yields[top] - yields[0], doses[top])
    says(SID, "sinks by {:.1f} tonnes by {:.0f} kg", yields[top] - yields[-1], doses[-1])
    assert np.all(np.diff(yields[: top + 1]) > 0)
    assert np.all(np.diff(yields[top:]) < 0)


def test_the_promise_of_the_narrow_window_is_recomputed():
    doses, yields = _wheat()
    low, high = data(SID, "only doses from 0 to 90 kg")
    window = (doses >= low) & (doses <= high)
    gain = yields[window][-1] - yields[window][0]
    says(
        SID,
        "would see {} points on a nearly straight line",
        ["no", "one", "two", "three", "four", "five"][np.sum(window)],
    )
    says(SID, "gaining {:.1f} tonnes in all", gain)
    promise = yields[0] + gain / (high - low) * (doses[-1] - low)
    says(SID, "at that rate to {:.0f} kg would promise {:.1f} tonnes per hectare", doses[-1], promise)
    says(SID, "nearly twice the {:.1f} that the field delivered", yields[-1])
    assert 1.8 < promise / yields[-1] < 2


def test_the_cluster_means_are_recomputed_and_no_cluster_has_a_trend():
    ferns_x = data(SID, "light of 4, 4, 5 and 5 hours")
    ferns_y = data(SID, "heights of 8, 9, 8 and 9 cm")
    suns_x = data(SID, "sunflowers at 10, 10, 11 and 11 hours")
    suns_y = data(SID, "heights of 17, 18, 17 and 18 cm")
    says(SID, "The mean heights are {:.1f} and {:.1f} cm", np.mean(ferns_y), np.mean(suns_y))
    for x, y in ((ferns_x, ferns_y), (suns_x, suns_y)):
        assert np.corrcoef(x, y)[0, 1] == pytest.approx(0)
    assert np.corrcoef(ferns_x + suns_x, ferns_y + suns_y)[0, 1] > 0.9


def test_the_overplotted_positions_are_recomputed():
    readings, distances = data(SID, "300 noise readings are taken at 6 fixed distances")
    (levels,) = data(SID, "one of 10 whole decibel values")
    positions = distances * levels
    says(
        SID,
        "At most {:.0f} positions are available, so on average at least {:.0f} readings share each",
        positions,
        readings / positions,
    )

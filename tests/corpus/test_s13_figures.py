"""The worked figures of section 13 (z-scores and the rules for spread), recomputed from the section's own data."""

import numpy as np
import pytest

from tests.corpus.reading import data, says, table

SID = "s13"


def _marks():
    chemistry, history = data(SID, "68 in chemistry and 72 in history")
    mean_c, sd_c = data(SID, "The chemistry marks have a mean of 54 and a standard deviation of 8")
    mean_h, sd_h = data(SID, "the history marks have a mean of 66 and a standard deviation of 5")
    return chemistry, mean_c, sd_c, history, mean_h, sd_h


def _swims():
    _, mean_50, sd_50 = data(SID, "50 m freestyle have mean 27.4 s and standard deviation 1.2 s")
    _, mean_200, sd_200 = data(SID, "200 m freestyle have mean 132.5 s and standard deviation 6.5 s")
    fast_50, _, fast_200, _ = data(SID, "One swimmer clocks 25.6 s over 50 m; another clocks 124.7 s over 200 m")
    return fast_50, mean_50, sd_50, fast_200, mean_200, sd_200


def _herd():
    return data(SID, "a herd of 400 cows are bell-shaped, with mean 31 litres and standard deviation 4 litres")


def _rule():
    """The three percentages of the empirical rule as the text states them."""
    return data(
        SID,
        "about 68% of the values lie within one standard deviation of the mean, about 95% within two, "
        "and about 99.7% within three",
    )


def _deliveries():
    return np.array(data(SID, "18, 19, 20, 21, 21, 22, 22, 23, 23, 24, 24, 25, 26, 27, 28, 30, 33, 38, 47, 69"))


def _share_within(values, k):
    return 100 * np.mean(np.abs(values - values.mean()) <= k * values.std(ddof=1))


def test_the_marks_are_so_far_above_their_means():
    chemistry, mean_c, _, history, mean_h, _ = _marks()
    says(SID, "A mark of {:.0f} stands high above", chemistry)
    says(SID, "a mark of {:.0f} stands a little above", history)
    says(SID, "the chemistry mark is {:.0f} above its mean", chemistry - mean_c)
    says(SID, "the history mark is {:.0f} above its own", history - mean_h)
    says(SID, "a gap of {:.0f} marks impresses", chemistry - mean_c)
    says(SID, "its raw mark is {:.0f} lower", history - chemistry)


def test_the_z_scores_of_the_two_marks_are_recomputed():
    chemistry, mean_c, sd_c, history, mean_h, sd_h = _marks()
    z_c, z_h = (chemistry - mean_c) / sd_c, (history - mean_h) / sd_h
    says(SID, "z = ({:.0f} − {:.0f}) / {:.0f} = {:.2f}", chemistry, mean_c, sd_c, z_c)
    says(SID, "z = ({:.0f} − {:.0f}) / {:.0f} = {:.2f}", history, mean_h, sd_h, z_h)
    says(SID, "the chemistry mark is {:.2f} standard deviations above", z_c)
    says(SID, "the history mark is only {:.2f} standard deviations above", z_h)
    assert z_c > z_h
    assert chemistry < history


def test_the_matching_history_mark_is_recomputed():
    chemistry, mean_c, sd_c, _, mean_h, sd_h = _marks()
    z_c = (chemistry - mean_c) / sd_c
    match = mean_h + z_c * sd_h
    says(SID, "Put z = {:.2f} into the history scale: {:.0f} + {:.2f} × {:.0f} = {:.2f}", z_c, mean_h, z_c, sd_h, match)
    says(SID, "A history mark of about {:.0f} would", match)
    says(SID, "as {:.0f} was in chemistry", chemistry)


def test_the_z_scores_of_the_two_swims_are_recomputed():
    fast_50, mean_50, sd_50, fast_200, mean_200, sd_200 = _swims()
    z_50, z_200 = (fast_50 - mean_50) / sd_50, (fast_200 - mean_200) / sd_200
    says(SID, "({} − {}) / {} = {:.1f}", fast_50, mean_50, sd_50, z_50)
    says(SID, "({} − {}) / {} = {:.1f}", fast_200, mean_200, sd_200, z_200)
    assert z_50 < z_200


def test_the_gaps_in_seconds_are_recomputed():
    fast_50, mean_50, _, fast_200, mean_200, _ = _swims()
    says(SID, "beat the average by {:.1f} s", mean_200 - fast_200)
    says(SID, "the 50 m swimmer by only {:.1f} s", mean_50 - fast_50)


def test_the_equivalent_long_swim_is_recomputed():
    fast_50, mean_50, sd_50, _, mean_200, sd_200 = _swims()
    z_50 = (fast_50 - mean_50) / sd_50
    says(SID, "{} − {:.1f} × {} = {:.2f} s", mean_200, -z_50, sd_200, mean_200 + z_50 * sd_200)


def test_the_milk_yield_intervals_are_recomputed():
    cows, mean, sd = _herd()
    one, two, _ = _rule()
    share = "About {:.0f}% of the herd, or {:.0f} cows, should give between {:.0f} and {:.0f} litres"
    says(SID, share, one, cows * one / 100, mean - sd, mean + sd)
    share = "About {:.0f}%, or {:.0f} cows, should give between {:.0f} and {:.0f} litres"
    says(SID, share, two, cows * two / 100, mean - 2 * sd, mean + 2 * sd)
    says(SID, "nearly all should fall between {:.0f} and {:.0f} litres", mean - 3 * sd, mean + 3 * sd)


def test_the_cows_in_the_tails_are_recomputed():
    cows, mean, sd = _herd()
    two = _rule()[1]
    out = cows * (100 - two) / 100
    says(
        SID, "The {:.0f}% outside {:.0f} to {:.0f} litres is {:.0f} cows", 100 - two, mean - 2 * sd, mean + 2 * sd, out
    )
    says(SID, "roughly {:.0f} cows should yield more than {:.0f} litres", out / 2, mean + 2 * sd)


def test_the_lopsided_milk_interval_is_recomputed():
    cows, mean, sd = _herd()
    one, two, _ = _rule()
    says(SID, "the milk yields between {:.0f} and {:.0f} litres", mean - sd, mean + 2 * sd)
    says(
        SID,
        "note that {:.0f} is one standard deviation below the mean and {:.0f} is two above",
        mean - sd,
        mean + 2 * sd,
    )
    says(SID, "Half of {:.0f}% is {:.0f}%, half of {:.0f}% is {:.1f}%", one, one / 2, two, two / 2)
    share = (one + two) / 2
    says(SID, "together they make {:.1f}%, which is {:.0f} of the {:.0f} cows", share, cows * share / 100, cows)
    tails = (100 - one) / 2, mean - sd, (100 - two) / 2, mean + 2 * sd
    says(SID, "leaves {:.0f}% of the yields below {:.0f} litres and {:.1f}% above {:.0f} litres", *tails)
    assert share + tails[0] + tails[2] == pytest.approx(100)


def test_the_delivery_mean_and_standard_deviation_are_recomputed():
    times = _deliveries()
    mean, s = times.mean(), times.std(ddof=1)
    says(SID, "Here are {} of them", len(times))
    says(SID, "x̄ = {:.1f} minutes and their standard deviation is s = {:.2f} minutes", mean, s)
    says(SID, "below the mean would be {:.1f} minutes", mean - 3 * s)


def test_the_chebyshev_statements_about_deliveries_are_recomputed():
    times = _deliveries()
    mean, s = times.mean(), times.std(ddof=1)
    inside = int(np.sum(np.abs(times - mean) <= 2 * s))
    floor = 100 * (1 - 1 / 2**2)
    says(
        SID,
        "at least {:.0f}% of the delivery times must lie between {:.1f} and {:.1f} minutes",
        floor,
        mean - 2 * s,
        mean + 2 * s,
    )
    says(SID, "In fact {} of the {} do, or {:.0f}%", inside, len(times), 100 * inside / len(times))
    (k,) = data(SID, "Setting k = 1.5 gives")
    says(SID, "Setting k = {} gives a floor of {:.1f}%", k, 100 * (1 - 1 / k**2))
    says(SID, 'Chebyshev\'s {:.0f}% as "{:.0f}% of deliveries"', floor, floor)
    says(SID, "since {:.0f}% is only a minimum", floor)
    says(SID, "halving the remaining {:.0f}%", 100 - floor)


def test_the_table_of_the_two_rules_is_recomputed():
    times = _deliveries()
    rows = table(SID, "Distance from mean")
    assert rows["Empirical rule"] == _rule()
    observed = [_share_within(times, k) for k in rows["Distance from mean"]]
    assert rows["Delivery times"] == pytest.approx(observed)
    says(SID, "| no promise |")
    for k, rule, seen in zip(rows["Distance from mean"][1:], _rule()[1:], observed[1:], strict=False):
        says(
            SID,
            "| within {:.0f} standard deviations | about {:g}% | at least {:.3g}% | {:.0f}% |",
            k,
            rule,
            100 * (1 - 1 / k**2),
            seen,
        )
    says(SID, "the delivery times reach {:.0f}% instead of {:.0f}%", observed[0], _rule()[0])


def test_the_unusual_delivery_is_recomputed():
    times = _deliveries()
    z = (times - times.mean()) / times.std(ddof=1)
    order = np.argsort(times)
    says(SID, "the delivery of {:.0f} minutes, with z = {:.2f}, is unusual", times[order[-1]], z[order[-1]])
    says(SID, "the next longest, {:.0f} minutes, has z = {:.2f}", times[order[-2]], z[order[-2]])
    assert np.sum(np.abs(z) > 2) == 1
    says(SID, "about 1 value in {:.0f} lies beyond two", 100 / (100 - _rule()[1]))


def test_the_coefficients_of_variation_in_milk_are_recomputed():
    sd_y, mean_y = data(SID, "yields have a standard deviation of 4 litres on a mean of 31 litres")
    sd_f, mean_f = data(SID, "fat content has a standard deviation of 3 g per litre on a mean of 42 g per litre")
    assert [mean_y, sd_y] == _herd()[1:]
    says(SID, "It is {:.1f}% for yield and {:.1f}% for fat", 100 * sd_y / mean_y, 100 * sd_f / mean_f)
    assert sd_y / mean_y > sd_f / mean_f


def test_the_temperature_scales_disagree_about_cv_but_not_about_z():
    mean, sd = data(SID, "Temperatures with mean 10 °C and standard deviation 5 °C")
    says(SID, "seem to have a CV of {:.0f}%", 100 * sd / mean)
    mean_f, sd_f = 1.8 * mean + 32, 1.8 * sd
    says(SID, "mean {:.0f} °F, standard deviation {:.0f} °F and a CV of {:.0f}%", mean_f, sd_f, 100 * sd_f / mean_f)
    (warm,) = data(SID, "20 °C and its equal")
    z = (warm - mean) / sd
    says(SID, "{:.0f} °C and its equal, {:.0f} °F, both have z = {:.0f}", warm, 1.8 * warm + 32, z)
    assert z == pytest.approx((1.8 * warm + 32 - mean_f) / sd_f)

"""Worked figures of section s02, recomputed from the data in its text."""

from statistics import mean, median, mode

from tests.corpus.reading import data, says

S = "s02"


def _day():
    return data(S, "five arrivals by day were coded 3, 3, 3, 3, 3 in triage")


def _night():
    return data(S, "five arrivals by night were coded 1, 1, 3, 4, 5.")


def _relabel(codes):
    new = data(S, "labels the same five categories 1, 2, 3, 6 and 10, in the same order")
    return [new[int(code) - 1] for code in codes]


def _celsius():
    return data(S, "A greenhouse log gives 10 °C at dawn, 20 °C at noon and 15 °C at dusk.")


def _fahrenheit():
    scale, shift = data(S, "F = 1.8C + 32")
    return [scale * c + shift for c in _celsius()]


def test_two_packets_hold_twice_the_seeds_of_one():
    (seeds,) = data(S, "half-hardy, 25 seeds")
    says(S, "Two packets of {:.0f} seeds hold {:.0f} seeds", seeds, 2 * seeds)


def test_a_plant_twice_as_tall_is_recomputed():
    (height,) = data(S, "height 30 cm, sow")
    says(S, "a plant of {:.0f} cm is twice as tall as one of {:.0f} cm", 2 * height, height)


def test_five_entries_of_the_catalogue_line_contain_numbers():
    line = data(S, "item 4071, nasturtium, orange, half-hardy, 25 seeds, 3.2 g, height 30 cm, sow above 12 °C")
    says(S, "{} of these entries contain numbers", {4: "Four", 5: "Five", 6: "Six"}[len(line)])


def test_the_average_item_number_is_recomputed():
    items = data(S, "the average of 4071 and 4073")
    says(S, "which is {:.0f}, may be the number of a turnip", mean(items))


def test_the_interval_behind_a_rounded_mass_is_recomputed():
    (mass,) = data(S, "A mass printed as 3.2 g, to the nearest tenth")
    half = 0.1 / 2
    says(S, "some mass between {:.2f} g and {:.2f} g", mass - half, mass + half)


def test_the_mean_triage_codes_of_both_shifts_are_recomputed():
    day, night = _day(), _night()
    says(S, "{:.0f} / {} = {:.1f} by day and", sum(day), len(day), mean(day))
    says(S, "by day and {:.0f} / {} = {:.1f} by night", sum(night), len(night), mean(night))
    assert mean(night) < mean(day)


def test_the_mean_codes_after_relabelling_are_recomputed():
    day, night = _relabel(_day()), _relabel(_night())
    assert day == _day()
    says(S, "By day nothing changes and the mean is still {:.1f}", mean(day))
    says(S, "the night's codes become {:.0f}, {:.0f}, {:.0f}, {:.0f}, {:.0f}, with mean", *night)
    says(S, "with mean {:.0f} / {} = {:.1f}", sum(night), len(night), mean(night))


def test_relabelling_reverses_the_order_of_the_means():
    assert mean(_night()) < mean(_day())
    assert mean(_relabel(_night())) > mean(_relabel(_day()))
    says(S, "instead of 1 to 5, the night looks less urgent than the day")


def test_the_median_code_survives_relabelling():
    medians = {median(codes) for codes in (_day(), _night(), _relabel(_day()), _relabel(_night()))}
    assert len(medians) == 1
    says(S, "the middle one of the five codes is {:.0f} in both shifts and under both labellings", *medians)


def test_the_count_of_most_urgent_arrivals_is_recomputed():
    night, day = _night(), _day()
    (most_urgent,) = data(S, "from 1 for immediate")
    assert day.count(most_urgent) == 0
    urgent = night.count(most_urgent)
    says(S, "{} of the {} night arrivals were in the most urgent category and none of the day's", urgent, len(night))


def test_the_greenhouse_readings_in_fahrenheit_are_recomputed():
    dawn, noon, dusk = _fahrenheit()
    says(S, "the same readings are {:.0f} °F, {:.0f} °F and {:.0f} °F", dawn, noon, dusk)


def test_the_ratios_of_noon_to_dawn_are_recomputed():
    c, f = _celsius(), _fahrenheit()
    says(S, "falls from {:.0f} / {:.0f} = {:.0f} to", c[1], c[0], c[1] / c[0])
    says(S, "to {:.0f} / {:.0f} = {:.2f}", f[1], f[0], f[1] / f[0])


def test_the_ratio_in_kelvins_is_recomputed():
    (shift,) = data(S, "K = C + 273.15")
    dawn, noon, _ = (c + shift for c in _celsius())
    says(S, "the ratio is {:.2f} / {:.2f}, or about {:.2f}", noon, dawn, noon / dawn)


def test_the_rise_and_fall_in_the_greenhouse_are_recomputed():
    dawn, noon, dusk = _celsius()
    says(S, "warmed by {:.0f} degrees in the morning and cooled by {:.0f} in the afternoon", noon - dawn, noon - dusk)
    fdawn, fnoon, fdusk = _fahrenheit()
    says(S, "in Fahrenheit the changes are {:.0f} and {:.0f} degrees", fnoon - fdawn, fnoon - fdusk)
    assert noon - dawn == 2 * (noon - dusk)
    assert round(fnoon - fdawn, 9) == round(2 * (fnoon - fdusk), 9)
    says(S, "the rise was twice the fall")


def test_the_heights_in_inches_are_recomputed():
    tall, short = data(S, "plants of 60 cm and 30 cm measure")
    (inch,) = data(S, "at 2.54 cm to the inch")
    says(S, "measure {:.1f} and {:.1f} inches", tall / inch, short / inch)
    assert tall == 2 * short


def test_the_percentages_of_flower_colours_are_recomputed():
    total, *counts = data(S, "Of 20 nasturtium varieties, let 8 be orange, 6 yellow, 4 red and 2 cream")
    assert sum(counts) == total
    says(S, "that is {:.0f}%, {:.0f}%, {:.0f}% and {:.0f}%", *(100 * c / total for c in counts))


def test_the_modal_flower_colour_is_recomputed():
    _, *counts = data(S, "Of 20 nasturtium varieties, let 8 be orange, 6 yellow, 4 red and 2 cream")
    colours = ["orange", "yellow", "red", "cream"]
    varieties = [colour for colour, count in zip(colours, counts, strict=True) for _ in range(int(count))]
    says(S, "with {} as the mode", mode(varieties))

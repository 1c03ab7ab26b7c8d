"""The worked figures of section s04, recomputed from the data its text gives."""

from collections import Counter
from itertools import accumulate

import pytest

from tests.corpus.reading import data, says, table

S = "s04"


def rainfall() -> list[float]:
    readings = data(
        S,
        "58, 41, 96, 63, 23, 74, 47, 85, 52, 60, 117, 38, 44, 71, 55, 80, 46, 67, 31, 59, 104, 53, 88, 62, 78",
    )
    assert len(readings) == data(S, "the June rainfall from 25 stations")[0]
    return readings


def rain_classes() -> list[tuple[float, float]]:
    low, high, second, _, last, _ = data(S, "the classes 20–39, 40–59 and so on up to 100–119")
    width = second - low
    classes = []
    while low <= last:
        classes.append((low, high))
        low, high = low + width, high + width
    return classes


def rain_counts() -> list[int]:
    return [sum(low <= x <= high for x in rainfall()) for low, high in rain_classes()]


def visits() -> list[float]:
    books = data(S, "2, 0, 1, 3, 2, 4, 1, 2, 0, 3, 1, 2, 6, 1, 4, 2, 3, 0, 1, 2, 4, 2, 1, 3, 5, 1, 2, 0, 4, 3")
    assert len(books) == data(S, "on each of 30 visits")[0]
    return books


def pool() -> dict[tuple[float, float], float]:
    n = data(S, "27 aged 0–9, 36 aged 10–19, 42 aged 20–39, 30 aged 40–59 and 15 aged 60–79")
    return {(n[i + 1], n[i + 2]): n[i] for i in range(0, len(n), 3)}


def test_the_rainfall_table_is_counted_from_the_readings():
    n = len(rainfall())
    counts = rain_counts()
    assert sum(counts) == n
    for (low, high), count, running in zip(rain_classes(), counts, accumulate(counts), strict=False):
        says(S, "| {:.0f}–{:.0f} | {} | {:.2f} | {:.2f} |", low, high, count, count / n, running / n)


def test_every_rainfall_class_holds_as_many_values_as_the_text_says():
    assert {high - low + 1 for low, high in rain_classes()} == {20}
    says(S, "each holds twenty possible whole-millimetre values")


def test_nearly_every_rainfall_total_occurs_only_once():
    assert max(Counter(rainfall()).values()) <= 2


def test_the_second_rainfall_row_is_read_correctly():
    n, counts = len(rainfall()), rain_counts()
    low, high = rain_classes()[1]
    says(S, "{} of the {} stations, a relative frequency of {}/{} = {:.2f}", counts[1], n, counts[1], n, counts[1] / n)
    says(S, "recorded between {:.0f} and {:.0f} mm", low, high)
    at_most = sum(x <= high for x in rainfall())
    says(S, "and {:.0f}% of the stations recorded {:.0f} mm or less", 100 * at_most / n, high)


def test_sixty_millimetres_is_an_ordinary_total():
    n = len(rainfall())
    reading, wet = data(
        S,
        "A reading of 60 mm lies just above the lower 48% of the stations, so it was an ordinary total that June, whereas 100 mm",
    )[::2]
    says(
        S,
        "A reading of {:.0f} mm lies just above the lower {:.0f}% of the stations",
        reading,
        100 * sum(x < reading for x in rainfall()) / n,
    )
    says(
        S,
        "whereas {:.0f} mm or more was reached at only {:.0f}% of the stations",
        wet,
        100 * sum(x >= wet for x in rainfall()) / n,
    )


def test_the_ordinary_reading_is_the_middle_one():
    reading = data(S, "Was 60 mm a high total among these stations")[0]
    assert sorted(rainfall())[len(rainfall()) // 2] == reading


def test_the_class_boundaries_lie_halfway_between_the_limits():
    first, second, third = rain_classes()[:3]
    lower, upper = (first[1] + second[0]) / 2, (second[1] + third[0]) / 2
    says(S, "the class {:.0f}–{:.0f} really runs from {:.1f} to {:.1f}", *second, lower, upper)
    says(
        S,
        "which makes its width {:.0f} mm and not {:.0f} − {:.0f} = {:.0f} mm",
        upper - lower,
        second[1],
        second[0],
        second[1] - second[0],
    )
    says(
        S,
        "a reading of {:.0f} mm stands for any amount from {:.1f} up to {:.1f} mm",
        first[1],
        first[1] - 0.5,
        first[1] + 0.5,
    )


def test_the_library_table_is_counted_from_the_visits():
    books, n = visits(), len(visits())
    counts = Counter(books)
    for value in sorted(counts):
        at_most = sum(x <= value for x in books)
        says(S, "| {:.0f} | {} | {:.2f} | {:.2f} |", value, counts[value], counts[value] / n, at_most / n)
    assert len(table(S, "Books")["Books"]) == len(counts) == 7
    says(S, "Only seven different values occur")


def test_the_library_phrases_at_most_and_fewer_than_are_counted():
    books, n = visits(), len(visits())
    limit = data(S, "were *at most* 2 books borrowed")[0]
    at_most, fewer = sum(x <= limit for x in books), sum(x < limit for x in books)
    says(S, "{} of {} visits, or {:.1f}%", at_most, n, 100 * at_most / n)
    says(S, "*Fewer than* {:.0f} stops one row earlier, at {} of {}, or {:.1f}%", limit, fewer, n, 100 * fewer / n)


def test_the_library_phrases_more_than_and_at_least_are_counted():
    books, n = visits(), len(visits())
    more, least = data(S, "For *more than* 3")[0], data(S, "*At least* 3")[0]
    up_to, above = sum(x <= more for x in books), sum(x > more for x in books)
    says(
        S, "up to {:.0f} from the whole: {} − {} = {} visits, which is {:.1f}%", more, n, up_to, above, 100 * above / n
    )
    below, from_here = sum(x < least for x in books), sum(x >= least for x in books)
    says(S, "giving {} − {} = {} visits, or {:.1f}%", n, below, from_here, 100 * from_here / n)


def test_the_two_meanings_of_between_are_counted():
    books, n = visits(), len(visits())
    low, high = data(S, "From 2 to 4 books *inclusive*")
    each = [sum(x == v for x in books) for v in range(int(low), int(high) + 1)]
    says(S, "covers {} + {} + {} = {} of the {} visits, or {:.1f}%", *each, sum(each), n, 100 * sum(each) / n)
    strict = [x for x in books if low < x < high]
    says(
        S,
        "strictly between {:.0f} and {:.0f} there is only the value {:.0f}, with {} visits, or {:.1f}%",
        low,
        high,
        strict[0],
        len(strict),
        100 * len(strict) / n,
    )
    assert len(set(strict)) == 1
    upper, before = sum(x <= high for x in books), sum(x < low for x in books)
    says(
        S,
        "{} visits up to {:.0f}, minus {} visits up to {:.0f}, leaves {}",
        upper,
        high,
        before,
        low - 1,
        upper - before,
    )
    says(
        S, "subtracting the {} visits up to {:.0f} would throw the {:.0f}s away", sum(x <= low for x in books), low, low
    )


def test_the_rounded_library_shares_do_not_add_to_one():
    n, counts = len(visits()), Counter(visits())
    errors = [round(c / n, 2) - c / n for c in counts.values()]
    says(S, "the result is {:.2f}, not 1", sum(round(c / n, 2) for c in counts.values()))
    says(S, "{} of them downwards and {} upwards", sum(e < 0 for e in errors), sum(e > 0 for e in errors))
    for error in errors:
        says(S, "every time by about {:.4f}", abs(error))


def test_accumulating_rounded_shares_goes_astray():
    n, counts = len(visits()), Counter(visits())
    first, second = round(counts[0] / n, 2), round(counts[1] / n, 2)
    exact = counts[0] + counts[1]
    says(
        S,
        "{:.2f} + {:.2f}, gives {:.2f}, whereas the exact share is {}/{}, which rounds to {:.2f}",
        first,
        second,
        first + second,
        exact,
        n,
        exact / n,
    )


def test_the_cumulative_shares_of_the_pool_are_recomputed():
    total = sum(pool().values())
    says(S, "There are {:.0f} swimmers", total)
    shares = [running / total for running in accumulate(pool().values())]
    says(S, "{:.2f}, {:.2f}, {:.2f}, {:.2f} and {:.2f}", *shares)


def test_the_shares_of_swimmers_under_forty_and_over_twenty_are_recomputed():
    total = sum(pool().values())
    age = data(S, "of the swimmers were under 40")[0]
    says(
        S,
        "{:.0f}% of the swimmers were under {:.0f}",
        100 * sum(c for (_, top), c in pool().items() if top < age) / total,
        age,
    )
    start = data(S, "were 20 or older")[0]
    before = sum(c for (_, top), c in pool().items() if top < start) / total
    says(S, "1 − {:.2f} = {:.2f}, that is {:.0f}%, were {:.0f} or older", before, 1 - before, 100 * (1 - before), start)


def test_a_pool_count_is_recovered_from_the_cumulative_shares():
    upper, lower, total = data(S, "(0.70 − 0.42) × 150")[0], data(S, "0.42) × 150")[0], sum(pool().values())
    recovered = (upper - lower) * total
    assert recovered == pytest.approx(pool()[(20, 39)])
    says(S, "({:.2f} − {:.2f}) × {:.0f} = {:.0f} people", upper, lower, total, recovered)


def test_the_number_under_thirty_is_only_known_to_a_range():
    total = sum(pool().values())
    age = data(S, "swimmers were under 30")[0]
    surely = sum(c for (_, top), c in pool().items() if top < age)
    possibly = sum(c for (low, _), c in pool().items() if low < age)
    says(S, "at least the {:.0f} who were under 20 and at most the {:.0f} who were under 40", surely, possibly)
    says(S, "somewhere from {:.0f}% to {:.0f}%", 100 * surely / total, 100 * possibly / total)


def test_an_age_class_runs_to_the_next_birthday():
    low, high = list(pool())[1]
    says(
        S,
        "the class {:.0f}–{:.0f} runs from {:.0f} to {:.0f} rather than from {:.1f} to {:.1f}",
        low,
        high,
        low,
        high + 1,
        low - 0.5,
        high + 0.5,
    )


def test_frequency_and_relative_frequency_disagree_about_the_older_swimmers():
    monday, older, _, saturday_older, saturday = data(
        S, "admits 40 swimmers, of whom 12 are 60 or older, against 15 of the 150 on Saturday"
    )
    assert saturday_older == pool()[(60, 79)]
    assert saturday == sum(pool().values())
    assert saturday_older > older
    assert older / monday > saturday_older / saturday
    says(S, "Monday leads with {:.0f}% against {:.0f}%", 100 * older / monday, 100 * saturday_older / saturday)


def test_the_misread_cumulative_share_is_contrasted_with_the_row():
    n, counts = len(rainfall()), rain_counts()
    running = sum(counts[:3]) / n
    says(S, 'the cumulative {:.2f} of the rainfall table as "{:.0f}% of stations had 60–79 mm"', running, 100 * running)
    says(S, "the row alone, whose share is {:.0f}%", 100 * counts[2] / n)


def test_the_shares_per_year_of_age_are_recomputed():
    total = sum(pool().values())
    wide, narrow = pool()[(20, 39)], pool()[(10, 19)]

    def years(ages: tuple[float, float]) -> float:
        return ages[1] - ages[0] + 1

    assert years((20, 39)) == 20
    assert wide == max(pool().values())
    says(S, "holds the largest share, {:.0f}%", 100 * wide / total)
    says(
        S,
        "only {:.1f}% for each year of age, against {:.1f}% for each year in the class 10–19",
        100 * wide / total / years((20, 39)),
        100 * narrow / total / years((10, 19)),
    )

"""The worked figures of s10 (mean, median and mode), recomputed from the data in the text."""

import statistics

import numpy as np

from tests.corpus.reading import data, says, table

WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]


def wages() -> list[float]:
    return data("s10", "410, 420, 420, 440, 455, 470, 480, 500 and 1,985")


def wages_without_owner() -> list[float]:
    return wages()[:-1]


def goals() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    columns = table("s10", "Goals")
    return np.array(columns["Goals"]), np.array(columns["Matches"]), np.array(columns["Goals × matches"])


def every_match() -> list[float]:
    value, frequency, _ = goals()
    return list(np.repeat(value, frequency.astype(int)))


def marks_and_credits() -> tuple[np.ndarray, np.ndarray]:
    marks = np.array(data("s10", "The marks are 72, 58, 64 and 81"))
    credits = np.array(data("s10", "worth 20, 40, 30 and 10 credits"))
    return marks, credits


def test_the_workshop_mean_wage_is_recomputed():
    pay = wages()
    says("s10", "A furniture workshop pays {} people", WORDS[len(pay)])
    says("s10", "wages add up to {:,.0f} pounds", sum(pay))
    says("s10", "their mean is {:,.0f} / {} = {:.0f} pounds", sum(pay), len(pay), statistics.mean(pay))
    says("s10", "The owner answers {:.0f}", statistics.mean(pay))


def test_the_workshop_median_and_its_place_are_recomputed():
    pay = wages()
    place = (len(pay) + 1) / 2
    says(
        "s10",
        "the place is ({} + 1)/2 = {:.0f}, and the fifth wage is {:.0f} pounds",
        len(pay),
        place,
        statistics.median(pay),
    )
    assert sorted(pay)[int(place) - 1] == statistics.median(pay)
    says("s10", "somebody at the benches answers {:.0f}", statistics.median(pay))


def test_the_workshop_mode_is_the_only_repeated_wage():
    pay = wages()
    assert len(statistics.multimode(pay)) == 1
    assert pay.count(statistics.mode(pay)) == 2
    says("s10", "so the mode is {:.0f} pounds", statistics.mode(pay))
    says("s10", "the payroll clerk answers {:.0f}", statistics.mode(pay))


def test_the_median_without_the_owner_is_recomputed():
    pay = sorted(wages_without_owner())
    place = (len(pay) + 1) / 2
    below, above = pay[int(place) - 1], pay[int(place)]
    says("s10", "there are {} wages, the place is {:.1f}", WORDS[len(pay)], place)
    says("s10", "halfway between {:.0f} and {:.0f}, at {:.1f} pounds", below, above, statistics.median(pay))
    says("s10", "The median drops only from {:.0f} to {:.1f}", statistics.median(wages()), statistics.median(pay))


def test_the_mean_without_the_owner_and_its_fall_are_recomputed():
    pay = wages_without_owner()
    mean = statistics.mean(pay)
    says("s10", "wages is {:,.0f} / {} = {:.1f} pounds", sum(pay), len(pay), mean)
    says("s10", "a fall of {:.1f}", statistics.mean(wages()) - mean)
    says("s10", "the mode stays at {:.0f}", statistics.mode(pay))


def test_eight_of_the_nine_wages_lie_below_the_mean():
    pay = wages()
    mean = statistics.mean(pay)
    below = sum(value < mean for value in pay)
    says("s10", "{} of the {} wages lie below the mean of {:.0f} pounds", WORDS[below], WORDS[len(pay)], mean)


def test_the_wage_bill_comes_back_from_the_mean_but_not_from_the_median():
    pay = wages()
    says("s10", "{} × {:.0f} = {:,.0f} pounds", len(pay), statistics.mean(pay), len(pay) * statistics.mean(pay))
    says(
        "s10",
        "{} × {:.0f} gives only {:,.0f} pounds",
        len(pay),
        statistics.median(pay),
        len(pay) * statistics.median(pay),
    )
    assert len(pay) * statistics.mean(pay) == sum(pay)


def test_the_goals_table_multiplies_and_adds_correctly():
    value, frequency, product = goals()
    assert np.array_equal(value * frequency, product)
    summands = " + ".join(f"{count:.0f}" for count in frequency)
    says("s10", "Add the frequencies: " + summands + " = {:.0f} matches", frequency.sum())
    says("s10", "each of {:.0f} football matches", frequency.sum())
    says("s10", "Σfx = {:.0f} goals", product.sum())


def test_the_mean_of_the_goals_is_recomputed():
    played = every_match()
    says("s10", "{:.0f} / {} = {:.2f} goals per match", sum(played), len(played), np.mean(played))
    says("s10", "A mean of {:.2f} goals", np.mean(played))
    says("s10", "{} matches with {:.0f} goals", len(played), sum(played))
    says("s10", "if each had contributed {:.2f}", np.mean(played))
    says("s10", "Rounding {:.2f} to a whole goal", np.mean(played))


def test_the_median_of_the_goals_is_recomputed():
    _value, frequency, _ = goals()
    played = sorted(every_match())
    place = (len(played) + 1) / 2
    first, second, third = np.cumsum(frequency)[:3]
    says(
        "s10",
        "({} + 1)/2 = {:.1f} and accumulate frequencies: {:.0f}, {:.0f}, {:.0f}",
        len(played),
        place,
        first,
        second,
        third,
    )
    says(
        "s10",
        "Both the {}th and the {}st match fall in the row for {:.0f} goals",
        int(place),
        int(place) + 1,
        played[int(place)],
    )
    assert played[int(place) - 1] == played[int(place)]
    says("s10", "so the median is {:.0f}.", statistics.median(played))
    says("s10", "The median of {:.0f} says", statistics.median(played))
    middle = statistics.median(played)
    assert sum(x <= middle for x in played) >= len(played) / 2 <= sum(x >= middle for x in played)


def test_the_mode_of_the_goals_is_a_value_not_a_frequency():
    _, frequency, _ = goals()
    mode = statistics.mode(every_match())
    says("s10", "the largest frequency, {:.0f}, and report the value beside it: {:.0f} goals", frequency.max(), mode)
    says("s10", "the mode of the goals is {:.0f}, not {:.0f}", mode, frequency.max())
    says("s10", "{} was the commonest result", WORDS[int(mode)])


def test_the_weighted_mean_mark_is_recomputed():
    marks, credits = marks_and_credits()
    products = " + ".join(f"{product:,.0f}" for product in marks * credits)
    says("s10", products + " = {:,.0f} and the credits total {:.0f}", (marks * credits).sum(), credits.sum())
    says("s10", "the weighted mean mark is {:.1f}", np.average(marks, weights=credits))


def test_the_simple_mean_mark_is_too_generous():
    marks, credits = marks_and_credits()
    summands = " + ".join(f"{mark:.0f}" for mark in marks)
    says("s10", "(" + summands + ") / {} = {:.2f}", len(marks), marks.mean())
    assert 3.5 < marks.mean() - np.average(marks, weights=credits) < 4
    says("s10", "The best mark, {:.0f}, came from the smallest module", marks[credits.argmin()])
    assert marks.argmax() == credits.argmin()
    says("s10", "the weakest, {:.0f}, from the largest", marks[credits.argmax()])
    assert marks.argmin() == credits.argmax()


def test_dividing_by_the_number_of_modules_gives_an_impossible_mark():
    marks, credits = marks_and_credits()
    total = (marks * credits).sum()
    says("s10", "{:,.0f} / {}, is a common slip", total, len(marks))
    says("s10", "impossible answer of {:,.1f}", total / len(marks))


def test_the_midpoints_of_the_commuting_classes_are_recomputed():
    columns = table("s10", "From")
    lower, upper = np.array(columns["From"]), np.array(columns["To below"])
    assert np.array_equal((lower + upper) / 2, columns["Midpoint"])
    ordinary = (lower[-1] + lower[-1] + upper[0] - lower[0]) / 2
    says("s10", "its midpoint is {:.0f} rather than {:.0f}", (lower[-1] + upper[-1]) / 2, ordinary)


def test_the_estimated_mean_commuting_time_is_recomputed():
    columns = table("s10", "From")
    middle = (np.array(columns["From"]) + np.array(columns["To below"])) / 2
    count = np.array(columns["Journeys"])
    products = " + ".join(f"{product:.0f}" for product in middle * count)
    total = (middle * count).sum()
    says("s10", products + " = {:,.0f}, and {:,.0f} / {:.0f}", total, total, count.sum())
    says("s10", "an estimated mean of {:.1f} minutes", total / count.sum())


def test_the_median_and_modal_class_of_the_commuting_times_are_found():
    columns = table("s10", "From")
    lower, upper, count = (np.array(columns[name]) for name in ("From", "To below", "Journeys"))
    place = (count.sum() + 1) / 2
    running = np.cumsum(count)
    holder = int(np.argmax(running >= place))
    assert count.sum() == 50
    says("s10", "Fifty commuting times")
    says("s10", "The median has place {:.1f}", place)
    says(
        "s10",
        "since {:.0f} journeys precede the class from {:.0f} to {:.0f} and {:.0f} have been counted",
        running[holder - 1],
        lower[holder],
        upper[holder],
        running[holder],
    )
    assert holder == count.argmax() == (count / (upper - lower)).argmax()


def test_the_mean_roll_of_a_fair_die_is_recomputed():
    faces = data("s10", "(1 + 2 + 3 + 4 + 5 + 6) /")
    says("s10", "(1 + 2 + 3 + 4 + 5 + 6) / {} = {:.1f}", len(faces), statistics.mean(faces))


def test_the_library_visits_have_two_modes_and_a_mean_between():
    visits = data("s10", "5, 5, 5, 10, 40, 45, 45, 45 and 60")
    low, high = statistics.multimode(visits)
    says("s10", "{} visits to a library", WORDS[len(visits)].capitalize())
    says("s10", "with modes at {:.0f} and {:.0f}", low, high)
    mean = statistics.mean(visits)
    says("s10", "Their mean, {:.1f} minutes", mean)
    assert min(abs(visit - mean) for visit in visits) > 10


def test_the_mean_of_apprentices_and_carpenters_is_weighted_by_their_numbers():
    few, low, many, high = data("s10", "if 4 apprentices average 400 pounds and 16 carpenters average 500 pounds")
    joint = (few * low + many * high) / (few + many)
    says(
        "s10",
        "({:.0f} × {:.0f} + {:.0f} × {:.0f}) / {:.0f} = {:.0f} pounds, not {:.0f}",
        few,
        low,
        many,
        high,
        few + many,
        joint,
        (low + high) / 2,
    )

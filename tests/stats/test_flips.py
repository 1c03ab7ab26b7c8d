from fractions import Fraction
from functools import cache
from itertools import accumulate
from math import comb

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import binom, binomtest, multinomial, norm

from evalcore.stats.flips import (
    MOST_QUESTIONS,
    connor_questions,
    mcnemar_power,
    mcnemar_powers,
    mcnemar_questions,
    paired_error,
    unpaired_error,
)
from evalcore.stats.paired import d_z
from evalcore.stats.proportions import mcnemar_exact
from tests.oracle import EXTRA, STATS

MCNEMAR = EXTRA["power_more"]["mcnemar_n"]
alphas = st.sampled_from([0.05, 0.05 / 3, 0.01, 0.2])
shares = st.tuples(st.floats(0, 0.5), st.floats(0, 0.5))
cells = st.tuples(*[st.integers(0, 40)] * 4).filter(any)


def by_share(case):
    return f"{case['only_first']:g}-{case['only_second']:g}"


@cache
def binomial_p(first_only, flips):
    return binomtest(first_only, flips).pvalue


def enumerated_power(only_first, only_second, n, alpha):
    pairs = [(b, c) for b in range(n + 1) for c in range(n + 1 - b) if b + c]
    significant = [(b, c, n - b - c) for b, c in pairs if binomial_p(b, b + c) < alpha]
    return float(
        sum(multinomial.pmf(cell, n, [only_first, only_second, 1 - (only_first + only_second)]) for cell in significant)
    )


@pytest.mark.parametrize("case", STATS["paired_flip_se"], ids=lambda c: f"{c['first_only']}-{c['second_only']}")
def test_the_paired_error_is_the_published_one(case):
    error = paired_error(case["n"], case["first_only"], case["second_only"])
    assert error == pytest.approx(case["se"], abs=5e-7)
    assert (case["first_only"] - case["second_only"]) / case["n"] == pytest.approx(case["difference"], abs=5e-7)


def differences_of(first_only, second_only, rest):
    return np.repeat([1.0, -1.0, 0.0], [first_only, second_only, rest])


@given(cells)
def test_the_paired_error_is_that_of_the_mean_of_the_differences(table):
    both, first, second, neither = table
    differences = differences_of(first, second, both + neither)
    n = len(differences)
    assert paired_error(n, first, second) == pytest.approx(differences.std() / n**0.5, abs=1e-12)
    assert paired_error(n, first, second) == paired_error(n, second, first)


@given(cells)
def test_the_paired_error_divides_by_n_where_d_z_divides_by_one_less(table):
    both, first, second, neither = table
    n = sum(table)
    effect = d_z(differences_of(first, second, both + neither))
    assume(effect)
    spread = paired_error(n, first, second) * n**0.5 * (n / (n - 1)) ** 0.5
    assert (first - second) / n / spread == pytest.approx(effect, abs=1e-9)


@given(cells)
def test_the_unpaired_error_is_larger_by_twice_the_covariance_of_the_hits(table):
    both, first, second, neither = table
    n = sum(table)
    covariance = (both * neither - first * second) / n**2
    squared = unpaired_error(n, both + first, both + second) ** 2
    assert squared - paired_error(n, first, second) ** 2 == pytest.approx(2 * covariance / n, abs=1e-12)


def test_the_unpaired_error_of_forty_and_thirty_of_fifty_is_the_one_worked_by_hand():
    assert unpaired_error(50, 40, 30) == pytest.approx(0.008**0.5)
    assert paired_error(50, 10, 0) == pytest.approx(0.0032**0.5)
    assert paired_error(50, 20, 10) == pytest.approx(0.0112**0.5)
    assert unpaired_error(50, 50, 0) == 0.0


def test_no_flip_and_only_flips_one_way_have_no_error():
    assert paired_error(7, 0, 0) == paired_error(7, 7, 0) == paired_error(7, 0, 7) == 0.0


@pytest.mark.parametrize(("n", "first", "second"), [(10, 6, 5), (0, 0, 0), (-1, 0, 0), (10, -1, 3), (10, 3, -1)])
def test_flips_that_do_not_fit_are_refused(n, first, second):
    with pytest.raises(ValueError, match=f"{first} and {second} flips do not fit into {n} questions"):
        paired_error(n, first, second)


@pytest.mark.parametrize("case", MCNEMAR, ids=by_share)
def test_the_questions_for_mcnemars_test_are_the_published_ones(case):
    asked = case["only_first"], case["only_second"]
    connor = connor_questions(*asked, case["alpha"], case["power"])
    assert connor == case["n_connor_1987"]
    assert mcnemar_power(*asked, connor, case["alpha"]) == pytest.approx(case["exact_power_at_that_n"], abs=1e-6)
    exact = mcnemar_questions(*asked, case["alpha"], case["power"])
    assert exact == case["n_exact"]
    assert mcnemar_power(*asked, exact, case["alpha"]) == pytest.approx(case["exact_power"], abs=5e-7)


@pytest.mark.parametrize("n", [1, 6, 9, 16, 25])
@pytest.mark.parametrize("alpha", [0.05, 0.05 / 3, 0.2])
@pytest.mark.parametrize(
    "split", [(0.3, 0.05), (0.5, 0.5), (0.6, 0.0), (0.05, 0.3), (0.2, 0.2), (0.9, 0.1), (0.0, 0.0)]
)
def test_the_power_is_the_sum_over_all_tables_whose_binomial_test_is_significant(split, alpha, n):
    assert mcnemar_power(*split, n, alpha) == pytest.approx(enumerated_power(*split, n, alpha), abs=1e-12)


@pytest.mark.parametrize("alpha", [0.05, 0.05 / 3, 0.001, 0.5])
@pytest.mark.parametrize("n", [40, 257, 700])
def test_the_power_with_many_questions_is_the_sum_over_all_flips(n, alpha):
    flips = np.arange(n + 1)
    fewer = np.minimum(flips, flips[:, None] - flips)
    significant = (fewer >= 0) & (2 * binom.cdf(fewer, flips[:, None], 0.5) < alpha)
    rejected = (significant * np.where(fewer >= 0, binom.pmf(flips, flips[:, None], 0.7), 0)).sum(axis=1)
    assert mcnemar_power(0.21, 0.09, n, alpha) == pytest.approx(float(binom.pmf(flips, n, 0.3) @ rejected), abs=1e-10)


def fraction_power(only_first, only_second, n, alpha):
    power = Fraction(0)
    for flips in range(n + 1):
        outer = [min(k, flips - k) for k in range(flips + 1)]
        tails = list(accumulate(comb(flips, k) for k in range(flips + 1)))
        rejected = [k for k in range(flips + 1) if 2 * Fraction(tails[outer[k]], 2**flips) < alpha]
        chance = sum(comb(flips, k) * only_first**k * only_second ** (flips - k) for k in rejected)
        power += comb(n, flips) * (1 - only_first - only_second) ** (n - flips) * chance
    return float(power)


@pytest.mark.parametrize(("twentieths", "n"), [((6, 1), 42), ((6, 1), 45), ((3, 1), 80), ((2, 0), 60)])
def test_the_power_is_that_of_whole_number_arithmetic(twentieths, n):
    first, second = (Fraction(x, 20) for x in twentieths)
    expected = fraction_power(first, second, n, Fraction(1, 20))
    assert mcnemar_power(float(first), float(second), n) == pytest.approx(expected, abs=1e-12)


def test_the_test_that_the_power_is_for_is_the_one_we_run():
    n, alpha = 14, 0.05
    tables = [(b, c) for b in range(n + 1) for c in range(n + 1 - b)]
    chance = {t: multinomial.pmf((*t, n - sum(t)), n, [0.5, 0.1, 0.4]) for t in tables}
    assert mcnemar_power(0.5, 0.1, n, alpha) == pytest.approx(
        sum(chance[t] for t in tables if mcnemar_exact(*t).p < alpha), abs=1e-12
    )


def test_a_p_equal_to_alpha_is_not_below_it():
    assert binomtest(0, 5).pvalue == 0.0625
    assert mcnemar_power(1.0, 0.0, 5, 0.0625) == 0.0
    assert mcnemar_power(1.0, 0.0, 5, 0.0626) == pytest.approx(1.0)


def test_six_flips_one_way_are_the_fewest_that_can_be_significant():
    assert [mcnemar_power(1.0, 0.0, n) for n in (0, 1, 5)] == [0.0, 0.0, 0.0]
    assert mcnemar_power(1.0, 0.0, 6) == pytest.approx(1.0, abs=1e-12)
    assert mcnemar_questions(1.0, 0.0) == 6


@given(shares, st.integers(0, 300), alphas)
def test_the_power_does_not_depend_on_which_run_is_first(split, n, alpha):
    first, second = split
    power = mcnemar_power(first, second, n, alpha)
    assert 0 <= power <= 1 + 1e-9
    assert mcnemar_power(second, first, n, alpha) == pytest.approx(power, abs=1e-10)


@given(st.floats(0, 0.5), st.integers(1, 300), alphas)
def test_without_a_difference_the_test_rejects_at_most_at_its_level(share, n, alpha):
    assert mcnemar_power(share, share, n, alpha) <= alpha


@given(st.floats(0.1, 0.4), st.floats(0.0, 0.1), st.integers(5, 200))
def test_the_power_rises_with_alpha_and_does_not_fall_when_the_questions_double(first, second, n):
    power = mcnemar_power(first, second, n)
    assert mcnemar_power(first, second, n, 0.1) >= power - 1e-12
    assert mcnemar_power(first, second, 2 * n) >= power - 1e-12


def test_the_power_is_a_saw_that_can_fall_at_the_next_question():
    powers = mcnemar_powers(0.9, 0.1, list(range(1, 40)))
    assert (np.diff(powers) < -1e-6).any()


@given(shares, st.lists(st.integers(0, 600), max_size=6), alphas)
def test_the_powers_at_several_sizes_are_each_ones_own(split, sizes, alpha):
    powers = mcnemar_powers(*split, sizes, alpha)
    assert powers.shape == (len(sizes),)
    assert powers.tolist() == [mcnemar_power(*split, n, alpha) for n in sizes]


@settings(max_examples=60)
@given(st.floats(0.1, 1), st.floats(0, 0.6), alphas, st.sampled_from([0.5, 0.8, 0.9]))
def test_the_questions_found_are_the_smallest_number_with_the_power(first, ratio, alpha, power):
    second = first * ratio
    assume(first + second <= 1)
    n = mcnemar_questions(first, second, alpha, power)
    assert mcnemar_power(first, second, n, alpha) >= power
    assert mcnemar_powers(first, second, list(range(n)), alpha).max() < power


@given(st.floats(0.06, 1), st.floats(0, 0.6), alphas)
def test_the_questions_do_not_depend_on_which_run_is_first(first, ratio, alpha):
    second = first * ratio
    assume(first + second <= 1)
    assert mcnemar_questions(first, second, alpha) == mcnemar_questions(second, first, alpha)


@given(st.floats(0.02, 0.6), st.floats(0, 0.8), alphas, st.sampled_from([0.5, 0.8, 0.95]))
def test_connors_questions_are_the_first_at_which_the_normal_power_is_reached(first, ratio, alpha, power):
    second = first * ratio
    assume(first + second <= 1)
    n = connor_questions(first, second, alpha, power)

    def normal_power(questions):
        together, apart = first + second, first - second
        reach = apart * questions**0.5 - norm.isf(alpha / 2) * together**0.5
        return norm.cdf(reach / (together - apart**2) ** 0.5)

    assert normal_power(n) >= power - 1e-6
    assert normal_power(n - 1) < power + 1e-6


def test_connors_questions_are_too_few_for_the_exact_test():
    for first, second in [(0.15, 0.05), (0.3, 0.05), (0.2, 0.1), (0.1, 0.02)]:
        assert mcnemar_power(first, second, connor_questions(first, second)) < 0.8
        assert connor_questions(first, second) < mcnemar_questions(first, second)


@pytest.mark.parametrize(("first", "second"), [(-0.1, 0.2), (0.2, -0.1), (0.7, 0.4), (1.1, 0.0)])
def test_shares_that_are_no_shares_are_refused(first, second):
    words = "the shares of questions that only one run hits are not negative and sum to 1 at most"
    with pytest.raises(ValueError, match=words):
        mcnemar_power(first, second, 40)
    with pytest.raises(ValueError, match=words):
        mcnemar_powers(first, second, [40])
    with pytest.raises(ValueError, match=words):
        mcnemar_questions(first, second)


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5])
def test_equal_shares_are_no_difference_to_find(share):
    with pytest.raises(ValueError, match="equal shares are no difference to find"):
        mcnemar_questions(share, share)


@pytest.mark.parametrize(("first", "second"), [(0.101, 0.1), (0.115, 0.1), (0.0005, 0.0)])
def test_shares_that_need_more_than_five_thousand_questions_are_refused(first, second):
    assert MOST_QUESTIONS == 5_000
    with pytest.raises(ValueError, match="these shares need more than 5,000 questions"):
        mcnemar_questions(first, second)


@pytest.mark.parametrize(
    ("first", "second", "alpha", "power", "n"),
    [
        (0.02, 0.0, 0.05, 0.95, 523),
        (0.028, 0.0, 0.05 / 3, 0.8, 323),
        (0.01, 0.0, 0.05 / 3, 0.8, 906),
        (0.034, 0.0, 0.001, 0.99, 588),
        (0.042, 0.004, 0.001, 0.95, 663),
        (1.0, 0.0, 0.05, 0.8, 6),
    ],
)
def test_rare_flips_need_no_fewer_questions_than_the_first_number_with_the_power(first, second, alpha, power, n):
    assert mcnemar_questions(first, second, alpha, power) == n
    assert mcnemar_questions(second, first, alpha, power) == n
    assert mcnemar_power(first, second, n, alpha) >= power
    assert mcnemar_powers(first, second, list(range(n)), alpha).max() < power


def test_six_flips_one_way_are_what_rare_one_sided_flips_wait_for():
    # with flips one way only the test rejects from six on: P(binomial(n, 0.02) >= 6)
    assert binom.sf(5, 523, 0.02) >= 0.95 > binom.sf(5, 522, 0.02)
    assert mcnemar_power(0.02, 0.0, 523) == pytest.approx(float(binom.sf(5, 523, 0.02)), abs=1e-12)


def power_when_every_question_flips(share, n, alpha):
    """The test of n flips of which each is the first run's with this share."""
    wins = np.arange(n + 1)
    significant = [binomial_p(int(b), n) < alpha for b in wins]
    return float(binom.pmf(wins, n, share)[significant].sum())


@pytest.mark.parametrize(
    ("share", "alpha", "power", "n"),
    [
        (0.7, 0.05, 0.8, 49),
        (0.75, 0.05, 0.8, 30),
        (0.8, 0.05, 0.8, 20),
        (0.8, 0.05, 0.5, 12),
        (0.8, 0.01, 0.5, 18),
        (0.65, 0.2, 0.9, 72),
    ],
)
def test_the_first_tooth_of_the_saw_that_reaches_the_power_is_found(share, alpha, power, n):
    powers = [power_when_every_question_flips(share, k, alpha) for k in range(1, n + 4)]
    assert max(powers[: n - 1]) < power <= powers[n - 1]
    # soon after n the power is too low again, so a search that takes it as rising may miss n
    assert min(powers[n:]) < power
    assert mcnemar_questions(share, 1 - share, alpha, power) == n


@given(st.floats(0.6, 0.95), st.floats(0.95, 1), alphas, st.sampled_from([0.5, 0.8, 0.9, 0.95]))
def test_no_smaller_number_has_the_power_where_nearly_every_question_flips(share, together, alpha, power):
    first = share * together
    second = together - first
    n = mcnemar_questions(first, second, alpha, power)
    assert mcnemar_power(first, second, n, alpha) >= power
    assert (mcnemar_powers(first, second, list(range(n)), alpha) < power).all()


@settings(max_examples=150)
@given(
    st.floats(0.02, 1),
    st.floats(0, 0.9),
    st.sampled_from([0.0005, 0.001, 0.01, 0.05 / 3, 0.05, 0.2, 0.5]),
    st.sampled_from([0.01, 0.2, 0.5, 0.8, 0.95, 0.99, 0.999]),
)
def test_no_smaller_number_of_questions_has_the_power_whatever_is_supposed(first, ratio, alpha, power):
    second = first * ratio
    assume(first + second <= 1)
    assume(connor_questions(first, second, alpha, power) <= 600)
    n = mcnemar_questions(first, second, alpha, power)
    assert mcnemar_power(first, second, n, alpha) >= power
    assert (mcnemar_powers(first, second, list(range(n)), alpha) < power).all()


def test_shares_that_sum_to_one_with_a_rounding_error_are_taken():
    assert mcnemar_power(0.7000000000000001, 0.3, 60) == pytest.approx(mcnemar_power(0.7, 0.3, 60))


@pytest.mark.parametrize(("first", "second"), [(0.7 + 5e-13, 0.3), (1 + 5e-13, 0.0), (0.3, 0.7 + 5e-13)])
def test_shares_that_sum_to_a_trifle_above_one_are_those_that_sum_to_one(first, second):
    exact = round(first, 9), round(second, 9)
    assert mcnemar_power(first, second, 60) == pytest.approx(mcnemar_power(*exact, 60), abs=1e-9)
    assert mcnemar_questions(first, second) == mcnemar_questions(*exact)


@pytest.mark.parametrize(("n", "first", "second"), [(0, 0, 0), (-1, 0, 0), (10, 11, 0), (10, 0, 11), (10, -1, 5)])
def test_hits_that_do_not_fit_are_refused(n, first, second):
    with pytest.raises(ValueError, match=f"{first} and {second} hits do not fit into {n} questions"):
        unpaired_error(n, first, second)

from math import nextafter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from evalcore.stats.proportions import Paired, mcnemar_exact, newcombe_paired, wilson
from tests.oracle import EXTRA, STATS


@pytest.mark.parametrize("case", STATS["wilson"], ids=lambda c: f"{c['x']}of{c['n']}")
def test_wilson_gives_the_published_limits(case):
    interval = wilson(case["x"], case["n"], level=case["level"])
    assert (interval.low, interval.high) == pytest.approx((case["low"], case["high"]), abs=5e-7)


@pytest.mark.parametrize("n", EXTRA["wilson_ends"]["n"])
def test_wilson_ends_exactly_at_zero_and_one(n):
    assert wilson(0, n).low == 0.0
    assert wilson(n, n).high == 1.0


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_agrees_with_scipy_and_holds_the_value(case):
    hits, n = case
    ours, theirs = wilson(hits, n), binomtest(hits, n).proportion_ci(method="wilson")
    assert ours.low == pytest.approx(theirs.low, abs=1e-9)
    assert ours.high == pytest.approx(theirs.high, abs=1e-9)
    assert ours.low <= hits / n <= ours.high


def test_wilson_refuses_more_hits_than_questions():
    with pytest.raises(ValueError, match="5 hits of 4"):
        wilson(5, 4)


def test_no_questions_is_undefined_with_a_reason():
    assert (wilson(0, 0).value, wilson(0, 0).reason) == (None, "no questions")
    assert newcombe_paired(Paired(0, 0, 0, 0)).reason == "no questions"


@pytest.mark.parametrize("case", STATS["newcombe_paired"], ids=lambda c: f"{c['both']}-{c['first_only']}")
def test_newcombe_gives_both_published_cases_of_the_decision_record_and_three_more(case):
    table = Paired(case["both"], case["first_only"], case["second_only"], case["neither"])
    interval = newcombe_paired(table)
    assert interval.value == pytest.approx(case["difference"], abs=5e-7)
    assert (interval.low, interval.high) == pytest.approx((case["low"], case["high"]), abs=5e-7)
    assert table.phi() == pytest.approx(case["phi"], abs=5e-7)


@pytest.mark.parametrize("case", EXTRA["newcombe_paired_published"]["cases"], ids=lambda c: str(c["cells"]))
def test_newcombe_gives_table_three_of_the_paper(case):
    interval = newcombe_paired(Paired(*case["cells"]))
    assert (interval.low, interval.high) == pytest.approx((case["low"], case["high"]), abs=1e-4)


@pytest.mark.parametrize("case", EXTRA["newcombe_paired_edge"], ids=lambda c: str(c["cells"]))
def test_newcombe_at_the_edges(case):
    table = Paired(*case["cells"])
    interval = newcombe_paired(table)
    assert (interval.low, interval.high) == pytest.approx((case["low"], case["high"]), abs=5e-7)
    assert table.phi() == pytest.approx(case["phi"], abs=5e-7)


@given(st.tuples(*[st.integers(0, 60)] * 4).filter(any))
def test_newcombe_is_antisymmetric_and_holds_the_difference(cells):
    both, first, second, neither = cells
    there, back = (
        newcombe_paired(Paired(both, first, second, neither)),
        newcombe_paired(Paired(both, second, first, neither)),
    )
    assert there.low == pytest.approx(-back.high, abs=1e-12)
    assert -1 <= there.low <= there.value <= there.high <= 1
    assert there.high > nextafter(there.low, 2)


@pytest.mark.parametrize("case", STATS["mcnemar_exact"], ids=lambda c: f"{c['first_only']}-{c['second_only']}")
def test_mcnemar_is_the_exact_binomial_test_of_the_flips(case):
    assert mcnemar_exact(case["first_only"], case["second_only"]).p == pytest.approx(case["p"], abs=5e-9)

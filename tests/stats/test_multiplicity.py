import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from evalcore.stats.multiplicity import holm
from tests.oracle import EXTRA, STATS


@pytest.mark.parametrize("case", STATS["holm"] + EXTRA["holm_undefined"], ids=lambda c: str(c["raw"]))
def test_holm_over_the_declared_family(case):
    adjusted = holm(case["raw"], k=case.get("k"))
    assert [a is None for a in adjusted] == [e is None for e in case["adjusted"]]
    defined = [a for a in adjusted if a is not None]
    assert defined == pytest.approx([e for e in case["adjusted"] if e is not None])


@given(st.lists(st.floats(0.0001, 1), min_size=1, max_size=8))
def test_holm_agrees_with_statsmodels(raw):
    assert holm(raw) == pytest.approx(list(multipletests(raw, method="holm")[1]))


@given(st.lists(st.floats(0.0001, 1), min_size=2, max_size=6), st.integers(0, 5))
def test_losing_a_member_never_lowers_anothers_adjusted_p(raw, place):
    place %= len(raw)
    whole = holm(raw)
    without = holm([None if i == place else p for i, p in enumerate(raw)])
    for i, adjusted in enumerate(without):
        assert i == place or adjusted >= whole[i] - 1e-12


def test_more_p_values_than_declared_is_an_error():
    with pytest.raises(ValueError, match="3 p-values in a family of 2"):
        holm([0.1, 0.2, 0.3], k=2)

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.ranking import order


def ranked(pairs):
    ids = [i for i, _ in pairs]
    return [ids[i] for i in order(ids, [s for _, s in pairs])]


def test_ties_are_broken_by_id_descending_in_bytes():
    assert ranked([("a", 1.0), ("é", 1.0), ("b", 1.0), ("Z", 2.0)]) == ["Z", "é", "b", "a"]


def test_scores_that_are_one_32_bit_float_are_a_tie():
    assert ranked([("a", 1.00000001), ("b", 1.0)]) == ["b", "a"]


def test_nothing_is_ordered_as_nothing():
    assert ranked([]) == []


@given(
    st.dictionaries(
        st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=4),
        st.sampled_from([0.0, 0.5, 1.0]),
        min_size=1,
    ),
    st.randoms(),
)
def test_the_order_of_rows_cannot_matter(scores, random):
    rows = list(scores.items())
    expected = [i for i, _ in sorted(rows, key=lambda r: (r[1], r[0].encode()), reverse=True)]
    random.shuffle(rows)
    assert ranked(rows) == expected


def test_scores_must_match_ids():
    with pytest.raises(IndexError):
        order(["a", "b"], np.array([1.0]))

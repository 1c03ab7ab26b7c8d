import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.files.overlap import overlap

NUMBERS = range(1, 51)


def hint(here, there):
    found = overlap(here, there).hint
    return None if found is None else str(found)


@pytest.mark.parametrize(
    ("here", "there", "change"),
    [
        ("q{}.X", "q{}", "removing the suffix '.X'"),
        ("q{}", "q{}.X", "adding the suffix '.X'"),
        ("doc_{}", "{}", "removing the prefix 'doc_'"),
        ("{}", "doc_{}", "adding the prefix 'doc_'"),
        ("{}.0", "{}", "reading 7.0 as 7"),
        ("{:03}", "{}", "removing zeros that pad numbers"),
        ("Q{}", "q{}", "ignoring upper and lower case"),
        (" q{} ", "q{}", "removing spaces around them"),
        ("\ufeffq{}", "q{}", "removing a byte-order mark or invisible character"),
        ("q{:02}", "{}", "removing the prefix 'q' and removing zeros that pad numbers"),
        ("doc_{}", "passage-{}", "replacing the prefix 'doc_' by 'passage-'"),
        ("msmarco/{}", "MSMARCO/{:05}", "ignoring case, spaces and zeros that pad numbers"),
    ],
)
def test_the_hint_names_what_makes_ids_match(here, there, change):
    found = hint([here.format(i) for i in NUMBERS], [there.format(i) for i in NUMBERS])
    assert found == f"50 of 50 ids match after {change}"


def test_counts_and_three_examples_are_given_of_each_side():
    found = overlap([f"q{i}.X" for i in NUMBERS] + ["both"], [f"q{i}" for i in range(1, 43)] + ["both"])
    assert (found.both, found.only_here, found.only_there) == (1, 50, 42)
    assert found.here_examples == ("q1.X", "q10.X", "q11.X")
    assert found.there_examples == ("q1", "q10", "q11")
    assert found.sentence("the run", "the judgements") == (
        "1 id in both; 50 only in the run ('q1.X', 'q10.X', 'q11.X', …); "
        "42 only in the judgements ('q1', 'q10', 'q11', …). 43 of 51 ids match after removing the suffix '.X'"
    )


def test_a_byte_order_mark_on_the_first_id_alone_is_found():
    assert hint(["\ufeffq1", "q2"], ["q1", "q2"]) == (
        "2 of 2 ids match after removing a byte-order mark or invisible character"
    )


@pytest.mark.parametrize(
    ("here", "there"),
    [
        (map(str, range(100, 200)), map(str, range(50))),
        (["apple", "pear"], ["q1", "q2"]),
        (["q1"], ["q1"]),
        ([], ["q1"]),
        (["q1"], []),
    ],
    ids=["other numbers", "other words", "the same", "none here", "none there"],
)
def test_no_hint_is_made_up(here, there):
    assert hint(list(here), list(there)) is None


def test_hundreds_of_thousands_of_ids_are_all_counted():
    assert hint([f"d{i}.X" for i in range(150_000)], [f"d{i}" for i in range(140_000)]) == (
        "140,000 of 150,000 ids match after removing the suffix '.X'"
    )


@given(st.lists(st.text(max_size=6)), st.lists(st.text(max_size=6)))
def test_order_and_repetition_do_not_matter_and_counts_add_up(here, there):
    found = overlap(here, there)
    assert found == overlap(here[::-1] * 2, there[::-1] * 2)
    assert found.both + found.only_here == len(set(here))
    assert found.both + found.only_there == len(set(there))
    if found.hint is not None:
        assert found.both < found.hint.matched <= found.hint.total == len(set(here))

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.files import BadInput
from evalcore.files.ranks import rank_disagreements

AGREES = "q1 Q0 a 1 2.5 t\nq1 Q0 b 2 1.5 t\nq2 Q0 a 0 7 t\n"
DIFFERS = "q1 Q0 a 1 1.5 t\nq1 Q0 b 2 2.5 t\nq2 Q0 a 1 7 t\n"


def said(text):
    raw = text if isinstance(text, bytes) else text.encode()
    return [check.sentence for check in rank_disagreements(raw, "run")]


def test_ranks_that_say_what_scores_say_are_told_so():
    assert said(AGREES) == ["run: ranks and scores agree on all 2 questions"]


@pytest.mark.parametrize("raw", [DIFFERS, gzip.compress(DIFFERS.encode())], ids=["plain", "gzip"])
def test_a_question_on_which_they_differ_is_counted_with_one_example(raw):
    assert said(raw) == [
        "run: ranks and scores differ in order on 1 of 2 questions ('q1': 'b' score 2.5 rank 2, 'a' score 1.5 rank 1); "
        "scores decide, the rank column is not read"
    ]


def test_documents_whose_scores_tie_are_left_aside():
    assert "agree" in said("q Q0 a 2 1.0 t\nq Q0 b 1 1.00000000001 t\n")[0]


def test_each_system_of_a_table_is_told_apart():
    text = "qid,docid,score,rank,run\nq,a,2,1,x\nq,b,1,2,x\nq,a,2,2,y\nq,b,1,1,y\n"
    assert [line.split(" on ")[0] for line in said(text)] == [
        "x: ranks and scores agree",
        "y: ranks and scores differ in order",
    ]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("qid,docid,score\nq,a,1\n", "it has no rank column"),
        ("qid,docid,score,rank\nq,a,1,first\n", "the ranks are not numbers"),
        ("q Q0 a x 1 t\n", "the ranks are not numbers"),
        ('{"q": {"a": 1}}', "a JSON dictionary has no ranks"),
    ],
)
def test_what_has_no_ranks_is_not_assessed(text, reason):
    assert said(text) == [f"run: ranks against scores not assessed: {reason}"]


def test_a_file_that_is_no_run_is_refused():
    with pytest.raises(BadInput):
        rank_disagreements(b"", "run")


@given(st.lists(st.tuples(st.integers(1, 3), st.integers(1, 4), st.integers(1, 4)), min_size=1, max_size=12))
def test_the_count_is_that_of_all_pairs(rows):
    text = "".join(f"q{q} Q0 d{i} {rank} {score} t\n" for i, (q, score, rank) in enumerate(rows))
    differing = {q for q, score, rank in rows for p, s, r in rows if q == p and score > s and rank > r}
    (check,) = rank_disagreements(text.encode(), "run")
    assert (check.differing, check.questions) == (len(differing), len({q for q, _, _ in rows}))

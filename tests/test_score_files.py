import gzip
import hashlib

import pytest

from evalcore.files import BadInput
from evalcore.files.scores import read_scores

HEAD = "query_id,answerable,score\n"
GOOD = HEAD + "a1,1,0.9\na2,1,0.5\nu1,0,0.5\nu2,0,-1e-1\n"
PLAIN = [("a1", True, 0.9), ("a2", True, 0.5), ("u1", False, 0.5), ("u2", False, -0.1)]
NOT_A_REFUSAL = "give every question a score; a missing one is not a refusal"
BOTH_KINDS = "give questions of both kinds: each error rate is counted on its own"


def read(text, **kwargs):
    return read_scores(text if isinstance(text, bytes) else text.encode(), name="s.csv", **kwargs)


def rows(text):
    table = read(text)
    return list(zip(table.ids, table.answerable.tolist(), table.scores["score"].tolist(), strict=True))


def problems(text, **kwargs):
    with pytest.raises(BadInput) as caught:
        read(text, **kwargs)
    return [str(problem) for problem in caught.value.problems]


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        "\ufeff" + GOOD,
        GOOD.replace("\n", "\r\n"),
        GOOD.replace("\n", "\r"),
        gzip.compress(GOOD.encode()),
        GOOD.replace("\n", "\n\n"),
        GOOD.replace("\n", "\n  \n"),
        "\n" + GOOD,
        GOOD.rstrip("\n"),
        GOOD.replace(",", " , ").replace("\n", " \n"),
        GOOD.replace("a1,1,0.9", '"a1","1","0.9"'),
        HEAD + "".join(reversed(GOOD.removeprefix(HEAD).splitlines(keepends=True))),
        "score,query_id,answerable\n0.9,a1,1\n0.5,a2,1\n0.5,u1,0\n-0.1,u2,0\n",
        GOOD.replace("a1,1", "a1,true").replace("a2,1", "a2,TRUE").replace("u1,0", "u1,False"),
    ],
    ids=["plain", "BOM", "CRLF", "CR", "gzip", "blank lines", "lines of spaces", "a blank line first",
         "no final newline", "spaces round cells", "quoted", "rows turned round", "columns moved", "words for 1 and 0"],
)  # fmt: skip
def test_the_same_scores_in_every_dress_read_the_same(text):
    assert rows(text) == PLAIN


@pytest.mark.parametrize(
    "odd", ["NA", "nan", "null", "None", "007", "7", "1e5", "-1", "#1", "é", "a b", "inf", "true", "'x'"]
)
def test_an_id_stays_as_it_is_written(odd):
    assert read(GOOD + f"{odd},1,0.2\n").ids.count(odd) == 1


def test_a_quoted_id_may_hold_commas_quotes_and_a_line_break():
    text = HEAD + '"what, and when",1,0.5\n"say ""no""",0,0.25\n"two\nlines",0,0.125\n'
    assert rows(text) == [('say "no"', False, 0.25), ("two\nlines", False, 0.125), ("what, and when", True, 0.5)]
    assert problems(text + "x,1,high\n")[0].startswith("s.csv line 6: ")


def test_rows_ascend_by_id_as_bytes_in_every_column():
    text = "query_id,answerable,score,hit,scope_ok\nb,1,0.1,1,0\na10,0,0.2,,\né,1,0.3,0,1\na9,1,0.4,1,1\nB,0,0.5,,\n"
    table = read(text)
    assert table.ids == ("B", "a10", "a9", "b", "é")
    assert table.answerable.tolist() == [False, False, True, True, True]
    assert table.scores["score"].tolist() == [0.5, 0.2, 0.4, 0.1, 0.3]
    assert table.hit.tolist() == [False, False, True, True, False]
    assert table.scope_ok.tolist() == [False, False, True, False, True]


def test_without_columns_of_hits_and_scope_there_are_none():
    table = read(GOOD)
    assert (table.hit, table.scope_ok, table.unread) == (None, None, ())
    assert table.sha256 == hashlib.sha256(GOOD.encode()).hexdigest()
    assert table.name == "s.csv"


def test_unknown_columns_are_left_alone_and_named():
    extra = [f"note{i}" for i in range(10)]
    text = "query_id," + ",".join(extra) + ",answerable,score\n"
    text += "a,nan,,inf,x,yes,0,1,2,3,4,1,0.5\nu,,,,,,,,,,,0,0.25\n"
    table = read(text)
    assert table.unread == tuple(extra)
    assert table.scores["score"].tolist() == [0.5, 0.25]


def test_several_scores_are_read_and_the_one_not_asked_for_is_left_alone():
    text = "query_id,answerable,score,rerank,other\na,1,0.5,9,x\nu,0,0.25,8,y\n"
    table = read(text, columns=("rerank", "score"))
    assert {name: values.tolist() for name, values in table.scores.items()} == {
        "rerank": [9.0, 8.0],
        "score": [0.5, 0.25],
    }
    assert table.unread == ("other",)
    assert read(text, columns=("rerank",)).unread == ("score", "other")


def test_minus_zero_and_zero_are_one_score():
    table = read(HEAD + "a,1,-0.0\nb,1,0\nu,0,-0e5\n")
    assert table.scores["score"].tobytes() == bytes(24)


@pytest.mark.parametrize(("cell", "value"), [("+1", 1.0), (".5", 0.5), ("5.", 5.0), ("1E-3", 0.001), ("-12.5", -12.5)])
def test_a_number_may_be_written_in_every_usual_way(cell, value):
    assert read(GOOD + f"x,1,{cell}\n").scores["score"][-1] == value


@pytest.mark.parametrize("cell", ["NaN", "nan", "inf", "-inf", "Infinity", "high", "1e999", "0x10", "1_000", "½", "5%"])
def test_a_score_that_is_no_finite_number_is_refused_with_its_line(cell):
    assert problems(GOOD + f"x,1,{cell}\n") == [f"s.csv line 6: score {cell!r} is not a finite number; {NOT_A_REFUSAL}"]


def test_an_empty_score_is_a_fault_and_no_refusal():
    assert problems(GOOD + "x,1,\n") == [f"s.csv line 6: score is empty; {NOT_A_REFUSAL}"]
    assert problems(GOOD + "x,1,  \n") == [f"s.csv line 6: score is empty; {NOT_A_REFUSAL}"]


@pytest.mark.parametrize(
    ("missing", "remedy"),
    [
        ("score", "name the column of scores with --score"),
        ("answerable", "add it to the header line"),
        ("query_id", "add it to the header line"),
    ],
)
def test_a_missing_column_is_named_with_those_that_are_there(missing, remedy):
    heads = ["query_id", "answerable", "score"]
    shown = ", ".join(repr(head) if head != missing else "'x'" for head in heads)
    text = GOOD.replace(missing, "x", 1)
    assert problems(text) == [f"s.csv line 1: has no column {missing!r}; it has {shown}; {remedy}"]


def test_every_missing_column_is_a_problem_and_a_long_header_is_cut():
    found = problems(",".join(f"c{i}" for i in range(13)) + "\n")
    assert [problem.split(";")[0] for problem in found] == [
        f"s.csv line 1: has no column {name!r}" for name in ("query_id", "answerable", "score")
    ]
    assert "'c11', …;" in found[0]
    assert "c12" not in found[0]


def test_another_score_column_that_is_not_there_is_named():
    assert problems(GOOD, columns=("rerank",)) == [
        "s.csv line 1: has no column 'rerank'; it has 'query_id', 'answerable', 'score'; add it to the header line"
    ]


def test_an_id_twice_names_both_lines_whatever_else_is_wrong_with_the_first():
    again = "s.csv line 6: 'a2' is there twice (first in line 3); keep each question once"
    assert problems(GOOD + "a2,0,0.1\n") == [again]
    assert problems(GOOD.replace("a2,1,0.5", "a2,1,high") + "a2,0,0.1\n")[1] == again


@pytest.mark.parametrize(("kind", "word"), [("0", "answerable"), ("1", "unanswerable")])
def test_one_kind_of_question_only_is_refused(kind, word):
    text = HEAD + f"a,{kind},0.5\nb,{kind},0.25\n"
    assert problems(text) == [f"s.csv: holds no {word} question (2 rows); {BOTH_KINDS}"]


@pytest.mark.parametrize(
    ("raw", "what"),
    [
        (b"", "s.csv: is empty; give a file with at least one line"),
        (b"\n \n", "s.csv: is empty; give a file with at least one line"),
        (HEAD.encode(), "s.csv: has a header and no row; give one row a question"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "s.csv: is a binary file; give a text file in CSV form"),
        (GOOD.encode("utf-16"), "s.csv: is not UTF-8 (byte 0, line 1); save it as UTF-8"),
        (GOOD.encode() + b"caf\xe9,1,0.5\n", "s.csv: is not UTF-8 (byte 67, line 6); save it as UTF-8"),
        (b"\x1f\x8b" + b"rubbish", "s.csv: is a damaged gzip file; compress it again or give it uncompressed"),
        (GOOD.encode() + b"\x1b[2J,1,0.5\n", "s.csv: holds a control character (line 6); give a text file in CSV form"),
        (GOOD.replace(",", ";").encode(), "s.csv line 1: is split by semicolons; save it with commas"),
        (GOOD.replace(",", "\t").encode(), "s.csv line 1: is split by tabs; save it with commas"),
        (
            GOOD.replace("score", "score,score,score", 1).encode(),
            "s.csv line 1: names the column 'score' 3 times; keep one of them",
        ),
        (
            GOOD.encode() + b'"x,1,0.5\ny,1,0.5\n',
            "s.csv line 6: is not CSV (unexpected end of data); close every quote",
        ),
        (
            (",".join(["query_id", "answerable", "score", *map(str, range(198))]) + "\n").encode(),
            "s.csv line 1: has 201 columns; keep at most 200",
        ),
    ],
    ids=["empty", "blank", "header only", "binary", "UTF-16", "Latin-1", "damaged gzip", "control", "semicolons",
         "tabs", "a column three times", "an unclosed quote", "201 columns"],
)  # fmt: skip
def test_what_is_no_score_file_is_refused_whole(raw, what):
    assert problems(raw) == [what]


def test_two_hundred_columns_are_read():
    extra = [f"c{i}" for i in range(197)]
    text = ",".join(["query_id", "answerable", "score", *extra]) + "\n"
    text += "a,1,0.5" + ",x" * 197 + "\nu,0,0.5" + "," * 197 + "\n"
    assert read(text).unread == tuple(extra)


@pytest.mark.parametrize(("row", "cells"), [("x,1,0.5" + ",9" * 10, 13), ("x,1", 2), ("x", 1), ("x,1,0,5", 4)])
def test_a_row_with_other_cells_than_the_header_is_refused_with_both_numbers(row, cells):
    remedy = "give every row one cell for each column, and quote cells that hold a comma"
    assert problems(GOOD + row + "\n") == [f"s.csv line 6: has {cells} cells where the header has 3: {row!r}; {remedy}"]


@pytest.mark.parametrize("cell", ["yes", "2", "1.0", "t", "-1", "none"])
def test_answerable_is_one_of_four_words(cell):
    assert problems(GOOD + f"x,{cell},0.5\n") == [
        f"s.csv line 6: answerable {cell!r} is none of 1, 0, true, false; write 1 or 0"
    ]
    assert problems(GOOD + "x,,0.5\n") == ["s.csv line 6: answerable is empty; write 1 or 0"]


@pytest.mark.parametrize("column", ["hit", "scope_ok"])
def test_hits_and_scope_may_be_empty_for_unanswerable_questions_only(column):
    head = f"query_id,answerable,score,{column}\n"
    values = read(head + "a,1,0.5,true\nb,1,0.4,0\nu,0,0.3,\nv,0,0.2,0\n")
    assert getattr(values, column).tolist() == [True, False, False, False]
    assert problems(head + "a,1,0.5,\nu,0,0.3,\n") == [f"s.csv line 2: {column} is empty; write 1 or 0"]
    assert problems(head + "a,1,0.5,1\nu,0,0.3,no\n") == [
        f"s.csv line 3: {column} 'no' is none of 1, 0, true, false; write 1 or 0"
    ]


def test_an_empty_id_is_refused_each_time():
    told = "has no query_id; give every question an id"
    assert problems(GOOD + ",1,0.5\n ,0,0.5\n") == [f"s.csv line 6: {told}", f"s.csv line 7: {told}"]


def test_everything_wrong_with_a_row_is_said():
    assert [p.split(";")[0] for p in problems(GOOD + ",maybe,\n")] == [
        "s.csv line 6: has no query_id",
        "s.csv line 6: answerable 'maybe' is none of 1, 0, true, false",
        "s.csv line 6: score is empty",
    ]


def test_of_many_problems_five_are_shown_and_the_total_is_said():
    with pytest.raises(BadInput) as caught:
        read(GOOD + "".join(f"x{i},1,bad\n" for i in range(9)))
    assert len(caught.value.problems) == 9
    assert [line.split(":")[0] for line in caught.value.lines()[:5]] == [f"s.csv line {n}" for n in range(6, 11)]
    assert caught.value.lines()[5:] == ["9 problems in all; the first 5 are shown"]


def test_a_long_value_is_cut_in_its_message():
    (found,) = problems(GOOD + f"x,1,{'9x' * 400}\n")
    assert f"score '{'9x' * 30}'… is not a finite number" in found


def test_a_path_is_read_like_an_upload_and_a_missing_one_says_so(tmp_path):
    (tmp_path / "s.csv").write_text(GOOD)
    assert read_scores(tmp_path / "s.csv", name="s.csv").ids == ("a1", "a2", "u1", "u2")
    with pytest.raises(BadInput, match=r"no\.csv: cannot be read \(No such file or directory\)"):
        read_scores(tmp_path / "no.csv", name="no.csv")


def test_a_header_after_blank_lines_is_named_by_its_own_line():
    with pytest.raises(BadInput) as caught:
        read_scores(b"\n\nquery_id,answerable\nq,1\n", name="s.csv")
    assert str(caught.value).startswith("s.csv line 3: has no column 'score'")


def test_a_cell_that_is_too_long_is_to_be_shortened():
    with pytest.raises(BadInput, match=r"line 2: is not CSV \(field larger than field limit .*; shorten the cell"):
        read_scores(f"query_id,answerable,score\n{'x' * 140_000},1,0.5\n".encode(), name="s.csv")


def test_hit_and_scope_of_an_unanswerable_question_mean_nothing():
    text = "query_id,answerable,score,hit,scope_ok\na,1,0.9,1,1\nb,0,0.1,1,1\n"
    table = read_scores(text.encode(), name="s.csv")
    assert (table.hit.tolist(), table.scope_ok.tolist()) == ([True, False], [True, False])

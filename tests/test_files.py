import gzip

import numpy as np
import pytest

from evalcore.files import BadInput, read_qrels, read_run, reading, write_qrels, write_run

GOOD = "q1 Q0 a 1 2.5 tag\nq1 Q0 b 2 1.5 tag\nq2 Q0 a 1 7 tag\n"


def run(text, name="run.txt"):
    return read_run(text if isinstance(text, bytes) else text.encode(), name=name)


def qrels(text):
    return read_qrels(text if isinstance(text, bytes) else text.encode(), name="qrels.txt")


def problems(read, text):
    with pytest.raises(BadInput) as caught:
        read(text)
    return [str(p) for p in caught.value.problems]


def rows(text):
    found = run(text)
    queries = [found.questions[code] for code in found.codes]
    return list(zip(queries, found.documents.to_pylist(), found.scores.tolist(), strict=True))


PLAIN = [("q1", "a", 2.5), ("q1", "b", 1.5), ("q2", "a", 7.0)]


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        "\ufeff" + GOOD,
        GOOD.replace("\n", "\r\n"),
        GOOD.replace(" ", "\t"),
        GOOD.replace(" ", "   "),
        "  " + GOOD.replace("\n", " \n"),
        GOOD.replace("\n", "\n\n"),
        GOOD.rstrip("\n"),
        gzip.compress(GOOD.encode()),
    ],
    ids=["plain", "BOM", "CRLF", "tabs", "spaces", "padded", "blank lines", "no final newline", "gzip"],
)
def test_the_same_run_in_every_dress_reads_the_same(text):
    assert rows(text) == PLAIN


@pytest.mark.parametrize("odd", ["NA", "null", "nan", "007", "#7", "a#b", "None", "-1", '"x', "é", "1e5"])
def test_an_id_stays_as_it_is_written(odd):
    assert rows(f"{odd} Q0 {odd} 1 2.5 t\n") == [(odd, odd, 2.5)]
    assert qrels(f"{odd} 0 {odd} 2\n").grades == {odd: {odd: 2}}


def test_scores_are_held_as_32_bit_floats():
    assert run("q1 Q0 a 1 0.1 t\n").scores.dtype == np.float32


def test_a_row_of_five_columns_is_refused_with_its_line_and_the_remedy():
    found = problems(run, GOOD + "\nq2 Q0 b 0.5 tag\n")
    assert found == [
        "run.txt line 5: expected 6 columns, found 5: 'q2 Q0 b 0.5 tag'; write query_id Q0 doc_id rank score run_name"
    ]


def test_seven_columns_are_refused():
    assert "line 1: expected 6 columns, found 7" in problems(run, "q1 Q0 a 1 2.5 tag x\n" + GOOD)[0]


@pytest.mark.parametrize("score", ["nan", "inf", "-inf", "high", "1,5", "NaN", "1.5.2", "0x1p"])
def test_a_score_that_is_no_finite_number_is_refused_with_its_line(score):
    assert problems(run, f"q1 Q0 a 1 2 t\nq1 Q0 b 1 {score} t\n") == [
        f"run.txt line 2: the score {score!r} is not a finite number; write scores as numbers, such as 12.5"
    ]


def test_a_document_twice_names_both_lines():
    found = problems(run, GOOD + "q1 Q0 a 3 0.1 tag\n")
    assert found == ["run.txt line 4: 'a' is there twice for 'q1' (first in line 1); keep each document once"]


def test_all_problems_are_kept_five_are_shown_and_the_total_is_said():
    with pytest.raises(BadInput) as caught:
        run("".join(f"q{i} Q0 a 1 bad t\n" for i in range(8)))
    assert len(caught.value.problems) == 8
    assert len(caught.value.lines()) == 6
    assert caught.value.lines()[-1] == "8 problems in all; the first 5 are shown"


@pytest.mark.parametrize("grade", ["two", "0.5", "1.0", "", "NaN", "1e0"])
def test_a_grade_that_is_no_whole_number_is_refused_never_truncated(grade):
    expected = "columns, found 3" if grade == "" else f"the grade {grade!r} is not a whole number"
    assert expected in problems(qrels, f"q1 0 a 1\nq1 0 b {grade}\n")[0]


def test_conflicting_grades_are_refused_and_an_exact_copy_is_one_row():
    assert problems(qrels, "q1 0 a 1\nq1 0 b 0\nq1 0 a 2\n") == [
        "qrels.txt line 3: 'a' has another grade for 'q1' in line 1; keep one grade a document"
    ]
    assert qrels("q1 0 a 1\nq1 0 a 1\n").grades == {"q1": {"a": 1}}


def test_a_negative_grade_is_kept():
    assert qrels("q1 0 a -1\nq1 0 b +2\n").grades == {"q1": {"a": -1, "b": 2}}


@pytest.mark.parametrize(
    ("raw", "what"),
    [
        (b"", "is empty"),
        (b" \n\t\n", "is empty"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00", "is a binary file"),
        (GOOD.encode("utf-16"), "is not UTF-8"),
        ("q1 Q0 caf\xe9 1 2 t\n".encode("latin-1"), "is not UTF-8 (byte 9, line 1)"),
        (b"\x1f\x8b" + b"rubbish", "is a damaged gzip file"),
    ],
    ids=["empty", "blank", "binary", "UTF-16", "Latin-1", "damaged gzip"],
)
@pytest.mark.parametrize("read", [run, qrels])
def test_what_is_not_a_text_file_is_refused_whole(read, raw, what):
    found = problems(read, raw)
    assert len(found) == 1
    assert what in found[0]


def test_a_file_that_is_not_there_says_so(tmp_path):
    with pytest.raises(BadInput, match=r"no\.trec: cannot be read \(No such file or directory\)"):
        read_run(tmp_path / "no.trec", name="no.trec")


def test_a_written_run_reads_back_in_the_same_order_to_the_last_digit():
    scores = [0.1 + 0.2, 0.3, 1 / 3]
    text = write_run([("q1", ["c", "b", "a"], scores)], "tag")
    assert rows(text) == [("q1", d, float(np.float32(s))) for d, s in zip("cba", scores, strict=True)]
    assert [float(line.split()[4]) for line in text.splitlines()] == scores


def test_written_qrels_read_back():
    grades = {"q2": {"b": 1, "a": 2}, "q1": {"z": 0}}
    assert qrels(write_qrels(grades)).grades == grades


@pytest.mark.parametrize("read", [run, qrels])
def test_a_control_character_is_refused_with_its_line(read):
    (found,) = problems(read, "q1 0 a 1\nq1 0 \x1b[2J 1\n")
    assert found.endswith(".txt: holds a control character (line 2); give a text file in TREC form")


def test_a_null_byte_far_into_the_file_is_binary_too():
    assert "is a binary file" in problems(run, (GOOD * 5_000 + "\0").encode())[0]


def test_old_line_ends_of_a_carriage_return_alone_are_read():
    assert rows(GOOD.replace("\n", "\r")) == PLAIN


@pytest.mark.parametrize("score", ["1e39", "-3.5e38", "1" + "0" * 45])
def test_a_score_beyond_32_bit_floats_is_refused_because_it_would_tie_with_others(score):
    assert f"the score {score!r} is beyond 32-bit floats" in problems(run, f"q1 Q0 a 1 {score} t\n")[0]


def test_the_largest_32_bit_score_is_read():
    assert rows("q1 Q0 a 1 3.4e38 t\n") == [("q1", "a", float(np.float32(3.4e38)))]


@pytest.mark.parametrize("grade", ["1001", "-1001", "99999999999999999999"])
def test_a_grade_that_would_break_the_engine_is_refused(grade):
    assert f"the grade {grade!r} is outside ±1000" in problems(qrels, f"q1 0 a {grade}\n")[0]
    assert qrels("q1 0 a 1000\nq1 0 b -1000\n").grades == {"q1": {"a": 1000, "b": -1000}}


def test_a_long_value_is_cut_in_its_message():
    (found,) = problems(qrels, f"q1 0 a {'x' * 500}\n")
    assert len(found) < 160


def test_one_of_the_studys_own_files_that_cannot_be_read_is_named_with_the_remedy(tmp_path):
    path = tmp_path / "plan.toml"
    for act, what in (
        (lambda: path.read_bytes(), "No such file or directory"),
        (lambda: int("many"), "invalid literal"),
        (lambda: {}["family"], "'family'"),
    ):
        with pytest.raises(BadInput) as caught, reading(path):
            act()
        (found,) = caught.value.problems
        assert str(found).startswith(f"plan.toml: cannot be read ({what}")
        assert found.remedy == "restore it from the repository"


def test_bad_input_inside_keeps_its_own_file_and_line(tmp_path):
    with pytest.raises(BadInput, match=r"run\.txt line 1"), reading(tmp_path / "plan.toml"):
        run("q1 Q0 a\n")

"""Reading by columns says what a walk line by line would say, wherever a block of the file ends."""

import gzip
import hashlib
import os
import re
import threading

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evalcore.files import BadInput, columns, read_qrels, read_run, trec

GOOD = "q1 Q0 a 1 2.5 tag\nq1 Q0 b 2 1.5 tag\nq2 Q0 a 1 7 tag\n"
gaps = st.sampled_from([" ", " ", " ", "\t", "  ", " \t "])
pads = st.sampled_from(["", "", "", " ", "\t"])
ends = st.sampled_from(["\n", "\n", "\r\n", "\r", "\n\n", "\n \n"])
ids = st.sampled_from(["a", "b", "é", "#", "NA", "007", '"', "\u00a0", "\ufeff", "\u2028", "a'b", "\\n"])
numbers = st.sampled_from(["1", "2.5", "+3", ".5", "5.", "1e-3", "1e-400", "7"])
odd_numbers = st.sampled_from(["nan", "inf", "1e39", "1,5", "0x10", "1_0", "x"])


@st.composite
def texts(draw, good, width):
    out = []
    for _ in range(draw(st.integers(1, 8))):
        last = good if draw(st.integers(0, 9)) else odd_numbers
        fields = [draw(ids), "Q0", draw(ids), "0", draw(last), "t"] if width == 6 else [draw(ids), "0", draw(ids)]
        fields += [draw(last)] if width == 4 else []
        if not draw(st.integers(0, 14)):
            fields = draw(st.sampled_from([fields[:-1], [*fields, "x"]]))
        out.append(draw(pads) + "".join(f + draw(gaps) for f in fields[:-1]) + fields[-1] + draw(pads) + draw(ends))
    return draw(st.sampled_from(["", "\ufeff"])) + "".join(out)


def lines_of(text):
    text = text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return [re.split("[ \t]+", line.strip(" \t")) for line in text.split("\n") if line.strip(" \t")]


def outcome(read, text):
    try:
        return read(text.encode(), name="file"), ()
    except BadInput as error:
        return None, error.problems


blocks = pytest.mark.parametrize("block", [8, 23, 1 << 20])
unhurried = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@blocks
@unhurried
@given(text=texts(numbers, 6))
def test_a_run_is_read_as_the_lines_say_or_refused_with_a_line(monkeypatch, block, text):
    monkeypatch.setattr(columns, "BLOCK", block)
    found, problems = outcome(read_run, text)
    if found is None:
        assert all(problem.line for problem in problems)
        return
    rows = lines_of(text)
    assert {len(row) for row in rows} == {6}
    assert [found.questions[code] for code in found.codes] == [row[0] for row in rows]
    assert found.documents.to_pylist() == [row[2] for row in rows]
    assert found.scores.tolist() == [float(np.float32(float(row[4]))) for row in rows]
    assert len({(row[0], row[2]) for row in rows}) == len(rows)
    assert found.sha256 == hashlib.sha256(text.encode()).hexdigest()


@blocks
@unhurried
@given(text=texts(st.sampled_from(["0", "1", "+2", "-1", "007"]), 4))
def test_judgements_are_read_as_the_lines_say_or_refused_with_a_line(monkeypatch, block, text):
    monkeypatch.setattr(columns, "BLOCK", block)
    found, problems = outcome(read_qrels, text)
    if found is None:
        assert all(problem.line for problem in problems)
        return
    expected = {}
    for query, _, document, grade in lines_of(text):
        assert expected.setdefault(query, {}).setdefault(document, int(grade)) == int(grade)
    assert found.grades == expected


@unhurried
@given(text=texts(numbers, 6))
def test_a_run_that_has_no_fault_is_never_refused(text):
    rows = lines_of(text)
    if len({(row[0], row[2]) for row in rows}) < len(rows) or any(
        len(row) != 6 or not re.fullmatch(r"[+-]?[0-9.]+(e-?[0-9]+)?", row[4]) or row[4] == "1e39" for row in rows
    ):
        return
    assert len(read_run(text.encode(), name="run").codes) == len(rows)


@blocks
def test_gzip_reads_the_same_over_several_members_and_is_hashed_as_it_was_given(monkeypatch, block):
    monkeypatch.setattr(columns, "BLOCK", block)
    raw = gzip.compress(GOOD[:30].encode()) + gzip.compress(GOOD[30:].encode())
    found = read_run(raw, name="run.gz")
    assert found.documents.to_pylist() == ["a", "b", "a"]
    assert found.sha256 == hashlib.sha256(raw).hexdigest()


def test_a_gzip_file_that_breaks_off_is_refused_whole():
    with pytest.raises(BadInput, match="run: is a damaged gzip file"):
        read_run(gzip.compress(GOOD.encode())[:-9], name="run")


def test_a_path_is_read_like_its_bytes(tmp_path):
    (tmp_path / "run").write_text(GOOD)
    one, two = read_run(tmp_path / "run", name="run"), read_run(GOOD.encode(), name="run")
    assert (one.sha256, one.questions, one.documents) == (two.sha256, two.questions, two.documents)


@pytest.fixture
def piped(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    writers = []

    def give(text):
        writers.append(threading.Thread(target=(tmp_path / "pipe").write_text, args=(text,)))
        writers[-1].start()
        return tmp_path / "pipe"

    yield give
    for writer in writers:
        writer.join()


def test_a_pipe_is_read_once(piped):
    assert read_run(piped(GOOD), name="pipe").documents.to_pylist() == ["a", "b", "a"]


def test_a_pipe_with_a_fault_is_refused_with_its_line(piped):
    with pytest.raises(BadInput, match="pipe line 4: expected 6 columns, found 3"):
        read_run(piped(GOOD + "q2 Q0 b\n"), name="pipe")


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(BadInput, match=r"run: cannot be read \(Is a directory\)"):
        read_run(tmp_path, name="run")


def test_a_path_that_the_system_refuses_is_said_in_words(tmp_path):
    with pytest.raises(BadInput, match=r"run: cannot be read \(File name too long\)"):
        read_run(tmp_path / ("x" * 300), name="run")


def test_documents_are_told_apart_exactly_where_their_hashes_agree(monkeypatch):
    monkeypatch.setattr(trec, "hashes", lambda texts: np.zeros(len(texts), dtype=np.uint64))
    assert len(read_run(GOOD.encode(), name="run").codes) == 3
    with pytest.raises(BadInput, match=r"'a' is there twice for 'q1' \(first in line 1\)"):
        read_run((GOOD + "q1 Q0 a 3 0 tag\n").encode(), name="run")


def test_long_ids_that_differ_at_their_end_only_are_different_documents():
    stem = "https://example.org/" + "x" * 300
    text = "".join(f"q Q0 {stem}{i} 0 {i} t\n" for i in range(30))
    assert len(read_run(text.encode(), name="run").codes) == 30
    with pytest.raises(BadInput, match="run line 31"):
        read_run((text + f"q Q0 {stem}7 0 1 t\n").encode(), name="run")


@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=40)))
def test_equal_texts_have_equal_hashes_and_these_different_ones_have_not(given_texts):
    whole = pa.array(["", *given_texts, ""], pa.string())
    found = columns.hashes(whole)
    assert len(set(found.tolist())) == len(set(whole.to_pylist()))
    by_text = dict(zip(whole.to_pylist(), found.tolist(), strict=True))
    assert [by_text[text] for text in whole.to_pylist()] == found.tolist()
    assert columns.hashes(whole[1:]).tolist() == found[1:].tolist()


def test_one_document_for_two_questions_is_no_copy_and_question_and_document_are_not_exchanged():
    assert len(read_run(b"a Q0 b 0 1 t\nb Q0 a 0 1 t\nab Q0 c 0 1 t\na Q0 bc 0 1 t\n", name="run").codes) == 4

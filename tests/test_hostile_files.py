"""Every file of the table in tests/hostile.py is read right or refused with its file, line and remedy."""

import gzip
import io
import json
import string
import time

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.files import BadInput, read_qrels_any, read_run_any
from evalcore.files.read_table import read_table
from evalcore.files.sniffing import Kind, sniff
from evalcore.files.texts import read_documents, read_questions
from tests.hostile import BEGIN, CASES, CSV, DOCUMENT, END, TREC, parquet, table
from tests.small import rows_of


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.form}: {case.name}")
def test_the_file_is_read_right_or_refused_in_these_words(case):
    assert case.said() == (case.says, case.refused)


def test_at_least_forty_files_are_tried_and_each_once():
    names = [(case.form, case.name) for case in CASES]
    assert len(names) == len(set(names)) >= 40
    assert sum(case.refused for case in CASES) >= 40


@pytest.mark.parametrize("case", [c for c in CASES if c.refused], ids=lambda case: case.name)
def test_a_refusal_names_the_file_and_a_remedy(case):
    assert case.says.startswith(("f: ", "f line "))
    assert "; " in case.says


def test_the_document_prints_this_table():
    _, _, after = DOCUMENT.read_text(encoding="utf-8").partition(BEGIN)
    assert after.partition(END)[0] == table()


@pytest.mark.parametrize(
    ("raw", "kind"),
    [
        (TREC, Kind.RUN),
        ("q1 0 a 1\n", Kind.QRELS),
        (CSV, Kind.CSV),
        ('{"qid": 1}\n', Kind.JSONL),
        ('{"metadata": {}, "_id": "1"}\n{"metadata": {}, "_id": "2"}\n', Kind.JSONL),
        ('{"q": {"d": 1}}', Kind.JSON),
        ('{\n "q": {\n  "d": 1\n }\n}', Kind.JSON),
        (parquet(qid=["q"]), Kind.PARQUET),
    ],
    ids=["run", "qrels", "CSV", "JSONL", "JSONL, first value an object", "JSON", "JSON, indented", "Parquet"],
)
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
def test_a_file_is_known_by_its_content_packed_or_not(raw, kind, packed):
    raw = raw if isinstance(raw, bytes) else raw.encode()
    found = sniff(gzip.compress(raw) if packed else raw, "holiday.jpeg")
    assert (found.kind, found.gzipped, found.problem) == (kind, packed, None)
    assert found.reason


def test_what_is_none_of_the_forms_has_a_problem_and_no_kind():
    found = sniff(b"\x89PNG\r\n\x1a\n\x00", "run.trec")
    assert found.kind is None
    assert str(found.problem) == "run.trec: is a binary file; give TREC, CSV, JSONL, JSON or Parquet"


def test_only_the_head_of_a_large_file_is_looked_at():
    line = b'{"q": {' + b", ".join(b'"d%d": 1' % i for i in range(30_000)) + b"}}"
    assert sniff(line, "f").kind is Kind.JSON
    assert sniff(TREC.encode() * 10_000 + b"\xff", "f").kind is Kind.RUN


def problems(read, raw):
    """What a reader tells; nothing when it reads the file."""
    try:
        read(raw, "f")
    except BadInput as error:
        return error.problems
    return ()


def bomb(rows):
    out = io.BytesIO()
    text = pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int32()), ["x" * 100_000])
    ids = pa.array([str(i) for i in range(rows)])
    pq.write_table(pa.table({"doc_id": ids, "text": text}), out)
    return out.getvalue()


def test_a_parquet_file_of_one_long_text_many_times_holds_it_once():
    raw = bomb(20_000)
    assert len(raw) < 1_000_000  # 2 GB when each row has its own
    held = read_documents(raw, "f").documents
    assert len(held) == 20_000
    assert len({id(document.text) for document in held.values()}) == 1


def test_many_tiny_gzip_parts_are_read_in_one_pass():
    started = time.perf_counter()
    raw = b"".join([gzip.compress(TREC.encode()), *[gzip.compress(b"\n")] * 20_000])
    assert len(read_run_any(raw, "f")) == 1
    assert time.perf_counter() - started < 30


def test_millions_of_problems_stop_at_the_first_thousand():
    raw = b"qid,docid,score\n" + b"q,d,x\n" * 5_000
    with pytest.raises(BadInput) as caught:
        read_run_any(raw, "f")
    assert len(caught.value.problems) <= 1_001
    assert "more than 1,000 problems" in str(caught.value.problems[-1])


@pytest.mark.parametrize("odd", ["", "\\u0000", "\\n", "\\u001b[2J"])
def test_an_id_in_json_that_is_empty_or_cannot_be_shown_is_refused(odd):
    for raw in (
        f'{{"{odd}": {{"a": 1}}}}',
        f'{{"q": {{"{odd}": 1}}}}',
        f'{{"qid": "{odd}", "docid": "a", "score": 1}}',
    ):
        assert len(problems(read_run_any, raw.encode())) == 1


def test_ids_around_which_spaces_stand_are_one_id():
    (run,) = read_run_any(b'{"qid": " q", "docid": "a", "score": 1}\n{"qid": "q ", "docid": "b", "score": 2}\n', "f")
    assert [q for q, _, _ in rows_of(run)] == ["q", "q"]


ids = st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1).filter(lambda i: i == i.strip(" \t"))
runs = st.dictionaries(st.tuples(ids, ids), st.floats(-(2.0**99), 2.0**99, width=32), min_size=1, max_size=8)


def in_forms(rows):
    """The same rows as CSV, TSV, JSONL, JSON and Parquet."""
    quoted = [['"' + q.replace('"', '""') + '"', '"' + d.replace('"', '""') + '"', repr(s)] for (q, d), s in rows]
    nested = {}
    for (q, d), s in rows:
        nested.setdefault(q, {})[d] = s
    return {
        "CSV": "qid,docid,score\n" + "".join(",".join(row) + "\n" for row in quoted),
        "TSV": "qid\tdocid\tscore\n" + "".join("\t".join(row) + "\n" for row in quoted),
        "JSONL": "".join(json.dumps({"qid": q, "docid": d, "score": s}) + "\n" for (q, d), s in rows),
        "JSON": json.dumps(nested, ensure_ascii=False),
        "Parquet": parquet(qid=[q for (q, _), _ in rows], docid=[d for (_, d), _ in rows], score=[s for _, s in rows]),
    }


@settings(max_examples=60, deadline=None)
@given(runs)
def test_any_ids_read_the_same_from_every_form(held):
    for form, raw in in_forms(list(held.items())).items():
        (run,) = read_run_any(raw if isinstance(raw, bytes) else raw.encode(), "f")
        read = {(q, d): score for q, d, score in rows_of(run)}
        assert read == held, form


@settings(max_examples=150, deadline=None)
@given(
    st.one_of(
        st.binary(max_size=60),
        st.text(string.printable, max_size=80).map(str.encode),
        st.text('qd01.,;\t\n" {}[]:-e', max_size=80).map(lambda t: ("qid,docid,score\n" + t).encode()),
        st.text('qd01.,"\n {}[]:-e', max_size=80).map(lambda t: ('{"qid": ' + t).encode()),
        st.binary(max_size=60).map(lambda b: b"PAR1" + b),
        st.binary(max_size=60).map(lambda b: b"\x1f\x8b\x08" + b),
    )
)
def test_whatever_the_bytes_a_file_is_read_or_refused_and_nothing_else(raw):
    for read in (read_run_any, read_qrels_any, read_table, read_questions, read_documents):
        told = problems(read, raw)
        assert all(str(problem).startswith("f") and problem.remedy for problem in told)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 400), st.integers(0, 255))
def test_a_damaged_parquet_file_is_read_or_refused_and_nothing_else(at, byte):
    raw = bytearray(parquet(qid=["q1", "q2"], docid=["a", "b"], score=[1.0, 2.0]))
    raw[at % len(raw)] = byte
    assert len(problems(read_run_any, bytes(raw))) < 10

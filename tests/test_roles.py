import pytest

from evalcore.files import BadInput
from evalcore.files.from_table import guess_qrels, guess_run, qrels_from_table, remarks, run_from_table
from evalcore.files.read_table import read_table
from evalcore.files.roles import Role, document_columns, qrels_columns, question_columns, run_columns
from evalcore.files.unpack import Limits
from tests.small import rows_of

Q, D, S = Role.QUERY, Role.DOCUMENT, Role.SCORE


@pytest.mark.parametrize(
    ("heads", "found"),
    [
        (["qid", "docid", "score"], ("qid", "docid", "score")),
        (["Query-ID", "Corpus ID", "SIM"], ("Query-ID", "Corpus ID", "SIM")),
        (["topic", "docno", "score"], ("topic", "docno", "score")),
        (["query", "query_id", "document", "doc_id", "score"], ("query_id", "doc_id", "score")),
        (["query", "document", "similarity"], ("query", "document", "similarity")),
    ],
)
def test_usual_names_are_known_whatever_their_case_and_punctuation(heads, found):
    guess = run_columns(heads)
    assert (guess.columns[Q], guess.columns[D], guess.columns[S]) == found
    assert guess.ready


def test_rank_and_run_name_are_found_where_they_are_there_and_never_missed():
    guess = run_columns(["qid", "docid", "score", "rank", "system", "note"])
    assert (guess.columns[Role.RANK], guess.columns[Role.RUN], guess.unread) == ("rank", "system", ("note",))
    assert run_columns(["qid", "docid", "score"]).missing == ()


def test_what_is_missing_or_ambiguous_is_returned_for_a_page_to_ask():
    guess = run_columns(["qid", "topic_id", "passage", "wert"])
    assert not guess.ready
    assert guess.columns == {D: "passage"}
    assert guess.missing == (Q, S)
    assert guess.ambiguous == {Q: ("qid", "topic_id")}
    assert guess.sentence() == (
        "document id from 'passage'; query id could be 'qid' or 'topic_id'; no column for score"
    )


def test_a_score_is_a_grade_only_where_no_better_name_is_there():
    assert qrels_columns(["query-id", "corpus-id", "score"]).columns[Role.GRADE] == "score"
    assert qrels_columns(["qid", "docid", "score", "rel"]).columns[Role.GRADE] == "rel"


def test_a_query_is_the_text_of_a_question_and_not_its_id():
    assert question_columns(["qid", "query"]).columns == {Q: "qid", Role.TEXT: "query"}
    assert question_columns(["id", "text", "type", "answerable"]).unread == ()


def test_a_documents_title_is_not_its_text():
    assert document_columns(["_id", "title", "text"]).columns == {D: "_id", Role.TEXT: "text", Role.TITLE: "title"}


def table(text, **more):
    return read_table(text.encode(), "f.csv", **more)


ODD = table("frage;dokument;wert\nq1;a;1\nq1;b;2\n")


def test_a_choice_of_columns_reads_what_names_do_not_tell():
    (run,) = run_from_table(ODD, {Q: "frage", D: "dokument", S: "wert"}, "mine")
    assert (run.name, rows_of(run)) == ("mine", [("q1", "a", 1.0), ("q1", "b", 2.0)])
    grades = qrels_from_table(ODD, {Q: "frage", D: "dokument", Role.GRADE: "wert"}).grades
    assert grades == {"q1": {"a": 1, "b": 2}}
    assert not guess_run(ODD).ready
    assert not guess_qrels(ODD).ready


@pytest.mark.parametrize(
    ("choice", "what"),
    [
        ({Q: "frage", D: "dokument", S: "x"}, "f.csv: has no column 'x' (for the score); choose one of its columns"),
        ({Q: "frage", D: "dokument"}, "f.csv: has no column for the score; choose one of its columns"),
        ({Q: "frage", D: "frage", S: "wert"}, "f.csv: is to be read with one column as two things"),
    ],
)
def test_a_choice_that_cannot_be_read_is_refused(choice, what):
    with pytest.raises(BadInput) as caught:
        run_from_table(ODD, choice)
    assert str(caught.value).startswith(what)


def test_several_systems_keep_the_order_of_the_file_and_share_its_hash():
    runs = run_from_table(table("run,qid,docid,score\nz,q,a,1\nb,q,a,2\nz,q,b,3\n"))
    assert [(run.name, run.documents.to_pylist(), run.scores.tolist()) for run in runs] == [
        ("z", ["a", "b"], [1.0, 3.0]),
        ("b", ["a"], [2.0]),
    ]
    assert len({run.sha256 for run in runs}) == 1


def test_negative_grades_are_kept_counted_and_said():
    qrels = qrels_from_table(table("qid,docid,rel\nq,a,-1\nq,b,2\nr,a,-2\n"))
    assert qrels.grades == {"q": {"a": -1, "b": 2}, "r": {"a": -2}}
    assert remarks(qrels) == ["f.csv: 2 of 3 grades are negative: judged, not relevant, gain 0"]
    assert remarks(qrels_from_table(table("qid,docid,rel\nq,a,0\n"))) == []


def test_lines_are_counted_with_blank_lines_and_quoted_line_breaks():
    text = '\nqid,docid,score,note\n\nq,a,1,"two\nlines"\n\nq,b,x,\n'
    with pytest.raises(BadInput, match=r"f\.csv line 7: the score 'x'"):
        run_from_table(table(text))
    with pytest.raises(BadInput, match=r"f\.csv line 6: the score 'x'"):
        run_from_table(table("\nqid,docid,score\n\nq,a,1\n\nq,b,x\n"))


@pytest.mark.parametrize("quote", ["", '"'], ids=["read as columns", "walked"])
def test_both_ways_through_a_csv_file_give_the_same_cells(quote):
    text = f"qid,docid,score\n{quote}007{quote}, NA ,1\n\n null,1e5 , 2.5\nq,\tx,.5\n"
    (run,) = run_from_table(table(text))
    assert rows_of(run) == [("007", "NA", 1.0), ("null", "1e5", 2.5), ("q", "x", 0.5)]


def test_a_key_that_first_comes_late_is_missing_before():
    held = read_table(b'{"id": "a"}\n{"text": "x", "id": "b"}\n{"id": "c"}\n', "f")
    assert held.heads == ("id", "text")
    assert held.texts("text") == ["", "x", ""]
    assert held.ids("id", "id").objects().tolist() == ["a", "b", "c"]


@pytest.mark.parametrize("form", ["JSONL", "CSV with quotes"])
def test_a_long_file_read_in_pieces_keeps_its_order_and_lines(form):
    rows, last = 100_003, "x"
    if form == "JSONL":
        lines = [f'{{"qid": "q", "docid": "d{i}", "score": {i}}}' for i in range(rows)]
        lines.append(f'{{"qid": "q", "docid": "d", "score": "{last}"}}')
    else:
        lines = ["qid,docid,score", *(f'"q",d{i},{i}' for i in range(rows)), f"q,d,{last}"]
    (run,) = run_from_table(table("\n".join(lines[:-1])))
    assert run.scores.tolist() == list(range(rows))
    assert run.documents[-1].as_py() == f"d{rows - 1}"
    with pytest.raises(BadInput, match=rf"f\.csv line {len(lines)}: the score 'x'"):
        run_from_table(table("\n".join(lines)))


def test_limits_are_refused_with_their_number_and_never_cut():
    for limits, what in (
        (Limits(raw=10), "has 23 bytes, more than the 10 bytes read here"),
        (Limits(rows=1), "has more than 1 rows"),
        (Limits(columns=2), "has 3 columns; keep at most 2"),
    ):
        with pytest.raises(BadInput, match=what):
            table("a,qid,s\nq,a,1\nq,b,2\nq,c", limits=limits)

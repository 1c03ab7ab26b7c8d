"""Hostile and odd files, and what the tool says of each: the table that the readers are held to, and docs/files.md prints.

``python -m tests.hostile`` writes the table into the document.
"""

import gzip
import io
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
import pyarrow.parquet as pq

from evalcore.cli.loading import Options, joined
from evalcore.files import BadInput, read_qrels_any, read_run_any
from evalcore.files.texts import read_documents, read_questions
from evalcore.files.unpack import Limits
from tests.small import rows_of

DOCUMENT = Path(__file__).resolve().parents[1] / "docs" / "files.md"
BEGIN, END = "<!-- table: begin -->\n", "\n<!-- table: end -->"
SMALL = Limits(raw=20_000, unpacked=100_000, columns=6, rows=1_000)
RUN, QRELS, QUESTIONS, DOCUMENTS = "run", "judgements", "questions", "documents"
COMPARED = "run beside judgements"


@dataclass(frozen=True)
class Case:
    """One file: what it is read as, its bytes, and what is read or the first problem that is told."""

    name: str
    form: str
    raw: bytes
    says: str
    refused: bool

    def said(self):
        """What the tool says; a refusal names the file ``f``."""
        try:
            return _READERS[self.form](self.raw), False
        except BadInput as error:
            total = len(error.problems)
            return str(error.problems[0]) + (f" ({total} problems in all)" if total > 1 else ""), True


def _runs(raw):
    runs = read_run_any(raw, "f", limits=SMALL)
    shown = {run.name: " · ".join(f"{q} {d} {s:g}" for q, d, s in rows_of(run)) for run in runs}
    return shown["f"] if list(shown) == ["f"] else "; ".join(f"{name}: {rows}" for name, rows in shown.items())


def _qrels(raw):
    grades = read_qrels_any(raw, "f", limits=SMALL).grades
    return " · ".join(f"{q} {d} {g}" for q, documents in grades.items() for d, g in documents.items())


def _questions(raw):
    held = read_questions(raw, "f", limits=SMALL).questions
    return " · ".join(f"{i} {q.text!r} {q.type} {q.answerable}" for i, q in held.items())


def _documents(raw):
    held = read_documents(raw, "f", limits=SMALL).documents
    return " · ".join(f"{i} {d.text!r}" + (f" ({d.title})" if d.title else "") for i, d in held.items())


def _compared(raw):
    """The run beside JUDGED, as the command line joins them."""
    with TemporaryDirectory() as folder:
        (Path(folder) / "qrels").write_text(JUDGED)
        (run,) = read_run_any(raw, "f", limits=SMALL)
        try:
            study = joined(f"{folder}/qrels", [run], Options()).study
        except BadInput as error:
            raise BadInput([replace(p, what=p.what.replace(f"{folder}/", "")) for p in error.problems]) from error
    (run,) = study.runs
    return f"{len(run.rankings)} of {len(study.questions)} questions; {run.without_judgements} without judgements"


_READERS = {COMPARED: _compared, RUN: _runs, QRELS: _qrels, QUESTIONS: _questions, DOCUMENTS: _documents}


def _bytes(raw):
    return raw if isinstance(raw, bytes) else raw.encode()


def reads(name, form, raw, says):
    """A file that is read right."""
    return Case(name, form, _bytes(raw), says, False)


def refuses(name, form, raw, says):
    """A file that is refused."""
    return Case(name, form, _bytes(raw), says, True)


def parquet(**columns):
    """A Parquet file of these columns."""
    out = io.BytesIO()
    pq.write_table(pa.table(columns), out)
    return out.getvalue()


TREC = "q1 Q0 a 1 2.5 t\nq1 Q0 b 2 1.5 t\nq2 Q0 a 1 7 t\n"
JUDGED = "q1 0 a 1\nq1 0 b 0\nq2 0 a 2\n"
CSV = "query_id,doc_id,score\nq1,a,2.5\nq1,b,1.5\nq2,a,7\n"
BOM = "\ufeff"

CASES = [
    # TREC, in every dress
    reads("TREC run", RUN, TREC, "q1 a 2.5 · q1 b 1.5 · q2 a 7"),
    reads("TREC run with a byte-order mark", RUN, BOM + TREC, "q1 a 2.5 · q1 b 1.5 · q2 a 7"),
    reads("TREC run with CRLF", RUN, TREC.replace("\n", "\r\n"), "q1 a 2.5 · q1 b 1.5 · q2 a 7"),
    reads(
        "TREC run with line ends of a carriage return alone",
        RUN,
        TREC.replace("\n", "\r"),
        "q1 a 2.5 · q1 b 1.5 · q2 a 7",
    ),
    reads("TREC run with tabs", RUN, TREC.replace(" ", "\t"), "q1 a 2.5 · q1 b 1.5 · q2 a 7"),
    reads("TREC run with runs of spaces", RUN, TREC.replace(" ", "   "), "q1 a 2.5 · q1 b 1.5 · q2 a 7"),
    reads(
        "TREC run with spaces around the lines", RUN, "  " + TREC.replace("\n", " \n"), "q1 a 2.5 · q1 b 1.5 · q2 a 7"
    ),
    reads("TREC run with blank lines", RUN, "\n" + TREC.replace("\n", "\n\n"), "q1 a 2.5 · q1 b 1.5 · q2 a 7"),
    reads("TREC run without a final newline", RUN, TREC.rstrip("\n"), "q1 a 2.5 · q1 b 1.5 · q2 a 7"),
    reads("TREC run, gzip under any name", RUN, gzip.compress(TREC.encode()), "q1 a 2.5 · q1 b 1.5 · q2 a 7"),
    reads(
        "TREC run, gzip of two parts",
        RUN,
        gzip.compress(TREC.encode()[:16]) + gzip.compress(TREC.encode()[16:]),
        "q1 a 2.5 · q1 b 1.5 · q2 a 7",
    ),
    reads("TREC run with '#' inside and before ids", RUN, "#1 Q0 a#b 1 2 t\n", "#1 a#b 2"),
    reads(
        "TREC run with ids NA, null, nan, 007, 1e5",
        RUN,
        "NA Q0 null 1 2 t\nnan Q0 007 1 2 t\n007 Q0 1e5 1 2 t\n",
        "NA null 2 · nan 007 2 · 007 1e5 2",
    ),
    reads(
        "TREC run whose ids look like JSON or XML", RUN, '{q} Q0 <a> 1 2 t\n[q] Q0 "b 1 1 t\n', '{q} <a> 2 · [q] "b 1'
    ),
    reads(
        "TREC run whose ranks and scores disagree (scores decide)", RUN, "q Q0 a 1 1 t\nq Q0 b 2 9 t\n", "q a 1 · q b 9"
    ),
    refuses(
        "TREC run of five columns",
        RUN,
        TREC + "q2 Q0 b 0.5 t\n",
        "f line 4: expected 6 columns, found 5: 'q2 Q0 b 0.5 t'; write query_id Q0 doc_id rank score run_name",
    ),
    refuses(
        "TREC run, all of five columns",
        RUN,
        "q1 Q0 a 2.5 t\nq1 Q0 b 1.5 t\n",
        "f line 1: expected 6 columns, found 5: 'q1 Q0 a 2.5 t'; write query_id Q0 doc_id rank score run_name (2 problems in all)",
    ),
    refuses(
        "TREC run of seven columns",
        RUN,
        TREC + "q2 Q0 b 2 0.5 t x\n",
        "f line 4: expected 6 columns, found 7: 'q2 Q0 b 2 0.5 t x'; write query_id Q0 doc_id rank score run_name",
    ),
    refuses(
        "TREC run with a document twice",
        RUN,
        TREC + "q1 Q0 a 3 0.5 t\n",
        "f line 4: 'a' is there twice for 'q1' (first in line 1); keep each document once",
    ),
    refuses(
        "TREC run with a score NaN",
        RUN,
        TREC + "q2 Q0 b 2 nan t\n",
        "f line 4: the score 'nan' is not a finite number; write scores as numbers, such as 12.5",
    ),
    refuses(
        "TREC run with an infinite score",
        RUN,
        TREC + "q2 Q0 b 2 -inf t\n",
        "f line 4: the score '-inf' is not a finite number; write scores as numbers, such as 12.5",
    ),
    refuses(
        "TREC run with a text score",
        RUN,
        TREC + "q2 Q0 b 2 high t\n",
        "f line 4: the score 'high' is not a finite number; write scores as numbers, such as 12.5",
    ),
    refuses(
        "TREC run with a score beyond 32-bit floats",
        RUN,
        TREC + "q2 Q0 b 2 1e39 t\n",
        "f line 4: the score '1e39' is beyond 32-bit floats, in which trec_eval compares scores; scale the scores down",
    ),
    refuses(
        "TREC run with a control character",
        RUN,
        TREC + "q2 Q0 \x1b[2J 2 1 t\n",
        "f: holds a control character (line 4); give a text file in TREC form",
    ),
    refuses(
        "judgements given as a run",
        RUN,
        JUDGED,
        "f: holds TREC judgements (four columns), not a run; give it as the judgements",
    ),
    refuses(
        "a run given as judgements", QRELS, TREC, "f: holds a TREC run (six columns), not judgements; give it as a run"
    ),
    reads("TREC judgements", QRELS, JUDGED, "q1 a 1 · q1 b 0 · q2 a 2"),
    reads(
        "TREC judgements with a negative grade (kept, counted, said)",
        QRELS,
        JUDGED + "q2 0 b -1\n",
        "q1 a 1 · q1 b 0 · q2 a 2 · q2 b -1",
    ),
    reads("TREC judgements with an exact copy of a row", QRELS, JUDGED + "q1 0 a 1\n", "q1 a 1 · q1 b 0 · q2 a 2"),
    refuses(
        "TREC judgements with conflicting grades",
        QRELS,
        JUDGED + "q1 0 a 2\n",
        "f line 4: 'a' has another grade for 'q1' in line 1; keep one grade a document",
    ),
    refuses(
        "TREC judgements with a text grade",
        QRELS,
        JUDGED + "q2 0 b two\n",
        "f line 4: the grade 'two' is not a whole number; write grades as 0, 1, 2, …",
    ),
    refuses(
        "TREC judgements with a grade of one half",
        QRELS,
        JUDGED + "q2 0 b 0.5\n",
        "f line 4: the grade '0.5' is not a whole number; write grades as 0, 1, 2, …",
    ),
    refuses(
        "TREC judgements of three columns",
        QRELS,
        JUDGED + "q2 b 1\n",
        "f line 4: expected 4 columns, found 3: 'q2 b 1'; write query_id 0 doc_id grade",
    ),
    # a run beside its judgements
    reads(
        "a run that lacks a question and has one too many",
        COMPARED,
        "q1 Q0 a 1 2.5 t\nq9 Q0 a 1 7 t\n",
        "1 of 2 questions; 1 without judgements",
    ),
    refuses(
        "a run with no question in common",
        COMPARED,
        TREC.replace("q", "Q"),
        "f: shares no question with qrels ('Q1', 'Q2' against 'q1', 'q2'); check ids for another prefix, zero padding or case",
    ),
    # whole files
    refuses("empty", RUN, b"", "f: is empty; give a file with at least one line"),
    refuses("blank", RUN, b" \n\t\n", "f: is empty; give a file with at least one line"),
    refuses("gzip of nothing", RUN, gzip.compress(b""), "f: is empty; give a file with at least one line"),
    refuses(
        "damaged gzip", RUN, b"\x1f\x8brubbish", "f: is a damaged gzip file; compress it again or give it uncompressed"
    ),
    refuses(
        "gzip that was cut off",
        RUN,
        gzip.compress(TREC.encode())[:-12],
        "f: is a damaged gzip file; compress it again or give it uncompressed",
    ),
    refuses(
        "gzip inside gzip", RUN, gzip.compress(gzip.compress(TREC.encode())), "f: is gzip inside gzip; unpack it once"
    ),
    refuses(
        "a small gzip of many megabytes",
        RUN,
        gzip.compress(TREC.encode() + b"\n" * 3_000_000),
        "f: unpacks to more than 100,000 bytes (from 2,976 bytes); cut it to the questions or columns needed",
    ),
    refuses(
        "larger than is read here",
        RUN,
        TREC + "\n" * 20_000,
        "f: has 20,046 bytes, more than the 20,000 bytes read here; cut it to the questions or columns needed",
    ),
    refuses(
        "a picture",
        RUN,
        b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
        "f: is a binary file; give TREC, CSV, JSONL, JSON or Parquet",
    ),
    refuses(
        "a ZIP or Excel file",
        RUN,
        b"PK\x03\x04\x14\x00",
        "f: is a ZIP or Excel file; unpack it, or save the sheet as CSV UTF-8",
    ),
    refuses("a PDF", RUN, b"%PDF-1.7\n", "f: is a PDF file; give the data as a text file"),
    refuses(
        "a web page",
        RUN,
        "<!doctype html>\n<title>Not found</title>\n",
        "f line 1: looks like a web page or XML; give TREC, CSV, JSONL, JSON or Parquet",
    ),
    refuses(
        "UTF-16 with a mark",
        RUN,
        CSV.encode("utf-16"),
        "f: is UTF-16, not UTF-8; save it as UTF-8 (in Excel: CSV UTF-8)",
    ),
    refuses(
        "UTF-16 without a mark",
        RUN,
        CSV.encode("utf-16-le"),
        "f: is UTF-16, not UTF-8; save it as UTF-8 (in Excel: CSV UTF-8)",
    ),
    refuses(
        "Latin-1",
        RUN,
        "query_id,doc_id,score\nq1,café,1\n".encode("latin-1"),
        "f line 2: is not UTF-8 (byte 28); save it as UTF-8",
    ),
    refuses("a NUL byte in a text", RUN, CSV + "q2,b\0,1\n", "f line 5: holds a NUL byte; give a text file"),
    refuses(
        "prose",
        RUN,
        "Dear colleague,\nhere is the run that we spoke about.\nBest\n",
        "f line 1: is none of the forms read: 'Dear colleague,'; give a TREC run (six columns), TREC qrels (four), CSV with column names, JSONL, JSON or Parquet",
    ),
    # CSV
    reads("CSV", RUN, CSV, "q1 a 2.5 · q1 b 1.5 · q2 a 7"),
    reads("CSV with a byte-order mark and CRLF", RUN, BOM + CSV.replace("\n", "\r\n"), "q1 a 2.5 · q1 b 1.5 · q2 a 7"),
    reads("CSV with semicolons", RUN, CSV.replace(",", ";"), "q1 a 2.5 · q1 b 1.5 · q2 a 7"),
    reads("TSV", RUN, CSV.replace(",", "\t"), "q1 a 2.5 · q1 b 1.5 · q2 a 7"),
    reads("CSV, gzip", RUN, gzip.compress(CSV.encode()), "q1 a 2.5 · q1 b 1.5 · q2 a 7"),
    reads(
        "CSV with spaces after the commas and blank lines",
        RUN,
        "\n" + CSV.replace(",", ", ").replace("\n", "\n\n"),
        "q1 a 2.5 · q1 b 1.5 · q2 a 7",
    ),
    reads(
        "CSV with ids NA, null, nan, 007, 1e5",
        RUN,
        "qid,docno,sim\nNA,null,1\nnan,007,1\n007,1e5,1\n",
        "NA null 1 · nan 007 1 · 007 1e5 1",
    ),
    reads(
        "CSV with quoted ids that hold commas and quotes",
        RUN,
        'qid,docid,score\nq1,"a,b",1\nq1,"say ""b""",2\n',
        'q1 a,b 1 · q1 say "b" 2',
    ),
    reads(
        "CSV with a column without a name and columns in another order",
        RUN,
        ",score,docid,qid\n0,2.5,a,q1\n1,1.5,b,q1\n",
        "q1 a 2.5 · q1 b 1.5",
    ),
    reads(
        "CSV of several systems",
        RUN,
        "qid,docid,score,system\nq1,a,1,old\nq1,a,2,new\nq1,b,1,new\n",
        "old: q1 a 1; new: q1 a 2 · q1 b 1",
    ),
    reads("CSV with a rank beside the score", RUN, "topic,doc,rank,score\nq1,a,1,2\nq1,b,2,1\n", "q1 a 2 · q1 b 1"),
    reads(
        "TREC columns as TSV under a header",
        RUN,
        "qid\tQ0\tdocno\trank\tscore\ttag\nq1\tQ0\ta\t1\t2.5\tt\n",
        "t: q1 a 2.5",
    ),
    refuses(
        "CSV without a header",
        RUN,
        "q1,a,2.5\nq1,b,1.5\n",
        "f line 1: starts with data, not with column names: 'q1,a,2.5'; add a first line such as query_id,doc_id,score",
    ),
    refuses(
        "CSV with a header only", RUN, "query_id,doc_id,score\n", "f: has a header and no row; give at least one row"
    ),
    refuses(
        "CSV with a column named twice",
        RUN,
        "qid,docid,score,score\nq1,a,1,2\n",
        "f line 1: names the column 'score' 2 times; keep one of them",
    ),
    refuses(
        "CSV with unknown names",
        RUN,
        "frage,dokument,wert\nq1,a,1\nq1,b,2\n",
        "f: has no column for the query id; it has 'frage', 'dokument', 'wert'; name it query_id, or say which column it is (3 problems in all)",
    ),
    refuses(
        "CSV with two columns that could be the query id",
        RUN,
        "qid,query_id,docid,score\nq1,q1,a,1\n",
        "f: has more than one column for the query id: 'qid', 'query_id'; say which column it is, or keep one of them",
    ),
    refuses(
        "CSV with ranks and no scores",
        RUN,
        "qid,docid,rank\nq1,a,1\n",
        "f: has no column for the score; it has 'qid', 'docid', 'rank'; add a column of scores (the rank column is not read), such as 1 / rank",
    ),
    refuses(
        "CSV with a row of another width",
        RUN,
        CSV + "q2,b\n",
        "f line 5: has 2 cells where the header has 3: 'q2,b'; give every row one cell for each column, and quote cells that hold the separator",
    ),
    refuses(
        "CSV with a quote that is not closed",
        RUN,
        CSV + 'q2,"b,1\nq3,c,1\n',
        "f line 5: is not CSV from here (unexpected end of data); close every quote, and double one inside",
    ),
    refuses(
        "CSV with a line break in an id",
        RUN,
        CSV + 'q2,"b\nc",1\n',
        "f line 5: the document id 'b\\nc' holds a control character; take it out",
    ),
    refuses("CSV with an empty id", RUN, CSV + "q2,,1\n", "f line 5: has no document id; give every row a document id"),
    refuses("CSV with an empty score", RUN, CSV + "q2,b,\n", "f line 5: has no score; give every row a score"),
    refuses(
        "CSV with a score NaN",
        RUN,
        CSV + "q2,b,NaN\n",
        "f line 5: the score 'NaN' is not a finite number; write scores as numbers, such as 12.5",
    ),
    refuses(
        "CSV with decimal commas",
        RUN,
        "qid;docid;score\nq1;a;0,5\n",
        "f line 2: the score '0,5' is not a finite number; write a decimal point, not a comma",
    ),
    refuses(
        "CSV with a document twice",
        RUN,
        CSV + "\nq1, a,3\n",
        "f line 6: 'a' is there twice for 'q1' (first in line 2); keep each document once",
    ),
    refuses(
        "CSV with a document twice in one of its systems",
        RUN,
        "qid,docid,score,run\nq,a,1,x\nq,a,1,y\nq,a,2,y\n",
        "f line 4: 'a' is there twice for 'q' in 'y' (first in line 3); keep each document once",
    ),
    refuses(
        "CSV with too many columns",
        RUN,
        "qid,docid,score,a,b,c,d\nq,d,1,1,1,1,1\n",
        "f line 1: has 7 columns; keep at most 6",
    ),
    refuses(
        "CSV with too many rows",
        RUN,
        "qid,docid,score\n" + "".join(f"q,d{i},1\n" for i in range(1_100)),
        "f: has more than 1,000 rows; cut it to the questions needed",
    ),
    refuses(
        "more than five problems",
        RUN,
        "qid,docid,score\n" + "".join(f"q{i},a,x\n" for i in range(8)),
        "f line 2: the score 'x' is not a finite number; write scores as numbers, such as 12.5 (8 problems in all)",
    ),
    reads(
        "BEIR judgements (TSV, grade in the column score)",
        QRELS,
        "query-id\tcorpus-id\tscore\nq1\ta\t1\nq1\tb\t0\n",
        "q1 a 1 · q1 b 0",
    ),
    refuses(
        "CSV judgements with a grade 1.0",
        QRELS,
        "qid,docid,rel\nq1,a,1.0\n",
        "f line 2: the grade '1.0' is not a whole number; write 1, not '1.0'",
    ),
    refuses(
        "CSV judgements with a grade of one half",
        QRELS,
        "qid,docid,rel\nq1,a,0.5\n",
        "f line 2: the grade '0.5' is not a whole number; write grades as 0, 1, 2, …",
    ),
    refuses(
        "CSV judgements with conflicting grades",
        QRELS,
        "qid,docid,rel\nq1,a,1\nq1,b,1\nq1,a,2\n",
        "f line 4: 'a' has another grade for 'q1' in line 2; keep one grade a document",
    ),
    refuses(
        "CSV judgements with a grade of 1001",
        QRELS,
        "qid,docid,rel\nq1,a,1001\n",
        "f line 2: the grade '1001' is outside ±1000; write small whole numbers",
    ),
    # JSON
    reads(
        "JSONL",
        RUN,
        '{"qid": "q1", "docid": "a", "score": 2.5}\n\n{"score": 1.5, "docid": "b", "qid": "q1"}',
        "q1 a 2.5 · q1 b 1.5",
    ),
    reads(
        "JSONL with whole numbers as ids",
        RUN,
        '{"qid": 7, "docid": 12345678901234567890, "score": 1}\n',
        "7 12345678901234567890 1",
    ),
    refuses(
        "JSONL with a number 7.0 as id",
        RUN,
        '{"qid": 7.0, "docid": "a", "score": 1}\n',
        "f line 1: the query id 7.0 is a number with a fraction or exponent; store ids as text (or whole numbers): 7.0 and 7 are different ids",
    ),
    refuses(
        "JSONL with an id that is missing",
        RUN,
        '{"qid": "q", "docid": "a", "score": 1}\n{"docid": "b", "score": 1}\n',
        "f line 2: has no query id ('qid' is missing); give every row a query id",
    ),
    refuses(
        "JSONL with a score null",
        RUN,
        '{"qid": "q", "docid": "a", "score": null}\n',
        "f line 1: has no score ('score' is missing); give every row a score",
    ),
    refuses(
        "JSONL with a score NaN",
        RUN,
        '{"qid": "q", "docid": "a", "score": NaN}\n',
        "f line 1: the score 'NaN' is not a finite number; write scores as numbers, such as 12.5",
    ),
    refuses(
        "JSONL with a line that was cut off",
        RUN,
        '{"qid": "q", "docid": "a", "score": 1}\n{"qid": "q", "do\n',
        "f line 2: is not JSON (Unterminated string starting at, column 14); write one JSON object a line",
    ),
    refuses(
        "JSONL with a key twice",
        RUN,
        '{"qid": "q", "qid": "r", "docid": "a", "score": 1}\n',
        "f line 1: names 'qid' twice; write one JSON object a line",
    ),
    refuses(
        "JSONL with half of a character",
        RUN,
        '{"qid": "\\ud800", "docid": "a", "score": 1}\n',
        "f line 1: holds half of a character (\\ud8… alone); write one JSON object a line",
    ),
    refuses(
        "JSONL nested without end",
        RUN,
        '{"qid": ' + "[" * 9_000 + "\n",
        "f line 1: is nested too deeply; write one JSON object a line",
    ),
    refuses(
        "a JSON list",
        RUN,
        '[{"qid": "q", "docid": "a", "score": 1}]',
        "f line 1: is a JSON list; write one object a line (JSONL), or {query: {document: score}}",
    ),
    reads(
        "JSON dictionary of ranx and pytrec_eval",
        RUN,
        '{"q1": {"a": 2.5, "b": 1.5}, "q2": {"a": 7}}',
        "q1 a 2.5 · q1 b 1.5 · q2 a 7",
    ),
    reads(
        "JSON dictionary, judgements", QRELS, '{"q1": {"a": 1, "b": -1},\n "q2": {"a": 2}}', "q1 a 1 · q1 b -1 · q2 a 2"
    ),
    refuses(
        "JSON dictionary with a document twice",
        RUN,
        '{"q1": {"a": 2.5, "a": 1.5}}',
        "f: names 'a' twice; write {query: {document: number}}",
    ),
    refuses(
        "JSON dictionary with a score NaN",
        RUN,
        '{"q1": {"a": NaN}}',
        "f: 'q1', 'a': the score 'NaN' is not a finite number; write scores as numbers, such as 12.5",
    ),
    refuses(
        "JSON dictionary with a text score",
        RUN,
        '{"q1": {"a": "2.5"}}',
        "f: 'q1', 'a': the score is a text '2.5', not a number; write {query: {document: number}}",
    ),
    refuses(
        "JSON dictionary with a grade of one half",
        QRELS,
        '{"q1": {"a": 0.5}}',
        "f: 'q1', 'a': the grade '0.5' is not a whole number; write grades as 0, 1, 2, …",
    ),
    refuses(
        "JSON dictionary one level deeper",
        RUN,
        '{"bm25": {"q1": {"a": 1}}}',
        "f: 'bm25', 'q1': the score is an object, not a number; write {query: {document: number}}",
    ),
    refuses(
        "JSON dictionary that was cut off",
        RUN,
        '{"q1": {"a": 1},\n "q2": {',
        "f line 2: is not JSON (Expecting property name enclosed in double quotes, column 9); write {query: {document: number}}",
    ),
    refuses("an empty JSON object", RUN, "{}", "f: is an empty JSON object; give at least one question"),
    # Parquet
    reads("Parquet", RUN, parquet(qid=["q1", "q1"], docid=["a", "b"], score=[2.5, 1.5]), "q1 a 2.5 · q1 b 1.5"),
    reads("Parquet with whole numbers as ids", RUN, parquet(qid=[1, 1], docid=[7, 8], score=[2, 1]), "1 7 2 · 1 8 1"),
    refuses(
        "Parquet with fractions as ids",
        RUN,
        parquet(qid=[1.0, 7.0], docid=["a", "b"], score=[2.5, 1.5]),
        "f: holds values of the type double (such as 1.0) in the column 'qid', the query id; store ids as text (or whole numbers): 7.0 and 7 are different ids",
    ),
    refuses(
        "Parquet with an id that is missing",
        RUN,
        parquet(qid=["q1", None], docid=["a", "b"], score=[2.5, 1.5]),
        "f: row 2: has no query id; give every row a query id",
    ),
    refuses(
        "Parquet with a score NaN",
        RUN,
        parquet(qid=["q1", "q1"], docid=["a", "b"], score=[2.5, float("nan")]),
        "f: row 2: the score 'nan' is not a finite number; write scores as numbers, such as 12.5",
    ),
    refuses(
        "Parquet with a document twice",
        RUN,
        parquet(qid=["q1", "q1"], docid=["a", "a"], score=[2.5, 1.5]),
        "f: row 2: 'a' is there twice for 'q1' (first in row 1); keep each document once",
    ),
    refuses(
        "Parquet with grades of 1.0",
        QRELS,
        parquet(qid=["q1"], docid=["a"], rel=[1.0]),
        "f: row 1: the grade '1.0' is not a whole number; write 1, not '1.0'",
    ),
    refuses("damaged Parquet", RUN, b"PAR1" + b"\x00" * 40 + b"PAR1", "f: is a damaged Parquet file; write it again"),
    # texts
    reads(
        "questions",
        QUESTIONS,
        'id,text,type,answerable\nq2,"Why, then?",why,0\nq1,What?,,1\n',
        "q1 'What?' None True · q2 'Why, then?' why False",
    ),
    reads(
        "questions of BEIR",
        QUESTIONS,
        '{"_id": "q1", "text": "What?", "metadata": {"a": [1]}}\n',
        "q1 'What?' None None",
    ),
    refuses(
        "questions with an id twice",
        QUESTIONS,
        "qid,query\nq1,What?\nq1,Why?\n",
        "f line 3: 'q1' is there twice (first in line 2); keep each question once",
    ),
    refuses(
        "questions without a text", QUESTIONS, "qid,query\nq1,\n", "f line 2: has no text; give every question its text"
    ),
    refuses(
        "questions that are perhaps answerable",
        QUESTIONS,
        "qid,query,answerable\nq1,What?,perhaps\n",
        "f line 2: answerable 'perhaps' is none of 1, 0, true, false; write 1 or 0",
    ),
    reads(
        "documents of BEIR",
        DOCUMENTS,
        '{"_id": 7, "title": "T", "text": "<b>Text</b>"}\n{"_id": "x", "text": ""}\n',
        "7 '<b>Text</b>' (T) · x ''",
    ),
    refuses(
        "documents without a text column",
        DOCUMENTS,
        "docid,url\na,b\n",
        "f: has no column for the text; it has 'docid', 'url'; name it text, or say which column it is",
    ),
]


def table():
    """The cases as a Markdown table."""
    rows = ["| file | read as | | what the tool reads or says |", "|---|---|---|---|"]
    for case in CASES:
        said = case.says.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*").replace("_", "\\_")
        rows.append(f"| {case.name} | {case.form} | {'refused' if case.refused else 'read'} | {said} |")
    return "\n".join(rows)


if __name__ == "__main__":
    text = DOCUMENT.read_text(encoding="utf-8")
    before, _, after = text.partition(BEGIN)
    DOCUMENT.write_text(before + BEGIN + table() + END + after.partition(END)[2], encoding="utf-8")

"""The files of the study, read with the standard library alone."""

import csv
import hashlib
import json
import re
import tomllib
from functools import cache
from itertools import product
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RANKERS = ("bm25", "dense", "hybrid")
ARMS = ("sections", "chunks")


@cache
def plan():
    return tomllib.loads((ROOT / "gold/plan.toml").read_text(encoding="utf-8"))


@cache
def report():
    return as_json("gold/report.json")


@cache
def as_json(path):
    return json.loads((ROOT / path).read_text(encoding="utf-8"))


@cache
def rows(name):
    """The lines of gold/<name>.jsonl."""
    return [json.loads(line) for line in (ROOT / f"gold/{name}.jsonl").read_text(encoding="utf-8").splitlines()]


@cache
def unanswerable_plan():
    return tomllib.loads((ROOT / "gold/unanswerable/plan.toml").read_text(encoding="utf-8"))


@cache
def table(name):
    """{question: {column: text}} of gold/<name>.csv, ascending by id as bytes."""
    lines = csv.DictReader((ROOT / f"gold/{name}.csv").read_text(encoding="utf-8").splitlines(), strict=True)
    read = [(row.pop("query_id"), row) for row in lines]
    assert len(dict(read)) == len(read), f"{name}: a question is there twice"
    return {question: dict(read)[question] for question in by_bytes(dict(read))}


@cache
def section_texts():
    """The text of each section, its line ends untouched, so that offsets count characters of the file."""
    ids = [section["id"] for section in as_json("corpus/manifest.json")["sections"]]
    return {name: (ROOT / f"corpus/sections/{name}.md").read_bytes().decode("utf-8") for name in ids}


@cache
def chunks():
    return as_json("corpus/chunks.json")


def chunk_texts():
    return {chunk["id"]: section_texts()[chunk["section"]][chunk["start"] : chunk["end"]] for chunk in chunks()}


def by_bytes(ids):
    """Ids ascending as bytes, the order in which every random stream meets the questions."""
    return sorted(ids, key=str.encode)


@cache
def question_ids():
    return by_bytes(question["id"] for question in rows("questions"))


def sha256(path):
    return hashlib.sha256((ROOT / path).read_bytes()).hexdigest()


def _trec(path, document, number):
    """{question: {document: number}} of a TREC file, a document given twice refused."""
    table = {}
    for line in (ROOT / path).read_text(encoding="utf-8").splitlines():
        fields = line.split()
        documents = table.setdefault(fields[0], {})
        assert fields[document] not in documents, f"{path}: {line}"
        documents[fields[document]] = number(fields)
    return table


@cache
def run(name):
    return _trec(f"gold/runs/{name}.trec", 2, lambda fields: float(fields[4]))


@cache
def qrels(name="qrels"):
    return _trec(f"gold/{name}.trec", 2, lambda fields: int(fields[3]))


# What the grades follow from.


def holds(chunk, span):
    """Whether the whole span lies in the chunk."""
    return chunk["section"] == span["section"] and chunk["start"] <= span["start"] and span["end"] <= chunk["end"]


def judged():
    return {(row["question"], row["chunk"]): row["grade"] for row in rows("judgements")}


def span_holders():
    """(question, chunk) of every chunk that holds a whole span of the question."""
    pairs = product(rows("evidence"), chunks())
    return {(span["question"], chunk["id"]) for span, chunk in pairs if holds(chunk, span)}


def passage_grades():
    """The grade of every judged or answer-bearing passage: 2 where a whole span stands, else the judge's."""
    return judged() | dict.fromkeys(span_holders(), 2)


def question_of_draft():
    return {question["draft"]: question["id"] for question in rows("questions")}


def readings(answers=(True, False)):
    """(question, section) of the readings of a study question whose verdict is among those named."""
    ids = question_of_draft()
    kept = (row for row in rows("readings") if row["question"] in ids and row["answers"] in answers)
    return [(ids[row["question"]], row["section"]) for row in kept]


def section_grades():
    """The grade of every section read: 2 where a span of the question stands in it, else 0."""
    spans = {(span["question"], span["section"]) for span in rows("evidence")}
    return {pair: 2 if pair in spans else 0 for pair in readings()}


def words(text):
    return len(re.findall(r"\S+", text))

"""``corpus build``: the manifest, the passages and the vectors of the textbook."""

from __future__ import annotations

import click

from evalcore.cli.textbook import needs_textbook
from evalcore.generation.topics import read_topics
from evalcore.goldset.schema import GoldSet
from evalcore.goldset.unanswerable import Slice
from evalcore.retrieval.build import write_chunks, write_manifest, write_vectors
from evalcore.retrieval.corpus import CORPUS, Corpus


@click.group()
def corpus() -> None:
    """The textbook."""


@corpus.command()
@click.option("--date", required=True, help="When the sections were written, as YYYY-MM-DD.")
@click.option("--written-by", required=True, help="Who wrote them.")
def manifest(date: str, written_by: str) -> None:
    """Write manifest.json and chunks.json from the sections."""
    needs_textbook()
    write_manifest(CORPUS, date=date, written_by=written_by)
    write_chunks(CORPUS)


@corpus.command()
def vectors() -> None:
    """Encode passages, sections, sentences, and answerable, unanswerable and off-topic questions, topics."""
    needs_textbook()
    near = Slice()
    sets = {
        "questions": {q.id: q.text for q in GoldSet().questions},
        "unanswerable": {q.id: q.text for q in near.questions},
        "off_topic": {q.id: q.text for q in near.off_topic},
        "topics": {t.id: t.query for t in read_topics()},
    }
    write_vectors(Corpus.load(), sets)

"""``gold check``: every rule of the gold set. ``gold build``: what is computed from its hand-made files."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime

import click

from evalcore.cli.textbook import needs_textbook
from evalcore.evidence import Result
from evalcore.files import write_qrels
from evalcore.goldset.build import chunk_grades, section_grades, write_packs, write_runs
from evalcore.goldset.checks import check_all
from evalcore.goldset.near_checks import check_near
from evalcore.goldset.schema import GoldSet
from evalcore.goldset.scores import FILE, OFF_TOPIC, candidates, hits, off_topic_csv, scores_csv
from evalcore.goldset.unanswerable import Slice
from evalcore.retrieval.corpus import Corpus
from evalcore.studies import THRESHOLD, Shipped, store_by_rule

_SHOWN = 5


@click.group()
def gold() -> None:
    """The textbook's gold set."""


@gold.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON for machines.")
def check(as_json: bool) -> None:
    """Check every rule of the gold set; exit 1 when one fails."""
    needs_textbook()
    gold_set, corpus = GoldSet(), Corpus.load()
    checks = [*check_all(gold_set, corpus), *check_near(gold_set, corpus)]
    if as_json:
        rows = [{"rule": c.rule, "result": c.result.value, "details": list(c.details)} for c in checks]
        click.echo(json.dumps(rows, indent=1))
    else:
        for c in checks:
            click.echo(f"{c.result.value:<13} {c.rule}")
            for detail in c.details[:_SHOWN]:
                click.echo(f"              - {detail}")
            if len(c.details) > _SHOWN:
                click.echo(f"              - and {len(c.details) - _SHOWN} more")
    sys.exit(1 if any(c.result is Result.FAIL for c in checks) else 0)


@gold.command()
@click.argument("what", type=click.Choice(["runs", "packs", "qrels", "scores"]))
def build(what: str) -> None:
    """Write runs from the rankers, blind packs from runs and drafts, qrels from spans, readings and judgements, or the
    abstention scores with the threshold that the declared rule chooses."""
    needs_textbook()
    gold_set, corpus = GoldSet(), Corpus.load()
    if what == "scores":
        _write_scores(gold_set, corpus)
        return
    if what == "runs":
        write_runs(gold_set, corpus)
        return
    if what == "packs":
        write_packs(gold_set, corpus)
        return
    for name, grades in (
        ("qrels.trec", chunk_grades(gold_set, corpus)),
        ("section_qrels.trec", section_grades(gold_set, corpus)),
    ):
        (gold_set.folder / name).write_text(write_qrels(grades), encoding="utf-8")


def _write_scores(gold_set: GoldSet, corpus: Corpus) -> None:
    near = Slice()
    found = candidates(gold_set, near, corpus)
    (gold_set.folder / FILE).write_text(scores_csv(found, hits(gold_set, corpus)), encoding="utf-8")
    (gold_set.folder / OFF_TOPIC).write_text(off_topic_csv(found), encoding="utf-8")
    stored = store_by_rule(Shipped(gold_set, near, corpus).textbook, date=f"{datetime.now(UTC):%Y-%m-%d}")
    (gold_set.folder / THRESHOLD).write_text(stored.model_dump_json(indent=1) + "\n", encoding="utf-8")

"""``report``: the published report, recomputed, replaced or compared."""

from __future__ import annotations

import json
import sys

import click

from evalcore.cli.textbook import needs_textbook
from evalcore.files import BadInput, Problem, reading
from evalcore.goldset.schema import GoldSet
from evalcore.report import build_report, check_live, check_runs, differences
from evalcore.retrieval.corpus import Corpus
from evalcore.textbook import Textbook


@click.command()
@click.option("--write", is_flag=True, help="Replace gold/report.json.")
@click.option("--check", is_flag=True, help="Compare gold/report.json with a fresh computation; exit 1 if it differs.")
def report(write: bool, check: bool) -> None:
    """Recompute the published report of the textbook study."""
    needs_textbook()
    textbook, corpus = Textbook(GoldSet()), Corpus.load()
    path = textbook.gold.folder / "report.json"
    fresh = json.loads(json.dumps(build_report(textbook, corpus)))
    if write:
        path.write_text(json.dumps(fresh, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        click.echo(f"{path.name} written")
    elif check:
        if not path.exists():
            raise BadInput([Problem(path.name, None, "is not there", "write it with: report --write")])
        with reading(path):
            published = json.loads(path.read_text(encoding="utf-8"))
        faults = [*differences(published, fresh), *check_runs(textbook, corpus)]
        live = check_live(textbook, corpus)
        faults += live.faults
        for fault in faults:
            click.echo(fault, err=True)
        if live.not_assessed:
            click.echo(f"stored vectors against fresh ones: not assessed ({live.not_assessed})", err=True)
        click.echo("the report differs" if faults else "the report is what its files give")
        sys.exit(1 if faults else 0)
    else:
        click.echo(json.dumps(fresh, indent=1, ensure_ascii=False))

"""The command line. Exit 0: nothing fails; 1: a gate or check fails or cannot be assessed; 2: bad input."""

from __future__ import annotations

import sys

import click

from evalcore.cli.compare import compare
from evalcore.cli.corpus import corpus
from evalcore.cli.coverage import coverage
from evalcore.cli.gold import gold
from evalcore.cli.power import power
from evalcore.cli.report import report
from evalcore.cli.sweep import confirm, sweep
from evalcore.files import BadInput
from evalcore.retrieval.corpus import CorpusError


class _Group(click.Group):
    """Turns bad input, wherever it is found, into lines on stderr and exit code 2."""

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except BadInput as error:
            for line in error.lines():
                click.echo(line, err=True)
            sys.exit(2)
        except CorpusError as error:
            click.echo(f"corpus: {error}", err=True)
            sys.exit(2)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Evidence Lab: what retrieval numbers prove, and what they leave open."""


for command in (compare, confirm, corpus, coverage, gold, power, report, sweep):
    main.add_command(command)

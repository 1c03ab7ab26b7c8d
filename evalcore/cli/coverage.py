"""``coverage``: how often the published intervals hold the truth, simulated, and where asked stored and documented."""

from __future__ import annotations

import os
import sys
from errno import EISDIR
from pathlib import Path
from tempfile import NamedTemporaryFile

import click

from evalcore.files import BadInput, Problem, reading
from evalcore.stats import coverage as simulation
from evalcore.stats.coverage import figures as figures_file

MOST_WORKERS = 32
DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "coverage.md"
BEGIN, END = "<!-- table: begin -->", "<!-- table: end -->"


@click.command()
@click.option("--simulations", type=click.IntRange(200, 200_000), default=20_000, show_default=True)
@click.option(
    "--workers",
    type=click.IntRange(1, MOST_WORKERS),
    default=min(os.cpu_count() or 1, MOST_WORKERS),
    help="Default: one a processor.",
)
@click.option("--write", is_flag=True, help="Replace the stored figures that the pages show, and the documented table.")
def coverage(simulations: int, workers: int, write: bool) -> None:
    """Simulate how often each published interval holds the truth."""
    around = _around_the_table() if write else None
    if write:
        # minutes of simulation are not to be lost to a folder that takes no file
        for path in (figures_file.FIGURES, DOCUMENT):
            _writable(path)
    with click.progressbar(length=len(simulation.ROWS), label="simulating", file=sys.stderr) as progress:
        figures = simulation.simulate_all(simulations, workers=workers, done=lambda: progress.update(1))
    if around is not None:
        before, after = around
        simulation.write(figures)
        simulation.replace_text(DOCUMENT, f"{before}{BEGIN}\n{simulation.table(figures)}\n{END}{after}")
    for line in simulation.lines(figures):
        click.echo(line)


def _writable(path: Path) -> None:
    """Tries what is done later: a file beside it, and its own place.

    Raises:
        BadInput: it cannot be written there.

    """
    try:
        if path.is_dir():
            raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
        with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}."):
            pass
    except OSError as error:
        remedy = "make its folder writable, or leave out --write"
        raise BadInput([Problem(path.name, None, f"cannot be written ({error.strerror})", remedy)]) from error


def _around_the_table() -> tuple[str, str]:
    """The document's text before and after its table.

    Raises:
        BadInput: it is not there, or does not have both marks once and in order.

    """
    with reading(DOCUMENT):
        text = DOCUMENT.read_text(encoding="utf-8")
    before, begun, rest = text.partition(BEGIN)
    _, ended, after = rest.partition(END)
    if not begun or not ended or text.count(BEGIN) + text.count(END) != 2:
        raise BadInput([Problem(DOCUMENT.name, None, "has no place for the table", f"mark it by {BEGIN} and {END}")])
    return before, after

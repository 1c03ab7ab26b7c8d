import re

import pytest
from click.testing import CliRunner

from evalcore.cli import main
from evalcore.stats import coverage


@pytest.fixture
def figures(tmp_path, monkeypatch):
    path = tmp_path / "coverage.json"
    monkeypatch.setattr(coverage, "FIGURES", path)
    return path


def command(*options):
    return CliRunner().invoke(main, ["coverage", *options])


def test_every_interval_is_printed_at_every_size_and_nothing_is_written_unasked(figures):
    done = command("--simulations=200")
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    expected = [
        f"{method}, n = {n}"
        for n, beside in ((10, "t(n - 1)"), (40, "BCa bootstrap"), (100, "BCa bootstrap"))
        for method in (
            *("percentile bootstrap", beside, "paired percentile bootstrap", "Wilson"),
            "Newcombe paired score, method 10",
        )
    ]
    assert [line.split(": ")[0] for line in lines] == expected
    for line in lines:
        assert re.search(r": \d\d\d?\.\d % \(Monte Carlo error \d\.\d\), lowest at: \S", line)
    assert not figures.exists()


def test_what_is_written_is_what_the_pages_read(figures):
    done = command("--simulations=200", "--write")
    assert done.exit_code == 0
    stored = coverage.stored()
    assert list(coverage.lines(stored)) == done.stdout.splitlines()
    assert {f.simulations for f in stored} == {200}


@pytest.mark.parametrize("simulations", ["0", "199", "many"])
def test_too_few_simulations_are_refused(figures, simulations):
    assert command(f"--simulations={simulations}", "--write").exit_code == 2
    assert not figures.exists()

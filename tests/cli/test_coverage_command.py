import re
import signal
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryFile

import pytest
from click.testing import CliRunner

from evalcore.cli import main
from evalcore.stats.coverage import ROWS, figures, lines, stored, table
from evalcore.stats.coverage.kinds import PLACES

DOCUMENT = "# Before\n\n<!-- table: begin -->\nold\n<!-- table: end -->\n\nAfter.\n"
# evalcore.cli.coverage is the command; the module of that name is reached like this
MODULE = import_module("evalcore.cli.coverage")
# some minutes; a shell that runs the tests in its background has them and their children ignore Ctrl-C
LONG = """
import signal
from evalcore.cli import main
signal.signal(signal.SIGINT, signal.default_int_handler)
main(["coverage", "--simulations=200000", "--workers=2"])
"""


@pytest.fixture
def files(tmp_path, monkeypatch):
    """The stored figures and the document, elsewhere: the first is not there yet."""
    path, document = tmp_path / "figures.json", tmp_path / "coverage.md"
    document.write_text(DOCUMENT)
    monkeypatch.setattr(figures, "FIGURES", path)
    monkeypatch.setattr(MODULE, "DOCUMENT", document)
    return path, document


def command(*options):
    return CliRunner().invoke(main, ["coverage", *options])


def test_every_interval_is_printed_at_every_size_and_nothing_is_written_unasked(files):
    path, document = files
    done = command("--simulations=200", "--workers=1")
    assert done.exit_code == 0
    printed = done.stdout.splitlines()
    assert [line.split(": ")[0] for line in printed] == [f"{k.method}, {d.text}" for k, d in PLACES.values()]
    for line in printed:
        assert re.search(r": \d\d\d?\.\d % \(Monte Carlo error \d\.\d\), lowest at: \S", line)
    assert "simulating" in done.stderr
    assert not path.exists()
    assert document.read_text() == DOCUMENT


def test_what_is_written_is_what_the_pages_read_and_the_document_shows(files):
    path, document = files
    done = command("--simulations=200", "--workers=2", "--write")
    assert done.exit_code == 0
    assert path.exists()
    assert list(lines(stored())) == done.stdout.splitlines()
    assert [f.row for f in stored()] == list(ROWS)
    assert {f.simulations for f in stored()} == {200}
    assert document.read_text() == DOCUMENT.replace("old", table(stored()))


def running(process):
    """The command's own workers: the children of its process, theirs being none of ours."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    return [int(child) for child in children.read_text().split()]


def ended(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def waited(condition, seconds=40):
    end = time.monotonic() + seconds
    while not (found := condition()) and time.monotonic() < end:
        time.sleep(0.1)
    return found


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGKILL"])
def test_a_command_that_is_ended_ends_its_workers(name):
    process = subprocess.Popen([sys.executable, "-c", LONG], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        # two workers, and the helper that spawning starts
        assert waited(lambda: len(running(process)) >= 3)
        workers = running(process)
        time.sleep(2)
        process.send_signal(signal.Signals[name])
        assert process.wait(20) != 0
        assert waited(lambda: all(ended(pid) for pid in workers), 20)
    finally:
        process.kill()


@pytest.mark.parametrize(
    "option", ["--simulations=0", "--simulations=199", "--simulations=many", "--workers=0", "--workers=33"]
)
def test_what_is_out_of_bounds_is_refused(files, option):
    assert command(option, "--write").exit_code == 2
    assert not files[0].exists()


@pytest.mark.parametrize(
    "text", ["", "<!-- table: begin -->\n", "<!-- table: end -->\n<!-- table: begin -->\n", DOCUMENT + DOCUMENT]
)
def test_a_document_without_one_place_for_the_table_is_refused_before_anything_is_simulated(files, text, monkeypatch):
    monkeypatch.setattr(MODULE.simulation, "simulate_all", None)
    path, document = files
    document.write_text(text)
    done = command("--write")
    assert done.exit_code == 2
    assert "coverage.md: has no place for the table; mark it by" in done.stderr
    assert not path.exists()
    assert document.read_text() == text


def test_a_document_that_is_not_there_is_named(files):
    files[1].unlink()
    done = command("--write")
    assert done.exit_code == 2
    assert done.stderr.startswith("coverage.md: cannot be read")


@pytest.mark.parametrize("which", [0, 1], ids=["figures", "document"])
def test_a_target_that_cannot_be_written_is_said_before_anything_is_simulated(files, which, monkeypatch):
    monkeypatch.setattr(MODULE.simulation, "simulate_all", None)

    def full(*_, dir, prefix, **__):
        if prefix == f".{files[which].name}.":
            raise PermissionError(13, "Permission denied")
        return TemporaryFile()

    monkeypatch.setattr(MODULE, "NamedTemporaryFile", full)
    done = command("--write")
    assert done.exit_code == 2
    assert done.stderr == (
        f"{files[which].name}: cannot be written (Permission denied); make its folder writable, or leave out --write\n"
    )


def test_a_folder_in_the_place_of_the_figures_is_said_before_anything_is_simulated(files, monkeypatch):
    monkeypatch.setattr(MODULE.simulation, "simulate_all", None)
    files[0].mkdir()
    done = command("--write")
    assert done.exit_code == 2
    assert done.stderr.startswith("figures.json: cannot be written (Is a directory)")


def test_a_trial_of_the_target_leaves_nothing_behind(files, monkeypatch):
    monkeypatch.setattr(MODULE.simulation, "simulate_all", lambda *_, **__: [])
    assert command("--write").exit_code == 0
    assert sorted(p.name for p in files[1].parent.iterdir()) == ["coverage.md", "figures.json"]

"""The package as ``pip install .`` leaves it: its command, its dependencies, and what it says without the textbook."""

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from evalcore.cli import main
from tests.small import names, places, qrels_text, run_text

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
TEXTBOOK_COMMANDS = (
    ("gold", "check"),
    ("gold", "build", "qrels"),
    ("report",),
    ("corpus", "vectors"),
    ("corpus", "manifest", "--date=2026-01-01", "--written-by=x"),
    ("confirm", "--threshold=0.4"),
)


def pinned(file):
    lines = (ROOT / file).read_text().splitlines()
    return sorted(line for line in lines if line and not line.startswith(("#", "-r")))


@pytest.fixture
def files(tmp_path):
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "qrels").write_text(qrels_text(names(8)))
    (folder / "old").write_text(run_text(places(*[2] * 8)))
    (folder / "new").write_text(run_text(places(*[1] * 8)))
    (folder / "scores.csv").write_text("query_id,answerable,score\na,1,0.9\nb,0,0.1\n")
    return folder


def compare_options():
    return ["compare", "--qrels=qrels", "--run=new=new", "--run=old=old", "--resamples=200"]


def test_the_packages_dependencies_and_its_extra_are_requirements_txt_line_for_line():
    project = PROJECT["project"]
    assert sorted([*project["dependencies"], *project["optional-dependencies"]["app"]]) == pinned("requirements.txt")
    assert set(PROJECT["build-system"]["requires"]) <= set(pinned("requirements-dev.txt"))


def test_every_file_of_the_package_that_is_no_code_is_package_data():
    listed = subprocess.run(["git", "ls-files", "-z", "evalcore"], cwd=ROOT, capture_output=True, check=True).stdout
    others = {Path(name).suffix for name in listed.decode().split("\0") if name} - {".py"}
    assert {f"*{suffix}" for suffix in others} == set(PROJECT["tool"]["setuptools"]["package-data"]["*"])


@pytest.mark.parametrize("options", [("--help",), compare_options(), ("sweep", "--scores=scores.csv"), ("power",)])
def test_the_command_needs_no_package_of_the_extra(files, options):
    modules = {"PyStemmer": "Stemmer"}
    extra = [line.partition("==")[0] for line in PROJECT["project"]["optional-dependencies"]["app"]]
    blocked = [modules.get(name, name.replace("-", "_")) for name in extra]
    lines = f"import sys; sys.modules.update(dict.fromkeys({blocked!r})); from evalcore.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", lines, *options],
        cwd=files,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("command", TEXTBOOK_COMMANDS, ids=" ".join)
def test_a_command_about_the_textbook_says_where_it_can_be_run(tmp_path, monkeypatch, command):
    for name, folder in (("GOLD", "gold"), ("CORPUS", "corpus")):
        monkeypatch.setattr(f"evalcore.cli.textbook.{name}", tmp_path / folder)
    done = CliRunner().invoke(main, command)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == (
        "gold/ and corpus/: cannot be found: this command is about the textbook, which an installed evalcore does not "
        "have; run it in a clone of the repository, as python -m evalcore\n"
    )


def test_the_installed_command_compares_files_of_ones_own_from_any_folder(tmp_path, files):
    source, target = tmp_path / "source", tmp_path / "installed"
    shutil.copytree(ROOT / "evalcore", source / "evalcore", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--no-deps", "--no-index", "--quiet"]
    options = ["--no-build-isolation", f"--target={target}", str(source)]
    subprocess.run([*pip, *options], check=True, capture_output=True, cwd=tmp_path)

    def run(*options):
        # the scripts beside a target find their package by the path, like those of an environment by its folder
        path = os.pathsep.join(filter(None, (str(target), os.environ.get("PYTHONPATH"))))
        return subprocess.run(
            [target / "bin" / "evalcore", *options],
            cwd=files,
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=False,
        )

    assert "compare" in run("--help").stdout
    done = run(*compare_options(), "--json", "--fail-if=new RR@10 < 0.9", "--fail-if=old RR@10 < 0.4")
    assert (done.returncode, len(done.stderr.splitlines())) == (0, 2)
    study = json.loads(done.stdout)["study"]
    assert (study["questions"], study["plan_sha256"], study["provisional"]) == (8, None, None)
    assert run(*compare_options(), "--fail-if=old RR@10 < 0.9").returncode == 1
    assert run("sweep", "--scores=scores.csv", "--gate-correct=1", "--gate-false=0", "--threshold=0.5").returncode == 0
    refused = run("report")
    assert refused.returncode == 2
    assert refused.stderr.startswith("gold/ and corpus/: cannot be found: ")

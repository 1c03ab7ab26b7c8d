"""Rules of the house that a reader of the code relies on."""

import ast
import re
import subprocess
from pathlib import Path

import pytest

from evalcore.stats.coverage import stored, table

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "app.py", *sorted((ROOT / "pages").glob("*.py"))]
CORE = sorted((ROOT / "evalcore").rglob("*.py"))
ALL = [*CORE, *sorted((ROOT / "ui").rglob("*.py")), *PAGES]


def tracked():
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    return [ROOT / name for name in listed.decode().split("\0") if name]


def imported(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").split(".")[0]


@pytest.mark.parametrize("path", PAGES, ids=lambda p: p.name)
def test_a_page_holds_no_arithmetic(path):
    tree = ast.parse(path.read_text())
    sums = [ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.BinOp | ast.AugAssign)]
    calls = [
        ast.unparse(n) for n in ast.walk(tree) if isinstance(n, ast.Call) and ast.unparse(n.func) in ("sum", "round")
    ]
    assert sums + calls == []
    assert set(imported(tree)) <= {"streamlit", "ui", "evalcore"}


@pytest.mark.parametrize("path", CORE, ids=lambda p: str(p.relative_to(ROOT)))
def test_evalcore_reads_no_environment(path):
    assert "environ" not in path.read_text()
    assert "getenv" not in path.read_text()


@pytest.mark.parametrize("path", ALL, ids=lambda p: str(p.relative_to(ROOT)))
def test_no_page_renders_raw_html_and_no_module_outgrows_one_sitting(path):
    text = path.read_text()
    assert "unsafe_allow" not in text
    assert len(text.splitlines()) <= 400


def test_no_tracked_text_names_a_path_of_one_machine():
    found = []
    for path in tracked():
        if path.suffix in (".py", ".md", ".toml", ".txt", ".sh", ".json", ".jsonl", "") and path.is_file():
            text = path.read_text(encoding="utf-8")
            found += [
                f"{path.name}: {m[0]}" for m in re.finditer(r"(?<![\w.])/(?:root|home|opt|tmp/\w)[^\s\"')]*", text)
            ]
    assert found == []


def test_every_direct_dependency_is_pinned_and_explained():
    readme = (ROOT / "README.md").read_text()
    for file in ("requirements.txt", "requirements-dev.txt"):
        lines = [line for line in (ROOT / file).read_text().splitlines() if line and not line.startswith(("#", "-r"))]
        assert lines
        for line in lines:
            name, _, version = line.partition("==")
            assert re.fullmatch(r"[\w.]+", version), line
            assert f"`{name}`" in readme, name


def test_the_theme_keeps_its_settings_that_others_rely_on():
    config = (ROOT / ".streamlit" / "config.toml").read_text()
    for setting in ("enableXsrfProtection = true", "gatherUsageStats = false", "postScriptGC = false"):
        assert setting in config


def test_the_documented_coverage_is_the_stored_one():
    document = (ROOT / "docs" / "coverage.md").read_text()
    _, _, after = document.partition("<!-- table: begin -->\n")
    assert after.partition("\n<!-- table: end -->")[0] == table(stored())

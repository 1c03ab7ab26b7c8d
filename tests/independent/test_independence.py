"""The second computation is a second one: it imports nothing of the instrument."""

import ast
import sys
from pathlib import Path

import pytest

ALLOWED = {"numpy", "scipy", "statsmodels", "pytrec_eval", "Stemmer", "pytest", "tests", *sys.stdlib_module_names}
MODULES = sorted(Path(__file__).parent.glob("*.py"))


def imported(source):
    """The modules that a source text imports, by their full names."""
    nodes = list(ast.walk(ast.parse(source)))
    plain = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    return plain + [node.module or "." for node in nodes if isinstance(node, ast.ImportFrom)]


def forbidden(source):
    """Imports of the instrument, of tests beside these, of other packages, and of statsmodels.api."""
    names = imported(source)
    foreign = [name for name in names if name.split(".")[0] not in ALLOWED]
    beside = [name for name in names if name.split(".")[0] == "tests" and name.split(".")[1:2] != ["independent"]]
    return foreign + beside + [name for name in names if name in ("statsmodels", "statsmodels.api")]


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.stem)
def test_no_module_imports_the_instrument(module):
    assert forbidden(module.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "line", ["import evalcore", "from evalcore.stats import holm", "from ui import shell", "import statsmodels.api"]
)
def test_an_import_of_the_instrument_would_be_seen(line):
    assert forbidden(line)

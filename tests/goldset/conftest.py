import shutil

import pytest

from evalcore.goldset.schema import GOLD
from evalcore.retrieval.corpus import Corpus
from tests.goldset.repository import apart


@pytest.fixture(autouse=True)
def no_surrounding_repository(monkeypatch, tmp_path):
    apart(monkeypatch, tmp_path)


@pytest.fixture(scope="module")
def corpus():
    return Corpus.load()


@pytest.fixture
def gold(tmp_path):
    """A copy of the gold set, outside any repository."""
    folder = tmp_path / "gold"
    shutil.copytree(GOLD, folder)
    return folder

import pytest

from tests.goldset.repository import apart


@pytest.fixture(autouse=True)
def no_surrounding_repository(monkeypatch, tmp_path):
    apart(monkeypatch, tmp_path)

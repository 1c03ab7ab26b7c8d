import pytest

from tests.generation.calls.running import Bench
from tests.generation.fake_server import FakeAPI


@pytest.fixture
def api():
    with FakeAPI() as running:
        yield running


@pytest.fixture
def bench(tmp_path, api):
    """``bench(topics=1, ...)`` sets up a run."""
    return lambda **more: Bench(tmp_path, api, **more)

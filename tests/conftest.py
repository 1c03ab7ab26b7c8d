"""Property tests draw the same examples on every machine and are never judged by the clock; browser tests come last."""

from hypothesis import settings

settings.register_profile("house", deadline=None, derandomize=True, print_blob=False)
settings.load_profile("house")


def pytest_collection_modifyitems(items):
    # the browser's driver keeps an event loop in this thread for the rest of the session, in which none can be begun
    items.sort(key=lambda item: "tests/browser/" in item.nodeid)

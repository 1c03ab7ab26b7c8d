"""Property tests draw the same examples on every machine and are never judged by the clock."""

from hypothesis import settings

settings.register_profile("house", deadline=None, derandomize=True, print_blob=False)
settings.load_profile("house")

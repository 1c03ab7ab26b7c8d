"""What the tests of the report claim, and the fields that each of them compares."""

from functools import wraps

from tests.independent import data
from tests.independent.comparing import differing, flat
from tests.independent.recomputed import recomputed

COMPARED = {}


def compares(*patterns):
    """The test holds when, besides its own asserts, the fields that the patterns name agree with the report."""

    def claim(test):
        COMPARED[test.__name__] = patterns

        @wraps(test)
        def holds():
            test()
            found = differing(flat(data.report()), flat(recomputed()), patterns)
            assert not found, f"stated and computed: {found}"

        return holds

    return claim

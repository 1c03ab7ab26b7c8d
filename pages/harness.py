"""Generation harness: are generated items faithful, and do the checks agree with a person?"""

from ui import shell
from ui.harness.context import how_computed, limits
from ui.harness.view import harness

with shell.page("harness"):
    harness()
    how_computed()
    limits()

"""Abstention: where should the threshold be, for these gates, costs and this traffic?"""

from ui import shell
from ui.abstention.context import how_computed, limits
from ui.abstention.view import threshold_lab

with shell.page("abstention"):
    threshold_lab()
    how_computed()
    limits()

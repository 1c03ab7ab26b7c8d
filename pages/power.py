"""Power and intervals: how wide, which questions decide, how many are needed, and do our intervals keep their word?"""

from ui import shell
from ui.power.context import how_computed, limits
from ui.power.finding import finding, linked_row
from ui.power.flips import flips_section
from ui.power.own import own_section
from ui.power.promises import promises_section
from ui.power.questions import questions_section, topics_section
from ui.power.widths import gate_section, width_section

with shell.page("power"):
    linked_row()
    finding()
    width_section()
    gate_section()
    flips_section()
    questions_section()
    topics_section()
    own_section()
    promises_section()
    how_computed()
    limits()

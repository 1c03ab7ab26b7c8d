import re

import pytest
from click.testing import CliRunner

from evalcore.cli import coverage as command_module
from evalcore.cli import main
from evalcore.stats.coverage import ROWS, figures, lines, stored, table
from evalcore.stats.coverage.kinds import PLACES

DOCUMENT = "# Before\n\n<!-- table: begin -->\nold\n<!-- table: end -->\n\nAfter.\n"
QUICK = ("wilson-6", "clopper-pearson-6", "auc-10-6")

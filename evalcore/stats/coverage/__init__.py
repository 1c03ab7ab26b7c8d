"""How often the published intervals hold the truth, found by simulation at our own sample sizes.

A nominal 95 % is a promise about large samples. Each interval is simulated on named populations and the lowest share
over them is what the pages print beside it, with its Monte Carlo error.
"""

from evalcore.stats.coverage.figures import (
    REMEDY,
    Coverage,
    UnusableFigures,
    Word,
    better,
    keeps_word,
    lines,
    nearest,
    replace_text,
    stored,
    table,
    without,
    write,
)
from evalcore.stats.coverage.run import ROWS, simulate_all

__all__ = [
    "REMEDY",
    "ROWS",
    "Coverage",
    "UnusableFigures",
    "Word",
    "better",
    "keeps_word",
    "lines",
    "nearest",
    "replace_text",
    "simulate_all",
    "stored",
    "table",
    "without",
    "write",
]

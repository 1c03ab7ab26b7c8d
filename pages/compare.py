"""Compare rankers: is one better than another on these questions, by how much, and how sure?"""

from ui import cached, shell
from ui.compare.context import how_computed, limits
from ui.compare.results import breakdown, chunking, hit_rates
from ui.compare.view import chosen_comparison

with shell.page("compare"):
    study = cached.textbook()
    chosen_comparison(study)
    hit_rates(study.rankers)
    chunking(study.chunking)
    breakdown(study)
    how_computed(study.rankers)
    limits(study.rankers)

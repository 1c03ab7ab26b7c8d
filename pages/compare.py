"""Compare rankers: is one better than another on these questions, by how much, and how sure?"""

from ui import cached, shell
from ui.compare.mine import own_comparison
from ui.compare.results import breakdown, chunking, hit_rates
from ui.compare.selector import own_study
from ui.compare.view import chosen_comparison
from ui.context import how_computed, limits, state_of_runs

with shell.page("compare"):
    mine = own_study()
    if mine is not None:
        own_comparison(mine)
    else:
        study = cached.textbook()
        chosen_comparison(study)
        hit_rates(study.rankers)
        chunking(study.chunking)
        breakdown(study)
        state_of_runs(study.rankers)
        how_computed(study.rankers)
        limits(study.rankers)

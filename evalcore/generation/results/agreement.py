"""How far two verdicts on the same items agree: a check and a person, two persons, a judge and a person.

Raw agreement alone flatters (two that say yes to nearly everything agree nearly always) and kappa alone hides (it falls
when nearly everything is yes), so the 2 x 2 table, both shares of yes, raw agreement and kappa stand together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from evalcore.evidence import Estimate
from evalcore.generation.checks.findings import Check, Mark
from evalcore.generation.items import Item
from evalcore.generation.judge import judgements
from evalcore.generation.results.basis import evidence_of
from evalcore.generation.results.rates import SUPPORTED, mark_of
from evalcore.generation.rubric import Sheet, raters
from evalcore.generation.store.events import Answer, Question
from evalcore.generation.store.run import Run
from evalcore.stats.agreement import agreement
from evalcore.stats.clusters import CLUSTER_WILSON, cluster_rate

NOT_RATED, NOT_BLIND, UNSURE, NO_CHECK = "not rated", "not rated blind", "cannot tell", "check does not apply"
NOT_CHECKED = "checks not in the run"
NO_JUDGEMENT = "no answer of the judge"
NO_HUMAN = "no person has rated an item blind, so the judge is not assessed"
# A verdict of one side on one item, or why there is none.
Said = bool | str


@dataclass(frozen=True, slots=True)
class Agreed:
    """Two sides, each saying yes or no of the same ``n`` items; ``left_out`` items by the reason.

    ``cells`` are both yes, the first only, the second only, neither. ``sensitivity`` is the share of yes of the first
    side among the second's yes, ``specificity`` its share of no among the second's no. ``beside`` holds, by the name of
    a share that is 0 % or 100 %, its other interval: as if all items were independent.
    """

    first: str
    second: str
    n: int
    cells: tuple[int, int, int, int]
    left_out: Mapping[str, int]
    raw: Estimate
    yes_first: Estimate
    yes_second: Estimate
    kappa_resampled: Estimate
    kappa_jackknife: Estimate
    dropped: int
    sensitivity: Estimate
    specificity: Estimate
    beside: Mapping[str, Estimate]


def checks_against(sheet: Sheet) -> list[Agreed]:
    """The support check, then each check, against one rater's blind answers to "faithful"."""
    return [check_against(sheet, check) for check in (None, *Check)]


def check_against(sheet: Sheet, check: Check | None) -> Agreed:
    """One check, with None support: it says yes when it passes, and derived is no pass."""
    run = sheet.run

    def passes(item: Item) -> Said:
        return _passes(mark_of(run, item.id, check))

    name = SUPPORTED if check is None else check.value
    return _agreed(run, name, sheet.rater, {i: (passes(item), blind(sheet, i)) for i, item in run.items.items()})


def between_raters(first: Sheet, second: Sheet) -> Agreed:
    """Two raters' blind answers to "faithful"."""
    pairs = {item: (blind(first, item), blind(second, item)) for item in first.run.items}
    return _agreed(first.run, first.rater, second.rater, pairs)


def judge_against(sheet: Sheet, question: Question) -> Agreed | None:
    """The judge against one rater; None when nobody has rated blind, since then nothing of the judge is shown.

    On "faithful" the rater's blind answers count, on anything else the answers given before the checks were shown.
    """
    run = sheet.run
    if not rated_blind(run):
        return None
    said = judgements(run)

    def human(item: str) -> Said:
        if question is Question.FAITHFUL:
            return blind(sheet, item)
        rating = sheet.ratings.get((item, question))
        if rating is None:
            return NOT_RATED
        return NOT_BLIND if rating.checks_shown else _yes(rating.answer)

    pairs = {i: (_yes(said[i].answers[question]) if i in said else NO_JUDGEMENT, human(i)) for i in run.items}
    return _agreed(run, f"judge, {question.value}", sheet.rater, pairs)


def judge_against_support(run: Run) -> Agreed | None:
    """The support check against the judge's "faithful"; None when nobody has rated blind."""
    if not rated_blind(run):
        return None
    said, pairs = judgements(run), {}
    for item in run.items:
        judged = _yes(said[item].answers[Question.FAITHFUL]) if item in said else NO_JUDGEMENT
        pairs[item] = (_passes(mark_of(run, item, None)), judged)
    return _agreed(run, SUPPORTED, "judge, faithful", pairs)


def disagreements(sheet: Sheet) -> list[tuple[Item, Answer, Mark]]:
    """Items on which the rater's blind answer, yes or no, and the support check differ: the ones to read."""
    run = sheet.run
    found: list[tuple[Item, Answer, Mark]] = []
    for item in run.items.values():
        answer, mark = sheet.blind.get(item.id), mark_of(run, item.id, None)
        if answer is None or answer is Answer.CANNOT_TELL or mark is None:
            continue
        if (answer is Answer.YES) is not (mark is Mark.PASS):
            found.append((item, answer, mark))
    return found


def rated_blind(run: Run) -> bool:
    """Whether any person has rated any item blind."""
    return any(Sheet(run, rater).blind for rater in raters(run))


def blind(sheet: Sheet, item: str) -> Said:
    """The blind answer to "faithful" as yes or no, or why there is none."""
    answer = sheet.blind.get(item)
    if answer is not None:
        return _yes(answer)
    return NOT_BLIND if (item, Question.FAITHFUL) in sheet.ratings else NOT_RATED


def _passes(mark: Mark | None) -> Said:
    if mark is None:
        return NOT_CHECKED
    return NO_CHECK if mark is Mark.DOES_NOT_APPLY else mark is Mark.PASS


def _yes(answer: Answer) -> Said:
    return UNSURE if answer is Answer.CANNOT_TELL else answer is Answer.YES


def _agreed(run: Run, first: str, second: str, pairs: Mapping[str, tuple[Said, Said]]) -> Agreed:
    left_out: Counter[str] = Counter()
    cells = {topic: [0, 0, 0, 0] for topic in run.topics}
    for item, (one, other) in pairs.items():
        why = next((said for said in (one, other) if isinstance(said, str)), None)
        if why is not None:
            left_out[why] += 1
            continue
        cells[run.items[item].topic][2 * (not one) + (not other)] += 1
    table = np.array(list(cells.values()), dtype=np.int64).reshape(-1, 4)
    both, only_first, only_second, neither = (int(x) for x in table.sum(axis=0))
    n = both + only_first + only_second + neither
    basis, sources = evidence_of(run)

    beside: dict[str, Estimate] = {}

    def share(name: str, hits: Sequence[int], places: Sequence[int], nothing: str) -> Estimate:
        rate = cluster_rate([int(t[list(hits)].sum()) for t in table], [int(t[list(places)].sum()) for t in table])
        if rate.interval.value is None:
            return Estimate.not_assessed(nothing, method=CLUSTER_WILSON)
        if (other_end := rate.beside(basis, sources)) is not None:
            beside[name] = other_end
        return rate.estimate(basis, sources)

    every, empty = (0, 1, 2, 3), "no item has a verdict of both"
    if n:
        found = agreement(table)
        kappas = (found.resampled.estimate(basis, sources), found.jackknife.estimate(basis, sources))
        dropped = found.dropped
    else:
        kappas, dropped = (Estimate.not_assessed(empty, method="kappa"),) * 2, 0
    return Agreed(
        first,
        second,
        n,
        (both, only_first, only_second, neither),
        dict(left_out),
        share("raw", (0, 3), every, empty),
        share("yes_first", (0, 1), every, empty),
        share("yes_second", (0, 2), every, empty),
        *kappas,
        dropped,
        share("sensitivity", (0,), (0, 2), f"no item to which {second} says yes"),
        share("specificity", (3,), (1, 3), f"no item to which {second} says no"),
        beside,
    )

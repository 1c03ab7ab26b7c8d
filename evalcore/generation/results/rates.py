"""Rates over items: among the items that there are, and over all that were asked for.

A rate among successful topics alone lets a model that often fails look as good as one that never does, so the same
rate over planned items, in which a missing item has not passed, always stands beside it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from evalcore.evidence import Estimate
from evalcore.generation.checks.findings import OF_OPTIONS, SUPPORT, Check, Mark
from evalcore.generation.items import MULTIPLE_CHOICE, PLANNED_ITEMS, Item, Kind
from evalcore.generation.results.basis import evidence_of
from evalcore.generation.rubric import Sheet, questions_for
from evalcore.generation.store.events import Answer, Question
from evalcore.generation.store.run import Run
from evalcore.stats.clusters import CLUSTER_WILSON, ClusteredRate, cluster_rate

What = TypeVar("What", Check, Question)
SUPPORTED = "supported: citations, numbers, content words and key"


@dataclass(frozen=True, slots=True)
class Rate(Generic[What]):
    """How many items pass. ``what`` is None for the support check, the conjunction of several.

    ``among`` counts the items that there are (for a rater: those rated); ``beside`` is its other end at 0 % or 100 %.
    ``planned`` counts all that were asked for. ``marks`` counts every mark or answer by its name, unrated and missing
    items too.
    """

    what: What | None
    name: str
    hits: int
    n: int
    planned_n: int
    among: Estimate
    beside: Estimate | None
    icc: float | None
    planned: Estimate
    planned_beside: Estimate | None
    marks: Mapping[str, int]


def mark_of(run: Run, item: str, check: Check | None) -> Mark | None:
    """The mark of an item on a check, or with None on support; None where the checks are not in the run.

    Checks of options never apply to a short answer, whatever an opened file says: more would pass than is planned.
    """
    if check in OF_OPTIONS and run.items[item].kind is Kind.SHORT:
        return Mark.DOES_NOT_APPLY
    marks = {finding.check: finding.mark for finding in run.findings.get(item, ())}
    if check is not None:
        return marks.get(check)
    if not marks:
        return None
    parts = [marks.get(part) for part in SUPPORT]
    if all(mark is Mark.PASS for mark in parts):
        return Mark.PASS
    return Mark.DERIVED if all(mark in (Mark.PASS, Mark.DERIVED) for mark in parts) else Mark.FAIL


def check_rates(run: Run) -> list[Rate[Check]]:
    """Each check in its order, then support. An item whose checks are not in the run has not passed."""
    return [check_rate(run, check) for check in (*Check, None)]


def check_rate(run: Run, check: Check | None) -> Rate[Check]:
    """One check; with None support."""
    per_topic = PLANNED_ITEMS if check not in OF_OPTIONS else MULTIPLE_CHOICE

    def verdict(item: Item) -> tuple[bool, str] | None:
        mark = mark_of(run, item.id, check)
        if mark is Mark.DOES_NOT_APPLY:
            return None
        return mark is Mark.PASS, "not checked" if mark is None else mark.value

    return _rate(run, check, SUPPORTED if check is None else check.value, per_topic, verdict)


def rubric_rates(sheet: Sheet) -> list[Rate[Question]]:
    """Each question of the rubric by one rater's standing answers, blind or not. "Cannot tell" is not a pass."""
    return [rubric_rate(sheet, question) for question in Question]


def rubric_rate(sheet: Sheet, question: Question) -> Rate[Question]:
    """One question of the rubric; unrated items are in no rate, and while there are any, planned is not assessed."""
    per_topic = MULTIPLE_CHOICE if question is Question.DISTRACTORS else PLANNED_ITEMS

    def verdict(item: Item) -> tuple[bool, str] | None:
        answer = answer_of(sheet, item, question)
        return None if answer is None else (answer is Answer.YES, answer.value)

    return _rate(sheet.run, question, question.value, per_topic, verdict)


def answer_of(sheet: Sheet, item: Item, question: Question) -> Answer | None:
    """The answer that stands to a question that the rubric asks of this item; None when unrated or not asked."""
    return sheet.answer(item.id, question) if question in questions_for(item) else None


def _rate(
    run: Run,
    what: What | None,
    name: str,
    per_topic: int,
    verdict: Callable[[Item], tuple[bool, str] | None],
) -> Rate[What]:
    basis, sources = evidence_of(run)
    found = {topic: [v for item in pack if (v := verdict(item)) is not None] for topic, pack in run.packs.items()}
    hits = [sum(passed for passed, _ in found.get(topic, ())) for topic in run.topics]
    sizes = [len(found.get(topic, ())) for topic in run.topics]
    marks = Counter(mark for verdicts in found.values() for _, mark in verdicts)
    among = cluster_rate(hits, sizes)
    planned = cluster_rate(hits, [per_topic] * len(hits))
    planned_n = per_topic * len(hits)
    there = per_topic * len(run.packs)
    unrated = there - sum(sizes)
    absent = {"unrated": unrated, "missing": planned_n - there}
    # a missing item has not passed; of one that nobody has rated yet nothing is known
    if unrated:
        reason = f"{unrated} items are not rated yet"
        over_planned, beside_planned = Estimate.not_assessed(reason, method=CLUSTER_WILSON, n=planned_n), None
    else:
        over_planned, beside_planned = _estimate(planned, run), planned.beside(basis, sources)
    return Rate(
        what,
        name,
        sum(hits),
        sum(sizes),
        planned_n,
        _estimate(among, run),
        among.beside(basis, sources),
        among.icc,
        over_planned,
        beside_planned,
        {**marks, **{name: n for name, n in absent.items() if n}},
    )


def _estimate(rate: ClusteredRate, run: Run) -> Estimate:
    if rate.interval.value is None:
        return Estimate.not_assessed("there is no item to count", method=rate.interval.method)
    return rate.estimate(*evidence_of(run))

"""Two runs on the same topics, two models say: each topic is its own control."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from evalcore.evidence import Comparison, Estimate
from evalcore.generation.checks.findings import OF_OPTIONS, Check, Mark
from evalcore.generation.items import MULTIPLE_CHOICE, PLANNED_ITEMS
from evalcore.generation.results.basis import Evidence, evidence_of_both
from evalcore.generation.results.rates import SUPPORTED, answer_of, mark_of
from evalcore.generation.rubric import Sheet, questions_for
from evalcore.generation.store.events import Answer, Question
from evalcore.generation.store.run import Run
from evalcore.stats.paired import PAIRED_T, beside_paired, d_z, sign_flip, signs
from evalcore.stats.resampling import Floats

VALID = "valid output"
# Of one topic's planned items, the share that passes.
Share = Callable[[str], float]


@dataclass(frozen=True, slots=True)
class Compared:
    """``differences`` of per-topic shares of planned items, first minus second, over ``topics``.

    ``left_out`` says why a topic is not among them. All of it is exploratory: no family was declared.
    """

    topics: tuple[str, ...]
    left_out: Mapping[str, str]
    differences: tuple[Comparison, ...]


def compare_runs(first: Run, second: Run, sheets: tuple[Sheet, Sheet] | None = None) -> Compared:
    """Valid output, every check and support, and with two sheets every question of the rubric.

    The unit is the topic. A topic counts when both runs have an outcome of the model's own on it, from the same
    passages; a topic without valid output has passed nothing, so a failure never helps. Interval: t(G - 1) on the G
    differences; test: every sign vector over topics (with 8 topics the smallest p is 2/256).
    """
    left_out = {topic: why for topic in first.topics | second.topics if (why := _why_not(first, second, topic))}
    topics = tuple(topic for topic in first.topics if topic not in left_out)
    shares: list[tuple[str, Share, Share]] = [(VALID, _valid(first), _valid(second))]
    for check in (*Check, None):
        name = SUPPORTED if check is None else check.value
        shares.append((name, _passing(first, check), _passing(second, check)))
    if sheets is not None:
        one, other = sheets
        shares += [(question.value, _rated(one, question), _rated(other, question)) for question in Question]
        unrated = {q.value: _unrated(one, q, topics) + _unrated(other, q, topics) for q in Question}
    else:
        unrated = {}
    evidence = evidence_of_both(first, second)
    found = (_compared(*share, topics, evidence, unrated.get(share[0], 0)) for share in shares)
    return Compared(topics, left_out, tuple(found))


def _why_not(first: Run, second: Run, topic: str) -> str | None:
    if topic not in first.topics or topic not in second.topics:
        return "in one of the runs only"
    if first.topics[topic].sha256 != second.topics[topic].sha256:
        return "asked about with other passages"
    for run, place in ((first, "first"), (second, "second")):
        end = run.outcomes.get(topic)
        if end is None or not end.outcome.of_model:
            return f"no outcome of the model's own in the {place} run"
    return None


def _valid(run: Run) -> Share:
    return lambda topic: float(topic in run.packs)


def _passing(run: Run, check: Check | None) -> Share:
    planned = MULTIPLE_CHOICE if check in OF_OPTIONS else PLANNED_ITEMS
    return lambda topic: sum(mark_of(run, i.id, check) is Mark.PASS for i in run.packs.get(topic, ())) / planned


def _rated(sheet: Sheet, question: Question) -> Share:
    planned = MULTIPLE_CHOICE if question is Question.DISTRACTORS else PLANNED_ITEMS
    packs = sheet.run.packs
    return lambda topic: sum(answer_of(sheet, i, question) is Answer.YES for i in packs.get(topic, ())) / planned


def _unrated(sheet: Sheet, question: Question, topics: tuple[str, ...]) -> int:
    """Items of these topics to which the rater has not answered a question that the rubric asks of them."""
    items = [item for topic in topics for item in sheet.run.packs.get(topic, ())]
    return sum(question in questions_for(i) and answer_of(sheet, i, question) is None for i in items)


def _compared(
    name: str, one: Share, other: Share, topics: tuple[str, ...], evidence: Evidence, unrated: int
) -> Comparison:
    differences: Floats = np.array([one(topic) - other(topic) for topic in topics], dtype=np.float64)
    if unrated:
        # unrated is neither yes nor no
        nothing = Estimate.not_assessed(f"{unrated} items of the two runs are not rated", method=PAIRED_T)
        return Comparison("first", "second", name, nothing, None, 0, 0, 0, None, "none")
    if len(topics) < 2:
        nothing = Estimate.not_assessed("fewer than two topics in both runs", method=PAIRED_T, n=len(topics))
        return Comparison("first", "second", name, nothing, None, 0, 0, 0, None, "none")
    wins, ties, losses = signs(differences)
    interval = beside_paired(differences)
    if interval.reason is not None:
        interval = replace(interval, reason=_in_topics(differences, wins + losses, interval.level))
    test = sign_flip(differences)
    return Comparison(
        "first",
        "second",
        name,
        replace(interval.estimate(*evidence), clusters=len(topics)),
        d_z(differences),
        wins,
        ties,
        losses,
        test.p,
        test.method,
    )


def _in_topics(differences: Floats, differ: int, level: float) -> str:
    """Why there is no interval, in topics; the shared rule gives its reason in questions."""
    n = len(differences)
    if not differ:
        return f"none of {n} topics differs, so the spread cannot be seen"
    if d_z(differences) is None:
        return f"all {n} topics differ by the same ({float(differences[0]):.3g}), so the spread cannot be seen"
    return f"only {differ} of {n} topics differ; no test of so few can reach the {100 * level:g} % level"

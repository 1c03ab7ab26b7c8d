"""Measures of one ranking of one question, by pytrec_eval, from a ranking that is made once.

pytrec_eval would sort again, break ties its own way and leave out a question without results. So the ranking goes to it
as descending whole numbers, and a question that a run does not return is put back as 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pytrec_eval
from numpy.typing import NDArray

Grades = Mapping[str, int]
Floats = NDArray[np.float64]

TIE_DEPTH = 10
_NAME = re.compile(r"(nDCG|RR|R|Success|P)@([1-9][0-9]{0,2})|(RR|AP)")
_PYTREC = {"nDCG": "ndcg_cut", "R": "recall", "Success": "success", "P": "P", "RR": "recip_rank", "AP": "map"}
_HIT_OR_NOT_AT_ONE = ("P", "RR")


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure with its cut-off, spelled as ir_measures spells it: nDCG@10, RR@10, R@5, Success@3, P@5.

    ``cut`` is None for RR and AP, which look at the whole ranking.
    """

    kind: str
    cut: int | None

    @classmethod
    def parse(cls, name: str) -> Measure:
        """Reads a name.

        Raises:
            ValueError: there is no such measure; the message names those there are.

        """
        match = _NAME.fullmatch(name)
        if match is None:
            known = "use nDCG@k, RR@k, R@k, Success@k or P@k, such as nDCG@10, or RR or AP"
            raise ValueError(f"there is no measure {name!r}; {known}")
        return cls(match[3], None) if match[3] else cls(match[1], int(match[2]))

    def __str__(self) -> str:
        return self.kind if self.cut is None else f"{self.kind}@{self.cut}"

    @property
    def is_hit_rate(self) -> bool:
        """Whether a question scores 0 or 1 only."""
        return self.kind == "Success" or (self.cut == 1 and self.kind in _HIT_OR_NOT_AT_ONE)

    @property
    def title(self) -> str:
        """The measure in plain words."""
        return {
            "nDCG": f"graded gain in the top {self.cut}",
            "RR": "mean reciprocal rank, MRR" if self.cut is None else f"mean reciprocal rank (MRR@{self.cut})",
            "R": f"share of the relevant found in the top {self.cut}",
            "Success": f"any relevant in the top {self.cut}",
            "P": f"share of the top {self.cut} that is relevant",
            "AP": "mean average precision, MAP",
        }[self.kind]

    @property
    def formula(self) -> str:
        """How one question is scored."""
        found = "none is returned" if self.cut is None else f"none is in the top {self.cut}"
        return {
            "nDCG": f"sum over ranks 1 to {self.cut} of grade / log2(rank + 1), divided by the same sum for the best "
            "possible order of all judged documents",
            "RR": f"1 / rank of the first relevant document, 0 when {found}",
            "R": f"relevant documents in the top {self.cut}, divided by all relevant documents",
            "Success": f"1 when at least one relevant document is in the top {self.cut}, else 0 (some call this "
            f"Recall@{self.cut})",
            "P": f"relevant documents in the top {self.cut}, divided by {self.cut}, also when fewer are returned",
            "AP": "at each relevant document returned, the share of relevant documents down to its rank; the sum of "
            "these, divided by all relevant documents",
        }[self.kind]


def deepest(measures: Iterable[Measure], least: int = 1) -> int | None:
    """How many places of a ranking the measures look at, at least ``least``; None when one looks at all of them."""
    deep = least
    for measure in measures:
        if measure.cut is None:
            return None
        deep = max(deep, measure.cut)
    return deep


STANDARD = tuple(
    Measure.parse(name)
    for name in ("nDCG@10", "RR@10", "R@5", "R@10", "Success@1", "Success@3", "Success@5", "Success@10")
)


@dataclass(frozen=True, slots=True)
class Ranking:
    """What a run returned for one question, best first, cut to what the measures need.

    ``documents`` and ``scores`` hold the first ``depth`` places and the rest of a tie that crosses the last of them;
    ``returned`` counts everything the run gave.
    """

    documents: tuple[str, ...]
    scores: tuple[float, ...]
    returned: int

    def ties_within(self, depth: int | None) -> list[tuple[int, int]]:
        """Stretches of equal scores, as (start, stop) places, that touch the first ``depth``; a tie is taken whole.

        None is the whole ranking.
        """
        runs, start = [], 0
        for place in range(1, len(self.scores) + 1):
            if place == len(self.scores) or self.scores[place] != self.scores[start]:
                if place - start > 1 and (depth is None or start < depth):
                    runs.append((start, place))
                start = place
        return runs


def score_questions(
    rankings: Mapping[str, Sequence[str]],
    qrels: Mapping[str, Grades],
    questions: Sequence[str],
    measures: Iterable[Measure],
    relevant_grade: int,
) -> dict[Measure, Floats]:
    """Every measure of every question.

    Args:
        rankings: question to documents, best first; a question that is not there scores 0.
        qrels: question to document to grade; nDCG takes the grade as gain, a negative one as 0.
        questions: which, and in which order.
        measures: which.
        relevant_grade: the lowest grade that counts as relevant for RR, R and Success.

    Returns:
        for each measure an array of shape (len(questions),).

    """
    wanted = list(measures)
    judged = {q: {d: int(g) for d, g in qrels[q].items()} for q in questions}
    returned = [q for q in questions if rankings.get(q)]
    values: dict[Measure, Floats] = {}
    for depth, group in _by_depth(wanted).items():
        # descending whole numbers, so that the engine cannot sort otherwise
        run = {q: _falling(rankings[q][:depth]) for q in returned}
        names = {m: _pytrec_name(m) for m in group}
        evaluator = pytrec_eval.RelevanceEvaluator(judged, set(names.values()), relevance_level=relevant_grade)
        found = evaluator.evaluate(run) if run else {}
        for m, name in names.items():
            key = name.replace(".", "_")
            # what was sent must come back: an engine's failure is not a miss
            values[m] = np.array([found[q][key] if q in run else 0.0 for q in questions])
    return {m: values[m] for m in wanted}


def _falling(documents: Sequence[str]) -> dict[str, float]:
    return dict(zip(documents, map(float, range(len(documents), 0, -1)), strict=True))


def _by_depth(measures: Sequence[Measure]) -> dict[int | None, list[Measure]]:
    """Measures by where the ranking is cut for them.

    recip_rank has no cut-off of its own, so each cut of RR is scored on a ranking cut there. Those that cut themselves
    share the deepest of their cuts, so that only RR and AP are given whole rankings.
    """
    groups: dict[int | None, list[Measure]] = {}
    shared = deepest(m for m in measures if m.cut is not None and m.kind != "RR")
    for m in measures:
        groups.setdefault(m.cut if m.cut is None or m.kind == "RR" else shared, []).append(m)
    return groups


def _pytrec_name(measure: Measure) -> str:
    name = _PYTREC[measure.kind]
    return name if measure.kind == "RR" or measure.cut is None else f"{name}.{measure.cut}"


@dataclass(frozen=True, slots=True)
class TieAudit:
    """How far the order of equal scores decides: mean values over the worst and the best tie orders.

    ``questions`` have a tie in the top ten (or in the cut of a measure that reaches deeper), whether or not it moves
    the measure.
    """

    questions: int
    worst: float
    best: float


def audit_ties(
    rankings: Mapping[str, Ranking],
    qrels: Mapping[str, Grades],
    questions: Sequence[str],
    measures: Sequence[Measure],
    relevant_grade: int,
) -> dict[Measure, TieAudit | None]:
    """Best and worst value of each measure over the orders of tied scores; None when no question has a tie that counts.

    Sorting a tie by grade is the best order for every measure here, and the reverse the worst, since all of them
    reward a higher grade at an earlier rank.
    """
    audits: dict[Measure, TieAudit | None] = {}
    for measure in measures:
        depth = deepest([measure], TIE_DEPTH)
        tied = [q for q in questions if q in rankings and rankings[q].ties_within(depth)]
        if not tied:
            audits[measure] = None
            continue
        means = []
        for sign in (1, -1):
            orders = {q: _retied(rankings[q], qrels[q], depth, sign) for q in questions if q in rankings}
            means.append(float(score_questions(orders, qrels, questions, [measure], relevant_grade)[measure].mean()))
        audits[measure] = TieAudit(len(tied), means[0], means[1])
    return audits


def _retied(ranking: Ranking, grades: Grades, depth: int | None, sign: int) -> list[str]:
    documents = list(ranking.documents)
    for start, stop in ranking.ties_within(depth):
        documents[start:stop] = sorted(documents[start:stop], key=lambda d: sign * max(grades.get(d, 0), 0))
    return documents


def judged_share(ranking: Ranking | None, grades: Grades, *, depth: int = 10) -> float | None:
    """Judged among the returned, at most ``depth``, divided by those; None when nothing was returned."""
    top = ranking.documents[:depth] if ranking else ()
    return sum(d in grades for d in top) / len(top) if top else None


def recall_ceiling(
    qrels: Mapping[str, Grades], questions: Sequence[str], measure: Measure, relevant_grade: int
) -> float:
    """The highest mean that R@k can reach: the mean of min(k, R) / R, with R the relevant documents of a question."""
    if measure.cut is None:
        return 1.0
    relevant = [sum(g >= relevant_grade for g in qrels[q].values()) for q in questions]
    return float(np.mean([min(measure.cut, r) / r for r in relevant]))

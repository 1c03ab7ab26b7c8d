"""Questions, judgements and runs joined by question id, once; everything later reads this one join.

Pairing by position is the obvious way and has been the bug of several tools: it breaks when a file lists its questions
in another order. Here the order of rows, and of runs, cannot reach a number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evalcore.files import BadInput, Problem, QrelsFile, RunFile
from evalcore.measures import (
    STANDARD,
    Floats,
    Grades,
    Measure,
    Ranking,
    TieAudit,
    audit_ties,
    deepest,
    judged_share,
    score_questions,
)
from evalcore.ranking import order_within

DEPTH = 10


@dataclass(frozen=True)
class RunOnStudy:
    """One run, joined: rankings of judged questions only.

    ``missing`` are questions of the study that the run does not return (they score 0); ``without_judgements`` counts
    questions of the run that have none (they are ignored).
    """

    name: str
    sha256: str
    rankings: Mapping[str, Ranking]
    missing: tuple[str, ...]
    without_judgements: int

    @property
    def evaluated(self) -> bool:
        """False for a run that shares no question with the study: it never ran, so it has not lost."""
        return bool(self.rankings)


@dataclass(frozen=True)
class Study:
    """Aligned questions and runs.

    ``questions`` ascend by id as bytes and hold those with at least one document at or above ``relevant_grade``;
    ``excluded`` are judged questions without one, which are in no mean.
    """

    questions: tuple[str, ...]
    excluded: tuple[str, ...]
    qrels: Mapping[str, Grades]
    qrels_name: str
    qrels_sha256: str
    relevant_grade: int
    runs: tuple[RunOnStudy, ...]
    measures: tuple[Measure, ...]

    @cached_property
    def by_name(self) -> dict[str, RunOnStudy]:
        """Run name to run."""
        return {run.name: run for run in self.runs}

    @cached_property
    def values(self) -> dict[str, dict[Measure, Floats]]:
        """Run, measure to values of shape (len(questions),); a run that was not evaluated is not there."""
        return {
            run.name: score_questions(
                {q: r.documents for q, r in run.rankings.items()},
                self.qrels,
                self.questions,
                self.measures,
                self.relevant_grade,
            )
            for run in self.runs
            if run.evaluated
        }

    def judged_at_10(self, run: str) -> Floats:
        """judged@10 of the questions for which the run returned something."""
        rankings = self.by_name[run].rankings
        shares = [judged_share(rankings.get(q), self.qrels[q]) for q in self.questions]
        return np.array([share for share in shares if share is not None])

    def unjudged_at_10(self, run: str) -> int:
        """Returned, unjudged documents in the top 10 over all questions."""
        rankings = self.by_name[run].rankings
        return sum(
            d not in self.qrels[q] for q in self.questions if q in rankings for d in rankings[q].documents[:DEPTH]
        )

    def ties(self, run: str) -> dict[Measure, TieAudit | None]:
        """How far tied scores decide each measure of a run."""
        return audit_ties(self.by_name[run].rankings, self.qrels, self.questions, self.measures, self.relevant_grade)

    def only(self, questions: Sequence[str]) -> list[int]:
        """Positions of some questions, for a breakdown."""
        place = {q: i for i, q in enumerate(self.questions)}
        return [place[q] for q in sorted(questions, key=str.encode) if q in place]


def join(
    qrels: QrelsFile,
    runs: Sequence[RunFile],
    *,
    relevant_grade: int = 1,
    measures: Sequence[Measure] = STANDARD,
) -> Study:
    """Joins judgements and runs by question id.

    Raises:
        BadInput: two runs of one name, or no judgement reaches the relevant grade.

    """
    names = [run.name for run in runs]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        problem = Problem(twice[0], None, "is the name of two runs", "give each run a name of its own")
        raise BadInput([problem])
    by_bytes = sorted(qrels.grades, key=str.encode)
    questions = [q for q in by_bytes if max(qrels.grades[q].values()) >= relevant_grade]
    if not questions:
        best = max(grade for grades in qrels.grades.values() for grade in grades.values())
        what = f"no judgement reaches grade {relevant_grade} (the highest is {best})"
        remedy = (
            "use --relevant-grade 1" if relevant_grade > 1 and best >= 1 else "judge at least one relevant document"
        )
        raise BadInput([Problem(qrels.name, None, what, remedy)])
    depth = deepest(measures, DEPTH)
    return Study(
        questions=tuple(questions),
        excluded=tuple(sorted(set(by_bytes) - set(questions), key=str.encode)),
        qrels=qrels.grades,
        qrels_name=qrels.name,
        qrels_sha256=qrels.sha256,
        relevant_grade=relevant_grade,
        runs=tuple(_joined(run, questions, qrels.grades, depth) for run in runs),
        measures=tuple(measures),
    )


def _joined(run: RunFile, questions: Sequence[str], judged: Mapping[str, Grades], depth: int | None) -> RunOnStudy:
    rankings = rankings_of(run, questions, depth=depth)
    missing = tuple(q for q in questions if q not in rankings)
    return RunOnStudy(run.name, run.sha256, rankings, missing, sum(q not in judged for q in run.questions))


def rankings_of(run: RunFile, questions: Iterable[str], *, depth: int | None) -> dict[str, Ranking]:
    """What a run returned for some questions, best first; a question that it does not return is not there.

    Args:
        run: the rows.
        questions: which.
        depth: how many places are kept, with the rest of a tie that crosses the last of them; None keeps all.

    """
    place = {q: code for code, q in enumerate(run.questions)}
    wanted = [(q, place[q]) for q in questions if q in place]
    if not wanted:
        return {}
    asked = np.zeros(len(run.questions), dtype=bool)
    asked[[code for _, code in wanted]] = True
    kept = _best_rows(run.codes, run.scores, asked, depth)
    # a mask is applied chunk by chunk, where positions would have all chunks joined first
    documents = run.documents.filter(pa.array(kept)).combine_chunks()
    codes, scores = run.codes[kept], run.scores[kept]
    best = order_within(codes, documents, scores)
    # only what is left becomes Python strings
    ids, listed = documents.take(pa.array(best)).to_numpy(zero_copy_only=False).tolist(), scores[best].tolist()
    ends = np.cumsum(np.bincount(codes, minlength=len(asked)))
    starts = np.concatenate([[0], ends[:-1]])
    returned = np.bincount(run.codes, minlength=len(asked))
    return {
        q: Ranking(tuple(ids[starts[code] : ends[code]]), tuple(listed[starts[code] : ends[code]]), int(returned[code]))
        for q, code in wanted
    }


def _best_rows(
    codes: NDArray[np.int32], scores: NDArray[np.float32], asked: NDArray[np.bool_], depth: int | None
) -> NDArray[np.bool_]:
    """Which rows are of the questions asked for, and score at least the ``depth``-th best of theirs.

    Cutting by number first leaves the slow comparison of ids to a handful of rows a question.
    """
    kept = asked[codes]
    if depth is not None:
        sizes = np.bincount(codes, minlength=len(asked))
        last = np.cumsum(sizes) - sizes + np.minimum(depth, sizes) - 1
        step = np.diff(codes)
        if (step >= 0).all() and ((np.diff(scores) <= 0) | (step > 0)).all():
            # as most runs are written: question by question, best first
            bounds = scores[last]
        else:
            bounds = scores[np.lexsort((-scores, codes))[last]]
        kept &= scores >= bounds[codes]
    return kept

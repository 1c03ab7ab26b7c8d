"""Small studies whose numbers can be worked by hand.

Every question has one relevant document, ``hit`` (grade 1). A run is told by the place at which it returns it: 0 is a
question that the run answers without the hit, None one that it does not return. So RR is 1/place, nDCG@10 is
1/log2(1 + place), and Success@k is place <= k. Every run also answers a question that nobody judged, so that a run
without a place is a file with a row.
"""

from collections.abc import Mapping, Sequence
from math import log2

from evalcore.comparison import Compared
from evalcore.files import read_qrels, read_run
from evalcore.measures import Measure
from evalcore.plan import Plan
from evalcore.stats.paired import Settings
from evalcore.study import join

NDCG, RR = Measure.parse("nDCG@10"), Measure.parse("RR@10")
SUCCESS_1, SUCCESS_3 = Measure.parse("Success@1"), Measure.parse("Success@3")
MEASURES = (NDCG, RR, SUCCESS_1, SUCCESS_3)

Places = Mapping[str, int | None]


def names(n: int) -> list[str]:
    """q01, q02, … in ascending order."""
    return [f"q{i:02d}" for i in range(1, n + 1)]


def places(*at: int | None) -> dict[str, int | None]:
    """Places of the hit in q01, q02, …"""
    return dict(zip(names(len(at)), at, strict=True))


def ndcg(place: int | None) -> float:
    """nDCG@10 of one question."""
    return 1 / log2(1 + place) if place else 0.0


def run_text(run: Places) -> str:
    """A run as TREC lines: ten documents a question, with the hit at its place."""
    return "other Q0 x01 1 1 tag\n" + "".join(
        f"{question} Q0 {'hit' if rank == place else f'x{rank:02d}'} {rank} {20 - rank} tag\n"
        for question, place in run.items()
        if place is not None
        for rank in range(1, 11)
    )


def qrels_text(questions: Sequence[str]) -> str:
    """Judgements: the hit of each question."""
    return "".join(f"{question} 0 hit 1\n" for question in questions)


def plan(**changes: object) -> Plan:
    """A plan of few resamples; enough where a test looks at no interval's digits."""
    settings = Settings(resamples=200)
    return Plan(**{"measures": MEASURES, "settings": settings, **changes})  # type: ignore[arg-type]


def compared(questions: int, runs: Mapping[str, Places], **changes: object) -> Compared:
    """The runs on ``questions`` questions under ``plan(**changes)``."""
    declared = plan(**changes)
    files = [read_run(run_text(run).encode(), name=name) for name, run in runs.items()]
    qrels = read_qrels(qrels_text(names(questions)).encode(), name="qrels")
    return Compared(join(qrels, files, relevant_grade=1, measures=declared.measures), declared)


THREE = {
    "bm25": places(1, 2, 5, 0, 1, 3, 1, None, 2, 10, 1, 4),
    "dense": places(2, 1, 1, 7, 1, 1, 3, 2, None, 1, 1, 0),
    "hybrid": places(1, 1, 2, 3, 1, 1, 1, 4, 2, 2, 1, 6),
}


def rows_of(run):
    """A run's rows in file order: question, document, score."""
    asked = [run.questions[code] for code in run.codes]
    return list(zip(asked, run.documents.to_pylist(), run.scores.tolist(), strict=True))

"""The abstention studies that ship with the tool: the textbook, the lesson's toy run, a synthetic pair of scores."""

from __future__ import annotations

import csv
import hashlib
import io
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from evalcore.abstention.cost import Cheapest, Declared, cheapest, read_costs
from evalcore.abstention.heldout import HeldOut
from evalcore.abstention.scale import Scale, StoredThreshold, read_threshold
from evalcore.abstention.scored import Scored
from evalcore.evidence import Basis, Count, Source
from evalcore.files import reading
from evalcore.files.scores import read_scores
from evalcore.gates import Gate, read_gates
from evalcore.goldset.schema import GOLD, GoldSet
from evalcore.goldset.scores import FILE, OFF_TOPIC, SCORES, read_off_topic
from evalcore.goldset.unanswerable import Slice
from evalcore.retrieval.corpus import Corpus
from evalcore.stats.means import SEED

TOY = GOLD / "toy"
THRESHOLD = "threshold.json"
TOY_TITLE = "Toy run (synthetic)"
TEXTBOOK_TITLE = "Statistics textbook"
MEANINGS = {
    "dense_top1": "Top-1 cosine",
    "best_sentence": "Best-sentence cosine",
    "bm25_top1": "BM25 top-1",
    "hybrid_top1": "Hybrid top-1",
    "dense_margin": "Margin, first over second",
    "combined": "Combined (cross-fitted)",
    "score": "Top-1 score",
}


@dataclass(frozen=True)
class AbstentionStudy:
    """Labelled questions with one or more scores, under a plan that declares gates, costs and the traffic share.

    ``scores`` are by column; ``primary`` is the declared one and ``start`` a threshold to begin with. ``texts`` are the
    questions where they are known; ``scales`` what each score means, for its fingerprint.
    """

    title: str
    scores: Mapping[str, Scored]
    primary: str
    gates: Mapping[str, Gate]
    declared: Declared
    plan_sha256: str
    held_out: HeldOut
    texts: Mapping[str, str]
    off_topic: Mapping[str, Mapping[str, float]]
    scales: Mapping[str, Scale]
    stored: StoredThreshold | None = None
    start: float | None = None

    def by_rule(self, column: str) -> Cheapest:
        """The declared rule: the cheapest thresholds of a score at the declared costs and share."""
        return cheapest(self.scores[column].sweep, self.declared.costs, self.declared.unanswerable_share)

    def no_nearer(self, column: str) -> Count:
        """Unanswerable questions that score no higher than the highest off-topic one."""
        scored = self.scores[column]
        highest = max(scores[column] for scores in self.off_topic.values())
        low = int((scored.scores[~scored.answerable] <= highest).sum())
        what = "unanswerable questions that score no higher than the highest off-topic one"
        total = scored.sweep.unanswerable
        return Count(low, total, what, scored.basis, (scored.source,), provisional=scored.provisional)

    def begin_at(self, column: str) -> float:
        """Where the threshold begins: the plan's own, else by the rule; the highest score if it refuses everything."""
        chosen = self.start if self.start is not None else self.by_rule(column).threshold
        return chosen if chosen is not None else float(self.scores[column].sweep.thresholds[-1])


@dataclass(frozen=True)
class Shipped:
    """The studies in the repository; each is read when it is first asked for."""

    gold: GoldSet
    near: Slice
    corpus: Corpus

    @classmethod
    def load(cls) -> Shipped:
        """Those of this repository."""
        return cls(GoldSet(), Slice(), Corpus.load())

    @cached_property
    def textbook(self) -> AbstentionStudy:
        """The 40 answerable and 24 unanswerable questions with six scores: development questions, provisional."""
        folder = self.gold.folder
        table = read_scores(folder / FILE, name=FILE, columns=SCORES)
        scores = {
            column: Scored(
                table,
                column,
                Source(f"gold/{FILE}, {column}", sha256=table.sha256),
                provisional=self.gold.provisional,
                made_from_labels=column == "combined",
            )
            for column in SCORES
        }
        plan = folder / "plan.toml"
        stored = folder / THRESHOLD
        return AbstentionStudy(
            TEXTBOOK_TITLE,
            scores,
            self.near.plan["scores"]["primary"],
            read_gates(plan),
            read_costs(plan),
            _sha256(plan),
            HeldOut(folder),
            self._texts,
            read_off_topic(folder / OFF_TOPIC),
            {column: scale(self.corpus, column) for column in SCORES},
            read_threshold(stored) if stored.exists() else None,
        )

    @property
    def _texts(self) -> dict[str, str]:
        texts = {q.id: q.text for q in self.gold.questions}
        return texts | {q.id: q.text for q in self.near.questions} | {q.id: q.text for q in self.near.off_topic}

    @cached_property
    def toy(self) -> AbstentionStudy:
        """The lesson's ten answerable and six unanswerable questions, with invented scores."""
        return toy()


def toy(folder: Path = TOY) -> AbstentionStudy:
    """The lesson's toy run; measured from its file, whose content is synthetic."""
    plan = folder / "plan.toml"
    table = read_scores(folder / "scores.csv", name="toy/scores.csv")
    with reading(plan):
        start = float(tomllib.loads(plan.read_text(encoding="utf-8"))["threshold"])
    source = Source(f"{TOY_TITLE}, gold/toy/scores.csv", sha256=table.sha256)
    synthetic = "synthetic"
    scale_of_toy = Scale(score="score", model_sha256=synthetic, chunking_sha256=synthetic, corpus_sha256=table.sha256)
    return AbstentionStudy(
        TOY_TITLE,
        {"score": Scored(table, "score", source, synthetic=True)},
        "score",
        read_gates(plan),
        read_costs(plan),
        _sha256(plan),
        HeldOut(folder),
        {},
        {},
        {"score": scale_of_toy},
        start=start,
    )


def synthetic_pair(seed: int = SEED) -> dict[str, Scored]:
    """Two invented scores of 200 answerable and 120 unanswerable questions: one like the toy run's, one that separates.

    Normal draws, answerable first, a fresh stream for each score. They are assumed, whatever is computed from them.
    """
    shapes = {
        "Overlapping, like the toy run's": ((0.55, 0.11), (0.40, 0.09)),
        "Better separated": ((0.66, 0.10), (0.36, 0.08)),
    }
    found = {}
    for title, ((mean_a, sd_a), (mean_u, sd_u)) in shapes.items():
        rng = np.random.default_rng(seed)
        scores = np.concatenate([rng.normal(mean_a, sd_a, 200), rng.normal(mean_u, sd_u, 120)])
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["query_id", "answerable", "score"])
        writer.writerows([f"{i:03d}", int(i < 200), f"{s:.6f}"] for i, s in enumerate(scores))
        table = read_scores(out.getvalue().encode(), name=title)
        source = Source(f"{title}: seeded normal draws", chosen_by=f"written for this demonstration, seed {seed}")
        found[title] = Scored(table, "score", source, Basis.ASSUMED, synthetic=True)
    return found


def scale(corpus: Corpus, score: str) -> Scale:
    """What a score of the textbook means now: the model of its vectors, its chunks and its text."""
    return Scale(
        score=score,
        model_sha256=corpus.vector_index.model_sha256,
        chunking_sha256=_sha256(corpus.folder / "chunks.json"),
        corpus_sha256=_sha256(corpus.folder / "manifest.json"),
    )


def store_by_rule(study: AbstentionStudy, *, date: str) -> StoredThreshold:
    """The threshold that the declared rule chooses for the primary score, with its scale."""
    d = study.declared
    rule = (
        f"upper end of the lowest cheapest interval at costs {d.costs.unsupported:g} : {d.costs.refusal:g} and an "
        f"unanswerable share of {d.unanswerable_share:g}"
    )
    column = study.primary
    return StoredThreshold.of(study.by_rule(column).threshold, study.scales[column], rule=rule, date=date)


def _sha256(path: Path) -> str:
    with reading(path):
        return hashlib.sha256(path.read_bytes()).hexdigest()

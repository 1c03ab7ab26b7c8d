"""What is computed from the gold set's hand-made files: qrels, pools, runs and section-level runs.

The steps stand in the order in which they may be done; ``python -m evalcore gold build`` runs those whose inputs exist.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evalcore.files import BadInput, Problem, read_run, write_run
from evalcore.goldset.packs import pool_pack, section_pack
from evalcore.goldset.schema import RANKERS, Evidence, GoldSet, Judgement, Question
from evalcore.retrieval.bm25 import BM25
from evalcore.retrieval.corpus import Corpus
from evalcore.retrieval.dense import Dense
from evalcore.retrieval.fusion import reciprocal_rank_fusion
from evalcore.retrieval.ranked import Ranked
from evalcore.study import rankings_of

POOL_DEPTH = 10
SECTION_POOL_DEPTH = 3
SECTION_ARMS = ("sections", "chunks")


@dataclass(frozen=True)
class Rankers:
    """The three rankers over the passages, and the whole-section arm of the chunking comparison."""

    bm25: BM25
    dense: Dense
    sections: Dense

    @classmethod
    def load(cls, corpus: Corpus) -> Rankers:
        """Builds the BM25 index and reads the stored vectors; needs no model."""
        texts = corpus.chunk_text
        return cls(
            BM25.build(list(texts), list(texts.values())),
            Dense.build(*corpus.vectors("chunks")),
            Dense.build(*corpus.vectors("sections")),
        )

    def rank(self, text: str, vector: NDArray[np.float32]) -> dict[str, Ranked]:
        """All three rankings of one question, given its text and its vector."""
        lexical, dense = self.bm25.rank(text), self.dense.rank(vector)
        return dict(zip(RANKERS, (lexical, dense, reciprocal_rank_fusion(lexical, dense)), strict=True))

    def rank_sections(self, vector: NDArray[np.float32], section_of: dict[str, str]) -> dict[str, Ranked]:
        """Both arms of the chunking comparison: whole sections, and passages collapsed to their sections."""
        arms = (self.sections.rank(vector), self.dense.rank(vector).collapsed(section_of))
        return dict(zip(SECTION_ARMS, arms, strict=True))


def question_vectors(corpus: Corpus) -> dict[str, NDArray[np.float32]]:
    """Question id to stored vector."""
    ids, matrix = corpus.vectors("questions")
    return dict(zip(ids, matrix, strict=True))


def write_runs(gold: GoldSet, corpus: Corpus) -> None:
    """Writes gold/runs: the three rankers over passages and the two arms over sections, every ranked document."""
    rankers, vectors = Rankers.load(corpus), question_vectors(corpus)
    folder = gold.folder / "runs"
    folder.mkdir(exist_ok=True)
    runs: dict[str, list[tuple[str, Ranked]]] = defaultdict(list)
    for question in gold.questions:
        vector = vectors[question.id]
        for name, ranked in rankers.rank(question.text, vector).items():
            runs[name].append((question.id, ranked))
        for arm, ranked in rankers.rank_sections(vector, corpus.section_of).items():
            runs[f"section-{arm}"].append((question.id, ranked))
    for name, lines in runs.items():
        text = write_run([(q, ranked.ids, ranked.scores) for q, ranked in lines], name)
        (folder / f"{name}.trec").write_text(text, encoding="utf-8")


def stored_run(gold: GoldSet, name: str) -> dict[str, Ranked]:
    """Question to ranking, best first, of one of gold/runs."""
    file = read_run(gold.folder / "runs" / f"{name}.trec", name=f"runs/{name}.trec")
    return {q: Ranked(r.documents, r.scores) for q, r in rankings_of(file, file.questions, depth=None).items()}


def pools(rankings: Iterable[Mapping[str, Ranked]], questions: Iterable[str]) -> dict[str, list[str]]:
    """Question to the union, by id, of each run's first ten passages."""
    runs = list(rankings)
    return {q: sorted({d for run in runs if q in run for d in run[q].ids[:POOL_DEPTH]}) for q in questions}


def write_packs(gold: GoldSet, corpus: Corpus) -> None:
    """Writes gold/packs: one pack a section with every draft, and one a question with its pool."""
    folder = gold.folder / "packs"
    pooled = pools([stored_run(gold, name) for name in RANKERS], [q.id for q in gold.questions])
    write_pool_packs(gold.questions, pooled, corpus, folder)
    drafts = [(d.draft, d.text) for d in gold.drafts]
    for section in corpus.texts:
        (folder / f"{section}.md").write_text(section_pack(section, drafts, corpus.chunk_text), encoding="utf-8")


def write_pool_packs(questions: Iterable[Question], pooled: Mapping[str, list[str]], corpus: Corpus, to: Path) -> None:
    """Writes one blind pack a question."""
    to.mkdir(parents=True, exist_ok=True)
    for q in questions:
        pack = pool_pack(q.id, q.text, corpus.chunk_text, pooled[q.id])
        (to / f"{q.id}.md").write_text(pack, encoding="utf-8")


def chunks_holding(span: Evidence, corpus: Corpus) -> list[str]:
    """The passages that contain a whole span."""
    return [c.id for c in corpus.chunks if c.section == span.section and c.start <= span.start and span.end <= c.end]


def chunk_grades(gold: GoldSet, corpus: Corpus) -> dict[str, dict[str, int]]:
    """Question to passage to grade: the judge's grade, and 2 for every passage that holds a whole span."""
    grades: dict[str, dict[str, int]] = {q.id: {} for q in gold.questions}
    named = {j.question for j in gold.judgements} | {span.question for span in gold.evidence}
    if strangers := sorted(named - set(grades)):
        what = f"do not hold {', '.join(strangers[:3])}, which judgements or spans name"
        raise BadInput([Problem("questions.jsonl", None, what, "restore it from the repository")])
    for j in gold.judgements:
        grades[j.question][j.chunk] = j.grade
    for span in gold.evidence:
        for chunk in chunks_holding(span, corpus):
            grades[span.question][chunk] = 2
    return grades


def section_grades(gold: GoldSet, corpus: Corpus) -> dict[str, dict[str, int]]:
    """Question to section to grade: 2 when the section holds a span, 0 when it was read and does not."""
    drafts = {q.draft: q.id for q in gold.questions}
    grades: dict[str, dict[str, int]] = {q.id: {} for q in gold.questions}
    for reading in gold.readings:
        if reading.question in drafts:
            grades[drafts[reading.question]][reading.section] = 0
    for span in gold.evidence:
        grades[span.question][span.section] = 2
    return grades


def overruled(gold: GoldSet, corpus: Corpus) -> list[Judgement]:
    """Judgements below 2 of passages that hold a span which a section reader found: two readers who disagree."""
    final = chunk_grades(gold, corpus)
    return [j for j in gold.judgements if j.grade < final[j.question][j.chunk]]

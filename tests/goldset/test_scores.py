import numpy as np
import pytest

from evalcore.files import read_qrels
from evalcore.goldset.schema import GOLD, GoldSet
from evalcore.goldset.scores import SCORES, candidates, hits
from evalcore.goldset.unanswerable import Slice
from evalcore.retrieval.corpus import Corpus


class Rescaled(Corpus):
    """The textbook with every sentence vector at a length of its own."""

    def vectors(self, name):
        ids, vectors = super().vectors(name)
        lengths = np.linspace(0.5, 2, len(ids), dtype=np.float32)[:, None]
        return ids, vectors * lengths if name == "sentences" else vectors


@pytest.fixture(scope="module")
def corpus():
    return Corpus.load()


def test_a_hit_is_an_answer_among_the_first_five_of_the_hybrid_run(corpus):
    grades = read_qrels(GOLD / "qrels.trec", name="qrels").grades
    lines = [line.split() for line in (GOLD / "runs" / "hybrid.trec").read_text().splitlines()]
    first = {(question, chunk) for question, _, chunk, rank, *_ in lines if int(rank) <= 5}
    found = hits(GoldSet(), corpus)
    assert found == {q: any((q, c) in first and grade >= 2 for c, grade in grades[q].items()) for q in found}
    assert set(found) == {q.id for q in GoldSet().questions}
    assert set(found.values()) == {True, False}


def test_a_cosine_with_a_sentence_is_one_of_vectors_of_length_one(corpus):
    found = candidates(GoldSet(), Slice(), corpus)
    _, stored = corpus.vectors("sentences")
    queries = dict(zip(*corpus.vectors("unanswerable"), strict=True))
    lengths = np.sqrt((stored.astype(float) ** 2).sum(axis=1))
    assert np.abs(lengths - 1).max() > 1e-5  # half precision moved them
    for question, query in queries.items():
        cosines = stored.astype(float) @ query.astype(float) / lengths
        assert found.near[question]["best_sentence"] == pytest.approx(cosines.max(), abs=1e-7)


def test_the_length_of_a_stored_sentence_vector_changes_no_score(corpus):
    one = candidates(GoldSet(), Slice(), corpus)
    other = candidates(GoldSet(), Slice(), Rescaled.load())
    for mine, theirs in ((one.near, other.near), (one.off_topic, other.off_topic)):
        for question, scores in mine.items():
            assert [theirs[question][s] for s in SCORES] == pytest.approx([scores[s] for s in SCORES], abs=1e-5)

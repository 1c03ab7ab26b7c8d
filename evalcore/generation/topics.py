"""The eight topics and the five passages that each of them retrieves: dense ranking over stored vectors."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from evalcore.files import reading
from evalcore.goldset.schema import GOLD
from evalcore.retrieval.corpus import Corpus
from evalcore.retrieval.dense import Dense

TOPICS = GOLD / "generation" / "topics.jsonl"
VECTORS = "topics"
PASSAGES = 5


class Topic(BaseModel):
    """One topic: ``query`` is what is searched for, ``area`` the main part of the text that it belongs to."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    id: str
    title: str
    area: str
    query: str


@dataclass(frozen=True, slots=True)
class Passage:
    """A retrieved passage."""

    id: str
    section: str
    text: str


@dataclass(frozen=True, slots=True)
class Material:
    """A topic with its passages, best first."""

    topic: Topic
    passages: tuple[Passage, ...]

    @property
    def texts(self) -> Mapping[str, str]:
        """Passage id to text."""
        return {p.id: p.text for p in self.passages}

    @property
    def sha256(self) -> str:
        """Of the query and the passages, with their ids: what a result was generated from."""
        parts = [self.topic.query, *(part for p in self.passages for part in (p.id, p.text))]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def read_topics(path: Path = TOPICS) -> tuple[Topic, ...]:
    """The topics in their order."""
    with reading(path):
        lines = path.read_text(encoding="utf-8").splitlines()
        return tuple(Topic.model_validate_json(line) for line in lines)


@dataclass(frozen=True)
class Materials:
    """Every topic with its passages, from the textbook."""

    corpus: Corpus
    topics: tuple[Topic, ...]

    @classmethod
    def of(cls, corpus: Corpus) -> Materials:
        """The shipped topics over the textbook."""
        return cls(corpus, read_topics())

    @cached_property
    def by_topic(self) -> dict[str, Material]:
        """Topic id to its material, in the topics' order."""
        ids, vectors = self.corpus.vectors("chunks")
        ranker = Dense.build(ids, vectors)
        names, queries = self.corpus.vectors(VECTORS)
        query_of = dict(zip(names, queries, strict=True))
        return {t.id: Material(t, self._passages(ranker.rank(query_of[t.id]).ids[:PASSAGES])) for t in self.topics}

    def _passages(self, ids: tuple[str, ...]) -> tuple[Passage, ...]:
        texts, sections = self.corpus.chunk_text, self.corpus.section_of
        return tuple(Passage(i, self.corpus.titles[sections[i]], texts[i]) for i in ids)

"""The textbook on disk: sections, passages and vectors, read back with their hashes checked."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict

from evalcore.files import reading

CORPUS = Path(__file__).resolve().parents[2] / "corpus"


class CorpusError(RuntimeError):
    """A file of the corpus is not what its manifest says; the message names it."""


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Section(_Record):
    """One section as the manifest describes it."""

    id: str
    title: str
    chapter: str
    source: str
    written_by: str
    date: str
    words: int
    sha256: str
    licence: str


class Manifest(_Record):
    """corpus/manifest.json."""

    title: str
    sections: list[Section]


class Chunk(_Record):
    """A passage: characters ``start`` to ``end`` (exclusive) of its section."""

    id: str
    section: str
    start: int
    end: int


class VectorFile(_Record):
    """One matrix of vectors under corpus/vectors: row i belongs to ``ids[i]``."""

    file: str
    sha256: str
    ids: list[str]


class VectorIndex(_Record):
    """corpus/vectors/index.json: which model made the vectors, and of what."""

    model: str
    model_sha256: str
    sets: dict[str, VectorFile]


@dataclass(frozen=True)
class Corpus:
    """The textbook, read from its folder. Make one with ``Corpus.load()``."""

    folder: Path
    manifest: Manifest
    texts: dict[str, str]
    chunks: tuple[Chunk, ...]

    @classmethod
    def load(cls, folder: Path = CORPUS) -> Corpus:
        """Reads sections and passages.

        Raises:
            CorpusError: a section's sha256 is not the manifest's.

        """
        with reading(folder / "manifest.json"):
            manifest = Manifest.model_validate_json((folder / "manifest.json").read_bytes())
        texts = {}
        for section in manifest.sections:
            path = folder / "sections" / f"{section.id}.md"
            with reading(path):
                raw = path.read_bytes()
            if hashlib.sha256(raw).hexdigest() != section.sha256:
                raise CorpusError(f"sections/{section.id}.md is not the file that manifest.json describes")
            texts[section.id] = raw.decode("utf-8")
        with reading(folder / "chunks.json"):
            chunks = tuple(Chunk.model_validate(c) for c in json.loads((folder / "chunks.json").read_bytes()))
        return cls(folder, manifest, texts, chunks)

    @cached_property
    def chunk_text(self) -> dict[str, str]:
        """Passage id to text."""
        return {c.id: self.texts[c.section][c.start : c.end] for c in self.chunks}

    @cached_property
    def section_of(self) -> dict[str, str]:
        """Passage id to section id."""
        return {c.id: c.section for c in self.chunks}

    @cached_property
    def titles(self) -> dict[str, str]:
        """Section id to title."""
        return {s.id: s.title for s in self.manifest.sections}

    @cached_property
    def vector_index(self) -> VectorIndex:
        """What the stored vectors are."""
        path = self.folder / "vectors" / "index.json"
        with reading(path):
            return VectorIndex.model_validate_json(path.read_bytes())

    def vectors(self, name: str) -> tuple[tuple[str, ...], NDArray[np.float32]]:
        """The ids and the matrix (len(ids), 384) of one set: chunks, sections, sentences, or a set of questions.

        Raises:
            CorpusError: there is no such set, or its file is not the one that the index describes.

        """
        entry = self.vector_index.sets.get(name)
        if entry is None:
            raise CorpusError(f"corpus/vectors has no set {name!r}; it has {sorted(self.vector_index.sets)}")
        path = self.folder / "vectors" / entry.file
        with reading(path):
            raw = path.read_bytes()
        if hashlib.sha256(raw).hexdigest() != entry.sha256:
            raise CorpusError(f"vectors/{entry.file} is not the file that index.json describes")
        return tuple(entry.ids), np.load(path).astype(np.float32)

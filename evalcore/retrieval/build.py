"""Computes what is stored under corpus/: the manifest's hashes, the passages, and the vectors.

Run by ``python -m evalcore corpus build`` after a section or the set of questions has changed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from evalcore.retrieval.chunking import chunk_spans, sentences
from evalcore.retrieval.corpus import Corpus, Manifest
from evalcore.retrieval.encoder import Encoder, load_tokenizer

CHAPTERS = {"sampling and data": 5, "descriptive statistics": 8, "regression and correlation": 6}


def write_manifest(folder: Path, *, date: str, written_by: str) -> None:
    """Writes manifest.json from the section files, in the order of their names."""
    paths = sorted((folder / "sections").glob("s*.md"))
    chapters = [name for name, count in CHAPTERS.items() for _ in range(count)]
    sections = []
    for path, chapter in zip(paths, chapters, strict=True):
        raw = path.read_bytes()
        text = raw.decode("utf-8")
        sections.append(
            {
                "id": path.stem,
                "title": text.splitlines()[0].removeprefix("# "),
                "chapter": chapter,
                "source": f"sections/{path.name}, written for this project",
                "written_by": written_by,
                "date": date,
                "words": len(text.split()),
                "sha256": hashlib.sha256(raw).hexdigest(),
                "licence": "CC-BY-4.0",
            }
        )
    title = "An introduction to statistics: sampling, description, regression"
    manifest = Manifest.model_validate({"title": title, "sections": sections})
    (folder / "manifest.json").write_text(manifest.model_dump_json(indent=1) + "\n", encoding="utf-8")


def write_chunks(folder: Path) -> None:
    """Writes chunks.json: ids like s07-c03 with the exact character span in the section."""
    tokenizer = load_tokenizer(folder / "model" / "vocab.txt")
    manifest = Manifest.model_validate_json((folder / "manifest.json").read_bytes())
    chunks = []
    for section in manifest.sections:
        text = (folder / "sections" / f"{section.id}.md").read_text(encoding="utf-8")
        spans = chunk_spans(text, lambda part: len(tokenizer.encode(part).ids))
        chunks += [
            {"id": f"{section.id}-c{i:02d}", "section": section.id, "start": s.start, "end": s.end}
            for i, s in enumerate(spans, start=1)
        ]
    lines = ",\n".join(json.dumps(c) for c in chunks)
    (folder / "chunks.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def write_vectors(corpus: Corpus, questions: Mapping[str, Mapping[str, str]]) -> None:
    """Encodes passages, whole sections, sentences and named sets of questions, each text alone, and writes them."""
    encoder = Encoder.load(corpus.folder / "model" / "vocab.txt")
    sentence_texts = {
        f"{chunk}-{i:02d}": sentence
        for chunk, text in corpus.chunk_text.items()
        for i, sentence in enumerate(sentences(text), start=1)
    }
    sets: dict[str, tuple[Mapping[str, str], DTypeLike]] = {
        "chunks": (corpus.chunk_text, np.float32),
        "sections": (corpus.texts, np.float32),
        "sentences": (sentence_texts, np.float16),
        **{name: (texts, np.float32) for name, texts in questions.items()},
    }
    target = corpus.folder / "vectors"
    target.mkdir(exist_ok=True)
    index: dict[str, Any] = {"model": "all-MiniLM-L6-v2", "model_sha256": encoder.model_sha256, "sets": {}}
    for name, (texts, dtype) in sets.items():
        path = target / f"{name}.npy"
        np.save(path, np.stack([encoder.encode(text) for text in texts.values()]).astype(dtype))
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        index["sets"][name] = {"file": path.name, "sha256": digest, "ids": list(texts)}
    (target / "index.json").write_text(json.dumps(index, indent=1) + "\n", encoding="utf-8")

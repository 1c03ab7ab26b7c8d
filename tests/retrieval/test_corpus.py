import hashlib
import json
import re
from pathlib import Path

import pytest

from evalcore.retrieval.chunking import MAX_TOKENS, chunk_spans, sentences
from evalcore.retrieval.corpus import CORPUS, Corpus, CorpusError
from evalcore.retrieval.encoder import load_tokenizer


@pytest.fixture(scope="module")
def corpus():
    return Corpus.load()


def test_the_text_has_nineteen_sections_in_three_chapters_and_its_length(corpus):
    chapters = [s.chapter for s in corpus.manifest.sections]
    assert [chapters.count(c) for c in dict.fromkeys(chapters)] == [5, 8, 6]
    assert [s.id for s in corpus.manifest.sections] == [f"s{i:02d}" for i in range(1, 20)]
    words = {i: len(text.split()) for i, text in corpus.texts.items()}
    assert {i: n for i, n in words.items() if not 1_100 <= n <= 1_600} == {}
    assert sum(words.values()) >= 24_000


def test_the_manifest_tells_of_every_section_who_wrote_it_and_its_hash(corpus):
    for section in corpus.manifest.sections:
        raw = (CORPUS / "sections" / f"{section.id}.md").read_bytes()
        assert hashlib.sha256(raw).hexdigest() == section.sha256
        assert section.words == len(raw.decode().split())
        assert "a language model" in section.written_by
        assert section.licence == "CC-BY-4.0"


def test_a_changed_section_is_refused(tmp_path, corpus):
    (tmp_path / "sections").mkdir()
    (tmp_path / "manifest.json").write_text((CORPUS / "manifest.json").read_text())
    for section, text in corpus.texts.items():
        (tmp_path / "sections" / f"{section}.md").write_text(text + ("x" if section == "s07" else ""), encoding="utf-8")
    with pytest.raises(CorpusError, match=r"s07\.md is not the file"):
        Corpus.load(tmp_path)


def test_the_vocabulary_is_the_one_its_note_describes():
    note = (CORPUS / "model" / "SOURCE.md").read_text()
    assert hashlib.sha256((CORPUS / "model" / "vocab.txt").read_bytes()).hexdigest() in note


def test_no_passage_is_over_the_encoders_window_and_most_are_of_the_target_length(corpus):
    tokenizer = load_tokenizer(CORPUS / "model" / "vocab.txt")
    tokens = {i: len(tokenizer.encode(t).ids) for i, t in corpus.chunk_text.items()}
    assert {i: n for i, n in tokens.items() if n > MAX_TOKENS} == {}
    words = [len(t.split()) for t in corpus.chunk_text.values()]
    assert sum(120 <= n <= 150 for n in words) > 0.7 * len(words)
    assert min(words) > 90
    assert max(words) < 170


def test_passages_are_exact_spans_that_hold_all_of_their_section_once(corpus):
    for section, text in corpus.texts.items():
        spans = [(c.start, c.end) for c in corpus.chunks if c.section == section]
        ids = [c.id for c in corpus.chunks if c.section == section]
        assert ids == [f"{section}-c{i:02d}" for i in range(1, len(ids) + 1)]
        between = [text[a:b] for a, b in zip([0, *(e for _, e in spans)], [*(s for s, _ in spans), None], strict=True)]
        assert "".join(between).strip() == ""


def test_the_stored_passages_are_what_the_chunker_makes(corpus):
    tokenizer = load_tokenizer(CORPUS / "model" / "vocab.txt")
    for section, text in corpus.texts.items():
        spans = chunk_spans(text, lambda part: len(tokenizer.encode(part).ids))
        stored = [(c.start, c.end) for c in corpus.chunks if c.section == section]
        assert [(s.start, s.end) for s in spans] == stored


def test_every_worked_figure_test_file_is_there(corpus):
    folder = Path(__file__).parents[1] / "corpus"
    assert {
        f"s{n}" for n in re.findall(r"test_s(\d\d)_figures", "\n".join(p.name for p in folder.glob("*.py")))
    } == set(corpus.texts)


def words(n):
    return " ".join(["word"] * (n - 1) + ["end."])


def count(text):
    return len(text.split()) + 2


def test_a_cut_falls_between_paragraphs_where_it_can():
    text = "\n\n".join([words(70), words(65), words(60), words(75)])
    assert [text[s.start : s.end].count("\n\n") for s in chunk_spans(text, count)] == [1, 1]


def test_a_long_paragraph_is_cut_between_sentences():
    paragraph = " ".join("W" + words(30) for _ in range(9))
    cuts = chunk_spans(paragraph, count)
    assert len(cuts) == 2
    assert all(paragraph[s.start : s.end].endswith("end.") for s in cuts)


def test_a_heading_goes_with_what_follows_it():
    text = f"# Title\n\n{words(130)}\n\n## Next\n\n{words(130)}"
    assert [text[s.start : s.end].split()[0] for s in chunk_spans(text, count)] == ["#", "##"]


def test_what_cannot_be_cut_and_is_too_long_is_an_error():
    with pytest.raises(ValueError, match="cannot be cut"):
        chunk_spans("x " * 300, count)


def test_sentences_leave_out_headings_and_rules_and_keep_decimals():
    text = "## Head\nThe mean is 2.45 goals. It is exact.\n\n| a | b |\n|---|---|\n| 1 | 2 |"
    assert sentences(text) == ["The mean is 2.45 goals.", "It is exact.", "| a | b |", "| 1 | 2 |"]


def test_chunks_are_stored_one_a_line_for_readable_differences():
    lines = (CORPUS / "chunks.json").read_text().splitlines()
    assert len(lines) == len(json.loads("\n".join(lines))) + 2

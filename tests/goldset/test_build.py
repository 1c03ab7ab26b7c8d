import shutil

import pytest

from evalcore.goldset.build import (
    POOL_DEPTH,
    Rankers,
    chunk_grades,
    chunks_holding,
    overruled,
    pools,
    question_vectors,
    section_grades,
    stored_run,
    write_packs,
    write_pool_packs,
)
from evalcore.goldset.schema import GOLD, RANKERS, Evidence, GoldSet
from evalcore.retrieval.corpus import Corpus
from evalcore.retrieval.ranked import Ranked


@pytest.fixture(scope="module")
def gold():
    return GoldSet()


@pytest.fixture(scope="module")
def corpus():
    return Corpus.load()


def test_a_pool_is_the_union_of_the_first_ten_sorted_by_id():
    def ranked(*ids):
        return Ranked(ids, tuple(float(-place) for place in range(len(ids))))

    one = {"q": ranked(*(f"d{i:02d}" for i in range(20, 0, -1)))}
    two = {"q": ranked("d01", "d20", "d02"), "other": ranked("x")}
    assert pools([one, two], ["q", "none"]) == {
        "q": ["d01", "d02", *(f"d{i}" for i in range(11, 21))],
        "none": [],
    }
    assert POOL_DEPTH == 10


def test_a_passage_holds_a_span_only_as_a_whole(corpus):
    first, second = (c for c in corpus.chunks[:2])
    assert first.section == second.section

    def span(start, end):
        quote = corpus.texts[first.section][start:end]
        return Evidence(question="q", section=first.section, start=start, end=end, quote=quote, found_by="pool judge")

    assert chunks_holding(span(first.start, first.end), corpus) == [first.id]
    assert chunks_holding(span(first.end - 5, second.start + 5), corpus) == []
    assert chunks_holding(span(second.start, second.start + 5), corpus) == [second.id]


def test_a_passage_that_holds_a_span_has_grade_two_and_every_other_its_judges(gold, corpus):
    grades = chunk_grades(gold, corpus)
    holding = {(s.question, c) for s in gold.evidence for c in chunks_holding(s, corpus)}
    judged = {(j.question, j.chunk): j.grade for j in gold.judgements}
    assert {(q, d): g for q, of in grades.items() for d, g in of.items()} == judged | dict.fromkeys(holding, 2)


def test_a_judges_lower_grade_of_a_passage_that_holds_a_span_is_kept_and_counted(gold, corpus):
    final = chunk_grades(gold, corpus)
    assert {(j.question, j.chunk) for j in overruled(gold, corpus)} == {
        (j.question, j.chunk) for j in gold.judgements if j.grade != final[j.question][j.chunk]
    }


def test_a_section_with_a_span_answers_and_every_other_was_read(gold, corpus):
    answering = {(s.question, s.section) for s in gold.evidence}
    for question, grades in section_grades(gold, corpus).items():
        assert list(grades) == list(corpus.texts)
        assert {s for s, g in grades.items() if g == 2} == {s for q, s in answering if q == question}
        assert set(grades.values()) <= {0, 2}


def test_the_stored_packs_are_the_pools_of_the_stored_runs(tmp_path, gold, corpus):
    runs = [stored_run(gold, name) for name in RANKERS]
    write_pool_packs(gold.questions, pools(runs, [q.id for q in gold.questions]), corpus, tmp_path / "packs")
    written = sorted((tmp_path / "packs").iterdir())
    assert [p.stem for p in written] == [q.id for q in gold.questions]
    for path in written:
        assert path.read_bytes() == (GOLD / "packs" / path.name).read_bytes()


def test_both_arms_of_the_chunking_comparison_rank_every_section(gold, corpus):
    rankers, vectors = Rankers.load(corpus), question_vectors(corpus)
    for arm, ranked in rankers.rank_sections(vectors[gold.questions[0].id], corpus.section_of).items():
        assert arm in ("sections", "chunks")
        assert sorted(ranked.ids) == list(corpus.texts)


def test_every_question_has_a_stored_vector(gold, corpus):
    assert list(question_vectors(corpus)) == [q.id for q in gold.questions]


def test_the_packs_can_be_made_again_byte_for_byte(tmp_path, corpus):
    shutil.copytree(GOLD, tmp_path / "gold", ignore=shutil.ignore_patterns("packs"))
    write_packs(GoldSet(tmp_path / "gold"), corpus)
    stored = {p.name: p.read_bytes() for p in (GOLD / "packs").iterdir()}
    assert {p.name: p.read_bytes() for p in (tmp_path / "gold" / "packs").iterdir()} == stored
    assert len(stored) == 40 + 19

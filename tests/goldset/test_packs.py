import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.goldset.packs import passages_in, pool_pack, section_pack
from evalcore.goldset.samples import SAMPLE_QUERIES
from evalcore.goldset.schema import GOLD, GoldSet
from evalcore.retrieval.corpus import Corpus

PASSAGES = {"s01-c01": "First passage.", "s01-c02": "Second passage.", "s02-c01": "Of another section."}


def test_a_pool_pack_is_a_question_and_its_passages():
    assert pool_pack("q01", "what is a mean", PASSAGES, ["s02-c01", "s01-c01"]) == (
        "# q01\n\nwhat is a mean\n\n# Passages\n\n## s01-c01\n\nFirst passage.\n\n## s02-c01\n\nOf another section.\n"
    )


@given(st.permutations(list(PASSAGES)))
def test_the_order_in_which_rankers_returned_passages_leaves_no_trace(ids):
    pack = pool_pack("q01", "what is a mean", PASSAGES, ids)
    assert pack == pool_pack("q01", "what is a mean", PASSAGES, sorted(ids))
    assert passages_in(pack) == sorted(ids)


def test_a_section_pack_is_every_drafted_question_and_the_passages_of_one_section():
    assert section_pack("s01", [("d01", "one?"), ("d02", "two?")], PASSAGES) == (
        "# Questions\n\n- d01: one?\n- d02: two?\n\n# Passages of section s01\n"
        "\n## s01-c01\n\nFirst passage.\n\n## s01-c02\n\nSecond passage.\n"
    )


def test_headings_inside_a_passage_are_no_passages():
    pack = pool_pack("q01", "text", {"s01-c01": "# Title\n\n## Next\n\ntext with ## s09-c09 inside"}, ["s01-c01"])
    assert passages_in(pack) == ["s01-c01"]


@pytest.mark.parametrize("path", sorted((GOLD / "packs").glob("*.md")), ids=lambda p: p.stem)
def test_no_stored_pack_names_a_ranker_a_rank_a_score_or_a_grade(path):
    corpus = Corpus.load()
    frame = path.read_text(encoding="utf-8")
    for passage in passages_in(frame):
        frame = frame.replace(corpus.chunk_text[passage], "", 1)
    for question in [*(q.text for q in GoldSet().questions), *(d.text for d in GoldSet().drafts)]:
        frame = frame.replace(question, "")
    assert not re.search(r"bm25|dense|hybrid|rank|score|grade|relevan|\d\.\d", frame, re.IGNORECASE)
    assert re.fullmatch(r"(?:# (?:q\d\d|Questions|Passages(?: of section s\d\d)?)|## s\d\d-c\d\d|- d\d\d: |\s)*", frame)


def test_there_are_ten_sample_queries_all_different():
    assert len(set(SAMPLE_QUERIES)) == len(SAMPLE_QUERIES) == 10

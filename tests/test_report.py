import hashlib
import json
import shutil
from math import nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.goldset.build import Rankers, stored_run
from evalcore.goldset.schema import GOLD, RANKERS, GoldSet
from evalcore.report import build_report, changed_files, check_live, check_runs, core, differences, same_order
from evalcore.retrieval.corpus import CORPUS, Corpus
from evalcore.retrieval.encoder import Encoder, EncoderUnavailable
from evalcore.retrieval.ranked import Ranked
from evalcore.textbook import Textbook


@pytest.fixture(scope="module")
def textbook():
    return Textbook(GoldSet())


@pytest.fixture(scope="module")
def corpus():
    return Corpus.load()


class Remembering:
    """The real encoder, which encodes each text once."""

    def __init__(self):
        self.encoder = Encoder.load(CORPUS / "model" / "vocab.txt")
        self.known = {}

    def encode(self, text):
        if text not in self.known:
            self.known[text] = self.encoder.encode(text)
        return self.known[text]


@pytest.fixture(scope="module")
def encoder():
    return Remembering()


@pytest.fixture
def live(monkeypatch, encoder):
    monkeypatch.setattr(Encoder, "load", lambda vocabulary: encoder)


@pytest.fixture(scope="module")
def published():
    return json.loads((GOLD / "report.json").read_text(encoding="utf-8"))


def copied(tmp_path):
    """A copy of gold set and corpus that a test may change."""
    for folder in (GOLD, CORPUS):
        shutil.copytree(folder, tmp_path / folder.name)
    return tmp_path / GOLD.name, tmp_path / CORPUS.name


def test_the_published_report_is_what_its_files_give(textbook, corpus, published):
    assert list(differences(published, json.loads(json.dumps(build_report(textbook, corpus))))) == []


def test_the_report_says_what_it_is_and_that_no_person_has_reviewed_it(published):
    assert published["label"] == "Measured, retrieval-only"
    assert published["provisional"] is published["study"]["provisional"] is True
    assert published["study"]["plan_sha256"] == published["files"]["gold/plan.toml"]


def test_every_file_behind_the_report_is_named_with_its_hash(published):
    root = GOLD.parent
    assert {name: hashlib.sha256((root / name).read_bytes()).hexdigest() for name in published["files"]} == (
        published["files"]
    )
    made = {p.relative_to(root).as_posix() for p in GOLD.rglob("*") if p.is_file() and p.parent.name != "packs"}
    # the lesson's toy run and what the generation harness asks about are studies of their own, of which the report
    # holds nothing
    others = {name for name in made if name.startswith(("gold/toy/", "gold/generation/"))}
    assert made - others - {"gold/report.json"} == {name for name in published["files"] if name.startswith("gold/")}
    assert {"corpus/manifest.json", "corpus/chunks.json", "corpus/vectors/index.json"} <= set(published["files"])


def test_the_report_is_the_same_without_the_toy_run(tmp_path, published):
    gold, corpus = copied(tmp_path)
    shutil.rmtree(gold / "toy")
    textbook, corpus = Textbook(GoldSet(gold)), Corpus.load(corpus)
    assert changed_files(textbook, corpus) == []
    assert list(differences(published, json.loads(json.dumps(build_report(textbook, corpus))))) == []


def test_the_counts_are_those_of_the_files(published):
    def lines(name):
        return [json.loads(line) for line in (GOLD / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]

    counts = published["gold_set"]
    authoring = json.loads((GOLD / "authoring.json").read_text(encoding="utf-8"))
    why = [s["why"] for s in authoring["set_aside"]]
    grades = [line.split()[3] for line in (GOLD / "qrels.trec").read_text().splitlines()]
    assert counts["questions"] == len(lines("questions")) == 40
    assert counts["drafted_questions"] == len(lines("drafts")) == 40 + len(why)
    assert counts["set_aside_unanswered"] == why.count("no single section answers it")
    assert counts["spares_not_needed"] == why.count("spare, not needed")
    assert counts["spans"] == len(lines("evidence"))
    assert counts["spans_added_by_pool_judges"] == sum(e["found_by"] == "pool judge" for e in lines("evidence"))
    assert counts["pooled_judgements"] == len(lines("judgements"))
    assert counts["answer_bearing_passages"] == grades.count("2")
    assert counts["related_passages"] == grades.count("1")
    assert counts["passages"] == len(json.loads((CORPUS / "chunks.json").read_text()))
    texts = [p.read_text(encoding="utf-8") for p in (CORPUS / "sections").glob("s*.md")]
    assert (counts["sections"], counts["words"]) == (len(texts), sum(len(t.split()) for t in texts))
    assert sum(counts["by_chapter"].values()) == sum(counts["by_type"].values()) == 40
    assert list(counts["by_chapter"].values()) == [12, 17, 11]
    assert min(counts["by_type"].values()) >= 3


def test_every_number_of_the_report_stands_with_its_label_and_a_missing_interval_with_its_reason(published):
    groups = ("beside", "judged_at_10", "recall_ceiling", "by_type")
    reasoned = [row for name in groups for row in published[name]]
    reasoned += [row["beside"] for row in published["by_type"]]
    for row in reasoned:
        assert (row["low"] is None) is (row["high"] is None) is bool(row["reason"])
    for row in [*reasoned, *published["measures"], *published["chunking"]["measures"]]:
        assert row["basis"] == "Measured, retrieval-only"
        assert row["method"]
        assert row["n"] > 0


def test_only_the_declared_pairs_have_a_verdict(published):
    family = {(p["first"], p["second"]) for p in published["pairs"] if p["in_family"]}
    assert family == {("bm25", "dense"), ("bm25", "hybrid"), ("dense", "hybrid")}
    assert published["family"]["k"] == 3
    for pair in [*published["pairs"], *published["chunking"]["pairs"]]:
        assert (pair["verdict"] is not None) is (pair["in_family"] and pair["measure"] == "nDCG@10")
    assert not any(p["in_family"] for p in published["chunking"]["pairs"])


def test_the_breakdown_by_type_covers_every_question_once(published):
    for name in RANKERS:
        assert sum(row["n"] for row in published["by_type"] if row["run"] == name) == 40
    types = {row["type"]: row["n"] for row in published["by_type"]}
    assert types == published["gold_set"]["by_type"]


def test_the_chunking_comparison_is_newcombes_with_mcnemars_test(published):
    assert [p["measure"] for p in published["chunking"]["pairs"]] == ["Success@1", "Success@3"]
    for pair in published["chunking"]["pairs"]:
        assert (pair["first"], pair["second"]) == ("sections", "chunks")
        assert (pair["method"], pair["p_method"]) == ("Newcombe paired score, method 10", "McNemar exact")


def test_leader_and_those_not_separated_from_it_follow_from_the_pairs(published):
    means = {r["run"]: r["value"] for r in published["measures"] if r["measure"] == "nDCG@10"}
    leader = max(means, key=means.get)
    separated = {
        name
        for p in published["pairs"]
        if p["verdict"] == "measured gain, still retrieval-only" and leader in (p["first"], p["second"])
        for name in (p["first"], p["second"])
    }
    assert published["leader"] == leader
    assert published["not_separated_from_leader"] == [n for n in RANKERS if n == leader or n not in separated]


def test_the_core_of_the_report_depends_on_no_earlier_call(textbook):
    assert core(Textbook(GoldSet())) == core(textbook) == core(textbook)


def test_a_file_that_is_not_the_published_one_is_named(tmp_path):
    gold, folder = copied(tmp_path)
    assert changed_files(Textbook(GoldSet(gold)), Corpus.load(folder)) == []
    (gold / "qrels.trec").write_text((gold / "qrels.trec").read_text() + "q01 0 extra 0\n")
    (gold / "runs" / "dense.trec").unlink()
    assert changed_files(Textbook(GoldSet(gold)), Corpus.load(folder)) == ["gold/qrels.trec", "gold/runs/dense.trec"]


def test_a_changed_digit_is_found_wherever_it_stands(published):
    def numbers(node, path=()):
        if isinstance(node, dict | list):
            for key, child in node.items() if isinstance(node, dict) else enumerate(node):
                yield from numbers(child, (*path, key))
        elif isinstance(node, int | float) and not isinstance(node, bool):
            yield path

    paths = list(numbers(published))
    assert len(paths) > 500
    fresh = json.loads(json.dumps(published))
    for *way, last in paths:
        node = fresh
        for key in way:
            node = node[key]
        kept = node[last]
        node[last] = kept + 1e-8
        (found,) = differences(published, fresh)
        assert found.endswith(f"is {kept!r}, freshly computed {kept + 1e-8!r}")
        node[last] = kept


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        ({"a": 1.0}, {"a": 1.0 + 5e-10}, []),
        ({"a": 1}, {"a": 1.0}, []),
        ({"a": 1.0}, {"a": 1.0 + 2e-9}, ["report.a is 1.0, freshly computed 1.000000002"]),
        ({"a": None}, {"a": 0.0}, ["report.a is None, freshly computed 0.0"]),
        ({"a": True}, {"a": 1}, ["report.a is True, freshly computed 1"]),
        ({"a": nan}, {"a": 0.5}, ["report.a is nan, freshly computed 0.5"]),
        ({"a": "x"}, {"a": "y"}, ["report.a is 'x', freshly computed 'y'"]),
        ({"a": 1, "b": 2}, {"a": 1}, ["report.b is only in the published report"]),
        ({"a": 1}, {"a": 1, "b": 2}, ["report.b is only in the fresh report"]),
        ({"a": [1, 2]}, {"a": [1]}, ["report.a has 2 entries, freshly computed 1"]),
        ({"a": [{"b": 1}]}, {"a": [{"b": 2}]}, ["report.a[0].b is 1, freshly computed 2"]),
        ({"a": [1]}, {"a": {"0": 1}}, ["report.a is [1], freshly computed {'0': 1}"]),
    ],
)
def test_a_difference_is_named_with_its_place_and_both_values(one, two, expected):
    assert list(differences(one, two)) == expected


trees = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats(-9, 9) | st.text(max_size=2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
)


@given(trees, trees)
def test_nothing_differs_from_itself_and_a_difference_is_seen_from_both_sides(one, two):
    assert list(differences(one, one)) == []
    assert bool(list(differences(one, two))) is bool(list(differences(two, one)))


def test_the_live_rankers_give_the_order_of_the_stored_runs_on_every_question(textbook, corpus, encoder):
    rankers = Rankers.load(corpus)
    stored = {name: stored_run(textbook.gold, name) for name in (*RANKERS, "section-sections", "section-chunks")}
    for question in textbook.gold.questions:
        vector = encoder.encode(question.text)
        fresh = rankers.rank(question.text, vector)
        fresh |= {f"section-{arm}": r for arm, r in rankers.rank_sections(vector, corpus.section_of).items()}
        assert set(fresh) == set(stored)
        for name, ranked in fresh.items():
            assert same_order(stored[name][question.id], ranked), (name, question.id)


def test_the_stored_runs_are_what_the_rankers_make_of_the_stored_vectors(textbook, corpus):
    assert check_runs(textbook, corpus) == []


def test_the_stored_vectors_are_what_the_model_makes(textbook, corpus, live):
    found = check_live(textbook, corpus)
    assert (found.faults, found.not_assessed) == ((), None)


def test_a_stored_vector_of_another_text_is_found(tmp_path, live):
    gold, folder = copied(tmp_path)
    path = folder / "vectors" / "chunks.npy"
    vectors = np.load(path)
    vectors[[0, 100]] = vectors[[100, 0]]
    np.save(path, vectors)
    index = json.loads((folder / "vectors" / "index.json").read_text())
    index["sets"]["chunks"]["sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()
    (folder / "vectors" / "index.json").write_text(json.dumps(index))
    changed, ids = Corpus.load(folder), index["sets"]["chunks"]["ids"]
    faults = check_live(Textbook(GoldSet(gold)), changed).faults
    assert [f.split()[4] for f in faults if "has cosine" in f] == [ids[0], ids[100]]
    assert "runs/dense.trec orders q01 otherwise than the rankers do" in check_runs(Textbook(GoldSet(gold)), changed)


def test_without_the_model_the_vectors_are_not_assessed_and_the_reason_is_given(textbook, corpus, monkeypatch):
    def missing(vocabulary):
        raise EncoderUnavailable("the model is not installed")

    monkeypatch.setattr(Encoder, "load", missing)
    found = check_live(textbook, corpus)
    assert (found.faults, found.not_assessed) == ((), "the model is not installed")


def test_a_run_that_lost_a_question_is_found(tmp_path, corpus):
    gold, _ = copied(tmp_path)
    path = gold / "runs" / "hybrid.trec"
    path.write_text("".join(line for line in path.read_text().splitlines(True) if not line.startswith("q12 ")))
    assert check_runs(Textbook(GoldSet(gold)), corpus) == ["runs/hybrid.trec orders q12 otherwise than the rankers do"]


@pytest.mark.parametrize(
    ("one", "two", "same"),
    [
        ("abc", {"a": 3.0, "b": 2.0, "c": 1.0}, True),
        ("bac", {"a": 3.0, "b": 2.0, "c": 1.0}, False),
        ("bac", {"a": 3.0, "b": 3.0 - 5e-7, "c": 1.0}, True),
        ("bac", {"a": 3.0, "b": 3.0 - 2e-6, "c": 1.0}, False),
        ("ab", {"a": 3.0, "b": 2.0, "c": 1.0}, False),
        ("abd", {"a": 3.0, "b": 2.0, "c": 1.0}, False),
        ("", {}, True),
    ],
)
def test_orders_agree_but_for_neighbours_whose_scores_differ_by_less_than_a_millionth(one, two, same):
    ranked = Ranked(tuple(two), tuple(two.values()))
    assert same_order(Ranked(tuple(one), tuple(float(-i) for i in range(len(one)))), ranked) is same

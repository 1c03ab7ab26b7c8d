import hashlib
import json

import pytest

from evalcore.evidence import Result
from evalcore.files import read_qrels, write_qrels
from evalcore.goldset import checks as module
from evalcore.goldset.build import chunk_grades, chunks_holding, section_grades
from evalcore.goldset.checks import check_all
from evalcore.goldset.schema import GOLD, GoldSet, read_lines, write_lines
from evalcore.history import History, NoHistoryError
from tests.goldset.rules import (
    DRAFTS,
    HISTORY,
    JUDGEMENTS,
    PACKS,
    PLAN,
    POOLED,
    QRELS,
    QUOTAS,
    READINGS,
    SAMPLES,
    SECTION_POOL,
    SPANNED,
    SPANS,
    amend,
    broken,
    outcomes,
)


def rewrite(folder, name, change):
    """Passes the records of a file, as dictionaries, through ``change`` and writes what comes back."""
    path = folder / name
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    changed = "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in change(records))
    path.write_text(changed, encoding="utf-8")


def follow(folder, corpus):
    """Makes the qrels follow again from the other files, so that only the other rule is broken."""
    gold = GoldSet(folder)
    for name, grades in (("qrels", chunk_grades(gold, corpus)), ("section_qrels", section_grades(gold, corpus))):
        (folder / f"{name}.trec").write_text(write_qrels(grades), encoding="utf-8")


def replaced(records, place, **changes):
    return [{**r, **changes} if i == place else r for i, r in enumerate(records)]


def test_the_gold_set_keeps_every_rule_that_it_sets_itself(corpus):
    found = outcomes(GOLD, corpus)
    assert {place: o for place, o in found.items() if o is not Result.PASS and place not in HISTORY} == {}
    try:
        History.of(GOLD)
    except NoHistoryError:
        assert {found[place] for place in HISTORY} == {Result.NOT_ASSESSED}
    else:
        assert {found[place] for place in HISTORY} == {Result.PASS}


def test_a_copy_outside_a_repository_keeps_them_too_and_its_history_is_not_assessed(gold, corpus):
    checks = check_all(GoldSet(gold), corpus)
    for place, check in enumerate(checks):
        assert check.result is (Result.NOT_ASSESSED if place in HISTORY else Result.PASS)
    assert "there is no git history here" in checks[PLAN].details[0]


def test_a_chapter_with_another_number_of_questions_is_found(gold, corpus):
    amend(gold, "plan.toml", lambda t: t.replace('"sampling and data" = 12', '"sampling and data" = 13'))
    assert broken(gold, corpus) == {QUOTAS: "sampling and data: 12 questions, declared 13"}


def test_a_type_below_its_minimum_is_found(gold, corpus):
    amend(gold, "plan.toml", lambda t: t.replace("at_least_of_each_type = 3", "at_least_of_each_type = 8"))
    found = broken(gold, corpus)
    assert set(found) == {QUOTAS}
    assert "definition: 7 questions, at least 8 declared" in found[QUOTAS]


def test_a_question_that_is_not_its_draft_is_found(gold, corpus):
    rewrite(gold, "questions.jsonl", lambda r: replaced(r, 0, type="conceptual"))
    assert broken(gold, corpus) == {DRAFTS: "q01 is not the draft d01"}


def test_a_draft_that_is_not_accounted_for_is_found(gold, corpus):
    authoring = json.loads((gold / "authoring.json").read_text(encoding="utf-8"))
    lost = authoring["set_aside"].pop()["draft"]
    (gold / "authoring.json").write_text(json.dumps(authoring), encoding="utf-8")
    assert broken(gold, corpus) == {DRAFTS: f"{lost} is used 0 times"}


def test_a_draft_that_is_both_used_and_set_aside_is_found(gold, corpus):
    authoring = json.loads((gold / "authoring.json").read_text(encoding="utf-8"))
    authoring["set_aside"].append({"draft": "d01", "why": "spare, not needed"})
    (gold / "authoring.json").write_text(json.dumps(authoring), encoding="utf-8")
    assert set(broken(gold, corpus)) == {DRAFTS}


def test_a_sample_query_among_the_questions_is_found_in_any_dress(gold, corpus, monkeypatch):
    text = GoldSet(gold).questions[1].text
    monkeypatch.setattr(module, "SAMPLE_QUERIES", (f"  {text.upper()}? ",))
    assert broken(gold, corpus) == {SAMPLES: "q02 is a sample query"}


def test_a_quotation_that_the_section_does_not_say_is_found(gold, corpus):
    rewrite(gold, "evidence.jsonl", lambda r: replaced(r, 3, quote=r[3]["quote"].replace("e", "é", 1)))
    found = broken(gold, corpus)
    assert set(found) == {SPANS}
    assert "does not say at" in found[SPANS]


def test_a_span_across_two_passages_is_found(gold, corpus):
    def add(records):
        span = records[0]
        first = next(c for c in corpus.chunks if c.section == span["section"])
        place = {"start": first.end - 9, "end": first.end + 9}
        return [*records, {**span, **place, "quote": corpus.texts[first.section][first.end - 9 : first.end + 9]}]

    rewrite(gold, "evidence.jsonl", add)
    found = broken(gold, corpus)
    assert set(found) == {SPANS}
    assert "no passage holds the whole span" in found[SPANS]


def test_a_question_without_a_span_is_found(gold, corpus):
    rewrite(gold, "evidence.jsonl", lambda r: [e for e in r if e["question"] != "q05"])
    rewrite(gold, "judgements.jsonl", lambda r: [{**j, "grade": 0} if j["question"] == "q05" else j for j in r])
    follow(gold, corpus)
    assert broken(gold, corpus) == {SPANNED: "q05 has no span"}


def test_a_section_that_was_not_read_for_a_question_is_found(gold, corpus):
    first = GoldSet(gold).questions[0]
    ranked = {
        row.split()[2]
        for arm in ("sections", "chunks")
        for row in (gold / "runs" / f"section-{arm}.trec").read_text().splitlines()
        if row.startswith(f"{first.id} ") and int(row.split()[3]) <= 3
    }
    needed = ranked | {e.section for e in GoldSet(gold).evidence_of[first.id]}
    section = next(s for s in corpus.texts if s not in needed)
    unread = {"question": first.draft, "section": section}
    rewrite(gold, "readings.jsonl", lambda records: [r for r in records if not unread.items() <= r.items()])
    follow(gold, corpus)
    assert broken(gold, corpus) == {READINGS: f"{section} was not read for {first.id}"}


def test_a_section_with_a_span_that_was_read_as_not_answering_is_found(gold, corpus):
    spans = [(e.question, e.section) for e in GoldSet(gold).evidence if e.found_by == "section reader"]
    question, section = next(s for s in spans if spans.count(s) == 1)
    draft = next(q.draft for q in GoldSet(gold).questions if q.id == question)
    read = {"question": draft, "section": section}
    rewrite(gold, "readings.jsonl", lambda r: [{**x, "answers": False} if read.items() <= x.items() else x for x in r])
    said = f"{section} has a span for {question} but was read as not answering it"
    assert broken(gold, corpus) == {READINGS: said}


def irrelevant(records):
    return next(i for i, j in enumerate(records) if j["grade"] == 0)


def test_a_pooled_passage_that_was_not_judged_is_found(gold, corpus):
    rewrite(gold, "judgements.jsonl", lambda r: [j for i, j in enumerate(r) if i != irrelevant(r)])
    follow(gold, corpus)
    found = broken(gold, corpus)
    assert set(found) == {POOLED}
    assert "is in the pool and was not judged once" in found[POOLED]


def test_a_passage_judged_twice_is_found(gold, corpus):
    rewrite(gold, "judgements.jsonl", lambda r: [*r, r[0]])
    assert set(broken(gold, corpus)) == {POOLED}


def test_a_passage_outside_the_pool_that_was_judged_is_found(gold, corpus):
    judged = {j.chunk for j in GoldSet(gold).judgements if j.question == "q01"}
    other = next(c.id for c in corpus.chunks if c.id not in judged)
    rewrite(gold, "judgements.jsonl", lambda r: [*r, {**r[0], "chunk": other, "grade": 0}])
    follow(gold, corpus)
    found = broken(gold, corpus)
    assert set(found) == {POOLED, JUDGEMENTS}
    assert found[POOLED] == f"q01: {other} was judged and is not in the pool"
    assert found[JUDGEMENTS] == f"q01: {other} is not in its pack"


@pytest.mark.parametrize("arm", ["sections", "chunks"])
def test_a_section_in_a_top_three_that_nobody_read_is_found(gold, corpus, arm):
    def unknown(text):
        first, rest = text.split("\n", 1)
        return " ".join([*first.split()[:2], "s99", *first.split()[3:]]) + "\n" + rest

    amend(gold, f"runs/section-{arm}.trec", unknown)
    assert broken(gold, corpus) == {SECTION_POOL: f"q01: s99, in the top 3 of {arm}, was not read"}


def test_a_section_below_the_top_three_need_not_be_known(gold, corpus):
    def unknown(text):
        lines = text.split("\n")
        fourth = lines[3].split()
        return "\n".join([*lines[:3], " ".join([*fourth[:2], "s99", *fourth[3:]]), *lines[4:]])

    amend(gold, "runs/section-chunks.trec", unknown)
    assert broken(gold, corpus) == {}


@pytest.mark.parametrize("leak", ["rank 1", "0.83", "found by bm25"])
def test_a_pool_pack_that_tells_more_is_found(gold, corpus, leak):
    amend(gold, "packs/q07.md", lambda t: t.replace("# Passages\n", f"# Passages ({leak})\n", 1))
    digest = hashlib.sha256((gold / "packs" / "q07.md").read_bytes()).hexdigest()
    rewrite(
        gold,
        "judgements.jsonl",
        lambda r: [{**j, "pack_sha256": digest} if j["question"] == "q07" else j for j in r],
    )
    assert broken(gold, corpus) == {PACKS: "packs/q07.md holds more than its question and its passages by id"}


def test_a_pool_pack_in_the_order_of_a_ranking_is_found(gold, corpus):
    def swapped(text):
        head, first, second, *rest = text.split("\n## ")
        return "\n## ".join([head, second, first, *rest])

    amend(gold, "packs/q07.md", swapped)
    assert set(broken(gold, corpus)) == {PACKS, JUDGEMENTS}


def test_a_section_pack_that_tells_more_is_found(gold, corpus):
    amend(gold, "packs/s04.md", lambda t: t + "\nd01 is answered here\n")
    assert set(broken(gold, corpus)) == {PACKS}


def test_a_pack_that_is_not_there_is_found(gold, corpus):
    (gold / "packs" / "s04.md").unlink()
    found = broken(gold, corpus)
    assert set(found) == {PACKS}
    assert "No such file or directory" in found[PACKS]


def test_a_judgement_from_another_pack_is_found(gold, corpus):
    rewrite(gold, "judgements.jsonl", lambda r: replaced(r, 0, pack_sha256="0" * 64))
    found = broken(gold, corpus)
    assert set(found) == {JUDGEMENTS}
    assert "was judged from another pack" in found[JUDGEMENTS]


def test_a_grade_of_two_without_its_span_is_found(gold, corpus):
    gold_set = GoldSet(gold)
    holding = {(s.question, c) for s in gold_set.evidence for c in chunks_holding(s, corpus)}
    place = next(i for i, j in enumerate(gold_set.judgements) if (j.question, j.chunk) not in holding)
    rewrite(gold, "judgements.jsonl", lambda r: replaced(r, place, grade=2))
    follow(gold, corpus)
    found = broken(gold, corpus)
    assert set(found) == {JUDGEMENTS}
    assert "has grade 2 and holds no span" in found[JUDGEMENTS]


@pytest.mark.parametrize("name", ["qrels.trec", "section_qrels.trec"])
def test_qrels_that_do_not_follow_are_found(gold, corpus, name):
    amend(gold, name, lambda t: t.replace(" 0\n", " 2\n", 1))
    found = broken(gold, corpus)
    assert set(found) == {QRELS}
    assert found[QRELS].startswith(f"{name} is not what the files say")


def test_a_line_left_out_of_the_qrels_is_found(gold, corpus):
    amend(gold, "qrels.trec", lambda t: t.split("\n", 1)[1])
    assert set(broken(gold, corpus)) == {QRELS}


def test_a_judgement_of_a_question_that_is_not_there_fails_and_does_not_crash(gold, corpus):
    rewrite(gold, "judgements.jsonl", lambda r: [*r, {**r[0], "question": "q99", "grade": 0}])
    found = broken(gold, corpus)
    assert set(found) == {POOLED, JUDGEMENTS, QRELS}
    assert found[QRELS].startswith("questions.jsonl: do not hold q99, which judgements or spans name")


def test_a_span_of_a_question_that_is_not_there_fails_and_does_not_crash(gold, corpus):
    rewrite(gold, "evidence.jsonl", lambda r: [*r, {**r[0], "question": "q99"}])
    assert set(broken(gold, corpus)) == {READINGS, SECTION_POOL, QRELS}


def test_a_run_with_a_question_that_is_not_there_fails_and_does_not_crash(gold, corpus):
    amend(gold, "runs/section-chunks.trec", lambda t: t + "q99 Q0 s01 1 1 tag\n")
    assert set(broken(gold, corpus)) == {SECTION_POOL}


def test_a_pack_with_a_passage_that_is_not_there_fails_and_does_not_crash(gold, corpus):
    amend(gold, "packs/q07.md", lambda t: t + "\n## s99-c99\n\nnothing\n")
    found = broken(gold, corpus)
    assert set(found) == {PACKS, JUDGEMENTS}
    assert found[PACKS] == "'s99-c99' is named and is not there"


def test_a_file_that_cannot_be_read_fails_every_rule_that_needs_it(gold, corpus):
    amend(gold, "readings.jsonl", lambda t: "{}\n" + t)
    found = broken(gold, corpus)
    assert set(found) == {READINGS, SECTION_POOL, QRELS}
    assert found[READINGS].startswith("readings.jsonl line 1: question: Field required")


def test_breaking_a_copy_leaves_the_real_set_alone(gold, corpus):
    follow(gold, corpus)
    for name in ("qrels.trec", "section_qrels.trec"):
        assert read_qrels(gold / name, name=name).grades == read_qrels(GOLD / name, name=name).grades
        assert (gold / name).read_bytes() == (GOLD / name).read_bytes()
    kinds = GoldSet(GOLD).judgements
    write_lines(gold / "judgements.jsonl", kinds)
    assert read_lines(gold / "judgements.jsonl", type(kinds[0])) == kinds

"""The gold set's files agree with each other, and the grades follow from spans, readings and judgements."""

from collections import Counter
from itertools import chain

import pytest

from tests.independent import data
from tests.independent.ranking import DEPTH, ranked


def stated(name):
    """{(question, document): grade} of a qrels file."""
    return {
        (question, document): grade
        for question, grades in data.qrels(name).items()
        for document, grade in grades.items()
    }


def with_change(grades):
    """A copy in which the first grade is another one."""
    return {**grades, next(iter(grades)): 1 - next(iter(grades.values()))}


def pool(question):
    """What any of the three rankers puts in its first ten."""
    return set(chain.from_iterable(ranked(data.run(name)[question])[:DEPTH] for name in data.RANKERS))


def test_the_passage_grades_follow_from_the_spans_and_the_judgements():
    assert stated("qrels") == data.passage_grades()
    assert with_change(stated("qrels")) != data.passage_grades()


def test_the_section_grades_follow_from_the_spans_and_the_readings():
    assert stated("section_qrels") == data.section_grades()
    assert with_change(stated("section_qrels")) != data.section_grades()


@pytest.mark.parametrize("answers", [True, False])
def test_a_section_was_read_as_answering_where_a_span_of_it_was_recorded_and_only_there(answers):
    spans = {(span["question"], span["section"]) for span in data.rows("evidence")}
    assert all((pair in spans) == answers for pair in data.readings((answers,)))


def test_a_passage_that_its_judge_found_to_answer_holds_a_whole_span():
    assert {pair for pair, grade in data.judged().items() if grade == 2} <= data.span_holders()


def test_every_span_stands_word_for_word_where_it_is_said_to_stand():
    texts = data.section_texts()
    assert all(texts[span["section"]][span["start"] : span["end"]] == span["quote"] for span in data.rows("evidence"))


def test_every_span_lies_whole_in_a_passage():
    assert all(any(data.holds(chunk, span) for chunk in data.chunks()) for span in data.rows("evidence"))


def test_the_judged_passages_are_the_pool_of_the_first_ten_of_each_ranker():
    judged = {question: set() for question in data.question_ids()}
    for question, chunk in data.judged():
        judged[question].add(chunk)
    assert judged == {question: pool(question) for question in data.question_ids()}


def test_no_passage_is_judged_twice_and_no_section_is_read_twice():
    assert len(data.judged()) == len(data.rows("judgements"))
    assert len({(row["question"], row["section"]) for row in data.rows("readings")}) == len(data.rows("readings"))


def test_every_section_was_read_for_every_draft():
    drafts = {row["draft"] for row in data.rows("drafts")}
    read = {(row["question"], row["section"]) for row in data.rows("readings")}
    assert read == {(draft, section) for draft in drafts for section in data.section_texts()}


def answered_drafts(chapter):
    answered = {row["question"] for row in data.rows("readings") if row["answers"]}
    return [row for row in data.rows("drafts") if row["chapter"] == chapter and row["draft"] in answered]


def test_the_questions_are_the_first_of_each_chapter_that_the_text_answers():
    """No later draft was taken in place of an earlier one, since every type reaches its minimum without that."""
    rule = data.plan()["gold_set"]
    first = [row for chapter, needed in rule["questions"].items() for row in answered_drafts(chapter)[:needed]]
    types = Counter(row["type"] for row in first)
    assert all(types[kind] >= rule["at_least_of_each_type"] for kind in rule["types"])
    assert first == [{key: row[key] for key in ("draft", "chapter", "type", "text")} for row in data.rows("questions")]


def test_the_drafts_set_aside_are_recorded_with_the_reason_that_the_readings_give():
    answered = {row["question"] for row in data.rows("readings") if row["answers"]}
    left = [row["draft"] for row in data.rows("drafts") if row["draft"] not in data.question_of_draft()]
    why = {True: "spare, not needed", False: "no single section answers it"}
    recorded = data.as_json("gold/authoring.json")["set_aside"]
    assert recorded == [{"draft": draft, "why": why[draft in answered]} for draft in left]


def test_the_manifest_states_the_words_and_the_hash_of_every_section():
    for section in data.as_json("corpus/manifest.json")["sections"]:
        assert section["words"] == data.words(data.section_texts()[section["id"]])
        assert section["sha256"] == data.sha256(f"corpus/sections/{section['id']}.md")


def test_the_passages_are_whole_and_do_not_overlap():
    for name, text in data.section_texts().items():
        spans = [(chunk["start"], chunk["end"]) for chunk in data.chunks() if chunk["section"] == name]
        assert spans == sorted(spans)
        edges = [0, *chain.from_iterable(spans), len(text)]
        assert all(
            text[end:start].strip() == "" and end <= start for end, start in zip(edges[::2], edges[1::2], strict=True)
        )

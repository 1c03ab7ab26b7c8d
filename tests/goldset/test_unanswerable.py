from collections import Counter

from evalcore.goldset.schema import GOLD, GoldSet
from evalcore.goldset.unanswerable import BookReading, NearDraft, Slice, select, unanswered
from evalcore.retrieval.corpus import Corpus

FIRST, SECOND, THIRD = "sampling and data", "descriptive statistics", "regression and correlation"
TERM, STEP, NUMBER = "undefined term", "one step beyond", "missing number"


def drafted(*drafts):
    return [draft(*values) for values in drafts]


def draft(identifier, chapter, kind="definition", gap=TERM):
    return NearDraft(draft=identifier, chapter=chapter, type=kind, gap=gap, text=f"what is {identifier}")


def said(question, reader, answered):
    return BookReading(
        question=question,
        reader=reader,
        pack=f"{reader}1.md",
        item=f"{reader}1-01",
        answered=answered,
        sections=("s01",),
        quote="a sample",
        note="nothing nearer",
        sections_read=("s01", "s02"),
        read_by="a reader",
        date="2026-11-30",
    )


# ``answered``: draft to the readers who found an answer; ``only``: draft to the readers who read it, where not both
def read(drafts, *, answered=(), only=()):
    answers, readers = dict(answered), dict(only)
    return {
        d.draft: {r: said(d.draft, r, r in answers.get(d.draft, "")) for r in readers.get(d.draft, "ab")}
        for d in drafts
    }


def plan(by_chapter, *, types=(), each_type=0, gaps=(), each_gap=0):
    least = {"at_least_of_each_type": each_type, "at_least_of_each_gap": each_gap}
    return {"questions": {"by_chapter": by_chapter, "types": types, "gaps": gaps, **least}}


def chosen(drafts, readings, rules):
    return [d.draft for d in select(drafts, readings, rules)]


def test_the_first_of_each_chapter_are_taken():
    drafts = drafted(("u1", FIRST), ("u2", FIRST), ("u3", FIRST), ("u4", SECOND), ("u5", SECOND))
    assert chosen(drafts, read(drafts), plan({FIRST: 2, SECOND: 1})) == ["u1", "u2", "u4"]


def test_a_draft_that_either_reader_found_answered_is_left_out():
    drafts = drafted(*((f"u{i}", FIRST) for i in range(1, 6)))
    readings = read(drafts, answered={"u1": "a", "u2": "b", "u3": "ab"})
    assert chosen(drafts, readings, plan({FIRST: 2})) == ["u4", "u5"]


def test_a_draft_that_one_reader_or_none_read_is_left_out():
    drafts = drafted(*((f"u{i}", FIRST) for i in range(1, 6)))
    readings = read(drafts, only={"u1": "a", "u2": "b"})
    del readings["u3"]
    assert chosen(drafts, readings, plan({FIRST: 2})) == ["u4", "u5"]


def test_unanswered_needs_two_readers_and_no_answer():
    no, yes = said("u1", "a", False), said("u1", "b", True)
    assert unanswered({"a": no, "b": said("u1", "b", False)})
    assert not unanswered({"a": no, "b": yes})
    assert not unanswered({"a": no})
    assert not unanswered({})


def test_a_chapter_without_enough_gives_what_it_has():
    drafts = drafted(("u1", FIRST), ("u2", SECOND), ("u3", SECOND))
    assert chosen(drafts, read(drafts), plan({FIRST: 2, SECOND: 1, THIRD: 1})) == ["u1", "u2"]


def test_the_result_is_in_drafting_order_whatever_the_order_of_chapters():
    drafts = drafted(("u1", SECOND), ("u2", FIRST), ("u3", SECOND), ("u4", FIRST))
    assert chosen(drafts, read(drafts), plan({FIRST: 2, SECOND: 2})) == ["u1", "u2", "u3", "u4"]


def test_where_every_minimum_is_met_nothing_is_swapped():
    drafts = drafted(("u1", FIRST), ("u2", FIRST, "numeric", NUMBER), ("u3", FIRST, "numeric", NUMBER))
    rules = plan({FIRST: 2}, types=["definition", "numeric"], each_type=1, gaps=[TERM, NUMBER], each_gap=1)
    assert chosen(drafts, read(drafts), rules) == ["u1", "u2"]


def test_the_last_chosen_makes_room_for_the_first_that_fills_a_missing_type():
    drafts = drafted(("u1", FIRST), ("u2", FIRST), ("u3", FIRST, "numeric", TERM), ("u4", FIRST, "numeric", TERM))
    rules = plan({FIRST: 2}, types=["definition", "numeric"], each_type=1)
    assert chosen(drafts, read(drafts), rules) == ["u1", "u3"]


def test_a_missing_gap_is_filled_as_a_missing_type_is():
    drafts = drafted(("u1", FIRST), ("u2", FIRST), ("u3", FIRST, "definition", STEP))
    assert chosen(drafts, read(drafts), plan({FIRST: 2}, gaps=[TERM, STEP], each_gap=1)) == ["u1", "u3"]


def test_a_swap_stays_in_its_chapter():
    drafts = drafted(("u1", FIRST), ("u2", FIRST), ("u3", FIRST, "numeric", TERM), ("u4", SECOND), ("u5", SECOND))
    rules = plan({FIRST: 2, SECOND: 1}, types=["definition", "numeric"], each_type=1)
    # u4 was chosen last, but the numeric draft is of the first chapter
    assert chosen(drafts, read(drafts), rules) == ["u1", "u3", "u4"]


def test_a_question_that_another_minimum_needs_is_not_spared():
    drafts = drafted(("u1", FIRST), ("u2", FIRST), ("u3", FIRST, "definition", STEP), ("u4", FIRST, "numeric"))
    rules = plan({FIRST: 3}, types=["definition", "numeric"], each_type=1, gaps=[TERM, STEP], each_gap=1)
    # u3 is the last but the only one of its gap, so u2 makes room
    assert chosen(drafts, read(drafts), rules) == ["u1", "u3", "u4"]


def test_a_question_that_a_minimum_of_the_same_field_needs_is_not_spared():
    drafts = drafted(("u1", FIRST, "procedure"), ("u2", FIRST), ("u3", FIRST, "numeric"))
    rules = plan({FIRST: 2}, types=["definition", "numeric"], each_type=1)
    # u2 was chosen last, but it is the only definition
    assert chosen(drafts, read(drafts), rules) == ["u2", "u3"]


def test_what_the_incoming_question_brings_counts_for_the_minimum_of_the_one_that_leaves():
    drafts = drafted(("u1", FIRST), ("u2", FIRST, "definition", STEP), ("u3", FIRST, "numeric"))
    rules = plan({FIRST: 2}, types=["definition", "numeric"], each_type=1, gaps=[TERM, STEP], each_gap=1)
    # u1 is the only one with an undefined term, and u3 brings another
    assert chosen(drafts, read(drafts), rules) == ["u2", "u3"]


def test_where_every_swap_would_cost_another_minimum_none_is_made():
    drafts = drafted(("u1", FIRST), ("u2", FIRST, "numeric"), ("u3", FIRST, "procedure"))
    rules = plan({FIRST: 2}, types=["definition", "numeric", "procedure"], each_type=1)
    assert chosen(drafts, read(drafts), rules) == ["u1", "u2"]


def test_as_many_are_swapped_as_the_minimum_needs():
    drafts = drafted(*((f"u{i}", FIRST) for i in (1, 2, 3)), *((f"u{i}", FIRST, "numeric") for i in (4, 5, 6)))
    rules = plan({FIRST: 3}, types=["definition", "numeric"], each_type=1)
    assert chosen(drafts, read(drafts), rules) == ["u1", "u2", "u4"]
    rules = plan({FIRST: 3}, types=["numeric"], each_type=2)
    assert chosen(drafts, read(drafts), rules) == ["u1", "u4", "u5"]


def test_an_answered_draft_fills_no_minimum_and_a_minimum_out_of_reach_changes_nothing():
    drafts = drafted(("u1", FIRST), ("u2", FIRST), ("u3", FIRST, "numeric", TERM))
    rules = plan({FIRST: 2}, types=["numeric"], each_type=1)
    assert chosen(drafts, read(drafts, answered={"u3": "b"}), rules) == ["u1", "u2"]


def test_the_slice_reads_the_real_files():
    near = Slice()
    assert (len(near.questions), len(near.drafts), len(near.off_topic)) == (24, 72, 10)
    assert [q.id for q in near.questions] == [f"n{i:02d}" for i in range(1, 25)]
    assert near.plan["questions"]["count"] == 24
    assert near.folder == GOLD / "unanswerable"


def test_the_real_questions_are_as_many_of_each_chapter_as_declared_and_are_their_drafts():
    near = Slice()
    assert Counter(q.chapter for q in near.questions) == {FIRST: 7, SECOND: 10, THIRD: 7}
    drafts = {d.draft: d for d in near.drafts}
    for q in near.questions:
        d = drafts[q.draft]
        assert (q.chapter, q.type, q.gap, q.text) == (d.chapter, d.type, d.gap, d.text)


def test_both_readers_agree_on_every_one_of_the_72_drafts():
    near = Slice()
    agreed = Counter(tuple(near.of_question[d.draft][reader].answered for reader in ("a", "b")) for d in near.drafts)
    assert agreed == {(False, False): 71, (True, True): 1}


def test_the_controls_are_answerable_questions_and_each_reader_was_given_as_many_items():
    near = Slice()
    controls = {q.id for q in GoldSet().questions} & set(near.of_question)
    assert set(near.of_question) == {d.draft for d in near.drafts} | controls
    assert Counter(r.reader for r in near.readings) == {"a": 72 + len(controls), "b": 72 + len(controls)}
    assert set(near.items) == {r.item for r in near.readings}
    assert {near.items[r.item] == r.question for r in near.readings} == {True}


def test_every_reading_names_who_read_and_all_nineteen_sections():
    near = Slice()
    assert {r.read_by for r in near.readings} == {"a language model given the whole book and one pack"}
    assert {r.sections_read for r in near.readings} == {tuple(Corpus.load().texts)}
    assert {len(q.sections_read) for q in near.questions} == {19}

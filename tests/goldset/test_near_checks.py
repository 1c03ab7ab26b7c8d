import json

import pytest

from evalcore.evidence import Result
from evalcore.goldset.checks import check_all
from evalcore.goldset.near_checks import (
    check_near,
    chosen_by_rule,
    controls_found,
    near_the_text,
    packs_as_given,
    read_twice,
    scores_follow,
)
from evalcore.goldset.schema import GoldSet
from evalcore.goldset.unanswerable import Slice
from tests.goldset.rules import amend

ON_FILES = (packs_as_given, read_twice, controls_found, chosen_by_rule, near_the_text, scores_follow)


def red(folder, corpus, *checks):
    """The checks that fail, each with its faults: of those that read files, unless others are named."""
    found = {check.__name__: list(check(GoldSet(folder), corpus)) for check in checks or ON_FILES}
    return {name: faults for name, faults in found.items() if faults}


def rewrite(folder, name, changed):
    """Replaces each record of a file by what ``changed`` makes of it."""

    def lines(text):
        records = [changed(json.loads(line)) for line in text.splitlines()]
        return "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records)

    amend(folder, f"unanswerable/{name}", lines)


def where(record, wanted, **changes):
    """The record, with changes if it holds what is wanted."""
    return {**record, **changes} if wanted.items() <= record.items() else record


def reading(folder, question, reader, **changes):
    wanted = {"question": question, "reader": reader}
    rewrite(folder, "readings.jsonl", lambda r: where(r, wanted, **changes))


def item_of(folder, question, reader):
    """The item that a question is in a reader's packs."""
    (item,) = (i for i, q in Slice(folder / "unanswerable").items.items() if (q, i[0]) == (question, reader))
    return item


def cell(folder, question, column, change, name="scores.csv"):
    """Passes one cell of a score file through ``change``."""

    def changed(text):
        rows = [line.split(",") for line in text.splitlines()]
        place = rows[0].index(column)
        for row in rows:
            if row[0] == question:
                row[place] = change(row[place])
        return "".join(",".join(row) + "\n" for row in rows)

    amend(folder, name, changed)


@pytest.mark.parametrize("check", ON_FILES, ids=lambda check: check.__name__)
def test_the_real_gold_set_passes_every_check_that_reads_files(corpus, check):
    assert list(check(GoldSet(), corpus)) == []


@pytest.mark.parametrize("reader", ["a", "b"])
def test_a_chosen_question_that_a_reader_found_answered_is_found(gold, corpus, reader):
    reading(gold, "u01", reader, answered=True)
    assert red(gold, corpus) == {
        "read_twice": ["n01 was not read twice as unanswered"],
        "chosen_by_rule": ["questions.jsonl is not what the rule chooses from the drafts"],
    }


def test_a_chosen_question_that_one_reader_did_not_read_is_found(gold, corpus):
    amend(
        gold,
        "unanswerable/readings.jsonl",
        lambda t: "".join(
            line
            for line in t.splitlines(keepends=True)
            if not {"question": "u01", "reader": "b"}.items() <= json.loads(line).items()
        ),
    )
    item = item_of(gold, "u01", "b")
    assert red(gold, corpus)["read_twice"] == [f"u01: {item} was read 0 times", "n01 was not read twice as unanswered"]


def test_a_quotation_that_stands_nowhere_is_found(gold, corpus):
    reading(gold, "u22", "a", quote="No histogram was ever drawn.")
    assert red(gold, corpus) == {"read_twice": ["u22: s07 does not say 'No histogram was ever drawn.'"]}


def test_a_quotation_from_another_section_than_those_named_is_found(gold, corpus):
    nowhere = next(s for s in corpus.texts if "Class width shapes what a histogram seems" not in corpus.texts[s])
    reading(gold, "u22", "a", sections=[nowhere])
    assert (
        f"u22: {nowhere} does not say 'Class width shapes what a histogram seems to say.'"
        in (red(gold, corpus)["read_twice"])
    )


def test_a_section_that_a_reader_did_not_read_is_found(gold, corpus):
    reading(gold, "u72", "b", sections_read=[s for s in corpus.texts if s != "s04"])
    assert red(gold, corpus) == {"read_twice": ["u72: reader b did not read every section"]}


def test_a_reading_of_another_item_is_found(gold, corpus):
    reading(gold, "u22", "a", item="a1-02")
    assert red(gold, corpus) == {
        "read_twice": [
            "u22: a1-01 was read 0 times",
            "u49: a1-02 was read 2 times",
            "u22: a1-02 is another question",
        ]
    }


def test_a_second_reading_that_contradicts_the_first_is_found(gold, corpus):
    item = item_of(gold, "u01", "a")

    def contradicted(text):
        first = next(r for r in map(json.loads, text.splitlines()) if r["item"] == item)
        return json.dumps({**first, "answered": True}, ensure_ascii=False) + "\n" + text

    # the later line is the one that holds, and it says what the slice says
    amend(gold, "unanswerable/readings.jsonl", contradicted)
    assert red(gold, corpus) == {"read_twice": [f"u01: {item} was read 2 times"]}


def test_readings_of_one_reader_copied_for_the_other_are_found(gold, corpus):
    def copied(text):
        kept = [r for r in map(json.loads, text.splitlines()) if r["reader"] == "a"]
        both = [*kept, *({**r, "reader": "b"} for r in kept)]
        return "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in both)

    amend(gold, "unanswerable/readings.jsonl", copied)
    items = Slice(gold / "unanswerable").items
    ((name, faults),) = red(gold, corpus, read_twice, controls_found, chosen_by_rule).items()
    assert name == "read_twice"
    a, b = ({i: q for i, q in items.items() if i[0] == reader} for reader in "ab")
    told = [f"{q}: {i} was read 2 times" for i, q in a.items()] + [f"{q}: {i} was read 0 times" for i, q in b.items()]
    told += [f"{q}: {i} is not of {i[:2]}.md and reader b" for i, q in a.items()]
    assert set(told) <= set(faults)
    assert {f.partition(" ")[2] for f in set(faults) - set(told)} <= {"names other sections than its readings"}


@pytest.mark.parametrize("changes", [{"pack": "a2.md"}, {"pack": "b1.md"}])
def test_a_reading_that_names_another_pack_than_its_items_is_found(gold, corpus, changes):
    reading(gold, "u22", "a", **changes)
    assert red(gold, corpus, read_twice) == {
        "read_twice": [f"u22: a1-01 is not of {changes['pack']} and reader a"],
    }


def test_no_readings_at_all_are_found_for_every_item(gold, corpus):
    amend(gold, "unanswerable/readings.jsonl", lambda _: "")
    items = Slice(gold / "unanswerable").items
    faults = red(gold, corpus, read_twice)["read_twice"]
    assert faults[: len(items)] == [f"{q}: {item} was read 0 times" for item, q in items.items()]
    assert len(faults) == len(items) + 24


def test_a_pack_that_the_key_does_not_name_is_found(gold, corpus):
    path = gold / "unanswerable" / "packs" / "c1.md"
    path.write_text("- what is coverage\n")
    assert red(gold, corpus) == {"packs_as_given": ["packs/c1.md is not in key.json"]}


@pytest.mark.parametrize("changes", [{"nearest": ["s19"]}, {"sections_read": ["s01"]}])
def test_a_question_that_names_other_sections_than_its_readings_is_found(gold, corpus, changes):
    rewrite(gold, "questions.jsonl", lambda q: where(q, {"id": "n02"}, **changes))
    assert red(gold, corpus) == {"read_twice": ["n02 names other sections than its readings"]}


def test_a_draft_that_was_worded_anew_is_found(gold, corpus):
    rewrite(gold, "drafts.jsonl", lambda d: where(d, {"draft": "u01"}, text="what is coverage"))
    item = item_of(gold, "u01", "a")
    found = red(gold, corpus)
    assert set(found) == {"packs_as_given", "chosen_by_rule"}
    assert found["chosen_by_rule"] == ["questions.jsonl is not what the rule chooses from the drafts"]
    assert f"packs/{item.split('-')[0]}.md is not its questions and nothing else" in found["packs_as_given"]
    assert len(found["packs_as_given"]) == 2


@pytest.mark.parametrize("name", ["a1", "b3"])
def test_a_pack_with_a_line_more_is_found(gold, corpus, name):
    amend(gold, f"unanswerable/packs/{name}.md", lambda t: t + "- these are all unanswerable\n")
    assert red(gold, corpus) == {"packs_as_given": [f"packs/{name}.md is not its questions and nothing else"]}


def test_a_reader_who_was_not_given_a_draft_is_found(gold, corpus):
    path = gold / "unanswerable" / "packs" / "key.json"
    path.write_text(json.dumps({k: v for k, v in json.loads(path.read_text()).items() if k != "a1-01"}))
    found = red(gold, corpus)
    assert found["packs_as_given"] == [
        "packs/a1.md is not its questions and nothing else",
        "reader a was not given every draft once",
    ]
    assert found["read_twice"] == ["u22: a1-01 is another question"]


def test_a_question_out_of_the_rules_order_is_found(gold, corpus):
    def moved(text):
        first, second, *rest = text.splitlines(keepends=True)
        return "".join([second, first, *rest])

    amend(gold, "unanswerable/questions.jsonl", moved)
    assert red(gold, corpus, chosen_by_rule) == {
        "chosen_by_rule": ["questions.jsonl is not what the rule chooses from the drafts"]
    }


def test_a_later_draft_in_place_of_an_earlier_is_found(gold, corpus):
    later = next(d for d in Slice(gold / "unanswerable").drafts if d.draft == "u08")
    rewrite(gold, "questions.jsonl", lambda q: where(q, {"id": "n07"}, **later.model_dump()))
    assert (
        "questions.jsonl is not what the rule chooses from the drafts"
        in (red(gold, corpus, chosen_by_rule)["chosen_by_rule"])
    )


def test_another_number_of_questions_than_declared_is_found(gold, corpus):
    amend(gold, "unanswerable/plan.toml", lambda t: t.replace("count = 24", "count = 25"))
    assert red(gold, corpus) == {"chosen_by_rule": ["24 questions, declared 25"]}


def test_a_type_and_a_gap_below_their_minimum_are_found(gold, corpus):
    def raised(text):
        text = text.replace("at_least_of_each_type = 2", "at_least_of_each_type = 25")
        return text.replace("at_least_of_each_gap = 5", "at_least_of_each_gap = 25")

    amend(gold, "unanswerable/plan.toml", raised)
    faults = red(gold, corpus)["chosen_by_rule"]
    # as listed by hand: of n01 to n24, seven ask for a definition and six for a missing number
    assert "definition: 7 questions, at least 25 declared" in faults
    assert "missing number: 6 questions, at least 25 declared" in faults


@pytest.mark.parametrize("reader", ["a", "b"])
def test_a_control_that_a_reader_missed_is_found(gold, corpus, reader):
    reading(gold, "q03", reader, answered=False)
    assert red(gold, corpus) == {"controls_found": ["q03 is answered, and a reader did not find it"]}


def test_no_controls_at_all_are_found(gold, corpus):
    amend(
        gold,
        "unanswerable/readings.jsonl",
        lambda t: "".join(line for line in t.splitlines(keepends=True) if json.loads(line)["question"][0] != "q"),
    )
    controls = {item: q for item, q in Slice(gold / "unanswerable").items.items() if q[0] == "q"}
    assert red(gold, corpus) == {
        "controls_found": ["no answerable question was mixed in"],
        "read_twice": [f"{q}: {item} was read 0 times" for item, q in controls.items()],
    }


def test_an_off_topic_question_above_the_median_of_the_near_ones_is_found(gold, corpus):
    cell(gold, "o07", "dense_top1", lambda _: "0.999000", name="off_topic_scores.csv")
    found = red(gold, corpus)
    assert set(found) == {"near_the_text", "scores_follow"}
    (line,) = found["near_the_text"]
    assert line.startswith("the median top-1 cosine is 0.")
    assert line.endswith(", the highest off-topic one 0.999")
    (line,) = found["scores_follow"]
    assert line.startswith("off_topic_scores.csv: dense_top1 of o07 is 0.999, freshly computed 0.29399")


@pytest.mark.parametrize(
    "score", ["dense_top1", "best_sentence", "bm25_top1", "hybrid_top1", "dense_margin", "combined"]
)
def test_a_changed_score_is_found(gold, corpus, score):
    cell(gold, "n01", score, lambda value: f"{float(value) + 0.001:.6f}")
    ((name, (line,)),) = red(gold, corpus, scores_follow, near_the_text).items()
    assert name == "scores_follow"
    assert line.startswith(f"scores.csv: {score} of n01 is ")


def test_a_score_that_another_machine_rounds_otherwise_is_no_fault(gold, corpus):
    cell(gold, "n01", "dense_top1", lambda value: f"{float(value) + 0.00002:.6f}")
    assert red(gold, corpus, scores_follow) == {}


def test_a_wrong_label_is_found(gold, corpus):
    cell(gold, "q01", "answerable", lambda _: "0")
    assert red(gold, corpus, scores_follow) == {"scores_follow": ["scores.csv: q01 has the wrong label"]}


@pytest.mark.parametrize("question", ["q01", "q40"])
def test_a_flipped_hit_is_found(gold, corpus, question):
    cell(gold, question, "hit", lambda value: {"0": "1", "1": "0"}[value])
    assert red(gold, corpus) == {"scores_follow": [f"scores.csv: {question} has the wrong hit"]}


def test_a_hit_of_an_unanswerable_question_is_found(gold, corpus):
    cell(gold, "n01", "hit", lambda _: "0")
    assert red(gold, corpus, scores_follow) == {"scores_follow": ["scores.csv: n01 has the wrong hit"]}


def test_an_off_topic_question_without_a_score_is_found(gold, corpus):
    amend(gold, "off_topic_scores.csv", lambda t: t[: t.rstrip("\n").rindex("\n") + 1])
    assert red(gold, corpus) == {"scores_follow": ["off_topic_scores.csv holds other questions than the slice"]}


def test_a_question_without_a_score_is_found(gold, corpus):
    amend(gold, "scores.csv", lambda t: t[: t.rstrip("\n").rindex("\n") + 1])
    assert red(gold, corpus, scores_follow) == {"scores_follow": ["scores.csv holds other questions than the gold set"]}


def test_the_slice_has_seven_rules_beside_the_thirteen_of_the_answerable_questions(gold, corpus):
    checks = check_near(GoldSet(gold), corpus)
    assert [c.result for c in checks] == [Result.NOT_ASSESSED, *[Result.PASS] * 6]
    rules = [c.rule for c in checks]
    others = [c.rule for c in check_all(GoldSet(gold), corpus)]
    assert (len(rules), len(others), len({*rules, *others})) == (7, 13, 20)


def test_a_fault_or_a_file_that_cannot_be_read_fails_its_rules(gold, corpus):
    (gold / "unanswerable" / "packs" / "c1.md").write_text("")
    (gold / "off_topic_scores.csv").unlink()
    checks = check_near(GoldSet(gold), corpus)
    failed = {place for place, c in enumerate(checks) if c.result is Result.FAIL}
    assert failed == {1, 5, 6}
    assert checks[1].details == ("packs/c1.md is not in key.json",)

import json
import shutil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.files import BadInput
from evalcore.goldset.schema import (
    GOLD,
    RANKERS,
    Draft,
    Evidence,
    GoldSet,
    Judgement,
    Question,
    Reading,
    read_lines,
    write_lines,
)

DRAFT = {"draft": "d01", "chapter": "sampling and data", "type": "definition", "text": "what is a parameter"}


def lines(path, *records):
    path.write_text("".join((r if isinstance(r, str) else json.dumps(r)) + "\n" for r in records), encoding="utf-8")
    return path


def problems(path, record=Draft):
    with pytest.raises(BadInput) as caught:
        read_lines(path, record)
    return [str(p) for p in caught.value.problems]


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ({**DRAFT, "type": "riddle"}, "type: Input should be 'definition', 'procedure'"),
        ({**DRAFT, "chapter": "probability"}, "chapter: Input should be 'sampling and data'"),
        ({**DRAFT, "text": ""}, "text: String should have at least 1 character"),
        ({**DRAFT, "txet": "x"}, "txet: Extra inputs are not permitted"),
        ({k: v for k, v in DRAFT.items() if k != "draft"}, "draft: Field required"),
        ("{not json", "the line: Invalid JSON"),
        ("", "the line: Invalid JSON"),
        ("[1]", "the line: Input should be an object"),
    ],
)
def test_a_line_that_does_not_fit_names_file_line_field_and_remedy(tmp_path, line, what):
    (found,) = problems(lines(tmp_path / "drafts.jsonl", DRAFT, line, DRAFT))
    assert found.startswith(f"drafts.jsonl line 2: {what}")
    assert found.endswith("; write one Draft as JSON on each line")


def test_all_lines_that_do_not_fit_are_named_and_none_is_read(tmp_path):
    path = lines(tmp_path / "drafts.jsonl", {**DRAFT, "text": ""}, DRAFT, {**DRAFT, "type": 3})
    assert [p.split(": ")[0] for p in problems(path)] == ["drafts.jsonl line 1", "drafts.jsonl line 3"]


@pytest.mark.parametrize("grade", [3, -1, 1.5, None, "two"])
def test_a_grade_is_nought_one_or_two(tmp_path, grade):
    judgement = {
        "question": "q01",
        "chunk": "s01-c01",
        "grade": grade,
        "reason": "r",
        "judge": "j",
        "date": "2026-11-30",
        "pack_sha256": "0" * 64,
    }
    assert "grade: Input should be 0, 1 or 2" in problems(lines(tmp_path / "j.jsonl", judgement), Judgement)[0]


def test_a_span_says_who_found_it(tmp_path):
    span = {"question": "q01", "section": "s01", "start": 0, "end": 4, "quote": "data", "found_by": "a search engine"}
    assert "found_by: Input should be 'section reader'" in problems(lines(tmp_path / "e.jsonl", span), Evidence)[0]


@pytest.mark.parametrize("end", ["\n", "\r\n", ""])
def test_any_line_end_and_none_at_the_end_is_read(tmp_path, end):
    path = tmp_path / "d.jsonl"
    path.write_bytes((json.dumps(DRAFT) + (end or "\n") + json.dumps(DRAFT) + end).encode())
    assert read_lines(path, Draft) == [Draft(**DRAFT)] * 2


def test_an_empty_file_holds_nothing(tmp_path):
    assert read_lines(lines(tmp_path / "d.jsonl"), Draft) == []


@given(st.lists(st.text(st.characters(codec="utf-8"), min_size=1)))
def test_what_is_written_reads_back_whatever_its_text(tmp_path_factory, texts):
    path = tmp_path_factory.mktemp("lines") / "d.jsonl"
    drafts = [Draft(**{**DRAFT, "text": text}) for text in texts]
    write_lines(path, drafts)
    assert read_lines(path, Draft) == drafts


def test_a_line_separator_inside_a_quotation_does_not_cut_its_line(tmp_path):
    text = "first\u2028second\x85third"
    write_lines(tmp_path / "d.jsonl", [Draft(**{**DRAFT, "text": text})])
    assert [d.text for d in read_lines(tmp_path / "d.jsonl", Draft)] == [text]


def test_the_stored_files_are_what_their_records_say(tmp_path):
    gold = GoldSet()
    for name, records in (("questions", gold.questions), ("evidence", gold.evidence), ("judgements", gold.judgements)):
        write_lines(tmp_path / name, records)
        assert (tmp_path / name).read_bytes() == (GOLD / f"{name}.jsonl").read_bytes()


def test_every_kind_of_record_is_read_from_the_folder_it_is_given(tmp_path):
    shutil.copytree(GOLD, tmp_path / "gold")
    copy, real = GoldSet(tmp_path / "gold"), GoldSet()
    kinds = {"drafts": Draft, "questions": Question, "evidence": Evidence, "readings": Reading, "judgements": Judgement}
    for name, kind in kinds.items():
        assert getattr(copy, name) == getattr(real, name)
        assert {type(r) for r in getattr(copy, name)} == {kind}
        (tmp_path / "gold" / f"{name}.jsonl").write_text("{}\n")
        with pytest.raises(BadInput, match=rf"{name}\.jsonl line 1"):
            getattr(GoldSet(tmp_path / "gold"), name)


def test_spans_are_found_by_their_question():
    gold = GoldSet()
    assert sum(len(spans) for spans in gold.evidence_of.values()) == len(gold.evidence)
    assert all(span.question == q for q, spans in gold.evidence_of.items() for span in spans)


def authoring(folder, **changes):
    stored = json.loads((GOLD / "authoring.json").read_text(encoding="utf-8"))
    (folder / "authoring.json").write_text(json.dumps({**stored, **changes}), encoding="utf-8")
    return GoldSet(folder)


def test_the_set_is_provisional_until_a_person_has_reviewed_it(tmp_path):
    assert GoldSet().provisional is True
    assert authoring(tmp_path, review=None).provisional is True
    assert (
        authoring(tmp_path, review={"by": "a person", "date": "2027-01-01", "changed_labels": 3}).provisional is False
    )


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"review": True}, "authoring.json: review: Input should be an object"),
        ({"set_aside": [{"draft": "d01", "why": "boring"}]}, "authoring.json: set_aside.0.why: Input should be 'no"),
        ({"reviewed": None}, "authoring.json: reviewed: Extra inputs are not permitted"),
    ],
)
def test_an_authoring_file_that_does_not_fit_is_named(tmp_path, changes, what):
    with pytest.raises(BadInput) as caught:
        authoring(tmp_path, **changes).provisional  # noqa: B018
    assert str(caught.value.problems[0]).startswith(what)


def test_the_set_has_the_size_that_the_issue_asks_for():
    gold = GoldSet()
    assert len(gold.questions) == 40
    assert RANKERS == ("bm25", "dense", "hybrid")

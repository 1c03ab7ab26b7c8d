"""A study saved and opened again, and what is refused."""

import io
import json
import zipfile
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.export import comparison_json
from evalcore.files import BadInput
from evalcore.files.roles import Role
from evalcore.files.unpack import Limits
from evalcore.measures import STANDARD
from evalcore.own import Declaration, Family, Input, OwnStudy, Part, open_study, save
from tests.own.making import AT, LATER, against_first, declaration, judgements, run, study

SMALL = Limits(raw=100_000, unpacked=50_000)


def rewritten(change):
    """The bytes of a small study after ``change`` of its entries."""
    with zipfile.ZipFile(io.BytesIO(save(study()))) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    change(entries)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, raw in entries.items():
            archive.writestr(name, raw)
    return out.getvalue()


def plan_changed(edit):
    def change(entries):
        plan = json.loads(entries["plan.json"])
        edit(plan)
        entries["plan.json"] = json.dumps(plan).encode()

    return rewritten(change)


@pytest.mark.parametrize("made", [study(), against_first(7), study().redeclared(declaration(alpha=0.2), LATER)])
def test_a_study_saved_and_opened_has_the_same_numbers_and_declarations(made):
    again = open_study(save(made))
    assert comparison_json(again.compared) == comparison_json(made.compared)
    assert (again.declared, again.now, again.changed) == (made.declared, made.now, made.changed)
    assert save(again) == save(made)


@settings(max_examples=15, deadline=None)
@given(
    st.sampled_from(STANDARD),
    st.integers(1, 2),
    st.sampled_from([0.01, 0.05, 0.2]),
    st.sampled_from([None, "r0", "r1"]),
    st.text(st.characters(exclude_characters=".", exclude_categories=["Cs", "C"]), min_size=1).filter(str.strip),
)
def test_any_declaration_and_file_name_come_back(primary, grade, alpha, first, name):
    family = Family.ALL if first is None else Family.FIRST
    made = Declaration(("r0", "r1"), primary, grade, alpha, family, first)
    files = (judgements("../" + name), run("r0.trec", 7), run("r1.trec", 2))
    saved = save(OwnStudy.begun(files, made, AT))
    again = open_study(saved)
    assert again.now.declaration == made
    assert [f.record for f in again.inputs] == [f.record for f in files]
    assert all(
        n.startswith(("inputs/", "results/", "plan", "README")) for n in zipfile.ZipFile(io.BytesIO(saved)).namelist()
    )


def test_the_columns_that_were_named_come_back():
    table = Input(
        Part.RUN, "r1.csv", b"frage,dok,wert\nq1,a,1\n", {Role.QUERY: "frage", Role.DOCUMENT: "dok", Role.SCORE: "wert"}
    )
    made = OwnStudy.begun((judgements(), run("r0.trec", 3), table), declaration(), AT)
    again = open_study(save(made))
    assert comparison_json(again.compared) == comparison_json(made.compared)


def test_results_in_the_file_are_not_trusted():
    def lie(entries):
        entries["results/comparison.json"] = b'{"measures": "all best"}'

    assert comparison_json(open_study(rewritten(lie)).compared) == comparison_json(study().compared)


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"", "no study that Evidence Lab saved"),
        (b"PK\x03\x04 nothing", "no study that Evidence Lab saved"),
        (save(study())[:-60], "no study that Evidence Lab saved"),
        (rewritten(lambda e: e.pop("plan.json")), "'plan.json': is missing"),
        (rewritten(lambda e: e.pop("inputs/02-run")), "'inputs/02-run': is missing"),
        (rewritten(lambda e: e.update({"../../etc/x": b""})), "'../../etc/x': does not belong"),
        (rewritten(lambda e: e.update({"inputs/02-run": b"q Q0 d 1 1 t\n"})), "'inputs/02-run': is not the file"),
        (rewritten(lambda e: e.update({"plan.json": b"[" * 5000})), "'plan.json': cannot be read"),
        (plan_changed(lambda p: p.update(version=2)), "has version 2"),
        (plan_changed(lambda p: p.update(more=1)), "cannot be read"),
        (plan_changed(lambda p: p["now"]["declaration"].update(alpha=0.4)), "sha256 is not that of these files"),
        (plan_changed(lambda p: p["now"]["declaration"].update(primary="best")), "there is no measure 'best'"),
        (plan_changed(lambda p: p["files"]["inputs/02-run"].update(part="answer")), "what is not known"),
    ],
)
def test_a_wrong_file_is_refused_and_the_entry_named(raw, said):
    with pytest.raises(BadInput) as refused:
        open_study(raw, "x.zip")
    assert said in str(refused.value)
    assert str(refused.value).startswith("x.zip")


def test_another_first_declaration_in_the_file_makes_the_study_a_changed_one():
    opened = open_study(plan_changed(lambda p: p["declared"].update(sha256="0" * 64)))
    assert opened.changed
    assert opened.compared.plan.sha256 is None


def test_a_bomb_is_refused_while_it_is_unpacked():
    bomb = rewritten(lambda e: e.update({"inputs/02-run": b"0" * 60_000}))
    assert len(bomb) < 10_000
    with pytest.raises(BadInput, match=r"'inputs/02-run': unpacks to more than"):
        open_study(bomb, "x.zip", SMALL)
    with pytest.raises(BadInput, match="more than the 10 bytes"):
        open_study(bomb, "x.zip", replace(SMALL, raw=10))
    plan = rewritten(lambda e: e.update({"plan.json": b" " * 4_000_001}))
    with pytest.raises(BadInput, match=r"'plan\.json': unpacks to more than"):
        open_study(plan, "x.zip")


def test_more_entries_than_a_study_can_have_are_refused():
    with pytest.raises(BadInput, match="entries, more than"):
        open_study(rewritten(lambda e: e.update({f"inputs/{i}": b"" for i in range(99)})))

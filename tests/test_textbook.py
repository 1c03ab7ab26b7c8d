"""How the textbook's files are recognised."""

import shutil
from dataclasses import replace

import pytest

from evalcore.files import BadInput, read_qrels, read_run
from evalcore.goldset.schema import GOLD, RANKERS, GoldSet
from evalcore.textbook import recognise


@pytest.fixture
def folder(tmp_path):
    for name in ("qrels.trec", "section_qrels.trec", "report.json", "plan.toml", "authoring.json"):
        shutil.copy(GOLD / name, tmp_path / name)
    return tmp_path


def asked(folder, *names, **renamed):
    runs = [read_run(GOLD / "runs" / f"{name}.trec", name=name) for name in names]
    runs += [replace(read_run(GOLD / "runs" / f"{name}.trec", name=name), name=new) for new, name in renamed.items()]
    return recognise(read_qrels(folder / "qrels.trec", name="qrels.trec"), runs, GoldSet(folder))


def test_the_plans_runs_bring_the_declared_family_whatever_they_are_called(folder):
    found = asked(folder, x="bm25", y="dense", z="hybrid")
    assert set(found.plan.family) == {("x", "y"), ("x", "z"), ("y", "z")}
    assert (found.plan.sha256 is not None, found.provisional, found.notes) == (True, True, ())


def test_absent_members_of_the_family_are_named_and_keep_its_size(folder):
    found = asked(folder, "bm25", "dense")
    assert len(found.plan.family) == 3
    assert "bm25 and the plan's hybrid, dense and the plan's hybrid" in found.notes[0]


def test_another_run_under_a_plans_name_is_not_the_declared_analysis(folder):
    runs = [read_run(GOLD / "runs" / f"{name}.trec", name=name) for name in RANKERS[:2]]
    runs[1] = replace(runs[1], sha256="0" * 64)
    found = recognise(read_qrels(folder / "qrels.trec", name="q"), runs, GoldSet(folder))
    assert (found.plan.sha256, found.plan.family, found.provisional) == (None, None, True)
    assert "not the declared analysis" in found.notes[0]


@pytest.mark.parametrize("damage", ["no report", "changed qrels"])
def test_a_changed_gold_file_keeps_its_label_and_loses_the_plans_hash(folder, damage):
    if damage == "no report":
        (folder / "report.json").unlink()
    else:
        lines = (folder / "qrels.trec").read_text().splitlines(keepends=True)
        (folder / "qrels.trec").write_text("".join(lines[: len(lines) // 2]))
    found = asked(folder, "bm25", "dense")
    assert (found.plan.sha256, found.provisional, found.plan.relevant_grade) == (None, True, 2)
    assert "not those of the published report" in found.notes[0]


def test_a_users_own_judgements_bring_no_plan_and_no_label(folder, tmp_path):
    own = read_qrels(b"q1 0 a 1\n", name="own")
    found = recognise(own, [], GoldSet(folder))
    assert (found.plan.sha256, found.provisional, found.plan.relevant_grade) == (None, None, 1)


@pytest.mark.parametrize(
    ("name", "old", "new"), [("plan.toml", "alpha = 0.05", "alpha = 0.5"), ("authoring.json", "null", "{}")]
)
def test_an_altered_plan_or_review_is_never_shown_as_the_published_one(folder, name, old, new):
    path = folder / name
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(BadInput, match=rf"gold/{name}: is not the file that the published report"):
        asked(folder, *RANKERS)


def test_judgements_of_sections_bring_their_plan_to_their_own_runs_only(folder):
    qrels = read_qrels(folder / "section_qrels.trec", name="q")
    arms = [read_run(GOLD / "runs" / f"section-{arm}.trec", name=arm) for arm in ("sections", "chunks")]
    assert recognise(qrels, arms, GoldSet(folder)).plan.family == ()
    others = [read_run(GOLD / "runs" / f"{name}.trec", name=name) for name in RANKERS]
    found = recognise(qrels, others, GoldSet(folder))
    assert (found.plan.sha256, found.provisional) == (None, True)


@pytest.mark.parametrize("text", ["[]", '{"files": []}', "{}", "{"])
def test_a_damaged_report_is_named(folder, text):
    (folder / "report.json").write_text(text)
    with pytest.raises(BadInput, match=r"report\.json: cannot be read"):
        asked(folder, *RANKERS)

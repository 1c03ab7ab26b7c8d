import shutil

import pytest

from evalcore.evidence import Result
from evalcore.goldset.checks import check_all
from evalcore.goldset.schema import GOLD, GoldSet
from tests.goldset.repository import built, commit, git
from tests.goldset.rules import HISTORY, ORDER, PLAN, amend, broken, outcomes

STEPS = (
    ("plan.toml",),
    ("drafts.jsonl",),
    ("questions.jsonl", "authoring.json", *(f"packs/s{i:02d}.md" for i in range(1, 20))),
    ("evidence.jsonl", "readings.jsonl"),
    ("runs", *(f"packs/q{i:02d}.md" for i in range(1, 41))),
    ("judgements.jsonl", "qrels.trec", "section_qrels.trec"),
    ("report.json",),
)


@pytest.fixture(scope="module")
def as_it_was_made(tmp_path_factory):
    return built(tmp_path_factory.mktemp("made") / "repository", STEPS)


@pytest.fixture
def made(as_it_was_made, tmp_path):
    shutil.copytree(as_it_was_made, tmp_path / "repository")
    return tmp_path / "repository"


def moved(name, *, before):
    """The steps with one file taken into a commit of its own, right before another step."""
    left = [tuple(n for n in names if n != name) for names in STEPS]
    place = next(i for i, names in enumerate(STEPS) if before in names)
    return [names for names in [*left[:place], (name,), *left[place:]] if names]


def unassessed(folder, corpus):
    """The rules that could not be assessed, each with the reason."""
    checks = check_all(GoldSet(folder), corpus)
    return {place: c.details[0] for place, c in enumerate(checks) if c.result is Result.NOT_ASSESSED}


def test_a_plan_that_came_first_and_alone_passes_and_so_does_the_order(made, corpus):
    assert outcomes(made / "gold", corpus) == dict.fromkeys(range(13), Result.PASS)


def test_a_later_commit_elsewhere_changes_nothing(made, corpus):
    (made / "README").write_text("changed")
    commit(made, "README")
    assert outcomes(made / "gold", corpus) == dict.fromkeys(range(13), Result.PASS)


def test_a_plan_that_was_changed_later_fails_with_the_commit(made, corpus):
    amend(made / "gold", "plan.toml", lambda t: t + "\n# a second thought\n")
    changed = commit(made, "gold/plan.toml")
    assert broken(made / "gold", corpus) == {PLAN: f"plan.toml was changed after its first commit, in {changed[:10]}"}


def test_a_plan_that_was_changed_and_changed_back_fails(made, corpus):
    amend(made / "gold", "plan.toml", lambda t: t + "\n")
    commit(made, "gold/plan.toml")
    shutil.copyfile(GOLD / "plan.toml", made / "gold" / "plan.toml")
    commit(made, "gold/plan.toml")
    assert set(broken(made / "gold", corpus)) == {PLAN}


def test_a_plan_that_is_not_the_committed_one_on_disk_fails(made, corpus):
    amend(made / "gold", "plan.toml", lambda t: t + "\n")
    assert broken(made / "gold", corpus) == {PLAN: "plan.toml on disk is not the committed one"}


def test_a_plan_that_was_not_alone_in_its_commit_fails(tmp_path, corpus):
    root = built(tmp_path / "repository", [("plan.toml", "drafts.jsonl"), *STEPS[2:]])
    # the drafts came with the plan, so not after it
    found = broken(root / "gold", corpus)
    assert set(found) == {PLAN, ORDER}
    assert found[PLAN] == ("its commit holds other files too: gold/drafts.jsonl, gold/plan.toml")


def test_a_plan_that_came_after_the_drafts_fails(tmp_path, corpus):
    root = built(tmp_path / "repository", [STEPS[1], STEPS[0], *STEPS[2:]])
    found = broken(root / "gold", corpus)
    assert set(found) == {PLAN, ORDER}
    assert "touches gold/ and does not come after the plan" in found[PLAN]
    assert found[ORDER] == "drafts.jsonl did not come after plan.toml"


def test_a_plan_that_was_never_committed_fails(tmp_path, corpus):
    root = built(tmp_path / "repository", STEPS[1:])
    shutil.copyfile(GOLD / "plan.toml", root / "gold" / "plan.toml")
    assert broken(root / "gold", corpus) == dict.fromkeys((PLAN, ORDER), "plan.toml was never committed")


@pytest.mark.parametrize(
    ("name", "before", "said"),
    [
        ("judgements.jsonl", "runs", "judgements.jsonl did not come after runs"),
        ("evidence.jsonl", "questions.jsonl", "evidence.jsonl did not come after questions.jsonl"),
        ("report.json", "judgements.jsonl", "report.json did not come after judgements.jsonl"),
        ("packs/q07.md", "report.json", "packs/q07.md did not come before judgements.jsonl"),
        ("packs/s04.md", "runs", "packs/s04.md did not come before evidence.jsonl"),
    ],
)
def test_a_step_out_of_its_order_is_found(tmp_path, corpus, name, before, said):
    root = built(tmp_path / "repository", moved(name, before=before))
    found = broken(root / "gold", corpus)
    assert set(found) == {ORDER}
    assert said in found[ORDER]


@pytest.mark.parametrize("name", ["packs/q07.md", "packs/s04.md"])
def test_a_pack_that_was_changed_after_its_commit_is_found_even_when_changed_back(made, corpus, name):
    amend(made / "gold", name, lambda t: t + "\n")
    commit(made, f"gold/{name}")
    shutil.copyfile(GOLD / name, made / "gold" / name)
    commit(made, f"gold/{name}")
    said = f"{name} was committed 3 times; a pack is committed once and never changed"
    assert broken(made / "gold", corpus) == {ORDER: said}


def test_a_run_that_was_changed_after_the_judgements_is_found(made, corpus):
    amend(made / "gold", "runs/bm25.trec", lambda t: t + "q40 Q0 extra 999 -1 tag\n")
    changed = commit(made, "gold/runs/bm25.trec")
    said = f"runs/bm25.trec was changed after the judgements, in {changed[:10]}"
    assert broken(made / "gold", corpus) == {ORDER: said}


def test_spans_that_the_pool_judges_added_may_come_with_the_judgements(made, corpus):
    amend(made / "gold", "evidence.jsonl", lambda t: t + t.splitlines(keepends=True)[0])
    commit(made, "gold/evidence.jsonl")
    assert outcomes(made / "gold", corpus) == dict.fromkeys(range(13), Result.PASS)


def test_a_shallow_clone_is_not_assessed_and_nothing_fails(made, tmp_path, corpus):
    git(tmp_path, "clone", "--quiet", "--depth=1", made.as_uri(), "shallow")
    reason = "the clone is shallow; fetch the whole history with: git fetch --unshallow"
    assert unassessed(tmp_path / "shallow" / "gold", corpus) == dict.fromkeys(HISTORY, reason)
    assert broken(tmp_path / "shallow" / "gold", corpus) == {}


def test_without_git_the_history_is_not_assessed_and_nothing_fails(made, corpus, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    assert unassessed(made / "gold", corpus) == dict.fromkeys(HISTORY, "git is not installed")
    assert broken(made / "gold", corpus) == {}

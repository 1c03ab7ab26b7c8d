import shutil

import pytest

from evalcore.goldset.near_checks import declared_first
from evalcore.goldset.schema import GOLD, GoldSet
from evalcore.history import History, NoHistoryError
from tests.goldset.repository import built, commit, git
from tests.goldset.rules import amend

STEPS = (
    ("unanswerable/plan.toml",),
    ("unanswerable/drafts.jsonl", "unanswerable/off_topic.jsonl"),
    ("unanswerable/packs",),
    ("unanswerable/readings.jsonl", "unanswerable/questions.jsonl"),
    ("scores.csv", "off_topic_scores.csv"),
)


def test_the_real_gold_set_came_in_its_order_where_there_is_a_history(corpus):
    try:
        History.of(GOLD)
    except NoHistoryError:
        with pytest.raises(NoHistoryError):
            list(declared_first(GoldSet(), corpus))
    else:
        assert list(declared_first(GoldSet(), corpus)) == []


@pytest.fixture
def history(tmp_path, corpus):
    """Builds a repository from steps and gives back its gold set's faults of history."""

    def of(steps):
        root = built(tmp_path / "repository", steps)
        return lambda: list(declared_first(GoldSet(root / "gold"), corpus)), root

    return of


def test_steps_in_their_order_pass_and_readings_and_questions_may_share_a_commit(history):
    faults, _ = history(STEPS)
    assert faults() == []


def test_readings_and_questions_may_have_commits_of_their_own(history):
    faults, _ = history([*STEPS[:3], ("unanswerable/readings.jsonl",), ("unanswerable/questions.jsonl",), STEPS[4]])
    assert faults() == []


@pytest.mark.parametrize("name", ["plan.toml", "drafts.jsonl", "packs/b2.md"])
def test_a_plan_a_draft_or_a_pack_that_was_changed_after_its_commit_is_found_even_when_changed_back(history, name):
    faults, root = history(STEPS)
    path = f"gold/unanswerable/{name}"
    amend(root, path, lambda t: t + "\n")
    changed = commit(root, path)
    said = [f"{name.split('/')[0]} was changed after its first commit, in {changed[:10]}"]
    assert faults() == said
    shutil.copyfile(GOLD / "unanswerable" / name, root / path)
    commit(root, path)
    assert faults() == said


@pytest.mark.parametrize(
    ("order", "said"),
    [
        ((0, 1, 2, 4, 3), ["scores.csv did not come after questions.jsonl"]),
        ((1, 0, 2, 3, 4), ["drafts.jsonl did not come after plan.toml"]),
        ((0, 2, 1, 3, 4), ["packs did not come after drafts.jsonl"]),
        ((0, 1, 3, 2, 4), ["readings.jsonl did not come after packs"]),
    ],
)
def test_a_step_before_its_turn_is_found(history, order, said):
    faults, _ = history([STEPS[place] for place in order])
    assert faults() == said


def test_questions_before_the_readings_and_steps_in_one_commit_are_found(history):
    faults, _ = history([*STEPS[:3], ("unanswerable/questions.jsonl",), ("unanswerable/readings.jsonl",), STEPS[4]])
    assert faults() == ["questions.jsonl did not come after readings.jsonl"]


def test_the_plan_in_one_commit_with_the_drafts_is_found(history):
    faults, _ = history([(*STEPS[0], *STEPS[1]), *STEPS[2:]])
    assert faults() == ["drafts.jsonl did not come after plan.toml"]


def test_a_step_that_was_never_committed_is_found(history):
    faults, _ = history(STEPS[:4])
    assert faults() == ["scores.csv was never committed"]


def test_a_shallow_clone_or_none_is_not_assessed(history, tmp_path, corpus):
    _, root = history(STEPS)
    gold = tmp_path / "gold"
    shutil.copytree(GOLD, gold)
    git(tmp_path, "clone", "--quiet", "--depth=1", root.as_uri(), "shallow")
    for folder, reason in ((tmp_path / "shallow" / "gold", "shallow"), (gold, "there is no git history here")):
        with pytest.raises(NoHistoryError, match=reason):
            list(declared_first(GoldSet(folder), corpus))


@pytest.mark.parametrize("name", ["plan.toml", "drafts.jsonl", "packs/a1.md", "packs/key.json"])
def test_an_edit_that_was_never_committed_is_found(history, name):
    faults, root = history(STEPS)
    amend(root, f"gold/unanswerable/{name}", lambda t: t + "\n")
    assert faults() == [f"{name.split('/')[0]} on disk is not the committed one"]

import pytest

from evalcore.history import History, NoHistoryError
from tests.goldset.repository import commit, git, repository, write


@pytest.fixture
def root(tmp_path):
    return repository(tmp_path / "repository")


def test_commits_of_a_file_and_of_a_folder_come_oldest_first(root):
    one = write(root, "gold/plan.toml", "1")
    two = write(root, "gold/runs/a.trec", "1")
    three = write(root, "gold/plan.toml", "2")
    write(root, "elsewhere.txt", "1")
    history = History.of(root / "gold")
    assert history.commits(root / "gold" / "plan.toml") == [one, three]
    assert history.commits(root / "gold" / "runs") == [two]
    assert history.commits(root / "gold") == [one, two, three]
    assert history.commits(root / "gold" / "never.txt") == []


def test_a_removed_file_keeps_its_commits(root):
    one = write(root, "gold/plan.toml", "1")
    git(root, "rm", "--quiet", "gold/plan.toml")
    git(root, "commit", "--quiet", "--message=gone")
    assert History.of(root).commits(root / "gold" / "plan.toml") == [one, git(root, "rev-parse", "HEAD")]


def test_the_files_of_a_commit_are_all_named_the_first_commits_too(root):
    for name in ("a", "b c", "d/e"):
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(name)
    first = commit(root, ".")
    assert History.of(root).files_of(first) == ["a", "b c", "d/e"]
    assert History.of(root).files_of(write(root, "a", "2")) == ["a"]


def test_only_an_ancestor_precedes_and_nothing_precedes_itself(root):
    one, two = write(root, "a", "1"), write(root, "a", "2")
    git(root, "checkout", "--quiet", "-b", "side", one)
    side = write(root, "b", "1")
    history = History.of(root)
    assert history.precedes(one, two)
    assert not history.precedes(two, one)
    assert not history.precedes(one, one)
    assert not history.precedes(two, side)


def test_a_file_is_unchanged_only_while_it_is_the_committed_one(root):
    write(root, "plan.toml", "1")
    history = History.of(root)
    assert history.is_unchanged(root / "plan.toml")
    (root / "plan.toml").write_text("2")
    assert not history.is_unchanged(root / "plan.toml")
    git(root, "add", "plan.toml")
    assert not history.is_unchanged(root / "plan.toml")


def test_a_shallow_clone_has_no_history_to_ask_and_the_message_says_what_to_do(root, tmp_path):
    write(root, "a", "1")
    write(root, "a", "2")
    git(tmp_path, "clone", "--quiet", "--depth=1", root.as_uri(), "shallow")
    with pytest.raises(NoHistoryError, match=r"the clone is shallow; .*git fetch --unshallow"):
        History.of(tmp_path / "shallow")
    git(tmp_path, "clone", "--quiet", root.as_uri(), "whole")
    assert len(History.of(tmp_path / "whole").commits(tmp_path / "whole" / "a")) == 2


def test_a_folder_in_no_repository_has_no_history(tmp_path):
    with pytest.raises(NoHistoryError, match=r"there is no git history here .*not a git repository"):
        History.of(tmp_path)


def test_without_git_there_is_no_history(root, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    with pytest.raises(NoHistoryError, match="git is not installed"):
        History.of(root)

"""Small git repositories, apart from the user's own settings and from a repository whose hook runs the tests."""

import os
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

from evalcore.goldset.schema import GOLD

OWN = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_TERMINAL_PROMPT": "0",
    **{f"GIT_{who}_NAME": "A. Author" for who in ("AUTHOR", "COMMITTER")},
    **{f"GIT_{who}_EMAIL": "author@example.org" for who in ("AUTHOR", "COMMITTER")},
}


def apart(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Keeps git below ``folder`` from finding a repository around it, named by a hook or standing above it."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(folder.parent))


def git(folder: Path, *arguments: str) -> str:
    """Runs git in a folder and gives back what it prints."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | OWN
    done = subprocess.run(
        ["git", "-C", str(folder), *arguments], env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def repository(folder: Path) -> Path:
    """An empty repository."""
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "--quiet", "--initial-branch=main")
    return folder


def commit(root: Path, *paths: str, message: str = "step") -> str:
    """Commits the named files as they stand on disk and gives back the commit's hash."""
    git(root, "add", "--", *paths)
    git(root, "commit", "--quiet", f"--message={message}")
    return git(root, "rev-parse", "HEAD")


def write(root: Path, name: str, text: str) -> str:
    """Writes one file below the root and commits it alone."""
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return commit(root, name)


def built(root: Path, steps: Iterable[tuple[str, ...]]) -> Path:
    """A repository whose commits add the files of the real gold set step by step."""
    repository(root)
    (root / "README").write_text("a project")
    commit(root, "README")
    for names in steps:
        for name in names:
            source, target = GOLD / name, root / "gold" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            (shutil.copytree if source.is_dir() else shutil.copyfile)(source, target)
        commit(root, *(f"gold/{name}" for name in names))
    return root

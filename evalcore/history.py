"""What the repository's history shows about the order in which files came about."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path


class NoHistoryError(RuntimeError):
    """There is no history to ask; the message says why."""


@dataclass(frozen=True)
class History:
    """A git repository with its whole history."""

    root: Path

    @classmethod
    def of(cls, folder: Path) -> History:
        """The repository around a folder.

        Raises:
            NoHistoryError: git is not installed, the folder is in no repository, or its history is cut off.

        """
        root = _git(folder, "rev-parse", "--show-toplevel").strip()
        if _git(folder, "rev-parse", "--is-shallow-repository").strip() == "true":
            raise NoHistoryError("the clone is shallow; fetch the whole history with: git fetch --unshallow")
        return cls(Path(root))

    def commits(self, path: Path) -> list[str]:
        """Commits that touched a file, or anything below a folder, oldest first."""
        name = str(path.resolve().relative_to(self.root.resolve()))
        return _git(self.root, "log", "--format=%H", "--reverse", "--", name).split()

    def files_of(self, commit: str) -> list[str]:
        """The files that a commit changed."""
        return _git(self.root, "show", "--format=", "--name-only", commit).split("\n")[:-1]

    def precedes(self, earlier: str, later: str) -> bool:
        """Whether ``earlier`` is a proper ancestor of ``later``."""
        if earlier == later:
            return False
        done = subprocess.run(["git", "-C", str(self.root), "merge-base", "--is-ancestor", earlier, later], check=False)
        return done.returncode == 0

    def is_unchanged(self, path: Path) -> bool:
        """Whether the file on disk is the committed one."""
        name = str(path.resolve().relative_to(self.root.resolve()))
        return not _git(self.root, "status", "--porcelain", "--", name).strip()


def _git(folder: Path, *arguments: str) -> str:
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *arguments], capture_output=True, text=True, encoding="utf-8", check=True
        )
    except FileNotFoundError as error:
        raise NoHistoryError("git is not installed") from error
    except subprocess.CalledProcessError as error:
        raise NoHistoryError(f"there is no git history here ({error.stderr.strip()})") from error
    return done.stdout

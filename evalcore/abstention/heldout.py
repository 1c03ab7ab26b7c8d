"""The held-out part, opened once: a lock committed before it is read, and a ledger of every opening.

The threshold is chosen on development questions. Each further opening that informs a decision makes the held-out part a
tuning set, so every one is written down before a number is shown.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from pydantic import BaseModel, ConfigDict, FiniteFloat, ValidationError

from evalcore.abstention.scale import CURRENT, Scale, StoredThreshold
from evalcore.files import BadInput, Problem, reading
from evalcore.history import History, NoHistoryError

SCORES, LOCK, LEDGER, PLAN = "heldout.csv", "heldout.lock", "openings.jsonl", "plan.toml"


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Lock(_Record):
    """What was declared of the held-out part before it was opened: its bytes, the plan's, and the column of scores."""

    heldout_sha256: str
    plan_sha256: str
    date: str
    score: str
    scale: Scale | None = None


class Opening(_Record):
    """One look at the held-out part."""

    when: str
    plan_sha256: str
    heldout_sha256: str
    score: str
    threshold: FiniteFloat | None


@dataclass(frozen=True)
class HeldOut:
    """A folder with the held-out scores, the plan, the lock and the ledger."""

    folder: Path

    @property
    def exists(self) -> bool:
        """Whether there is a held-out part at all."""
        return (self.folder / SCORES).exists()

    @property
    def openings(self) -> list[Opening]:
        """Every opening so far; none before the first.

        Raises:
            BadInput: a line of the ledger cannot be read.

        """
        path = self.folder / LEDGER
        if not path.exists():
            return []
        with reading(path):
            text = path.read_text(encoding="utf-8")
        openings, problems = [], []
        lines = text.splitlines()
        if text and not text.endswith("\n"):
            # the next opening would be written into the same line, and both would be lost
            problems.append(Problem(LEDGER, len(lines), "is cut off", "end it with a line break"))
        for number, line in enumerate(lines, start=1):
            try:
                openings.append(Opening.model_validate_json(line))
            except ValidationError:
                remedy = "restore the ledger from the repository; openings are never removed"
                problems.append(Problem(LEDGER, number, "is no opening", remedy))
        if problems:
            raise BadInput(problems)
        return openings

    def lock(self, *, date: str, score: str, scale: Scale | None = None) -> Lock:
        """Writes the lock; to be committed before the held-out part is opened.

        Raises:
            BadInput: there is a lock already, or nothing to lock.

        """
        if (self.folder / LOCK).exists():
            what, remedy = "is there already", "a held-out part is locked once; make a new one to start again"
            raise BadInput([Problem(LOCK, None, what, remedy)])
        made = Lock(heldout_sha256=self._sha(SCORES), plan_sha256=self._sha(PLAN), date=date, score=score, scale=scale)
        (self.folder / LOCK).write_text(made.model_dump_json(indent=1) + "\n", encoding="utf-8")
        return made

    def open(self, threshold: float | None, *, score: str, when: datetime, stored: StoredThreshold | None) -> Opening:
        """Checks the lock and appends to the ledger; only then may the scores be read.

        Raises:
            BadInput: there is no lock, it is not committed as it stands, the ledger is damaged, the held-out file or
                the plan is not the locked one, or the stored threshold belongs to another score scale.

        """
        lock, _ = self._committed_lock(), self.openings
        problems = []
        for name, locked in ((SCORES, lock.heldout_sha256), (PLAN, lock.plan_sha256)):
            if self._sha(name) != locked:
                problems.append(Problem(name, None, "is not the file that was locked", "restore the locked file"))
        if score != lock.score:
            problems.append(
                Problem("--score", None, f"is {score!r}, and the lock is for {lock.score!r}", "use that one")
            )
        if stored is not None:
            problems += _stale(stored, lock, threshold)
        if problems:
            raise BadInput(problems)
        opening = Opening(
            when=when.isoformat(timespec="seconds"),
            plan_sha256=lock.plan_sha256,
            heldout_sha256=lock.heldout_sha256,
            score=score,
            threshold=threshold,
        )
        line = json.dumps(opening.model_dump()) + "\n"
        with (self.folder / LEDGER).open("a", encoding="utf-8") as ledger:
            ledger.write(line)
            ledger.flush()
            os.fsync(ledger.fileno())
        return opening

    def _committed_lock(self) -> Lock:
        path = self.folder / LOCK
        if not path.exists():
            raise BadInput([Problem(LOCK, None, "is not there", "write it with: confirm --lock, and commit it")])
        try:
            history = History.of(self.folder)
            commits = history.commits(path)
            committed = bool(commits) and history.is_unchanged(path)
            if len(commits) > 1:
                raise BadInput([Problem(LOCK, None, "was changed after its first commit", "restore the first one")])
        except NoHistoryError as error:
            what, remedy = f"cannot be shown to come first ({error})", "keep the held-out part in a git repository"
            raise BadInput([Problem(LOCK, None, what, remedy)]) from error
        if not committed:
            raise BadInput([Problem(LOCK, None, "is not committed as it stands", "commit it before opening")])
        with reading(path):
            raw = path.read_bytes()
        try:
            return Lock.model_validate_json(raw)
        except ValidationError as error:
            raise BadInput([Problem(LOCK, None, "is no lock", "restore it from the repository")]) from error

    def _sha(self, name: str) -> str:
        with reading(self.folder / name):
            return hashlib.sha256((self.folder / name).read_bytes()).hexdigest()


def _stale(stored: StoredThreshold, lock: Lock, threshold: float | None) -> list[Problem]:
    if stored.threshold != threshold:
        return [Problem("threshold", None, "is not the stored one", "open at the threshold that was stored")]
    if lock.scale is None:
        what = "names no score scale, so a stored threshold cannot be held against it"
        return [Problem(LOCK, None, what, "open with --threshold, or lock with --stored from the start")]
    if (state := stored.state(lock.scale)) != CURRENT:
        return [Problem("threshold", None, f"is {state}", "choose it again on development questions")]
    return []

"""A threshold belongs to one score scale: it is kept with that scale's fingerprint, and goes stale when it changes.

The same number on another model, another chunking or another text is another rule, and fails silently. Watch the share
of live questions refused: it jumps when the scale has moved.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, ValidationError

from evalcore.files import BadInput, Problem, reading

STALE = "stale: re-tune on development"
CURRENT = "current"
Text = Annotated[str, Field(min_length=1)]


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Scale(_Record):
    """What a score means: its name, the model behind it, how the text was cut, and the text."""

    score: Text
    model_sha256: Text
    chunking_sha256: Text
    corpus_sha256: Text

    @property
    def fingerprint(self) -> str:
        """sha256 of the four."""
        return hashlib.sha256(json.dumps(self.model_dump(), sort_keys=True).encode()).hexdigest()


class StoredThreshold(_Record):
    """A chosen threshold, None being "refuse everything", with the rule that chose it and the scale it belongs to."""

    threshold: FiniteFloat | None
    rule: Text
    date: Text
    scale: Scale
    fingerprint: Text

    @classmethod
    def of(cls, threshold: float | None, scale: Scale, *, rule: str, date: str) -> StoredThreshold:
        """A threshold with its scale's fingerprint."""
        return cls(threshold=threshold, rule=rule, date=date, scale=scale, fingerprint=scale.fingerprint)

    def state(self, now: Scale) -> str:
        """Whether the threshold may still be used on scores of this scale; a stale one names what has changed."""
        if self.fingerprint == now.fingerprint == self.scale.fingerprint:
            return CURRENT
        then, current = self.scale.model_dump(), now.model_dump()
        changed = [name.removesuffix("_sha256") for name in current if then[name] != current[name]]
        return f"{STALE} ({', '.join(changed) or 'fingerprint'} changed)"


def read_threshold(path: Path) -> StoredThreshold:
    """Reads a stored threshold.

    Raises:
        BadInput: the file cannot be read, or is no stored threshold.

    """
    with reading(path):
        raw = path.read_bytes()
    try:
        return StoredThreshold.model_validate_json(raw)
    except ValidationError as error:
        first = error.errors()[0]
        what = f"is no stored threshold ({'.'.join(map(str, first['loc'])) or 'the file'}: {first['msg']})"
        raise BadInput([Problem(path.name, None, what, "store one anew")]) from error

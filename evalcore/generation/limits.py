"""The thresholds of the checks, as the plan declared them before any item existed."""

from __future__ import annotations

import hashlib
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from evalcore.files import reading
from evalcore.goldset.schema import GOLD

PLAN = GOLD / "plan.toml"


@dataclass(frozen=True, slots=True)
class Limits:
    """What an item has to reach. Shares are of distinct content words; lengths are counted in characters."""

    content_share: float = 0.5
    key_share: float = 0.5
    options: int = 4
    shortest_distractor: float = 0.5
    longest_distractor: float = 2.0
    shared_words: int = 1
    duplicate_jaccard: float = 0.8
    numbers_not_found: int = 0
    plan_sha256: str | None = None

    @classmethod
    def of(cls, path: Path = PLAN) -> Self:
        """Those of a plan file.

        Raises:
            BadInput: the file is not there, is not TOML, or lacks an entry.

        """
        with reading(path):
            raw = path.read_bytes()
            declared = tomllib.loads(raw.decode("utf-8"))["generation_checks"]
            shortest, longest = declared["distractor_length_ratio_between"]
            return cls(
                content_share=declared["content_word_share_at_least"],
                key_share=declared["key_content_word_share_at_least"],
                options=declared["options"],
                shortest_distractor=shortest,
                longest_distractor=longest,
                shared_words=declared["distractor_on_topic_shared_content_words_at_least"],
                duplicate_jaccard=declared["near_duplicate_jaccard_at_least"],
                numbers_not_found=declared["numbers_not_in_passages_at_most"],
                plan_sha256=hashlib.sha256(raw).hexdigest(),
            )

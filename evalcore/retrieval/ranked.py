"""A ranking: ids with their scores, best first."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ranked:
    """Document ids and scores, best first; both of the same length, which is 0 when nothing was found."""

    ids: tuple[str, ...]
    scores: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.ids) != len(self.scores):
            raise ValueError(f"{len(self.ids)} ids but {len(self.scores)} scores")

    def __len__(self) -> int:
        return len(self.ids)

    def collapsed(self, group_of: dict[str, str]) -> Ranked:
        """One entry a group, at the rank and with the score of its best document (a section by its best passage)."""
        first: dict[str, float] = {}
        for identifier, score in zip(self.ids, self.scores, strict=True):
            first.setdefault(group_of[identifier], score)
        return Ranked(tuple(first), tuple(first.values()))

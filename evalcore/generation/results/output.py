"""The share of topics with valid output, and every cause of the others by name."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Self

from evalcore.evidence import Basis, Estimate, Source
from evalcore.generation.calls.outcomes import Outcome
from evalcore.generation.results.basis import evidence_of
from evalcore.generation.store.run import Run
from evalcore.stats.proportions import WILSON, wilson


@dataclass(frozen=True, slots=True)
class ValidOutput:
    """``share`` counts topics with an outcome of the model's own; ``open`` topics have none, so the run is incomplete.

    ``worst`` and ``best`` are the shares of all planned topics if every open one were to fail, or to succeed; while a
    topic is open they are assumed, since nobody has seen how it ends.
    """

    share: Estimate
    ok: int
    own: int
    planned: int
    causes: dict[Outcome, int]
    open: tuple[str, ...]
    worst: Estimate
    best: Estimate

    @classmethod
    def of(cls, run: Run) -> Self:
        """From the final outcome of each topic."""
        basis, sources = evidence_of(run)
        finals = {topic: end.outcome for topic, end in run.outcomes.items()}
        own = [outcome for outcome in finals.values() if outcome.of_model]
        ok, planned = own.count(Outcome.OK), len(run.topics)
        open_ = tuple(topic for topic in run.topics if topic not in finals or not finals[topic].of_model)
        if own:
            share = wilson(ok, len(own)).estimate(basis, sources)
        else:
            share = Estimate.not_assessed("no topic has an outcome of the model's own", method=WILSON)
        counted = Counter(finals.values())

        def if_open(end: str, hits: int) -> Estimate:
            found = wilson(hits, planned)
            if not open_:
                return found.estimate(basis, sources)
            supposed = Source(f"every open topic {end} ({len(open_)} of {planned})", chosen_by="this tool, as a bound")
            return found.estimate(Basis.ASSUMED, (*sources, supposed))

        return cls(
            share,
            ok,
            len(own),
            planned,
            {outcome: counted[outcome] for outcome in Outcome if counted[outcome]},
            open_,
            if_open("fails", ok),
            if_open("succeeds", ok + len(open_)),
        )

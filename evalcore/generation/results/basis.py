"""What kind of evidence a run's numbers are."""

from __future__ import annotations

from evalcore.evidence import Basis, Source
from evalcore.generation.rubric import Sheet, raters
from evalcore.generation.store.run import Run

Evidence = tuple[Basis, tuple[Source, ...]]


def evidence_of(run: Run) -> Evidence:
    """Generated answers, with model, date and how many items a person read; a recorded sample is assumed."""
    if run.began.written_for is not None:
        return Basis.ASSUMED, (Source("recorded sample, written for this demo", chosen_by=run.began.written_for),)
    read = {item for rater in raters(run) for item, _ in Sheet(run, rater).ratings}
    source = Source("generation run", model=", ".join(run.models), date=run.date, items_read=len(read))
    return Basis.GENERATED, (source,)


def evidence_of_both(first: Run, second: Run) -> Evidence:
    """Of a number from two runs: assumed as soon as one of them is."""
    (one, sources), (other, more) = evidence_of(first), evidence_of(second)
    return (Basis.ASSUMED if Basis.ASSUMED in (one, other) else Basis.GENERATED), (*sources, *more)

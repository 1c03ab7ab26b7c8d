"""Do our own intervals keep their word? The simulated figures as evidence, and what is better where one does not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from evalcore.evidence import Basis, Estimate, Source
from evalcore.files import BadInput, Problem
from evalcore.stats.coverage import (
    REMEDY,
    Coverage,
    UnusableFigures,
    Word,
    better,
    keeps_word,
    nearest,
    stored,
    without,
)
from evalcore.stats.coverage.figures import FIGURES, MOST_WITHOUT
from evalcore.stats.coverage.kinds import CLUSTERED_RATE, FAMILY, PLACES
from evalcore.stats.coverage.limits import LEVEL
from evalcore.stats.means import SEED

ERRORS = 2
_BRIEF = {
    Word.KEPT: "",
    Word.BROKEN: ", does not keep its word",
    Word.UNCLEAR: ", too close to say whether it keeps its word",
    Word.PARTLY: ", not for every sample",
}
_SENTENCE = {
    Word.KEPT: "It keeps its word",
    Word.BROKEN: "It does not keep its word",
    Word.UNCLEAR: "Whether it keeps its word is too close to say",
    Word.PARTLY: "It promises nothing in samples that it has no interval for",
}
# what a figure of one shape shows of another, and what it does not
_SHAPES = "shown for this shape and an ICC of up to 0.8; more items in a topic stretch the promise further"


@dataclass(frozen=True)
class Promise:
    """One simulated interval at one size, beside the figures of all.

    ``asked`` is the size that it was asked for where that is not simulated: the figure of the nearest size must not be
    read as its own.
    """

    figure: Coverage
    all: Sequence[Coverage]
    asked: str | None = None

    @property
    def family(self) -> str:
        """What it is an interval of."""
        return FAMILY[self.figure.interval]

    @property
    def name(self) -> str:
        """Interval and size."""
        return f"{self.figure.interval}, {self.figure.size}"

    @property
    def keeps(self) -> Word:
        """Whether the interval keeps its word, does not, or comes too close for the simulation to say."""
        return keeps_word(self.figure)

    @cached_property
    def better(self) -> Coverage | None:
        """The interval of the same kind of number that holds more often, where this one's word is not seen kept."""
        return better(self.figure, self.all)

    @cached_property
    def share(self) -> Estimate:
        """The lowest share over the populations, with two Monte Carlo errors on each side."""
        f = self.figure
        source = Source(f"named populations, {f.simulations:,} samples of each", chosen_by="the authors of this tool")
        return Estimate(
            f.share,
            max(0.0, f.share - ERRORS * f.error),
            min(1.0, f.share + ERRORS * f.error),
            LEVEL,
            f.simulations,
            f"simulated coverage, ± {ERRORS} Monte Carlo errors",
            Basis.ASSUMED,
            (source,),
            seed=SEED,
            resamples=f.simulations,
        )

    @property
    def verdict(self) -> str:
        """What follows a figure in a list, where its word is not kept."""
        return _BRIEF[self.keeps]

    def brief(self) -> str:
        """The figure for a line that has room for no more."""
        f, beside = self.figure, self.better
        at = f"nearest simulated size: {f.size}, here {self.asked}; " if self.asked else ""
        said = f"{100 * f.share:.1f} % ± {100 * f.error:.1f} ({at}lowest at: {f.population})"
        if self.lacking:
            said += f" of the samples with an interval; no interval: {self.lacking}"
        word = f"; better beside it: {beside.interval}" if beside else self._alone("; ")
        return f"{said}{self.verdict}{word}{f'; {_SHAPES}' if self._in_topics else ''}"

    @property
    def lacking(self) -> str | None:
        """The largest share of samples without an interval, where it is too large for a "yes"."""
        return without(self.figure) if self.figure.most_without > MOST_WITHOUT else None

    def _alone(self, joint: str) -> str:
        """That there is nothing better, for an interval whose word is not kept."""
        return "" if self.keeps is Word.KEPT else f"{joint}nothing better is simulated"

    def sentence(self) -> str:
        """What was found, in one sentence, and what to read beside it."""
        f = self.figure
        at = f" (the nearest simulated size; here {self.asked})" if self.asked else ""
        samples = "samples that have an interval" if self.lacking else "samples"
        said = (
            f"{self.name}{at}: held the truth in {100 * f.share:.1f} % of {samples} (Monte Carlo error "
            f"{100 * f.error:.1f}), lowest at: {f.population}. {_SENTENCE[self.keeps]}"
        )
        if self.lacking:
            said += f"; no interval: {self.lacking}"
        beside = self.better
        said += f"; better beside it: {beside.interval}, {100 * beside.share:.1f} %" if beside else self._alone("; ")
        return f"{said}.{f' {_SHAPES[:1].upper()}{_SHAPES[1:]}.' if self._in_topics else ''}"

    @property
    def _in_topics(self) -> bool:
        return self.family == CLUSTERED_RATE

    def row(self) -> dict[str, Any]:
        """For export."""
        f, beside = self.figure, self.better
        return {
            "interval": f.interval,
            "of": self.family,
            "size": f.size,
            "n": f.n,
            "share": f.share,
            "error": f.error,
            "population": f.population,
            "no_interval": f.undefined,
            "no_interval_most": f.most_without,
            "no_interval_most_at": f.most_without_at if f.most_without else None,
            "simulations": f.simulations,
            "keeps_word": str(self.keeps),
            "better": beside.interval if beside else None,
            "better_share": beside.share if beside else None,
            "basis": self.share.basis.value,
        }


def promise_of(method: str, n: int, clusters: int | None = None) -> Promise | None:
    """The figure of a method at the size nearest to ``n``, or to ``n`` items in so many topics; None without one.

    Raises:
        BadInput: the stored figures cannot be read.

    """
    with _usable():
        figure = nearest(method, n, clusters)
    if figure is None:
        return None
    topics, *_ = PLACES[figure.row][1].parts
    if not clusters:
        return Promise(figure, stored(), None if figure.n == n else f"n = {n}")
    same = figure.n == n and topics == clusters
    return Promise(figure, stored(), None if same else f"{n} items in {clusters} topics")


def stored_promises() -> list[Promise]:
    """Every simulated interval with its stored figure.

    Raises:
        BadInput: the stored figures cannot be read.

    """
    with _usable():
        return promises(stored())


@contextmanager
def _usable() -> Iterator[None]:
    """Stored figures that cannot be used are a problem of that file, with what mends it."""
    try:
        yield
    except UnusableFigures as error:
        raise BadInput([Problem(FIGURES.name, None, str(error), REMEDY)]) from error


def promises(figures: Sequence[Coverage]) -> list[Promise]:
    """Every simulated interval."""
    return [Promise(figure, figures) for figure in figures]

"""Do our own intervals keep their word? The simulated figures as evidence, and what is better where one does not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from evalcore.evidence import Basis, Estimate, Source
from evalcore.stats.coverage import Coverage, Word, better, keeps_word
from evalcore.stats.coverage.kinds import CLUSTERED_RATE, FAMILY
from evalcore.stats.coverage.limits import LEVEL
from evalcore.stats.means import SEED

ERRORS = 2
_BRIEF = {
    Word.KEPT: "",
    Word.BROKEN: ", does not keep its word",
    Word.UNCLEAR: ", too close to say whether it keeps its word",
}
_SENTENCE = {
    Word.KEPT: "It keeps its word",
    Word.BROKEN: "It does not keep its word",
    Word.UNCLEAR: "Whether it keeps its word is too close to say",
}
# what a figure of one shape shows of another, and what it does not
_SHAPES = "shown for this shape and an ICC of up to 0.8; more items in a topic stretch the promise further"


@dataclass(frozen=True)
class Promise:
    """One simulated interval at one size, beside the figures of all."""

    figure: Coverage
    all: Sequence[Coverage]

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
        said = f"{100 * f.share:.1f} % ± {100 * f.error:.1f} (lowest at: {f.population})"
        word = f"; better beside it: {beside.interval}" if beside else ""
        return f"{said}{self.verdict}{word}{f'; {_SHAPES}' if self._in_topics else ''}"

    def sentence(self) -> str:
        """What was found, in one sentence, and what to read beside it."""
        f = self.figure
        said = (
            f"{self.name}: held the truth in {100 * f.share:.1f} % of samples (Monte Carlo error {100 * f.error:.1f}), "
            f"lowest at: {f.population}. {_SENTENCE[self.keeps]}"
        )
        beside = self.better
        if beside is not None:
            said += f"; better beside it: {beside.interval}, {100 * beside.share:.1f} %"
        elif self.keeps is not Word.KEPT:
            said += ", and no simulated interval of its kind does better"
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
            "simulations": f.simulations,
            "keeps_word": str(self.keeps),
            "better": beside.interval if beside else None,
            "better_share": beside.share if beside else None,
            "basis": self.share.basis.value,
        }


def promises(figures: Sequence[Coverage]) -> list[Promise]:
    """Every simulated interval."""
    return [Promise(figure, figures) for figure in figures]

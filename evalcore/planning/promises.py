"""Do our own intervals keep their word? The simulated figures as evidence, and what is better where one does not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from evalcore.evidence import Basis, Estimate, Source
from evalcore.stats.coverage import Coverage, better, keeps_word
from evalcore.stats.coverage.kinds import FAMILY
from evalcore.stats.coverage.limits import LEVEL
from evalcore.stats.means import SEED

ERRORS = 2


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
    def keeps(self) -> bool:
        """Whether the interval keeps its word."""
        return keeps_word(self.figure)

    @cached_property
    def better(self) -> Coverage | None:
        """The interval of the same kind of number that holds more often, where this one does not keep its word."""
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

    def brief(self) -> str:
        """The figure for a line that has room for no more."""
        f, beside = self.figure, self.better
        said = f"{100 * f.share:.1f} % ± {100 * f.error:.1f} (lowest at: {f.population})"
        if self.keeps:
            return said
        word = f"; better beside it: {beside.interval}" if beside else ""
        return f"{said}, does not keep its word{word}"

    def sentence(self) -> str:
        """What was found, in one sentence, and what to read beside it."""
        f = self.figure
        said = (
            f"{self.name}: held the truth in {100 * f.share:.1f} % of samples (Monte Carlo error {100 * f.error:.1f}), "
            f"lowest at: {f.population}."
        )
        if self.keeps:
            return f"{said} It keeps its word."
        beside = self.better
        if beside is None:
            return f"{said} It does not keep its word, and no simulated interval of its kind does better."
        return f"{said} It does not keep its word; better beside it: {beside.interval}, {100 * beside.share:.1f} %."

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
            "keeps_word": self.keeps,
            "better": beside.interval if beside else None,
            "better_share": beside.share if beside else None,
            "basis": self.share.basis.value,
        }


def promises(figures: Sequence[Coverage]) -> list[Promise]:
    """Every simulated interval."""
    return [Promise(figure, figures) for figure in figures]

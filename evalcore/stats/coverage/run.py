"""Simulating the intervals, each at each size on its own, so that several processors can share the work."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from math import sqrt
from multiprocessing import get_context
from multiprocessing.connection import Connection
from threading import Thread

import numpy as np

from evalcore.stats.coverage.figures import Coverage
from evalcore.stats.coverage.kinds import PLACES, Design, Kind
from evalcore.stats.means import SEED
from evalcore.stats.resampling import Floats

ROWS = tuple(PLACES)


def simulate_all(
    simulations: int,
    *,
    workers: int = 1,
    seed: int = SEED,
    rows: Sequence[str] = ROWS,
    done: Callable[[], object] = lambda: None,
) -> list[Coverage]:
    """The figures of ``rows``, in their order; the number of ``workers`` changes none of them.

    ``done`` is called after each figure. Each population's samples come from a fresh ``default_rng(seed)``.
    """
    found = {}
    for row, figure in _computed(simulations, workers, seed, rows):
        found[row] = figure
        done()
    return [found[row] for row in rows]


def simulate(row: str, simulations: int, seed: int) -> Coverage:
    """One figure."""
    kind, design = PLACES[row]
    held = {}
    for name, population in kind.drawn(design).items():
        samples = population.draw(np.random.default_rng(seed), simulations, design.parts)
        low, high = kind.limits(samples, design.parts, seed)
        held[name] = np.where(np.isnan(low), np.nan, (low <= population.truth) & (population.truth <= high))
    return lowest(kind, design, held)


def lowest(kind: Kind, design: Design, held: Mapping[str, Floats]) -> Coverage:
    """The figure from each population's samples: 1 where the interval held the truth, 0 where not, NaN without one."""
    shares = {name: float(np.nanmean(each)) for name, each in held.items()}
    missing = {name: int(np.isnan(each).sum()) for name, each in held.items()}
    worst = min(shares, key=lambda name: shares[name])
    share, simulations = shares[worst], len(held[worst])
    return Coverage(
        interval=kind.method,
        n=design.n,
        size=design.text,
        share=share,
        error=sqrt(share * (1 - share) / (simulations - missing[worst])),
        population=worst,
        simulations=simulations,
        shares=shares,
        without={name: count / len(held[name]) for name, count in missing.items()},
        row=kind.row(design),
    )


def _computed(simulations: int, workers: int, seed: int, rows: Sequence[str]) -> Iterator[tuple[str, Coverage]]:
    """Each row with its figure, as they become ready."""
    if workers == 1:
        yield from ((row, simulate(row, simulations, seed)) for row in rows)
        return
    # spawned, not forked: a fork would copy threads of the linear algebra library in an unknown state
    context = get_context("spawn")
    theirs, ours = context.Pipe(duplex=False)
    # our end is closed before the pool waits for its workers: by then they are done, or must end unfinished
    with ProcessPoolExecutor(workers, mp_context=context, initializer=_end_with, initargs=(theirs,)) as pool, ours:
        waiting = {pool.submit(simulate, row, simulations, seed): row for row in rows}
        for future in as_completed(waiting):
            yield waiting[future], future.result()


def _end_with(line: Connection) -> None:
    """Ends this worker when the other end of ``line`` is closed.

    That happens when the simulation is broken off, and also when its process is killed: nothing else would tell a
    worker, which would work on for minutes and then wait for ever.
    """

    def watch() -> None:
        line.poll(None)
        os._exit(1)

    Thread(target=watch, daemon=True).start()

"""How long the core computation of the whole published report takes, beside SciPy and ranx on the same data.

Run ``python benchmarks/report_core.py``. Everything is timed in this one run, warm, as medians. ranx is timed when it
is installed (it is no dependency of the project). Ratios carry over to another machine; the seconds do not.
"""

from __future__ import annotations

import statistics
import sys
import time
import warnings
from importlib import import_module
from itertools import combinations
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import numpy as np  # noqa: E402
from scipy import stats  # noqa: E402

from benchmarks.timing import timed  # noqa: E402
from evalcore.goldset.schema import RANKERS, GoldSet  # noqa: E402
from evalcore.report import core  # noqa: E402
from evalcore.textbook import Textbook  # noqa: E402

MEASURES = {
    "nDCG@10": "ndcg@10",
    "RR@10": "mrr@10-l2",
    "R@5": "recall@5-l2",
    "R@10": "recall@10-l2",
    "Success@1": "hit_rate@1-l2",
    "Success@3": "hit_rate@3-l2",
    "Success@5": "hit_rate@5-l2",
    "Success@10": "hit_rate@10-l2",
}


def fresh() -> Textbook:
    """The study read from disk, nothing computed yet."""
    textbook = Textbook(GoldSet())
    _ = textbook.rankers, textbook.chunking, textbook.by_type
    return textbook


def report_seconds(times: int = 15) -> float:
    """Median of the core computation: files are read before the clock starts, nothing else is."""
    core(fresh())
    seconds = []
    for _ in range(times):
        textbook = fresh()
        start = time.perf_counter()
        core(textbook)
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


def scipy_seconds() -> tuple[float, int]:
    """The report's bootstrap intervals by scipy.stats.bootstrap with as many resamples, and how many they are."""
    textbook = fresh()
    compared = textbook.rankers
    values = compared.study.values
    graded = [m for m in compared.study.measures if not m.is_hit_rate]
    means = [values[run][m] for m in graded for run in RANKERS]
    pairs = [values[a][m] - values[b][m] for m in graded for a, b in combinations(RANKERS, 2)]
    types = [
        values[run][compared.plan.primary][compared.study.only(ids)]
        for ids in textbook.by_type.values()
        for run in RANKERS
    ]
    asked = [*((v, "percentile") for v in [*means, *pairs, *types]), *((v, "BCa") for v in means)]

    def work() -> Any:
        return [stats.bootstrap((v,), np.mean, n_resamples=10_000, method=method, rng=20241009) for v, method in asked]

    return timed(work, 5), len(asked)


def ranx_seconds() -> tuple[float, float] | None:
    """First and warm seconds of ranx.compare on the same files, measures and test; None when it is not installed."""
    try:
        ranx = import_module("ranx")
    except ImportError:
        return None
    gold = GoldSet().folder
    qrels = ranx.Qrels.from_file(str(gold / "qrels.trec"), kind="trec")
    runs = [ranx.Run.from_file(str(gold / "runs" / f"{name}.trec"), kind="trec", name=name) for name in RANKERS]

    def work() -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ranx.compare(
                qrels, runs, list(MEASURES.values()), stat_test="fisher", n_permutations=20_000, make_comparable=True
            )

    start = time.perf_counter()
    work()
    return time.perf_counter() - start, timed(work, 3)


def main() -> None:
    """Prints the figures."""
    ours = report_seconds()
    print(f"whole report, core computation, warm: {ours:.3f} s (budget 0.1 s)")
    print("  3 rankers, 8 measures, intervals and second intervals, all pairs and tests, types, chunking, ties")
    theirs, count = scipy_seconds()
    print(
        f"its {count} bootstrap intervals alone by scipy.stats.bootstrap: {theirs:.3f} s; "
        f"the whole report takes {ours / theirs:.2f} of that"
    )
    ranx = ranx_seconds()
    if ranx is None:
        print("ranx: not installed, not timed (pip install ranx==0.3.21)")
        return
    first, warm = ranx
    print(
        f"ranx.compare, same measures, 20,000 permutations, no intervals: first {first:.2f} s, "
        f"warm {warm:.3f} s; the whole report takes {ours / warm:.3f} of its warm time, {ours / first:.4f} of its first"
    )


if __name__ == "__main__":
    main()

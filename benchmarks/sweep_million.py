"""How long an abstention sweep over a million scores takes, beside scikit-learn's ROC curve and AUC on the same data.

Run ``python benchmarks/sweep_million.py``. Everything is timed in this one run, warm, as medians. scikit-learn is timed
when it is installed (it is no dependency of the project). Ratios carry over to another machine; the seconds do not.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import numpy as np  # noqa: E402

from benchmarks.timing import timed  # noqa: E402
from evalcore.abstention.cost import Costs, cheapest, cost_per_1000  # noqa: E402
from evalcore.abstention.scored import CORRECT, FALSE, Scored, feasible  # noqa: E402
from evalcore.abstention.sweep import sweep  # noqa: E402
from evalcore.evidence import Basis, Source  # noqa: E402
from evalcore.files.scores import SCORE, ScoreTable  # noqa: E402
from evalcore.gates import Gate  # noqa: E402

ANSWERABLE, UNANSWERABLE, SEED, APART = 600_000, 400_000, 20241009, 2.0
TIMES, BUDGET, SAME = 7, 0.5, 1e-12
COSTS, SHARE = Costs(3.0, 1.0), 0.1
GATES = {CORRECT: Gate(CORRECT, at_least=0.8), FALSE: Gate(FALSE, at_most=0.2)}


def drawn() -> ScoreTable:
    """Normal scores, the answerable ones two standard deviations higher, both kinds mixed; no column of scopes."""
    rng = np.random.default_rng(SEED)
    n = ANSWERABLE + UNANSWERABLE
    answerable = rng.permutation(np.arange(n) < ANSWERABLE)
    scores = rng.normal(size=n) + APART * answerable
    ids = tuple(f"q{i:07d}" for i in range(n))
    return ScoreTable("normal draws", "", ids, answerable, {SCORE: scores}, None, None)


def fresh(table: ScoreTable) -> Scored:
    """The scores with nothing computed yet; assumed, since they are drawn and come from no file."""
    return Scored(table, SCORE, Source(table.name, chosen_by="this benchmark"), Basis.ASSUMED)


def everything(scored: Scored) -> tuple[Any, ...]:
    """What ``sweep`` needs: rates, bands, costs and cheapest at two mixes, AUC, area, and what two gates leave."""
    swept = scored.sweep
    mixes = (swept.share, SHARE)
    return (
        swept.false_abstention,
        swept.correct_abstention,
        swept.false_band,
        swept.correct_band,
        [cost_per_1000(swept, COSTS, share) for share in mixes],
        [cheapest(swept, COSTS, share) for share in mixes],
        scored.auc,
        scored.area(),
        feasible(scored, GATES),
    )


def sklearn_seconds(table: ScoreTable) -> tuple[str, float, float, float] | None:
    """Version, seconds of roc_curve and of roc_auc_score, and the AUC; None when scikit-learn is not installed."""
    try:
        sklearn, metrics = import_module("sklearn"), import_module("sklearn.metrics")
    except ImportError:
        return None
    truth, scores = table.answerable, table.scores[SCORE]
    curve = timed(lambda: metrics.roc_curve(truth, scores, drop_intermediate=False), TIMES)
    area = timed(lambda: metrics.roc_auc_score(truth, scores), TIMES)
    return sklearn.__version__, curve, area, float(metrics.roc_auc_score(truth, scores), TIMES)


def main() -> None:
    """Prints the figures."""
    table = drawn()
    alone = timed(lambda: sweep(table.answerable, table.scores[SCORE]), TIMES)
    whole = timed(lambda: everything(fresh(table)), TIMES)
    scored = fresh(table)
    ours = scored.auc
    print(
        f"{ANSWERABLE:,} answerable and {UNANSWERABLE:,} unanswerable scores, {len(scored.sweep.thresholds):,} "
        f"distinct, seed {SEED}; medians of {TIMES} warm runs"
    )
    print(f"sweep alone: {alone:.3f} s")
    verdict = "under" if whole < BUDGET else "NOT under"
    print(
        f"the whole of sweep in process, no file read: {whole:.3f} s ({verdict} {BUDGET} s), "
        f"{whole / alone:.2f} times sweep alone"
    )
    print("  sweep, both rates, Wilson bands, cost and cheapest at two mixes, AUC with interval, area, two gates")
    print(f"  AUC {ours.value:.6f} [{ours.low:.6f}, {ours.high:.6f}], {ours.method}")
    peer = sklearn_seconds(table)
    if peer is None:
        print("scikit-learn: not installed, not timed, AUCs not compared (pip install scikit-learn)")
        return
    version, curve, area, theirs = peer
    print(f"scikit-learn {version}: roc_curve (every threshold kept) {curve:.3f} s, roc_auc_score {area:.3f} s")
    print(
        f"  sweep alone takes {alone / curve:.2f} of roc_curve; "
        f"the whole takes {whole / (curve + area):.2f} of both, which give no interval, band, cost or gate"
    )
    apart = abs(ours.value - theirs)
    print(f"  the AUCs {'agree' if apart <= SAME else 'DO NOT AGREE'}: they differ by {apart:.1e} (at most {SAME:.0e})")


if __name__ == "__main__":
    main()

"""File to measures: two TREC runs and their judgements, read and scored by this project and by its peers.

Run ``python benchmarks/trec_readers.py``; ``--lines 7000000`` is the size of the budget (DESIGN 11). The script makes
its own data from a seed. Every reader runs in a process of its own, one after the other, in as many rounds as asked
for. Start-up is timed apart: imports and one pass over a toy, in which ranx compiles itself. The peak is the whole
process's. A peer that is not installed is said and left out; ``--peers PYTHON`` names the interpreter of an environment
that has them. Ratios carry over to another machine; the seconds do not. On a machine that is busy with other work the
ratio of CPU seconds is the steadier one, though it does not show that this project reads with two threads.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
RUNS = ("first", "second")
TOY = 2000
DOCUMENTS = 8_800_000
JUDGED = 8
Means = dict[str, float]


def make(folder: Path, lines: int, each: int, seed: int) -> None:
    """Two runs of about ``lines`` lines, ``each`` of a question, and judgements of some of the best."""
    import numpy as np

    rng = np.random.default_rng(seed)
    questions = range(1_000_000, 1_000_000 + max(1, lines // each))
    judged: dict[int, dict[int, int]] = {q: {} for q in questions}
    for name in RUNS:
        with (folder / f"{name}.trec").open("w") as file:
            for q in questions:
                known = list(judged[q])
                fresh = rng.choice(DOCUMENTS, each, replace=False).tolist()
                documents = list(dict.fromkeys([*fresh[:2], *known, *fresh]))[:each]
                scores = np.sort(rng.normal(20, 5, each))[::-1].tolist()
                rows = zip(documents, range(1, each + 1), scores, strict=True)
                file.writelines(f"{q} Q0 {d} {rank} {score:.6f} {name}\n" for d, rank, score in rows)
                judged[q] |= dict(zip(documents[:JUDGED], rng.integers(0, 3, JUDGED).tolist(), strict=False))
                judged[q][documents[0]] = 1
    with (folder / "qrels").open("w") as file:
        file.writelines(f"{q} 0 {d} {grade}\n" for q, grades in judged.items() for d, grade in grades.items())


def ours() -> Callable[[Path], Means]:
    sys.path.insert(0, str(ROOT))
    from evalcore.files import read_qrels, read_run
    from evalcore.study import join

    def work(folder: Path) -> Means:
        qrels = read_qrels(folder / "qrels", name="qrels")
        study = join(qrels, [read_run(folder / f"{name}.trec", name=name) for name in RUNS])
        return {run: float(next(iter(values.values())).mean()) for run, values in study.values.items()}

    return work


def pytrec_eval() -> Callable[[Path], Means]:
    import pytrec_eval as peer

    def work(folder: Path) -> Means:
        with (folder / "qrels").open() as file:
            qrels = peer.parse_qrel(file)
        # it has no RR@10; RR over the whole ranking costs it no more
        wanted = {"ndcg_cut.10", "recip_rank", "recall.5,10", "success.1,3,5,10"}
        runs = {}
        for name in RUNS:
            with (folder / f"{name}.trec").open() as file:
                runs[name] = peer.parse_run(file)
        found = {name: peer.RelevanceEvaluator(qrels, wanted).evaluate(run) for name, run in runs.items()}
        return {n: statistics.fmean(values["ndcg_cut_10"] for values in q.values()) for n, q in found.items()}

    return work


def ir_measures() -> Callable[[Path], Means]:
    import ir_measures as peer

    names = ("nDCG@10", "RR@10", "R@5", "R@10", "Success@1", "Success@3", "Success@5", "Success@10")
    wanted = [peer.parse_measure(name) for name in names]

    def work(folder: Path) -> Means:
        qrels = list(peer.read_trec_qrels(str(folder / "qrels")))
        found = {}
        for name in RUNS:
            run = peer.read_trec_run(str(folder / f"{name}.trec"))
            found[name] = float(peer.calc_aggregate(wanted, qrels, run)[wanted[0]])
        return found

    return work


def ranx() -> Callable[[Path], Means]:
    import ranx as peer

    hits = [f"hit_rate@{k}" for k in (1, 3, 5, 10)]
    wanted = ["ndcg@10", "mrr@10", "recall@5", "recall@10", *hits]

    def work(folder: Path) -> Means:
        qrels = peer.Qrels.from_file(str(folder / "qrels"), kind="trec")
        runs = {name: peer.Run.from_file(str(folder / f"{name}.trec"), kind="trec", name=name) for name in RUNS}
        return {name: float(peer.evaluate(qrels, run, wanted)["ndcg@10"]) for name, run in runs.items()}

    return work


READERS = {"evalcore": ours, "pytrec_eval": pytrec_eval, "ranx": ranx, "ir_measures": ir_measures}


def child(reader: str, folder: Path) -> None:
    """One reader in this process: prints its figures as JSON, or the module that is missing."""
    begun = time.perf_counter()
    try:
        work = READERS[reader]()
    except ImportError as error:
        print(json.dumps({"missing": f"{error.name} is not installed"}))
        return
    with tempfile.TemporaryDirectory() as toy:
        make(Path(toy), TOY, TOY // 2, 1)
        work(Path(toy))
    ready, worked = time.perf_counter(), time.process_time()
    means = work(folder)
    done, cpu = time.perf_counter(), time.process_time() - worked
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    figures = {"start": ready - begun, "seconds": done - ready, "cpu": cpu, "peak": peak, "means": means}
    print(json.dumps(figures))


def measured(python: str, reader: str, folder: Path) -> dict[str, Any]:
    """One reader in a process of its own."""
    command = [python, __file__, "--reader", reader, "--folder", str(folder)]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    if answer.returncode:
        last = (answer.stderr.strip().splitlines() or ["no word"])[-1]
        return {"missing": f"it failed: exit {answer.returncode}, {last}"}
    return dict(json.loads(answer.stdout.splitlines()[-1]))


def table(folder: Path, rounds: int, peers: str) -> None:
    """Prints the table: each round gives one ratio to our time in the same round, and the median is shown."""
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in READERS}
    absent = {}
    for _ in range(rounds):
        for name in READERS:
            if name not in absent:
                figures = measured(sys.executable if name == "evalcore" else peers, name, folder)
                print(name, figures, file=sys.stderr, flush=True)
                if "missing" in figures:
                    absent[name] = figures["missing"]
                else:
                    found[name].append(figures)
    if "evalcore" in absent:
        raise SystemExit(f"evalcore: {absent['evalcore']}")
    print("| reader | seconds | times ours (each round) | CPU seconds, times ours | peak MB | start-up s | nDCG@10 |")
    print("|---|---|---|---|---|---|---|")
    for name, rows in found.items():
        if name in absent:
            print(f"| {name} | not measured ({absent[name]}) | | | | | |")
            continue
        pairs = list(zip(rows, found["evalcore"], strict=True))
        wall, cpu = ([row[key] / our[key] for row, our in pairs] for key in ("seconds", "cpu"))
        seconds, start = (statistics.median(row[key] for row in rows) for key in ("seconds", "start"))
        cells = (
            name,
            f"{seconds:.2f}",
            f"{statistics.median(wall):.1f} ({', '.join(f'{ratio:.1f}' for ratio in wall)})",
            f"{statistics.median(cpu):.1f}",
            f"{max(row['peak'] for row in rows):.0f}",
            f"{start:.2f}",
            ", ".join(f"{mean:.6f}" for mean in rows[0]["means"].values()),
        )
        print(f"| {' | '.join(cells)} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--lines", type=int, default=500_000, help="lines of each run (budget: 7000000)")
    parser.add_argument("--each", type=int, default=1000, help="lines of a question")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=20241009)
    parser.add_argument("--peers", default=sys.executable, help="interpreter of an environment with the peers")
    parser.add_argument("--reader", choices=list(READERS), help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help="where the data lie or are made; a temporary folder without it")
    given = parser.parse_args()
    if given.reader:
        child(given.reader, given.folder)
        return
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.folder or Path(scratch)
        if not (folder / "qrels").exists():
            make(folder, given.lines, given.each, given.seed)
        count = sum(1 for _ in (folder / f"{RUNS[0]}.trec").open("rb"))
        print(f"two runs of {count:,} lines, {given.rounds} rounds", flush=True)
        table(folder, given.rounds, given.peers)


if __name__ == "__main__":
    main()

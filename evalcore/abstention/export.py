"""A sweep as plain data: the JSON of the command line, and the CSV that page and command line share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from evalcore.abstention.cost import Cheapest, Costs, cheapest, cost_per_1000, unsupported_share
from evalcore.abstention.cuts import Cut
from evalcore.abstention.scored import GENERATED, Scored, feasible
from evalcore.evidence import Count, Estimate
from evalcore.evidence.rows import reasoned_row
from evalcore.files.tables import to_csv
from evalcore.gates import Decision, Gate

MOST = 2_000
COLUMNS = (
    "threshold",
    "served",
    "coverage",
    "false_abstention",
    "correct_abstention",
    "unsupported_share",
    "cost_per_1000_test_mix",
    "cost_per_1000",
    "wrong_scope_served",
)


def candidate_rows(
    scored: Scored, costs: Costs, share: float, places: Iterable[int] | None = None
) -> list[dict[str, Any]]:
    """One row a candidate, or for each of ``places``, ascending; "refuse everything" is last, with threshold None."""
    swept = scored.sweep
    kept = range(len(swept)) if places is None else places
    own, chosen = cost_per_1000(swept, costs, swept.share), cost_per_1000(swept, costs, share)
    unsupported = unsupported_share(swept, swept.share)
    return [
        {
            "threshold": swept.threshold(i),
            "served": int(swept.served[i]),
            "coverage": float(swept.coverage[i]),
            "false_abstention": float(swept.false_abstention[i]),
            "correct_abstention": float(swept.correct_abstention[i]),
            "unsupported_share": None if np.isnan(unsupported[i]) else float(unsupported[i]),
            "cost_per_1000_test_mix": float(own[i]),
            "cost_per_1000": float(chosen[i]),
            "wrong_scope_served": None if swept.wrong_scope is None else int(swept.wrong_scope[i]),
        }
        for i in kept
    ]


def thinned(count: int, most: int) -> list[int]:
    """At most ``most`` (at least 2) of ``count`` places, evenly apart, the first and the last among them."""
    if count <= most:
        return list(range(count))
    return [round(i * (count - 1) / (most - 1)) for i in range(most)]


def candidates_csv(scored: Scored, costs: Costs, share: float) -> str:
    """Every candidate, with what ties a row to its file and to what was assumed."""
    stamp = {
        "rule": "",
        "cost_unsupported": costs.unsupported,
        "cost_refusal": costs.refusal,
        "unanswerable_share": share,
        "rates_basis": scored.basis.value,
        "costs_basis": "Assumed",
        "provisional": scored.provisional,
        "scores": scored.source.name,
        "scores_sha256": scored.table.sha256,
    }
    rows = [{**row, **stamp} for row in candidate_rows(scored, costs, share)]
    rows[0]["rule"], rows[-1]["rule"] = "answer everything", "refuse everything"
    return to_csv(rows)


def estimates_csv(rows: Iterable[tuple[str, Estimate]], stamp: Mapping[str, Any]) -> str:
    """Named numbers with their intervals, methods and labels, and what they rest on."""
    return to_csv([{"what": name, **reasoned_row(e)} for name, e in rows], stamp=stamp)


def gates_csv(rows: Iterable[tuple[Gate, Estimate | Count]], stamp: Mapping[str, Any]) -> str:
    """Gates with what was measured for each, the result, and whether the interval lies on one side."""
    full = [
        {
            **_gate(gate, m),
            "interval_on_one_side": gate.decided_by_interval(m),
            "basis": m.basis.value,
            "reason": m.reason,
        }
        for gate, m in rows
    ]
    return to_csv(full, stamp=stamp)


def sweep_json(
    scored: Scored,
    gates: Mapping[str, Gate],
    decision: Decision,
    *,
    costs: Costs,
    shares: Sequence[float],
    threshold: float | None,
) -> dict[str, Any]:
    """What ``sweep --json`` prints; costs and reasons at the first share."""
    swept, candidate, first = scored.sweep, scored.sweep.at(threshold), shares[0]
    (row,) = candidate_rows(scored, costs, first, [candidate])
    auc = scored.auc
    measured = [(gate, m) for gate, m in scored.against(gates, candidate) if gate.name != GENERATED]
    return {
        "study": {
            "answerable": swept.answerable,
            "unanswerable": swept.unanswerable,
            "score": scored.column,
            "scores_sha256": scored.table.sha256,
            "basis": scored.basis.value,
            "provisional": scored.provisional,
            "held_out": "not assessed",
        },
        "assumed": {
            "cost_unsupported": costs.unsupported,
            "cost_refusal": costs.refusal,
            "unanswerable_share": first,
            "what": "every cost, and what stands at a share of traffic; candidates and chosen_mix are at this share",
        },
        "auc": {
            "value": auc.value,
            "low": auc.low,
            "high": auc.high,
            "pairs_won": scored.pairs.won,
            "pairs": scored.pairs.pairs,
        },
        "feasible": [_cut(cut) for cut in feasible(scored, gates)],
        "cheapest": {
            "test_mix": _cheapest(cheapest(swept, costs, swept.share)),
            "chosen_mix": _cheapest(cheapest(swept, costs, first)),
        },
        "candidates": candidate_rows(scored, costs, first, thinned(len(swept), MOST)),
        "candidates_total": len(swept),
        "at_threshold": {
            **row,
            "threshold": threshold,
            "candidate": row["threshold"],
            **_limits("false_abstention", scored.false_abstention(candidate)),
            **_limits("correct_abstention", scored.correct_abstention(candidate)),
            **_limits("unsupported_share", scored.unsupported(candidate)),
        },
        "by_mix": [
            {
                "unanswerable_share": share,
                "unsupported_share": scored.unsupported_at(candidate, share).value,
                "cost_per_1000": scored.cost(candidate, costs, share).value,
                "cheapest": _cheapest(cheapest(swept, costs, share)),
            }
            for share in shares
        ],
        "gates": [_gate(gate, m) for gate, m in measured],
        GENERATED: "not assessed",
        "go": decision.go,
        "reasons": list(decision.reasons),
    }


def _cut(cut: Cut) -> dict[str, float | None]:
    return {"low": cut.low, "high": cut.high}


def _cheapest(found: Cheapest) -> list[dict[str, float | None]]:
    return [{**_cut(cut), "cost_per_1000": found.cost} for cut in found.cuts]


def _limits(name: str, estimate: Estimate) -> dict[str, float | None]:
    return {f"{name}_low": estimate.low, f"{name}_high": estimate.high}


def _gate(gate: Gate, measured: Estimate | Count) -> dict[str, Any]:
    value: float | None
    low = high = None
    if isinstance(measured, Count):
        value = measured.count
    else:
        value, low, high = measured.value, measured.low, measured.high
    result = gate.result(measured).value
    return {"name": gate.name, "value": value, "low": low, "high": high, "bound": gate.limit, "result": result}

"""A plan as JSON and CSV: what the command line prints and the page downloads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evalcore.evidence.rows import estimate_row, reasoned_row
from evalcore.files.tables import Row, to_csv
from evalcore.planning.flips import SupposedFlips
from evalcore.planning.own import OwnPair, OwnPower
from evalcore.planning.rates import GateChance, HalfWidth, SupposedRate, width
from evalcore.planning.topics import ITEMS, TOPICS, TopicPlan, budget_table


def half_width_rows(rate: float, rows: Sequence[HalfWidth]) -> list[dict[str, Any]]:
    """The table of half-widths."""
    return [
        {
            "rate": rate,
            "half_width": row.half_width,
            "n_normal": row.normal.value,
            "n_wilson": row.wilson.value,
            "rules_out_below_normal": row.ruled_out.value,
            "rules_out_below_wilson": row.ruled_out_wilson.value,
            "normal_caution": row.caution,
            "basis": row.normal.basis.value,
        }
        for row in rows
    ]


def rate_rows(supposed: Sequence[SupposedRate]) -> list[dict[str, Any]]:
    """Supposed hits with each method's interval, one row a method."""
    return [
        {"hits": s.hits, "questions": s.n, **reasoned_row(e), "width": width(e).value, "one_question": 1 / s.n}
        for s in supposed
        for e in s.methods
    ]


def flip_rows(supposed: Sequence[SupposedFlips]) -> list[dict[str, Any]]:
    """Supposed flips with their paired and unpaired intervals."""
    return [
        {
            "n": s.table.n,
            "first_only": s.table.first_only,
            "second_only": s.table.second_only,
            "both": s.table.both,
            "neither": s.table.neither,
            "standard_error": s.error.value,
            "p": s.p.value,
            "unpaired_low": s.unpaired.low,
            "unpaired_high": s.unpaired.high,
            **reasoned_row(s.paired),
        }
        for s in supposed
    ]


def gate_rows(gate: GateChance) -> list[dict[str, Any]]:
    """The chances of a gate."""
    return [
        {
            "gate": "at least" if gate.at_least else "at most",
            "limit": gate.limit,
            "n": gate.n,
            "needed": gate.needed,
            "true_rate": rate,
            "passes": chance.value,
            "basis": chance.basis.value,
        }
        for rate, chance in gate.table()
    ]


def budget_rows(plan: TopicPlan) -> list[dict[str, Any]]:
    """Half-widths by topics and items."""
    return [
        {
            "topics": topics,
            "items": items,
            "icc": plan.icc,
            "rate": plan.rate,
            "half_width": estimate.value,
            "basis": estimate.basis.value,
        }
        for topics, row in zip(TOPICS, budget_table(plan), strict=True)
        for items, estimate in zip(ITEMS, row, strict=True)
    ]


def own_rows(pairs: Sequence[tuple[OwnPair, Sequence[OwnPower]]]) -> list[dict[str, Any]]:
    """One row a pair and number of questions; a pair without a simulation has one row with its spread."""
    rows = []
    for pair, powers in pairs:
        head = {
            "first": pair.first,
            "second": pair.second,
            "measure": str(pair.measure),
            "worth": pair.worth,
            "questions_seen": pair.n,
            "ties": pair.ties,
            "spread": pair.spread.value,
            "d_z": pair.d_z.value,
            "d_z_low": pair.d_z.low,
            "d_z_high": pair.d_z.high,
            "d_z_at_worth": pair.d_z_at_worth.value,
        }
        for power in powers:
            family = reasoned_row(power.family)
            one, *kept = (
                {f"{prefix}_{k}": v for k, v in estimate_row(estimate).items() if k in ("value", "low", "high")}
                for prefix, estimate in (
                    ("one_test", power.one_test),
                    ("ties_kept_one_test", power.one_test_ties),
                    ("ties_kept", power.family_ties),
                )
            )
            beside = {**kept[0], **kept[1], "ties_kept_reason": power.family_ties.reason}
            closed = {
                "closed_form_one_test": pair.closed_form(power.n, pair.compared.plan.alpha).value,
                "closed_form_family": pair.closed_form(power.n, pair.first_step).value,
            }
            studies = {"studies": family.pop("n"), "seed": power.family.seed}
            rows.append({**head, "questions": power.n, **one, **family, **beside, **closed, **studies})
        if not powers:
            rows.append(head)
    return rows


def rows_csv(rows: Sequence[Row], tied_to: Row) -> str:
    """Rows as CSV."""
    return to_csv(list(rows), stamp=tied_to)

"""Tables of the page: the four outcomes, the gates, the sweep, and the threshold with its fingerprint."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import streamlit as st

from evalcore.abstention.cuts import shown
from evalcore.abstention.export import candidate_rows, candidates_csv, gates_csv
from evalcore.abstention.scale import CURRENT, StoredThreshold
from evalcore.abstention.scored import UNREAD, decides_nothing
from evalcore.abstention.words import departures
from evalcore.evidence import Estimate
from evalcore.evidence.claims import number
from evalcore.gates import decide
from evalcore.studies import MEANINGS
from ui.abstention.controls import Choice
from ui.evidence import NAMES, coverage_note, gates_table, labels, spoken
from ui.tables import download, save, table
from ui.text import plain

SWEEP_TERMS = {
    "Serve at or above": "A candidate: one of the distinct scores. Between two of them nothing changes.",
    "False abstention": "Answerable questions refused.",
    "Correct abstention": "Unanswerable questions refused.",
    "Unsupported share": "Unanswerable questions among those served, at the file's mix; a floor on selective risk.",
}


def outcomes_table(choice: Choice) -> None:
    """The four outcomes as a 2 x 2 table, and the two rates and the share that they make."""
    s, at = choice.scored, choice.candidate
    st.header("Four outcomes", anchor=False)
    cells = {(a, v): s.outcome(at, answerable=a, served=v) for a in (True, False) for v in (True, False)}
    rows = [
        {
            "": "Answerable",
            "Served": f"{cells[True, True].count} served, answerable",
            "Refused": f"{cells[True, False].count} false abstention",
        },
        {
            "": "Unanswerable",
            "Served": f"{cells[False, True].count} unsupported answer",
            "Refused": f"{cells[False, False].count} correct abstention",
        },
    ]
    table(rows, f"Questions of the file at this threshold. {labels(list(cells.values()))}{_invented(choice)}")
    share, at_mix = s.unsupported(at), s.unsupported_at(at, choice.share, generation_error=choice.error)
    lines = [
        ("Correct abstention", s.correct_abstention(at)),
        ("False abstention", s.false_abstention(at)),
        ("Unsupported share of served, file's mix", share),
    ]
    said = [f"- **{name}** {_value(e)}" for name, e in lines]
    said.append(
        f"- **Unsupported share of served, chosen mix** {number(at_mix.value)} "
        f"({at_mix.basis.value.lower()}: {number(choice.share)} of traffic unanswerable, generation error "
        f"{number(choice.error, 2)})"
        if at_mix.value is not None
        else f"- **Unsupported share of served, chosen mix**: {plain(str(at_mix.reason))}"
    )
    cost = s.cost(at, choice.costs, choice.share)
    said.append(
        f"- **Cost per 1,000 questions, chosen mix** {number(cost.value, 0)} ({cost.basis.value.lower()}; generation "
        "errors cost nothing)"
    )
    st.markdown("\n".join(said))


def gates_section(choice: Choice) -> None:
    """Every gate with what was measured for it, and what they say together."""
    st.header("Gates", anchor=False)
    rows = choice.scored.against(choice.gates, choice.candidate)
    decision = decide(rows, decides_nothing=decides_nothing(choice.scored, choice.gates))
    st.markdown(
        f"**{plain(decision.sentence)}** Generated-answer competence: not assessed ({UNREAD}); it is no part of go."
    )
    gates_table(
        [(NAMES[gate.name], gate, measured) for gate, measured in rows],
        f"At threshold {shown(choice.threshold)} on {choice.name}.{_invented(choice)} A gate "
        "that is not assessed is no pass.",
        choice.study.gates,
    )
    download(gates_csv(rows, stamp(choice)), f"{choice.file}-gates.csv")
    coverage_note([choice.scored.auc, *(m for _, m in rows if isinstance(m, Estimate))])
    opened = len(choice.study.held_out.openings)
    st.caption(
        "Intervals are pointwise, and the threshold was chosen on the same questions, which none of them allows for. "
        f"Held-out: not assessed; there is no held-out part yet, and it was opened {opened} times. Development only."
    )


def sweep_section(choice: Choice) -> None:
    """One row a candidate, with the two rules that need no threshold."""
    s = choice.scored
    with st.expander(f"The sweep: every threshold that matters, {len(s.sweep)} rows", icon=":material/table:"):
        rows = candidate_rows(s, choice.costs, choice.share)
        last = len(rows) - 1
        shown_rows = [
            {
                "Serve at or above": _rule(row["threshold"], i, last),
                "Served": str(row["served"]),
                "False abstention": f"{int(s.sweep.refused_answerable[i])} of {s.sweep.answerable}",
                "Correct abstention": f"{int(s.sweep.refused_unanswerable[i])} of {s.sweep.unanswerable}",
                "Unsupported share": number(row["unsupported_share"]),
                "Cost, file's mix": number(row["cost_per_1000_test_mix"], 0),
                "Cost, chosen mix": number(row["cost_per_1000"], 0),
                "Wrong scope served": "–" if row["wrong_scope_served"] is None else str(row["wrong_scope_served"]),
            }
            for i, row in enumerate(rows)
        ]
        text = (
            f"Rates: {s.basis.value}{', provisional' if s.provisional else ''}. Costs per 1,000 questions: Assumed, "
            f"{choice.costs.unsupported:g} : {choice.costs.refusal:g}, chosen mix {choice.share:g}. Nothing served "
            "has no unsupported share."
        )
        table(shown_rows, text, SWEEP_TERMS)
    download(candidates_csv(s, choice.costs, choice.share), f"{choice.file}-sweep.csv")


def threshold_section(choice: Choice) -> None:
    """The threshold belongs to one score scale: stored with its fingerprint, stale when that changes."""
    st.header("A threshold belongs to one score", anchor=False)
    study, scale = choice.study, choice.study.scales[choice.column]
    if study.stored is not None:
        stored = study.stored
        now = study.scales[stored.scale.score]
        state = stored.state(now)
        icon = ":material/check_circle:" if state == CURRENT else ":material/warning:"
        value = "refuse everything" if stored.threshold is None else shown(stored.threshold)
        st.markdown(
            f"{icon} Stored for {plain(MEANINGS[stored.scale.score])}: **{value}**, {plain(state)} "
            f"({plain(stored.rule)}; chosen {plain(stored.date)})."
        )
    live = choice.scored.refused_at(choice.candidate, choice.share)
    st.markdown(
        f"Watch the share of live questions refused. At this threshold and the chosen mix it would be "
        f"{number(live.value)} ({live.basis.value.lower()}); when it jumps, the model, the cutting or the text has "
        "changed, and the same number means another rule."
    )
    chosen = StoredThreshold.of(
        choice.threshold, scale, rule="set by hand on the page", date=f"{datetime.now(UTC):%Y-%m-%d}"
    )
    save("This threshold, JSON", chosen.model_dump_json(indent=1), f"{choice.file}-threshold.json", "application/json")
    st.caption(f"Fingerprint of {choice.name}: {scale.fingerprint[:16]}… (score, model, cutting and text)")


def stamp(choice: Choice) -> dict[str, Any]:
    """What ties an exported row to its file, its settings, and how these depart from the plan."""
    study = choice.study
    said = departures(study.gates, choice.gates, study.declared, choice.costs, choice.share)
    return {
        "study": study.title,
        "score": choice.column,
        "threshold": choice.threshold,
        "cost_unsupported": choice.costs.unsupported,
        "cost_refusal": choice.costs.refusal,
        "unanswerable_share": choice.share,
        "generation_error": choice.error,
        "departs_from_plan": "; ".join(said),
        "provisional": choice.scored.provisional,
        "scores_sha256": choice.scored.table.sha256,
        "plan_sha256": study.plan_sha256,
    }


def _invented(choice: Choice) -> str:
    return " Synthetic: invented questions and scores." if choice.scored.synthetic else ""


def _rule(threshold: float | None, place: int, last: int) -> str:
    if threshold is None:
        return "refuse everything"
    return f"{shown(threshold)} (answer everything)" if place == 0 else shown(threshold)


def _value(estimate: Estimate) -> str:
    if estimate.value is None:
        return f": {plain(str(estimate.reason))}"
    return f"{number(estimate.value)} ({spoken(estimate)}, n = {estimate.n})"

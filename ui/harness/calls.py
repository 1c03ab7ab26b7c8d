"""The audit log: every attempt with what was sent, without the key."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from evalcore.evidence.claims import number
from evalcore.files.tables import to_csv
from evalcore.generation.audit import AuditRow, audit_rows
from evalcore.generation.results.basis import evidence_of
from evalcore.generation.store.events import Place
from evalcore.generation.words import without_model
from ui.harness.visit import Visit
from ui.tables import save, table
from ui.text import plain

_TERMS = {
    "When (UTC)": "Month, day and time at which the attempt began, and how long it took.",
    "What": "A topic's pack, or an item that the judge was asked about.",
    "Against the model": "Whether the outcome counts in the share of topics with valid output as the model's failure.",
    "Temperature": "What was sent; – means that none was.",
    "Cost, USD": "At list price, from the tokens that the service counted; – where it is not known.",
}


def calls_section(visit: Visit) -> None:
    """One row an attempt; the model's name only for whoever may see it."""
    st.header("Calls", anchor=False)
    run = visit.run
    rows = audit_rows(run)
    if not rows:
        st.info("This run has made no call.", icon=":material/call:")
        return
    blind = bool(visit.unnamed)
    if blind:
        st.caption(
            "The model's name, tokens, cost, what was sent and the download stay hidden while items wait for a blind "
            f"rating by {plain(visit.rater)}, or are still to come."
        )
        st.button(
            f"Show them: {len(visit.unnamed)} items are then not rated blind",
            icon=":material/visibility:",
            on_click=visit.show_all,
            args=(Place.RESULTS,),
            key="show_calls",
        )
    else:
        # a "faithful" changed after the model's name was shown is not blind
        visit = visit.all_shown(Place.RESULTS)
    caption = f"Attempts in the order in which they began. Nothing here holds the key. {evidence_of(run)[0].value}."
    table([_shown(visit, row, blind=blind) for row in rows], caption + ("" if blind else _models(rows)), _TERMS)
    if blind:
        return
    save("CSV", to_csv([row.flat() for row in rows]), "calls.csv", "text/csv")
    sent = [row for row in rows if row.sent]
    if not sent:
        return
    st.subheader("What was sent", anchor=False)
    names = {f"{row.unit}, attempt {row.attempt} ({row.purpose})": row for row in sent}
    chosen = st.selectbox("Call", list(names), key="harness_call", help="The body of the request, as it was sent.")
    st.code(names[chosen].sent, language="json", wrap_lines=True, height=360)


def _shown(visit: Visit, row: AuditRow, *, blind: bool) -> dict[str, str]:
    topic = visit.run.topics.get(row.unit)
    detail = without_model(visit.run, row.detail) if blind else row.detail
    what = f"{topic.title if topic else row.unit}{', judge' if row.purpose == 'judge' else ''}"
    began = (row.called or row.ended or "")[5:19].replace("T", " ")
    return {
        "What": f"{what}, attempt {row.attempt}" if row.attempt else "The run",
        "When (UTC)": began + (f", {number(row.seconds, 1)} s" if row.seconds is not None else ""),
        "Outcome": f"{row.outcome.replace('_', ' ')}: {detail}" if detail else row.outcome,
        "Against the model": "yes" if row.against_model else "no",
        "Stop reason": row.stop_reason or "–",
        "Request id": row.request_id or "–",
        # they tell models apart
        **({} if blind else {"Tokens in / out": _tokens(row), "Cost, USD": number(row.cost_usd, 4)}),
        **({} if blind else {"Temperature": _temperature(row)}),
    }


def _tokens(row: AuditRow) -> str:
    return "–" if row.input_tokens is None else f"{row.input_tokens:,} / {row.output_tokens:,}"


def _temperature(row: AuditRow) -> str:
    return "–" if row.temperature_sent is None else str(row.temperature_sent)


def _models(rows: Sequence[AuditRow]) -> str:
    asked = ", ".join(dict.fromkeys(row.model_asked for row in rows if row.model_asked)) or "none"
    answered = ", ".join(dict.fromkeys(row.model_answered for row in rows if row.model_answered)) or "none"
    return f" Models asked: {asked}; that answered: {answered}."

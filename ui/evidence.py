"""How evidence objects are shown: cards, badges and tables. A number reaches a page through one of these."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pandas as pd
import streamlit as st

from evalcore.evidence import Basis, Comparison, Count, Estimate
from evalcore.evidence.claims import interval, number, p_value, signed
from evalcore.gates import Gate, Result
from evalcore.measures import Measure
from ui import cached
from ui.figures import interval_svg
from ui.theme import label, palette

_BASIS = {
    Basis.RETRIEVAL: (
        ":material/database:",
        "blue",
        "Computed from stored rankings and judgements. It says nothing about answers that a model writes.",
    ),
    Basis.GENERATED: (
        ":material/robot_2:",
        "green",
        "Computed from answers that a model generated, with model, date and how many were read.",
    ),
    Basis.ASSUMED: (":material/edit:", "orange", "A number that somebody chose, such as a cost or a share of traffic."),
    Basis.NOT_ASSESSED: (":material/block:", "gray", "Nothing was measured; the evidence stops here."),
}
_RESULT = {
    Result.PASS: ":material/check_circle: pass",
    Result.FAIL: ":material/cancel: fail",
    Result.NOT_ASSESSED: ":material/help: not assessed",
}
TERMS = {
    "nDCG@10": "Normalised discounted cumulative gain: rewards grades near the top of the first ten; 1 is the best possible order.",
    "RR@10": "1 / rank of the first answer-bearing passage in the top ten, else 0. Its mean is MRR@10.",
    "Holm": "Holm's adjustment: the smallest p of the family is multiplied by the number of comparisons, the next by one less, and so on.",
    "d_z": "Mean difference divided by the standard deviation of the differences. Not Cohen's d of two groups.",
    "p": "How often a difference at least this large would appear if each question's sign were a coin flip.",
    "interval": "For this comparison alone, not adjusted for the others.",
    "wins": "Questions on which the first is better / equal / the second is better.",
    "provisional": "No person has reviewed the questions, evidence spans and judgements: a language model drafted them.",
    "judged@10": "Share of the returned top ten that has a judgement; an unjudged passage counts as not relevant.",
}


def badges(basis: Basis, *, provisional: bool | None) -> None:
    """The labels of everything below them."""
    with st.container(horizontal=True, gap="small"):
        basis_badge(basis)
        if provisional:
            st.badge(
                "Provisional: not reviewed by a person",
                icon=":material/pending:",
                color="violet",
                help=TERMS["provisional"],
            )


def basis_badge(basis: Basis) -> None:
    """The label of a number."""
    icon, colour, meaning = _BASIS[basis]
    st.badge(basis.value, icon=icon, color=colour, help=meaning)  # type: ignore[arg-type]


def card(run: str, measure: Measure, estimate: Estimate, beside: Estimate | None = None) -> None:
    """A number with its interval, n, method and label; never the value alone."""
    colours = palette()
    with st.container(border=True, height="stretch"):
        st.markdown(f"**{_text(label(run))}** · {measure}", help=f"{measure.title}: {measure.formula}")
        st.html(
            f'<div style="font-size:2.1rem;line-height:1.15">{number(estimate.value)}</div>'
            + interval_svg(estimate, colours.ranker(run), colours)
        )
        lines = [f"{interval(estimate)} · n = {estimate.n} · {estimate.method}"]
        if estimate.low is None and estimate.reason:
            lines.append(estimate.reason)
        if beside is not None and beside.low is not None:
            lines.append(f"{beside.method}: {number(beside.low)} to {number(beside.high)}")
        st.markdown(f":small[{' · '.join(_text(line) for line in lines)}]")
        basis_badge(estimate.basis)


def coverage_note(methods: Iterable[str], n: int) -> None:
    """How often each kind of interval held the truth in simulation, beside the intervals themselves."""
    parts = []
    for method in dict.fromkeys(methods):
        figure = cached.measured_coverage(method, n)
        if figure is not None:
            parts.append(
                f"{method}: {100 * figure.share:.1f} % (Monte Carlo error {100 * figure.error:.1f}) at n = {figure.n}, "
                f"lowest over the simulated populations ({figure.population})"
            )
    if parts:
        st.caption("Measured coverage of these 95 % intervals. " + "; ".join(parts) + ".")


def pairs_table(pairs: Sequence[Comparison]) -> None:
    """The table of pairs, one row each."""
    rows = [
        {
            "Pair": f"{label(c.first)} − {label(c.second)}",
            "Measure": c.measure,
            "Difference": signed(c.difference.value),
            "Interval": _limits(c.difference),
            "Method": c.difference.method,
            "d_z": number(c.d_z, 2),
            "W / T / L": f"{c.wins} / {c.ties} / {c.losses}",
            "p": p_value(c.p),
            "p (Holm)": p_value(c.p_holm) if c.in_family else "not in the family",
            "Verdict": c.verdict.value if c.verdict else ("not assessed" if c.in_family else "exploratory, none"),
            "Label": c.basis.value,
        }
        for c in pairs
    ]
    config = {
        "Pair": st.column_config.TextColumn(pinned=True),
        "Difference": st.column_config.TextColumn(help="Mean of the first minus mean of the second."),
        "Interval": st.column_config.TextColumn("95 % interval", help=TERMS["interval"]),
        "d_z": st.column_config.TextColumn(help=TERMS["d_z"]),
        "W / T / L": st.column_config.TextColumn(help=TERMS["wins"]),
        "p": st.column_config.TextColumn(help=TERMS["p"]),
        "p (Holm)": st.column_config.TextColumn(help=TERMS["Holm"]),
    }
    table(rows, "Paired differences with interval, effect size, wins, ties, losses, p-values and verdict", config)


def estimates_table(rows: Sequence[tuple[str, str, Estimate]], heads: tuple[str, str], alt: str) -> None:
    """Estimates with two leading columns, one row each."""
    shown = [
        {
            heads[0]: group,
            heads[1]: name,
            "Value": number(e.value),
            "95 % interval": _limits(e),
            "n": e.n,
            "Method": e.method,
            "Label": e.basis.value,
        }
        for group, name, e in rows
    ]
    table(shown, alt)


def gates_table(rows: Sequence[tuple[str, Gate, Estimate]]) -> None:
    """Gates, one row each: value, n, interval, bound, result, and whether the interval lies on one side."""
    side = {True: "yes", False: "no", None: "–"}
    lines = [
        "| Gate | Value | n | 95 % interval | Bound | Result | Interval on one side |",
        "|---|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {_text(name)} | {number(e.value)} | {e.n or '–'} | {_limits(e)} | {gate.bound} | {_RESULT[gate.result(e)]} | "
        f"{side[gate.decided_by_interval(e)]} |"
        for name, gate, e in rows
    ]
    st.markdown("\n".join(lines))


def count_line(count: Count) -> str:
    """A count in words."""
    return f"{count.count} of {count.total} {count.what}" if count.count is not None else f"{count.what}: not assessed"


def table(rows: Sequence[dict[str, object]], alt: str, config: dict[str, object] | None = None) -> None:
    """Rows as a table that shows all of them."""
    frame = pd.DataFrame(rows)
    st.dataframe(frame, hide_index=True, height="content", column_config=config, alt=alt)  # type: ignore[arg-type]


def _limits(estimate: Estimate) -> str:
    if estimate.low is None:
        return "none"
    return f"{number(estimate.low)} to {number(estimate.high)}"


def _text(text: str) -> str:
    """Text that Markdown shows as it is."""
    return "".join("\\" + c if c in r"\`*_{}[]()#+!|$:~<>" else c for c in text)

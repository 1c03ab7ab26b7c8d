"""How evidence objects are shown: badges, cards and tables. A number reaches a page through one of these."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import streamlit as st

from evalcore.abstention.scored import CORRECT, FALSE, GENERATED, RECALL, SCOPE
from evalcore.comparison import Compared
from evalcore.evidence import Basis, Comparison, Count, Estimate, Result
from evalcore.evidence.claims import interval, number, p_value, signed
from evalcore.gates import Gate
from evalcore.measures import Measure
from evalcore.stats.beside import exact_beside
from ui.figures.comparison import interval_line
from ui.promises import address, promise
from ui.tables import Cell, Linked, table
from ui.text import plain
from ui.theme import colour, label

Colour = Literal["blue", "green", "orange", "gray"]
_BASIS: dict[Basis, tuple[str, Colour, str]] = {
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
_RESULT = {Result.PASS: "✓ pass (value)", Result.FAIL: "✗ fail (value)", Result.NOT_ASSESSED: "? not assessed"}
NAMES = {
    RECALL: "Answer in the top 5, answerable questions",
    CORRECT: "Correct abstention on unanswerable questions",
    FALSE: "False abstention on answerable questions",
    SCOPE: "A passage from the wrong scope served first",
    GENERATED: "Generated answers are right",
}
PROVISIONAL = "No person has reviewed the questions, evidence spans and judgements: a language model drafted them."
JUDGED = "judged@10: share of the returned top ten that has a judgement; an unjudged passage counts as not relevant."
HOLM = (
    "The smallest p of the family is multiplied by the number of comparisons, the next by one less, and so on; none "
    "becomes smaller than the one before it, nor larger than 1."
)
D_Z = "Mean difference divided by the standard deviation of the differences. Not Cohen's d of two groups."
_PAIR_TERMS = {
    "t(n − 1)": "A second interval of the difference, Student's t; in simulation it holds more often than the "
    "bootstrap at 10 and 40 questions, and about as often at 100.",
    "Difference": "Mean of the first minus mean of the second.",
    "95 % interval": "For this comparison alone, not adjusted for the others.",
    "d_z": D_Z,
    "W / T / L": "Wins, ties and losses: questions on which the first is better, equal, or worse.",
    "p": "How often a difference at least this large would appear if each question's sign were a coin flip.",
    "p (Holm)": HOLM,
    "Verdict": "From the Holm-adjusted p alone, inside the family that was declared before the data.",
}
_EXACTLY = (
    "The exact interval, beside Wilson's: it never holds less often than it says, and is mostly wider; near 0 % and "
    "100 % it can be narrower."
)
_ESTIMATE_TERMS = {
    "n": "Number of questions.",
    "t(n − 1)": "Student's t; its limits may pass 0 or 1.",
    "Clopper-Pearson": _EXACTLY,
}
_EXACT, _PAIRED_T = "Clopper-Pearson", "t(n − 1)"
_GATE_TERMS = {
    _EXACT: _EXACTLY,
    "Bound": "Written in the plan before anything was measured.",
    "Interval clear of it": "Whether the whole interval lies on one side; if not, another sample could differ.",
}


def badges(basis: Basis, *, provisional: bool | None, brief: bool = False) -> None:
    """The labels of what they stand beside."""
    with st.container(horizontal=True, gap="small"):
        basis_badge(basis)
        if provisional:
            words = "Provisional" if brief else "Provisional: not reviewed by a person"
            st.badge(words, icon=":material/pending:", color="violet", help=PROVISIONAL)


def basis_badge(basis: Basis) -> None:
    """The label of a number."""
    icon, colour, meaning = _BASIS[basis]
    st.badge(basis.value, icon=icon, color=colour, help=meaning)


def card(run: str, measure: Measure, estimate: Estimate, beside: Estimate | None = None) -> None:
    """A number with its interval, n, method and label; never the value alone."""
    with st.container(border=True, height="stretch"):
        st.markdown(f"**{plain(label(run))}** · {measure}", help=f"{measure.title}: {measure.formula}")
        st.html(
            f'<div style="font-size:2.1rem;line-height:1.15;margin-bottom:.35rem">{number(estimate.value)}</div>'
            + interval_line(estimate, colour(run))
        )
        lines = [f"{spoken(estimate)}, n = {estimate.n}", plain(estimate.method)]
        if estimate.low is None and estimate.reason:
            lines.append(plain(estimate.reason))
        if beside is not None and beside.low is not None:
            lines.append(f"{plain(beside.method)}: {spoken(beside, limits(beside))}")
        st.markdown("  \n".join(f":small[{line}]" for line in lines))
        badges(estimate.basis, provisional=estimate.provisional, brief=True)


def spoken(estimate: Estimate, words: str | None = None) -> str:
    """An interval in Markdown, leading to the row that says how often such intervals hold."""
    shown, found = plain(words or interval(estimate)), promise(estimate)
    return shown if found is None else f"[{shown}]({address(found)})"


def linked(estimate: Estimate, words: str | None = None) -> Cell:
    """An interval in a table's cell, leading to the same row."""
    shown, found = words or limits(estimate), promise(estimate)
    return shown if found is None else Linked(shown, address(found), found.sentence())


def coverage_note(estimates: Iterable[Estimate]) -> None:
    """How often each kind of interval held the truth in simulation, and which of them do not keep their word."""
    found = {p.figure.row: p for e in estimates if (p := promise(e)) is not None}
    if found:
        parts = [f"[{plain(p.name)}]({address(p)}): {plain(p.brief())}" for p in found.values()]
        st.caption("How often these 95 % intervals held the truth in simulation: " + "; ".join(parts) + ".")


def pairs_table(compared: Compared, pairs: Sequence[Comparison], caption: str) -> None:
    """The table of pairs, one row each, with the second interval of a mean difference."""
    besides = [compared.beside_pair(c.first, c.second, Measure.parse(c.measure)) for c in pairs]
    rows = [
        {
            "Pair": f"{label(c.first)} − {label(c.second)}",
            "Measure": c.measure,
            "Difference": signed(c.difference.value),
            "95 % interval": linked(c.difference),
            "Method": c.difference.method,
            **({_PAIRED_T: "–" if beside is None else linked(beside)} if any(besides) else {}),
            "d_z": number(c.d_z, 2),
            "W / T / L": f"{c.wins} / {c.ties} / {c.losses}",
            "p": p_value(c.p),
            "p (Holm)": p_value(c.p_holm) if c.in_family else "–",
            "Verdict": c.verdict.value if c.verdict else ("not assessed" if c.in_family else "none: exploratory"),
        }
        for c, beside in zip(pairs, besides, strict=True)
    ]
    table(rows, f"{caption} {labels(pairs)}", _PAIR_TERMS)


def estimates_table(
    rows: Sequence[tuple[str, str, Estimate]], heads: tuple[str, str], caption: str, beside: Sequence[Estimate] = ()
) -> None:
    """Estimates with two leading columns, one row each, and where given a second interval beside the first."""
    seconds: Sequence[Estimate | None] = beside or [None] * len(rows)
    methods = list(dict.fromkeys(second.method for second in seconds if second is not None and second.low is not None))
    shown = [
        {
            heads[0]: group,
            heads[1]: name,
            "Value": number(e.value),
            "95 % interval": linked(e),
            "n": str(e.n),
            "Method": e.method,
            # a run without an interval of its own, such as one that is right everywhere, has none beside it either
            **{m.replace("n - 1", "n − 1"): linked(second) if second and second.method == m else "–" for m in methods},
        }
        for (group, name, e), second in zip(rows, seconds, strict=True)
    ]
    table(shown, f"{caption} {labels([e for _, _, e in rows])}", _ESTIMATE_TERMS)


def gates_table(
    rows: Sequence[tuple[str, Gate, Estimate | Count]], caption: str, planned: Mapping[str, Gate] | None = None
) -> None:
    """Gates, one row each: value, n, interval, bound, result, and whether the interval lies on one side.

    ``planned`` adds what the plan said, where bounds can be changed on the page.
    """
    shown = [
        {
            "Gate": name,
            **_measured(e),
            "Bound": gate.bound,
            **({"In the plan": planned[gate.name].bound} if planned is not None else {}),
            "Result": _RESULT[gate.result(e)],
            "Interval clear of it": gate.side(e),
            "Label": f"{e.basis.value}{', provisional' if e.provisional and e.basis is not Basis.NOT_ASSESSED else ''}",
        }
        for name, gate, e in rows
    ]
    table(shown, caption, _GATE_TERMS)


def labels(numbers: Sequence[Estimate | Comparison | Count]) -> str:
    """The labels of a table's numbers, for its caption."""
    bases = " and ".join(dict.fromkeys(n.basis.value for n in numbers))
    return f"{bases}; provisional." if any(n.provisional for n in numbers) else f"{bases}."


def limits(estimate: Estimate) -> str:
    """An interval in a table's cell."""
    if estimate.low is None:
        return "none" if estimate.value is not None else "–"
    return f"{number(estimate.low)} to {number(estimate.high)}"


def _measured(found: Estimate | Count) -> dict[str, Cell]:
    """Value, n, interval and the exact one beside it; a blocking count has no interval."""
    if isinstance(found, Count):
        value, total = ("–", "–") if found.count is None else (str(found.count), str(found.total))
        return {"Value": value, "n": total, "95 % interval": "–", _EXACT: "–"}
    beside = exact_beside(found)
    return {
        "Value": number(found.value),
        "n": str(found.n) if found.n else "–",
        "95 % interval": linked(found),
        _EXACT: "–" if beside is None else linked(beside),
    }


def count_line(count: Count) -> str:
    """A count in words."""
    return f"{count.count} of {count.total} {count.what}" if count.count is not None else f"{count.what}: not assessed"

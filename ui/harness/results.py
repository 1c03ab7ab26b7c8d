"""Rates and agreement of a run, for whoever may see the checks; what to read; the judge; downloads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from evalcore.evidence import Basis, Estimate
from evalcore.evidence.claims import number
from evalcore.generation.calls.estimate import cost_range
from evalcore.generation.checks.findings import Check
from evalcore.generation.export import agreement_csv, items_csv, rates_csv
from evalcore.generation.judge import OUTPUT_CAP
from evalcore.generation.results.agreement import (
    NO_HUMAN,
    Agreed,
    between_raters,
    checks_against,
    disagreements,
    judge_against,
    judge_against_support,
    rated_blind,
)
from evalcore.generation.results.basis import evidence_of
from evalcore.generation.results.output import ValidOutput
from evalcore.generation.results.rates import Rate, check_rates, rubric_rates
from evalcore.generation.rubric import TITLES, Sheet, raters
from evalcore.generation.setup import items_to_judge
from evalcore.generation.store.events import Place, Question
from evalcore.stats.beside import exact_beside
from ui.evidence import basis_badge, coverage_note, labels, linked
from ui.harness import wiring
from ui.harness.item import MARKS, checks_table, cited_passages, item_card
from ui.harness.keeping import save_run, taken
from ui.harness.keys import key, key_section, models
from ui.harness.visit import Visit
from ui.tables import Cell, save, table
from ui.text import plain

_ENDS = "One end: the topics are the sample, since at 0 % or 100 % the likeness of a topic's items cannot be seen."
_RATE_TERMS = {
    "Among items": "Of the items that there are: hits and number.",
    "95 % interval": "Cluster-adjusted Wilson with t(G − 1). " + _ENDS,
    "If independent": "The other end at 0 % or 100 %: all items counted as independent.",
    "Of planned": "Of all items asked for: a missing one has not passed. – while items are unrated.",
    "Topics, ICC, design effect": "How alike items of one topic are, and by how much that thins the sample.",
    "Other marks": "What did not pass, by name.",
}
_AGREE_TERMS = {
    "Yes/yes, yes/no, no/yes, no/no": "The 2 x 2 table: the first side's verdict before the second's.",
    "Raw agreement": "Share of items on which both say the same, with its interval.",
    "Yes: first, second": "Each side's own share of yes.",
    "Kappa": "Agreement beyond what these shares of yes give by chance; – where it is undefined.",
    "Jackknife": "Interval of kappa: leave one topic out, t(G − 1).",
    "Topics resampled": "Second interval of kappa: whole topics drawn again.",
    "Sensitivity": "Of the items to which the second says yes, the share to which the first does.",
    "Specificity": "Of the items to which the second says no, the share to which the first does.",
}


def results_section(visit: Visit) -> None:
    """Everything that shows checks: marked as seen before it is drawn."""
    st.header("Results", anchor=False)
    if not visit.run.outcomes:
        st.info("No topic has ended yet.", icon=":material/hourglass_empty:")
        return
    _output(visit)
    if visit.hidden:
        st.markdown(
            f"**{len(visit.hidden)} of {len(visit.run.items)} items are still to be rated blind by "
            f"{plain(visit.rater)}.** What follows shows what the checks say, so these items can no longer be rated "
            "blind, which is recorded."
        )
        st.button(
            "Show the results",
            type="primary",
            icon=":material/visibility:",
            on_click=visit.show_all,
            args=(Place.RESULTS,),
            key="show_results",
        )
        return
    # also those whose "faithful" is given: changed from now on, it is not blind
    visit = visit.all_shown(Place.RESULTS)
    _rates(visit)
    _agreement(visit)
    _disagreements(visit)
    _judge(visit)
    downloads(visit)


def _output(visit: Visit) -> None:
    found = ValidOutput.of(visit.run)
    own = f"{found.ok} of {found.own} topics with an outcome of the model's own"
    shares = [("Valid output", found.share, own)]
    if found.open:
        of = f"all {found.planned} topics"
        shares += [
            ("If every open topic failed", found.worst, of),
            ("If every open topic succeeded", found.best, of),
        ]
    rows: list[dict[str, Cell]] = []
    for name, share, of in shares:
        exact = exact_beside(share)
        rows.append(
            {
                "Share": name,
                "Value": _value(share),
                "95 % interval": linked(share),
                "Clopper-Pearson": "–" if exact is None else linked(exact),
                "Of": of,
            }
        )
    terms = {"Clopper-Pearson": "The exact interval, beside Wilson's: mostly wider, and never below its level."}
    table(rows, f"Wilson's intervals over topics. {labels([found.share])}", terms)
    causes = [
        {
            "Outcome": outcome.value.replace("_", " "),
            "Topics": str(n),
            "Counts against the model": "yes" if outcome.failure_of_model else "no",
            "What it means": outcome.meaning,
        }
        for outcome, n in found.causes.items()
    ]
    table(causes, f"How topics ended, causes by name. {evidence_of(visit.run)[0].value}.")
    coverage_note([found.share])


def _rates(visit: Visit) -> None:
    run = visit.run
    st.header("What passes", anchor=False)
    rates = check_rates(run)
    _rate_table([(_check_name(r), r) for r in rates], "Automatic checks.")
    found = [(f"{TITLES[r.what]}", r) for r in rubric_rates(visit.sheet) if r.what is not None and r.n]
    if found:
        _rate_table(found, f"Answers of {visit.rater}, blind or not; cannot tell is no pass, unrated is left out.")
    else:
        st.caption(f"{plain(visit.rater)} has rated nothing yet: the rubric is not assessed.")
    coverage_note(r.among for r in rates)


def _rate_table(rates: Sequence[tuple[str, Rate[Check] | Rate[Question]]], caption: str) -> None:
    rows = [
        {
            "What": name,
            "Among items": f"{_value(r.among)} ({r.hits} of {r.n})",
            "95 % interval": linked(r.among),
            **({"If independent": "–" if r.beside is None else linked(r.beside)} if _any_end(rates) else {}),
            "Of planned": "–" if r.planned.value is None else f"{_value(r.planned)} ({r.hits} of {r.planned_n})",
            "Of planned, interval": linked(r.planned),
            "Topics, ICC, design effect": _clusters(r.among, r.icc),
            "Other marks": _others(r.marks),
        }
        for name, r in rates
    ]
    table(rows, f"{caption} {labels([r.among for _, r in rates])}", _RATE_TERMS)


def _any_end(rates: Sequence[tuple[str, Rate[Check] | Rate[Question]]]) -> bool:
    return any(r.beside is not None for _, r in rates)


def _agreement(visit: Visit) -> None:
    run, sheet = visit.run, visit.sheet
    st.header(f"Checks against {plain(visit.rater)}", anchor=False)
    found = checks_against(sheet)
    left = ", ".join(f"{n} {why}" for why, n in found[0].left_out.items())
    st.markdown(
        f"Over blind answers to “faithful” alone: **{found[0].n} items**{f'; left out: {plain(left)}' if left else ''}."
    )
    if found[0].n == 0:
        st.info("No item is rated blind: agreement is not assessed.", icon=":material/block:")
    else:
        _agreed_table(found, "Each check, first the support check, against the person.")
        _why_no_kappa(found)
        coverage_note(e for a in found[:1] for e in (a.raw, a.kappa_jackknife, a.kappa_resampled))
    others = [rater for rater in raters(run) if rater != visit.rater]
    if others and sheet.ratings:
        st.header("Between raters", anchor=False)
        pairs = [between_raters(sheet, Sheet(run, other)) for other in others]
        _agreed_table(pairs, "Blind answers to “faithful” of both.", named=True)
        _why_no_kappa(pairs)


def _agreed_table(found: Sequence[Agreed], caption: str, *, named: bool = False) -> None:
    rows = [
        {
            "First and second" if named else "Check": f"{a.first} and {a.second}" if named else a.first.capitalize(),
            **({"Items, left out": _counted(a)} if named else {}),
            "Yes/yes, yes/no, no/yes, no/no": " / ".join(map(str, a.cells)),
            "Raw agreement": _both(a, "raw", a.raw),
            "Yes: first, second": f"{_value(a.yes_first)}, {_value(a.yes_second)}",
            "Kappa": _value(a.kappa_jackknife),
            "Jackknife": linked(a.kappa_jackknife),
            "Topics resampled": linked(a.kappa_resampled),
            "Sensitivity": _both(a, "sensitivity", a.sensitivity),
            "Specificity": _both(a, "specificity", a.specificity),
        }
        for a in found
    ]
    table(rows, f"{caption} {labels([a.raw for a in found])}", _AGREE_TERMS)


def _why_no_kappa(found: Sequence[Agreed]) -> None:
    reasons = dict.fromkeys(a.kappa_jackknife.reason for a in found if a.n and a.kappa_jackknife.reason)
    if reasons:
        st.caption("Kappa or its interval is not assessed where " + "; or ".join(plain(str(r)) for r in reasons) + ".")
    if dropped := max((a.dropped for a in found), default=0):
        st.caption(f"Up to {dropped:,} of the resamples had no kappa and were left out.")


def _disagreements(visit: Visit) -> None:
    found = disagreements(visit.sheet)
    if not found:
        return
    st.header("Where check and person disagree", anchor=False)
    many = "1 item" if len(found) == 1 else f"{len(found)} items"
    st.markdown(f"{many} to read: where the checks miss something, or the person did.")
    for item, answer, mark in found:
        title = f"{plain(item.id)}: {plain(visit.rater)} says {answer.value}, support check: {MARKS[mark]}"
        with st.expander(title, icon=":material/difference:"):
            item_card(item)
            checks_table(item, visit.run.findings.get(item.id, ()))
            cited_passages(item, visit.run.topics[item.topic])


def _judge(visit: Visit) -> None:
    run = visit.run
    st.header("A judge that is a model", anchor=False)
    _ask_judge(visit)
    if not rated_blind(run):
        st.markdown(f"Not assessed: {NO_HUMAN}.")
        return
    found = [judge_against(visit.sheet, q) for q in (Question.FAITHFUL, Question.CORRECT)]
    rows = [a for a in (*found, judge_against_support(run)) if a is not None and a.n]
    if not rows:
        st.markdown("Not assessed: no judge has answered on an item that a person rated blind.")
        return
    _agreed_table(rows, "Agreement only: the judge's answers stand nowhere else.", named=True)
    _why_no_kappa(rows)


def _ask_judge(visit: Visit) -> None:
    st.markdown(
        "A model can be asked “faithful” and “correct” in the rubric's words, of each item with its passages. It "
        "counts "
        "for nothing but its agreement with people and checks. The calls are billed to your key."
    )
    if wiring.under_way().alive(visit.id):
        st.caption("The run is under way.")
        return
    held = key()
    if held is None:
        key_section()
        return
    names = {f"{m.title} ({m.id})": m.id for m in models()}
    if not names:
        return
    chosen = st.selectbox("Judge", list(names), key="harness_judge", help="Any model of your key; best another one.")
    left = items_to_judge(visit.run, names[chosen])
    cost = cost_range(names[chosen], [len(w.request.system) + len(w.request.prompt) for w in left], OUTPUT_CAP)
    basis_badge(Basis.ASSUMED)
    st.markdown(
        f"It will cost at most about **\\${cost.high:.2f}** at list price."
        if cost is not None
        else "What it will cost is **unknown**: the list price of this model is not known here."
    )
    st.button(
        f"Ask it about {len(left)} items",
        icon=":material/gavel:",
        disabled=not left,
        on_click=_start_judge,
        args=(visit.id, names[chosen]),
        key="ask_judge",
    )


def _start_judge(run: str, model: str) -> None:
    held = key()
    if held is not None:
        wiring.under_way().start(run, held, items_to_judge(wiring.read_run(run), model))


def downloads(visit: Visit) -> None:
    """The run as JSON, and tables as CSV."""
    st.header("Keep it", anchor=False)
    with st.container(horizontal=True, gap="small"):
        save_run(visit)
        save("Items, CSV", lambda: items_csv(taken(visit)), "items.csv", "text/csv")
        save("Rates, CSV", lambda: rates_csv(taken(visit)), "rates.csv", "text/csv")
        if raters(visit.run):
            save("Agreement, CSV", lambda: agreement_csv(taken(visit)), "agreement.csv", "text/csv")
    st.caption("The JSON holds every event of the run, without the key, and can be opened again here.")


def _check_name(rate: Rate[Check]) -> str:
    return rate.name.capitalize()


def _value(estimate: Estimate) -> str:
    return number(estimate.value)


def _both(a: Agreed, name: str, estimate: Estimate) -> str:
    """A share with its interval, and at 0 % or 100 % with its other end."""
    if estimate.value is None:
        return "–"
    if estimate.low is None:
        return f"{number(estimate.value, 2)} (no interval)"
    other = a.beside.get(name)
    end = f"; if independent {number(other.low, 2)} to {number(other.high, 2)}" if other is not None else ""
    return f"{number(estimate.value, 2)} ({number(estimate.low, 2)} to {number(estimate.high, 2)}{end})"


def _counted(a: Agreed) -> str:
    left = ", ".join(f"{n} {why}" for why, n in a.left_out.items())
    return f"{a.n}; {left}" if left else str(a.n)


def _clusters(estimate: Estimate, icc: float | None) -> str:
    if estimate.clusters is None:
        return "–"
    return f"{estimate.clusters}, {number(icc, 2)}, {number(estimate.design_effect, 2)}"


def _others(marks: Mapping[str, int]) -> str:
    rest = [f"{n} {name}" for name, n in marks.items() if name not in ("pass", "yes")]
    return ", ".join(rest) or "none"

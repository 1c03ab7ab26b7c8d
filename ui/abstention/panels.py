"""The figures behind tabs: error rates, costs, traffic, risk and coverage, calibration, and the scores compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from evalcore.abstention.cost import cheapest
from evalcore.abstention.cuts import Cut, shown
from evalcore.abstention.export import estimates_csv
from evalcore.abstention.mixes import MIXES, Mix
from evalcore.abstention.scored import Scored, feasible
from evalcore.abstention.words import cheapest_in_words, joined
from evalcore.evidence import Estimate
from evalcore.evidence.claims import number, signed
from evalcore.studies import MEANINGS, TOY_TITLE
from ui import cached
from ui.abstention.controls import Choice
from ui.abstention.results import stamp
from ui.evidence import count_line, labels, limits, linked
from ui.figures import quality, thresholds
from ui.parts import show
from ui.tables import Cell, download, table
from ui.text import plain
from ui.words import ABSTENTION

Panel = Callable[[Choice, tuple[Cut, ...]], None]


def _error_rates(choice: Choice, window: tuple[Cut, ...]) -> None:
    st.header("Both error rates against the threshold", anchor=False)
    show(thresholds.error_rates(choice.scored, choice.threshold, choice.gates, window, choice.reach), "rates")
    s, at = choice.scored, choice.candidate
    rows = [("Correct abstention", s.correct_abstention(at)), ("False abstention", s.false_abstention(at))]
    _rates_table(rows, f"At threshold {shown(choice.threshold)}.")
    download(estimates_csv(rows, stamp(choice)), f"{choice.file}-rates.csv")


def _costs(choice: Choice, window: tuple[Cut, ...]) -> None:
    st.header("Expected cost against the threshold", anchor=False)
    s, costs = choice.scored, choice.costs
    mixes: list[tuple[str, float | None, float]] = [
        (f"The file's mix, {number(s.sweep.share)}", None, s.sweep.share),
        (f"The chosen mix, {number(choice.share)}", choice.share, choice.share),
    ]
    found = [(word, pi, cheapest(s.sweep, costs, pi)) for word, _, pi in mixes]
    show(thresholds.costs_by_threshold(s, choice.threshold, costs, found, choice.reach), "cost")
    here = [s.cost(choice.candidate, costs, share) for _, share, _ in mixes]
    plan = choice.study.declared
    rows = [
        {
            "Unanswerable share": word,
            "Cost per 1,000 here": number(estimate.value, 0),
            "Cheapest thresholds": joined(best.cuts),
            "Cost there": number(s.cost(s.sweep.at(best.threshold), costs, share).value, 0),
            "In the plan": cheapest_in_words(
                s, cheapest(s.sweep, plan.costs, pi if share is None else plan.unanswerable_share)
            ),
        }
        for (word, share, pi), estimate, (_, _, best) in zip(mixes, here, found, strict=True)
    ]
    caption = (
        f"Costs {costs.unsupported:g} : {costs.refusal:g}; no intervals are given for assumed costs. In the plan: "
        f"costs {plan.costs.unsupported:g} : {plan.costs.refusal:g}, and a share of {plan.unanswerable_share:g} for "
        "the second row."
    )
    table(rows, f"{caption} {labels(here)}")
    download(
        estimates_csv(list(zip([w for w, _, _ in mixes], here, strict=True)), stamp(choice)), f"{choice.file}-cost.csv"
    )


def _traffic(choice: Choice, window: tuple[Cut, ...]) -> None:
    st.header("The same threshold under other traffic", anchor=False)
    show(
        thresholds.traffic(choice.scored, choice.threshold, MIXES, choice.share, choice.error, choice.reach), "traffic"
    )
    s, at = choice.scored, choice.candidate
    mixes = [*MIXES, Mix("The file's own mix", s.sweep.share), Mix("The chosen mix", choice.share)]
    shares = [s.unsupported_at(at, mix.share) for mix in mixes]
    with_error = [s.unsupported_at(at, mix.share, generation_error=choice.error) for mix in mixes]
    refused = [s.refused_at(at, mix.share) for mix in mixes]
    rows = [
        {
            "Traffic": mix.name,
            "Unanswerable share": number(mix.share),
            "Unsupported share of served": number(floor.value),
            **({f"With generation error {number(choice.error, 2)}": number(whole.value)} if choice.error else {}),
            "Share of traffic refused": number(out.value),
        }
        for mix, floor, whole, out in zip(mixes, shares, with_error, refused, strict=True)
    ]
    text = (
        f"At threshold {shown(choice.threshold)}; every mix is hypothetical. The share of "
        "traffic refused is the figure to watch in live use: when it jumps, the score's scale or the traffic has moved."
    )
    table(rows, f"{text} {labels(with_error)}")
    named = [(mix.name, e) for mix, e in zip(mixes, with_error, strict=True)]
    download(estimates_csv(named, stamp(choice)), f"{choice.file}-traffic.csv")


def _risk(choice: Choice, window: tuple[Cut, ...]) -> None:
    st.header("Risk against coverage", anchor=False)
    show(quality.risk_and_coverage(choice.scored, choice.threshold, choice.share, choice.reach), "risk")
    s = choice.scored
    rows = [("Area, the file's mix", s.area()), (f"Area, unanswerable share {choice.share:g}", s.area(choice.share))]
    rows += [
        ("Coverage here", s.coverage(choice.candidate)),
        ("Unsupported share here", s.unsupported(choice.candidate)),
    ]
    _rates_table(rows, "Area under the curve as steps, highest score first, and the operating point at the file's mix.")
    download(estimates_csv(rows, stamp(choice)), f"{choice.file}-risk.csv")


def _calibration(choice: Choice, window: tuple[Cut, ...]) -> None:
    st.header("Calibration: from score to probability", anchor=False)
    fitted = cached.calibration(choice.study.title, choice.column)
    best = cheapest(choice.scored.sweep, choice.costs, choice.share)
    if fitted.reason is not None:
        st.markdown(f"**Not assessed:** {plain(fitted.reason)}.")
    show(quality.calibration(fitted, choice.costs, choice.share, best, choice.reach), "q")
    cuts = [
        ("The file's mix", fitted.cut(choice.costs)),
        (f"Unanswerable share {choice.share:g}", fitted.cut(choice.costs, choice.share)),
    ]
    _rates_table(
        cuts,
        f"Score above which answering is cheaper by the fitted q; the sweep counts {joined(best.cuts)} as cheapest at "
        "the chosen mix.",
        digits=choice.reach.digits,
    )
    download(estimates_csv(cuts, stamp(choice)), f"{choice.file}-calibration.csv")
    st.header("Do the probabilities come true?", anchor=False)
    if fitted.reliability:
        show(quality.reliability(fitted), "reliability")
        bins = [(f"Predicted {number(b.predicted)}", b.observed) for b in fitted.reliability]
        _rates_table(bins, "Share answerable among questions of similar cross-fitted q, at the file's mix.")
        download(estimates_csv(bins, stamp(choice)), f"{choice.file}-reliability.csv")
    else:
        why = (
            "this score was itself fitted on these labels, so that the other folds' scores have seen each question's "
            "own"
            if choice.scored.made_from_labels
            else "a fold's fit has no finite solution, so no question has a q of its own"
        )
        st.markdown(f"**Not assessed:** {why}.")


def _compare(choice: Choice, window: tuple[Cut, ...]) -> None:
    st.header("Which score separates?", anchor=False)
    study = choice.study
    scores: dict[str, Scored] = {MEANINGS[column]: scored for column, scored in study.scores.items()}
    if study.title == TOY_TITLE:
        scores |= cached.synthetic_pair()
        st.markdown(
            "The toy run has one score. Beside it stand two invented ones, seeded normal draws of 200 answerable and "
            "120 unanswerable questions each: one like the toy's, and one that separates better."
        )
    rows = [(name, scored.auc) for name, scored in scores.items()]
    show(quality.separation(rows), "separation")
    others = cached.differences(study.title, study.primary)
    minus = {MEANINGS[column]: estimate.negated() for column, estimate in others.items()}
    shown = [_score_row(choice, name, scored, minus) for name, scored in scores.items()]
    text = (
        "Thresholds that pass the gates on screen, and the cheapest, each on its score's own scale. The cheapest and "
        f"their costs are assumed: costs {choice.costs.unsupported:g} : {choice.costs.refusal:g}, unanswerable share "
        f"{choice.share:g}."
    )
    if minus:
        text += (
            f" The last column: AUC minus that of {MEANINGS[study.primary]}, the declared primary score, on the same "
            "questions; stratified paired bootstrap, exploratory."
        )
    table(shown, f"{text} {labels([e for _, e in rows])}", {"AUC": ABSTENTION["AUC"]})
    download(
        estimates_csv([*rows, *((f"{n} minus primary", e) for n, e in minus.items())], stamp(choice)),
        f"{choice.file}-scores.csv",
    )
    if study.off_topic:
        st.header("Are the unanswerable questions near the text?", anchor=False)
        show(
            quality.contrast(choice.scored, [s[choice.column] for s in study.off_topic.values()], choice.name),
            "contrast",
        )
        st.caption(f"{plain(count_line(study.no_nearer(choice.column)))}.")


def _score_row(choice: Choice, name: str, scored: Scored, minus: Mapping[str, Estimate]) -> dict[str, Cell]:
    auc, difference = scored.auc, minus.get(name)
    row: dict[str, Cell] = {
        "Score": name,
        "AUC": number(auc.value),
        "95 % interval": linked(auc),
        "Pairs won": f"{scored.pairs.won:g} of {scored.pairs.pairs:,}",
        "n": str(auc.n),
        "Thresholds that pass": joined(feasible(scored, choice.gates)),
        "Cheapest": cheapest_in_words(scored, cheapest(scored.sweep, choice.costs, choice.share)),
    }
    if minus:
        row["AUC minus primary"] = (
            "–" if difference is None else linked(difference, f"{signed(difference.value)} ({limits(difference)})")
        )
    return row


def _rates_table(rows: list[tuple[str, Estimate]], caption: str, digits: int = 3) -> None:
    shown = [
        {
            "What": name,
            "Value": number(e.value, digits),
            "95 % interval": linked(e),
            "n": str(e.n) if e.n else "–",
            "Method": e.method,
            "Label": e.basis.value,
        }
        for name, e in rows
    ]
    table(shown, f"{caption} {labels([e for _, e in rows])}")


TABS: dict[str, Panel] = {
    "Error rates": _error_rates,
    "Cost": _costs,
    "Traffic": _traffic,
    "Risk and coverage": _risk,
    "Calibration": _calibration,
    "Compare scores": _compare,
}

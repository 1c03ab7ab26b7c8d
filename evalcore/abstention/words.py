"""Sentences about thresholds, built here and nowhere else: page and command line cannot word one result two ways."""

from __future__ import annotations

from collections.abc import Mapping

from evalcore.abstention.cost import Cheapest, Costs, Declared
from evalcore.abstention.cuts import Cut, cuts, shown
from evalcore.abstention.scored import CORRECT, FALSE, SCOPE, Scored, decides_nothing, feasible, passing
from evalcore.evidence.claims import interval, number
from evalcore.gates import Gate, spoken

MOVED = (CORRECT, FALSE, SCOPE)


def headline(scored: Scored, gates: Mapping[str, Gate], name: str) -> str:
    """Whether any threshold on this score passes the gates, in one sentence. ``name`` is the score's name on screen."""
    mine, unasked = _askable(scored, gates)
    if not mine:
        return f"No gate that a threshold on {name} can be held against was set."
    if decides_nothing(scored, mine):
        return "These gates decide nothing: a rule without a threshold passes them."
    if not feasible(scored, mine):
        return f"No threshold on {name} passes every gate."
    limit = " that can be assessed" if unasked else ""
    return f"Some thresholds on {name} pass every gate on abstention{limit}."


def may_not_be_said(scored: Scored) -> tuple[str, ...]:
    """What a reader may not conclude from a sweep."""
    said = [
        "That the rates at the chosen threshold will hold: it is chosen on the questions that measure it, and no "
        "interval here allows for the choosing. Held-out: not assessed.",
        "That the unsupported share is that of live traffic: it moves with the share of unanswerable questions, which "
        "is assumed.",
        "That a served answer is right: only retrieval was measured.",
    ]
    if scored.provisional:
        said.insert(1, "That the labels are final: language models wrote and read the questions, and no person has.")
    if scored.synthetic:
        said.insert(0, "Anything about a real system: these scores are invented.")
    return tuple(said)


def departures(
    declared: Mapping[str, Gate], now: Mapping[str, Gate], plan: Declared, costs: Costs, share: float
) -> tuple[str, ...]:
    """Where gates, costs or the traffic share in use are not the plan's; a weaker gate is called loosened."""
    said = []
    for name, gate in declared.items():
        current = now.get(name)
        if not gate.is_set or (current is not None and current.limit == gate.limit):
            continue
        if current is None or not current.is_set:
            said.append(f"{spoken(name)} not set, loosened: the plan says {gate.bound}")
            continue
        harder = (current.limit or 0) > (gate.limit or 0)
        if gate.at_most is not None:
            harder = not harder
        word = "tightened" if harder else "loosened"
        said.append(f"{spoken(name)} {current.bound}, {word}: the plan says {gate.bound}")
    if (costs.unsupported, costs.refusal) != (plan.costs.unsupported, plan.costs.refusal):
        said.append(
            f"costs {costs.unsupported:g} : {costs.refusal:g}, re-priced: the plan says {plan.costs.unsupported:g} : "
            f"{plan.costs.refusal:g}"
        )
    if share != plan.unanswerable_share:
        said.append(f"unanswerable share {share:g}: the plan says {plan.unanswerable_share:g}")
    return tuple(said)


def joined(intervals: tuple[Cut, ...]) -> str:
    """Intervals of thresholds in a sentence; the one without a threshold is to refuse everything."""
    return ", ".join(map(str, intervals)) if intervals else "none"


def window(scored: Scored, gates: Mapping[str, Gate]) -> str:
    """Which thresholds pass the gates; when none does, what a gate needs, and that the score would have to change."""
    mine, unasked = _askable(scored, gates)
    return _window(scored, mine) + unasked


def below_the_headline(scored: Scored, gates: Mapping[str, Gate]) -> str:
    """The same where the headline has said already that no threshold passes."""
    mine, unasked = _askable(scored, gates)
    if mine and not decides_nothing(scored, mine) and not feasible(scored, mine):
        return f"The gates: {_names(mine)}. {needs(scored, mine)} {_change_the_score(scored)}{unasked}"
    return window(scored, gates)


def _askable(scored: Scored, gates: Mapping[str, Gate]) -> tuple[dict[str, Gate], str]:
    """The gates that a threshold can move and the file can assess, and what is said of one that it cannot."""
    mine = {name: gate for name, gate in gates.items() if name in MOVED and gate.is_set}
    if SCOPE in mine and scored.sweep.wrong_scope is None:
        return mine, f" Wrong scope served {mine.pop(SCOPE).bound} cannot be assessed, and that is no pass."
    return mine, ""


def _names(mine: Mapping[str, Gate]) -> str:
    return "; ".join(f"{spoken(name)} {gate.bound}" for name, gate in mine.items())


def _window(scored: Scored, mine: dict[str, Gate]) -> str:
    if not mine:
        return "No gate on abstention was set."
    if nothing := decides_nothing(scored, mine):
        return f"These gates decide nothing: {nothing}."
    if found := feasible(scored, mine):
        return f"Thresholds that pass all gates ({_names(mine)}): {joined(found)}."
    return f"No threshold passes all gates ({_names(mine)}). {needs(scored, mine)} {_change_the_score(scored)}"


def _change_the_score(scored: Scored) -> str:
    return "A threshold only chooses a point; what has to change is the score, not the gates: " + separation(scored)


def needs(scored: Scored, gates: Mapping[str, Gate]) -> str:
    """What correct abstention needs of a threshold, and what false abstention then is."""
    gate, swept = gates.get(CORRECT), scored.sweep
    if gate is None or not gate.is_set:
        return ""
    met = passing(scored, {CORRECT: gate})
    if not met.any():
        return f"Correct abstention {gate.bound} is out of reach."
    first = cuts(swept, met)[0]
    refused = int(swept.refused_answerable[int(met.argmax())])
    return (
        f"Correct abstention {gate.bound} needs a threshold above {shown(first.low or 0.0)}, "
        f"where {refused} of {swept.answerable} answerable questions are refused."
    )


def separation(scored: Scored) -> str:
    """AUC in a sentence."""
    won, pairs = scored.pairs.won, scored.pairs.pairs
    return (
        f"an answerable question scores above an unanswerable one in {won:g} of {pairs:,} pairs "
        f"(AUC {number(scored.auc.value)}, {interval(scored.auc)}; a tie counts half)."
    )


def sentence(text: str) -> str:
    """The text with its first letter large; str.capitalize would make the others small."""
    return text[:1].upper() + text[1:]


def cheapest_in_words(scored: Scored, found: Cheapest) -> str:
    """Where the cost is least."""
    only = " (refuse everything)" if found.cuts == (Cut(float(scored.sweep.thresholds[-1]), None),) else ""
    return f"{joined(found.cuts)}{only}, {number(found.cost, 0)} per 1,000 questions"

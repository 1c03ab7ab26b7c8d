"""Sentences about thresholds, built here and nowhere else: page and command line cannot word one result two ways."""

from __future__ import annotations

from collections.abc import Mapping

from evalcore.abstention.cost import Cheapest
from evalcore.abstention.cuts import Cut, cuts
from evalcore.abstention.scored import CORRECT, FALSE, SCOPE, Scored, decides_nothing, feasible, passing
from evalcore.evidence.claims import interval, number
from evalcore.gates import Gate, spoken

MOVED = (CORRECT, FALSE, SCOPE)


def joined(intervals: tuple[Cut, ...]) -> str:
    """Intervals of thresholds in a sentence; the one without a threshold is to refuse everything."""
    return ", ".join(map(str, intervals)) if intervals else "none"


def window(scored: Scored, gates: Mapping[str, Gate]) -> str:
    """Which thresholds pass the gates; when none does, what a gate needs, and that the score would have to change."""
    mine = {name: gate for name, gate in gates.items() if name in MOVED and gate.is_set}
    if not mine:
        return "No gate on abstention was set."
    if nothing := decides_nothing(scored, gates):
        return f"These gates decide nothing: {nothing}."
    found = feasible(scored, gates)
    names = "; ".join(f"{spoken(name)} {gate.bound}" for name, gate in mine.items())
    if found:
        return f"Thresholds that pass all gates ({names}): {joined(found)}."
    return (
        f"No threshold passes all gates ({names}). {needs(scored, mine)} A threshold only chooses a point; what has to "
        f"change is the score, not the gates: {separation(scored)}"
    )


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
        f"Correct abstention {gate.bound} needs a threshold above {number(first.low)}, "
        f"where {refused} of {swept.answerable} answerable questions are refused."
    )


def separation(scored: Scored) -> str:
    """AUC in a sentence."""
    won, pairs = scored.pairs.won, scored.pairs.pairs
    return (
        f"an answerable question scores above an unanswerable one in {won:g} of {pairs:,} pairs "
        f"(AUC {number(scored.auc.value)}, {interval(scored.auc)})."
    )


def sentence(text: str) -> str:
    """The text with its first letter large; str.capitalize would make the others small."""
    return text[:1].upper() + text[1:]


def cheapest_in_words(found: Cheapest) -> str:
    """Where the cost is least."""
    if found.cuts[0].high is None and found.cuts[0].low is not None and len(found.cuts) == 1:
        return f"{joined(found.cuts)}: refuse everything, {number(found.cost, 0)} per 1,000 questions"
    return f"{joined(found.cuts)}, {number(found.cost, 0)} per 1,000 questions"

"""The two checks of a multiple-choice item's options: that they are distinct, and that they are comparable."""

from __future__ import annotations

from collections.abc import Mapping

from evalcore.generation.checks.findings import Check, Finding, Mark, Matched
from evalcore.generation.checks.normal import normal
from evalcore.generation.checks.numbers import numbers
from evalcore.generation.checks.words import content_words, is_symbol
from evalcore.generation.items import Item, Kind
from evalcore.generation.limits import Limits

# Up to this many characters a ratio of lengths says nothing: "3" and "mean" are both short.
BRIEF = 12


def _letter(place: int) -> str:
    # beyond Z an option has no letter, only a place
    return chr(ord("A") + place) if place < 26 else str(place + 1)


def options_check(item: Item, limits: Limits) -> Finding:
    """There are exactly ``options`` options, none empty, no two equal, and the key names one of them.

    Two options are equal when they differ only in letter case, spaces, punctuation or the format of a number.
    """
    if item.kind is Kind.SHORT:
        return Finding(Check.OPTIONS, Mark.DOES_NOT_APPLY, "A short answer has no options.")
    wrong = []
    if len(item.options) != limits.options:
        wrong.append(f"there are {len(item.options)} options, not {limits.options}")
    evidence, first = [], dict[str, int]()
    for place, option in enumerate(item.options):
        form = normal(option)
        if not option.strip():
            problem = "empty"
        elif form and form in first:
            problem = f"equal to {_letter(first[form])}"
        else:
            problem = ""
            # an option of punctuation alone has no normal form; as written it is still itself
            first.setdefault(form or option, place)
        if problem:
            wrong.append(f"{_letter(place)} is {problem}")
        evidence.append(Matched(f"{_letter(place)}: {option}", not problem, problem))
    if item.key_index is None:
        wrong.append("the key names no option")
    says = "; ".join(wrong) if wrong else f"{len(item.options)} distinct options, and the key names one"
    says = says[:1].upper() + says[1:] + "."
    return Finding(Check.OPTIONS, Mark.FAIL if wrong else Mark.PASS, says, tuple(evidence))


def distractor_check(item: Item, retrieved: Mapping[str, str], limits: Limits) -> Finding:
    """Each distractor is on topic, and of similar length to the key.

    On topic: it shares at least ``shared_words`` content words with the question, the key or the retrieved passages of
    the topic; without content words, or with symbols alone, it is of the key's sort (a number where the key has one,
    a symbol where the key is one). Similar length: its characters over the key's lie between
    ``shortest_distractor`` and ``longest_distractor``; not judged where all options have at most twelve characters.
    """
    if item.kind is Kind.SHORT:
        return Finding(Check.DISTRACTORS, Mark.DOES_NOT_APPLY, "A short answer has no distractors.")
    key = item.answer
    if key is None or not key.strip() or not item.distractors:
        why = "The key names no option." if key is None else "There is no key or no distractor to compare."
        return Finding(Check.DISTRACTORS, Mark.FAIL, why)
    topic = content_words("\n".join([item.question, key, *retrieved.values()]))
    brief = all(len(o.strip()) <= BRIEF for o in item.options)
    evidence = []
    for distractor in item.distractors:
        ratio = len(distractor.strip()) / len(key.strip())
        off = not _on_topic(distractor, key, topic, limits.shared_words)
        uneven = not brief and not limits.shortest_distractor <= ratio <= limits.longest_distractor
        reasons = ["off topic"] * off + [f"{ratio:.2g} times as long as the key"] * uneven
        evidence.append(Matched(distractor, not reasons, "; ".join(reasons)))
    bad = sum(not m.found for m in evidence)
    if bad:
        says = f"{bad} of {len(evidence)} distractors are off topic or of another length than the key."
    else:
        lengths = "too short for a comparison of lengths" if brief else "of similar length to the key"
        says = f"All {len(evidence)} distractors are on topic and {lengths}."
    return Finding(Check.DISTRACTORS, Mark.FAIL if bad else Mark.PASS, says, tuple(evidence))


def _on_topic(distractor: str, key: str, topic: Mapping[str, str], needed: int) -> bool:
    words, of_key = content_words(distractor), content_words(key)
    if len(words.keys() & topic.keys()) >= needed:
        return True
    if any(not is_symbol(w) for w in words.values()):
        return False
    # a bare number or symbol has no word to share
    if words:
        return bool(of_key) and all(is_symbol(w) for w in of_key.values())
    return bool(numbers(distractor)) and bool(numbers(key))

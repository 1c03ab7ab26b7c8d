"""The check of the key: the right answer itself stands in the cited passages."""

from __future__ import annotations

from collections.abc import Mapping

from evalcore.generation.checks.citations import cited
from evalcore.generation.checks.findings import Check, Finding, Mark, Matched
from evalcore.generation.checks.number_check import sought
from evalcore.generation.checks.words import content_words, is_symbol
from evalcore.generation.items import Item
from evalcore.generation.limits import Limits

SHORT = 2


def key_check(item: Item, retrieved: Mapping[str, str], limits: Limits) -> Finding:
    """The right answer is in the cited passages.

    1. A key that names no option fails.
    2. A key with nothing to look for (a bare yes, no, true or false; "all of the above") fails: a pass would claim
       support that was not seen, so such an item is left to a reader.
    3. Each number of the key is stated or rounded, as in the check of numbers.
    4. At least ``key_share`` of its content words are in one and the same cited passage; all of them when there are at
       most two, or when all are symbols (σ, r²).
    5. When only numbers derived from stated ones stand in the way, the key is derived.
    """
    if item.answer is None:
        return Finding(Check.KEY, Mark.FAIL, "The key names no option.")
    passages = cited(item, retrieved)
    looked = sought([item.answer], passages)
    words = content_words(item.answer)
    if not looked and not words:
        return Finding(Check.KEY, Mark.FAIL, "The key has neither a number nor a content word to look for.")
    found = {name: content_words(text) for name, text in passages.items()}
    # the first of the passages with the most words of the key; max() keeps the first
    best = max(found, key=lambda name: len(words.keys() & found[name].keys()), default=None)
    here = found[best] if best is not None else {}
    evidence = [Matched(w, s in here, (best or "") if s in here else "") for s, w in words.items()]
    matched = sum(m.found for m in evidence)
    strict = len(words) <= SHORT or all(is_symbol(w) for w in words.values())
    enough = matched == len(words) if strict else matched / len(words) >= limits.key_share
    mark = _mark({s.mark for s in looked}, enough=enough and bool(passages))
    parts = []
    if not passages:
        parts.append("no retrieved passage is cited")
    elif words:
        rule = ", all are needed" if strict else ""
        parts.append(f"{matched} of {len(words)} content words of the key are in {best}{rule}")
    if looked and passages:
        stated = sum(s.mark is Mark.PASS for s in looked)
        parts.append(f"{stated} of {len(looked)} numbers of the key are in the cited passages")
    says = "; ".join(parts)
    return Finding(Check.KEY, mark, says[:1].upper() + says[1:] + ".", (*evidence, *(s.evidence for s in looked)))


def _mark(numbers: set[Mark], *, enough: bool) -> Mark:
    if not enough or Mark.FAIL in numbers:
        return Mark.FAIL
    return Mark.DERIVED if Mark.DERIVED in numbers else Mark.PASS

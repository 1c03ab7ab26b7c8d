"""The check for near-duplicates: an earlier item that asks the same and has the same answer."""

from __future__ import annotations

from collections.abc import Sequence

from evalcore.generation.checks.findings import Check, Finding, Mark, Matched
from evalcore.generation.checks.normal import normal
from evalcore.generation.checks.numbers import numbers
from evalcore.generation.checks.words import content_words
from evalcore.generation.items import Item
from evalcore.generation.limits import Limits


def jaccard(a: str, b: str) -> float:
    """Shared over all distinct content words and numbers of two stems; of two without any: 1 when equal, else 0."""
    left, right = _tokens(a), _tokens(b)
    if not left and not right:
        return float(normal(a) == normal(b))
    return len(left & right) / len(left | right)


def _tokens(stem: str) -> set[str]:
    return {*content_words(stem), *(f"{n.value} {n.unit}" for n in numbers(stem))}


def _same_answer(item: Item, other: Item) -> bool:
    return item.answer is not None and other.answer is not None and normal(item.answer) == normal(other.answer)


def duplicate_check(item: Item, earlier: Sequence[Item], limits: Limits) -> Finding:
    """No earlier item of either kind has both a similar stem and the same answer.

    Similar: a Jaccard index of at least ``duplicate_jaccard``, the plan's threshold, over distinct content words and
    numbers of the question. The condition on the answer (the same one, after normalising) is added to the plan's rule:
    stems that share a template ("What is the mean of 3, 5, 7?") are alike without asking the same, and so are "which
    is" and "which is not" over the same options.
    """
    alike = [(jaccard(item.question, other.question), other) for other in earlier]
    evidence = tuple(
        Matched(other.id, same, f"Jaccard {index:.2f}, {'same answer' if same else 'another answer'}")
        for index, other in alike
        if index >= limits.duplicate_jaccard
        for same in [_same_answer(item, other)]
    )
    repeated = [m.looked_for for m in evidence if m.found]
    if repeated:
        return Finding(Check.DUPLICATE, Mark.FAIL, f"Repeats {', '.join(repeated)}.", evidence)
    says = "A similar question came before, with another answer." if evidence else "No earlier item is like it."
    return Finding(Check.DUPLICATE, Mark.PASS, says, evidence)

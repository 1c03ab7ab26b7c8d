"""The automatic checks of generated items: small pure functions, each with a published definition and evidence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from evalcore.generation.checks.citations import citations, cites
from evalcore.generation.checks.definitions import definitions
from evalcore.generation.checks.duplicates import duplicate_check
from evalcore.generation.checks.findings import OF_OPTIONS, SUPPORT, Check, Finding, Mark, Matched
from evalcore.generation.checks.key_check import key_check
from evalcore.generation.checks.number_check import number_check
from evalcore.generation.checks.options import distractor_check, options_check
from evalcore.generation.checks.word_check import word_check
from evalcore.generation.items import Item
from evalcore.generation.limits import Limits

__all__ = [
    "OF_OPTIONS",
    "SUPPORT",
    "Check",
    "Finding",
    "Mark",
    "Matched",
    "check_item",
    "definitions",
    "supported",
]


def check_item(
    item: Item, retrieved: Mapping[str, str], earlier: Sequence[Item], limits: Limits
) -> tuple[Finding, ...]:
    """Every check of one item, in the order of ``Check``.

    ``retrieved`` maps the ids of the passages of the item's topic to their texts; ``earlier`` are the items that come
    before it, in topic order, then item order.
    """
    return (
        cites(item, retrieved),
        citations(item, retrieved),
        number_check(item, retrieved, limits),
        word_check(item, retrieved, limits),
        key_check(item, retrieved, limits),
        options_check(item, limits),
        distractor_check(item, retrieved, limits),
        duplicate_check(item, earlier, limits),
    )


def supported(findings: Iterable[Finding]) -> bool:
    """Whether each check of support is there and passes: derived is no pass."""
    passed = {f.check for f in findings if f.mark is Mark.PASS}
    return passed.issuperset(SUPPORT)

"""Which retrieved passages an item cites, and the two checks of its citations."""

from __future__ import annotations

from collections.abc import Mapping

from evalcore.generation.checks.findings import Check, Finding, Mark, Matched
from evalcore.generation.items import Item

_AROUND = "[](){}<>\"'`"


def _plain(name: str) -> str:
    # models write an id in brackets or in capitals; the passage meant is the same
    previous = None
    while previous != name:
        previous, name = name, name.strip().strip(_AROUND)
    return name.casefold()


def looked_up(item: Item, retrieved: Mapping[str, str]) -> tuple[tuple[str, str | None], ...]:
    """Each citation as written, with the id of the retrieved passage that it names, or None.

    Letter case and spaces, brackets or quotes around a citation do not matter.
    """
    ids: dict[str, str] = {}
    for name in retrieved:
        ids.setdefault(_plain(name), name)
    return tuple((written, ids.get(_plain(written))) for written in item.citations)


def cited(item: Item, retrieved: Mapping[str, str]) -> dict[str, str]:
    """The cited retrieved passages, id to text, each once, in the order of the citations."""
    return {name: retrieved[name] for _, name in looked_up(item, retrieved) if name is not None}


def _evidence(pairs: tuple[tuple[str, str | None], ...]) -> tuple[Matched, ...]:
    return tuple(
        Matched(written, name is not None, name if name is not None else "no retrieved passage has this id")
        for written, name in pairs
    )


def cites(item: Item, retrieved: Mapping[str, str]) -> Finding:
    """At least one citation names a retrieved passage."""
    pairs = looked_up(item, retrieved)
    count = len({name for _, name in pairs if name is not None})
    if count:
        says = f"Cites {count} retrieved passage{'s' if count > 1 else ''}."
    else:
        says = "No citation names a retrieved passage." if pairs else "There is no citation."
    return Finding(Check.CITES, Mark.PASS if count else Mark.FAIL, says, _evidence(pairs))


def citations(item: Item, retrieved: Mapping[str, str]) -> Finding:
    """There is at least one citation, and each names a retrieved passage."""
    pairs = looked_up(item, retrieved)
    unknown = [written for written, name in pairs if name is None]
    if not pairs:
        says = "There is no citation."
    elif unknown:
        listed = ", ".join(repr(written) for written in unknown)
        says = f"{len(unknown)} of {len(pairs)} citations name no retrieved passage: {listed}."
    else:
        says = "Every citation names a retrieved passage."
    mark = Mark.PASS if pairs and not unknown else Mark.FAIL
    return Finding(Check.CITATIONS, mark, says, _evidence(pairs))

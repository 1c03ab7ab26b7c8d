"""The checks of a whole run: an item's near-duplicates are looked for in all topics before its own."""

from __future__ import annotations

import logging

from evalcore.generation.checks import check_item
from evalcore.generation.items import Item
from evalcore.generation.limits import Limits
from evalcore.generation.store.events import Checked
from evalcore.generation.store.run import Run

_LOG = logging.getLogger("evidence_lab")


def new_checks(run: Run, limits: Limits) -> list[Checked]:
    """The checks that are not in the run yet, or came out otherwise now that an earlier topic has arrived."""
    passages = {t.id: {p.id: p.text for p in t.passages} for t in run.began.topics}
    earlier: list[Item] = []
    found = []
    for item in run.items.values():
        try:
            findings = check_item(item, passages[item.topic], earlier, limits)
        except Exception as error:
            # an item that a check cannot take has no marks, which is no pass; it must not end a run or close a page
            _LOG.error("an item could not be checked: %s", type(error).__name__)
            findings = ()
        if run.findings.get(item.id) != findings:
            found.append(Checked(item=item.id, findings=findings))
        earlier.append(item)
    return found


def missing_checks(run: Run, limits: Limits) -> list[Checked]:
    """The checks of items that have none: their server ended between an answer and its checks."""
    if all(item in run.findings for item in run.items):
        return []
    return [checked for checked in new_checks(run, limits) if checked.item not in run.findings]

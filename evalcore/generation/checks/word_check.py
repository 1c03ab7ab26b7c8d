"""The check of content words: enough of an item's words stand in the passages that it cites."""

from __future__ import annotations

from collections.abc import Mapping

from evalcore.generation.checks.citations import cited
from evalcore.generation.checks.findings import Check, Finding, Mark, Matched
from evalcore.generation.checks.words import content_words
from evalcore.generation.items import Item
from evalcore.generation.limits import Limits


def word_check(item: Item, retrieved: Mapping[str, str], limits: Limits) -> Finding:
    """At least ``content_share`` of the distinct content words of question and right answer are in the cited passages.

    The share is taken over all cited passages together, and over question and answer together, so a short answer is
    not judged on its few words alone (KEY does that). An item without any content word fails: there is nothing that
    could support it.
    """
    passages = {name: content_words(text) for name, text in cited(item, retrieved).items()}
    evidence = []
    for stem, written in content_words(item.claim).items():
        where = [name for name, found in passages.items() if stem in found]
        evidence.append(Matched(written, bool(where), ", ".join(where)))
    if not evidence:
        return Finding(Check.WORDS, Mark.FAIL, "The question and its answer have no content word to look for.")
    matched = sum(m.found for m in evidence)
    mark = Mark.PASS if matched / len(evidence) >= limits.content_share else Mark.FAIL
    says = f"{matched} of {len(evidence)} content words are in the cited passages."
    return Finding(Check.WORDS, mark, says if passages else "No retrieved passage is cited.", tuple(evidence))

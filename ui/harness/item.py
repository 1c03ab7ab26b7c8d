"""One generated item as text, its passages, and its checks with their evidence. All of it is data: shown as it is."""

from __future__ import annotations

import string
from collections.abc import Sequence

import streamlit as st

from evalcore.generation.checks import supported
from evalcore.generation.checks.findings import Check, Finding, Mark
from evalcore.generation.items import Item, Kind
from evalcore.generation.judge import cited_first
from evalcore.generation.store.events import StoredPassage, StoredTopic
from ui.passages import text_passage
from ui.tables import table
from ui.text import plain

MARKS = {
    Mark.PASS: "✓ pass",
    Mark.FAIL: "✗ fail",
    Mark.DERIVED: "~ derived",
    Mark.DOES_NOT_APPLY: "does not apply",
}
TERMS = {
    "Mark": "Derived: a number that the passages do not state but that follows from two they do. It is not a pass.",
    "Evidence": "What was looked for, and where it stands.",
}
_MOST_EVIDENCE = 12


def item_card(item: Item) -> None:
    """Question, options with the key marked, answer, citations."""
    with st.container(border=True):
        st.markdown(f":small[{plain(item.kind.value.capitalize())} · {plain(item.id)}]")
        st.markdown(f"**{plain(item.question)}**")
        if item.kind is Kind.CHOICE:
            lines = [
                f"{letter}. {plain(option)}{'  **← key**' if place == item.key_index else ''}"
                for place, (letter, option) in enumerate(zip(string.ascii_uppercase, item.options, strict=False))
            ]
            st.markdown("  \n".join(lines))
            if item.key_index is None:
                st.markdown(f"Key given: {plain(item.key) or 'none'}, which names no option.")
        else:
            st.markdown(f"Answer: {plain(item.key)}")
        st.markdown(f":small[Cites: {plain(', '.join(item.citations)) or 'nothing'}]")


def passages(item: Item, topic: StoredTopic) -> None:
    """The passages of the item's topic, those that it cites open and first."""
    cited = {c.strip().lower() for c in item.citations}
    for passage in cited_first(item, topic):
        _passage(passage, cited=passage.id.lower() in cited)


def cited_passages(item: Item, topic: StoredTopic) -> None:
    """Only the passages that the item cites, open."""
    cited = {c.strip().lower() for c in item.citations}
    for passage in topic.passages:
        if passage.id.lower() in cited:
            st.markdown(f"**Cited: {plain(passage.section)}** · {plain(passage.id)}")
            text_passage(passage.text)


def topic_passages(topic: StoredTopic) -> None:
    """The passages of a topic, in the order in which they were retrieved."""
    for place, passage in enumerate(topic.passages, 1):
        st.markdown(f"**{place}. {plain(passage.section)}** · {plain(passage.id)}")
        text_passage(passage.text)


def _passage(passage: StoredPassage, *, cited: bool) -> None:
    title = f"{'Cited: ' if cited else ''}{plain(passage.section)} · {plain(passage.id)}"
    with st.expander(title, expanded=cited, icon=":material/format_quote:" if cited else None):
        text_passage(passage.text)


def checks_table(item: Item, findings: Sequence[Finding]) -> None:
    """Every check of an item: mark, sentence, evidence."""
    if not findings:
        st.caption("The checks of this item are not in the journal yet.")
        return
    rows = [
        {
            "Check": finding.check.value.capitalize(),
            "Mark": MARKS[finding.mark],
            "Why": finding.says,
            "Evidence": _evidence(finding),
        }
        for finding in findings
    ]
    said = "supported" if supported(findings) else "not supported"
    caption = (
        f"Automatic checks of {item.id}; together: {said} (citations, numbers, content words and key all pass). They "
        "match words and numbers; they do not understand."
    )
    table(rows, caption, TERMS)


def _evidence(finding: Finding) -> str:
    shown = [
        f"{'✓' if m.found else '✗'} {m.looked_for}{f' ({m.where})' if m.where else ''}"
        for m in finding.evidence[:_MOST_EVIDENCE]
    ]
    more = len(finding.evidence) - len(shown)
    return "; ".join(shown) + (f"; and {more} more" if more else "") if shown else "–"


def check_title(check: Check) -> str:
    """A check's name on screen."""
    return check.value.capitalize()

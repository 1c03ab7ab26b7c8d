"""What a reader or judge is given: a question and passages, and nothing that tells where a passage came from.

A pack is a function of its question and its passages' ids alone, and lists the passages by id. So the check that a pack
is blind is that it can be made again, byte for byte, from those.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

_PASSAGE = re.compile(r"^## (s\d\d-c\d\d)$", re.MULTILINE)


def pool_pack(question_id: str, text: str, passages: Mapping[str, str], ids: Iterable[str]) -> str:
    """One question with its pooled passages, sorted by id."""
    return f"# {question_id}\n\n{text}\n\n# Passages\n{_listed(passages, ids)}"


def section_pack(section: str, questions: Sequence[tuple[str, str]], passages: Mapping[str, str]) -> str:
    """One whole section, as its passages, with every drafted question (id, text)."""
    asked = "\n".join(f"- {identifier}: {text}" for identifier, text in questions)
    ids = [i for i in passages if i.startswith(f"{section}-")]
    return f"# Questions\n\n{asked}\n\n# Passages of section {section}\n{_listed(passages, ids)}"


def passages_in(pack: str) -> list[str]:
    """The ids of the passages that a pack holds, in its order."""
    return _PASSAGE.findall(pack)


def _listed(passages: Mapping[str, str], ids: Iterable[str]) -> str:
    return "".join(f"\n## {i}\n\n{passages[i]}\n" for i in sorted(ids))


def reading_pack(questions: Sequence[tuple[str, str]]) -> str:
    """Questions (id, text) for a reader who has the whole book; nothing tells which are thought to be answered."""
    return "# Questions\n\n" + "".join(f"- {identifier}: {text}\n" for identifier, text in questions)


def book(texts: Mapping[str, str]) -> str:
    """The whole text, section by section, for such a reader."""
    return "".join(f"# Section {identifier}\n\n{text}\n\n" for identifier, text in texts.items())

"""What a model is asked: the prompt, the schema of the answer, and the reading of what comes back."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from pydantic import ValidationError

from evalcore.generation.items import MULTIPLE_CHOICE, SHORT_ANSWER, PackAnswer
from evalcore.generation.store.events import StoredPassage, StoredTopic

SYSTEM = (
    "You write revision questions for students of an introductory statistics course. You are given passages of their "
    "textbook. Ask only what the passages answer, and take every fact and number from them. For every question name "
    "the ids of the passages that it rests on."
)
_TASK = (
    f"Write exactly {MULTIPLE_CHOICE} multiple-choice questions and exactly {SHORT_ANSWER} short-answer questions "
    f"that a "
    "student is likely to be asked on this topic. Each multiple-choice question has four different options, one of "
    "them right; its key is the letter A, B, C or D of the right one; the wrong ones are plausible and about as long. "
    "An answer to a short-answer question takes one or two sentences. No two questions ask the same thing. Citations "
    "are the ids of passages."
)


def user_prompt(topic: StoredTopic) -> str:
    """The passages of a topic and the task."""
    return f"Topic: {topic.title}\n\n{passages_text(topic.passages)}\n\n{_TASK}"


def passages_text(passages: Iterable[StoredPassage]) -> str:
    """Passages, each in marks that name it."""
    return "\n\n".join(f'<passage id="{p.id}">\n{p.text}\n</passage>' for p in passages)


def object_schema(**fields: dict[str, Any]) -> dict[str, Any]:
    """A JSON schema of an object that has exactly these fields."""
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


_TEXT: dict[str, Any] = {"type": "string"}
_LIST: dict[str, Any] = {"type": "array", "items": {"type": "string"}}
# Counts and lengths cannot be put into the service's schemas; they are asked for in words and counted afterwards.
PACK_SCHEMA = object_schema(
    multiple_choice={
        "type": "array",
        "items": object_schema(question=_TEXT, options=_LIST, key=_TEXT, citations=_LIST),
    },
    short_answer={"type": "array", "items": object_schema(question=_TEXT, answer=_TEXT, citations=_LIST)},
)
PROMPT_SHA256 = hashlib.sha256(json.dumps([SYSTEM, _TASK, PACK_SCHEMA]).encode()).hexdigest()


class NotAsAsked(ValueError):
    """A complete answer that is not the JSON, the schema or the counts asked for; the message says which."""


def read_pack(text: str) -> PackAnswer:
    """The pack in a model's answer.

    Raises:
        NotAsAsked: the text is not JSON, lacks a field or has one too many, or has other counts of items.

    """
    try:
        answer = PackAnswer.model_validate(read_json(text))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "the answer"
        raise NotAsAsked(f"not the schema asked for: {where}: {first['msg']}") from None
    counts = len(answer.multiple_choice), len(answer.short_answer)
    if counts != (MULTIPLE_CHOICE, SHORT_ANSWER):
        raise NotAsAsked(
            f"not the counts asked for: {counts[0]} multiple-choice and {counts[1]} short-answer items, "
            f"not {MULTIPLE_CHOICE} and {SHORT_ANSWER}"
        )
    return answer


def read_json(text: str) -> object:
    """The JSON of an answer.

    Raises:
        NotAsAsked: it is none, or has half a surrogate pair in it, which is no text and cannot be stored.

    """
    try:
        found = json.loads(text)
        json.dumps(found, ensure_ascii=False).encode("utf-8")
        return found
    except UnicodeEncodeError:
        raise NotAsAsked("not JSON: half a surrogate pair is no character") from None
    except (ValueError, RecursionError) as error:
        reason = str(error) if isinstance(error, json.JSONDecodeError) else "nested too deeply or a number too long"
        raise NotAsAsked(f"not JSON: {reason}" if text.strip() else "an empty answer") from None

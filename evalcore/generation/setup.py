"""What a run is made of: its first event, and the work that is left of it."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

from evalcore.generation import judge
from evalcore.generation.calls import prompt
from evalcore.generation.calls.client import SDK, Request, takes_temperature
from evalcore.generation.calls.runner import Work
from evalcore.generation.limits import Limits
from evalcore.generation.store.events import (
    MOST_AT_ONCE,
    MOST_TOKENS,
    MOST_USD,
    Began,
    Purpose,
    StoredPassage,
    StoredTopic,
)
from evalcore.generation.store.run import Run
from evalcore.generation.topics import Material, Materials
from evalcore.stats.means import SEED

FEWEST_TOKENS, USUAL_TOKENS = 1_000, 8_000
USUAL_AT_ONCE, USUAL_USD = 2, 1.0


@dataclass(frozen=True, slots=True)
class Settings:
    """What a visitor chooses. ``spend_cap_usd`` None means no cap.

    Raises:
        ValueError: a value outside its range; the message says which.

    """

    model: str
    output_cap: int = USUAL_TOKENS
    spend_cap_usd: float | None = USUAL_USD
    concurrency: int = USUAL_AT_ONCE

    def __post_init__(self) -> None:
        if not self.model:
            raise ValueError("choose a model")
        if not FEWEST_TOKENS <= self.output_cap <= MOST_TOKENS:
            raise ValueError(f"the output cap must be {FEWEST_TOKENS:,} to {MOST_TOKENS:,} tokens")
        if not 1 <= self.concurrency <= MOST_AT_ONCE:
            raise ValueError(f"1 to {MOST_AT_ONCE} calls side by side")
        cap = self.spend_cap_usd
        if cap is not None and not (isfinite(cap) and 0 < cap <= MOST_USD):
            raise ValueError(f"the spend cap must be above $0 and at most ${MOST_USD:g}")


def begin(settings: Settings, materials: Materials, limits: Limits) -> Began:
    """The first event of a run: everything that its numbers hang on."""
    return Began(
        model=settings.model,
        output_cap=settings.output_cap,
        spend_cap_usd=settings.spend_cap_usd,
        concurrency=settings.concurrency,
        seed=SEED,
        plan_sha256=limits.plan_sha256,
        prompt_sha256=prompt.PROMPT_SHA256,
        sdk=SDK,
        topics=tuple(stored(m) for m in materials.by_topic.values()),
    )


def stored(material: Material) -> StoredTopic:
    """A topic as it is kept with a run."""
    passages = tuple(StoredPassage(id=p.id, section=p.section, text=p.text) for p in material.passages)
    topic = material.topic
    return StoredTopic(id=topic.id, title=topic.title, query=topic.query, sha256=material.sha256, passages=passages)


def packs_to_write(run: Run) -> list[Work]:
    """The topics without an outcome of the model's own; what the model did is not asked for again."""
    return [
        Work(Purpose.GENERATE, topic.id, _request(run, prompt.user_prompt(topic)))
        for topic in run.topics.values()
        if _open(run, Purpose.GENERATE, topic.id)
    ]


def items_to_judge(run: Run, model: str) -> list[Work]:
    """The items on which the judge has given no outcome of its own yet."""
    found = []
    for item in run.items.values():
        if _open(run, Purpose.JUDGE, item.id):
            request = Request(
                model=model,
                system=judge.SYSTEM,
                prompt=judge.judge_prompt(item, run.topics[item.topic]),
                schema=judge.SCHEMA,
                output_cap=judge.OUTPUT_CAP,
                read=judge.read_judgement,
                temperature=takes_temperature(model),
            )
            found.append(Work(Purpose.JUDGE, item.id, request))
    return found


def _request(run: Run, text: str) -> Request:
    return Request(
        model=run.began.model,
        system=prompt.SYSTEM,
        prompt=text,
        schema=prompt.PACK_SCHEMA,
        output_cap=run.began.output_cap,
        read=prompt.read_pack,
        temperature=takes_temperature(run.began.model),
    )


def _open(run: Run, purpose: Purpose, unit: str) -> bool:
    end = run.final(purpose, unit)
    return end is None or not end.outcome.of_model

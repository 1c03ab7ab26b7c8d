"""The recorded sample: a run written by hand for this demo, so that everything can be tried without a key.

It measures no model, and every number from it says so. Its answers went through the same reading and checks as any.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

from evalcore.files import reading
from evalcore.generation.calls import prompt
from evalcore.generation.calls.outcomes import Outcome
from evalcore.generation.checking import new_checks
from evalcore.generation.limits import Limits
from evalcore.generation.setup import USUAL_USD, stored
from evalcore.generation.store.events import Began, Ended, Event, Purpose, Record
from evalcore.generation.store.run import Run
from evalcore.generation.topics import Materials
from evalcore.goldset.schema import GOLD
from evalcore.retrieval.corpus import Corpus
from evalcore.stats.means import SEED

PACKS = GOLD / "generation" / "sample_packs.json"
WRITTEN = datetime(2026, 12, 1, tzinfo=UTC)
WRITTEN_FOR = "a language model that wrote it for this demo, faults included"
NO_MODEL = "none: recorded sample"


def sample_run(path: Path = PACKS) -> Run:
    """The sample as a run.

    Raises:
        BadInput: its file is missing or damaged.

    """
    materials, limits = Materials.of(Corpus.load()), Limits.of()
    began = Began(
        model=NO_MODEL,
        output_cap=0,
        spend_cap_usd=USUAL_USD,
        concurrency=1,
        seed=SEED,
        plan_sha256=limits.plan_sha256,
        prompt_sha256=prompt.PROMPT_SHA256,
        sdk="none",
        topics=tuple(stored(m) for m in materials.by_topic.values()),
        written_for=WRITTEN_FOR,
    )
    records: list[Record] = [began]
    with reading(path):
        packs = json.loads(path.read_text(encoding="utf-8"))["topics"]
        for topic, pack in packs.items():
            refused = "answer" not in pack
            records.append(
                Ended(
                    purpose=Purpose.GENERATE,
                    unit=topic,
                    attempt=1,
                    outcome=Outcome.REFUSED if refused else Outcome.OK,
                    detail="written as a refusal" if refused else "as asked for",
                    stop_reason="refusal" if refused else "end_turn",
                    text="" if refused else json.dumps(pack["answer"], ensure_ascii=False),
                )
            )
    run = Run(tuple(Event(at=WRITTEN, what=record) for record in records))
    checked = (Event(at=WRITTEN, what=check) for check in new_checks(run, limits))
    return Run((*run.events, *checked))

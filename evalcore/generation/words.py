"""What a run shows, in sentences that say no more than it does, and no model's name to whoever has yet to rate."""

from __future__ import annotations

from evalcore.generation.rubric import Sheet
from evalcore.generation.store.events import Purpose, Question
from evalcore.generation.store.run import Run, Standing

SAMPLE = "recorded sample, written for this demo; not a measurement of any model"


def headline(run: Run) -> str:
    """How many topics gave valid output, which is all that may be said before anybody has read an item."""
    ready = len(run.packs)
    own = sum(1 for end in run.outcomes.values() if end.outcome.of_model)
    if run.began.written_for is not None:
        return f"A recorded sample: {_topics(ready)} with items, {own - ready} without valid output"
    if own == 0:
        return "No topic has an outcome of the model's own yet"
    return f"{ready} of {_topics(own)} gave valid output"


def below_the_headline(run: Run, sheet: Sheet) -> str:
    """What is left open: topics without an outcome of the model's own, and items that nobody has read."""
    said = []
    left = [t for t in run.topics if run.standing(t) in (Standing.WAITING, Standing.OPEN, Standing.UNDER_WAY)]
    if left:
        are = "is" if len(left) == 1 else "are"
        said.append(f"{len(left)} of {len(run.topics)} topics {are} open, so the run is incomplete.")
    rated = sum(1 for item in run.items if (item, Question.FAITHFUL) in sheet.ratings)
    total = len(run.items)
    if total and not rated:
        said.append(
            f"None of the {total} items is rated by {sheet.rater}: what checks say of them is no person's view."
        )
    elif total:
        said.append(f"{sheet.rater} has rated {rated} of {total} items for faithfulness.")
    if sheet.blind:
        first = (
            "1 first answer was blind and counts"
            if len(sheet.blind) == 1
            else (f"{len(sheet.blind)} first answers were blind and count")
        )
        said.append(f"{first} in the agreement, whatever was changed later.")
    return " ".join(said)


def may_not_be_said(run: Run) -> list[str]:
    """What nobody may conclude from this run."""
    said = []
    if run.began.written_for is not None:
        said.append("Anything about any model: these items were written for this demo, faults included.")
    else:
        said.append("That the model is as good on other texts: eight topics of one textbook were asked about.")
    said.append("That an item is right because its checks pass: they match words and numbers.")
    said.append("That one rater's answers are the truth: how far a second one agrees is part of the result.")
    if any(end.outcome.failure_of_model for end in run.outcomes.values()):
        said.append(
            "That items are good at this rate among all that were asked for: topics without valid output have none."
        )
    return said


def cost_so_far(run: Run) -> str:
    """What was spent at list price, and that some of it is not known."""
    unknown = run.of_unknown_cost
    calls = "1 call" if unknown == 1 else f"{unknown} calls"
    if unknown and not run.spent:
        return f"unknown, {calls} of unknown cost"
    said = f"${run.spent:.4f} at list price"
    return f"{said}, and {calls} of unknown cost" if unknown else said


def what_happened(run: Run, topic: str) -> str:
    """One topic in a line: where it is, and why."""
    standing, attempts = run.standing(topic), run.of(Purpose.GENERATE, topic)
    end = run.final(Purpose.GENERATE, topic)
    tries = f", attempt {len(attempts)}" if len(attempts) > 1 else ""
    if standing is Standing.READY:
        return f"ready: {len(run.packs[topic])} items{tries}"
    if standing is Standing.UNDER_WAY:
        return f"{standing.value}{tries}"
    if end is None:
        return str(standing.value)
    against = "counts against the model" if end.outcome.failure_of_model else "not the model's"
    return f"{end.outcome.value.replace('_', ' ')} ({against}): {without_model(run, end.detail)}{tries}"


def without_model(run: Run, detail: str) -> str:
    """Why a call ended as it did, without the name of the model."""
    names = {run.began.model, *(end.model for end in run.outcomes.values() if end.model)}
    for name in sorted(names, key=len, reverse=True):
        detail = detail.replace(name, "[model]")
    return detail


def _topics(n: int) -> str:
    return "1 topic" if n == 1 else f"{n} topics"

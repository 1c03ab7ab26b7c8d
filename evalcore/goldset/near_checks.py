"""The rules of the unanswerable slice: declared first, read twice, near the text, and scored from what is stored."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from statistics import median

from evalcore.goldset.checks import Check, run_check
from evalcore.goldset.packs import reading_pack
from evalcore.goldset.schema import GoldSet
from evalcore.goldset.scores import FILE, OFF_TOPIC, SCORES, candidates, hits, read_off_topic
from evalcore.goldset.unanswerable import READERS, Slice, select, unanswered
from evalcore.history import History
from evalcore.retrieval.corpus import Corpus

Faults = Iterator[str]
STEPS = ("plan.toml", "drafts.jsonl", "packs", "readings.jsonl", "questions.jsonl")
_SAME_SCORE = 1e-4


def check_near(gold: GoldSet, corpus: Corpus) -> list[Check]:
    """The checks of the unanswerable slice, in the order in which it was made."""
    rules: list[tuple[str, Callable[[GoldSet, Corpus], Faults]]] = [
        ("unanswerable: plan, drafts, packs, readings, questions, scores came in this order", declared_first),
        ("unanswerable: every pack holds its questions and nothing else", packs_as_given),
        ("unanswerable: two readers read every section, found no answer, and quote what stands there", read_twice),
        ("unanswerable: both readers found every answerable question that was mixed in", controls_found),
        ("unanswerable: the questions are those that the plan's rule chooses", chosen_by_rule),
        ("unanswerable: half of them lie nearer to the text than any off-topic question", near_the_text),
        ("scores.csv follows from the stored vectors and the passages", scores_follow),
    ]
    return [run_check(rule, check, gold, corpus) for rule, check in rules]


def declared_first(gold: GoldSet, corpus: Corpus) -> Faults:
    """Plan, drafts, packs, readings, questions and scores were committed in this order; the plan never changed."""
    history, folder = History.of(gold.folder), _near(gold).folder
    first = {}
    for path in (*(folder / step for step in STEPS), gold.folder / FILE):
        commits = history.commits(path)
        if not commits:
            yield f"{path.name} was never committed"
            return
        first[path.name] = commits[0]
        if path.name in ("plan.toml", "drafts.jsonl", "packs"):
            if len(commits) > 1:
                yield f"{path.name} was changed after its first commit, in {commits[1][:10]}"
            if not history.is_unchanged(path):
                yield f"{path.name} on disk is not the committed one"
    # the questions follow from the readings by the rule, so the two may share a commit
    for before, after in pairwise(first):
        together = (before, after) == ("readings.jsonl", "questions.jsonl") and first[before] == first[after]
        if not together and not history.precedes(first[before], first[after]):
            yield f"{after} did not come after {before}"


def packs_as_given(gold: GoldSet, corpus: Corpus) -> Faults:
    """Every pack holds its questions word for word and nothing else, and each reader had every draft once."""
    near = _near(gold)
    texts = {d.draft: d.text for d in near.drafts} | {q.id: q.text for q in gold.questions}
    packs = sorted({item.split("-")[0] for item in near.items})
    for stray in sorted({p.stem for p in (near.folder / "packs").glob("*.md")} - set(packs)):
        yield f"packs/{stray}.md is not in key.json"
    for pack in packs:
        items = [(item, texts[q]) for item, q in near.items.items() if item.split("-")[0] == pack]
        if (near.folder / "packs" / f"{pack}.md").read_text(encoding="utf-8") != reading_pack(items):
            yield f"packs/{pack}.md is not its questions and nothing else"
    for reader in READERS:
        given = Counter(q for item, q in near.items.items() if item.startswith(reader))
        if {d.draft for d in near.drafts} - set(given) or max(given.values()) > 1:
            yield f"reader {reader} was not given every draft once"


def read_twice(gold: GoldSet, corpus: Corpus) -> Faults:
    """Both readers read all sections for every question, neither found an answer, and what they quote stands there."""
    near, sections = _near(gold), tuple(corpus.texts)
    times = Counter(r.item for r in near.readings)
    for item, question in near.items.items():
        if times[item] != 1:
            yield f"{question}: {item} was read {times[item]} times"
    for r in near.readings:
        if near.items.get(r.item) != r.question:
            yield f"{r.question}: {r.item} is another question"
        if (f"{r.item.split('-')[0]}.md", r.item[:1]) != (r.pack, r.reader):
            yield f"{r.question}: {r.item} is not of {r.pack} and reader {r.reader}"
        if r.sections_read != sections:
            yield f"{r.question}: reader {r.reader} did not read every section"
        if not any(r.quote in corpus.texts[s] for s in r.sections):
            yield f"{r.question}: {', '.join(r.sections)} does not say {r.quote[:60]!r}"
    for q in near.questions:
        said = near.of_question.get(q.draft, {})
        if not unanswered(said):
            yield f"{q.id} was not read twice as unanswered"
        elif q.sections_read != sections or q.nearest != tuple(sorted({s for r in said.values() for s in r.sections})):
            yield f"{q.id} names other sections than its readings"


def controls_found(gold: GoldSet, corpus: Corpus) -> Faults:
    """The answerable questions that were mixed in unmarked were found answered by both readers."""
    near = _near(gold)
    controls = {q.id for q in gold.questions} & set(near.of_question)
    if not controls:
        yield "no answerable question was mixed in"
    for q in sorted(controls):
        if not all(r.answered for r in near.of_question[q].values()):
            yield f"{q} is answered, and a reader did not find it"


def chosen_by_rule(gold: GoldSet, corpus: Corpus) -> Faults:
    """The questions are the drafts that the plan's rule chooses, word for word, as many as it says."""
    near = _near(gold)
    rules = near.plan["questions"]
    rule = [(d.draft, d.chapter, d.type, d.gap, d.text) for d in select(near.drafts, near.of_question, near.plan)]
    if [(q.draft, q.chapter, q.type, q.gap, q.text) for q in near.questions] != rule:
        yield "questions.jsonl is not what the rule chooses from the drafts"
    if len(near.questions) != rules["count"]:
        yield f"{len(near.questions)} questions, declared {rules['count']}"
    for what, values, least in (
        ("type", rules["types"], rules["at_least_of_each_type"]),
        ("gap", rules["gaps"], rules["at_least_of_each_gap"]),
    ):
        counts = Counter(getattr(q, what) for q in near.questions)
        for value in values:
            if counts[value] < least:
                yield f"{value}: {counts[value]} questions, at least {least} declared"


def near_the_text(gold: GoldSet, corpus: Corpus) -> Faults:
    """Half of the unanswerable questions have a higher top-1 cosine than every off-topic question."""
    off_topic = read_off_topic(gold.folder / OFF_TOPIC)
    with (gold.folder / FILE).open(encoding="utf-8", newline="") as file:
        near = [float(row["dense_top1"]) for row in csv.DictReader(file) if row["answerable"] == "0"]
    highest = max(scores["dense_top1"] for scores in off_topic.values())
    if median(near) <= highest:
        yield f"the median top-1 cosine is {median(near):.3f}, the highest off-topic one {highest:.3f}"


def scores_follow(gold: GoldSet, corpus: Corpus) -> Faults:
    """scores.csv and off_topic_scores.csv follow from the stored vectors and a fresh BM25 index."""
    found = candidates(gold, _near(gold), corpus)
    with (gold.folder / FILE).open(encoding="utf-8", newline="") as file:
        stored = {row["query_id"]: row for row in csv.DictReader(file)}
    if set(stored) != set(found.near):
        yield f"{FILE} holds other questions than the gold set"
        return
    hit = hits(gold, corpus)
    for i, row in stored.items():
        if row["answerable"] != str(int(found.answerable[i])):
            yield f"{FILE}: {i} has the wrong label"
        if row["hit"] != (str(int(hit[i])) if i in hit else ""):
            yield f"{FILE}: {i} has the wrong hit"
    off_topic = read_off_topic(gold.folder / OFF_TOPIC)
    if set(off_topic) != set(found.off_topic):
        yield f"{OFF_TOPIC} holds other questions than the slice"
        return
    kept = [(FILE, i, {s: float(row[s]) for s in SCORES}, found.near[i]) for i, row in stored.items()]
    kept += [(OFF_TOPIC, i, s, found.off_topic[i]) for i, s in off_topic.items()]
    for name, i, scores, fresh in kept:
        for score in SCORES:
            if abs(scores[score] - fresh[score]) > _SAME_SCORE:
                yield f"{name}: {score} of {i} is {scores[score]}, freshly computed {fresh[score]:.6f}"


def _near(gold: GoldSet) -> Slice:
    return Slice(gold.folder / "unanswerable")

"""Every rule that the gold set sets itself, checked: each check passes, fails, or cannot be assessed and says why."""

from __future__ import annotations

import hashlib
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from evalcore.evidence import Result
from evalcore.files import read_qrels
from evalcore.goldset.build import (
    SECTION_ARMS,
    SECTION_POOL_DEPTH,
    chunk_grades,
    chunks_holding,
    pools,
    section_grades,
    stored_run,
)
from evalcore.goldset.packs import passages_in, pool_pack, section_pack
from evalcore.goldset.samples import SAMPLE_QUERIES
from evalcore.goldset.schema import RANKERS, GoldSet
from evalcore.history import History, NoHistoryError
from evalcore.retrieval.corpus import Corpus

Faults = Iterator[str]


@dataclass(frozen=True, slots=True)
class Check:
    """One rule, its result, and what broke it (or why it could not be assessed)."""

    rule: str
    result: Result
    details: tuple[str, ...] = ()


def check_all(gold: GoldSet, corpus: Corpus) -> list[Check]:
    """The checks of questions, spans and judgements, in the order in which they were made."""
    rules: list[tuple[str, Callable[[GoldSet, Corpus], Faults]]] = [
        ("the plan came first, alone in its commit, and never changed", _plan_first),
        ("the history runs plan, questions, spans, runs and packs, judgements, report", _history_order),
        ("each chapter has its number of questions and each type at least its minimum", _quotas),
        ("every question is one of the drafts, word for word, and every other draft is accounted for", _drafts),
        ("no sample query of the app is a question", _samples),
        ("every span stands verbatim in its section, inside one passage", _spans),
        ("every question has a span", _spanned),
        ("every section was read for every question, and sections with a span were read as answering", _readings),
        ("every passage that a ranker returns in its top 10 was judged, once", _pooled),
        ("every section that either arm ranks in its top 3 is answer-bearing or was read", _section_pool),
        ("every pack holds a question and passages by id, and nothing else", _packs_blind),
        ("every judgement names the pack it was made from, and every grade of 2 has its span", _judgements),
        ("qrels.trec and section_qrels.trec follow from spans, readings and judgements", _qrels),
    ]
    return [run_check(rule, check, gold, corpus) for rule, check in rules]


def run_check(rule: str, check: Callable[[GoldSet, Corpus], Faults], gold: GoldSet, corpus: Corpus) -> Check:
    """One rule held against the files; what breaks the check itself is a fault too."""
    try:
        faults = tuple(check(gold, corpus))
    except NoHistoryError as reason:
        return Check(rule, Result.NOT_ASSESSED, (str(reason),))
    except KeyError as error:
        return Check(rule, Result.FAIL, (f"{error.args[0]!r} is named and is not there",))
    except (OSError, ValueError) as error:
        return Check(rule, Result.FAIL, (str(error),))
    return Check(rule, Result.FAIL if faults else Result.PASS, faults)


def _plan_first(gold: GoldSet, corpus: Corpus) -> Faults:
    history = History.of(gold.folder)
    plan = gold.folder / "plan.toml"
    commits = history.commits(plan)
    if not commits:
        yield "plan.toml was never committed"
        return
    if len(commits) > 1:
        yield f"plan.toml was changed after its first commit, in {commits[1][:10]}"
    if not history.is_unchanged(plan):
        yield "plan.toml on disk is not the committed one"
    if len(files := history.files_of(commits[0])) > 1:
        yield f"its commit holds other files too: {', '.join(files)}"
    for other in history.commits(gold.folder):
        if other != commits[0] and not history.precedes(commits[0], other):
            yield f"commit {other[:10]} touches gold/ and does not come after the plan"


def _history_order(gold: GoldSet, corpus: Corpus) -> Faults:
    history = History.of(gold.folder)
    steps = [
        "plan.toml",
        "drafts.jsonl",
        "questions.jsonl",
        "evidence.jsonl",
        "runs",
        "judgements.jsonl",
        "report.json",
    ]
    first = {}
    for step in steps:
        commits = history.commits(gold.folder / step)
        if not commits:
            yield f"{step} was never committed"
            return
        first[step] = commits[0]
    for before, after in pairwise(steps):
        if not history.precedes(first[before], first[after]):
            yield f"{after} did not come after {before}"
    packs = [(f"{q.id}.md", "judgements.jsonl") for q in gold.questions]
    packs += [(f"{section}.md", "evidence.jsonl") for section in corpus.texts]
    for name, step in packs:
        commits = history.commits(gold.folder / "packs" / name)
        if len(commits) != 1:
            yield f"packs/{name} was committed {len(commits)} times; a pack is committed once and never changed"
        elif not history.precedes(commits[0], first[step]):
            yield f"packs/{name} did not come before {step}"
    for run in sorted((gold.folder / "runs").glob("*.trec")):
        for commit in history.commits(run):
            if not history.precedes(commit, first["judgements.jsonl"]):
                yield f"runs/{run.name} was changed after the judgements, in {commit[:10]}"


def _quotas(gold: GoldSet, corpus: Corpus) -> Faults:
    plan = tomllib.loads((gold.folder / "plan.toml").read_text(encoding="utf-8"))["gold_set"]
    chapters = Counter(q.chapter for q in gold.questions)
    for chapter, count in plan["questions"].items():
        if chapters[chapter] != count:
            yield f"{chapter}: {chapters[chapter]} questions, declared {count}"
    types = Counter(q.type for q in gold.questions)
    for kind in plan["types"]:
        if types[kind] < plan["at_least_of_each_type"]:
            yield f"{kind}: {types[kind]} questions, at least {plan['at_least_of_each_type']} declared"


def _drafts(gold: GoldSet, corpus: Corpus) -> Faults:
    drafts = {d.draft: d for d in gold.drafts}
    used = Counter([*(q.draft for q in gold.questions), *(s.draft for s in gold.authoring.set_aside)])
    for q in gold.questions:
        draft = drafts.get(q.draft)
        if draft is None or (draft.text, draft.type, draft.chapter) != (q.text, q.type, q.chapter):
            yield f"{q.id} is not the draft {q.draft}"
    for identifier in drafts:
        if used[identifier] != 1:
            yield f"{identifier} is used {used[identifier]} times"


def _samples(gold: GoldSet, corpus: Corpus) -> Faults:
    samples = {_folded(s) for s in SAMPLE_QUERIES}
    for q in gold.questions:
        if _folded(q.text) in samples:
            yield f"{q.id} is a sample query"


def _spans(gold: GoldSet, corpus: Corpus) -> Faults:
    for span in gold.evidence:
        text = corpus.texts.get(span.section, "")
        if text[span.start : span.end] != span.quote:
            yield f"{span.question}: {span.section} does not say at {span.start}: {span.quote[:60]!r}"
        elif not chunks_holding(span, corpus):
            yield f"{span.question}: no passage holds the whole span {span.quote[:60]!r}"


def _spanned(gold: GoldSet, corpus: Corpus) -> Faults:
    for q in gold.questions:
        if q.id not in gold.evidence_of:
            yield f"{q.id} has no span"


def _readings(gold: GoldSet, corpus: Corpus) -> Faults:
    read = {(r.question, r.section): r.answers for r in gold.readings}
    for q in gold.questions:
        for section in corpus.texts:
            if (q.draft, section) not in read:
                yield f"{section} was not read for {q.id}"
    drafts = {q.id: q.draft for q in gold.questions}
    for span in gold.evidence:
        answers = read.get((drafts[span.question], span.section))
        if span.found_by == "section reader" and not answers:
            yield f"{span.section} has a span for {span.question} but was read as not answering it"


def _pooled(gold: GoldSet, corpus: Corpus) -> Faults:
    judged = Counter((j.question, j.chunk) for j in gold.judgements)
    pooled = pools([stored_run(gold, name) for name in RANKERS], [q.id for q in gold.questions])
    for question, chunks in pooled.items():
        for chunk in chunks:
            if judged.pop((question, chunk), 0) != 1:
                yield f"{question}: {chunk} is in the pool and was not judged once"
    for question, chunk in judged:
        yield f"{question}: {chunk} was judged and is not in the pool"


def _section_pool(gold: GoldSet, corpus: Corpus) -> Faults:
    known = section_grades(gold, corpus)
    for arm in SECTION_ARMS:
        for question, ranked in stored_run(gold, f"section-{arm}").items():
            for section in ranked.ids[:SECTION_POOL_DEPTH]:
                if section not in known[question]:
                    yield f"{question}: {section}, in the top 3 of {arm}, was not read"


def _packs_blind(gold: GoldSet, corpus: Corpus) -> Faults:
    for q in gold.questions:
        pack = (gold.folder / "packs" / f"{q.id}.md").read_text(encoding="utf-8")
        if pack != pool_pack(q.id, q.text, corpus.chunk_text, passages_in(pack)):
            yield f"packs/{q.id}.md holds more than its question and its passages by id"
    drafts = [(d.draft, d.text) for d in gold.drafts]
    for section in corpus.texts:
        pack = (gold.folder / "packs" / f"{section}.md").read_text(encoding="utf-8")
        if pack != section_pack(section, drafts, corpus.chunk_text):
            yield f"packs/{section}.md holds more than the drafted questions and the passages of its section"


def _judgements(gold: GoldSet, corpus: Corpus) -> Faults:
    holding = {(s.question, c) for s in gold.evidence for c in chunks_holding(s, corpus)}
    for j in gold.judgements:
        raw = (gold.folder / "packs" / f"{j.question}.md").read_bytes()
        if hashlib.sha256(raw).hexdigest() != j.pack_sha256:
            yield f"{j.question}: {j.chunk} was judged from another pack"
        elif j.chunk not in passages_in(raw.decode("utf-8")):
            yield f"{j.question}: {j.chunk} is not in its pack"
        if j.grade == 2 and (j.question, j.chunk) not in holding:
            yield f"{j.question}: {j.chunk} has grade 2 and holds no span"


def _qrels(gold: GoldSet, corpus: Corpus) -> Faults:
    for name, grades in (
        ("qrels.trec", chunk_grades(gold, corpus)),
        ("section_qrels.trec", section_grades(gold, corpus)),
    ):
        if read_qrels(gold.folder / name, name=name).grades != grades:
            yield f"{name} is not what the files say; run: python -m evalcore gold build"


def _folded(text: str) -> str:
    return " ".join("".join(c for c in text.lower() if c.isalnum() or c.isspace()).split())

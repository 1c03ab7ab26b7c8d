"""The published report: every number of the textbook study with the hashes of what it came from, and its comparison
with a fresh computation."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from evalcore.abstention.export import sweep_json
from evalcore.abstention.scored import decides_nothing
from evalcore.evidence.rows import reasoned_row
from evalcore.export import comparison_json, measure_rows, pair_row
from evalcore.files import reading
from evalcore.gates import decide
from evalcore.goldset.build import Rankers, chunk_grades, overruled, question_vectors, stored_run
from evalcore.goldset.schema import RANKERS, published_hashes
from evalcore.goldset.scores import FILE, OFF_TOPIC
from evalcore.goldset.unanswerable import Slice
from evalcore.retrieval.corpus import Corpus
from evalcore.retrieval.encoder import Encoder, EncoderUnavailable
from evalcore.retrieval.ranked import Ranked
from evalcore.studies import THRESHOLD, AbstentionStudy, Shipped
from evalcore.textbook import Textbook

TOLERANCE = 1e-9
SAME_VECTOR = 0.999
SCORE_GAP = 1e-6
OTHER_SHARES = (0.05, 0.375)


def build_report(textbook: Textbook, corpus: Corpus) -> dict[str, Any]:
    """The whole report as plain data, ready for JSON."""
    return {
        "label": "Measured, retrieval-only",
        "provisional": textbook.gold.provisional,
        "files": _hashes(textbook, corpus),
        "gold_set": _gold_set(textbook, corpus),
        **core(textbook),
        "abstention": abstention(Shipped(textbook.gold, Slice(textbook.gold.folder / "unanswerable"), corpus).textbook),
    }


def core(textbook: Textbook) -> dict[str, Any]:
    """Everything that is computed from judgements and runs: the part that the speed budget speaks of."""
    compared = textbook.rankers
    study, primary = compared.study, compared.plan.primary
    names = [run.name for run in study.runs]
    return {
        **comparison_json(compared),
        "beside": [
            {"run": run, "measure": str(m), **reasoned_row(compared.beside(run, m))}
            for m in study.measures
            if not m.is_hit_rate
            for run in names
        ],
        "judged_at_10": [{"run": run, **reasoned_row(compared.judged_at_10(run))} for run in names],
        "recall_ceiling": [
            {"measure": str(m), **reasoned_row(ceiling)}
            for m in study.measures
            if (ceiling := compared.ceiling(m)) is not None
        ],
        "ties": [
            {"run": run, "measure": str(m), "questions": audit.questions, "worst": audit.worst, "best": audit.best}
            for run in names
            for m, audit in study.ties(run).items()
            if audit is not None
        ],
        "leader": compared.leader,
        "not_separated_from_leader": list(compared.not_separated()),
        "by_type": [
            {
                "type": kind,
                "run": run,
                "measure": str(primary),
                **reasoned_row(compared.mean(run, primary, ids)),
                "beside": reasoned_row(compared.beside(run, primary, ids)),
            }
            for kind, ids in textbook.by_type.items()
            for run in names
        ],
        "chunking": {
            "measures": measure_rows(textbook.chunking, textbook.chunking.study.measures),
            "pairs": [pair_row(c) for m in textbook.chunking.study.measures for c in textbook.chunking.pairs(m)],
        },
    }


def abstention(study: AbstentionStudy) -> dict[str, Any]:
    """What each score separates, which thresholds pass, what the cheapest are, and the gates at the declared rule's."""
    scores = []
    for column, scored in study.scores.items():
        chosen = study.by_rule(column).threshold
        decision = decide(
            scored.against(study.gates, scored.sweep.at(chosen)), decides_nothing=decides_nothing(scored, study.gates)
        )
        found = sweep_json(
            scored,
            study.gates,
            decision,
            costs=study.declared.costs,
            shares=(study.declared.unanswerable_share, *OTHER_SHARES),
            threshold=chosen,
        )
        scores.append(
            {"score": column, **{k: v for k, v in found.items() if k not in ("study", "candidates", "assumed")}}
        )
    primary = study.scores[study.primary]
    others = {column: reasoned_row(primary.auc_minus(s)) for column, s in study.scores.items() if s is not primary}
    return {
        "questions": {"answerable": primary.sweep.answerable, "unanswerable": primary.sweep.unanswerable},
        "primary": study.primary,
        "stored_threshold": study.stored.threshold if study.stored else None,
        "scores": scores,
        "auc_of_primary_minus": others,
        "off_topic": {column: sorted(s[column] for s in study.off_topic.values()) for column in study.scores},
        "held_out": "not assessed",
    }


def changed_files(textbook: Textbook, corpus: Corpus) -> list[str]:
    """Files that are not the ones which the published report was computed from."""
    published, now = published_hashes(textbook.gold), _hashes(textbook, corpus)
    return sorted(name for name in {*published, *now} if published.get(name) != now.get(name))


def differences(published: Any, fresh: Any, path: str = "report") -> Iterator[str]:
    """Where two reports differ: numbers by more than 1e-9, anything else at all."""
    if isinstance(published, dict) and isinstance(fresh, dict):
        for key in sorted({*published, *fresh}):
            if key not in published or key not in fresh:
                yield f"{path}.{key} is only in the {'fresh' if key in fresh else 'published'} report"
            else:
                yield from differences(published[key], fresh[key], f"{path}.{key}")
    elif isinstance(published, list) and isinstance(fresh, list):
        if len(published) != len(fresh):
            yield f"{path} has {len(published)} entries, freshly computed {len(fresh)}"
        for place, (one, two) in enumerate(zip(published, fresh, strict=False)):
            yield from differences(one, two, f"{path}[{place}]")
    elif _numbers(published, fresh):
        if not abs(published - fresh) <= TOLERANCE:  # a NaN differs too
            yield f"{path} is {published!r}, freshly computed {fresh!r}"
    elif published != fresh or type(published) is not type(fresh):
        yield f"{path} is {published!r}, freshly computed {fresh!r}"


@dataclass(frozen=True, slots=True)
class Live:
    """Stored vectors and runs beside live ones: faults, or why they could not be compared."""

    faults: tuple[str, ...]
    not_assessed: str | None = None


def check_live(textbook: Textbook, corpus: Corpus) -> Live:
    """Encodes questions, passages and sections again and ranks every question live.

    Vectors must agree by cosine >= 0.999 and orders except where neighbours' scores differ by less than 1e-6.
    """
    try:
        encoder = Encoder.load(corpus.folder / "model" / "vocab.txt")
    except EncoderUnavailable as reason:
        return Live((), str(reason))
    faults: list[str] = []
    texts = {
        "questions": {q.id: q.text for q in textbook.gold.questions},
        "sections": corpus.texts,
        "chunks": corpus.chunk_text,
    }
    live = {name: {i: encoder.encode(t) for i, t in of.items()} for name, of in texts.items()}
    for name, vectors in live.items():
        ids, stored = corpus.vectors(name)
        for identifier, vector in zip(ids, stored, strict=True):
            cosine = float(np.dot(vector, vectors[identifier]))
            if cosine < SAME_VECTOR:
                faults.append(f"the stored vector of {identifier} has cosine {cosine:.4f} with a fresh one")
    rankers = Rankers.load(corpus)
    stored_vectors = question_vectors(corpus)
    for question in textbook.gold.questions:
        fresh = rankers.rank(question.text, live["questions"][question.id])
        kept = rankers.rank(question.text, stored_vectors[question.id])
        faults += [
            f"{name} ranks {question.id} otherwise live than from stored vectors"
            for name in RANKERS
            if not same_order(kept[name], fresh[name])
        ]
    return Live(tuple(faults))


def check_runs(textbook: Textbook, corpus: Corpus) -> list[str]:
    """Recomputes every run from stored vectors and compares it with gold/runs."""
    rankers, vectors = Rankers.load(corpus), question_vectors(corpus)
    faults = []
    stored = {p.stem: stored_run(textbook.gold, p.stem) for p in sorted((textbook.gold.folder / "runs").glob("*.trec"))}
    for question in textbook.gold.questions:
        vector = vectors[question.id]
        fresh = rankers.rank(question.text, vector)
        fresh |= {f"section-{a}": r for a, r in rankers.rank_sections(vector, corpus.section_of).items()}
        for name, ranked in fresh.items():
            if not same_order(stored[name].get(question.id, Ranked((), ())), ranked):
                faults.append(f"runs/{name}.trec orders {question.id} otherwise than the rankers do")
    return faults


def same_order(one: Ranked, two: Ranked) -> bool:
    """Whether two rankings agree except among documents whose scores differ by less than 1e-6."""
    if sorted(one.ids) != sorted(two.ids):
        return False
    score = dict(zip(two.ids, two.scores, strict=True))
    return all(a == b or abs(score[a] - score[b]) < SCORE_GAP for a, b in zip(one.ids, two.ids, strict=True))


def _hashes(textbook: Textbook, corpus: Corpus) -> dict[str, str]:
    gold = textbook.gold.folder
    of_gold = [
        *(gold / name for name in ("plan.toml", "drafts.jsonl", "questions.jsonl", "evidence.jsonl")),
        *(gold / name for name in ("readings.jsonl", "judgements.jsonl", "authoring.json")),
        *(gold / name for name in (FILE, OFF_TOPIC, THRESHOLD)),
        *(gold / "unanswerable" / name for name in ("plan.toml", "drafts.jsonl", "readings.jsonl")),
        *(gold / "unanswerable" / name for name in ("questions.jsonl", "off_topic.jsonl")),
        *(gold / name for name in ("qrels.trec", "section_qrels.trec")),
        *sorted((gold / "runs").glob("*.trec")),
    ]
    of_corpus = [corpus.folder / name for name in ("manifest.json", "chunks.json", "vectors/index.json")]
    hashes = {}
    for folder, paths in ((gold, of_gold), (corpus.folder, of_corpus)):
        for path in paths:
            with reading(path):
                digest = hashlib.sha256(path.read_bytes()).hexdigest()
            hashes[f"{folder.name}/{path.relative_to(folder).as_posix()}"] = digest
    return hashes


def _gold_set(textbook: Textbook, corpus: Corpus) -> dict[str, Any]:
    gold = textbook.gold
    grades = Counter(g for graded in chunk_grades(gold, corpus).values() for g in graded.values())
    why = Counter(s.why for s in gold.authoring.set_aside)
    return {
        "sections": len(corpus.texts),
        "words": sum(s.words for s in corpus.manifest.sections),
        "passages": len(corpus.chunks),
        "drafted_questions": len(gold.drafts),
        "set_aside_unanswered": why["no single section answers it"],
        "spares_not_needed": why["spare, not needed"],
        "questions": len(gold.questions),
        "by_chapter": dict(Counter(q.chapter for q in gold.questions)),
        "by_type": {kind: len(ids) for kind, ids in textbook.by_type.items()},
        "spans": len(gold.evidence),
        "pooled_judgements": len(gold.judgements),
        "answer_bearing_passages": grades[2],
        "related_passages": grades[1],
        "sections_read_per_question": len(corpus.texts),
        "judged_below_2_but_holding_a_span": len(overruled(gold, corpus)),
        "spans_added_by_pool_judges": sum(s.found_by == "pool judge" for s in gold.evidence),
    }


def _numbers(one: Any, two: Any) -> bool:
    return all(isinstance(x, int | float) and not isinstance(x, bool) for x in (one, two))

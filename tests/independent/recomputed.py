"""The published report, computed a second time from the files and the design."""

from collections import Counter
from functools import cache

import numpy as np

from tests.independent import data, inference
from tests.independent.abstention import abstention
from tests.independent.estimates import BASIS, beside, hit_rate, mean, mean_with_reason
from tests.independent.ranking import (
    MEANS,
    evaluated,
    judged_share,
    measured,
    measures,
    per_question,
    tie_bounds,
    tied,
    unjudged,
)

FILES = (
    *(f"gold/{name}" for name in ("plan.toml", "drafts.jsonl", "questions.jsonl", "evidence.jsonl", "readings.jsonl")),
    *(f"gold/{name}" for name in ("judgements.jsonl", "authoring.json", "qrels.trec", "section_qrels.trec")),
    *(f"gold/runs/{name}.trec" for name in (*data.RANKERS, "section-sections", "section-chunks")),
    *(f"gold/{name}" for name in ("scores.csv", "off_topic_scores.csv", "threshold.json")),
    *(f"gold/unanswerable/{name}" for name in ("plan.toml", "off_topic.jsonl")),
    *(f"gold/unanswerable/{name}.jsonl" for name in ("drafts", "readings", "questions")),
    *(f"corpus/{name}" for name in ("manifest.json", "chunks.json", "vectors/index.json")),
)


@cache
def recomputed():
    return {
        "label": BASIS,
        "provisional": provisional(),
        "files": {path: data.sha256(path) for path in FILES},
        "gold_set": gold_set(),
        "study": study(),
        "measures": [one(name, measure) for measure in measures() for name in data.RANKERS],
        "pairs": pairs(),
        "family": {"k": len(data.plan()["family"]["pairs"]), "alpha": data.plan()["family"]["alpha"]},
        "beside": [other(name, measure) for measure in measures() if measure in MEANS for name in data.RANKERS],
        "judged_at_10": [{"run": name, **mean_with_reason(judged_share(name))} for name in data.RANKERS],
        "recall_ceiling": recall_ceiling(list(data.qrels()[q].values()) for q in evaluated(data.qrels())),
        "ties": [ties(name, measure) for name in data.RANKERS if tied(name) for measure in measures()],
        "leader": leader(),
        "not_separated_from_leader": not_separated(),
        "by_type": [by_type(kind, name) for kind in question_types() for name in data.RANKERS],
        "chunking": chunking(),
        "abstention": abstention(),
    }


def provisional():
    return data.as_json("gold/authoring.json")["review"] is None


# The gold set.


def tally(rows, field):
    return dict(Counter(row[field] for row in rows))


def answered(draft):
    """Whether any section was read as answering the draft."""
    return any(row["answers"] for row in data.rows("readings") if row["question"] == draft)


def set_aside():
    """The drafts that are no question of the study, as (unanswered by the text, not needed)."""
    left = {row["draft"] for row in data.rows("drafts")} - set(data.question_of_draft())
    unanswered = {draft for draft in left if not answered(draft)}
    return unanswered, left - unanswered


def sections_read():
    """The sections read for each question, which must be as many for every draft."""
    (count,) = set(Counter(row["question"] for row in data.rows("readings")).values())
    return count


def overruled():
    """Passages that hold a whole span, and that their judge graded below 2."""
    judged = data.judged()
    return [pair for pair in data.span_holders() if judged.get(pair, 2) < 2]


def gold_set():
    unanswered, spares = set_aside()
    questions, grades = data.rows("questions"), Counter(data.passage_grades().values())
    return {
        "sections": len(data.section_texts()),
        "words": sum(data.words(text) for text in data.section_texts().values()),
        "passages": len(data.chunks()),
        "drafted_questions": len(data.rows("drafts")),
        "set_aside_unanswered": len(unanswered),
        "spares_not_needed": len(spares),
        "questions": len(questions),
        "by_chapter": tally(questions, "chapter"),
        "by_type": tally(questions, "type"),
        "spans": len(data.rows("evidence")),
        "pooled_judgements": len(data.rows("judgements")),
        "answer_bearing_passages": grades[2],
        "related_passages": grades[1],
        "sections_read_per_question": sections_read(),
        "judged_below_2_but_holding_a_span": len(overruled()),
        "spans_added_by_pool_judges": tally(data.rows("evidence"), "found_by").get("pool judge", 0),
    }


# The study.


def study():
    statistics, means = data.plan()["statistics"], evaluated(data.qrels())
    return {
        "questions": len(means),
        "excluded_questions": len(data.question_ids()) - len(means),
        "plan_sha256": data.sha256("gold/plan.toml"),
        "seed": statistics["seed"],
        "resamples": statistics["resamples"],
        "provisional": provisional(),
        "runs": [of_run(name) for name in data.RANKERS],
    }


def of_run(name):
    return {
        "name": name,
        "sha256": data.sha256(f"gold/runs/{name}.trec"),
        "missing_questions": sum(question not in data.run(name) for question in evaluated(data.qrels())),
        "unjudged_at_10": unjudged(name),
    }


# One ranker.


def one(name, measure):
    values = per_question(name, measure)
    return {"run": name, "measure": measure, **(mean(values) if measure in MEANS else hit_rate(values))}


def other(name, measure):
    return {"run": name, "measure": measure, **beside(per_question(name, measure))}


def recall_ceiling(judged):
    """The ceilings of recall that lie below 1, the same for every run, from all the grades of each question."""
    ideal = [(sorted(grades, reverse=True), grades) for grades in judged]
    recalls = [measure for measure in measures() if measure.startswith("R@")]
    ceilings = {m: np.array([measured(m, best, grades) for best, grades in ideal]) for m in recalls}
    return [{"measure": m, **mean_with_reason(values)} for m, values in ceilings.items() if values.mean() < 1]


def ties(name, measure):
    worst, best = tie_bounds(name, measure)
    return {"run": name, "measure": measure, "questions": len(tied(name)), "worst": worst, "best": best}


def question_types():
    return tally(data.rows("questions"), "type")


def by_type(kind, name):
    """The primary measure over the questions of one type, with the other interval beside it."""
    primary = data.plan()["measures"]["primary"]
    types = {question["id"]: question["type"] for question in data.rows("questions")}
    chosen = np.array([types[question] == kind for question in evaluated(data.qrels())])
    values = per_question(name, primary)[chosen]
    return {"type": kind, "run": name, "measure": primary, **mean_with_reason(values), "beside": beside(values)}


# Two rankers.


def of_mean(first, second):
    p, vectors, every = inference.sign_flip(first - second)
    low, high = inference.paired_percentile(first - second)
    method = f"sign-flip, exact ({vectors:,} sign vectors)" if every else f"sign-flip, {vectors:,} draws"
    return {"low": low, "high": high, "method": "paired percentile bootstrap", "p": p, "p_method": method}


def of_hits(first, second):
    table = inference.cells(first, second)
    low, high = inference.newcombe(*table)
    method, p = "Newcombe paired score, method 10", inference.mcnemar_exact(*table)
    return {"low": low, "high": high, "method": method, "p": p, "p_method": "McNemar exact"}


def compared(names, measure, first, second):
    differences = first - second
    return {
        "first": names[0],
        "second": names[1],
        "measure": measure,
        "difference": float(differences.mean()),
        "d_z": inference.d_z(differences),
        **inference.flips(differences),
        **(of_mean(first, second) if measure in MEANS else of_hits(first, second)),
        "p_holm": None,
        "in_family": False,
        "verdict": None,
    }


def two(names, measure):
    return compared(names, measure, *(per_question(name, measure) for name in names))


def verdict(p_holm):
    """From the adjusted p alone."""
    family = data.plan()["family"]
    if family["rankers_tuned_on_these_questions"]:
        return "development-grade"
    return "inconclusive" if p_holm >= family["alpha"] else "measured gain, still retrieval-only"


@cache
def family():
    """The declared pairs on the primary measure, adjusted together."""
    declared = data.plan()["family"]
    raw = [two(names, declared["measure"]) for names in declared["pairs"]]
    adjusted = inference.holm([pair["p"] for pair in raw])
    return [
        {**pair, "p_holm": p, "in_family": True, "verdict": verdict(p)} for pair, p in zip(raw, adjusted, strict=True)
    ]


def pairs():
    """The family, then the exploratory measures in the plan's order."""
    secondary = data.plan()["measures"]["secondary"]
    return [*family(), *(two(names, m) for m in secondary for names in data.plan()["family"]["pairs"])]


@cache
def leader():
    """The run with the highest mean of the primary measure."""
    return max(data.RANKERS, key=lambda name: per_question(name, data.plan()["measures"]["primary"]).mean())


def not_separated():
    """The leader, and every run that the family does not separate from it."""
    alpha = data.plan()["family"]["alpha"]
    apart = [{p["first"], p["second"]} for p in family() if p["p_holm"] is not None and p["p_holm"] < alpha]
    return [name for name in data.RANKERS if {name, leader()} not in apart]


# Whole sections against chunks.


def chunking():
    names = [measure.removeprefix("section ") for measure in data.plan()["chunking_comparison"]["measures"]]
    values = {(arm, m): per_question(f"section-{arm}", m, "section_qrels") for arm in data.ARMS for m in names}
    return {
        "measures": [{"run": arm, "measure": m, **hit_rate(values[arm, m])} for m in names for arm in data.ARMS],
        "pairs": [compared(data.ARMS, m, *(values[arm, m] for arm in data.ARMS)) for m in names],
    }

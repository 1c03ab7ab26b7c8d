"""The section of the report on abstention, computed a second time from the published scores and section 7."""

from functools import cache
from itertools import groupby
from math import inf, isclose

import numpy as np

from tests.independent import data
from tests.independent.auc import auc, difference
from tests.independent.comparing import Beginning
from tests.independent.inference import wilson

SLACK = 1e-9
RATES = ("correct_abstention", "false_abstention")
OTHER_SHARE = 0.05
NOT_ASSESSED = "not assessed"


def names():
    """The declared scores, without the word that says which is the primary one."""
    return [name for name in data.unanswerable_plan()["scores"] if name != "primary"]


def primary():
    return data.unanswerable_plan()["scores"]["primary"]


@cache
def split(score):
    """The score of the answerable and of the unanswerable questions, each ascending by id."""
    rows = data.table("scores").values()
    return tuple(np.array([float(row[score]) for row in rows if row["answerable"] == label]) for label in "10")


def sizes():
    return tuple(len(values) for values in split(primary()))


def shares():
    """The shares of unanswerable questions: the plan's, a smaller one, and the file's."""
    answerable, unanswerable = sizes()
    return data.plan()["costs"]["unanswerable_share"], OTHER_SHARE, unanswerable / (answerable + unanswerable)


# One threshold; serve when the score is at or above it, and infinity refuses everything.


def candidates(score):
    return [*np.unique(np.concatenate(split(score))).tolist(), inf]


def refused(score, threshold):
    """How many answerable and how many unanswerable questions are refused."""
    return tuple(int(np.sum(values < threshold)) for values in split(score))


def errors(score, threshold):
    """The share of the answerable refused, and of the unanswerable served."""
    (false, correct), (answerable, unanswerable) = refused(score, threshold), sizes()
    return false / answerable, (unanswerable - correct) / unanswerable


def cost(score, threshold, share):
    """Of 1,000 questions, a share of them unanswerable."""
    costs, (false, unsupported) = data.plan()["costs"], errors(score, threshold)
    return 1000 * (share * costs["unsupported_answer"] * unsupported + (1 - share) * costs["refusal"] * false)


def unsupported_at(score, threshold, share):
    """The share of the served that is unsupported, at a share of unanswerable questions."""
    false, unsupported = errors(score, threshold)
    served = share * unsupported + (1 - share) * (1 - false)
    return share * unsupported / served if served else None


def bounded(end):
    return end if abs(end) < inf else None


def intervals(score, keeps):
    """The thresholds kept, as (open below, closed above), neighbours merged; keeps is asked of each candidate."""
    ends = candidates(score)
    steps = zip([-inf, *ends[:-1]], ends, strict=True)
    runs = [list(run) for kept, run in groupby(steps, key=lambda step: keeps(step[1])) if kept]
    return [(run[0][0], run[-1][1]) for run in runs]


def cheapest(score, share):
    costs = {candidate: cost(score, candidate, share) for candidate in candidates(score)}
    least = min(costs.values())
    kept = intervals(score, lambda candidate: isclose(costs[candidate], least, rel_tol=SLACK))
    return [{"low": bounded(low), "high": bounded(high), "cost_per_1000": costs[high]} for low, high in kept]


@cache
def threshold(score):
    """The upper end of the lowest cheapest interval at the plan's costs and share."""
    high = cheapest(score, shares()[0])[0]["high"]
    return inf if high is None else high


def share_of(hits, n, name):
    """A share under its name, with its Wilson limits; nothing where there is nothing to count."""
    low, high = wilson(hits, n) if n else (None, None)
    return {name: hits / n if n else None, f"{name}_low": low, f"{name}_high": high}


def at(score, candidate):
    """Everything that is stated of one threshold, itself a candidate."""
    (false, correct), (answerable, unanswerable) = refused(score, candidate), sizes()
    served = answerable + unanswerable - false - correct
    return {
        "threshold": bounded(candidate),
        "candidate": bounded(candidate),
        "served": served,
        "coverage": served / (answerable + unanswerable),
        **share_of(false, answerable, "false_abstention"),
        **share_of(correct, unanswerable, "correct_abstention"),
        **share_of(unanswerable - correct, served, "unsupported_share"),
        "cost_per_1000_test_mix": cost(score, candidate, shares()[-1]),
        "cost_per_1000": cost(score, candidate, shares()[0]),
        "wrong_scope_served": None,
    }


def mixed(score, share):
    return {
        "unanswerable_share": share,
        "unsupported_share": unsupported_at(score, threshold(score), share),
        "cost_per_1000": cost(score, threshold(score), share),
        "cheapest": cheapest(score, share),
    }


# Gates.


def meets(name, value):
    rule = data.plan()["gates"][name]
    return value >= rule["at_least"] - SLACK if "at_least" in rule else value <= rule["at_most"] + SLACK


def rates(score, candidate):
    return {name: at(score, candidate)[name] for name in RATES}


def feasible(score):
    """The thresholds that meet both gates of abstention."""
    kept = intervals(score, lambda candidate: all(meets(*rate) for rate in rates(score, candidate).items()))
    return [{"low": bounded(low), "high": bounded(high)} for low, high in kept]


def hits():
    """The hits over the answerable questions."""
    return [int(row["hit"]) for row in data.table("scores").values() if row["answerable"] == "1"]


def gate(name, count, n):
    rule = data.plan()["gates"][name]
    low, high = wilson(count, n)
    bound, result = rule.get("at_least", rule.get("at_most")), "pass" if meets(name, count / n) else "fail"
    return {"name": name, "value": count / n, "low": low, "high": high, "bound": bound, "result": result}


def unset(name):
    assert data.plan()["gates"][name]["set"] is False
    return {"name": name, **dict.fromkeys(("value", "low", "high", "bound")), "result": NOT_ASSESSED}


def gates(score):
    (false, correct), (answerable, unanswerable) = refused(score, threshold(score)), sizes()
    return [
        gate("recall_at_5", sum(hits()), answerable),
        gate("correct_abstention", correct, unanswerable),
        gate("false_abstention", false, answerable),
        unset("wrong_scope_served"),
    ]


def decides_nothing():
    """Whether serving everything, or refusing everything, passes both gates of abstention."""
    return any(all(meets(name, rate) for name in RATES) for rate in (0.0, 1.0))


def failing(score):
    return [row["name"] for row in gates(score) if row["result"] == "fail"]


# The section.


def of_score(score):
    plans, _, files = shares()
    return {
        "score": score,
        "auc": auc(*split(score)),
        "feasible": feasible(score),
        "cheapest": {"test_mix": cheapest(score, files), "chosen_mix": cheapest(score, plans)},
        "candidates_total": len(candidates(score)),
        "at_threshold": at(score, threshold(score)),
        "by_mix": [mixed(score, share) for share in shares()],
        "gates": gates(score),
        "generated_answer_competence": unset("generated_answer_competence")["result"],
        "go": not failing(score) and not decides_nothing(),
        "reasons": [Beginning(f"{name.replace('_', ' ')} is ") for name in failing(score)],
    }


def off_topic(score):
    return sorted(float(row[score]) for row in data.table("off_topic_scores").values())


def abstention():
    answerable, unanswerable = sizes()
    return {
        "questions": {"answerable": answerable, "unanswerable": unanswerable},
        "primary": primary(),
        "stored_threshold": bounded(threshold(primary())),
        "scores": [of_score(score) for score in names()],
        "auc_of_primary_minus": {
            score: difference(split(primary()), split(score)) for score in names() if score != primary()
        },
        "off_topic": {score: off_topic(score) for score in names()},
        "held_out": NOT_ASSESSED,
    }

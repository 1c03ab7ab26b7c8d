"""The measures written by hand are those of pytrec_eval, which sorts the stored scores itself."""

import numpy as np
import pytest
import pytrec_eval

from tests.independent import data
from tests.independent.ranking import (
    DEPTH,
    evaluated,
    measures,
    per_question,
    ranked,
    relevant_grade,
    tie_bounds,
    tie_orders,
    tied,
    top_groups,
)
from tests.independent.recomputed import recall_ceiling

RUNS = [(name, "qrels") for name in data.RANKERS] + [(f"section-{arm}", "section_qrels") for arm in data.ARMS]
TREC = {"nDCG": "ndcg_cut", "RR": "recip_rank", "R": "recall", "Success": "success"}


def by_trec_eval(run, measure, qrels):
    """Per question, ascending; reciprocal rank has no cut there, and so sees the first ten only."""
    kind, k = measure.split("@")
    name = TREC[kind] if kind == "RR" else f"{TREC[kind]}_{k}"
    scores = data.run(run)
    if kind == "RR":
        scores = {question: {d: rows[d] for d in ranked(rows)[:DEPTH]} for question, rows in scores.items()}
    asked = name if kind == "RR" else f"{TREC[kind]}.{k}"
    evaluator = pytrec_eval.RelevanceEvaluator(data.qrels(qrels), {asked}, relevance_level=relevant_grade())
    found = evaluator.evaluate(scores)
    return np.array([found[question][name] if question in found else 0.0 for question in evaluated(data.qrels(qrels))])


@pytest.mark.parametrize("measure", measures())
@pytest.mark.parametrize(("run", "qrels"), RUNS)
def test_every_question_scores_as_pytrec_eval_says(run, qrels, measure):
    mine = per_question(run, measure, qrels)
    assert len(mine) == len(evaluated(data.qrels(qrels)))
    assert np.allclose(mine, by_trec_eval(run, measure, qrels), rtol=0, atol=1e-9)


@pytest.mark.parametrize("measure", measures())
@pytest.mark.parametrize("run", data.RANKERS)
def test_the_published_order_of_ties_lies_between_the_worst_and_the_best(run, measure):
    worst, best = tie_bounds(run, measure)
    assert worst - 1e-12 <= per_question(run, measure).mean() <= best + 1e-12


def test_the_ceiling_of_recall_is_the_mean_of_the_most_that_can_be_found():
    """min(k, R)/R: 1/2 and 1 at 5; 1 and 1 at 10, which is not shown."""
    (row,) = recall_ceiling([[0, *[2] * 10], [1, 2, 2]])
    assert (row["measure"], row["value"], row["n"], row["reason"]) == ("R@5", 0.75, 2, None)
    assert (row["low"], row["high"]) == (0.5, 1.0)


def test_a_ceiling_that_is_the_same_for_every_question_has_a_reason_in_place_of_an_interval():
    (row,) = recall_ceiling([[2] * 10, [2] * 10, [1, *[2] * 10]])
    assert (row["value"], row["low"], row["high"]) == (0.5, None, None)
    assert row["reason"].startswith("all 3 values are equal (0.5); ")


@pytest.mark.parametrize("run", data.RANKERS)
def test_a_question_is_tied_when_its_first_ten_leave_more_than_one_order(run):
    assert set(tied(run)) == {question for question, scores in data.run(run).items() if len(tie_orders(scores)) > 1}


def test_a_tie_that_crosses_rank_10_is_taken_whole():
    scores = {f"d{place:02}": -float(place) for place in range(9)} | {"x": -9.0, "y": -9.0, "z": -9.0, "w": -10.0}
    assert top_groups(scores)[-1] == ["z", "y", "x"]


def test_scores_that_are_one_32_bit_float_are_tied():
    assert ranked({"a": 1.00000001, "b": 1.0}) == ["b", "a"]

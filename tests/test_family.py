"""The declared family: its size, its members and its verdicts."""

from itertools import combinations

import pytest

from evalcore.evidence import Verdict
from evalcore.export import comparison_json
from evalcore.stats.multiplicity import holm
from tests.small import (
    MEASURES,
    NDCG,
    RR,
    THREE,
    compared,
    places,
)


def seven():
    return {f"r{i}": places(*([1] * i + [2] * (8 - i))) for i in (7, 3, 1, 2, 4, 5, 6)}


def test_up_to_five_runs_the_family_is_every_pair():
    five = dict(list(seven().items())[:5])
    found = compared(8, five)
    assert len(found.family) == 10
    assert all(c.in_family for c in found.pairs(NDCG))


def test_above_five_runs_the_family_is_each_against_the_first():
    found = compared(8, seven())
    assert [set(pair) for pair in found.family] == [{"r7", other} for other in ("r3", "r1", "r2", "r4", "r5", "r6")]
    for c in found.pairs(NDCG):
        assert c.in_family is ("r7" in (c.first, c.second))
        assert (c.verdict is None) is not c.in_family
    raw = {c.second: c.p for c in found.pairs(NDCG) if c.in_family}
    adjusted = dict(zip(raw, holm(list(raw.values()), k=6), strict=True))
    assert {c.second: c.p_holm for c in found.pairs(NDCG) if c.in_family} == adjusted


DECLARED = (("bm25", "dense"), ("bm25", "hybrid"), ("dense", "hybrid"))


@pytest.mark.parametrize("two", list(combinations(THREE, 2)))
def test_a_declared_family_keeps_its_three_members_when_two_runs_are_shown(two):
    found = compared(12, {name: THREE[name] for name in two}, family=DECLARED)
    c = found.pair(*two, NDCG)
    assert len(found.family) == 3
    assert c.p_holm == pytest.approx(min(1, 3 * c.p))
    assert comparison_json(found)["family"]["k"] == 3


def test_nothing_outside_the_family_has_a_verdict_or_an_adjusted_p():
    found = compared(12, THREE)
    for measure in MEASURES:
        for c in found.pairs(measure):
            assert c.in_family is (measure == NDCG)
            assert ((c.verdict, c.p_holm) == (None, None)) is (measure != NDCG)
            assert 0 < c.p <= 1


def test_another_primary_measure_has_the_family_to_itself():
    found = compared(12, THREE, primary=RR)
    assert {c.measure for m in MEASURES for c in found.pairs(m) if c.in_family} == {"RR@10"}


def test_an_empty_family_is_all_exploratory():
    found = compared(12, THREE, family=())
    assert {c.verdict for m in MEASURES for c in found.pairs(m)} == {None}
    assert comparison_json(found)["family"]["k"] == 0


def test_rankers_tuned_on_these_questions_are_development_grade_whatever_their_p():
    runs = {"a": places(*[1] * 8), "b": places(*[2] * 8), "c": places(*[2] * 8)}
    found = compared(8, runs, tuned_on_these_questions=True)
    assert {c.verdict for c in found.pairs(NDCG)} == {Verdict.DEVELOPMENT}
    assert found.pair("a", "b", NDCG).p_holm < 0.05
    assert {c.verdict for c in found.pairs(RR)} == {None}


def test_a_small_alpha_takes_more_sign_vectors():
    twenty = {"a": places(*[1] * 20), "b": places(*[2] * 20), "c": places(*[3] * 20)}
    assert compared(20, twenty).pair("a", "b", NDCG).p_method == "sign-flip, 20,000 draws"
    assert compared(20, twenty, alpha=1e-4).pair("a", "b", NDCG).p_method == "sign-flip, 30,000 draws"


def test_runs_that_the_family_does_not_separate_from_the_highest_mean_stand_with_it():
    found = compared(8, {"low": places(*[5] * 8), "best": places(*[1] * 8), "near": places(*[1] * 7, 2)})
    assert found.by_mean == ("best", "near", "low")
    assert found.leader == "best"
    assert found.pair("best", "low", NDCG).verdict is Verdict.GAIN
    assert found.not_separated() == ("best", "near")

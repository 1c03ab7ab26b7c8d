"""Figures that the documents quote are computed from the study, not remembered."""

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

from evalcore.abstention.cost import cheapest
from evalcore.abstention.words import joined
from evalcore.comparison import Compared
from evalcore.evidence.claims import number, p_value, signed
from evalcore.files import QrelsFile
from evalcore.goldset.build import chunk_grades
from evalcore.goldset.schema import RANKERS, GoldSet
from evalcore.retrieval.corpus import Corpus
from evalcore.studies import MEANINGS, Shipped
from evalcore.study import join
from evalcore.textbook import Textbook

DECISIONS = (Path(__file__).resolve().parents[1] / "docs" / "decisions.md").read_text()
ABSTENTION = (Path(__file__).resolve().parents[1] / "docs" / "abstention.md").read_text()
COINCIDENT = ("q11", "q21", "q34", "q37")


@pytest.fixture(scope="module")
def textbook():
    return Textbook(GoldSet())


def rejudged(textbook, grades):
    """The rankers on other judgements, under the same plan."""
    runs = [textbook._run(name) for name in RANKERS]
    qrels = QrelsFile("other", "0" * 64, grades)
    study = join(qrels, runs, relevant_grade=textbook.plan.relevant_grade, measures=textbook.plan.measures)
    return Compared(study, replace(textbook.plan, sha256=None), True)


def rows(compared):
    return [
        f"{a} − {b} {signed(c.difference.value)} (raw p {p_value(c.p)})"
        for a, b in combinations(("hybrid", "dense", "bm25"), 2)
        for c in [compared.pair(a, b, compared.plan.primary)]
    ]


def quoted(title, compared):
    line = next(line for line in DECISIONS.splitlines() if line.startswith(f"| {title} |"))
    return all(row in line for row in rows(compared)), line, rows(compared)


def test_the_study_as_published_is_quoted_right(textbook):
    found, line, computed = quoted("as published", textbook.rankers)
    assert found, (line, computed)


def test_the_study_without_the_coincident_questions_is_quoted_right(textbook):
    kept = {q: g for q, g in textbook.qrels.grades.items() if q not in COINCIDENT}
    found, line, computed = quoted("without q11, q21, q34 and q37", rejudged(textbook, kept))
    assert found, (line, computed)


def test_the_study_by_the_judges_own_grades_is_quoted_right(textbook):
    grades = chunk_grades(textbook.gold, Corpus.load())
    for j in textbook.gold.judgements:
        grades[j.question][j.chunk] = j.grade
    found, line, computed = quoted("with the judges' own grades", rejudged(textbook, grades))
    assert found, (line, computed)


def test_every_coincident_question_is_named(textbook):
    for question in COINCIDENT:
        assert question in DECISIONS
        assert number(None) not in question


@pytest.fixture(scope="module")
def abstention():
    return Shipped.load().textbook


def limits(estimate):
    return f"{number(estimate.low)} to {number(estimate.high)}"


def test_what_each_score_separates_is_quoted_right(abstention):
    for column, scored in abstention.scores.items():
        name = MEANINGS[column] + (" (primary, declared)" if column == abstention.primary else "")
        assert f"| {name} | {number(scored.auc.value)} | {limits(scored.auc)} | none |" in ABSTENTION
    primary = abstention.scores[abstention.primary]
    for other in ("dense_top1", "combined"):
        difference = primary.auc_minus(abstention.scores[other])
        assert f"{signed(difference.value)}" in ABSTENTION
        assert limits(difference) in ABSTENTION


def test_the_cheapest_thresholds_are_quoted_right(abstention):
    for column, scored in abstention.scores.items():
        found = [cheapest(scored.sweep, abstention.declared.costs, share) for share in (0.05, 0.1, 0.375)]
        cells = " | ".join(f"{joined(best.cuts)}: {number(best.cost, 0)}" for best in found)
        assert any(line.startswith(f"| {MEANINGS[column]}") and cells in line for line in ABSTENTION.splitlines())


def test_the_gates_at_the_rules_threshold_are_quoted_right(abstention):
    scored = abstention.scores[abstention.primary]
    chosen = abstention.by_rule(abstention.primary).threshold
    assert f"{chosen:g}" in ABSTENTION
    at = scored.sweep.at(chosen)
    for measured in (scored.recall, scored.correct_abstention(at), scored.false_abstention(at)):
        assert f"{number(measured.value)} ({limits(measured)}, n = {measured.n};" in " ".join(ABSTENTION.split())


def test_how_near_the_questions_are_is_quoted_right(abstention):
    scored = abstention.scores["dense_top1"]
    near = sorted(scored.scores[~scored.answerable])
    middle = (near[11] + near[12]) / 2
    highest = max(scores["dense_top1"] for scores in abstention.off_topic.values())
    assert (
        f"top-1 cosine above {number(middle)}; the highest of the ten off-topic ones is {number(highest)}" in ABSTENTION
    )

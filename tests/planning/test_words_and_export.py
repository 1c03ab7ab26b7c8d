import csv
import io
import json

import pytest

from evalcore.evidence.rows import reasoned_row
from evalcore.planning.answers import answers_csv, answers_json
from evalcore.planning.export import budget_rows, gate_rows, half_width_rows, own_rows, rows_csv
from evalcore.planning.flips import SupposedFlips
from evalcore.planning.own import OwnPair, own_pairs
from evalcore.planning.questions import HitPlan, MeanPlan
from evalcore.planning.rates import GateChance, half_width_table
from evalcore.planning.topics import ITEMS, TOPICS, TopicPlan
from evalcore.planning.words import below_the_headline, headline, may_not_be_said
from evalcore.stats.proportions import Paired
from tests.small import NDCG, SUCCESS_1, THREE, compared

LESSON = MeanPlan(0.36, 0.05, 0.8, 3, 40)


def test_the_headline_says_what_forty_questions_find_and_what_the_effect_needs():
    assert headline(LESSON) == (
        "40 questions find a mean difference of 0.53 standard deviations or more; one of 0.36 needs 84."
    )


def test_the_first_sentence_has_no_word_that_only_a_statistician_knows():
    assert not {"d_z", "Holm", "Holm's", "alpha", "power"} & set(headline(LESSON).replace(".", " ").split())


def test_below_the_headline_stand_its_conditions():
    assert below_the_headline(LESSON) == (
        "Counted in standard deviations of the differences between two runs, question by question (d_z), and found in "
        "80 of 100 studies (power 0.8). The bound on p is the strictest of three declared comparisons, alpha 0.05 "
        "divided by their number: 0.0167 (Holm's first step). One test alone, at alpha 0.05, needs 63; with 40 "
        "questions, power at a d_z of 0.36 is 0.60 for one test and 0.42 at Holm's first step."
    )
    assert "strictest of 12 declared comparisons" in below_the_headline(MeanPlan(0.36, 0.05, 0.8, 12, 40))


def test_what_may_not_be_said_is_said_with_the_plans_numbers():
    measured, equal, after, seen = may_not_be_said(LESSON)
    assert measured == "That a planned number was measured: it follows from inputs that somebody chose."
    assert equal == (
        "That an inconclusive comparison shows no difference: with 40 questions a real d_z of 0.36 is missed in 40 of "
        "100 such studies by one test alone, and in up to 58 of 100 at Holm's first step."
    )
    assert after == (
        "That power computed from an observed effect adds anything: a result with p = 0.05 on 40 questions gives 0.51, "
        "whatever is true."
    )
    assert seen == (
        "That a d_z seen once is the true one: 0.36 on 40 questions is compatible with 0.04 to 0.68, if the "
        "differences are normal; with a long tail the interval of a d_z holds the truth less often than it says, and "
        "nothing better is simulated."
    )


def test_the_words_follow_the_plan():
    other = MeanPlan(1.0, 0.01, 0.9, 1, 10)
    assert f"one of 1 needs {other.for_the_family.value}." in headline(other)
    assert "p = 0.01 on 10 questions" in may_not_be_said(other)[2]
    assert may_not_be_said(other)[1].endswith("is missed in 50 of 100 such studies.")
    assert "strictest of one declared comparison, alpha 0.01 divided" in below_the_headline(other)


def test_answers_as_json_are_the_estimates_under_their_keys():
    answers = [*LESSON.answers(), *HitPlan(0.1, 0.1, 0.05, 0.8, 3, 40).answers()[:1]]
    rows = answers_json(answers)
    assert rows == {a.key: reasoned_row(a.estimate) for a in answers}
    assert json.loads(json.dumps(rows)) == rows
    assert rows["questions_one_test"]["basis"] == "Not assessed"
    assert rows["questions_one_test"]["reason"] == "equal shares are no difference to find"


def test_answers_as_csv_have_a_row_each_with_what_they_are_tied_to():
    answers = SupposedFlips(Paired(27, 4, 0, 9)).answers()
    rows = list(csv.DictReader(io.StringIO(answers_csv(answers, {"plan": "none"}))))
    assert [row["key"] for row in rows] == [a.key for a in answers]
    assert {row["plan"] for row in rows} == {"none"}
    assert {row["basis"] for row in rows} == {"Assumed"}
    for row, answer in zip(rows, answers, strict=True):
        assert float(row["value"]) == answer.estimate.value
        assert row["low"] == ("" if answer.estimate.low is None else str(answer.estimate.low))


def test_the_rows_of_half_widths_are_the_tables():
    table = half_width_table(0.8)
    rows = half_width_rows(0.8, table)
    assert [(r["half_width"], r["n_normal"], r["n_wilson"]) for r in rows] == [
        (0.1, 62, 60),
        (0.05, 246, 245),
        (0.025, 984, 982),
    ]
    assert [r["rules_out_below_normal"] for r in rows] == [row.ruled_out.value for row in table]
    assert [round(r["rules_out_below_wilson"], 4) for r in rows] == [0.6843, 0.7456, 0.7739]
    assert {(r["rate"], r["basis"]) for r in rows} == {(0.8, "Assumed")}


@pytest.mark.parametrize(("gate", "needed"), [(GateChance(0.8, True, 24), 20), (GateChance(0.1, False, 84), 8)])
def test_the_rows_of_a_gate_are_its_table(gate, needed):
    rows = gate_rows(gate)
    assert [(r["true_rate"], r["passes"]) for r in rows] == [(rate, c.value) for rate, c in gate.table()]
    words = "at least" if gate.at_least else "at most"
    assert {(r["gate"], r["limit"], r["n"], r["needed"], r["basis"]) for r in rows} == {
        (words, gate.limit, gate.n, needed, "Assumed")
    }


def test_the_rows_of_a_budget_are_its_cells():
    plan = TopicPlan(8, 7, 0.2, 0.8)
    rows = budget_rows(plan)
    assert [(r["topics"], r["items"]) for r in rows] == [(g, m) for g in TOPICS for m in ITEMS]
    for row in rows:
        assert row["half_width"] == plan.half_width(row["topics"], row["items"]).value
        assert (row["icc"], row["rate"], row["basis"]) == (0.2, 0.8, "Assumed")
    here = next(r for r in rows if (r["topics"], r["items"]) == (8, 7))
    assert here["half_width"] == pytest.approx((plan.interval.high - plan.interval.low) / 2)


def test_the_rows_of_own_pairs_are_their_powers():
    pairs = [(pair, [pair.power(n, studies=200) for n in (12, 18)]) for pair in own_pairs(compared(12, THREE), 0.2)]
    rows = own_rows(pairs)
    expected = [(pair, power) for pair, powers in pairs for power in powers]
    assert len(rows) == len(expected) == 6
    for row, (pair, power) in zip(rows, expected, strict=True):
        assert (row["first"], row["second"], row["measure"]) == (pair.first, pair.second, "nDCG@10")
        assert (row["worth"], row["spread"], row["d_z"]) == (0.2, pair.spread.value, pair.d_z.value)
        assert (row["d_z_low"], row["d_z_high"]) == (pair.d_z.low, pair.d_z.high)
        assert row["d_z_at_worth"] == pair.d_z_at_worth.value
        one, family = power.one_test, power.family
        assert (row["questions"], row["studies"], row["seed"]) == (power.n, 200, 20241009)
        assert (row["one_test_value"], row["one_test_low"], row["one_test_high"]) == (one.value, one.low, one.high)
        assert (row["value"], row["low"], row["high"]) == (family.value, family.low, family.high)
        assert (row["ties"], row["questions_seen"]) == (pair.ties, 12)
        for key, estimate in (("ties_kept_one_test", power.one_test_ties), ("ties_kept", power.family_ties)):
            limits = (estimate.value, estimate.low, estimate.high)
            assert tuple(row[f"{key}_{end}"] for end in ("value", "low", "high")) == limits
        assert row["ties_kept_reason"] is None
        assert row["closed_form_one_test"] == pair.closed_form(power.n, 0.05).value
        assert row["closed_form_family"] == pair.closed_form(power.n, pair.first_step).value
        assert (row["basis"], row["reason"]) == ("Assumed", None)
        assert "n" not in row
    assert json.loads(json.dumps(rows)) == rows


def test_a_pair_without_a_simulation_has_one_row_with_its_spread():
    pair = OwnPair(compared(12, THREE), "hybrid", "bm25", NDCG, 0.2)
    (row,) = own_rows([(pair, [])])
    assert (row["spread"], row["d_z_at_worth"]) == (pair.spread.value, pair.d_z_at_worth.value)
    assert "value" not in row
    (none,) = own_rows([(OwnPair(compared(12, THREE), "hybrid", "bm25", SUCCESS_1, 0.2), [])])
    assert (none["spread"], none["d_z"], none["d_z_low"], none["d_z_at_worth"]) == (None, None, None, None)


def test_rows_become_csv_with_what_they_are_tied_to():
    rows = gate_rows(GateChance(0.8, True, 24))
    read = list(csv.DictReader(io.StringIO(rows_csv(rows, {"seed": 7}))))
    assert [float(r["passes"]) for r in read] == [r["passes"] for r in rows]
    assert {r["seed"] for r in read} == {"7"}

from dataclasses import replace
from itertools import permutations, starmap

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from evalcore.comparison import NOT_EVALUATED, Compared
from evalcore.evidence import Basis, Verdict
from evalcore.evidence.claims import headline
from evalcore.export import comparison_json
from evalcore.files import RunFile, read_qrels, read_run
from evalcore.measures import Measure
from evalcore.stats.multiplicity import holm
from evalcore.stats.paired import Settings
from evalcore.study import join
from tests.small import (
    MEASURES,
    NDCG,
    RR,
    SUCCESS_1,
    SUCCESS_3,
    THREE,
    compared,
    names,
    ndcg,
    places,
    plan,
    qrels_text,
    run_text,
)

some_places = st.lists(st.sampled_from([None, 0, 1, 1, 2, 3, 10]), min_size=8, max_size=8)


def without_hashes(found: Compared):
    data = comparison_json(found)
    for run in data["study"]["runs"]:
        del run["sha256"]
    return data


@settings(max_examples=25, deadline=None)
@given(st.randoms(use_true_random=False), st.tuples(some_places, some_places, some_places))
def test_shuffled_rows_give_bit_identical_numbers(random, at):
    declared = plan()

    def computed(shuffle):
        texts = [run_text(places(*p)) + "q99 Q0 x 1 1 t\nq01 Q0 more 11 -1 t\n" for p in at]
        lines = [text.splitlines(keepends=True) for text in [qrels_text(names(8)), *texts]]
        for rows in lines if shuffle else ():
            random.shuffle(rows)
        qrels, *runs = ("".join(rows).encode() for rows in lines)
        files = [read_run(text, name=name) for name, text in zip("abc", runs, strict=True)]
        study = join(read_qrels(qrels, name="q"), files, relevant_grade=1, measures=declared.measures)
        return without_hashes(Compared(study, declared))

    assert computed(True) == computed(False)


def test_runs_named_in_another_order_give_bit_identical_numbers_up_to_sign():
    first = compared(12, THREE)
    for order in permutations(THREE):
        other = compared(12, {name: THREE[name] for name in order})
        assert set(other.family) == set(first.family)
        for measure in MEASURES:
            assert [other.mean(n, measure) for n in THREE] == [first.mean(n, measure) for n in THREE]
            for c in other.pairs(measure):
                expected = first.pair(c.first, c.second, measure)
                assert c == expected
                back = other.pair(c.second, c.first, measure)
                assert (back.difference.value, back.difference.low, back.d_z) == (
                    -c.difference.value,
                    None if c.difference.high is None else -c.difference.high,
                    None if c.d_z is None else -c.d_z,
                )
                assert (back.wins, back.ties, back.losses, back.p, back.p_holm, back.verdict) == (
                    *(c.losses, c.ties, c.wins, c.p, c.p_holm, c.verdict),
                )


def test_pairs_come_in_the_order_in_which_the_runs_were_given():
    found = compared(12, {name: THREE[name] for name in ("hybrid", "bm25", "dense")})
    assert [(c.first, c.second) for c in found.pairs(NDCG)] == [
        *(("hybrid", "bm25"), ("hybrid", "dense"), ("bm25", "dense")),
    ]


def test_the_difference_is_first_minus_second_question_by_question():
    found = compared(12, THREE)
    differences = [ndcg(a) - ndcg(b) for a, b in zip(THREE["hybrid"].values(), THREE["dense"].values(), strict=True)]
    c = found.pair("hybrid", "dense", NDCG)
    assert c.difference.value == pytest.approx(np.mean(differences), abs=1e-12)
    assert c.d_z == pytest.approx(np.mean(differences) / np.std(differences, ddof=1), abs=1e-12)
    assert (c.wins, c.losses) == (sum(d > 0 for d in differences), sum(d < 0 for d in differences))
    assert c.leader == "hybrid"
    assert found.differences("hybrid", "dense", NDCG) == pytest.approx(dict(zip(names(12), differences, strict=True)))


def test_identical_runs_have_p_one_no_interval_and_no_leader_and_are_not_called_equal():
    c = compared(12, {"a": THREE["bm25"], "b": THREE["bm25"]}).pair("a", "b", NDCG)
    assert (c.difference.value, c.difference.low, c.d_z, c.p, c.p_holm) == (0.0, None, None, 1.0, 1.0)
    assert "cannot see past a constant sample" in c.difference.reason
    assert (c.wins, c.ties, c.losses, c.leader, c.verdict) == (0, 12, 0, None, Verdict.INCONCLUSIVE)
    assert headline(c).endswith("that is not proof that they are equal.")


def test_two_runs_with_the_same_values_on_other_questions_have_no_leader_by_float_noise():
    at = [1, 2, 3, 5, 6, 7, 9, 10]
    found = compared(8, {"b": places(*at), "a": places(*at[::-1])})
    assert found.pair("a", "b", NDCG).leader is None
    assert found.by_mean == ("a", "b")


def nothing(name):
    codes, documents = np.array([], dtype=np.int32), pa.chunked_array([], pa.string())
    return RunFile(name, "0" * 64, (), codes, documents, np.array([], dtype=np.float32))


def stranger(name):
    return read_run(b"another Q0 hit 1 1 t\n", name=name)


@pytest.mark.parametrize("lost", [nothing, stranger], ids=["no rows", "no question in common"])
def test_a_run_that_returns_nothing_is_not_evaluated_and_stays_in_the_family_as_p_one(lost):
    declared = plan()
    runs = {"a": places(*[1] * 8), "b": places(*[2] * 8)}
    files = [read_run(run_text(run).encode(), name=name) for name, run in runs.items()]
    qrels = read_qrels(qrels_text(names(8)).encode(), name="qrels")
    found = Compared(join(qrels, [*files, lost("lost")], measures=MEASURES), declared)

    for mean in (found.mean("lost", NDCG), found.beside("lost", NDCG), found.mean("lost", NDCG, names(3))):
        assert (mean.value, mean.basis, mean.reason) == (None, Basis.NOT_ASSESSED, NOT_EVALUATED)
    assert found.judged_at_10("lost").reason == "the run returned nothing"
    assert found.missing("lost").count == 8
    assert found.by_mean == ("a", "b")
    assert "lost" not in found.not_separated()
    for other in ("a", "b"):
        c = found.pair(other, "lost", NDCG)
        assert (c.in_family, c.p, c.p_holm, c.verdict, c.leader) == (True, None, None, None, None)
        assert (c.difference.value, c.difference.reason) == (None, NOT_EVALUATED)
        assert (c.wins, c.ties, c.losses) == (0, 0, 0)
    # eight differences of one sign: 2 of the 256 sign vectors reach the sum; Holm's first step multiplies by k = 3
    kept = found.pair("a", "b", NDCG)
    assert kept.p == pytest.approx(2 / 256)
    assert kept.p_holm == pytest.approx(3 * 2 / 256)
    assert len(found.family) == 3


def test_where_no_run_was_evaluated_nobody_leads():
    found = compared(8, {"a": {}, "b": {}})
    assert (found.by_mean, found.leader, found.not_separated()) == ((), None, ())
    assert {c.difference.reason for m in MEASURES for c in found.pairs(m)} == {NOT_EVALUATED}


def test_leaving_out_the_run_that_returns_nothing_would_have_lowered_the_adjusted_p():
    runs = {"a": places(*[1] * 8), "b": places(*[2] * 8)}
    alone = compared(8, runs).pair("a", "b", NDCG)
    beside_a_failure = compared(8, {**runs, "lost": {}}).pair("a", "b", NDCG)
    assert alone.p == beside_a_failure.p
    assert alone.p_holm < beside_a_failure.p_holm


def test_questions_that_a_run_does_not_return_count_as_zero_and_are_counted():
    found = compared(8, {"a": places(1, 2, 3, 1, 1, None, None, None), "b": places(*[1] * 8)})
    assert found.mean("a", NDCG).value == pytest.approx((ndcg(1) * 3 + ndcg(2) + ndcg(3)) / 8)
    assert found.mean("a", SUCCESS_1).value == pytest.approx(3 / 8)
    missing = found.missing("a")
    assert (missing.count, missing.total, missing.basis) == (3, 8, Basis.RETRIEVAL)
    assert found.missing("b").count == 0
    assert found.mean("a", NDCG).n == found.pair("a", "b", NDCG).difference.n == 8
    assert found.pair("a", "b", NDCG).losses == 5


def test_tied_scores_are_broken_by_id_and_counted_with_the_best_and_worst_mean():
    text = "".join(f"q01 Q0 {d} 1 1.0 t\nq02 Q0 {d} 1 {3 - i} t\n" for i, d in enumerate(["hit", "a", "z"]))
    file = read_run(text.encode(), name="tied")
    other = read_run(run_text(places(1, 1)).encode(), name="other")
    qrels = read_qrels(qrels_text(names(2)).encode(), name="qrels")
    found = Compared(join(qrels, [file, other], measures=MEASURES), plan())
    # q01: z, hit, a (ids descending), so RR 1/2; the hit could stand anywhere from 1 to 3. q02: the hit is first.
    assert found.mean("tied", RR).value == pytest.approx((1 / 2 + 1) / 2)
    tied = found.tied("tied", RR)
    assert (tied.questions.count, tied.questions.total) == (1, 2)
    assert (tied.worst.value, tied.best.value) == (pytest.approx((1 / 3 + 1) / 2), 1.0)
    for end in (tied.worst, tied.best):
        assert (end.basis, end.low, end.n) == (Basis.RETRIEVAL, None, 2)
        assert "over the orders of tied scores" in end.reason
    assert found.tied("other", RR) is None


def test_data_of_hits_only_has_wilsons_interval_and_no_bootstrap():
    found = compared(40, {"a": places(*[1] * 40), "b": places(*[1] * 40)})
    mean = found.mean("a", NDCG)
    assert (mean.value, mean.low, mean.high, mean.level) == (1.0, None, None, None)
    assert "all 40 values are equal (1)" in mean.reason
    # Wilson at 40 of 40: low = n / (n + z^2)
    hits = found.mean("a", SUCCESS_1)
    z = stats.norm.ppf(0.975)
    assert (hits.value, hits.high, hits.method) == (1.0, 1.0, "Wilson")
    assert hits.low == pytest.approx(40 / (40 + z**2))
    c = found.pair("a", "b", SUCCESS_1)
    assert (c.difference.value, c.p, c.p_method) == (0.0, 1.0, "McNemar exact")
    assert c.difference.high == -c.difference.low > 0


def test_one_question_has_values_and_claims_nothing():
    found = compared(1, {"a": places(1), "b": places(2)})
    assert (found.mean("a", NDCG).value, found.mean("a", NDCG).low) == (1.0, None)
    c = found.pair("a", "b", NDCG)
    assert c.difference.value == pytest.approx(1 - ndcg(2))
    assert (c.difference.low, c.d_z, c.p, c.p_holm, c.verdict) == (None, None, 1.0, 1.0, Verdict.INCONCLUSIVE)
    assert found.pair("a", "b", SUCCESS_1).p == 1.0
    assert found.beside("a", NDCG).low is None


def test_four_questions_that_differ_give_no_interval_and_no_gain():
    found = compared(40, {"a": places(*[1] * 40), "b": places(*[2] * 4, *[1] * 36)})
    c = found.pair("a", "b", NDCG)
    assert c.difference.value == pytest.approx(4 * (1 - ndcg(2)) / 40)
    assert (c.difference.low, c.difference.high, c.flipped) == (None, None, 4)
    assert "only 4 of 40 questions differ" in c.difference.reason
    assert c.p == pytest.approx(2 / 16)
    assert (c.in_family, c.verdict) == (True, Verdict.INCONCLUSIVE)


def test_p_equal_to_alpha_is_not_below_it():
    runs = {"a": places(*[1] * 6), "b": places(*[2] * 6)}
    p = 2 / 64
    assert compared(6, runs, alpha=p).pair("a", "b", NDCG).verdict is Verdict.INCONCLUSIVE
    assert compared(6, runs, alpha=p + 1e-6).pair("a", "b", NDCG).verdict is Verdict.GAIN


def test_the_verdict_hangs_on_the_adjusted_p_and_not_on_the_interval():
    found = compared(8, {"a": places(*[1] * 8), "b": places(*[2] * 7, 1), "c": places(*[2] * 7, 1)})
    c = found.pair("a", "b", NDCG)
    assert c.difference.low > 0
    assert (c.p, c.p_holm) == (pytest.approx(2 / 128), pytest.approx(3 * 2 / 128))
    assert c.verdict is Verdict.GAIN
    strict = compared(8, {**THREE, "a": places(*[1] * 8), "b": places(*[2] * 7, 1)}, alpha=3 * 2 / 128)
    assert strict.pair("a", "b", NDCG).difference.low > 0
    assert strict.pair("a", "b", NDCG).verdict is Verdict.INCONCLUSIVE


@pytest.mark.parametrize("provisional", [True, False, None])
def test_every_number_carries_its_files_and_whether_it_is_provisional(provisional):
    found = replace(compared(12, THREE), provisional=provisional)
    one = [
        found.mean("bm25", NDCG),
        found.beside("bm25", NDCG),
        found.mean("bm25", NDCG, names(3)),
        found.judged_at_10("bm25"),
        found.missing("bm25"),
        found.unjudged_at_10("bm25"),
    ]
    for number in one:
        assert (number.basis, number.provisional) == (Basis.RETRIEVAL, provisional)
        assert {s.name for s in number.sources} == {"qrels", "bm25"}
    pair = found.pair("bm25", "dense", NDCG)
    assert (pair.basis, pair.provisional) == (Basis.RETRIEVAL, provisional)
    assert {s.name: s.sha256 for s in pair.sources} == {
        "qrels": found.study.qrels_sha256,
        "bm25": found.study.by_name["bm25"].sha256,
        "dense": found.study.by_name["dense"].sha256,
    }


def test_the_settings_of_the_plan_reach_every_interval():
    found = compared(12, THREE, settings=Settings(level=0.8, seed=5, resamples=300))
    for estimate in (found.mean("bm25", NDCG), found.pair("bm25", "hybrid", NDCG).difference):
        assert (estimate.level, estimate.seed, estimate.resamples) == (0.8, 5, 300)
    assert found.mean("bm25", SUCCESS_3).level == found.pair("bm25", "dense", SUCCESS_3).difference.level == 0.8
    values = [ndcg(p) for p in THREE["bm25"].values()]
    drawn = np.random.default_rng(5).integers(0, 12, (300, 12))
    limits = np.quantile(np.array(values)[drawn].mean(axis=1), [0.1, 0.9])
    assert (found.mean("bm25", NDCG).low, found.mean("bm25", NDCG).high) == pytest.approx(tuple(limits))


def test_below_thirty_questions_a_t_interval_stands_beside_the_mean():
    values = np.array([ndcg(p) for p in THREE["bm25"].values()])
    low, high = stats.t.interval(0.95, 11, values.mean(), stats.sem(values))
    beside = compared(12, THREE).beside("bm25", NDCG)
    assert (beside.low, beside.high, beside.method) == (pytest.approx(low), pytest.approx(high), "t(n - 1)")


def test_a_breakdown_is_over_its_own_questions():
    found = compared(12, THREE)
    asked = ["q03", "q01", "q99"]
    mean = found.mean("bm25", NDCG, asked)
    assert (mean.value, mean.n) == (pytest.approx((ndcg(5) + ndcg(1)) / 2), 2)
    assert found.mean("bm25", SUCCESS_1, asked).value == 1 / 2
    none = found.mean("bm25", NDCG, [])
    assert (none.value, none.reason, none.basis) == (None, "no questions", Basis.NOT_ASSESSED)
    values = np.array([ndcg(5), ndcg(1)])
    low, high = stats.t.interval(0.95, 1, values.mean(), stats.sem(values))
    beside = found.beside("bm25", NDCG, asked)
    assert (beside.low, beside.high, beside.n) == (pytest.approx(low), pytest.approx(high), 2)


def test_unjudged_documents_are_counted_over_what_was_returned():
    found = compared(12, THREE)
    returned = 10 * sum(p is not None for p in THREE["bm25"].values())
    judged = sum(bool(p) for p in THREE["bm25"].values())
    count = found.unjudged_at_10("bm25")
    assert (count.count, count.total) == (returned - judged, returned)
    assert found.judged_at_10("bm25").value == pytest.approx(judged / returned)
    longer = read_run((run_text(places(1)) + "q01 Q0 x11 11 9 t\nq01 Q0 x12 12 8 t\n").encode(), name="a")
    study = join(read_qrels(qrels_text(names(1)).encode(), name="qrels"), [longer], measures=MEASURES)
    count = Compared(study, plan()).unjudged_at_10("a")
    assert (count.count, count.total) == (9, 10)


def test_the_ceiling_of_recall_is_there_only_below_one():
    measures = (NDCG, Measure.parse("R@5"), Measure.parse("R@10"))
    text = "".join(f"q01 0 d{i} 1\n" for i in range(8)) + "q02 0 hit 1\n"
    run = read_run(run_text(places(1, 1)).encode(), name="a")
    study = join(read_qrels(text.encode(), name="qrels"), [run], measures=measures)
    found = Compared(study, plan(measures=measures))
    ceiling = found.ceiling(measures[1])
    assert (ceiling.value, ceiling.n) == (pytest.approx((5 / 8 + 1) / 2), 2)
    assert "not an estimate" in ceiling.reason
    assert found.ceiling(measures[2]) is None
    assert found.ceiling(NDCG) is None
    assert found.ceiling(SUCCESS_1) is None


three_runs = st.tuples(some_places, some_places, some_places)


@settings(max_examples=40, deadline=None)
@given(three_runs, st.sets(st.integers(0, 7)))
def test_losing_results_never_raises_a_runs_own_mean_nor_changes_its_size(at, lost):
    whole = dict(zip("abc", starmap(places, at), strict=True))
    failing = {q: p for i, (q, p) in enumerate(whole["a"].items()) if i not in lost}
    before, after = compared(8, whole), compared(8, whole | {"a": failing})
    for measure in MEASURES:
        one, two = before.mean("a", measure), after.mean("a", measure)
        if two.value is not None:
            assert two.n == one.n == 8
            assert two.value <= one.value
        assert after.mean("b", measure) == before.mean("b", measure)
    assert after.missing("a").count >= before.missing("a").count


@settings(max_examples=40, deadline=None)
@given(three_runs, st.sets(st.integers(0, 7)))
def test_losing_results_never_takes_a_comparison_out_of_the_family(at, lost):
    whole = dict(zip("abc", starmap(places, at), strict=True))
    failing = {q: p for i, (q, p) in enumerate(whole["a"].items()) if i not in lost}
    before, after = compared(8, whole), compared(8, whole | {"a": failing})
    assert after.family == before.family
    assert all(c.in_family for c in after.pairs(NDCG))
    # the pair without the failing run keeps its p, and the family that is adjusted for keeps its three members
    raw = [c.p for c in after.pairs(NDCG)]
    assert raw[2] == before.pair("b", "c", NDCG).p
    assert [c.p_holm for c in after.pairs(NDCG)] == holm(raw, k=3)


@settings(max_examples=40, deadline=None)
@given(three_runs)
def test_failing_altogether_never_lowers_another_comparisons_adjusted_p(at):
    whole = dict(zip("abc", starmap(places, at), strict=True))
    before, after = compared(8, whole), compared(8, whole | {"a": {}})
    kept, found = before.pair("b", "c", NDCG), after.pair("b", "c", NDCG)
    if found.p is not None:
        assert found.p == kept.p
        assert found.p_holm >= kept.p_holm
        assert found.p_holm == pytest.approx(min(1, 3 * found.p))

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.files import BadInput, QrelsFile, read_qrels, read_run
from evalcore.measures import STANDARD, Measure, recall_ceiling
from evalcore.study import join
from tests.oracle import EXTRA

CASE = EXTRA["trec_eval_cases"]
HASH = "0" * 64


def run_text(run):
    return "".join(f"{q} Q0 {d} 0 {s:.17g} t\n" for q, docs in run.items() for d, s in docs.items())


def study(qrels, runs, **kwargs):
    files = [read_run(run_text(run).encode(), name=name) for name, run in runs.items()]
    return join(QrelsFile("qrels", HASH, qrels), files, **kwargs)


@pytest.fixture(scope="module")
def worked():
    return study(CASE["qrels"], {"run": CASE["run"]}, relevant_grade=CASE["relevant_grade"])


@pytest.mark.parametrize("question", list(CASE["per_question"]))
@pytest.mark.parametrize("measure", STANDARD, ids=str)
def test_every_worked_value_is_reproduced(worked, question, measure):
    value = worked.values["run"][measure][worked.questions.index(question)]
    assert value == pytest.approx(CASE["per_question"][question][str(measure)], abs=5e-7)


@pytest.mark.parametrize("measure", STANDARD, ids=str)
def test_every_worked_mean_is_reproduced(worked, measure):
    assert worked.values["run"][measure].mean() == pytest.approx(CASE["means_over_5"][str(measure)], abs=5e-7)


def test_the_ranking_is_trec_evals(worked):
    rankings = worked.by_name["run"].rankings
    assert list(rankings["q1"].documents) == CASE["ranking_q1"]
    assert list(rankings["q2"].documents) == CASE["ranking_q2"]


def test_a_question_without_a_relevant_document_is_in_no_mean_and_counted(worked):
    assert worked.excluded == ("q5",)
    assert "q5" not in worked.questions


def test_a_question_that_a_run_does_not_return_scores_zero_and_is_counted(worked):
    assert worked.by_name["run"].missing == ("q3",)
    assert worked.by_name["run"].without_judgements == 1


def test_judged_at_10_is_of_the_returned(worked):
    expected = [v["judged@10"] for v in CASE["per_question"].values() if v["judged@10"] is not None]
    assert worked.judged_at_10("run").tolist() == pytest.approx(expected)
    assert worked.unjudged_at_10("run") == 1 + 1 + 10


def test_ties_are_counted_with_the_best_and_worst_value():
    bounds = CASE["tie_bounds_q2"]
    only = study({"q2": {"a": 2}}, {"run": {"q2": CASE["run"]["q2"]}}, relevant_grade=2)
    for name, (worst, best) in bounds.items():
        audit = only.ties("run")[Measure.parse(name)]
        assert (audit.questions, audit.worst, audit.best) == (1, pytest.approx(worst, abs=5e-6), best)


def test_a_tie_that_crosses_rank_ten_is_taken_whole():
    documents = {f"d{i:02d}": 1.0 for i in range(15)} | {"top": 2.0}
    tied = study({"q": {"d00": 1}}, {"run": {"q": documents}})
    audit = tied.ties("run")[Measure.parse("RR@10")]
    assert (audit.worst, audit.best) == (0.0, 0.5)
    assert tied.by_name["run"].rankings["q"].returned == 16


def test_a_run_without_ties_has_no_tie_audit():
    assert study({"q": {"a": 1}}, {"run": {"q": {"a": 2.0, "b": 1.0}}}).ties("run")[STANDARD[0]] is None


def test_the_ceiling_of_recall_is_below_one_when_there_are_more_relevant_than_places(worked):
    ceiling = recall_ceiling(worked.qrels, worked.questions, Measure.parse("R@10"), 2)
    assert ceiling == pytest.approx((1 + 1 + 1 + 10 / 12 + 1) / 5)


def test_no_judgement_at_the_grade_is_bad_input_with_the_remedy():
    with pytest.raises(BadInput, match=r"no judgement reaches grade 2 .*use --relevant-grade 1"):
        study({"q": {"a": 1}}, {"run": {"q": {"a": 1.0}}}, relevant_grade=2)


def test_two_runs_of_one_name_are_bad_input():
    file = read_run(b"q Q0 a 1 1 t\n", name="same")
    with pytest.raises(BadInput, match="is the name of two runs"):
        join(QrelsFile("qrels", HASH, {"q": {"a": 1}}), [file, file])


def test_a_run_that_shares_no_question_is_not_evaluated():
    joined = study({"q": {"a": 1}}, {"run": {"other": {"a": 1.0}}, "b": {"q": {"a": 1.0}}})
    assert not joined.by_name["run"].evaluated
    assert list(joined.values) == ["b"]


@pytest.mark.parametrize("name", ["ndcg@10", "nDCG", "P", "AP@5", "nDCG@0", "RR@-1", ""])
def test_an_unknown_measure_is_named_with_those_there_are(name):
    with pytest.raises(ValueError, match=r"use nDCG@k, RR@k, R@k, Success@k or P@k, such as nDCG@10, or RR or AP"):
        Measure.parse(name)


def test_another_cut_off_is_scored_too():
    deep = {"q": {f"d{i:02d}": 30.0 - i for i in range(25)}}
    joined = study({"q": {"d20": 1}}, {"run": deep}, measures=[Measure.parse(m) for m in ("RR@25", "RR@5", "R@21")])
    values = {str(m): v[0] for m, v in joined.values["run"].items()}
    assert values == {"RR@25": pytest.approx(1 / 21), "RR@5": 0.0, "R@21": 1.0}


grades = st.dictionaries(st.sampled_from("abcdef"), st.integers(-1, 3), min_size=1)
returned = st.dictionaries(st.sampled_from("abcdefgh"), st.sampled_from([0.0, 0.5, 0.5000000001, 2.0]))


@settings(max_examples=60, deadline=None)
@given(
    st.dictionaries(st.sampled_from(["q1", "q2", "q3"]), grades, min_size=1),
    st.dictionaries(st.sampled_from(["q1", "q2", "q3", "q9"]), returned),
    st.randoms(),
)
def test_row_order_never_matters_and_every_value_lies_between_zero_and_one(qrels, run, random):
    if max(g for docs in qrels.values() for g in docs.values()) < 1 or not any(run.values()):
        return
    lines = run_text(run).splitlines(keepends=True)
    shuffled = random.sample(lines, len(lines))
    judged = [f"{q} 0 {d} {g}\n" for q, docs in qrels.items() for d, g in docs.items()]
    results = []
    for run_lines, qrels_lines in ((lines, judged), (shuffled, random.sample(judged, len(judged)))):
        files = read_qrels("".join(qrels_lines).encode(), name="q"), read_run("".join(run_lines).encode(), name="r")
        results.append(join(files[0], [files[1]]).values.get("r", {}))
    for measure, values in results[0].items():
        assert np.array_equal(values, results[1][measure])
        assert (values >= 0).all()
        assert (values <= 1).all()

"""The measures equal trec_eval's on the same files; the oracle is pytrec_eval on the full rankings."""

import numpy as np
import pytest
import pytrec_eval
from hypothesis import example, given, settings
from hypothesis import strategies as st

from evalcore.files import BadInput, read_qrels, read_run
from evalcore.measures import STANDARD, Measure, score_questions
from evalcore.study import join, rankings_of

MORE = tuple(Measure.parse(name) for name in ("P@5", "P@1", "RR", "R@100", "AP", "RR@3"))
NAMED = {"nDCG": "ndcg_cut_{}", "R": "recall_{}", "Success": "success_{}", "P": "P_{}"}
# as bytes: "#1" < "10" < "9" < "Z" < "a" < "aa" < "z" < "é" < "ß…" by their UTF-8, which no collation gives
IDS = ["#1", "10", "9", "Z", "a", "aa", "z", "é", "É", "日本", "𝔘", "NA", "null", "007", "7", "a" * 40, *"bcdefghij"]
# equal as 32-bit floats in groups: the first four, the next two, the zeros
SCORES = ["1", "1.00000001", "0.99999999", "1e0", "16777216", "16777217", "0", "-0.0", "1e-60", "-1e-400", "+2.5", "-3"]
QUESTIONS = ["q1", "q10", "q9", "é", "Z"]

grades = st.dictionaries(st.sampled_from(IDS), st.integers(-1, 3), min_size=1)
scored = st.dictionaries(st.sampled_from(IDS), st.sampled_from(SCORES), min_size=1)
judgements = st.dictionaries(st.sampled_from(QUESTIONS), grades, min_size=1)
returned = st.dictionaries(st.sampled_from([*QUESTIONS, "unjudged"]), scored, min_size=1)


def text_of(rows, random):
    lines = ["{} 0 {} {}" if len(row) == 3 else "{} Q0 {} 0 {} t" for row in rows]
    lines = [line.format(*row) for line, row in zip(lines, rows, strict=True)]
    random.shuffle(lines)
    return "\n".join(lines).encode()


def joined(judged, run, relevant_grade, measures, random):
    qrels = text_of([(q, d, g) for q, docs in judged.items() for d, g in docs.items()], random)
    rows = text_of([(q, d, s, "") for q, docs in run.items() for d, s in docs.items()], random)
    files = read_qrels(qrels, name="qrels"), read_run(rows, name="run")
    return join(files[0], [files[1]], relevant_grade=relevant_grade, measures=measures)


def by_trec_eval(judged, run, relevant_grade):
    names = {"ndcg_cut.10", "recall.5,10,100", "success.1,3,5,10", "P.1,5", "recip_rank", "map"}
    oracle = pytrec_eval.RelevanceEvaluator(judged, names, relevance_level=relevant_grade)
    return oracle.evaluate({q: {d: float(s) for d, s in docs.items()} for q, docs in run.items()})


def expected(measure, found):
    if found is None:
        return 0.0
    if measure.kind == "AP":
        return found["map"]
    if measure.kind == "RR":
        # trec_eval has no cut-off here: a rank beyond it is a reciprocal below 1 / cut
        rank = found["recip_rank"]
        return rank if measure.cut is None or rank >= 1 / measure.cut - 1e-9 else 0.0
    return found[NAMED[measure.kind].format(measure.cut)]


@settings(max_examples=150, deadline=None)
@given(judgements, returned, st.integers(1, 2), st.sampled_from([STANDARD, STANDARD + MORE, MORE]), st.randoms())
@example({"q1": {"a": 1}}, {"q1": {"a": "1", "Z": "1.00000001", "é": "0.99999999"}}, 1, STANDARD + MORE, None)
def test_every_value_equals_trec_evals_and_what_differs_on_purpose_is_counted(judged, run, grade, measures, random):
    random = random or np.random.default_rng(1)
    with_relevant = sorted((q for q, g in judged.items() if max(g.values()) >= grade), key=str.encode)
    if not with_relevant:
        with pytest.raises(BadInput, match="no judgement reaches grade"):
            joined(judged, run, grade, measures, random)
        return
    study = joined(judged, run, grade, measures, random)
    found = by_trec_eval(judged, run, grade)
    # on purpose: a question without a relevant document is in no mean here, and a 0 in trec_eval's
    assert list(study.questions) == with_relevant
    assert set(study.excluded) == set(judged) - set(with_relevant)
    # on purpose: a judged question that the run leaves out is a 0 here, and in no mean of trec_eval's
    assert set(study.by_name["run"].missing) == set(with_relevant) - set(run)
    for measure, values in study.values.get("run", {}).items():
        oracle = [expected(measure, found.get(q)) for q in study.questions]
        assert values.tolist() == pytest.approx(oracle, abs=1e-12), measure


@settings(max_examples=100, deadline=None)
@given(judgements, returned, st.randoms())
def test_judged_at_ten_is_of_trec_evals_first_ten(judged, run, random):
    if max(g for docs in judged.values() for g in docs.values()) < 1:
        return
    study = joined(judged, run, 1, STANDARD, random)
    shares = []
    for q in (q for q in study.questions if q in run):
        best = sorted(run[q], key=lambda d: (np.float32(float(run[q][d])), d.encode()), reverse=True)[:10]
        shares.append(sum(d in judged[q] for d in best) / len(best))
    assert study.judged_at_10("run").tolist() == shares


@settings(max_examples=100, deadline=None)
@given(returned, st.integers(1, 12), st.randoms())
def test_a_ranking_is_cut_at_the_depth_and_a_tie_that_crosses_it_is_kept_whole(run, depth, random):
    file = read_run(text_of([(q, d, s, "") for q, docs in run.items() for d, s in docs.items()], random), name="run")
    cut = rankings_of(file, [*QUESTIONS, "nowhere"], depth=depth)
    assert set(cut) == set(run) - {"unjudged"}
    for q, ranking in cut.items():
        single = {d: float(np.float32(float(s))) for d, s in run[q].items()}
        whole = sorted(single, key=lambda d: (single[d], d.encode()), reverse=True)
        least = single[whole[min(depth, len(whole)) - 1]]
        kept = [d for d in whole if single[d] >= least]
        assert list(ranking.documents) == kept
        assert list(ranking.scores) == [single[d] for d in kept]
        assert ranking.returned == len(whole)


def test_rankings_are_cut_no_shorter_than_the_measures_need():
    run = {"q1": {f"d{i:03d}": f"{500 - i}" for i in range(300)}}
    for names, kept in ((("nDCG@10",), 10), (("nDCG@10", "R@100"), 100), (("AP",), 300), (("RR", "P@5"), 300)):
        measures = tuple(map(Measure.parse, names))
        study = joined({"q1": {"d299": 1}}, run, 1, measures, np.random.default_rng(1))
        assert len(study.by_name["run"].rankings["q1"].documents) == kept
    assert study.values["run"][Measure.parse("RR")].tolist() == [pytest.approx(1 / 300)]


def test_the_same_measure_on_other_cuts_beside_it_is_the_same():
    documents = {"q": [f"d{i}" for i in range(40)]}
    qrels = {"q": {"d7": 2, "d12": 1, "d39": 1}}
    together = score_questions(documents, qrels, ["q"], [*STANDARD, *MORE], 1)
    for measure in (*STANDARD, *MORE):
        alone = score_questions(documents, qrels, ["q"], [measure], 1)
        assert together[measure].tolist() == alone[measure].tolist()


@pytest.mark.parametrize(
    ("name", "title", "formula"),
    [
        ("P@5", "share of the top 5 that is relevant", "divided by 5, also when fewer are returned"),
        ("RR", "mean reciprocal rank, MRR", "0 when none is returned"),
        ("RR@10", "mean reciprocal rank (MRR@10)", "0 when none is in the top 10"),
        ("AP", "mean average precision, MAP", "divided by all relevant documents"),
    ],
)
def test_each_measure_is_said_in_plain_words(name, title, formula):
    measure = Measure.parse(name)
    assert (str(measure), measure.title) == (name, title)
    assert formula in measure.formula


def test_only_a_measure_that_is_zero_or_one_for_each_question_is_a_hit_rate():
    names = ("Success@5", "P@1", "RR@1", "P@5", "RR@10", "RR", "AP", "R@1", "nDCG@1")
    assert [name for name in names if Measure.parse(name).is_hit_rate] == ["Success@5", "P@1", "RR@1"]

import json
import shutil
from dataclasses import replace

import numpy as np
import pytest

from evalcore.abstention.cost import Costs
from evalcore.abstention.scale import CURRENT, STALE
from evalcore.abstention.scored import feasible
from evalcore.evidence import Basis
from evalcore.goldset.schema import GOLD, GoldSet
from evalcore.goldset.scores import SCORES
from evalcore.goldset.unanswerable import Slice
from evalcore.retrieval.corpus import CORPUS, Corpus
from evalcore.studies import MEANINGS, Shipped, store_by_rule, synthetic_pair, toy

OVERLAPPING, SEPARATED = "Overlapping, like the toy run's", "Better separated"


@pytest.fixture(scope="module")
def shipped():
    return Shipped.load()


@pytest.fixture(scope="module")
def pair():
    return synthetic_pair()


def state(corpus):
    """What is said of the stored threshold when the textbook's corpus is this one."""
    textbook = Shipped(GoldSet(), Slice(), corpus).textbook
    return textbook.stored.state(textbook.scales[textbook.primary])


def respaced(folder, name):
    path = folder / name
    path.write_text(path.read_text(encoding="utf-8") + "\n", encoding="utf-8")


def remodelled(folder):
    path = folder / "vectors" / "index.json"
    path.write_text(json.dumps({**json.loads(path.read_text(encoding="utf-8")), "model_sha256": "0" * 64}))


CHANGES = {
    "chunking": lambda folder: respaced(folder, "chunks.json"),
    "corpus": lambda folder: respaced(folder, "manifest.json"),
    "model": remodelled,
}


def test_the_stored_threshold_of_the_textbook_is_current(shipped):
    assert shipped.textbook.stored.scale.score == shipped.textbook.primary == "best_sentence"
    assert state(shipped.corpus) == CURRENT


@pytest.mark.parametrize("changed", [["chunking"], ["corpus"], ["model"], ["model", "corpus"]])
def test_it_is_stale_once_the_chunks_the_text_or_the_model_change_and_says_which(tmp_path, changed):
    folder = tmp_path / "corpus"
    shutil.copytree(CORPUS, folder)
    assert state(Corpus.load(folder)) == CURRENT
    for name in changed:
        CHANGES[name](folder)
    assert state(Corpus.load(folder)) == f"{STALE} ({', '.join(changed)} changed)"


def test_it_is_stale_for_every_other_score(shipped):
    textbook = shipped.textbook
    others = [textbook.stored.state(scale) for name, scale in textbook.scales.items() if name != textbook.primary]
    assert others == [f"{STALE} (score changed)"] * 5


def test_the_rule_chooses_the_stored_threshold(shipped):
    stored = json.loads((GOLD / "threshold.json").read_text())
    chosen = store_by_rule(shipped.textbook, date="2026-12-01")
    assert (chosen.threshold, chosen.rule, chosen.date) == (stored["threshold"], stored["rule"], "2026-12-01")
    assert (chosen.scale.model_dump(), chosen.fingerprint) == (stored["scale"], stored["fingerprint"])
    assert shipped.textbook.begin_at("best_sentence") == stored["threshold"]


def test_counted_anew_no_threshold_is_cheaper_than_the_stored_one_and_it_is_the_lowest_such(shipped):
    scored, stored = shipped.textbook.scores["best_sentence"], shipped.textbook.stored.threshold
    answerable, unanswerable = scored.scores[scored.answerable], scored.scores[~scored.answerable]

    def cost(threshold):
        return 0.1 * 3 * np.mean(unanswerable >= threshold) + 0.9 * np.mean(answerable < threshold)

    costs = {float(t): cost(t) for t in [*scored.scores, np.inf]}
    ties = sorted(t for t, c in costs.items() if c <= min(costs.values()) + 1e-12)
    assert ties[0] == stored


def test_the_textbook_is_64_questions_with_six_scores_and_their_texts(shipped):
    textbook = shipped.textbook
    assert tuple(textbook.scores) == SCORES
    assert set(MEANINGS) == {*SCORES, "score"}
    for scored in textbook.scores.values():
        assert (scored.sweep.answerable, scored.sweep.unanswerable, scored.provisional) == (40, 24, True)
        assert scored.basis is Basis.RETRIEVAL
        assert set(scored.table.ids) | set(textbook.off_topic) == set(textbook.texts)
    assert len(textbook.off_topic) == 10
    assert textbook.texts["n01"] == "what is coverage error in a survey"
    assert not textbook.held_out.exists


def test_the_toy_run_begins_at_its_plans_threshold_and_not_by_the_rule(shipped):
    study = shipped.toy
    assert (study.begin_at("score"), study.by_rule("score").threshold) == (0.45, 0.39)
    assert (study.declared.costs.unsupported, study.declared.costs.refusal) == (3, 1)
    assert study.scores["score"].provisional is None


@pytest.mark.parametrize("start", [0.5, 0.0, -1.0])
def test_a_study_begins_at_the_plans_threshold_whatever_the_rule_says(shipped, start):
    assert replace(shipped.toy, start=start).begin_at("score") == start


def test_a_study_without_a_threshold_in_its_plan_begins_by_the_rule(shipped):
    study = replace(shipped.toy, start=None)
    assert study.begin_at("score") == study.by_rule("score").threshold == 0.39
    for column in SCORES:
        assert shipped.textbook.begin_at(column) == shipped.textbook.by_rule(column).threshold


def test_where_the_rule_refuses_everything_a_study_begins_at_its_highest_score(shipped):
    declared = replace(shipped.toy.declared, costs=Costs(1, 0))
    study = replace(shipped.toy, start=None, declared=declared)
    assert study.by_rule("score").threshold is None
    assert study.begin_at("score") == study.scores["score"].scores.max()


def test_the_synthetic_pair_is_200_and_120_questions_and_assumed(pair):
    assert list(pair) == [OVERLAPPING, SEPARATED]
    for scored in pair.values():
        assert (scored.sweep.answerable, scored.sweep.unanswerable) == (200, 120)
        assert scored.basis is Basis.ASSUMED
        assert scored.auc.basis is Basis.ASSUMED
        assert "seed 20241009" in scored.source.chosen_by


def test_the_pair_is_drawn_afresh_for_each_score_answerable_first(pair):
    for title, (above, below) in {
        OVERLAPPING: ((0.55, 0.11), (0.40, 0.09)),
        SEPARATED: ((0.66, 0.10), (0.36, 0.08)),
    }.items():
        rng = np.random.default_rng(20241009)
        drawn = np.concatenate([rng.normal(*above, 200), rng.normal(*below, 120)])
        assert pair[title].scores == pytest.approx(drawn, abs=5.1e-7)
        assert pair[title].answerable.tolist() == [True] * 200 + [False] * 120


def test_under_the_toy_runs_gates_only_the_better_separated_score_has_a_window(pair):
    gates = toy().gates
    assert feasible(pair[OVERLAPPING], gates) == ()
    (window,) = feasible(pair[SEPARATED], gates)
    scored = pair[SEPARATED]
    refused = scored.scores < window.high
    # counted anew at the window's upper end, and at the next score above it
    assert refused[~scored.answerable].sum() >= 0.8 * 120
    assert refused[scored.answerable].sum() <= 0.1 * 200
    assert (scored.scores <= window.high)[scored.answerable].sum() > 0.1 * 200


def test_the_same_seed_gives_the_same_scores_and_another_gives_others(pair):
    again, other = synthetic_pair(), synthetic_pair(seed=7)
    for title, scored in pair.items():
        assert again[title].scores.tolist() == scored.scores.tolist()
        assert again[title].table.sha256 == scored.table.sha256
        assert other[title].scores.tolist() != scored.scores.tolist()
        assert "seed 7" in other[title].source.chosen_by


def test_how_many_unanswerable_questions_are_no_nearer_than_off_topic_ones_is_counted():
    study = Shipped.load().textbook
    scored = study.scores["dense_top1"]
    highest = max(scores["dense_top1"] for scores in study.off_topic.values())
    by_hand = [s for s, a in zip(scored.scores, scored.answerable, strict=True) if not a and s <= highest]
    found = study.no_nearer("dense_top1")
    assert (found.count, found.total) == (len(by_hand), 24)


def test_only_invented_scores_are_synthetic_and_only_the_combined_one_is_made_from_labels():
    shipped = Shipped.load()
    assert all(s.synthetic for s in (*shipped.toy.scores.values(), *synthetic_pair().values()))
    assert [c for c, s in shipped.textbook.scores.items() if s.made_from_labels] == ["combined"]
    assert not any(s.synthetic for s in shipped.textbook.scores.values())

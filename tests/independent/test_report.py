"""Every number of the published report is the one that a second computation gives."""

from tests.independent import data, inference
from tests.independent.claims import compares
from tests.independent.ranking import MEANS, measures, per_question


@compares("files/*", "study/plan_sha256", "study/runs/*/sha256")
def test_the_hashes_are_those_of_the_files(): ...


@compares("label", "*/basis", "provisional", "study/provisional")
def test_every_number_is_retrieval_only_and_provisional_until_reviewed(): ...


@compares("gold_set/*")
def test_the_gold_set_is_counted_again(): ...


@compares("study/questions", "study/excluded_questions", "study/seed", "study/resamples")
def test_the_study_states_its_questions_and_the_plans_seed_and_resamples(): ...


@compares("study/runs/*")
def test_missing_questions_and_unjudged_passages_are_counted_again(): ...


@compares("measures/*/run", "measures/*/measure", "measures/*/value", "measures/*/n")
def test_the_measures_are_recomputed(): ...


@compares(*(f"measures/*{measure}/{field}" for measure in MEANS for field in ("low", "high", "method")))
def test_the_percentile_intervals_are_recomputed(): ...


@compares("measures/*Success@*/low", "measures/*Success@*/high", "measures/*Success@*/method")
def test_the_wilson_intervals_are_recomputed(): ...


def test_a_wilson_interval_ends_exactly_at_no_hit_and_at_all_hits():
    report = data.report()
    rows = [row for row in report["measures"] + report["chunking"]["measures"] if row["method"] == "Wilson"]
    assert all(row["low"] == 0.0 for row in rows if row["value"] == 0)
    assert all(row["high"] == 1.0 for row in rows if row["value"] == 1)


@compares("beside/*")
def test_the_intervals_beside_the_means_are_bca():
    assert all(len(per_question(name, measure)) >= 30 for name in data.RANKERS for measure in MEANS)


@compares("pairs/*/first", "pairs/*/second", "pairs/*/measure", "pairs/*/difference")
def test_the_differences_are_recomputed(): ...


@compares(*(f"pairs/*{measure}/{field}" for measure in MEANS for field in ("low", "high", "method")))
def test_the_paired_intervals_are_recomputed(): ...


@compares("pairs/*Success@*/low", "pairs/*Success@*/high", "pairs/*Success@*/method")
def test_the_newcombe_intervals_are_recomputed(): ...


@compares("pairs/*/d_z")
def test_the_standardised_differences_are_recomputed(): ...


@compares("pairs/*/wins", "pairs/*/ties", "pairs/*/losses")
def test_wins_ties_and_losses_are_counted_again(): ...


@compares(*(f"pairs/*{measure}/{field}" for measure in MEANS for field in ("p", "p_method")))
def test_the_sign_flip_tests_are_recomputed(): ...


@compares("pairs/*Success@*/p", "pairs/*Success@*/p_method")
def test_the_mcnemar_tests_are_recomputed(): ...


@compares("family/*", "pairs/*/p_holm", "pairs/*/in_family")
def test_holm_adjusts_the_declared_family_and_nothing_else():
    family = [[row["first"], row["second"]] for row in data.report()["pairs"] if row["in_family"]]
    assert family == data.plan()["family"]["pairs"]


@compares("pairs/*/verdict")
def test_the_verdicts_follow_from_the_adjusted_p(): ...


def test_the_rows_stand_in_the_order_of_the_plan():
    rows = [(row["measure"], row["run"]) for row in data.report()["measures"]]
    assert rows == [(measure, name) for measure in measures() for name in data.RANKERS]
    pairs = [[row["measure"], row["first"], row["second"]] for row in data.report()["pairs"]]
    assert pairs == [[measure, *names] for measure in measures() for names in data.plan()["family"]["pairs"]]


def rows_with_reasons():
    report = data.report()
    yield from (row for name in ("beside", "judged_at_10", "recall_ceiling", "by_type") for row in report[name])
    yield from (row["beside"] for row in report["by_type"])
    yield from report["abstention"]["auc_of_primary_minus"].values()


@compares("*/reason")
def test_a_reason_stands_where_there_is_no_interval_and_nowhere_else():
    for row in rows_with_reasons():
        assert (row["low"] is None) == (row["high"] is None) == (row["reason"] is not None)


@compares("judged_at_10/*")
def test_the_judged_share_of_the_first_ten_is_recomputed(): ...


@compares("recall_ceiling", "recall_ceiling/*")
def test_the_ceilings_of_recall_are_shown_where_they_lie_below_1(): ...


@compares("ties/*/run", "ties/*/measure", "ties/*/worst", "ties/*/best")
def test_the_best_and_the_worst_order_of_ties_are_found_by_brute_force(): ...


@compares("ties/*/questions")
def test_the_questions_with_ties_in_the_first_ten_are_counted_once_for_each_run():
    counts = {(row["run"], row["questions"]) for row in data.report()["ties"]}
    assert len(counts) == len(dict(counts))
    assert [(row["run"], row["measure"]) for row in data.report()["ties"]] == [
        (name, measure) for name in data.RANKERS if name in dict(counts) for measure in measures()
    ]


@compares("leader", "not_separated_from_leader/*")
def test_the_leader_and_those_not_separated_from_it_follow_from_the_family(): ...


@compares("by_type/*")
def test_the_breakdown_by_type_is_recomputed(): ...


@compares("by_type/*/beside/*")
def test_the_intervals_beside_the_types_are_students_about_the_same_mean():
    for row in data.report()["by_type"]:
        assert row["n"] == row["beside"]["n"] < 30
        assert row["value"] == row["beside"]["value"]


@compares("chunking/measures/*")
def test_the_hit_rates_of_sections_and_chunks_are_recomputed(): ...


@compares("chunking/pairs/*")
def test_the_chunking_comparison_is_newcombe_and_mcnemar_over_the_same_questions():
    first, second = (per_question(f"section-{arm}", "Success@1", "section_qrels") for arm in data.ARMS)
    assert sum(inference.cells(first, second)) == len(first) == len(second) == len(data.question_ids())


@compares("abstention/questions/*", "abstention/primary", "abstention/scores/*/score")
def test_the_abstention_study_states_its_questions_and_the_declared_scores_in_order():
    declared, section = data.unanswerable_plan()["scores"], data.report()["abstention"]
    assert [row["score"] for row in section["scores"]] == [name for name in declared if name != "primary"]
    assert section["questions"]["unanswerable"] == data.unanswerable_plan()["questions"]["count"]


@compares("abstention/scores/*/auc/*")
def test_the_areas_are_counted_pair_by_pair_and_their_limits_solved_again(): ...


@compares("abstention/scores/*/candidates_total", "abstention/scores/*/feasible*")
def test_no_score_has_a_threshold_that_meets_both_gates_of_abstention():
    assert all(row["feasible"] == [] for row in data.report()["abstention"]["scores"])


@compares("abstention/scores/*/cheapest/*")
def test_the_cheapest_intervals_are_found_again(): ...


@compares("abstention/scores/*/at_threshold/*", "abstention/stored_threshold")
def test_the_threshold_is_chosen_again_and_everything_counted_at_it(): ...


@compares("abstention/scores/*/by_mix/*")
def test_the_threshold_is_priced_again_at_every_mix(): ...


@compares("abstention/scores/*/gates/*", "*/generated_answer_competence")
def test_the_gates_are_read_again_at_the_threshold():
    """In the order of the plan, of which answers that nobody read are no part."""
    declared = [name for name in data.plan()["gates"] if name != "generated_answer_competence"]
    for row in data.report()["abstention"]["scores"]:
        assert [gate["name"] for gate in row["gates"]] == declared


@compares("abstention/scores/*/go", "abstention/scores/*/reasons*")
def test_it_is_no_go_for_every_score_and_each_failing_gate_is_named():
    for row in data.report()["abstention"]["scores"]:
        assert row["go"] is False
        assert len(row["reasons"]) == sum(gate["result"] == "fail" for gate in row["gates"])


@compares("abstention/auc_of_primary_minus/*")
def test_the_differences_between_areas_are_resampled_again(): ...


@compares("abstention/off_topic/*", "abstention/held_out")
def test_the_off_topic_scores_are_listed_ascending_and_nothing_is_held_out_yet(): ...


def test_the_primary_score_has_the_highest_area():
    areas = {row["score"]: row["auc"]["value"] for row in data.report()["abstention"]["scores"]}
    assert max(areas, key=areas.get) == data.report()["abstention"]["primary"] == "best_sentence"

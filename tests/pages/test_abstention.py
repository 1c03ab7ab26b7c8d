"""The page Abstention, through AppTest; ``opened`` and ``everything`` are those of the other pages' tests."""

import re
from html import escape

import pytest

from evalcore.abstention.cost import cheapest
from evalcore.abstention.words import below_the_headline, headline
from evalcore.evidence.claims import number
from evalcore.gates import decide
from evalcore.stats.proportions import exact_rate
from evalcore.studies import MEANINGS, TOY_TITLE, Shipped, synthetic_pair
from tests.oracle import EXTRA, TOY
from tests.pages.test_pages import everything, headings, opened
from ui.pages import PAGES

PAGE = next(p for p in PAGES if p.key == "abstention")
EXPECTED = TOY["expected"]
TABS = ["Error rates", "Cost", "Traffic", "Risk and coverage", "Calibration", "Compare scores"]


def toy(**query):
    return opened(PAGE, study=TOY_TITLE, **query)


def row(text, head):
    """The cells of a table's row by its head, of the first table that has one."""
    found = re.search(rf"<tr><th scope=\"row\">{re.escape(escape(head))}</th>.*?</tr>", text)
    return re.findall(r"<td[^>]*>(.*?)</td>", found.group())


@pytest.fixture(scope="module")
def textbook():
    return Shipped.load().textbook


@pytest.fixture(scope="module")
def first_visit():
    return everything(toy())


def test_at_the_toy_runs_own_threshold_the_gates_and_rates_are_the_oracles(first_visit):
    at = EXPECTED["at_0_45"]
    results = {"pass": "✓ pass (value)", "fail": "✗ fail (value)"}
    shown = {
        "recall@5": row(first_visit, "Answer in the top 5, answerable questions"),
        "correct_abstention": row(first_visit, "Correct abstention on unanswerable questions"),
        "false_abstention": row(first_visit, "False abstention on answerable questions"),
        "wrong_scope_top1_served": row(first_visit, "A passage from the wrong scope served first"),
    }
    assert {name: cells[6] for name, cells in shown.items()} == {g: results[r] for g, r in at["gates"].items()}
    assert shown["correct_abstention"][0] == number(at["correct_abstention"])
    assert shown["false_abstention"][0] == number(at["false_abstention"])
    assert shown["wrong_scope_top1_served"][0] == str(at["wrong_scope_top1_served"])
    assert shown["recall@5"][0] == number(EXPECTED["recall_at_5"]["value"])
    assert "No go: 3 of 4 results fail." in first_visit
    assert "Generated-answer competence: not assessed" in first_visit


def test_auc_and_what_a_gate_would_need_stand_on_the_page(first_visit):
    auc, interval = EXPECTED["auc"], EXTRA["auc_newcombe_method_5"]["cases"][0]
    assert f"{auc['pairs_won']} of {auc['pairs']} pairs (AUC {number(auc['value'])}" in first_visit
    assert f"{number(interval['low'])} to {number(interval['high'])}" in first_visit
    above = EXPECTED["correct_abstention_gate_needs_threshold_above"]
    refused, all_of = EXPECTED["false_abstentions_at_that_cut"].split("/")
    assert f"needs a threshold above {above:g}, where {refused} of {all_of} answerable" in first_visit


@pytest.mark.parametrize("case", EXPECTED["sweep"], ids=lambda c: str(c["threshold"]))
def test_every_row_of_the_lessons_sweep_is_what_the_slider_shows(case):
    app = toy(threshold=str(case["threshold"]), figure="Cost")
    text = everything(app)
    false, correct = case["false_abstention"].split("/"), case["correct_abstention"].split("/")
    assert f"{int(false[1]) - int(false[0])} served, answerable" in text
    assert f"{false[0]} false abstention" in text
    assert f"{case['unsupported_served']} unsupported answer" in text
    assert f"{correct[0]} correct abstention" in text
    assert f"Unsupported share of served, file's mix** {number(case['unsupported_share'])}" in text
    assert row(text, "The file's mix, 0.375")[0] == number(case["cost_per_1000_test_mix"], 0)
    assert row(text, "The chosen mix, 0.100")[0] == number(case["cost_per_1000_at_10pct"], 0)
    assert row(text, "A passage from the wrong scope served first")[0] == str(case["wrong_scope_served"])


def test_the_cheapest_thresholds_are_the_oracles():
    text = everything(toy(figure="Cost"))
    by_share = {c["unanswerable_share"]: c for c in EXPECTED["cheapest"]}
    assert row(text, "The file's mix, 0.375")[1:3] == [by_share[0.375]["interval"], number(312.5, 0)]
    assert row(text, "The chosen mix, 0.100")[1:3] == [by_share[0.1]["interval"], number(150, 0)]


@pytest.mark.parametrize("case", EXTRA["toy_run_more"]["cheapest_ties"], ids=lambda c: str(c["cost_per_1000"]))
def test_tied_cheapest_thresholds_and_unbounded_ends_are_shown(case):
    share = case["unanswerable_share"]
    query = {"cost_unsupported": str(case["cost_unsupported"]), "cost_refusal": str(case["cost_refusal"])}
    text = everything(toy(figure="Cost", share=str(share), **query))
    cells = row(text, f"The chosen mix, {number(share)}")
    for low, high in case["intervals"]:
        shown = f"up to {high:g}" if low is None else f"above {low:g}" if high is None else f"({low:g}, {high:g}]"
        assert shown in cells[1]
    assert cells[2] == number(case["cost_per_1000"], 0)


def test_the_traffic_table_is_the_lessons():
    text = everything(toy(figure="Traffic"))
    for case in EXPECTED["traffic_mix_at_0_45"]:
        share = number(case["unanswerable_share"])
        shown = re.findall(rf"<td[^>]*>{re.escape(share)}</td><td[^>]*>(.*?)</td>", text)
        assert number(case["unsupported_share_of_served"]) in shown


def test_areas_and_the_calibrated_cut_are_the_oracles():
    more = EXTRA["toy_run_more"]
    text = everything(toy(figure="Risk and coverage"))
    assert row(text, "Area, the file's mix")[0] == number(more["aurc_step"]["file_mix"])
    assert row(text, "Area, unanswerable share 0.1")[0] == number(more["aurc_step"]["at_10pct"])
    cuts = more["logistic_maximum_likelihood"]["score_where_q_is_0_75"]
    text = everything(toy(figure="Calibration"))
    assert row(text, "The file's mix")[0] == number(cuts["file_mix"])
    assert row(text, "Unanswerable share 0.1")[0] == number(cuts["at_10pct"])


def test_rows_for_answering_and_refusing_everything_are_in_the_sweep(first_visit):
    trivial = EXTRA["toy_run_more"]["trivial_rows"]
    answer, refuse = row(first_visit, "0.28 (answer everything)"), row(first_visit, "refuse everything")
    assert answer[:3] == [str(trivial["answer_everything"]["served"]), "0 of 10", "0 of 6"]
    assert refuse[:4] == ["0", "10 of 10", "6 of 6", "–"]
    assert refuse[4:6] == [number(625, 0), number(900, 0)]


def test_on_the_toy_run_two_invented_scores_stand_beside_it_and_one_has_a_window():
    text = everything(toy(figure="Compare scores"))
    pair = synthetic_pair()
    for name, scored in pair.items():
        assert row(text, name)[0] == number(scored.auc.value)
    windows = [row(text, name)[4] for name in pair]
    assert windows[0] == "none"
    assert windows[1].startswith("(")


def test_gates_that_a_trivial_rule_passes_are_flagged_and_no_go():
    app = toy(gate_correct="0", gate_false="1")
    assert headings(app)[0] == "These gates decide nothing: a rule without a threshold passes them."
    assert "No go: the gates decide nothing" in everything(app)


def test_a_loosened_gate_and_another_price_are_marked_beside_the_plan():
    app = toy(gate_correct="0.6", cost_unsupported="1")
    (said,) = [w.value.replace("\\", "") for w in app.warning]
    assert "correct abstention at least 0.60, loosened: the plan says at least 0.80" in said
    assert "costs 1 : 1, re-priced: the plan says 3 : 1" in said
    cells = row(everything(app), "Correct abstention on unanswerable questions")
    assert cells[4:6] == ["at least 0.60", "at least 0.80"]
    assert not toy().warning


def test_a_preset_prices_and_reset_goes_back_to_the_plan():
    app = toy(threshold="0.6", gate_false="0.3", share="0.5")
    app.button(key="costs_Clinical").click().run()
    assert (app.number_input(key="cost_unsupported").value, app.number_input(key="cost_refusal").value) == (20, 1)
    app.button(key="reset").click().run()
    assert not app.warning
    assert app.slider(key="threshold").value == 0.45
    assert app.number_input(key="gate_false").value == 0.1
    assert not app.exception


def test_serving_nothing_has_no_unsupported_share_and_says_so():
    app = toy(threshold="0.741")
    text = everything(app)
    assert "no question is served, so there is no share of served answers" in text
    assert not app.exception


@pytest.mark.parametrize("share", ["0", "1"])
@pytest.mark.parametrize("tab", TABS)
def test_every_figure_holds_at_the_ends_of_the_traffic(tab, share):
    app = toy(figure=tab, share=share, threshold="0.741", generation_error="1")
    assert not app.exception
    assert not app.error


@pytest.mark.parametrize("column", list(MEANINGS)[:-1])
@pytest.mark.parametrize("tab", TABS)
def test_every_score_draws_every_figure_with_a_description(column, tab):
    app = opened(PAGE, score=MEANINGS[column], figure=tab)
    assert not app.exception
    assert not app.error
    for chart in app.get("plotly_chart"):
        assert len(chart.proto.alt) > 80


def test_the_textbooks_finding_is_evalcores_own(textbook):
    app = opened(PAGE)
    scored, name = textbook.scores[textbook.primary], MEANINGS[textbook.primary]
    text = everything(app)
    assert headings(app)[0] == headline(scored, textbook.gates, name)
    assert below_the_headline(scored, textbook.gates) in text
    at = scored.sweep.at(cheapest(scored.sweep, textbook.declared.costs, 0.1).threshold)
    assert decide(scored.against(textbook.gates, at)).sentence in text
    assert "Held-out: not assessed" in text


def test_five_questions_at_least_are_named_to_be_read_with_score_and_passage():
    text = everything(opened(PAGE))
    table = text.split("Wrongly served, highest score first")[1].split("</table>")[0]
    assert table.count('<tr><th scope="row">') >= 5
    assert re.search(r"unanswerable, served: unsupported answer</td><td[^>]*>s\d\d-c\d\d<", table)
    assert re.search(r"answerable, refused: false abstention</td><td[^>]*>s\d\d-c\d\d<", table)


def test_the_stored_threshold_is_current_and_its_rule_is_said(textbook):
    text = everything(opened(PAGE))
    assert f"**{textbook.stored.threshold:.6g}**, current" in text
    assert textbook.stored.rule in text


@pytest.mark.parametrize(
    "query", [{"study": "x"}, {"score": "<b>"}, {"share": "2"}, {"threshold_best_sentence": "nan"}]
)
def test_a_link_with_rubbish_opens_the_default(query):
    app = opened(PAGE, **query)
    assert not app.exception
    assert not app.error
    assert app.selectbox(key="score").value == "Best-sentence cosine"
    assert app.slider(key="share").value == 0.1


def test_both_costs_at_nought_are_said_and_the_plans_are_used():
    text = everything(toy(cost_unsupported="0", cost_refusal="0"))
    assert "Both costs are 0, so there is nothing to weigh; the plan's costs are used." in text


def test_the_toy_run_says_everywhere_that_it_is_invented(first_visit):
    assert "Anything about a real system: these scores are invented." in first_visit
    assert first_visit.count("Synthetic: invented questions and scores.") == 2


def test_calibration_of_the_combined_score_is_not_assessed_and_says_why():
    text = everything(opened(PAGE, score="Combined (cross-fitted)", figure="Calibration"))
    assert "**Not assessed:** this score was itself fitted on these labels" in text


def test_a_number_of_a_link_that_cannot_be_used_is_named():
    text = everything(toy(share="2", gate_false="x"))
    assert "The link's 2 for Unanswerable share of traffic is not between 0 and 1, and is left out." in text
    assert "The link's x for False abstention, at most is not between 0 and 1, and is left out." in text


def test_a_threshold_and_a_bound_are_shown_with_the_digits_that_decide():
    text = everything(opened(PAGE, threshold_best_sentence="0.508786", gate_false="0.105"))
    assert "At threshold 0.508786 on Best-sentence cosine." in text
    assert row(text, "False abstention on answerable questions")[4] == "at most 0.105"


def test_the_exact_interval_stands_beside_each_gates_wilson_interval():
    text = everything(toy())
    exact = {
        "Correct abstention on unanswerable questions": (4, 6),
        "False abstention on answerable questions": (2, 10),
    }
    for name, (hits, n) in exact.items():
        found = exact_rate(hits, n)
        cell = re.sub(r"<[^>]+>", "", row(text, name)[3])
        assert cell == f"{number(found.low)} to {number(found.high)}"

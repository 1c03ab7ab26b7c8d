"""The page Power and intervals, through AppTest; ``opened`` and ``everything`` are those of the other pages' tests."""

import json
import re
from html import unescape

import pytest

from evalcore.evidence.claims import number
from evalcore.planning.questions import MeanPlan
from evalcore.planning.rates import SIZES, SupposedRate
from evalcore.planning.words import below_the_headline, headline, may_not_be_said
from tests.oracle import EXTRA, STATS
from tests.pages.test_abstention import row
from tests.pages.test_pages import everything, headings, opened
from ui.pages import PAGES

PAGE = next(p for p in PAGES if p.key == "power")
COMPARE = next(p for p in PAGES if p.key == "compare")
MORE = EXTRA["power_more"]
MEANS, HITS, GAINS = "With d_z ", "With only the first ", "Equal net gains"
PILOT, PROMISES, SIMULATED = "From the pilot", "Lowest share of samples", "Share of "
FIGURE_KEYS = {
    *("plot_widths", "plot_panels", "plot_gate_chances", "plot_gains", "plot_means", "plot_hits", "plot_topics"),
    *("plot_own", "plot_promises"),
}


def power(**query):
    return opened(PAGE, **query)


def bare(cell):
    return unescape(re.sub(r"<[^>]+>", "", cell))


def tables(app):
    """Every table in order: caption, and its rows of shown text, the head first."""
    found = []
    for html in re.findall(r'<table class="el">.*?</table>', everything(app)):
        caption = bare(re.search(r"<caption>(.*?)</caption>", html).group(1))
        body = html.split("<tbody>")[1]
        rows = re.findall(r"<tr[^>]*>(.*?)</tr>", body)
        found.append((caption, [[bare(c) for c in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", r)] for r in rows]))
    return found


def caption_of(app, start):
    return next(caption for caption, _ in tables(app) if caption.startswith(start))


def listed(app, start):
    """The rows of the table whose caption begins so."""
    return next(rows for caption, rows in tables(app) if caption.startswith(start))


def cells(app, start):
    """Head to the other cells of that table's rows."""
    return {head: rest for head, *rest in listed(app, start)}


def alt(app, key):
    return next(chart.proto.alt for chart in app.get("plotly_chart") if chart.key == key)


def said(elements):
    return [e.value.replace("\\", "") for e in elements]


def family_of(alpha):
    """The control that gives an alpha: a family of one or of three at 0.05."""
    family = round(0.05 / alpha)
    assert 0.05 / family == pytest.approx(alpha)
    return {"alpha": "0.05", "family": str(family)}


def at_step(family):
    return "one test" if family == "1" else f"at Holm's first step of {family}"


@pytest.fixture(scope="module")
def first_visit():
    return power()


@pytest.fixture(scope="module")
def resampled():
    return power(resample="true", worth="0.05")


def test_at_the_first_controls_the_lessons_numbers_of_questions_stand_in_their_rows(first_visit):
    widths = cells(first_visit, "Questions for a half-width at a rate of 0.8,")
    assert [(head, *rest) for head, rest in widths.items()] == [
        ("± 0.1", "62", "60", "0.700", "0.6843", "either"),
        ("± 0.05", "246", "245", "0.750", "0.7456", "either"),
        ("± 0.025", "984", "982", "0.775", "0.7739", "either"),
    ]
    means, hits = cells(first_visit, MEANS), cells(first_visit, HITS)
    assert means["Questions for one test"][0] == "63"
    assert means["Questions at Holm's first step of 3"][0] == "84"
    assert hits["Questions for one test"][0] == "168"
    assert hits["Normal approximation, one test"][0] == "155"


def test_the_reminder_says_how_wide_a_d_z_of_forty_questions_is(first_visit):
    (reminder,) = [c for c in said(first_visit.caption) if c.startswith("A d_z from a small study")]
    assert "0.36 seen on 40 questions has a 95 % interval of 0.04 to 0.68" in reminder


def test_the_finding_is_evalcores_own_words_about_the_first_plan(first_visit):
    plan = MeanPlan(d_z=0.36, alpha=0.05, power=0.8, family=3, now=40)
    assert headings(first_visit)[0] == headline(plan)
    text = everything(first_visit)
    assert below_the_headline(plan) in text
    for sentence in may_not_be_said(plan):
        assert sentence in text


@pytest.mark.parametrize("case", STATS["paired_flip_se"], ids=lambda c: f"{c['first_only']}-{c['second_only']}")
def test_the_standard_error_of_each_of_the_lessons_flips_is_in_its_row_and_at_its_link(case):
    b, c = case["first_only"], case["second_only"]
    app = power(pairs=str(case["n"]), b=str(b), c=str(c))
    assert cells(app, GAINS)[f"{b}, {c}"][:2] == [f"+{case['difference']:.3f}", f"{case['se']:.4f}"]
    here = cells(app, f"Of {case['n']} questions")
    assert here["Difference, paired"][0] == number(case["difference"])
    assert here["Standard error, paired"][0] == f"{case['se']:.4f}"


@pytest.mark.parametrize("case", STATS["paired_t_power"], ids=lambda c: f"{c['alpha']:.3g}")
def test_the_questions_of_a_mean_are_the_oracles(case):
    test = family_of(case["alpha"])
    app = power(d_z=str(case["d_z"]), power=str(case["power"]), **test)
    heads = {"Questions for one test"} if test["family"] == "1" else set()
    for head in heads | {f"Questions at Holm's first step of {test['family']}"}:
        assert cells(app, MEANS)[head][0] == str(case["n"])


@pytest.mark.parametrize("case", STATS["precision_n"], ids=lambda c: str(c["half_width"]))
def test_the_questions_of_a_half_width_are_the_oracles(case):
    app = power(rate=str(case["p"]))
    assert cells(app, f"Questions for a half-width at a rate of {case['p']:g},")[f"± {case['half_width']:g}"][0] == str(
        case["n"]
    )


@pytest.mark.parametrize("case", MORE["power"], ids=lambda c: f"{c['d_z']}-{c['n']}-{c['alpha']:.3g}")
def test_power_is_the_oracles_as_far_as_the_slider_reaches(case):
    test, reached = family_of(case["alpha"]), min(case["n"], 500)
    app = power(d_z=str(case["d_z"]), now=str(reached), **test)
    assert app.slider(key="now").value == reached
    shown = cells(app, MEANS)[f"Power with {reached} questions, {at_step(test['family'])}"][0]
    # beyond the slider's reach power is 1 in the oracle and already 1 at its end
    assert shown == number(case["power"])


@pytest.mark.parametrize("case", MORE["minimum_detectable_d_z"], ids=lambda c: f"{c['n']}-{c['alpha']:.3g}")
def test_the_detectable_d_z_is_the_oracles(case):
    test = family_of(case["alpha"])
    app = power(now=str(case["n"]), power=str(case["power"]), **test)
    head = f"Detectable d_z with {case['n']} questions, {at_step(test['family'])}"
    assert cells(app, MEANS)[head][0] == number(case["d_z"])


@pytest.mark.parametrize("case", MORE["d_z_interval"], ids=lambda c: f"{c['d_z']}-{c['n']}")
def test_the_interval_of_a_d_z_is_the_oracles(case):
    app = power(d_z=str(case["d_z"]), now=str(case["n"]))
    value, interval, method = cells(app, MEANS)[f"A d_z of {case['d_z']:g} seen on {case['n']} questions"]
    assert (value, interval) == (number(case["d_z"]), f"{number(case['low'])} to {number(case['high'])}")
    assert method == case["method"]


@pytest.mark.parametrize("case", MORE["mcnemar_n"], ids=lambda c: f"{c['only_first']}-{c['only_second']}")
def test_the_questions_of_a_hit_rate_are_the_oracles_exactly_and_by_connor(case):
    shares = {"only_first": str(case["only_first"]), "only_second": str(case["only_second"])}
    found = cells(power(alpha=str(case["alpha"]), power=str(case["power"]), **shares), HITS)
    assert found["Questions for one test"][0] == str(case["n_exact"])
    assert found["Power with that exact number, one test"][0] == number(case["exact_power"])
    assert found["Normal approximation, one test"][0] == str(case["n_connor_1987"])
    assert found["Exact power with the approximation's number"][0] == number(case["exact_power_at_that_n"])


@pytest.mark.parametrize("case", MORE["gate_operating_characteristic"], ids=lambda c: f"{c['gate']} {c['n']}")
def test_what_a_gate_will_decide_is_the_oracles(case):
    kind = "at least" if ">=" in case["gate"] else "at most"
    app = power(gate=kind, gate_limit=case["gate"].split()[-1], gate_n=str(case["n"]))
    needs = case["needs"] if kind == "at least" else case["needs_at_most"]
    assert f"; {kind} {needs} of {case['n']} pass. " in caption_of(app, "A gate ")
    shown = {head: rest[0] for head, *rest in listed(app, "A gate ")}
    for rate, chance in case["pass_probability_if_true_rate"].items():
        assert shown[rate] == number(chance)


@pytest.mark.parametrize("case", EXTRA["cluster_wilson"], ids=lambda c: f"{c['value']}")
def test_a_pilot_in_the_link_has_the_oracles_interval_and_spread(case):
    pilot = " ".join(f"{x}/{m}" for x, m in zip(case["hits"], case["sizes"], strict=True))
    app = power(pilot=pilot)
    assert app.text_input(key="pilot").value == pilot
    assert "invented" not in caption_of(app, PILOT)
    found = cells(app, PILOT)
    if case["icc"] is not None:
        assert found["Rate over items"][:2] == [
            number(case["value"]),
            f"{number(case['low'])} to {number(case['high'])}",
        ]
        assert found["ICC"][0] == number(case["icc"])
        assert found["ICC before clipping"][0] == number(case["icc_raw"])
        assert found["Design effect"][0] == number(case["design_effect"], 2)
        assert found["Effective n"][0] == number(case["n_effective"], 1)
        assert "The same, were all items independent" not in found
        return
    assert found["Rate over items"][1] == f"{number(case['low_if_topics_are_the_sample'])} to {number(case['high'])}"
    beside = found["The same, were all items independent"]
    assert beside[1] == f"{number(case['low_if_items_are_independent'])} to {number(case['high'])}"
    assert found["ICC"][0] == found["Design effect"][0] == "–"
    reason = "at 100 % the spread between topics cannot be seen"
    assert reason in found["Rate over items"][2]
    assert any(c.startswith(reason.capitalize()) for c in said(app.caption))


def test_the_first_pilot_says_that_it_is_invented(first_visit):
    assert "These counts are invented for the example." in caption_of(first_visit, PILOT)


def test_four_of_six_has_its_own_interval_and_one_question_moves_it_by_a_sixth(first_visit):
    rate, interval, step = cells(first_visit, "Six are the toy run's")["4 of 6"]
    assert (rate, interval, step) == ("0.667", "0.300 to 0.903", "0.167")


def test_the_normal_approximation_is_warned_about_when_it_leaves_the_scale_and_only_then():
    (warned,) = said(power(rate="0.8", n="10").warning)
    assert warned.startswith("The normal approximation claims 0.552 to 1.048")
    assert said(power(rate="0.8", n="40").warning) == []


@pytest.mark.parametrize("n", [4, 10, 40, 1000])
def test_the_methods_of_a_supposed_rate_are_evalcores_and_its_panel_follows(n):
    here = SupposedRate.near(0.8, n)
    found = cells(power(rate="0.8", n=str(n)), f"If {here.hits} of {n} questions hit.")
    for e in here.methods:
        limits = "none" if e.low is None else f"{number(e.low)} to {number(e.high)}"
        assert found[e.method][:2] == [number(e.value), limits]


def test_the_four_panels_describe_the_lessons_limits(first_visit):
    described = alt(first_visit, "plot_panels")
    lesson = {10: ("0.500", "1.000"), 40: ("0.675", "0.925"), 100: ("0.720", "0.870"), 400: ("0.760", "0.838")}
    assert tuple(lesson) == SIZES
    for n, (low, high) in lesson.items():
        s = SupposedRate.near(0.8, n)
        assert (number(s.bootstrap.low), number(s.bootstrap.high)) == (low, high)
        beside = f"Wilson {number(s.wilson.low)} to {number(s.wilson.high)}, normal {number(s.normal.low)} to "
        assert f"{s.hits} of {n}: bootstrap {low} to {high}, {beside}{number(s.normal.high)}" in described


def test_more_flips_than_questions_is_a_warning_and_no_number():
    app = power(pairs="60", b="40", c="30")
    assert not app.exception
    assert not app.error
    (warned,) = said(app.warning)
    assert warned.startswith("40 + 30 questions change outcome, which is more than the 60 there are")
    captions = [caption for caption, _ in tables(app)]
    assert not [c for c in captions if c.startswith((GAINS, "Of "))]
    assert "plot_gains" not in [chart.key for chart in app.get("plotly_chart")]
    assert "The paired interval" not in everything(app)
    assert cells(app, MEANS)["Questions for one test"][0] == "63"


@pytest.mark.parametrize(
    ("pilot", "wrong"),
    [
        ("7/7, 8/7", "topic 2: 8 hits of 7 items"),
        ("7/7, 5/7, <b>", "topic 3: '<b>' is not hits/items"),
        ("-1/7", "topic 1: '-1/7' is not hits/items"),
    ],
)
def test_a_pilot_that_cannot_be_read_is_a_warning_that_names_the_topic(pilot, wrong):
    app = power(pilot=pilot)
    assert not app.exception
    assert not app.error
    (warned,) = said(app.warning)
    assert warned.startswith("The pilot cannot be read: ")
    assert wrong in warned
    assert not [caption for caption, _ in tables(app) if caption.startswith(PILOT)]


@pytest.mark.parametrize(
    "query",
    [
        {"rate": "0.01", "n": "4", "gate_limit": "0", "gate_n": "4", "icc": "0", "topics": "2", "items": "1"},
        {"rate": "0.99", "n": "1000", "gate_limit": "1", "gate_n": "500", "icc": "1", "topics": "64", "items": "40"},
        {"gate": "at most", "gate_limit": "0", "pairs": "10", "b": "0", "c": "0", "alike": "0", "worth": "0.001"},
        {"gate": "at most", "gate_limit": "1", "pairs": "300", "b": "60", "c": "60", "alike": "1", "worth": "1"},
        {"d_z": "0.05", "alpha": "0.01", "power": "0.99", "family": "20", "now": "500", "topic_rate": "0.01"},
        {"d_z": "2", "alpha": "0.2", "power": "0.5", "family": "1", "now": "5", "topic_rate": "0.99"},
        {"only_first": "0", "only_second": "0", "pilot": "0/0"},
        {"only_first": "0.5", "only_second": "0.5", "pilot": "0/7 0/7"},
    ],
    ids=lambda q: " ".join(q.values()),
)
def test_every_control_holds_at_its_ends(query):
    app = power(**query)
    assert not app.exception
    assert not app.error
    assert {chart.key for chart in app.get("plotly_chart")} == FIGURE_KEYS
    assert "nan" not in re.findall(r"\w+", everything(app))


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"now": "5", "d_z": "2"}, "the sign-flip test of 5 questions has p 0.0625 at the least"),
        ({}, "The formula is the t test's. Verdicts come from the sign-flip test"),
        ({}, "about half of the studies come out wider than planned"),
        ({}, "Questions an unpaired study needs in each of its two groups, for each paired one"),
        ({}, "missed in 40 of 100 such studies by one test alone, and in up to 58 of 100 at Holm's first step"),
        ({}, "it never holds less often than it says, and is mostly wider"),
    ],
)
def test_what_a_plan_does_not_hold_is_said(query, said):
    # the terms of a table are those of other pages too
    text = everything(power(**query)) if "mostly wider" not in said else everything(opened(COMPARE))
    assert said in text


def test_every_figure_of_the_page_has_a_description(first_visit, resampled):
    for app in (first_visit, resampled):
        assert {chart.key for chart in app.get("plotly_chart")} == FIGURE_KEYS
        for chart in app.get("plotly_chart"):
            assert len(chart.proto.alt) > 80


def test_every_table_of_numbers_has_its_label(first_visit, resampled):
    for app in (first_visit, resampled):
        assert len(tables(app)) >= 14
        for caption, _ in tables(app):
            assert re.search(r"\b(Assumed|Measured, retrieval-only)\b.*\.$", caption)


@pytest.mark.parametrize(
    ("key", "value", "start", "head"),
    [("d_z", 0.5, MEANS, "Questions for one test"), ("only_first", 0.3, HITS, "Questions for one test")],
)
def test_a_moved_control_changes_its_own_table(first_visit, key, value, start, head):
    app = power()
    before = row(everything(first_visit), "4 of 6")
    app.slider(key=key).set_value(value).run()
    assert cells(app, start)[head] != cells(first_visit, start)[head]
    assert row(everything(app), "4 of 6") == before


def test_the_power_figure_says_in_words_what_its_table_says(first_visit):
    assert "40 questions 0.60 and 0.42" in alt(first_visit, "plot_means")
    assert "40 questions 0.17 and 0.08" in alt(first_visit, "plot_hits")


@pytest.mark.parametrize("query", [{"gate_limit": "1"}, {"gate": "at most", "gate_limit": "0"}], ids=["one", "nought"])
def test_a_gate_at_the_end_of_the_scale_is_not_said_to_pass_half_the_time(query):
    assert "which lies at the end of the scale" in alt(power(**query), "plot_gate_chances")


def test_near_the_end_of_the_scale_each_row_and_a_warning_name_wilsons_as_the_one_to_trust():
    app = power(rate="0.99")
    (warned, *_) = [w for w in said(app.warning) if w.startswith("At a rate of 0.99")]
    assert "not to be used for ± 0.1, ± 0.05, ± 0.025: take Wilson's number" in warned
    row = cells(app, "Questions for a half-width at a rate of 0.99,")["± 0.1"]
    assert row[:3] == ["4", "17", "(0.890)"]
    assert row[4] == "Wilson's only: 0.890 to 1.090 leaves 0 to 1; 0.04 misses are expected, fewer than 5"


def test_a_rate_rounded_to_whole_hits_is_said_beside_the_control_and_in_the_table():
    app = power(rate="0.99")
    rounded = "A rate of 0.99 of 40 questions is 39.60 hits; the nearest whole number is 40, a rate of 1.000."
    assert rounded in said(app.caption)
    assert rounded in caption_of(app, "If 40 of 40 questions hit.")
    assert not [c for c in said(power(rate="0.8").caption) if "nearest whole number is" in c]


def test_a_method_without_an_interval_says_why_in_the_table_itself():
    found = cells(power(rate="0.99"), "If 40 of 40 questions hit.")
    assert found["normal approximation"][-1] == "at 40 of 40 the normal approximation has no width"
    assert found["percentile bootstrap of hits"][-1].startswith("all 40 values are equal (1)")
    assert found["Wilson"][-1] == "–"


@pytest.mark.parametrize(("query", "times"), [({}, 0), ({"b": "5"}, 1), ({"b": "6", "c": "2"}, 1)], ids=str)
def test_the_chosen_flips_are_drawn_once_also_when_they_are_the_lessons(query, times):
    (chart,) = [c for c in power(**query).get("plotly_chart") if c.key == "plot_gains"]
    drawn = json.loads(chart.proto.spec)
    names = drawn["layout"]["yaxis"]["ticktext"]
    assert len(names) == len(set(names))
    assert len([n for n in names if n.startswith("<b>chosen</b>")]) == 1
    assert len(names) == 4 + times


def test_the_legend_of_the_four_sizes_names_the_bootstrap_once(first_visit):
    (chart,) = [c for c in first_visit.get("plotly_chart") if c.key == "plot_panels"]
    shapes = json.loads(chart.proto.spec)["layout"]["shapes"]
    assert [s["name"] for s in shapes if s.get("showlegend")] == ["bootstrap"]

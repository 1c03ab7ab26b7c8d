"""The page Power and intervals, through AppTest; ``opened`` and ``everything`` are those of the other pages' tests."""

import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest

from evalcore.evidence.claims import number
from evalcore.goldset.schema import GoldSet
from evalcore.planning.own import own_pairs
from evalcore.planning.promises import promises
from evalcore.planning.questions import MeanPlan
from evalcore.planning.rates import SIZES, SupposedRate
from evalcore.planning.words import below_the_headline, headline, may_not_be_said
from evalcore.stats import coverage
from evalcore.stats.coverage.kinds import FAMILY
from evalcore.studies import TOY_TITLE
from evalcore.textbook import Textbook
from tests.oracle import EXTRA, STATS
from tests.pages.test_abstention import TABS, row
from tests.pages.test_pages import everything, headings, opened
from ui.pages import PAGES
from ui.theme import label

PAGE = next(p for p in PAGES if p.key == "power")
COMPARE = next(p for p in PAGES if p.key == "compare")
MORE = EXTRA["power_more"]
FIGURES = coverage.stored()
BY_ROW = {f.row: f for f in FIGURES}
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
def textbook():
    return Textbook(GoldSet())


@pytest.fixture(scope="module")
def first_visit():
    return power()


@pytest.fixture(scope="module")
def resampled():
    return power(resample="true", worth="0.05")


def test_at_the_first_controls_the_lessons_numbers_of_questions_stand_in_their_rows(first_visit):
    widths = cells(first_visit, "Questions for a half-width at a rate of 0.8,")
    assert [(head, *rest) for head, rest in widths.items()] == [
        ("± 0.1", "62", "60", "0.700", "0.6843"),
        ("± 0.05", "246", "245", "0.750", "0.7456"),
        ("± 0.025", "984", "982", "0.775", "0.7739"),
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


def test_a_thousand_questions_are_out_of_the_sliders_reach_and_a_link_to_them_is_named():
    app = power(now="1000")
    assert "The link's 1000 for Questions there are is not between 5 and 500, and is left out." in everything(app)
    assert "Power with 40 questions, one test" in cells(app, MEANS)


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
    ("query", "named", "key", "default"),
    [
        ({"rate": "2"}, "The link's 2 for Hit rate is not between 0.01 and 0.99", "rate", 0.8),
        ({"n": "many"}, "The link's many for Questions is not between 4 and 1000", "n", 40),
        ({"n": "nan"}, "The link's nan for Questions is not between 4 and 1000", "n", 40),
        ({"alpha": "<b>"}, "The link's <b> for Alpha is not between 0.01 and 0.2", "alpha", 0.05),
        ({"d_z": "-1"}, "The link's -1 for Assumed d_z is not between 0.05 and 2", "d_z", 0.36),
        ({"b": "999"}, "The link's 999 for Only the first hits, b is not between 0 and 60", "b", 4),
        ({"icc": "inf"}, "The link's inf for ICC is not between 0 and 1", "icc", 0.2),
        (
            {"worth": "0"},
            "The link's 0 for Smallest difference worth having, nDCG@10 is not between 0.001",
            "worth",
            0.05,
        ),
        ({"gate": "exactly"}, "The link names exactly for The gate wants a rate of", "gate", "at least"),
        ({"of": "<script>"}, "The link names <script> for Intervals of a", "of", "mean"),
    ],
)
def test_rubbish_in_a_link_is_named_as_left_out_and_the_control_keeps_its_default(query, named, key, default):
    app = power(**query)
    assert not app.exception
    assert not app.error
    (caption,) = [c for c in said(app.caption) if c.startswith("The link")]
    assert caption.startswith(named)
    assert caption.endswith("left out.")
    found = [e for kind in ("slider", "number_input", "selectbox") for e in app.get(kind) if e.key == key]
    assert [e.value for e in found] == [default]


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


def test_each_pair_has_four_simulated_rows_with_the_numbers_of_evalcore(resampled, textbook):
    assert not resampled.exception
    expected = []
    for pair in own_pairs(textbook.rankers, 0.05):
        assert pair.sizes == (40, 60, 80, 120)
        for n in pair.sizes:
            found = pair.power(n)
            name = f"{label(pair.first)} − {label(pair.second)}, {n}"
            limits = f"{number(found.family.low)} to {number(found.family.high)}"
            values = [found.one_test.value, found.family.value]
            kept = [found.one_test_ties.value, found.family_ties.value]
            kept_limits = f"{number(found.family_ties.low)} to {number(found.family_ties.high)}"
            closed = number(pair.closed_form(n, pair.first_step).value)
            expected.append([name, *map(number, values), limits, *map(number, kept), kept_limits, closed])
            assert f"{n} questions {number(values[1])} (95 % interval {limits})" in alt(resampled, "plot_own")
    assert len(expected) == 12
    assert listed(resampled, SIMULATED + "2,000 simulated studies") == expected


def test_where_the_two_readings_of_ties_differ_a_caution_says_so_and_nowhere_else(resampled, textbook):
    cautions = [(pair, pair.caution([pair.power(n) for n in pair.sizes])) for pair in own_pairs(textbook.rankers, 0.05)]
    expected = [f"{label(pair.first)} − {label(pair.second)}: {caution}." for pair, caution in cautions if caution]
    assert said(resampled.warning) == expected


def test_a_second_run_of_the_resampled_page_is_the_same_text(resampled):
    before = everything(resampled)
    assert everything(resampled.run()) == before
    assert everything(power(resample="true", worth="0.05")) == before


def test_without_the_toggle_nothing_is_simulated_but_the_closed_form_is_described(first_visit, textbook):
    assert first_visit.toggle(key="resample").value is False
    assert not [caption for caption, _ in tables(first_visit) if "simulated studies" in caption]
    described = alt(first_visit, "plot_own")
    assert "simulated" not in described
    for pair in own_pairs(textbook.rankers, 0.05):
        values = ", ".join(
            f"{n} questions {number(pair.closed_form(n, pair.first_step).value)}" for n in (40, 60, 80, 120)
        )
        assert f"{label(pair.first)} − {label(pair.second)}, closed form: {values}" in described


def test_the_spread_of_every_pair_is_evalcores(first_visit, textbook):
    rows = listed(first_visit, "Spread of the differences on 40 questions")
    for shown, pair in zip(rows, own_pairs(textbook.rankers, 0.05), strict=True):
        needed = [number(pair.needed(alpha, 0.8).value, 0) for alpha in (0.05, 0.05 / 3)]
        assert shown == [
            f"{label(pair.first)} − {label(pair.second)}",
            f"{pair.ties} of 40",
            *(number(pair.spread.value), number(pair.d_z.value, 2)),
            f"{number(pair.d_z.low)} to {number(pair.d_z.high)}",
            *(number(pair.d_z_at_worth.value, 2), *needed),
        ]


def test_power_after_the_fact_is_cautioned_against_with_its_one_half(first_visit):
    (caution,) = said(first_visit.info)
    assert caution.startswith("Do not compute power from the difference that was observed.")
    assert "A result with p = 0.05 on 40 questions always shows 0.51, whatever is true." in caution


def test_the_difference_worth_having_is_at_first_not_what_any_pair_showed(first_visit, textbook):
    worth = first_visit.number_input(key="worth").value
    observed = [abs(pair.comparison.difference.value) for pair in own_pairs(textbook.rankers, worth)]
    assert len(observed) == 3
    assert number(worth) not in [number(d) for d in observed]


def test_choosing_a_kind_shows_a_row_for_each_of_its_stored_figures_and_what_is_better(first_visit):
    kinds = list(dict.fromkeys(FAMILY[f.interval] for f in FIGURES))
    app = power()
    assert app.selectbox(key="of").options == kinds
    for kind in kinds:
        app.selectbox(key="of").set_value(kind).run()
        mine = [p for p in promises(FIGURES) if p.family == kind]
        rows = listed(app, PROMISES)
        assert len(rows) == len(mine)
        for shown, p in zip(rows, mine, strict=True):
            f, beside = p.figure, p.better
            assert shown == [
                *(f.interval, f.size, f"{100 * f.share:.1f} % ± {100 * f.error:.1f}", f.population),
                f"{number(100 * f.undefined, 1)} %",
                {"yes": "✓ yes", "no": "✗ no", "too close to say": "~ too close to say"}[p.keeps],
                f"{beside.interval}, {100 * beside.share:.1f} %" if beside else "–",
            ]
        assert f"from {mine[0].figure.simulations:,} samples of each population" in caption_of(app, PROMISES)
        assert {p.figure.simulations for p in mine} == {mine[0].figure.simulations}
        for p in mine:
            assert f"{p.name} {number(p.share.value)}" in alt(app, "plot_promises")


def test_a_row_that_does_not_keep_its_word_says_a_better_one_of_its_kind_and_size():
    app = power(of="rate")
    broken = [r for r in listed(app, PROMISES) if r[5] == "✗ no"]
    by_name = {(r[0], r[1]): float(r[2].split(" %")[0]) for r in listed(app, PROMISES)}
    assert len(broken) > 5
    for interval, size, held, *_, beside in broken:
        better, share = beside.removesuffix(" %").split(", ")
        assert by_name[better, size] == float(share) > float(held.split(" %")[0])
        assert better != interval
    kept = [r[-1] for r in listed(app, PROMISES) if r[5] == "✓ yes"]
    assert set(kept) == {"–"}


@pytest.mark.parametrize("query", [{}, {"of": "rate"}], ids=["row alone", "row and kind"])
def test_a_link_to_a_row_shows_its_sentence_at_the_top_and_marks_it(query):
    app = power(row="wilson-24", **query)
    (promise,) = [p for p in promises(FIGURES) if p.figure.row == "wilson-24"]
    top = next(e for e in app.main if e.type in ("alert", "info", "header"))
    assert top.value.replace("\\", "").startswith(promise.sentence())
    assert app.selectbox(key="of").value == "rate"
    (marked,) = re.findall(r'<tr class="el-marked">(.*?)</tr>', everything(app))
    assert [bare(c) for c in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", marked)][:2] == ["Wilson", "n = 24"]


def test_intervals_of_items_in_topics_lead_to_the_nearest_shape_and_say_what_was_shown():
    app = power(topics="8", items="20")
    (shape,) = {query["row"][0] for query in links(app) if query["row"][0].startswith("cluster-wilson-t-8x20")}
    assert shape == "cluster-wilson-t-8x20"
    assert "more items in a topic stretch the promise further" in everything(app)
    few = power(topics="4", items="7")
    assert "cluster-wilson-t-4x7" in {query["row"][0] for query in links(few)}


def test_the_lowest_shares_of_items_in_topics_are_said_to_be_shown_for_their_shapes_only():
    caption = caption_of(power(of="clustered rate"), PROMISES)
    assert "Shown for these numbers of topics and items, rates from 0.8 to 0.98 and an ICC of up to 0.8" in caption


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


def test_a_link_to_a_row_that_is_not_here_is_said_and_marks_nothing():
    app = power(row="wilson-<b>25")
    assert not app.exception
    assert not app.error
    assert "The link names the row wilson-<b>25, which is not here." in said(app.caption)
    assert '<tr class="el-marked">' not in everything(app)
    assert len(app.info) == 1


def links(app):
    """What the page's intervals lead to, of its tables and of its sentences."""
    text = everything(app)
    found = re.findall(r'href="(power\?row=[^"]*)"', text) + re.findall(r"\]\((power\?row=[^)]*)\)", text)
    return [parse_qs(urlsplit(unescape(address)).query, strict_parsing=True) for address in found]


# the harness shows no number before a run is opened; its own tests follow its links
@pytest.mark.parametrize("page", [p for p in PAGES if p.key != "harness"], ids=lambda p: p.key)
def test_the_intervals_of_every_page_lead_to_a_stored_figure_of_their_kind(page):
    found = links(opened(page))
    assert found
    for query in found:
        ((name,), (kind,)) = query["row"], query["of"]
        assert FAMILY[BY_ROW[name].interval] == kind


@pytest.mark.parametrize("tab", TABS)
def test_the_intervals_of_every_tab_of_the_toy_run_lead_to_a_stored_figure(tab):
    abstention = next(p for p in PAGES if p.key == "abstention")
    found = links(opened(abstention, study=TOY_TITLE, figure=tab))
    assert {query["row"][0] for query in found} <= set(BY_ROW)
    assert found


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


def test_what_was_measured_is_called_measured_and_provisional_beside_what_is_assumed(first_visit):
    caption = caption_of(first_visit, "Spread of the differences")
    assert "Ties, spread and d_z seen: Measured, retrieval-only; provisional. The rest: Assumed" in caption


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


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"resample": "maybe"}, "The link names maybe for Resample these differences"),
        ({"n": "12.5"}, "The link's 12.5 for Questions is not whole"),
        ({"pilot": "1/1 " * 1001}, "The link's text for Hits by topic of a pilot, hits/items is cut"),
    ],
    ids=lambda x: next(iter(x)) if isinstance(x, dict) else None,
)
def test_what_of_a_link_cannot_be_used_is_said(query, said):
    assert said in everything(power(**query))


@pytest.mark.parametrize("query", [{"gate_limit": "1"}, {"gate": "at most", "gate_limit": "0"}], ids=["one", "nought"])
def test_a_gate_at_the_end_of_the_scale_is_not_said_to_pass_half_the_time(query):
    assert "which lies at the end of the scale" in alt(power(**query), "plot_gate_chances")

"""The main journeys in a real browser."""

import json
import re
import subprocess
import sys
from urllib.parse import parse_qs, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from evalcore.goldset.schema import GoldSet
from evalcore.measures import Measure
from evalcore.textbook import Textbook
from tests.browser.conftest import ROOT, App, serving
from ui.pages import PAGES

SHAPES = [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")]
PATHS = ["/" + page.url for page in PAGES]
CHARTS = {"/": 0, "/compare": 5, "/abstention": 2, "/power": 9, "/data": 0, "/harness": 0}

SCAN = {
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa"]},
    "rules": {"heading-order": {"enabled": True}},
}
CLIPPED = """() => [...document.querySelectorAll('.js-plotly-plot')].flatMap(plot => {
  const box = plot.getBoundingClientRect();
  const inside = r => r.left >= box.left - 1 && r.right <= box.right + 1 && r.top >= box.top - 1
    && r.bottom <= box.bottom + 1;
  return [...plot.querySelectorAll('svg text')]
    .filter(t => t.textContent.trim() && t.getBoundingClientRect().width && !inside(t.getBoundingClientRect()))
    .map(t => t.textContent);
})"""
TOO_WIDE = """() => { const main = document.querySelector('[data-testid="stMain"]');
  return [main.scrollWidth, main.clientWidth]; }"""


def query(app):
    return {name: values[0] for name, values in parse_qs(urlsplit(app.page.url).query).items()}


def test_a_deep_link_works_as_the_first_request_of_a_fresh_server(browser, tmp_path):
    with serving(tmp_path / "log") as url:
        context = browser.new_context()
        app = App(context.new_page(), url).open("/compare?measure=RR%4010&first=BM25&second=Hybrid")
        expect(app.page.get_by_role("heading", name="Compare rankers")).to_be_visible()
        expect(app.page.get_by_text("Hybrid minus BM25").first).to_be_visible()
        context.close()


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(("width", "scheme"), SHAPES)
def test_no_page_is_too_wide_clips_a_label_or_logs_an_error(tab, path, width, scheme):
    app = tab(path, width=width, scheme=scheme)
    app.charts_drawn(CHARTS[path])
    assert app.page.evaluate(CLIPPED) == []
    scroll, client = app.page.evaluate(TOO_WIDE)
    assert scroll <= client
    assert app.errors == []


@pytest.mark.parametrize("path", PATHS)
def test_nothing_is_asked_of_the_internet(tab, path):
    app = tab(path)
    app.charts_drawn(CHARTS[path])
    assert app.outside == []


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_an_accessibility_scan_finds_nothing(tab, path, scheme):
    app = tab(path, scheme=scheme)
    app.charts_drawn(CHARTS[path])
    found = Axe().run(app.page, options=SCAN)
    violations = [(v["id"], [node["html"][:160] for node in v["nodes"]][:4]) for v in found.response["violations"]]
    assert violations == []


def test_choosing_a_measure_changes_the_finding_and_the_link_and_a_reload_keeps_it(tab):
    app = tab("/compare")
    app.choose("Measure", "RR@10")
    expect(app.page.get_by_text("outside the declared family").first).to_be_visible()
    assert query(app)["measure"] == "RR@10"
    with app.rerun():
        app.page.reload()
    expect(app.page.get_by_text("outside the declared family").first).to_be_visible()


def test_the_choice_survives_a_visit_to_another_page(tab):
    app = tab("/compare")
    app.choose("Measure", "Success@5")
    with app.rerun():
        app.page.get_by_role("link", name="Overview").click()
    with app.rerun():
        app.page.get_by_role("link", name="Compare rankers").click()
    expect(app.page.get_by_role("combobox", name="Measure")).to_have_value("Success@5")


def best_question(first, second, measure):
    apart = Textbook(GoldSet()).rankers.differences(first, second, Measure.parse(measure))
    return max(apart, key=lambda q: apart[q])


def test_a_click_on_a_bar_opens_that_question_also_after_a_change_of_measure(tab):
    app = tab("/compare")
    app.charts_drawn(CHARTS["/compare"])
    click_first_bar(app)
    opened = [app.page.get_by_role("combobox", name="Question").input_value()]
    app.page.get_by_role("combobox", name="Measure").scroll_into_view_if_needed()
    app.page.wait_for_timeout(500)
    app.choose("Measure", "RR@10")
    click_first_bar(app)
    expected = [best_question("hybrid", "dense", measure) for measure in ("nDCG@10", "RR@10")]
    expect(app.page.get_by_role("combobox", name="Question")).to_have_value(expected[1])
    assert opened == expected[:1]
    assert query(app)["question"] == expected[1]


def click_first_bar(app):
    bar = app.page.locator(".js-plotly-plot .bars .point path").first
    bar.scroll_into_view_if_needed()
    app.page.wait_for_timeout(500)
    box = bar.bounding_box()
    with app.rerun():
        app.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def test_a_passage_opens_with_its_evidence_marked(tab):
    app = tab("/compare")
    answering = app.page.locator("details", has_text=re.compile(r"^\W*\w*\W*\d+ · answers")).first
    answering.locator("summary").click()
    expect(answering.locator("mark").first).to_be_visible()


def test_the_downloads_are_the_command_lines_numbers(tab):
    app = tab("/compare")
    with app.page.expect_download() as download:
        app.page.get_by_role("button", name="All, JSON").click()
    ours = json.loads(download.value.path().read_text())
    runs = [part for name in ("bm25", "dense", "hybrid") for part in ("--run", f"{name}=gold/runs/{name}.trec")]
    command = [sys.executable, "-m", "evalcore", "compare", "--qrels", "gold/qrels.trec", *runs, "--json"]
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert ours == json.loads(printed)


def test_every_table_of_the_page_can_be_downloaded(tab):
    app = tab("/compare")
    for name, start in (
        ("Means, CSV", "questions,run,measure,value"),
        ("Pairs, CSV", "first,second"),
        ("Pairs, LaTeX", r"\begin"),
    ):
        with app.page.expect_download() as download:
            app.page.get_by_role("button", name=name).click()
        assert download.value.path().read_text().startswith(start)


def test_a_keyboard_reaches_the_controls_and_changes_the_pair(tab):
    app = tab("/compare")
    app.page.get_by_role("combobox", name="First ranker").focus()
    app.page.keyboard.press("ArrowDown")
    app.page.keyboard.press("ArrowUp")
    with app.rerun():
        app.page.keyboard.press("Enter")
    assert "first" in query(app)


def test_two_visitors_do_not_share_a_choice(tab):
    one, other = tab("/compare"), tab("/compare")
    one.choose("Measure", "R@5")
    with other.rerun():
        other.page.reload()
    expect(other.page.get_by_role("combobox", name="Measure")).to_have_value("nDCG@10")


def test_words_of_a_figure_follow_a_theme_that_changes_under_an_open_page(tab):
    app = tab("/compare", scheme="light")
    app.charts_drawn(CHARTS["/compare"])
    ink = "() => getComputedStyle(document.querySelector('.js-plotly-plot .ytick text')).fill"
    before = app.page.evaluate(ink)
    app.page.emulate_media(color_scheme="dark")
    app.page.wait_for_function(f"before => ({ink})() !== before", arg=before)
    red = int(app.page.evaluate(ink).split("(")[1].split(",")[0])
    assert red > 180


def test_one_address_always_shows_one_screen(tab):
    app = tab("/compare")
    for control, option in (("First ranker", "BM25"), ("Second ranker", "Hybrid"), ("First ranker", "Dense")):
        app.choose(control, option)
    shown = app.page.get_by_role("heading", level=2).first.inner_text()
    again = tab(app.page.url.removeprefix(app.url))
    assert again.page.get_by_role("heading", level=2).first.inner_text() == shown

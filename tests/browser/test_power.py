"""The page Power and intervals in a real browser."""

import csv
import json
import re
import subprocess
import sys

import pytest
from playwright.sync_api import expect

from evalcore.planning.promises import promises
from evalcore.planning.rates import SupposedRate
from evalcore.stats import coverage
from tests.browser.conftest import ROOT
from tests.browser.test_journeys import CHARTS, CLIPPED, query

HEADER = ["key", "what", "value", "low", "high", "n", "method", "basis", "reason", "inputs"]
# the upright line of the width figure: the number of questions it stands at, and the path that is drawn
UPRIGHT = """() => {
  const plot = document.querySelector('.st-key-plot_widths .js-plotly-plot');
  return [plot.layout.shapes[0].x0, plot.querySelector('.shapelayer path').getAttribute('d')];
}"""
IN_ORDER = "([first, second]) => !!(first.compareDocumentPosition(second) & Node.DOCUMENT_POSITION_FOLLOWING)"


def questions(app):
    # Streamlit labels a slider twice, so that its name by role is "Questions Questions"
    return app.page.locator('input[type="range"][aria-label="Questions"]')


def moved(app, key):
    questions(app).focus()
    with app.rerun():
        app.page.keyboard.press(key)


def method_cell(app, method):
    """The interval of a method in the table of the supposed rate."""
    supposed = app.page.locator("table.el").filter(has=app.page.locator("caption", has_text=re.compile("^If ")))
    shown = supposed.locator("tr").filter(has=app.page.get_by_role("rowheader", name=method, exact=True))
    return shown.locator('td[data-label="95 % interval"]')


def spoken(n):
    found = SupposedRate.near(0.8, n).wilson
    return f"{found.low:.3f} to {found.high:.3f}"


def test_a_move_of_the_questions_by_keyboard_changes_figure_table_and_link_and_a_reload_keeps_it(tab):
    app = tab("/power")
    app.charts_drawn(CHARTS["/power"])
    stands, drawn = app.page.evaluate(UPRIGHT)
    assert stands == 40
    expect(method_cell(app, "Wilson")).to_have_text(spoken(40))
    for _ in range(3):
        moved(app, "ArrowRight")
    app.page.wait_for_function(f"before => ({UPRIGHT})()[1] !== before", arg=drawn)
    assert app.page.evaluate(UPRIGHT)[0] == 43
    expect(method_cell(app, "Wilson")).to_have_text(spoken(43))
    assert query(app)["n"] == "43"
    with app.rerun():
        app.page.reload()
    app.charts_drawn(CHARTS["/power"])
    expect(questions(app)).to_have_value("43")
    assert app.page.evaluate(UPRIGHT)[0] == 43
    expect(method_cell(app, "Wilson")).to_have_text(spoken(43))
    assert app.errors == []


def test_the_resample_switch_shows_its_progress_or_result_and_then_the_results(tab):
    # a difference that nothing else asks for, so that nothing is kept yet
    app = tab("/power?worth=0.0625")
    simulated = app.page.locator("caption", has_text="simulated studies in which the sign-flip test finds")
    expect(simulated).to_have_count(0)
    with app.rerun(timeout=90):
        app.page.get_by_text("Resample these differences", exact=True).click()
        progress = app.page.get_by_role("progressbar").or_(app.page.get_by_text(re.compile("^Resampling")))
        expect(progress.or_(simulated).first).to_be_visible(timeout=30_000)
    expect(simulated).to_be_visible()
    rows = app.page.locator("table.el").filter(has=simulated).locator("tbody tr")
    expect(rows).to_have_count(12)
    expect(rows.first.locator("td").nth(1)).to_have_text(re.compile(r"^[01]\.\d{3}$"))
    expect(app.page.get_by_text(re.compile("^Resampling:"))).to_have_count(0)
    assert query(app)["resample"] == "true"
    assert app.errors == []


def test_an_interval_of_another_page_opens_a_tab_with_its_rows_sentence_at_the_top(tab):
    app = tab("/compare")
    link = app.page.locator('table.el a[href^="power?row="]').first
    link.scroll_into_view_if_needed()
    row = re.search(r"row=([^&]+)", link.get_attribute("href")).group(1)
    (promise,) = [p for p in promises(coverage.stored()) if p.figure.row == row]
    with app.page.context.expect_page() as opened:
        link.click()
    page = opened.value
    said = page.get_by_role("status").filter(has_text=promise.sentence())
    expect(said).to_be_visible(timeout=30_000)
    heading = page.get_by_role("heading", level=2).filter(has_text="questions find a mean difference")
    expect(heading).to_be_visible()
    assert page.evaluate(IN_ORDER, [said.element_handle(), heading.element_handle()])
    marked = page.locator("tr.el-marked")
    expect(marked).to_have_count(1)
    expect(marked.get_by_role("rowheader")).to_have_text(promise.name)
    assert app.page.url.endswith("/compare")


def test_the_table_that_is_downloaded_has_the_command_lines_numbers(tab):
    app = tab("/power")
    with app.page.expect_download() as download:
        app.page.locator(".st-key-download_interval-csv").get_by_role("button").click()
    assert download.value.suggested_filename == "interval.csv"
    with download.value.path().open(encoding="utf-8", newline="") as file:
        header, *lines = csv.reader(file)
    assert header == HEADER
    command = [sys.executable, "-m", "evalcore", "power", "--json"]
    printed = json.loads(subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout)["rate"]
    ours = [dict(zip(header, line, strict=True)) for line in lines]
    assert [row["key"] for row in ours] == list(printed)
    for row in ours:
        theirs = printed[row["key"]]
        for name in ("value", "low", "high", "n"):
            assert (float(row[name]) if row[name] else None) == theirs[name]
        assert [row[name] or None for name in ("method", "basis", "reason")] == [
            theirs[name] for name in ("method", "basis", "reason")
        ]


def test_two_visitors_do_not_share_a_slider(tab):
    one, other = tab("/power"), tab("/power")
    moved(one, "End")
    expect(questions(one)).to_have_value("1000")
    with other.rerun():
        other.page.reload()
    expect(questions(other)).to_have_value("40")


def test_what_a_link_could_not_give_is_still_said_after_the_address_is_rewritten(tab):
    app = tab("/power?rate=9&n=abc")
    app.page.wait_for_function("() => !location.search")
    for said in ("The link's 9 for Hit rate is not between", "The link's abc for Questions is not between"):
        expect(app.page.get_by_text(said)).to_be_visible()


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("state", ["of=kappa", "of=mean+difference", "d_z=0.05&family=20&now=500", "rate=0.05&n=8"])
def test_no_label_is_clipped_in_a_state_that_is_not_the_first(tab, width, state):
    app = tab(f"/power?{state}", width=width)
    app.charts_drawn(CHARTS["/power"])
    assert app.page.evaluate(CLIPPED) == []

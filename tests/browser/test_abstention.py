"""The page Abstention in a real browser."""

import json
import re

import pytest
from playwright.sync_api import expect

from evalcore.abstention.scale import StoredThreshold
from evalcore.studies import Shipped
from tests.browser.test_journeys import query

TOY = "/abstention?study=Toy%20run%20(synthetic)"
TABS = ["Error rates", "Cost", "Traffic", "Risk and coverage", "Calibration", "Compare scores"]
CLICK_A_MARK = (
    "(n) => { const p = document.querySelectorAll('.js-plotly-plot .point')[n]; return p.getBoundingClientRect() }"
)


def threshold(app):
    return app.page.get_by_role("slider", name="Threshold")


def moved(app, key):
    threshold(app).focus()
    with app.rerun():
        app.page.keyboard.press(key)


def test_a_move_of_the_threshold_changes_counts_rates_and_the_link_and_a_reload_keeps_them(tab):
    app = tab(TOY)
    expect(app.page.get_by_text("2 false abstention").first).to_be_visible()
    for _ in range(25):
        moved(app, "ArrowRight")
    expect(app.page.get_by_text("3 false abstention").first).to_be_visible()
    assert query(app)["threshold"] == "0.475"
    with app.rerun():
        app.page.reload()
    expect(app.page.get_by_text("3 false abstention").first).to_be_visible()


def test_a_click_on_a_question_puts_the_threshold_there(tab):
    app = tab(TOY)
    app.charts_drawn(2)
    app.page.locator(".js-plotly-plot .point").first.scroll_into_view_if_needed()
    app.page.wait_for_timeout(500)
    box = app.page.evaluate(CLICK_A_MARK, 0)
    with app.rerun():
        app.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    study = Shipped.load().toy
    first = float(study.scores["score"].scores[0])
    expect(threshold(app)).to_have_value(str(first))


@pytest.mark.parametrize("name", TABS)
def test_every_tab_has_its_address_and_draws_its_figure(tab, name):
    app = tab(TOY)
    if name != TABS[0]:
        with app.rerun():
            app.page.get_by_role("tab", name=name).click()
        assert query(app)["figure"] == name
    app.charts_drawn(2)
    assert app.errors == []


def test_a_preset_reprices_is_marked_and_reset_takes_it_back(tab):
    app = tab(TOY)
    with app.rerun():
        app.page.get_by_role("button", name="Clinical 20 : 1").click()
    expect(app.page.get_by_text(re.compile("re-priced: the plan says 3 : 1"))).to_be_visible()
    assert query(app)["cost_unsupported"].startswith("20")
    with app.rerun():
        app.page.get_by_role("button", name="Reset").click()
    expect(app.page.get_by_text(re.compile("re-priced"))).to_have_count(0)
    assert "cost_unsupported" not in query(app)


def test_copy_link_says_that_it_copied_or_shows_the_address(tab):
    app = tab(TOY)
    moved(app, "ArrowRight")
    app.page.get_by_role("button", name="Copy link").click()
    said = app.page.get_by_role("status").filter(has_text=re.compile("Copied|threshold="))
    expect(said.first).to_be_visible()


def test_the_stored_threshold_that_is_downloaded_carries_its_fingerprint(tab):
    app = tab("/abstention")
    with app.page.expect_download() as download:
        app.page.get_by_role("button", name="This threshold, JSON").click()
    kept = StoredThreshold.model_validate(json.loads(download.value.path().read_text()))
    scale = Shipped.load().textbook.scales["best_sentence"]
    assert kept.state(scale) == "current"


def test_two_visitors_do_not_share_a_threshold(tab):
    one, other = tab(TOY), tab(TOY)
    moved(one, "End")
    with other.rerun():
        other.page.reload()
    expect(threshold(other)).to_have_value("0.45")

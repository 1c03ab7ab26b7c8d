"""Your data in a real browser: real TREC files brought, declared, saved and opened again; two visitors apart."""

import shutil

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from evalcore.export import comparison_json
from evalcore.own import open_study
from tests.browser.conftest import ROOT
from tests.browser.test_journeys import CLIPPED, SCAN, TOO_WIDE


@pytest.fixture
def files(tmp_path):
    """The textbook's files under other names, as they would come from somebody's own search stack."""
    names = {"qrels.trec": "judged-by-us.txt", "runs/bm25.trec": "old-stack.run", "runs/hybrid.trec": "new-stack.run"}
    for source, name in names.items():
        shutil.copy(ROOT / "gold" / source, tmp_path / name)
    return tmp_path


def bring(app, files):
    choosers = app.page.locator('input[type="file"]')
    with app.rerun():
        choosers.nth(0).set_input_files(files / "judged-by-us.txt")
    expect(app.page.get_by_role("heading", name="What is wrong with them")).to_be_visible()
    with app.rerun():
        app.page.get_by_test_id("stFileUploader").filter(has_text="Runs, 2 to 50").locator("input").set_input_files(
            [files / "old-stack.run", files / "new-stack.run"]
        )
    app.page.get_by_role("button", name="Declare and show").wait_for()


def declare(app):
    with app.rerun():
        app.page.get_by_role("button", name="Declare and show").click()
    app.page.get_by_role("heading", name="Declared").wait_for()


def saved(app, path):
    with app.page.expect_download() as download:
        app.page.get_by_role("button", name="Save study").click()
    download.value.save_as(path)
    return path


def shown(app):
    app.page.locator("table.el").first.wait_for()
    return [
        app.page.get_by_role("heading", level=2).nth(1).inner_text(),
        app.page.locator("table.el").all_inner_texts(),
    ]


def test_files_are_brought_declared_saved_and_opened_again_with_the_same_numbers(tab, files, tmp_path):
    app = tab("/data")
    bring(app, files)
    expect(app.page.get_by_text("Measured, retrieval-only")).to_have_count(0)
    expect(app.page.get_by_text("ids in both").or_(app.page.get_by_text("In both")).first).to_be_visible()
    declare(app)
    app.page.get_by_text("new-stack is ahead of old-stack").first.wait_for()
    path = saved(app, tmp_path / "kept.zip")
    mine = open_study(path.read_bytes())
    assert comparison_json(mine.compared)["family"]["k"] == 1
    before = shown(app)
    again = tab("/data")
    with again.rerun():
        again.page.get_by_test_id("stFileUploader").filter(has_text="A file that this page saved").locator(
            "input"
        ).set_input_files(path)
    again.page.get_by_role("heading", name="Declared").wait_for()
    again.page.get_by_text("new-stack is ahead of old-stack").first.wait_for()
    assert shown(again) == before
    assert app.errors == again.errors == []


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_a_declared_study_is_accessible_and_nothing_is_clipped(tab, files, width, scheme):
    app = tab("/data", width=width, scheme=scheme)
    bring(app, files)
    found = Axe().run(app.page, options=SCAN).response["violations"]
    declare(app)
    app.page.get_by_role("heading", name="Limits").wait_for()
    found += Axe().run(app.page, options=SCAN).response["violations"]
    assert [(v["id"], [node["html"][:160] for node in v["nodes"]][:4]) for v in found] == []
    assert app.page.evaluate(CLIPPED) == []
    scroll, client = app.page.evaluate(TOO_WIDE)
    assert scroll <= client


def test_two_visitors_do_not_see_each_others_files(tab, files):
    one, other = tab("/data"), tab("/data")
    bring(one, files)
    declare(one)
    with other.rerun():
        other.page.reload()
    other.page.get_by_role("heading", name="Declare before you look").wait_for()
    for name in ("old-stack", "new-stack", "judged-by-us"):
        expect(other.page.get_by_text(name)).to_have_count(0)
        expect(one.page.get_by_text(name).first).to_be_attached()


def test_compare_shows_the_declared_files_and_another_visitor_sees_the_textbook(tab, files):
    app = tab("/data")
    bring(app, files)
    declare(app)
    with app.rerun():
        app.page.get_by_role("link", name="Compare rankers").click()
    app.choose("Study", "Mine")
    app.page.get_by_text("new-stack is ahead of old-stack").first.wait_for()
    app.charts_drawn(3)
    found = Axe().run(app.page, options=SCAN).response["violations"]
    assert [(v["id"], [node["html"][:160] for node in v["nodes"]][:4]) for v in found] == []
    assert app.page.evaluate(CLIPPED) == []
    other = tab("/compare?compare_study=Mine")
    expect(other.page.get_by_text("the textbook is shown")).to_be_visible()
    expect(other.page.get_by_text("new-stack")).to_have_count(0)
    assert app.errors == other.errors == []

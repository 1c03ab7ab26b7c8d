"""The generation harness in a real browser, against a local stand-in for the service."""

import json
import re
import signal
import sqlite3
from contextlib import contextmanager

import pytest
from playwright.sync_api import expect

from evalcore.generation.store.events import Called, Ended, Purpose
from evalcore.generation.store.journal import Journal
from evalcore.generation.store.run import Run
from evalcore.generation.topics import read_topics
from tests.browser.conftest import App, free_port, started
from tests.browser.test_journeys import query
from tests.generation.fake_server import FakeAPI

CANARY = "sk-ant-canary-browser-0123456789abcdef"
LAUNCHER = "tests/browser/harness_app.py"


class Place:
    """The stand-in, the folder of the journal, and a server that can be killed and started again at one address."""

    def __init__(self, api, folder, browser):
        self.api, self.folder, self.browser = api, folder, browser
        self.port, self.log = free_port(), folder / "server.log"
        self.contexts, self.before = [], 0

    @property
    def requests(self):
        """What this test has sent to the stand-in."""
        return self.api.requests[self.before :]

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    @contextmanager
    def server(self):
        with started([LAUNCHER, self.api.url, str(self.folder), str(self.port)], self.port, self.log) as process:
            yield process

    def tab(self, path="/harness", *, until="What may not be said", width=1280, scheme="light"):
        context = self.browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, accept_downloads=True
        )
        self.contexts.append(context)
        return App(context.new_page(), self.url).open(path, until)

    def close_tabs(self):
        while self.contexts:
            self.contexts.pop().close()

    def run(self, app):
        return Run(Journal(self.folder / "harness.sqlite3").events(query(app)["run"]))


@pytest.fixture(scope="module")
def shared(browser, tmp_path_factory):
    """One stand-in and one server for the tests that kill none."""
    with FakeAPI() as api:
        found = Place(api, tmp_path_factory.mktemp("harness"), browser)
        with found.server():
            yield found


@pytest.fixture
def place(shared):
    shared.before, shared.api.models_scenario = len(shared.api.requests), "ok"
    yield shared
    shared.close_tabs()


@pytest.fixture
def mortal(browser, tmp_path):
    """A stand-in and a folder for a server that the test starts and kills."""
    with FakeAPI() as api:
        found = Place(api, tmp_path, browser)
        yield found
        found.close_tabs()


def give_key(app, key=CANARY):
    app.page.locator("input[type=password]").fill(key)
    with app.rerun():
        app.page.get_by_role("button", name="Check the key").click()


def step(app, name):
    with app.rerun():
        app.page.get_by_role("radio", name=name, exact=True).click()


def press(app, name):
    with app.rerun():
        app.page.get_by_role("button", name=name).first.click()


def begin(app):
    give_key(app)
    press(app, "Run eight topics")


def asked(place, title):
    """Requests for one topic that reached the stand-in."""
    return [r for r in place.requests if r.method == "POST" and f"Topic: {title}" in json.dumps(r.body)]


def test_a_run_goes_on_while_other_pages_are_looked_at_and_the_key_is_nowhere(place):
    app = place.tab()
    begin(app)
    expect(app.page.get_by_text("Finished packs can be read and rated at once")).to_be_visible()
    address = app.page.url
    with app.rerun():
        app.page.get_by_role("link", name="Compare rankers").click()
    with app.rerun():
        app.page.get_by_role("link", name="Generation harness").click()
    expect(app.page.get_by_role("heading", name="8 of 8 topics gave valid output")).to_be_visible(timeout=30_000)
    assert query(app)["run"] in address
    seen = app.page.content() + app.page.url
    for name in ("Read", "Rate", "Results", "Calls"):
        step(app, name)
        seen += app.page.content() + app.page.url
    assert CANARY not in seen
    assert {r.headers.get("authorization") for r in place.requests} == {f"Bearer {CANARY}"}
    written = [path for path in place.folder.rglob("*") if path.is_file()]
    assert any(path.name.startswith("harness.sqlite3") for path in written)
    assert [path.name for path in written if CANARY.encode() in path.read_bytes()] == []


@pytest.mark.parametrize("pasted", [f" {CANARY}", f"{CANARY} ", "sk-ant-short", "not a key"])
def test_what_is_no_key_is_refused_in_words_and_sent_nowhere(place, pasted):
    app = place.tab()
    give_key(app, pasted)
    expect(app.page.get_by_text("nothing was sent")).to_be_visible()
    assert place.requests == []
    assert CANARY not in app.page.content()


def test_a_key_that_the_service_refuses_is_said_to_be_refused_and_not_kept(place):
    place.api.models_scenario = "401"
    app = place.tab()
    give_key(app)
    expect(app.page.get_by_text("The key was not accepted")).to_be_visible()
    expect(app.page.locator("input[type=password]")).to_have_value("")
    expect(app.page.get_by_role("button", name="Run eight topics")).to_have_count(0)


def test_a_stop_in_the_middle_of_a_call_ends_it_at_once_and_what_is_open_can_be_run_again(place):
    place.api.script("Topic: Experiments", "stall")
    app = place.tab()
    begin(app)
    expect(app.page.get_by_text("Experiments and observational studies: under way")).to_be_visible(timeout=20_000)
    press(app, "Stop the run")
    expect(app.page.get_by_text("without an outcome of the model's own")).to_be_visible()
    expect(app.page.get_by_text(re.compile("Experiments and observational studies: stopped"))).to_be_visible()
    before = {title: len(asked(place, title)) for title in ("Choosing a sample", "Experiments")}
    place.api.script("Topic: Experiments", "ok")
    press(app, "Run what is open")
    expect(app.page.get_by_role("heading", name="8 of 8 topics gave valid output")).to_be_visible(timeout=30_000)
    assert len(asked(place, "Choosing a sample")) == before["Choosing a sample"]
    assert len(asked(place, "Experiments")) == before["Experiments"] + 1


def test_a_killed_server_loses_nothing_that_was_finished_and_asks_again_only_for_the_call_in_flight(mortal):
    mortal.api.script("Topic: Frequency tables", "stall")
    with mortal.server() as process:
        app = mortal.tab()
        begin(app)
        expect(app.page.get_by_text(re.compile("Experiments and observational studies: ready"))).to_be_visible(
            timeout=20_000
        )
        expect(app.page.get_by_text(re.compile("Frequency tables and histograms: under way"))).to_be_visible()
        address, finished = app.page.url, set(mortal.run(app).packs)
        process.send_signal(signal.SIGKILL)
        process.wait()
    once = {title: len(asked(mortal, title)) for title in ("Choosing a sample", "Kinds of data", "Experiments")}
    mortal.api.script("Topic: Frequency tables", "ok")
    with mortal.server():
        app = mortal.tab(address.removeprefix(mortal.url))
        assert finished <= set(mortal.run(app).packs)
        expect(app.page.get_by_text(re.compile("interrupted with the server")).first).to_be_visible()
        give_key(app)
        press(app, "Run what is open")
        expect(app.page.get_by_role("heading", name="8 of 8 topics gave valid output")).to_be_visible(timeout=30_000)
        assert {title: len(asked(mortal, title)) for title in once} == once
        run = mortal.run(app)
        assert all(len(run.of(Purpose.GENERATE, topic)) == 1 for topic in finished)


def test_a_killed_server_keeps_every_rating(mortal):
    with mortal.server() as process:
        app = mortal.tab()
        press(app, "Load the recorded sample")
        step(app, "Rate")
        press(app, "Yes")
        address = app.page.url
        process.send_signal(signal.SIGKILL)
        process.wait()
    with mortal.server():
        app = mortal.tab(address.removeprefix(mortal.url), until="Rate blind")
        expect(app.page.get_by_text("Faithful · yes")).to_be_visible()


def test_two_tabs_on_one_run_ask_once_for_each_topic(place):
    first = place.tab()
    begin(first)
    expect(first.page.get_by_role("button", name="Stop the run")).to_be_visible()
    second = place.tab(first.page.url.removeprefix(place.url))
    expect(second.page.get_by_role("heading", name="8 of 8 topics gave valid output")).to_be_visible(timeout=30_000)
    run = place.run(second)
    calls = [e.what for e in run.events if isinstance(e.what, Called)]
    ends = [e.what for e in run.events if isinstance(e.what, Ended)]
    assert len(calls) == len(ends) == 8
    base = sqlite3.connect(place.folder / "harness.sqlite3")
    assert base.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    base.close()


def rate_three(app):
    """Rates three items in full by the keyboard: all yes, all no, all cannot tell."""
    for key in ("y", "n", "t"):
        for _ in range(6):
            if app.page.get_by_role("button", name="Next item").is_enabled():
                break
            with app.rerun():
                app.page.keyboard.press(key)
        with app.rerun():
            app.page.keyboard.press("x")


def numbers_on(app):
    """Every table of the page as text."""
    return app.page.locator("table.el").all_inner_texts()


def test_the_sample_is_rated_blind_shows_agreement_and_survives_export_and_import(place, tmp_path):
    app = place.tab()
    press(app, "Load the recorded sample")
    expect(app.page.get_by_text("not a measurement of any model").first).to_be_visible()
    step(app, "Rate")
    rate_three(app)
    expect(app.page.get_by_text("3 of 49 items rated in full")).to_be_visible()
    step(app, "Results")
    press(app, "Show the results")
    expect(app.page.get_by_role("heading", name="Checks against")).to_be_visible()
    before = numbers_on(app)
    with app.page.expect_download() as caught:
        app.page.get_by_role("button", name="Run, JSON").click()
    caught.value.save_as(tmp_path / "run.json")
    app.page.wait_for_timeout(300)
    press(app, "Another run")
    with app.rerun():
        app.page.locator('input[type="file"]').set_input_files(tmp_path / "run.json")
    # the step that was open stays open
    expect(app.page.get_by_role("heading", name="Checks against")).to_be_visible()
    assert numbers_on(app) == before
    assert app.errors == []


def test_a_double_click_on_an_answer_is_one_rating(place):
    app = place.tab()
    press(app, "Load the recorded sample")
    step(app, "Rate")
    app.page.get_by_role("button", name="Yes").first.dblclick()
    expect(app.page.get_by_text("Faithful · yes")).to_be_visible()
    app.page.wait_for_timeout(500)
    rated = [e.what for e in place.run(app).events if e.what.kind == "rated"]
    assert [(r.question.value, r.answer.value) for r in rated] == [("faithful", "yes")]


def test_a_double_click_on_run_begins_and_pays_for_one_run(place):
    app = place.tab()
    give_key(app)
    app.page.get_by_role("button", name="Run eight topics").dblclick()
    expect(app.page.get_by_role("heading", name="8 of 8 topics gave valid output")).to_be_visible(timeout=30_000)
    app.page.wait_for_timeout(500)
    assert [len(asked(place, topic.title)) for topic in read_topics()] == [1] * 8

"""The page Generation harness, through AppTest: opening it, rating blind, the key, and a run against the stand-in.

Results, files and two runs are in ``test_harness_results``; ``plugged`` and the helpers serve both.
"""

import re
from contextlib import contextmanager
from functools import cache, partial

import pytest
from google.protobuf.json_format import MessageToDict

from evalcore.generation.calls.client import Client
from evalcore.generation.calls.runner import Pauses
from evalcore.generation.rubric import TITLES, Sheet
from evalcore.generation.rubric import rate as journal_rate
from evalcore.generation.sample import sample_run
from evalcore.generation.store.events import Answer, Began, Called, Ended, Place, Purpose, Question, Rated, Revealed
from evalcore.generation.store.journal import is_run_id
from evalcore.generation.store.run import Run
from evalcore.generation.words import SAMPLE
from tests.generation import fake_server
from tests.generation.fake_server import FakeAPI, capabilities, model
from tests.pages.test_pages import everything, headings, opened
from tests.pages.test_power import listed, tables
from ui.harness import wiring
from ui.harness.item import MARKS
from ui.harness.wiring import WIRING
from ui.pages import PAGES

PAGE = next(p for p in PAGES if p.key == "harness")
STEPS = ("Run", "Read", "Rate", "Results", "Calls", "Two runs")
CANARY = "sk-ant-canary-pages-0123456789abcdef"
WRITER = "claude-canary-writer-7"
FIRST = "Rater 1"
HAIKU = "Claude Haiku 5.5 (claude-haiku-5-5)"


@contextmanager
def plugged(folder, monkeypatch):
    """The page with a journal in a folder of its own and the stand-in for the service; no run outlives the test."""
    with FakeAPI() as api:
        monkeypatch.setattr(WIRING, "folder", folder)
        monkeypatch.setattr(WIRING, "client", partial(Client, base_url=api.url))
        monkeypatch.setattr(WIRING, "pauses", Pauses((0.01, 0.01, 0.01)))
        for cache in (wiring.under_way, wiring._kept):
            cache.clear()
        yield api
        for runner in wiring.under_way()._runners.values():
            runner.stop()
            runner.join(10)
            assert not runner.alive
        for cache in (wiring.under_way, wiring._kept):
            cache.clear()


@pytest.fixture(autouse=True)
def api(tmp_path, monkeypatch):
    with plugged(tmp_path, monkeypatch) as found:
        yield found


def harness(**query):
    return opened(PAGE, **query)


def step(app, name):
    app.segmented_control(key="step").set_value(name).run()
    assert not app.exception
    assert not app.error
    return app


def press(app, key):
    app.button(key=key).click().run()
    assert not app.exception
    return app


@cache
def sample():
    return sample_run()


def kept(run):
    """A run as the journal has it."""
    return Run(wiring.journal().events(run))


def begun(run):
    """A run put into the journal; its id."""
    return wiring.journal().begin(run.events)


def written_by(name):
    """The sample's items as if a model of this name had written them."""
    events = []
    for event in sample().events:
        if isinstance(event.what, Began):
            event = event.model_copy(
                update={"what": event.what.model_copy(update={"model": name, "written_for": None})}
            )
        elif isinstance(event.what, Ended):
            event = event.model_copy(
                update={"what": event.what.model_copy(update={"model": name, "detail": f"{name} did"})}
            )
        events.append(event)
    return Run(tuple(events))


def strings(found):
    if isinstance(found, dict):
        found = found.values()
    if isinstance(found, str):
        yield found
    elif not isinstance(found, bool | int | float):
        for inner in found:
            yield from strings(inner)


def elements(app):
    return [node for node in app._tree if getattr(node, "proto", None) is not None]


def screen(app):
    """All that the browser is sent: every string of every element, values and options too, escapes taken out."""
    found = "\n".join(s for node in elements(app) for s in strings(MessageToDict(node.proto)))
    return re.sub(r"\\(.)", r"\1", found)


def in_hand(app):
    """The item that is to be rated."""
    return next(m.group(1) for b in app.button if (m := re.fullmatch(r"rate_(.+)_faithful_YES", b.key or "")))


def rate(app, item, answer=Answer.YES, question=Question.FAITHFUL):
    return press(app, f"rate_{item}_{question.value}_{answer.name}")


def records(run, kind):
    return [e.what for e in kept(run).events if isinstance(e.what, kind)]


def give_key(app, key=CANARY):
    app.text_input(key="harness_typed").set_value(key)
    return press(app, "check_key")


def run_of(app):
    return app.query_params["run"][0] if isinstance(app.query_params["run"], list) else app.query_params["run"]


def finished(app):
    """The page once the run in it has come to its end."""
    runner = wiring.under_way()._runners[run_of(app)]
    runner.join(20)
    assert not runner.alive
    return app.run()


def blind_words(run):
    """What nobody may see before rating: marks, the checks' sentences, the model's name."""
    return {*MARKS.values(), WRITER, *(f.says for findings in run.findings.values() for f in findings)}


# --- opening


def test_the_opening_page_claims_nothing_and_writes_nothing(tmp_path):
    app = harness()
    assert not app.exception
    assert headings(app)[0] == "No generated answer has been measured here"
    text = everything(app)
    assert "Not assessed" in text
    assert "What may not be said\n" in text.replace("**", "")
    assert "Anything about the answers of any model: none was asked for this study." in text
    assert list(tmp_path.iterdir()) == []


def test_the_five_passages_of_each_of_eight_topics_are_shown_before_any_run():
    shown = {e.label.split(" · ")[0]: e for e in harness().get("expander")}
    materials = wiring.materials().by_topic.values()
    assert len(materials) == 8
    for material in materials:
        box = shown[material.topic.title]
        heads = [m.value for m in box.markdown if re.match(r"\*\*\d\. ", m.value)]
        assert [h.split(" · ")[-1].replace("\\", "") for h in heads] == [p.id for p in material.passages]
        assert len(heads) == 5
        assert len(box.get("html")) == 5


def test_the_controls_of_a_new_run_are_these_and_none_of_them_is_an_address():
    app = give_key(harness())
    fields = [w.label for kind in ("text_input", "number_input", "selectbox", "toggle") for w in app.main.get(kind)]
    assert sorted(fields) == sorted(
        [
            *("Model", "Output cap, tokens a topic", "Temperature", "Spend cap, USD", "Calls side by side"),
            "Stop before a sum of money",
        ]
    )
    assert not re.search(r"base.?(url|address)|127\.0\.0\.1|api\.anthropic", screen(app), re.IGNORECASE)


# --- the sample


def test_each_loading_of_the_sample_is_a_run_of_its_own_under_an_id_that_cannot_be_guessed():
    runs = []
    for _ in range(2):
        app = press(harness(), "load_sample")
        assert app.session_state["harness_run"] == run_of(app)
        runs.append(run_of(app))
    assert all(is_run_id(run) for run in runs)
    assert runs[0] != runs[1]
    assert kept(runs[0]).events == kept(runs[1]).events == sample().events


@pytest.mark.parametrize("name", STEPS)
def test_every_step_of_the_sample_says_that_it_measures_no_model(name):
    app = press(harness(), "load_sample")
    other = begun(sample())
    step(app, "Results")
    press(app, "show_results")
    step(app, name)
    if name == "Two runs":
        app.text_input(key="second").set_value(other).run()
        press(app, "show_two")
    assert f"{SAMPLE.capitalize()}." in everything(app)
    assert "Measured, generated" not in screen(app)
    assert any("badge[" in m.value and "Assumed" in m.value for m in app.main.markdown)
    captions = [caption for caption, _ in tables(app) if not caption.startswith("Automatic checks of")]
    assert len(captions) == {"Results": 3, "Calls": 1, "Two runs": 1}.get(name, 0)
    for caption in captions:
        assert "Assumed" in caption
        assert "Measured" not in caption


# --- blind


@pytest.mark.parametrize("name", STEPS)
def test_nothing_shows_checks_or_model_to_whoever_has_yet_to_rate(name):
    run = written_by(WRITER)
    app = step(harness(run=begun(run)), name)
    text = screen(app)
    assert [word for word in blind_words(run) if word in text] == []
    assert records(run_of(app), Revealed) == []


def test_checks_and_model_appear_after_faithful_on_request_alone_and_the_reveal_is_kept():
    run = written_by(WRITER)
    app = step(harness(run=begun(run)), "Rate")
    item = in_hand(app)
    rate(app, item)
    text = screen(app)
    assert [word for word in blind_words(run) if word in text] == []
    press(app, f"show_{item}")
    text = screen(app)
    assert WRITER in text
    for finding in run.findings[item]:
        assert finding.says in everything(app).replace("&#x27;", "'").replace("&quot;", '"')
    assert records(run_of(app), Revealed) == [Revealed(rater=FIRST, items=(item,), place=Place.ITEM)]
    sheet = Sheet(kept(run_of(app)), FIRST)
    assert sheet.blind == {item: Answer.YES}
    others = {f.says for i, found in run.findings.items() if i != item for f in found}
    text = screen(step(app, "Read"))
    assert [w for w in others - {f.says for f in run.findings[item]} if w in text] == []


def test_checks_shown_first_make_the_rating_one_that_is_not_blind():
    app = step(harness(run=begun(sample())), "Rate")
    item = in_hand(app)
    assert app.button(key=f"show_{item}").label == "Show checks first"
    rate(press(app, f"show_{item}"), item)
    run = kept(run_of(app))
    assert [r.checks_shown_before_rating for r in records(run_of(app), Rated)] == [True]
    assert Sheet(run, FIRST).blind == {}
    step(app, "Results")
    press(app, "show_results")
    assert "0 items; left out: 48 not rated, 1 not rated blind." in everything(app).replace("**", "")
    assert "agreement is not assessed" in app.info[0].value


def test_results_ask_first_and_a_value_changed_after_them_leaves_the_blind_one_in_the_agreement():
    app = step(harness(run=begun(sample())), "Rate")
    item = in_hand(app)
    rate(app, item, Answer.NO)
    step(app, "Results")
    assert not [c for c, _ in tables(app) if c.startswith("Automatic checks.")]
    assert records(run_of(app), Revealed) == []
    press(app, "show_results")
    before = listed(app, "Each check")
    (shown,) = records(run_of(app), Revealed)
    assert set(shown.items) == set(sample().items)
    assert shown.place is Place.RESULTS
    rate(step(app, "Rate"), item, Answer.YES)
    sheet = Sheet(kept(run_of(app)), FIRST)
    assert sheet.ratings[item, Question.FAITHFUL].checks_shown
    assert sheet.answer(item, Question.FAITHFUL) is Answer.YES
    assert listed(step(app, "Results"), "Each check") == before


def test_results_opened_by_whoever_rated_everything_are_kept_as_shown_too():
    run = sample()
    app = harness(run=begun(run))
    for item in run.items:
        journal_rate(wiring.journal(), run_of(app), FIRST, item, Question.FAITHFUL, Answer.YES)
    step(app, "Results")
    assert listed(app, "Each check")
    assert Sheet(kept(run_of(app)), FIRST).seen == set(run.items)
    item = in_hand(step(app, "Rate"))
    rate(app, item, Answer.NO)
    assert records(run_of(app), Rated)[-1].checks_shown_before_rating
    assert Sheet(kept(run_of(app)), FIRST).blind == dict.fromkeys(run.items, Answer.YES)


def test_what_one_name_of_a_session_was_shown_counts_for_every_name_of_it_and_for_no_other_session():
    app = step(harness(run=begun(sample())), "Rate")
    run, item = run_of(app), in_hand(app)
    press(app, f"show_{item}")
    app.text_input(key="rater").set_value("Bo").run()
    assert Sheet(kept(run), "Bo").seen == {item}
    later = in_hand(app)
    press(app, f"show_{later}")
    app.text_input(key="rater").set_value(FIRST).run()
    assert Sheet(kept(run), FIRST).seen == {item, later}
    step(harness(run=run, rater="Cy"), "Rate")
    assert Sheet(kept(run), "Cy").seen == set()


# --- rating


def walked(app, items):
    """The items in the order in which skipping leads through them."""
    found = []
    for _ in range(items):
        found.append(in_hand(app))
        press(app, f"skip_{found[-1]}")
    return found


def test_skipping_leads_through_all_items_in_an_order_of_the_raters_own():
    run = begun(sample())
    items = list(kept(run).items)
    tabs = [step(harness(run=run, rater=rater), "Rate") for rater in ("Ana", "Bo", "Ana")]
    again = in_hand(tabs.pop())
    orders = [walked(tab, len(items)) for tab in tabs]
    assert sorted(orders[0]) == sorted(orders[1]) == sorted(items)
    assert orders[0] != orders[1]
    assert again == orders[0][0]
    assert items not in orders
    assert records(run, Rated) == []


def test_an_item_stays_until_it_is_left_and_unrated_no_and_cannot_tell_are_three_words():
    app = step(harness(run=begun(sample())), "Rate")
    item = in_hand(app)
    assert app.button(key=f"next_{item}").disabled
    given = {}
    for place, question in enumerate(q for q in Question if q.value in {k.split("_")[2] for k in rating_keys(app)}):
        given[question] = list(Answer)[place % 3]
        rate(app, item, given[question], question)
        assert in_hand(app) == item
    text = everything(app)
    for question, answer in given.items():
        word = {"yes": "accept", "no": "reject"}.get(answer.value, answer.value)
        assert f"**{TITLES[question]}** · {word if question is Question.ACCEPT else answer.value}" in text
    assert "· not rated" not in text
    assert app.get("progress")[0].proto.text == "1 of 49 items rated in full by Rater 1"
    press(app, "undo")
    last = list(given)[-1]
    assert f"**{TITLES[last]}** · not rated" in everything(app)
    assert app.get("progress")[0].proto.text.startswith("0 of 49")
    assert records(run_of(app), Rated)[-1].answer is None
    rate(app, item, Answer.NO, last)
    assert not app.button(key=f"next_{item}").disabled
    press(app, f"next_{item}")
    assert in_hand(app) != item
    assert in_hand(app) == Sheet(kept(run_of(app)), FIRST).order[1].id


def rating_keys(app):
    return [b.key for b in app.button if (b.key or "").startswith("rate_")]


def test_undo_after_a_reveal_never_makes_a_rating_blind():
    app = step(harness(run=begun(sample())), "Rate")
    item = in_hand(app)
    for key in (f"show_{item}", f"rate_{item}_faithful_NO", "undo", f"rate_{item}_faithful_YES"):
        press(app, key)
    assert Sheet(kept(run_of(app)), FIRST).blind == {}
    assert [r.checks_shown_before_rating for r in records(run_of(app), Rated)] == [True] * 3


def test_an_answer_pressed_twice_is_one_event_in_one_tab_or_two():
    app = step(harness(run=begun(sample())), "Rate")
    stale = step(harness(run=run_of(app)), "Rate")
    item = in_hand(app)
    for tab in (app, app, stale):
        rate(tab, item, Answer.NO)
    assert len(records(run_of(app), Rated)) == 1


# --- the key


@pytest.mark.parametrize(
    "typed", ["", "hello", f"{CANARY} ", f"{CANARY[:20]}\n{CANARY[20:]}", f"{CANARY}é", "sk-ant-x"]
)
def test_what_cannot_be_a_key_is_refused_without_a_call_and_without_repeating_it(api, typed):
    app = give_key(harness(), typed)
    assert len(app.error) == 1
    if typed:
        assert "nothing was sent" in app.error[0].value
        assert typed not in screen(app)
    assert CANARY[:20] not in screen(app)
    assert app.text_input(key="harness_typed").value == ""
    assert api.requests == []
    assert "harness_key" not in app.session_state


def test_a_key_that_the_service_refuses_is_not_kept(api):
    api.models_scenario = "401"
    app = give_key(harness())
    assert "The key was not accepted" in app.error[0].value
    assert CANARY not in screen(app)
    assert app.text_input(key="harness_typed").value == ""
    assert "harness_key" not in app.session_state


def test_a_good_key_lists_models_that_answer_by_a_schema_is_on_no_screen_and_goes_when_cleared(api):
    app = give_key(harness())
    assert [(r.method, r.path.partition("?")[0]) for r in api.requests] == [("GET", "/v1/models")]
    assert app.selectbox(key="harness_model").options == [
        HAIKU,
        "Claude Sonnet 5.5 (claude-sonnet-5-5)",
        "Claude Opus 4.5 (claude-opus-4-5-20251101) · deprecated",
        "Claude Haiku 4.5 (claude-haiku-4-5)",
    ]
    assert "2 others do not" in app.success[0].value
    assert CANARY not in screen(app)
    assert CANARY not in str(dict(app.query_params))
    press(app, "clear_key")
    assert not [s for s in app.selectbox if s.key == "harness_model"]
    assert app.text_input(key="harness_typed").value == ""
    for name in ("harness_key", "harness_models"):
        assert name not in app.session_state
    assert len(api.requests) == 1


def test_no_key_and_no_address_of_the_server_is_ever_used(api, monkeypatch):
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.setenv(name, "sk-ant-server-0123456789abcdefghij")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    app = harness()
    assert not [b for b in app.button if b.key == "begin"]
    for name in STEPS:
        step(press(app, "load_sample") if name == "Run" else app, name)
    assert api.requests == []
    give_key(harness())
    assert len(api.requests) == 1
    sent = str(api.requests[0].headers)
    assert CANARY in sent
    assert "sk-ant-server" not in sent


# --- a run


MIX = {
    "ok": "ready: 7 items",
    "refusal": "refused (counts against the model): the model refused, category bio",
    "max_tokens": "cut off (counts against the model): the answer reached the output cap of 8,000 tokens",
    "wrong_counts": "invalid (counts against the model):",
    "404": "rejected (not the model's): status 404: model: not found",
    "529": "overloaded (not the model's): status 529: Overloaded, attempt 4",
    "drop": "network (not the model's): the connection failed or was dropped, attempt 4",
    "html_200": "network (not the model's): the body of the answer",
}


def mixed(api, **chosen):
    """A run of which each topic meets one scenario of the mix, at its end; and topic id to scenario."""
    met = dict(zip(wiring.materials().by_topic, MIX, strict=True))
    for topic, scenario in met.items():
        api.script(f"Topic: {wiring.materials().by_topic[topic].topic.title}\n", scenario)
    app = give_key(harness())
    for key, value in chosen.items():
        app.selectbox(key=key).set_value(value).run()
    press(app, "begin")
    return finished(app), met


def asked(requests):
    """The titles of the topics that were asked about."""
    prompts = [str(r.body["messages"]) for r in requests if r.method == "POST"]
    return [re.search(r"Topic: (.*?)\\n", text).group(1) for text in prompts]


def test_every_outcome_is_named_on_screen_and_only_what_is_open_is_asked_again(api):
    app, met = mixed(api)
    shown = [p.proto.text.replace("\\", "") for p in app.get("progress")]
    for topic, line in zip(wiring.materials().by_topic.values(), shown, strict=True):
        assert f"**{topic.topic.title}**: {MIX[met[topic.topic.id]]}" in line
    run = kept(run_of(app))
    # the two that got no usable answer may have been billed, four times each
    assert f"${run.spent:.4f} at list price, and 8 calls of unknown cost" in everything(app)
    assert run.spent > 0
    assert "Of 8 topics, 4 without an outcome of the model's own" in everything(app)
    before = len(api.requests)
    for topic in wiring.materials().by_topic.values():
        api.script(f"Topic: {topic.topic.title}\n", "ok")
    finished(press(app, "again"))
    open_ = [wiring.materials().by_topic[t].topic.title for t, s in met.items() if s in list(MIX)[4:]]
    assert sorted(asked(api.requests[before:])) == sorted(open_)
    assert headings(app)[0] == "5 of 8 topics gave valid output"
    assert not [b for b in app.button if b.key == "again"]


def test_the_key_is_asked_for_again_where_the_session_has_none(api):
    app, _ = mixed(api)
    other = harness(run=run_of(app))
    assert "The key is not kept with a run" in everything(other)
    assert not [b for b in other.button if b.key == "again"]
    assert other.text_input(key="harness_typed").value == ""


def test_a_model_without_a_known_price_has_an_unknown_cost_and_never_none(api, monkeypatch):
    nova = model("claude-nova-9", "Claude Nova 9", "2026-11-02", capabilities(True, True), "nova")
    monkeypatch.setattr(fake_server, "CATALOGUE", [nova])
    app = give_key(harness())
    assert "What it will cost is **unknown**" in everything(app)
    assert "A spend cap cannot be kept for it" in everything(app)
    app.toggle(key="harness_capped").set_value(False).run()
    finished(press(app, "begin"))
    text = everything(app)
    assert len(kept(run_of(app)).packs) == 8
    assert "Spent: **unknown" in text
    assert "8 calls of unknown cost" in text
    assert not re.search(r"\$0(?!\.0*[1-9])", text)


def test_a_cap_that_cannot_be_kept_sends_nothing(api, monkeypatch):
    nova = model("claude-nova-9", "Claude Nova 9", "2026-11-02", capabilities(True, True), "nova")
    monkeypatch.setattr(fake_server, "CATALOGUE", [nova])
    app = finished(press(give_key(harness()), "begin"))
    assert asked(api.requests) == []
    assert "spend limit (not the model's): the cap of $1.00 cannot be kept" in screen(app)


def test_the_calls_are_one_row_an_attempt_without_the_model_until_it_may_be_seen_and_never_with_the_key(api):
    app, met = mixed(api)
    run = run_of(app)
    # another browser: whoever gave the key has its models on screen
    app = step(harness(run=run, rater="Bo"), "Calls")
    rows = listed(app, "Attempts in the order")
    assert len(rows) == len(asked(api.requests)) == 5 + 3 * 4
    titles = {t: m.topic.title for t, m in wiring.materials().by_topic.items()}
    assert sorted(r[0].rpartition(",")[0] for r in rows) == sorted(asked(api.requests))
    against = {titles[t] for t, s in met.items() if s in ("refusal", "max_tokens", "wrong_counts")}
    assert {r[0].rpartition(",")[0] for r in rows if "yes" in r[3]} == against
    hidden = screen(app)
    assert "claude-haiku-5-5" not in hidden
    assert "What was sent" not in [e.value for e in app.subheader]
    assert not app.get("download_button")
    press(app, "show_calls")
    # tokens, cost and temperature tell models apart, so they come with the name
    assert [row[: len(rows[0])] for row in listed(app, "Attempts in the order")] == rows
    assert {len(row) - len(rows[0]) for row in listed(app, "Attempts in the order")} == {3}
    assert "Models asked: claude-haiku-5-5" in everything(app)
    call = records(run, Called)[0]
    shown = next(c.value for c in app.code if '"model"' in c.value)
    assert call.sent["model"] in shown
    assert "Topic: " in shown
    for text in (hidden, screen(app)):
        assert CANARY not in text
    # and of the items that an open topic may still bring
    assert Sheet(kept(run), "Bo").seen == set(kept(run).possible_items)


def test_stopping_ends_the_run_at_once_and_what_was_finished_can_be_read(api):
    app = give_key(harness())
    first = next(iter(wiring.materials().by_topic.values())).topic
    api.default = "stall"
    api.script(f"Topic: {first.title}\n", "ok")
    press(app, "begin")
    # the models, the first topic, and two that never answer
    assert api.wait_for(4)
    press(app, "stop_run")
    finished(app)
    run = kept(run_of(app))
    assert list(run.packs) == [first.id]
    assert sorted(e.outcome.value for e in run.outcomes.values()) == ["ok", "stopped", "stopped"]
    assert run.final(Purpose.GENERATE, first.id).outcome.of_model
    assert f"{first.title}: 7 items" in [e.label.replace("\\", "") for e in step(app, "Read").get("expander")]


def test_the_sum_spent_is_that_of_the_rows(api):
    app, _ = mixed(api)
    run = kept(run_of(app))
    costs = [e.what.cost_usd for e in run.events if isinstance(e.what, Ended) and e.what.cost_usd is not None]
    assert sum(costs) == pytest.approx(run.spent)
    press(step(app, "Calls"), "show_calls")
    rows = listed(app, "Attempts in the order")
    assert sum(r[7] != "–" for r in rows) == len(costs) == 4

"""What counts as shown on the page Generation harness, by whatever way it was shown."""

from evalcore.generation.rubric import Sheet
from evalcore.generation.store.events import Answer, Called, Event, Purpose, Question, Rated
from evalcore.generation.store.run import Run
from tests.pages.test_harness import api as plugged_in
from tests.pages.test_harness import begun, harness, in_hand, kept, press, rate, run_of, step, written_by
from tests.pages.test_pages import everything
from ui.harness.rating import _take_back
from ui.harness.visit import Visit

api = plugged_in


def test_a_second_copy_of_what_was_shown_is_not_rated_as_if_it_were_new():
    app = step(press(harness(), "load_sample"), "Results")
    press(app, "show_results")
    press(app, "leave_run")
    press(app, "load_sample")
    copy = run_of(app)
    assert Sheet(kept(copy), "Rater 1").seen == set(kept(copy).items)


def test_calls_that_name_the_model_mark_every_item_as_seen_also_when_nothing_is_hidden():
    run = written_by("claude-haiku-5-5")
    called = Called(purpose=Purpose.GENERATE, unit="t1", attempt=1, model="claude-haiku-5-5", sent={})
    run = Run((run.events[0], Event(at=run.events[0].at, what=called), *run.events[1:]))
    for item in run.items:
        blind = Rated(
            rater="Bo", item=item, question=Question.FAITHFUL, answer=Answer.YES, checksShownBeforeRating=False
        )
        run = Run((*run.events, Event(at=run.events[0].at, what=blind)))
    id_ = begun(run)
    app = step(harness(run=id_, rater="Bo"), "Calls")
    assert "Models asked: claude-haiku-5-5" in everything(app)
    assert Sheet(kept(id_), "Bo").seen == set(run.items)


def test_the_second_click_on_take_back_leaves_the_answer_before():
    app = step(press(harness(), "load_sample"), "Rate")
    item = in_hand(app)
    rate(app, item)
    rate(app, item, question=Question.CORRECT)
    last = Sheet(kept(run_of(app)), "Rater 1").last
    visit = Visit(run_of(app), kept(run_of(app)), "Rater 1")
    _take_back(visit, last)
    _take_back(visit, last)
    assert set(Sheet(kept(run_of(app)), "Rater 1").ratings) == {(item, Question.FAITHFUL)}

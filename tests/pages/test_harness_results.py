"""The page Generation harness, through AppTest: results, the judge, files, hostile text, two runs."""

import json
import re
from html import escape

import pytest

from evalcore.evidence.claims import number, p_value, signed
from evalcore.generation.calls.outcomes import Outcome
from evalcore.generation.checks.findings import Check, Mark
from evalcore.generation.export import agreement_rows, comparison_rows, items_csv, rate_rows, run_json
from evalcore.generation.results.comparison import compare_runs
from evalcore.generation.results.output import ValidOutput
from evalcore.generation.rubric import TITLES, Sheet
from evalcore.generation.store.events import Ended, Question, StoredPassage
from evalcore.generation.store.files import to_json
from evalcore.generation.store.run import Run
from tests.generation.building import (
    CANNOT_TELL,
    NO,
    RATER,
    TOPICS,
    YES,
    a_run,
    all_rated,
    failing,
    items_of,
    judged,
    rated,
    revealed,
)
from tests.pages.test_harness import begun, elements, harness, kept, plugged, press, run_of, sample, step
from tests.pages.test_pages import everything, headings
from tests.pages.test_power import listed, tables
from ui.harness.keeping import taken
from ui.harness.visit import Visit

ITEMS = items_of(*TOPICS[:6])
FAILED = {"t7": Outcome.REFUSED, "t8": Outcome.CUT_OFF}
OUTCOMES = dict.fromkeys(TOPICS[:6], Outcome.OK) | FAILED


@pytest.fixture(autouse=True)
def api(tmp_path, monkeypatch):
    with plugged(tmp_path, monkeypatch) as found:
        yield found


def hand_made(*more):
    """Six topics with items of which two raters found some unfaithful; three unrated, two seen first, one unsure."""
    marks = failing([*ITEMS[::5], ITEMS[3]]) | failing(ITEMS[1::11], Check.NUMBERS, Mark.DERIVED)
    mine = dict.fromkeys(ITEMS[::4], NO) | {ITEMS[2]: CANNOT_TELL} | dict.fromkeys([*ITEMS[-3:], *ITEMS[10:12]])
    ratings = [
        *all_rated(ITEMS, mine),
        revealed(*ITEMS[10:12]),
        *(rated(item, YES, shown=True) for item in ITEMS[10:12]),
        *all_rated(ITEMS, dict.fromkeys(ITEMS[::6], NO), rater="bo"),
        *all_rated(ITEMS[:20], {ITEMS[5]: NO}, Question.CORRECT),
    ]
    return a_run(OUTCOMES, marks, [*ratings, *more])


def results(run, rater=RATER):
    """The results of a run, shown to this rater."""
    app = step(harness(run=begun(run), rater=rater), "Results")
    return press(app, "show_results") if [b for b in app.button if b.key == "show_results"] else app


def limits(row, name="", digits=3):
    low, high = row[f"{name}low"], row[f"{name}high"]
    return "–" if low is None else f"{number(low, digits)} to {number(high, digits)}"


def rate_cells(name, row, ends):
    others = [f"{n} {mark}" for mark, n in row["marks"].items() if mark not in ("pass", "yes")]
    beside = [limits(row, "independent_")] if ends else []
    return [
        name,
        f"{number(row['value'])} ({row['hits']} of {row['n']})",
        limits(row),
        *beside,
        "–"
        if row["planned_value"] is None
        else f"{number(row['planned_value'])} ({row['hits']} of {row['planned_n']})",
        limits(row, "planned_"),
        f"{row['topics']}, {number(row['icc'], 2)}, {number(row['design_effect'], 2)}",
        ", ".join(others) or "none",
    ]


def both(row, name):
    value = row[name]
    if value is None:
        return "–"
    shown, other = limits(row, f"{name}_", 2), limits(row, f"{name}_independent_", 2)
    ends = shown if other == "–" else f"{shown}; if independent {other}"
    return f"{number(value, 2)} ({'no interval' if shown == '–' else ends})"


def agreed_cells(name, row, *, named=True):
    kappa = row["kappa"]
    resampled = limits(row, "kappa_resampled_")
    jackknife = limits(row, "kappa_jackknife_")
    left = ", ".join(f"{n} {why}" for why, n in row["left_out"].items())
    counted = [f"{row['n']}; {left}" if left else str(row["n"])] if named else []
    return [
        name,
        *counted,
        " / ".join(str(row[cell]) for cell in ("both_yes", "first_only", "second_only", "both_no")),
        both(row, "raw"),
        f"{number(row['yes_first'])}, {number(row['yes_second'])}",
        number(kappa),
        *("none" if shown == "–" and kappa is not None else shown for shown in (jackknife, resampled)),
        both(row, "sensitivity"),
        both(row, "specificity"),
    ]


def results_tables(app):
    return [found for found in tables(app) if not found[0].startswith("Automatic checks of")]


# --- results


@pytest.mark.parametrize("run", [hand_made(), a_run(ratings=all_rated(items_of(*TOPICS)))], ids=["mixed", "all pass"])
def test_every_cell_of_the_rates_is_that_of_the_export(run):
    app = results(run)
    rows = rate_rows(run)
    checks = [row for row in rows if row["of"] == "checks"]
    mine = [row for row in rows if row["of"] == RATER and row["n"]]
    for start, found, name in (
        ("Automatic checks.", checks, lambda row: row["name"].capitalize()),
        (f"Answers of {RATER}", mine, lambda row: TITLES[Question(row["name"])]),
    ):
        ends = any(row["independent_low"] is not None for row in found)
        assert listed(app, start) == [rate_cells(name(row), row, ends) for row in found]
    assert len(checks) == len(Check) + 1


def test_every_cell_of_the_agreement_is_that_of_the_export_with_the_left_out_counted():
    run = hand_made()
    app, rows = results(run), agreement_rows(run)
    mine = [row for row in rows if row["second"] == RATER and not row["first"].startswith("judge")]
    assert listed(app, "Each check") == [agreed_cells(row["first"].capitalize(), row, named=False) for row in mine]
    (raters,) = [row for row in rows if (row["first"], row["second"]) == (RATER, "bo")]
    assert listed(app, "Blind answers") == [agreed_cells(f"{RATER} and bo", raters)]
    text = everything(app).replace("**", "")
    assert "36 items; left out: 1 cannot tell, 2 not rated blind, 3 not rated." in text
    assert mine[0]["n"] == 36


def test_valid_output_and_every_cause_by_name():
    outcomes = dict(
        zip(
            TOPICS,
            [*[Outcome.OK] * 3, Outcome.REFUSED, Outcome.INVALID, Outcome.INVALID, Outcome.NETWORK, None],
            strict=True,
        )
    )
    run = a_run(outcomes)
    app = results(run)
    share, *rest = listed(app, "Wilson's intervals over topics")
    found = ValidOutput.of(run)
    assert share[:2] == ["Valid output", number(0.5)]
    assert share[2] == f"{number(found.share.low)} to {number(found.share.high)}"
    assert [row[1] for row in rest] == [number(3 / 8), number(5 / 8)]
    causes = [row[:3] for row in listed(app, "How topics ended")]
    assert causes == [["ok", "3", "no"], ["refused", "1", "yes"], ["invalid", "2", "yes"], ["network", "1", "no"]]
    assert "2 of 8 topics are open, so the run is incomplete." in everything(app)


def test_an_all_pass_has_both_ends_and_neither_is_of_width_zero():
    row = next(r for r in listed(results(a_run()), "Automatic checks.") if r[0].startswith("Supported"))
    assert row[1] == "1.000 (56 of 56)"
    topics, items = (float(cell.split(" to ")[0]) for cell in row[2:4])
    assert topics < items < 1


# --- the judge


JUDGED = [event for item in ITEMS[:9] for event in judged(item, NO if item in ITEMS[:4] else YES)]


def test_the_judge_is_not_assessed_before_a_person_has_rated_blind_and_nothing_of_it_is_shown():
    run = a_run(OUTCOMES, None, [*JUDGED, revealed(*ITEMS), rated(ITEMS[0], YES, shown=True)])
    app = results(run)
    assert "Not assessed: no person has rated an item blind, so the judge is not assessed." in everything(app)
    assert not [caption for caption, rows in tables(app) if "judge" in f"{caption} {rows}".lower()]


def test_the_judge_stands_in_its_agreement_and_nowhere_else():
    run = hand_made(*JUDGED)
    app = results(run)
    rows = [row for row in agreement_rows(run) if "judge" in f"{row['first']} {row['second']}"]
    shown = [row for row in rows if row["second"] in (RATER, "judge, faithful") and row["n"]]
    assert listed(app, "Agreement only") == [agreed_cells(f"{r['first']} and {r['second']}", r) for r in shown]
    assert len(shown) == 3
    others = [f"{c} {rows}" for c, rows in tables(app) if not c.startswith("Agreement only")]
    assert not [text for text in others if "judge" in text.lower()]
    without = results(hand_made())
    assert results_tables(without) == [t for t in results_tables(app) if not t[0].startswith("Agreement only")]


# --- files


def upload(raw, name="run.json"):
    app = harness()
    app.file_uploader(key="run_file").set_value((name, raw, "application/json")).run()
    assert not app.exception
    return app


def test_an_exported_run_opened_again_is_a_run_of_its_own_with_the_same_tables():
    run = hand_made(*JUDGED)
    before = results(run)
    exported = taken(Visit(run_of(before), kept(run_of(before)), RATER))
    app = upload(to_json(run_json(exported)).encode())
    assert run_of(app) != run_of(before)
    assert kept(run_of(app)).events == exported.events
    app.text_input(key="rater").set_value(RATER).run()
    assert tables(step(app, "Results")) == tables(before)
    assert len(tables(before)) > 5


def test_whoever_takes_a_run_away_has_seen_its_checks_also_in_the_file():
    name = begun(sample())
    exported = taken(Visit(name, kept(name), "ana"))
    assert Sheet(exported, "ana").seen == set(sample().items)
    assert exported.events == kept(name).events


def changed(document, **values):
    return json.dumps(document | values).encode()


GOOD = run_json(sample())
BAD = {
    "no JSON": (b"{", "is no exported run"),
    "another format": (changed(GOOD, format="something"), "is of format 'something'"),
    "a later version": (changed(GOOD, version=99), "version 99"),
    "no beginning": (changed(GOOD, events=GOOD["events"][1:]), "the first event does not begin a run"),
    "an unknown topic": (
        changed(GOOD, events=[GOOD["events"][0], json.loads(json.dumps(GOOD["events"][1]).replace('"t1"', '"t77"'))]),
        "which the run does not have",
    ),
    "nothing": (b"", "is no exported run"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_file_that_is_no_run_is_named_with_its_fault_and_remedy_and_makes_no_run(case, tmp_path):
    raw, what = BAD[case]
    app = upload(raw, "mine.json")
    assert "The file cannot be opened." in app.error[0].value
    (said,) = [c.value for c in app.code]
    assert said.startswith("mine.json: ")
    assert what in said
    assert "open a file that the harness exported" in said
    assert "run" not in app.query_params
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("run", ["A" * 22, "../../etc/passwd", "<script>"])
def test_an_unknown_run_in_the_address_is_said_and_the_opening_page_is_shown(run):
    app = harness(run=run)
    assert "There is no run under this address." in app.warning[0].value
    assert headings(app)[0] == "No generated answer has been measured here"
    assert run not in everything(app)
    assert "run" not in app.query_params


# --- hostile text


NASTY = "![x](https://evil.example/p.png) <img src=https://evil.example/q> $E=mc^2$ :red[x] [y](https://evil.example)"
LIVE = re.compile(r"(?<!\\)(?:!\[x|\[y|<img|\$E|:red)")
SHORT = "=![x](https://e) $E$"


def hostile():
    """A run in which every text from outside holds an image, a link, HTML, a directive and a formula."""
    topic = f"t {NASTY}"
    run = a_run({topic: Outcome.OK, "t2": Outcome.REFUSED})
    pack = {
        "multiple_choice": [
            {"question": f"={NASTY} {i}?", "options": [NASTY, "b", "c", f"@{i}"], "key": key, "citations": [NASTY]}
            for i, key in enumerate(["A", "B", NASTY, "C"])
        ],
        "short_answer": [{"question": f"-{i} {NASTY}", "answer": f"+{NASTY}", "citations": [NASTY]} for i in range(3)],
    }
    events = []
    for event in run.events:
        what = event.what
        if isinstance(what, Ended):
            what = what.model_copy(update={"detail": NASTY, "model": NASTY, "stop_reason": NASTY})
            if what.outcome is Outcome.OK:
                what = what.model_copy(update={"text": json.dumps(pack)})
        elif what.kind == "began":
            passage = StoredPassage(id=NASTY, section=NASTY, text=NASTY)
            topics = [
                t.model_copy(update={"title": NASTY, "query": NASTY, "passages": (passage,)}) for t in what.topics
            ]
            what = what.model_copy(update={"topics": tuple(topics)})
        events.append(event.model_copy(update={"what": what}))
    return Run(tuple(events))


def test_text_from_outside_is_shown_as_text_on_every_step_and_stays_text_in_csv():
    app = upload(to_json(run_json(hostile())).encode())
    app.text_input(key="rater").set_value(SHORT).run()
    seen = 0
    for name, key in (
        *(("Run", None), ("Read", None), ("Rate", None), ("Rate", "no"), ("Calls", None), ("Results", "show_results")),
        *(("Results", None), ("Read", None), ("Rate", None), ("Calls", None), ("Two runs", None)),
    ):
        step(app, name)
        if key == "no":
            button = next(b.key for b in app.button if (b.key or "").endswith("_faithful_NO"))
            press(app, button)
            press(app, button.replace("rate_", "show_").replace("_faithful_NO", ""))
        elif key:
            press(app, key)
        for kind, said in shown_as_markdown(app):
            assert not LIVE.search(said), (name, kind, said)
            seen += "evil" in said
        for html in app.get("html"):
            assert "<img" not in html.proto.body
    assert seen > 20
    assert escape(SHORT) in "".join(e.proto.body for e in step(app, "Results").get("html"))
    lines = items_csv(kept(run_of(app)))
    assert f"'={NASTY}" in lines
    assert not re.search(r'(?m)(^|,)"?[=+@]', lines)


def shown_as_markdown(app):
    """What Streamlit reads as Markdown: bodies of text, and labels and help of controls."""
    for node in elements(app):
        if node.type in ("html", "code"):
            continue
        for name in ("body", "label", "help", "text"):
            said = getattr(node.proto, name, None)
            if isinstance(said, str):
                yield node.type, said


# --- two runs


def two(first, second, rater=RATER):
    app = step(harness(run=begun(first), rater=rater), "Two runs")
    app.text_input(key="second").set_value(f"https://lab.example/harness?step=Run&run={begun(second)}&x=1").run()
    return press(app, "show_two") if [b for b in app.button if b.key == "show_two"] else app


def test_two_runs_are_compared_as_the_export_does_exploratory_and_never_below_the_smallest_p():
    every = items_of(*TOPICS)
    first = a_run(ratings=all_rated(every))
    second = a_run(marks=failing(every), ratings=all_rated(every, dict.fromkeys(every, NO)))
    app = two(first, second)
    rows = comparison_rows(compare_runs(first, second, (Sheet(first, RATER), Sheet(second, RATER))))
    shown = listed(app, "First minus second")
    assert [row[:2] + row[3:5] for row in shown] == [
        [
            r["measure"].capitalize(),
            signed(r["difference"]),
            f"{r['wins']} / {r['ties']} / {r['losses']}",
            p_value(r["p"]),
        ]
        for r in rows
    ]
    ps = [r["p"] for r in rows if r["p"] is not None]
    assert min(ps) == pytest.approx(2 / 256)
    assert next(row for row in shown if row[0] == "Faithful")[4] == "0.008"
    text = everything(app)
    assert "Everything on this page is exploratory: no family of comparisons was declared." in text
    assert "8 topics in both" in text


def test_a_topic_left_out_of_two_runs_is_named_with_its_reason_and_a_failure_is_kept_in():
    first = a_run(OUTCOMES)
    second = a_run({**OUTCOMES, "t2": Outcome.NETWORK}, passages={"t3": "another text"})
    text = everything(two(first, second))
    assert "6 topics in both" in text
    assert "Left out, t2: no outcome of the model's own in the second run." in text
    assert "Left out, t3: asked about with other passages." in text
    assert "The rubric is compared once both runs are rated under one name." in text


def test_two_copies_of_the_sample_show_nothing_before_they_are_asked_to_and_then_mark_both():
    app = step(harness(run=begun(sample())), "Two runs")
    second = begun(sample())
    app.text_input(key="second").set_value(second).run()
    assert tables(app) == []
    assert "98 items of the two runs are still to be rated blind" in everything(app)
    press(app, "show_two")
    for run in (run_of(app), second):
        assert Sheet(kept(run), "Rater 1").seen == set(sample().items)
    assert {row[1] for row in listed(app, "First minus second")} == {"0.000"}


@pytest.mark.parametrize("typed", ["nothing", "A" * 22, "run=<b>"])
def test_a_second_run_that_is_not_there_is_said(typed):
    app = step(harness(run=begun(sample())), "Two runs")
    app.text_input(key="second").set_value(typed).run()
    assert "There is no run under this address." in app.warning[0].value
    app.text_input(key="second").set_value(run_of(app)).run()
    assert "That is this run itself." in app.warning[0].value

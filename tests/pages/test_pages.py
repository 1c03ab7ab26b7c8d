"""Every page in process, through AppTest."""

import json
import re

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from evalcore.comparison import Compared
from evalcore.evidence.claims import finding, headline, number
from evalcore.export import comparison_json
from evalcore.goldset.schema import GoldSet
from evalcore.textbook import Textbook
from ui import cached
from ui.pages import PAGES
from ui.theme import label

# a visitor's own files are not the textbook: they are not provisional, and its damage does not touch them
OF_THE_TEXTBOOK = [page for page in PAGES if page.key not in ("data", "harness")]


def opened(page, **query):
    app = AppTest.from_file("../../app.py", default_timeout=60).run()
    if page.file != "app.py":
        app.switch_page(page.file)
    for name, value in query.items():
        app.query_params[name] = value
    return app.run()


def everything(app):
    """All text of the page, with Markdown's escapes taken out."""
    parts = [e.value for kind in ("title", "subheader", "markdown", "caption", "text", "code") for e in app.get(kind)]
    parts += [e.proto.body for e in app.get("html")]
    return re.sub(r"\\(.)", r"\1", "\n".join(map(str, parts)))


def headings(app):
    """The headings of the page's own part, in order."""
    return [e.value.replace("\\", "") for e in app.main.header]


@pytest.fixture(scope="module")
def textbook():
    return Textbook(GoldSet())


@pytest.fixture(scope="module")
def compare():
    return next(p for p in PAGES if p.key == "compare")


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.key)
def test_every_page_of_the_registry_opens_and_says_what_it_answers(page):
    app = opened(page)
    assert not app.exception
    assert not app.error
    assert app.title[0].value == page.title
    assert page.question in everything(app)


@pytest.mark.parametrize("page", OF_THE_TEXTBOOK, ids=lambda p: p.key)
def test_every_page_of_the_textbook_says_that_its_numbers_are_provisional_and_retrieval_only(page):
    text = everything(opened(page))
    assert "Provisional: not reviewed by a person" in text
    assert "Measured, retrieval-only" in text


def test_every_figure_has_a_text_description(compare):
    charts = opened(compare).get("plotly_chart")
    assert len(charts) == 5
    for chart in charts:
        assert len(chart.proto.alt) > 80


def test_the_first_sentence_is_evalcores_own_about_the_two_highest_means(compare, textbook):
    compared = textbook.rankers
    pair = compared.pair(*compared.by_mean[:2], compared.plan.primary)
    app = opened(compare)
    assert headings(app)[0] == headline(pair, label)
    assert finding(pair, k=3, alpha=0.05, name=label) in everything(app)


def test_every_number_of_the_pairs_table_is_the_command_lines(compare, textbook):
    app = opened(compare)
    for row in comparison_json(textbook.rankers)["pairs"]:
        if row["measure"] == "nDCG@10":
            app.selectbox(key="first").set_value(label(row["first"]))
            text = everything(app.selectbox(key="second").set_value(label(row["second"])).run())
            cells = [number(row["low"]) + " to " + number(row["high"]), number(row["d_z"], 2), f"{row['p_holm']:.3f}"]
            cells += [f"{row['wins']} / {row['ties']} / {row['losses']}", row["verdict"]]
            shown = re.search(
                rf"<tr><th scope=\"row\">{label(row['first'])} − {label(row['second'])}</th>.*?</tr>", text
            )
            for cell in cells:
                assert f">{cell}<" in shown.group()


def test_choosing_another_measure_is_called_exploratory_and_has_no_verdict(compare):
    app = opened(compare)
    app.selectbox(key="measure").set_value("Success@1").run()
    assert not app.exception
    text = everything(app)
    assert "an exploratory figure without a verdict." in text
    assert "outside the declared family, so exploratory" in text


def test_the_primary_finding_stays_first_whatever_measure_is_chosen(compare):
    app = opened(compare)
    before = headings(app)[0]
    app.selectbox(key="measure").set_value("R@5").run()
    assert headings(app)[0] == before


def test_what_is_shown_never_changes_a_number(compare, textbook):
    app = opened(compare, first="BM25", second="Dense")
    whole = finding(textbook.rankers.pair("bm25", "dense", textbook.plan.primary), k=3, alpha=0.05, name=label)
    assert whole in everything(app)
    app.pills(key="rankers").set_value(["BM25", "Dense"]).run()
    text = everything(app)
    assert whole in text
    assert "Hybrid − BM25" not in text


def test_a_hidden_ranker_of_the_chosen_pair_is_shown_all_the_same(compare):
    app = opened(compare)
    app.pills(key="rankers").set_value([]).run()
    assert not app.exception
    assert headings(app)[0] == headings(opened(compare))[0]


def test_a_ranker_against_itself_is_said_and_compared_with_another(compare):
    app = opened(compare, first="BM25", second="BM25")
    assert "Both name BM25; it is compared with Hybrid." in everything(app)


def test_a_link_opens_exactly_what_it_names(compare):
    app = opened(compare, measure="RR@10", first="BM25", second="Hybrid", question="q07")
    assert app.selectbox(key="measure").value == "RR@10"
    assert (app.selectbox(key="first").value, app.selectbox(key="second").value) == ("BM25", "Hybrid")
    assert app.selectbox(key="question").value == "q07"


@pytest.mark.parametrize("query", [{"measure": "<script>"}, {"first": "nobody"}, {"question": "q99"}, {"rankers": "x"}])
def test_a_link_with_rubbish_opens_the_default_and_says_so(compare, query):
    app = opened(compare, **query)
    assert not app.exception
    assert not app.error
    assert f"The link names {next(iter(query.values()))}" in everything(app)
    assert app.selectbox(key="measure").value == "nDCG@10"


def test_both_rankers_top_ten_are_shown_with_grades_and_the_evidence_marked(compare):
    app = opened(compare)
    shown = [e.label for e in app.get("expander") if re.match(r"\d+ · ", e.label)]
    assert len(shown) == 20
    assert all(re.search(r"answers|related|not relevant|unjudged", text) for text in shown)
    assert "<mark" in everything(app)


def test_the_overview_names_every_gate_and_says_which_are_not_assessed():
    text = everything(opened(PAGES[0]))
    for gate in (
        "Success@5, BM25",
        "Correct abstention",
        "False abstention",
        "A passage from the wrong scope",
        "Generated answers are right",
    ):
        row = re.search(rf"<tr><th scope=\"row\">{re.escape(gate)}.*?</tr>", text).group()
        unmeasured = gate in ("A passage from the wrong scope", "Generated answers are right")
        assert ("not assessed" in row) is unmeasured


def test_an_unexpected_error_becomes_a_message_with_a_reference_and_no_traceback(compare, monkeypatch, caplog):
    def broken(*_):
        raise RuntimeError("secret-path-and-key")

    monkeypatch.setattr(Compared, "mean", broken)
    app = opened(compare)
    assert not app.exception
    reference = re.search(r"reference ([0-9a-f]{8})", app.error[0].value).group(1)
    assert "secret" not in app.error[0].value
    assert reference in caplog.text


def test_the_report_on_disk_says_what_the_page_says(textbook):
    published = json.loads((textbook.gold.folder / "report.json").read_text())
    assert published["pairs"] == json.loads(json.dumps(comparison_json(textbook.rankers)["pairs"]))


@pytest.mark.parametrize("page", OF_THE_TEXTBOOK, ids=lambda p: p.key)
def test_a_damaged_study_is_named_with_its_file_and_remedy(page, monkeypatch):
    monkeypatch.setattr(cached, "changed_files", lambda *_: ["gold/qrels.trec"])
    st.cache_resource.clear()
    try:
        app = opened(page)
        assert "gold/qrels.trec: is not the file that the published report was computed from" in app.code[0].value
        assert not app.exception
    finally:
        st.cache_resource.clear()


def test_a_coverage_figure_is_said_once_beside_intervals_of_several_sizes(compare):
    notes = [c.value for c in opened(compare).caption if c.value.startswith("How often these 95 % intervals")]
    assert notes
    for note in notes:
        figures = note.split(": ", 1)[1].split("; [")
        assert len(figures) == len(set(figures))

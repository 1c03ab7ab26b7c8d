"""Every page in process, through AppTest."""

import json
import re

import pytest
from streamlit.testing.v1 import AppTest

from evalcore.comparison import Compared
from evalcore.evidence.claims import finding, headline, number
from evalcore.export import comparison_json
from evalcore.goldset.schema import GoldSet
from evalcore.textbook import Textbook
from ui.pages import PAGES
from ui.theme import label


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


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.key)
def test_every_page_says_that_its_numbers_are_provisional_and_retrieval_only(page):
    text = everything(opened(page))
    assert "Provisional: not reviewed by a person" in text
    assert "Measured, retrieval-only" in text


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.key)
def test_every_figure_has_a_text_description(page):
    for chart in opened(page).get("plotly_chart"):
        assert len(chart.proto.alt) > 80


def test_the_first_sentence_is_evalcores_own_about_the_two_highest_means(compare, textbook):
    compared = textbook.rankers
    pair = compared.pair(*compared.by_mean[:2], compared.plan.primary)
    app = opened(compare)
    assert app.subheader[0].value.replace("\\", "") == headline(pair, label)
    assert finding(pair, k=3, alpha=0.05, name=label) in everything(app)


def test_every_number_of_the_pairs_table_is_the_command_lines(compare, textbook):
    text = everything(opened(compare))
    for row in comparison_json(textbook.rankers)["pairs"]:
        if row["measure"] == "nDCG@10":
            cells = [number(row["low"]) + " to " + number(row["high"]), number(row["d_z"], 2), f"{row['p_holm']:.3f}"]
            cells += [f"{row['wins']} / {row['ties']} / {row['losses']}", row["verdict"]]
            for cell in cells:
                assert f">{cell}<" in text


def test_choosing_another_measure_is_called_exploratory_and_has_no_verdict(compare):
    app = opened(compare)
    app.selectbox(key="measure").set_value("Success@1").run()
    assert not app.exception
    assert app.subheader[0].value.endswith("an exploratory figure without a verdict.")
    assert "outside the declared family, so exploratory" in everything(app)


def test_the_family_keeps_its_size_when_a_ranker_is_hidden(compare, textbook):
    app = opened(compare)
    app.pills(key="rankers").set_value(["BM25", "Dense"]).run()
    kept = textbook.rankers.pair("dense", "bm25", textbook.plan.primary)
    hidden = textbook.compared(("bm25", "dense")).pair("dense", "bm25", textbook.plan.primary)
    assert hidden.p == kept.p
    assert hidden.p_holm >= kept.p_holm
    assert "Holm-adjusted p over 3 comparisons" in everything(app)


def test_a_single_ranker_cannot_be_compared_and_all_are_shown(compare):
    app = opened(compare)
    app.pills(key="rankers").set_value(["BM25"]).run()
    assert not app.exception
    assert "Choose at least 2" in everything(app)


def test_a_link_opens_exactly_what_it_names(compare):
    app = opened(compare, measure="RR@10", first="BM25", second="Hybrid", question="q07")
    assert app.selectbox(key="measure").value == "RR@10"
    assert (app.selectbox(key="first").value, app.selectbox(key="second").value) == ("BM25", "Hybrid")
    assert app.selectbox(key="question").value == "q07"


@pytest.mark.parametrize("query", [{"measure": "<script>"}, {"first": "nobody"}, {"question": "q99"}, {"rankers": "x"}])
def test_a_link_with_rubbish_opens_the_default(compare, query):
    app = opened(compare, **query)
    assert not app.exception
    assert not app.error
    assert app.selectbox(key="measure").value == "nDCG@10"


def test_both_rankers_top_ten_are_shown_with_grades_and_the_evidence_marked(compare):
    app = opened(compare)
    shown = [e.label for e in app.get("expander") if re.match(r"\d+ · ", e.label)]
    assert len(shown) == 20
    assert all(re.search(r"answers|related|not relevant|unjudged", text) for text in shown)
    assert "<mark" in everything(app)


def test_the_overview_names_every_gate_and_no_unassessed_gate_passes():
    text = everything(opened(PAGES[0]))
    for gate in (
        "Success@5, BM25",
        "Correct abstention",
        "False abstention",
        "Wrong-scope",
        "Generated-answer competence",
    ):
        row = re.search(rf"<tr><th scope=\"row\">{re.escape(gate)}.*?</tr>", text).group()
        assert ("not assessed" in row) is not gate.startswith("Success@5")


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

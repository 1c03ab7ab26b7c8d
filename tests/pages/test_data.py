"""The page Your data in process: files, faults, declaration, results, saving and opening."""

import json
import re

import pytest

from evalcore.evidence.claims import finding
from evalcore.export import comparison_json
from evalcore.own import CHANGED, open_study, save
from tests.own.making import declaration, inputs, judgements, run, study
from tests.pages.test_pages import everything, headings, opened
from ui.pages import BY_KEY

PAGE = BY_KEY["data"]


def brought(*files, page=PAGE):
    app = opened(page)
    app.file_uploader(key="own_judgements").upload(files[0].name, files[0].raw)
    for file in files[1:]:
        app.file_uploader(key="own_runs").upload(file.name, file.raw)
    return app.run()


def declared(*files):
    return press(brought(*(files or inputs())), "Declare and show")


def press(app, name):
    return next(b for b in app.button if b.label == name).click().run()


def opened_study(raw):
    app = opened(PAGE)
    app.file_uploader(key="own_saved").upload("s.zip", raw)
    return app.run()


def test_nothing_of_a_result_is_shown_before_it_is_declared():
    app = brought(*inputs())
    text = everything(app)
    assert not app.exception
    assert "Declare before you look" in headings(app)
    assert "What may not be said" in text
    assert "Measured, retrieval-only" not in text
    assert "is ahead of" not in text + " ".join(headings(app))
    assert 'data-label="Difference"' not in text


def test_declaring_shows_the_numbers_of_the_package_under_its_hash_and_not_as_provisional():
    app = declared()
    mine = app.session_state["own_study"]
    text = everything(app)
    assert not app.exception
    assert not app.error
    assert mine.now.declaration == declaration()
    assert comparison_json(mine.compared)["pairs"] == comparison_json(study().compared)["pairs"]
    assert "is ahead of" in headings(app)[1]
    assert mine.declared.sha256 in text
    assert "Measured, retrieval-only" in text
    assert "rovisional" not in text
    assert not app.warning


def test_a_change_is_possible_and_marked_and_the_first_declared_again_is_not():
    app = declared()
    app.number_input(key="own_change_alpha").set_value(0.2)
    press(app, "Declare again")
    assert all(CHANGED in warning.value for warning in app.warning)
    assert len(app.warning) == 2
    assert "none: exploratory" in everything(app)
    app.number_input(key="own_change_alpha").set_value(0.05)
    press(app, "Declare again")
    assert not app.warning


def test_leaving_and_declaring_otherwise_on_the_same_judgements_is_marked_too():
    app = declared()
    press(app, "Leave this study and bring other files")
    assert "own_study" not in app.session_state
    app.file_uploader(key="own_judgements").upload(judgements().name, judgements().raw)
    for file in (run("r0.trec", 2), run("r1.trec", 7)):
        app.file_uploader(key="own_runs").upload(file.name, file.raw)
    press(app.run(), "Declare and show")
    assert app.warning


def test_the_first_five_problems_of_a_file_and_their_total_are_shown_as_code():
    bad = b"".join(b"q%d Q0 a 1 x t\n" % i for i in range(8))
    files = (judgements(), run("r0.trec", 3), run("r1.trec", 3))
    app = opened(PAGE)
    app.file_uploader(key="own_judgements").upload(files[0].name, files[0].raw)
    app.file_uploader(key="own_runs").upload("r0.trec", files[1].raw).upload("bad<b>.trec", bad)
    app.run()
    said = app.code[0].value
    assert len(said.splitlines()) == 6
    assert "8 problems in all; the first 5 are shown" in said
    assert not [b for b in app.button if b.label == "Declare and show"]


def test_columns_whose_names_say_nothing_are_asked_for():
    table = b"frage,dok,wert\n" + b"".join(b"q%d,%s,1\n" % (i, d) for i in range(1, 9) for d in (b"a", b"b"))
    app = opened(PAGE)
    app.file_uploader(key="own_judgements").upload(judgements().name, judgements().raw)
    app.file_uploader(key="own_runs").upload("r0.trec", run("r0.trec", 3).raw).upload("r1.csv", table)
    app.run()
    assert "which column is what?" in everything(app)
    for label, column in (("Query id", "frage"), ("Document id", "dok"), ("Score", "wert")):
        next(s for s in app.selectbox if s.label == label).set_value(column)
    app.run()
    assert not app.error
    press(app, "Declare and show")
    assert len(app.session_state["own_study"].runs) == 2


def test_ids_that_do_not_match_are_counted_with_examples_and_a_hint():
    padded = run("r1.trec", 3)
    raw = re.sub(rb"^q", b"Q", padded.raw, flags=re.M)
    app = opened(PAGE)
    app.file_uploader(key="own_judgements").upload(judgements().name, judgements().raw)
    app.file_uploader(key="own_runs").upload("r0.trec", run("r0.trec", 3).raw).upload("r1.trec", raw)
    app.run()
    text = everything(app)
    assert "r1, questions: 8 of 8 ids match after ignoring upper and lower case" in text
    assert "8 (Q1, Q2, Q3)" in text
    press(app, "Declare and show")
    assert "r1: shares no question with" in app.code[0].value
    assert "own_study" not in app.session_state


def test_ranks_that_disagree_and_negative_grades_are_said():
    judged = judgements().raw + b"q1 0 z -1\n"
    swapped = run("r1.trec", 3).raw.replace(b" 1 8 t", b" 3 8 t").replace(b" 3 6 t", b" 1 6 t")
    app = opened(PAGE)
    app.file_uploader(key="own_judgements").upload("qrels.txt", judged)
    app.file_uploader(key="own_runs").upload("r0.trec", run("r0.trec", 3).raw).upload("r1.trec", swapped)
    text = everything(app.run())
    assert "qrels.txt: 1 of 25 grade is negative: judged, not relevant, gain 0" in text
    assert "r1.trec: ranks and scores differ in order on 8 of 8 questions" in text


def test_a_saved_study_opens_with_the_same_numbers():
    app = declared()
    mine = app.session_state["own_study"]
    again = opened_study(save(mine))
    assert headings(again) == headings(app)
    assert again.session_state["own_study"].declared == mine.declared
    assert comparison_json(open_study(save(mine)).compared) == comparison_json(mine.compared)


def test_a_file_that_is_no_study_is_refused_by_name():
    app = opened_study(b"nothing")
    assert "s.zip: is no study that Evidence Lab saved" in app.code[0].value
    assert "own_study" not in app.session_state


def test_above_five_runs_each_is_tested_against_the_first_and_the_familys_size_is_shown():
    app = declared(*inputs(7))
    text = everything(app)
    assert not app.exception
    assert "The family of 6 was declared" in text
    assert text.count('data-label="Difference"') == 6


@pytest.mark.parametrize("name", ["![x](http://e.x/a.png).trec", "<img src=x onerror=alert(1)>.trec"])
def test_a_file_name_is_shown_as_text(name):
    files = (judgements(), run("r0.trec", 7), run(name, 2))
    app = declared(*files)
    assert not app.exception
    raw = "\n".join(str(e.value) for kind in ("markdown", "header", "caption") for e in app.get(kind))
    assert not re.search(r"(?<!\\)!(?<!\\)\[|(?<!\\)<img", raw)
    assert "<img" not in "\n".join(e.proto.body for e in app.get("html"))
    assert json.loads(json.dumps(comparison_json(app.session_state["own_study"].compared)))


def on_compare(*files):
    app = declared(*files)
    app.switch_page("pages/compare.py")
    app.query_params["compare_study"] = "Mine"
    return app.run()


def test_compare_on_ones_own_files_has_their_numbers_and_no_word_of_the_textbook():
    app = on_compare()
    text = everything(app)
    assert not app.exception
    assert not app.error
    c = study().compared.pair("r0", "r1", study().compared.plan.primary)
    assert finding(c, k=1, alpha=0.05) in text
    page = "\n".join(e.value for e in [*app.main.markdown, *app.main.caption, *app.main.header])
    for word in ("textbook has a", "rovisional", "BM25", "language model", "chapter"):
        assert word not in page
    assert "Not assessed:" in page


def test_compare_above_five_runs_shows_the_family_and_the_chosen_pair_only():
    app = on_compare(*inputs(7))
    assert everything(app).count('data-label="Difference"') == 6
    app.selectbox(key="mine_first").set_value("r3")
    app.selectbox(key="mine_second").set_value("r4").run()
    assert not app.exception
    assert everything(app).count('data-label="Difference"') == 7
    assert "The family of 6" in everything(app)


def test_a_changed_declaration_is_marked_on_compare_too():
    app = declared()
    app.number_input(key="own_change_alpha").set_value(0.2)
    press(app, "Declare again")
    app.switch_page("pages/compare.py")
    app.query_params["compare_study"] = "Mine"
    app.run()
    assert CHANGED in app.warning[0].value


def test_mine_without_a_declared_study_shows_the_textbook_and_the_way_to_your_data():
    app = opened(BY_KEY["compare"], compare_study="Mine")
    assert "the textbook is shown" in app.info[0].value
    assert "Dense" in everything(app)

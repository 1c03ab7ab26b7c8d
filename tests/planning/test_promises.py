"""What is said of an interval's simulated figure: its word, what is better, and the size that it is of."""

from dataclasses import replace

import pytest

from evalcore.files import BadInput
from evalcore.planning.promises import Promise, promise_of, stored_promises
from evalcore.stats.clusters import CLUSTER_WILSON
from evalcore.stats.coverage import Word, figures, stored
from evalcore.stats.means import HITS_RESAMPLED
from evalcore.stats.power import D_Z_INTERVAL
from evalcore.stats.proportions import EXACT, WILSON


@pytest.mark.parametrize(
    ("method", "n", "topics", "asked"),
    [
        *((WILSON, n, None, None) for n in (6, 40, 100)),
        *((WILSON, n, None, f"n = {n}") for n in (33, 41, 5_000)),
        (CLUSTER_WILSON, 56, 8, None),
        (CLUSTER_WILSON, 160, 8, None),
        (CLUSTER_WILSON, 160, 16, "160 items in 16 topics"),
        (CLUSTER_WILSON, 57, 8, "57 items in 8 topics"),
    ],
)
def test_a_figure_of_another_size_says_which_size_it_is_of_and_which_was_asked_for(method, n, topics, asked):
    found = promise_of(method, n, topics)
    assert found.asked == asked
    said = f"(nearest simulated size: {found.figure.size}, here {asked}; lowest at"
    assert (said in found.brief()) == (asked is not None)
    assert (f"{found.name} (the nearest simulated size; here {asked}): held" in found.sentence()) == (asked is not None)


def test_where_nothing_better_is_simulated_the_note_and_the_sentence_say_so():
    found = promise_of(D_Z_INTERVAL, 40)
    assert found.keeps is Word.BROKEN
    assert found.brief().endswith("does not keep its word; nothing better is simulated")
    assert found.sentence().endswith("It does not keep its word; nothing better is simulated.")


def test_an_interval_that_keeps_its_word_is_not_said_to_lack_a_better_one():
    found = promise_of(EXACT, 40)
    assert found.keeps is Word.KEPT
    assert "nothing better" not in found.brief() + found.sentence()


def test_an_interval_that_many_samples_do_not_have_says_so_wherever_its_share_is_said():
    found = promise_of(HITS_RESAMPLED, 100)
    assert found.keeps is Word.PARTLY
    assert found.figure.most_without == pytest.approx(0.99**100, abs=0.015)
    none = f"no interval: up to {100 * found.figure.most_without:.1f} % (at: rate 0.99)"
    assert "of the samples with an interval" in found.brief()
    assert "of samples that have an interval" in found.sentence()
    assert none in found.brief()
    assert none in found.sentence()
    row = found.row()
    assert (row["keeps_word"], row["no_interval_most_at"]) == ("not for every sample", "rate 0.99")


def test_a_row_at_which_every_sample_has_an_interval_says_nothing_of_those_without():
    found = promise_of(EXACT, 100)
    assert "no interval" not in found.brief() + found.sentence()
    assert (found.row()["no_interval_most"], found.row()["no_interval_most_at"]) == (0, None)


BROKEN = {
    "missing": None,
    "empty": "",
    "half": '[{"interval": "Wil',
    "no list": '{"a": 1}',
    "nothing in it": "[]",
    "numbers": "[1, 2]",
    "null": "null",
    "NaN": '[{"share": NaN}]',
    "not text": b"\xff\xfe\x00",
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_figures_that_cannot_be_used_are_a_problem_that_names_the_file_and_what_mends_it(text, tmp_path, monkeypatch):
    path = tmp_path / "figures.json"
    if text is not None:
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    monkeypatch.setattr(figures, "FIGURES", path)
    for ask in (stored_promises, lambda: promise_of(WILSON, 40)):
        with pytest.raises(
            BadInput, match=r"^figures\.json: .*; simulate them again with: python -m evalcore coverage"
        ):
            ask()


@pytest.mark.parametrize(
    "change",
    [
        {"share": 1.5},
        {"error": -1},
        {"population": "nowhere"},
        {"without": {}},
        {"without": {"rate 0.3": "much"}},
        {"n": 7},
        {"row": "wilson-7"},
        {"simulations": 0},
    ],
    ids=str,
)
def test_a_single_figure_that_cannot_be_right_is_refused(change, tmp_path, monkeypatch):
    found = list(stored())
    monkeypatch.setattr(figures, "FIGURES", tmp_path / "figures.json")
    figures.write([replace(found[0], **change), *found[1:]])
    with pytest.raises(BadInput):
        stored_promises()


def test_a_promise_of_another_size_is_the_same_row():
    asked, own = promise_of(WILSON, 33), promise_of(WILSON, 40)
    assert asked.figure == own.figure
    assert replace(asked, asked=None) == own == Promise(own.figure, stored())

"""What a link to Power and intervals says that the page cannot use: it is said beside the control."""

import pytest

from tests.pages.test_pages import everything
from tests.pages.test_power import MEANS, cells, power, said


@pytest.mark.parametrize(
    ("query", "named", "key", "default"),
    [
        ({"rate": "2"}, "The link's 2 for Hit rate is not between 0.01 and 0.99", "rate", 0.8),
        ({"n": "many"}, "The link's many for Questions is not between 4 and 1000", "n", 40),
        ({"n": "nan"}, "The link's nan for Questions is not between 4 and 1000", "n", 40),
        ({"alpha": "<b>"}, "The link's <b> for Alpha is not between 0.01 and 0.2", "alpha", 0.05),
        ({"d_z": "-1"}, "The link's -1 for Assumed d_z is not between 0.05 and 2", "d_z", 0.36),
        ({"b": "999"}, "The link's 999 for Only the first hits, b is not between 0 and 60", "b", 4),
        ({"icc": "inf"}, "The link's inf for ICC is not between 0 and 1", "icc", 0.2),
        (
            {"worth": "0"},
            "The link's 0 for Smallest difference worth having, nDCG@10 is not between 0.001",
            "worth",
            0.05,
        ),
        ({"gate": "exactly"}, "The link names exactly for The gate wants a rate of", "gate", "at least"),
        ({"of": "<script>"}, "The link names <script> for Intervals of a", "of", "mean"),
    ],
)
def test_rubbish_in_a_link_is_named_as_left_out_and_the_control_keeps_its_default(query, named, key, default):
    app = power(**query)
    assert not app.exception
    assert not app.error
    (caption,) = [c for c in said(app.caption) if c.startswith("The link")]
    assert caption.startswith(named)
    assert caption.endswith("left out.")
    found = [e for kind in ("slider", "number_input", "selectbox") for e in app.get(kind) if e.key == key]
    assert [e.value for e in found] == [default]


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"resample": "maybe"}, "The link names maybe for Resample these differences"),
        ({"n": "12.5"}, "The link's 12.5 for Questions is not whole"),
        ({"pilot": "1/1 " * 1001}, "The link's text for Hits by topic of a pilot, hits/items is cut"),
    ],
    ids=lambda x: next(iter(x)) if isinstance(x, dict) else None,
)
def test_what_of_a_link_cannot_be_used_is_said(query, said):
    assert said in everything(power(**query))


def test_a_thousand_questions_are_out_of_the_sliders_reach_and_a_link_to_them_is_named():
    app = power(now="1000")
    assert "The link's 1000 for Questions there are is not between 5 and 500, and is left out." in everything(app)
    assert "Power with 40 questions, one test" in cells(app, MEANS)


def captions(app):
    return [c for c in said(app.caption) if c.startswith("The link")]


@pytest.mark.parametrize(
    ("query", "caption"),
    [
        ({"n": ["60", "80"]}, "The link gives Questions more than once (60, 80); "),
        ({"d_z": ["0.5", "0.7"]}, "The link gives Assumed d_z more than once (0.5, 0.7); "),
        (
            {"worth": ["0.1", "0.2"]},
            "The link gives Smallest difference worth having, nDCG@10 more than once (0.1, 0.2); ",
        ),
        (
            {"gate": ["at least", "at most"]},
            "The link gives The gate wants a rate of more than once (at least, at most); ",
        ),
        ({"resample": ["true", "false"]}, "The link gives Resample these differences more than once (true, false); "),
        ({"pilot": ["1/7 2/7", "2/7 3/7"]}, "The link gives Hits by topic of a pilot, hits/items more than once ("),
        ({"now": "٦٠"}, "The link's ٦٠ for Questions there are is not written in plain digits, such as 60; "),
        ({"d_z": "０.5"}, "The link's ０.5 for Assumed d_z is not written in plain digits, such as 0.5; "),
        ({"worth": "0.1_1"}, "The link's 0.1_1 for Smallest difference worth having, nDCG@10 is not written in plain"),
    ],
    ids=str,
)
def test_a_value_that_could_be_read_in_two_ways_is_said_with_what_is_used(query, caption):
    app = power(**query)
    assert not app.exception
    (shown,) = captions(app)
    assert shown.startswith(caption)


@pytest.mark.parametrize("query", [{"n": "60"}, {"d_z": "5e-1"}, {"resample": "FALSE"}, {"gate": "at most"}, {"n": ""}])
def test_a_value_that_is_used_as_it_stands_is_not_mentioned(query):
    assert captions(power(**query)) == []


def test_what_was_left_out_stays_said_until_its_own_control_is_changed():
    app = power(rate="9", n="abc")
    both = captions(app)
    assert len(both) == 2
    assert captions(app.run()) == both
    app.slider(key="d_z").set_value(0.5).run()
    assert captions(app) == both
    app.slider(key="rate").set_value(0.9).run()
    assert captions(app) == [c for c in both if "abc" in c]
    app.slider(key="n").set_value(50).run()
    assert captions(app) == []


def test_a_used_value_among_several_is_not_said_once_the_control_has_another():
    app = power(worth=["0.1", "0.2"])
    assert captions(app)[0].endswith("; the last is used.")
    app.number_input(key="worth").set_value(0.3).run()
    assert captions(app) == []

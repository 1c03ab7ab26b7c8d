"""Sizes and families of ``power``: three numbers of questions apart, the page's defaults, and an own study's family."""

import pytest

from evalcore.planning import defaults
from evalcore.planning.answers import answers_json
from evalcore.planning.flips import SupposedFlips
from evalcore.planning.questions import MeanPlan
from evalcore.planning.rates import SupposedRate, rate_answers
from evalcore.planning.topics import TopicPlan
from tests.cli.test_power import few_studies, own, power, printed, text
from tests.pages.test_pages import opened
from ui.pages import PAGES

__all__ = ["few_studies", "own"]
# a control of the page, the option of the command line that has its default, and the default
SHARED = {
    "rate": defaults.RATE,
    "n": defaults.QUESTIONS,
    "pairs": defaults.PAIRED_QUESTIONS,
    "now": defaults.QUESTIONS_NOW,
    "gate_n": defaults.GATE_QUESTIONS,
    "b": defaults.FLIPS[0],
    "c": defaults.FLIPS[1],
    "alike": defaults.BOTH_HIT,
    "alpha": defaults.ALPHA,
    "power": defaults.POWER,
    "family": defaults.FAMILY,
    "d_z": defaults.D_Z,
    "only_first": defaults.ONLY_FIRST,
    "only_second": defaults.ONLY_SECOND,
    "topics": defaults.TOPICS,
    "items": defaults.ITEMS,
    "icc": defaults.ICC,
    "topic_rate": defaults.RATE,
    "gate_limit": defaults.GATE,
}


def test_page_and_command_line_begin_with_the_same_numbers():
    app = opened(next(p for p in PAGES if p.key == "power"))
    assert {s.key: s.value for s in app.slider} == SHARED
    found = printed()
    one = SupposedRate.near(defaults.RATE, defaults.QUESTIONS)
    assert found["rate"] == answers_json(rate_answers(one))
    flips = SupposedFlips.of(defaults.PAIRED_QUESTIONS, *defaults.FLIPS, defaults.BOTH_HIT)
    assert found["flips"] == answers_json(flips.answers())
    plan = MeanPlan(defaults.D_Z, defaults.ALPHA, defaults.POWER, defaults.FAMILY, defaults.QUESTIONS_NOW)
    assert found["paired_mean"] == answers_json(plan.answers())


def sizes(found):
    return [found["rate"]["wilson"]["n"], found["flips"]["difference"]["n"], found["paired_mean"]["d_z_seen"]["n"]]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ((), [40, 60, 40]),
        (("--questions=80",), [80, 80, 80]),
        (("--rate-questions=10", "--pair-questions=20", "--now=30"), [10, 20, 30]),
        (("--questions=80", "--now=30"), [80, 80, 30]),
    ],
    ids=str,
)
def test_the_three_sizes_can_be_given_together_and_apart(options, expected):
    assert sizes(printed(*options)) == expected


def test_the_rate_over_items_is_the_rate_unless_it_is_given_apart():
    assert printed("--rate=0.6")["topics"] == answers_json(TopicPlan(8, 7, 0.2, 0.6).answers())
    assert printed("--rate=0.6", "--topic-rate=0.9")["topics"] == answers_json(TopicPlan(8, 7, 0.2, 0.9).answers())


@pytest.mark.parametrize(("many", "family"), [(2, 1), (3, 3)])
def test_without_a_family_given_an_own_study_has_that_of_its_pairs_everywhere(own, many, family):
    lines = power("--worth=0.1", *own[: 1 + many]).stdout.splitlines()
    named = [line for line in lines if "Holm's first step" in line]
    assert len(named) > 8
    assert all(f"Holm's first step of {family}" in line for line in named)


def test_a_family_that_is_given_is_that_of_the_own_study_too(own):
    lines = power("--worth=0.1", "--family=5", *own[:3]).stdout.splitlines()
    named = [line for line in lines if "Holm's first step" in line]
    assert all("Holm's first step of 5" in line for line in named)


def test_near_the_end_of_the_scale_a_line_names_wilsons_as_the_one_to_trust():
    near, middle = text("--rate=0.99")[1], text("--rate=0.8")[1]
    assert ". Trust Wilson's here: 0.890 to 1.090 leaves 0 to 1; 0.04 misses are expected, fewer than 5" in near
    assert "Trust" not in middle


def test_a_rate_that_is_no_count_of_questions_is_said_to_be_rounded():
    said = "A rate of 0.99 of 40 questions is 39.60 hits; the nearest whole number is 40, a rate of 1.000"
    assert f"If 40 of 40 questions hit ({said})" in text("--rate=0.99")


def test_the_smallest_worth_that_can_be_given_is_planned_without_a_traceback(own):
    done = power("--worth=1e-300", *own)
    assert (done.exit_code, done.exception) == (0, None)

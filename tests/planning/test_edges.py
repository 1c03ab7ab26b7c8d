"""What a plan says at its edges: numbers that are none, inputs that reach no answer, and what each number rests on."""

import pytest
from click.testing import CliRunner

from evalcore.cli import main
from evalcore.goldset.schema import GOLD, GoldSet
from evalcore.planning.own import own_pairs
from evalcore.planning.questions import MeanPlan
from evalcore.planning.topics import TopicPlan
from evalcore.planning.words import below_the_headline, headline
from evalcore.textbook import Textbook

TWO_OF_GOLD = [f"--qrels={GOLD / 'qrels.trec'}", *(f"--run={n}={GOLD / 'runs' / n}.trec" for n in ("bm25", "hybrid"))]


def power(*options):
    return CliRunner().invoke(main, ["power", *options])


def test_alpha_as_large_as_the_power_is_no_crash():
    done = power("--alpha=0.5", "--power=0.5", "--family=1")
    assert done.exit_code in (0, 2), done.exception


@pytest.mark.parametrize(
    "options",
    [
        ("--rate=nan",),
        ("--d-z=nan",),
        ("--icc=nan",),
        ("--half-width=nan",),
        ("--gate=nan",),
        ("--only-first=nan",),
        ("--both-hit=nan",),
        ("--worth=nan", *TWO_OF_GOLD),
        ("--worth=inf", *TWO_OF_GOLD),
    ],
)
def test_not_a_number_is_bad_input_that_names_the_option(options):
    done = power(*options)
    assert done.exit_code == 2, repr(done.exception)
    assert options[0].split("=")[0] in done.stderr


def test_the_headline_has_words_where_no_number_is_there():
    plan = MeanPlan(0.0005, 0.05, 0.8, 3, 40)
    assert "–" not in headline(plan)
    assert "–" not in below_the_headline(plan)


def test_a_cell_of_the_budget_names_its_rate():
    assert "rate 0.8" in TopicPlan(8, 7, 0.2, 0.8).half_width(8, 7).sources[0].name


def test_own_closed_form_names_questions_and_alpha():
    estimate = own_pairs(Textbook(GoldSet()).rankers, 0.05)[0].closed_form(120, 0.05)
    names = " ".join(s.name for s in estimate.sources)
    assert "120" in names + str(estimate.n)
    assert "alpha" in names


def test_the_last_line_of_an_own_study_does_not_call_measured_numbers_assumed():
    done = power("--worth=0.05", *TWO_OF_GOLD)
    assert "Measured, retrieval-only" in done.stdout
    assert "Everything here is assumed" not in done.stdout


def test_worth_without_a_study_is_not_dropped_in_silence():
    assert power("--worth=0.05").exit_code == 2


def test_an_icc_of_nearly_nothing_has_no_ceiling():
    done = power("--icc=1e-320")
    assert done.exit_code == 0
    assert "with an ICC of 0 every item counts, so there is no ceiling" in done.stdout


def test_nearly_equal_shares_need_more_questions_than_are_enumerated_and_say_so():
    done = power("--only-first=0.15", "--only-second=0.1499")
    assert done.exit_code == 0
    assert "Questions for one test: not assessed, these shares need more than 5,000 questions" in done.stdout
    assert "are more than the 5,000 that are enumerated" in done.stdout

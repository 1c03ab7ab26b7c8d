"""Section 4 of Power and intervals: the study in use, its spread, the power of larger ones, and the caution."""

from html import escape

import pytest

from evalcore.evidence.claims import number
from evalcore.files import BadInput, Problem
from evalcore.goldset.schema import GoldSet
from evalcore.planning.own import own_pairs
from evalcore.textbook import Textbook
from tests.pages.test_pages import everything
from tests.pages.test_power import SIMULATED, alt, caption_of, first_visit, listed, power, resampled, said, tables
from ui import cached
from ui.theme import label

__all__ = ["first_visit", "resampled"]


@pytest.fixture(scope="module")
def textbook():
    return Textbook(GoldSet())


def test_each_pair_has_four_simulated_rows_with_the_numbers_of_evalcore(resampled, textbook):
    assert not resampled.exception
    expected = []
    for pair in own_pairs(textbook.rankers, 0.05):
        assert pair.sizes == (40, 60, 80, 120)
        for n in pair.sizes:
            found = pair.power(n)
            name = f"{label(pair.first)} − {label(pair.second)}, {n}"
            limits = f"{number(found.family.low)} to {number(found.family.high)}"
            values = [found.one_test.value, found.family.value]
            kept = [found.one_test_ties.value, found.family_ties.value]
            kept_limits = f"{number(found.family_ties.low)} to {number(found.family_ties.high)}"
            closed = number(pair.closed_form(n, pair.first_step).value)
            expected.append([name, *map(number, values), limits, *map(number, kept), kept_limits, closed])
            assert f"{n} questions {number(values[1])} (95 % interval {limits})" in alt(resampled, "plot_own")
    assert len(expected) == 12
    assert listed(resampled, SIMULATED + "2,000 simulated studies") == expected


def test_where_the_two_readings_of_ties_differ_a_caution_says_so_and_nowhere_else(resampled, textbook):
    cautions = [(pair, pair.caution([pair.power(n) for n in pair.sizes])) for pair in own_pairs(textbook.rankers, 0.05)]
    expected = [f"{label(pair.first)} − {label(pair.second)}: {caution}." for pair, caution in cautions if caution]
    assert said(resampled.warning) == expected


def test_a_second_run_of_the_resampled_page_is_the_same_text(resampled):
    before = everything(resampled)
    assert everything(resampled.run()) == before
    assert everything(power(resample="true", worth="0.05")) == before


def test_without_the_toggle_nothing_is_simulated_but_the_closed_form_is_described(first_visit, textbook):
    assert first_visit.toggle(key="resample").value is False
    assert not [caption for caption, _ in tables(first_visit) if "simulated studies" in caption]
    described = alt(first_visit, "plot_own")
    assert "simulated" not in described
    for pair in own_pairs(textbook.rankers, 0.05):
        values = ", ".join(
            f"{n} questions {number(pair.closed_form(n, pair.first_step).value)}" for n in (40, 60, 80, 120)
        )
        assert f"{label(pair.first)} − {label(pair.second)}, closed form: {values}" in described


def test_the_spread_of_every_pair_is_evalcores(first_visit, textbook):
    rows = listed(first_visit, "Spread of the differences on 40 questions")
    for shown, pair in zip(rows, own_pairs(textbook.rankers, 0.05), strict=True):
        needed = [number(pair.needed(alpha, 0.8).value, 0) for alpha in (0.05, 0.05 / 3)]
        assert shown == [
            f"{label(pair.first)} − {label(pair.second)}",
            f"{pair.ties} of 40",
            *(number(pair.spread.value), number(pair.d_z.value, 2)),
            f"{number(pair.d_z.low)} to {number(pair.d_z.high)}",
            *(number(pair.d_z_at_worth.value, 2), *needed),
        ]


def test_power_after_the_fact_is_cautioned_against_with_its_one_half(first_visit):
    (caution,) = said(first_visit.info)
    assert caution.startswith("Do not compute power from the difference that was observed.")
    assert "A result with p = 0.05 on 40 questions always shows 0.51, whatever is true." in caution


def test_the_difference_worth_having_is_at_first_not_what_any_pair_showed(first_visit, textbook):
    worth = first_visit.number_input(key="worth").value
    observed = [abs(pair.comparison.difference.value) for pair in own_pairs(textbook.rankers, worth)]
    assert len(observed) == 3
    assert number(worth) not in [number(d) for d in observed]


def test_what_was_measured_is_called_measured_and_provisional_beside_what_is_assumed(first_visit):
    caption = caption_of(first_visit, "Spread of the differences")
    assert "Ties, spread and d_z seen: Measured, retrieval-only; provisional. The rest: Assumed" in caption


def test_the_caution_on_power_after_the_fact_stands_when_the_studys_files_cannot_be_used(monkeypatch):
    def damaged():
        raise BadInput([Problem("plan.toml", None, "is damaged", "restore it")])

    monkeypatch.setattr(cached, "textbook", damaged)
    app = power()
    assert not app.exception
    assert "plan.toml: is damaged; restore it" in [c.value for c in app.code]
    (caution,) = said(app.info)
    assert "A result with p = 0.05 on 40 questions always shows 0.51, whatever is true." in caution


def test_every_interval_of_a_simulated_power_says_which_power_it_is_of(resampled):
    text = everything(resampled)
    for head in ("95 % interval, Holm's first step", "95 % interval, ties stay, Holm's first step"):
        assert f'data-label="{escape(head)}"' in text
    assert "Holm's first step is that of the study's family of 3." in caption_of(resampled, SIMULATED)


def test_beside_the_switch_stands_that_other_controls_wait(first_visit):
    assert any("the page's other controls wait" in c for c in said(first_visit.caption))

"""Nothing in the report escapes the comparison, and each comparison can fail."""

from copy import deepcopy

import pytest

from tests.independent import data, test_report
from tests.independent.claims import COMPARED
from tests.independent.comparing import ABSENT, agree, broken, covered, differing, flat
from tests.independent.recomputed import recomputed

EVERY_PATTERN = [pattern for patterns in COMPARED.values() for pattern in patterns]


def uncovered(report):
    return [path for path in flat(report) if not covered(path, EVERY_PATTERN)]


def places(node):
    """Every (holder, key) at which a value, not a list or an object, stands."""
    for key, child in node.items() if isinstance(node, dict) else enumerate(node):
        if isinstance(child, dict | list):
            yield from places(child)
        else:
            yield node, key


def test_every_field_of_the_report_is_compared():
    assert uncovered(data.report()) == []


def test_every_field_that_the_design_gives_is_in_the_report():
    assert set(flat(recomputed())) == set(flat(data.report()))


def test_a_new_field_is_seen_wherever_it_stands():
    """Each object gets a field that no test knows: it is uncovered, or it differs from what was computed."""
    report = deepcopy(data.report())
    holders = list({id(holder): holder for holder, _ in places(report) if isinstance(holder, dict)}.values())
    for holder in holders:
        holder["unheard of"] = 0.5
    added = [path for path in flat(report) if path.endswith("unheard of")]
    seen = {*uncovered(report), *differing(flat(report), flat(recomputed()), EVERY_PATTERN)}
    assert len(added) == len(holders)
    assert set(added) <= seen


@pytest.mark.parametrize("claim", COMPARED)
def test_each_claim_fails_when_one_of_its_fields_is_broken_or_left_out(claim):
    computed, stated = flat(recomputed()), flat(data.report())
    mine = [path for path in stated if covered(path, COMPARED[claim])]
    assert mine
    for path in mine:
        assert path in differing({**stated, path: broken(stated[path])}, computed, COMPARED[claim])
        assert path in differing({key: stated[key] for key in stated if key != path}, computed, COMPARED[claim])


def test_each_claim_is_a_test_of_the_report():
    assert all(callable(getattr(test_report, claim)) for claim in COMPARED)


def test_a_value_broken_in_a_copy_of_the_report_is_seen_wherever_it_stands():
    report, computed = deepcopy(data.report()), flat(recomputed())
    before = differing(flat(report), computed)
    for holder, key in list(places(report)):
        kept, holder[key] = holder[key], broken(holder[key])
        assert differing(flat(report), computed) != before
        holder[key] = kept


def test_a_row_left_out_or_given_twice_is_seen():
    report = deepcopy(data.report())
    row = report["pairs"].pop()
    assert any(stated == ABSENT for stated, _ in differing(flat(report), flat(recomputed())).values())
    report["pairs"] += [row, row]
    with pytest.raises(AssertionError, match="twice"):
        flat(report)


@pytest.mark.parametrize(
    ("stated", "computed"),
    [(1, 1.0), (1.0, 1), (True, 1), (0, False), (None, 0.0), (0.0, None), (float("nan"), 0.5), ("1", 1), ([], None)],
)
def test_values_of_another_kind_never_agree(stated, computed):
    assert not agree(stated, computed)


def test_floats_agree_to_a_billionth_and_no_further():
    assert agree(0.5 + 0.9e-9, 0.5)
    assert not agree(0.5 + 1.1e-9, 0.5)

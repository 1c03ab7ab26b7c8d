"""Declarations of one's own: hashed with the files, and marked when changed."""

from dataclasses import replace

import pytest

from evalcore.evidence import Basis
from evalcore.export import comparison_json, pairs_latex, stamp
from evalcore.files import BadInput
from evalcore.measures import Measure
from evalcore.own import CHANGED, Declaration, Family, Input, OwnStudy, Part
from tests.own.making import AT, LATER, against_first, declaration, inputs, judgements, run, study


def test_the_hash_covers_every_choice_and_every_file():
    files = inputs()
    base = declaration()
    others = [
        declaration(primary=Measure("RR", 10)),
        declaration(relevant_grade=2),
        declaration(alpha=0.01),
        declaration(family=Family.FIRST, first="r0"),
        declaration(family=Family.FIRST, first="r1"),
        declaration(seed=1),
    ]
    changed_file = (files[0], files[1], replace(files[2], raw=files[2].raw + b"\n"))
    hashes = {base.sha256(files), base.sha256(changed_file), *(d.sha256(files) for d in others)}
    assert len(hashes) == 2 + len(others)
    assert base.sha256(files) == declaration().sha256(inputs())


def test_the_declared_analysis_has_its_hash_and_verdicts_and_is_not_provisional():
    compared = study().compared
    assert compared.plan.sha256 == study().declared.sha256
    pair = compared.pair("r0", "r1", compared.plan.primary)
    assert pair.in_family
    assert pair.verdict is not None
    assert compared.provisional is None
    assert pair.basis is Basis.RETRIEVAL
    assert "remark" not in stamp(compared)


def test_a_change_takes_hash_and_verdict_away_and_is_in_every_export():
    changed = study().redeclared(declaration(alpha=0.5), LATER)
    compared = changed.compared
    assert changed.changed
    assert compared.plan.sha256 is None
    assert all(c.verdict is None for c in compared.pairs(compared.plan.primary))
    assert comparison_json(compared)["study"]["remark"] == CHANGED
    assert stamp(compared)["remark"] == CHANGED
    assert CHANGED in pairs_latex(compared, compared.plan.primary)


def test_declaring_the_first_again_is_the_declared_analysis_with_its_first_time():
    back = study().redeclared(declaration(alpha=0.5), LATER).redeclared(declaration(), LATER)
    assert not back.changed
    assert back.now.at == AT


def test_other_files_under_the_first_declaration_count_as_changed():
    first = study()
    files = (judgements(), run("r0.trec", 8), run("r1.trec", 1))
    other = OwnStudy(files, first.declared, declaration().stamped(files, LATER))
    assert other.changed


def test_above_five_runs_only_the_family_is_listed():
    assert Family.default(5) is Family.ALL
    assert Family.default(6) is Family.FIRST
    compared = against_first(7).compared
    assert len(compared.family) == 6
    assert len(compared.pairs(compared.plan.primary)) == 6
    assert len(comparison_json(compared)["pairs"]) == 6 * len(compared.study.measures)


def test_all_pairs_of_seven_is_twenty_one_when_it_is_declared():
    assert len(study(7).compared.family) == 21


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Declaration(("a",)), "names 1 runs"),
        (lambda: Declaration(tuple(map(str, range(51)))), "names 51 runs"),
        (lambda: Declaration(("a", "a")), "twice"),
        (lambda: Declaration(("a", "b"), alpha=0.9), "alpha 0.9"),
        (lambda: Declaration(("a", "b"), relevant_grade=0), "relevant grade 0"),
        (lambda: Declaration(("a", "b"), family=Family.FIRST), "first run"),
        (lambda: OwnStudy.begun((judgements(), run("x.trec", 1), run("y.trec", 2)), declaration(), AT), "other runs"),
        (lambda: OwnStudy.begun(inputs()[1:], declaration(), AT), "0 files of judgements"),
        (lambda: Input(Part.RUN, "a", b"q Q0 d 1 1 t\n").judgements, "holds a TREC run"),
    ],
)
def test_what_cannot_be_declared_is_refused_with_its_reason(make, said):
    with pytest.raises(BadInput, match=said):
        make()


def test_a_run_without_a_question_in_common_is_named():
    stranger = Input(Part.RUN, "r1.trec", b"z9 Q0 a 1 1 t\n")
    files = (judgements(), run("r0.trec", 8), stranger)
    with pytest.raises(BadInput, match=r"r1: shares no question with 'qrels.txt'"):
        _ = OwnStudy.begun(files, declaration(), AT).compared

import hashlib
import tomllib
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.files import BadInput
from evalcore.goldset.schema import GOLD
from evalcore.measures import STANDARD, Measure
from evalcore.plan import Plan, ascending, read_plan

PATH = GOLD / "plan.toml"
TEXT = tomllib.loads(PATH.read_text(encoding="utf-8"))
DECLARED = (("bm25", "dense"), ("bm25", "hybrid"), ("dense", "hybrid"))


@pytest.fixture(scope="module")
def textbook():
    return read_plan(PATH)


def test_the_textbooks_plan_is_what_its_file_says(textbook):
    assert str(textbook.primary) == TEXT["measures"]["primary"] == "nDCG@10"
    assert [str(m) for m in textbook.measures] == ["nDCG@10", *TEXT["measures"]["secondary"]]
    assert textbook.relevant_grade == TEXT["measures"]["relevant_grade"] == 2
    assert textbook.alpha == TEXT["family"]["alpha"] == 0.05
    assert textbook.family == DECLARED
    assert textbook.tuned_on_these_questions is False
    assert textbook.declared == "2026-11-30"
    s = textbook.settings
    assert (s.level, s.seed, s.resamples, s.sign_vectors, s.exact_up_to) == (0.95, 20241009, 10_000, 20_000, 16)


def test_the_hash_is_that_of_the_files_bytes(textbook):
    assert textbook.sha256 == hashlib.sha256(PATH.read_bytes()).hexdigest()


def test_a_changed_plan_is_read_as_changed_and_has_another_hash(tmp_path, textbook):
    changed = tmp_path / "plan.toml"
    text = PATH.read_text(encoding="utf-8")
    text = text.replace('["bm25", "dense"]', '["dense", "bm25"]').replace("seed = 20241009", "seed = 7")
    changed.write_text(text.replace("tuned_on_these_questions = false", "tuned_on_these_questions = true"))
    plan = read_plan(changed)
    assert (plan.settings.seed, plan.tuned_on_these_questions) == (7, True)
    assert plan.family == DECLARED
    assert plan.sha256 != textbook.sha256


def test_without_a_file_the_defaults_are_the_documented_ones_and_there_is_no_hash():
    plan = Plan()
    assert (str(plan.primary), plan.measures, plan.relevant_grade, plan.alpha) == ("nDCG@10", STANDARD, 1, 0.05)
    assert plan.settings == read_plan(PATH).settings
    assert (plan.family, plan.tuned_on_these_questions, plan.declared, plan.sha256) == (None, False, None, None)


@pytest.mark.parametrize("n", [2, 3, 5])
def test_up_to_five_runs_the_family_is_all_pairs_with_names_ascending(n):
    runs = list("edcba"[:n])
    assert sorted(Plan().family_of(runs)) == list(combinations(sorted(runs), 2))


def test_above_five_runs_it_is_each_against_the_first():
    assert Plan().family_of(list("cabdef")) == tuple(ascending("c", other) for other in "abdef")
    assert Plan().family_of(list("fabcde")) == tuple(ascending("f", other) for other in "abcde")


@pytest.mark.parametrize("runs", [["bm25"], ["hybrid", "bm25"], ["dense", "bm25", "hybrid"]])
def test_a_declared_family_keeps_its_size_for_any_of_its_runs(textbook, runs):
    assert textbook.family_of(runs) == DECLARED


def test_a_run_that_the_plan_does_not_know_makes_a_family_of_its_own(textbook):
    assert textbook.family_of(["mine", "bm25"]) == (("bm25", "mine"),)


def test_an_empty_family_stays_empty():
    assert Plan(family=()).family_of(["a", "b"]) == ()


@given(st.text(), st.text())
def test_names_ascend_as_bytes(a, b):
    pair = ascending(a, b)
    assert set(pair) == {a, b}
    assert pair == ascending(b, a)
    assert pair[0].encode() <= pair[1].encode()


@given(st.integers(0, 3_000), st.floats(0.001, 0.5))
def test_the_smallest_possible_p_can_reach_alpha_in_a_family_of_any_size(k, alpha):
    draws = Plan(alpha=alpha).sign_vectors(k)
    assert draws >= 20_000
    assert k / (draws + 1) < alpha


@pytest.mark.parametrize(
    ("old", "new"), [("[statistics]", "[statistic]"), ("seed = 20241009", "seed = "), ("[measures]", "[measures")]
)
def test_a_damaged_plan_is_bad_input_that_names_the_file(tmp_path, old, new):
    path = tmp_path / "plan.toml"
    path.write_text(PATH.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
    with pytest.raises(BadInput, match=r"^plan\.toml: cannot be read \(.*restore it from the repository$"):
        read_plan(path)


def test_a_plan_that_is_not_there_is_bad_input(tmp_path):
    with pytest.raises(BadInput, match=r"plan\.toml: cannot be read \(No such file"):
        read_plan(tmp_path / "plan.toml")


def test_a_measure_that_is_not_there_is_refused(tmp_path):
    path = tmp_path / "plan.toml"
    path.write_text(PATH.read_text(encoding="utf-8").replace('primary = "nDCG@10"', 'primary = "MAP"'))
    with pytest.raises(ValueError, match="there is no measure 'MAP'"):
        read_plan(path)


def test_measures_come_back_as_they_are_spelt():
    assert [str(Measure.parse(str(m))) for m in STANDARD] == [str(m) for m in STANDARD]

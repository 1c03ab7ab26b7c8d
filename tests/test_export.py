import csv
import io
import json
from dataclasses import replace

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from evalcore.cli import main
from evalcore.evidence.claims import number, p_value, signed
from evalcore.export import (
    MeanRow,
    comparison_json,
    estimate_row,
    latex_text,
    means_csv,
    measure_rows,
    pair_row,
    pairs_csv,
    pairs_latex,
    stamp,
    to_csv,
)
from evalcore.goldset.schema import GOLD, RANKERS, GoldSet
from evalcore.report import build_report
from evalcore.retrieval.corpus import Corpus
from evalcore.textbook import Textbook
from tests.small import MEASURES, NDCG, SUCCESS_1, compared, names, places

RUNS = {"b": places(1, 2, 5, 0, 1, 3, 1, None), "a": places(2, 1, 1, 7, 1, 1, 3, 2), "c": places(*[1] * 8)}
DANGEROUS = ["=1+1", "+1", "-1", "@sum", "\tx", "\rx", '=HYPERLINK("http://x","y")']


@pytest.fixture(scope="module")
def study():
    return replace(compared(8, RUNS), provisional=True)


@pytest.fixture(scope="module")
def textbook():
    return Textbook(GoldSet())


def read(text):
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_the_json_has_exactly_the_documented_shape(study):
    data = comparison_json(study)
    assert list(data) == ["study", "measures", "pairs", "family"]
    assert list(data["study"]) == [
        *("questions", "excluded_questions", "plan_sha256", "seed", "resamples", "provisional", "runs"),
    ]
    assert {tuple(run) for run in data["study"]["runs"]} == {
        ("name", "sha256", "missing_questions", "unjudged_at_10"),
    }
    assert {tuple(row) for row in data["measures"]} == {
        ("run", "measure", "value", "low", "high", "n", "method", "basis"),
    }
    fields = ("first", "second", "measure", "difference", "low", "high", "method", "d_z", "wins", "ties", "losses")
    assert {tuple(row) for row in data["pairs"]} == {(*fields, "p", "p_method", "p_holm", "in_family", "verdict")}
    assert data["family"] == {"k": 3, "alpha": 0.05}


def test_the_json_holds_counts_and_the_order_in_which_the_runs_were_given(study):
    data = comparison_json(study)
    head = data["study"]
    assert (head["questions"], head["excluded_questions"], head["provisional"]) == (8, 0, True)
    # run b: one question not returned; seven with ten documents, of which six hold the only judged one
    assert head["runs"][0] | {"sha256": None} == {
        "name": "b",
        "sha256": None,
        "missing_questions": 1,
        "unjudged_at_10": 7 * 10 - 6,
    }
    assert [r["sha256"] for r in head["runs"]] == [r.sha256 for r in study.study.runs]
    assert [(p["first"], p["second"]) for p in data["pairs"][:3]] == [("b", "a"), ("b", "c"), ("a", "c")]
    assert [row["run"] for row in data["measures"][:3]] == ["b", "a", "c"]
    assert len(data["measures"]) == 3 * len(MEASURES)
    assert len(data["pairs"]) == 3 * len(MEASURES)


def test_undefined_is_null_in_json_and_never_nan(study):
    text = json.dumps(comparison_json(study), allow_nan=False)
    rows = [r for r in json.loads(text)["measures"] if r["run"] == "c" and r["measure"] == "nDCG@10"]
    assert [(r["value"], r["low"], r["high"]) for r in rows] == [(1.0, None, None)]


def test_the_json_has_the_three_verdict_strings_or_null(study):
    for row in comparison_json(study)["pairs"]:
        expected = {"inconclusive", "measured gain, still retrieval-only"} if row["in_family"] else {None}
        assert row["verdict"] in expected
        assert (row["p_holm"] is None) is not row["in_family"]


def test_a_row_is_what_its_evidence_says(study):
    mean, c = study.mean("a", NDCG), study.pair("b", "a", NDCG)
    assert estimate_row(mean) == {
        "value": mean.value,
        "low": mean.low,
        "high": mean.high,
        "n": 8,
        "method": "percentile bootstrap",
        "basis": "Measured, retrieval-only",
    }
    row = pair_row(c)
    assert (row["difference"], row["low"], row["high"]) == (c.difference.value, c.difference.low, c.difference.high)
    assert (row["method"], row["p_method"]) == (c.difference.method, c.p_method)
    same = ("first", "second", "measure", "d_z", "wins", "ties", "losses", "p", "p_holm", "in_family")
    assert [row[name] for name in same] == [getattr(c, name) for name in same]
    assert row["verdict"] == c.verdict.value


@pytest.mark.parametrize("text", DANGEROUS)
def test_a_cell_that_a_spreadsheet_would_run_is_escaped(text):
    assert read(to_csv([{"run": text, "value": 1.5}])) == [{"run": "'" + text, "value": "1.5"}]


def test_a_dangerous_stamp_is_escaped_too():
    assert read(to_csv([{"run": "a"}], stamp={"file": "=cmd"})) == [{"run": "a", "file": "'=cmd"}]
    assert read(to_csv([{"=cmd": "a"}])) == [{"'=cmd": "a"}]


def test_a_negative_number_stays_a_number():
    assert to_csv([{"difference": -0.25, "n": -1}]) == "difference,n\r\n-0.25,-1\r\n"


@pytest.mark.parametrize("text", ["plain", "a-b", "1=1", " =1", "a,b", 'a"b', ""])
def test_other_text_is_left_as_it_is(text):
    assert read(to_csv([{"run": text, "x": 1}])) == [{"run": text, "x": "1"}]


@pytest.mark.parametrize("text", ["a\n=1+1", "a\r=1+1", "a\r\n=1+1"])
def test_a_line_break_inside_a_text_begins_no_new_row(text):
    assert read(to_csv([{"run": text, "x": 1}])) == [{"run": text, "x": "1"}]
    assert f'"{text}"' in to_csv([{"run": text, "x": 1}])


def test_undefined_is_an_empty_cell_and_not_zero():
    assert to_csv([{"low": None, "n": 0}]) == "low,n\r\n,0\r\n"


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1))
def test_numbers_come_back_from_csv_to_the_last_digit(values):
    assert [float(row["x"]) for row in read(to_csv([{"x": v} for v in values]))] == values


def test_every_row_carries_the_stamp_in_its_last_columns(study):
    tied_to = stamp(study)
    hashes = ("plan_sha256", "qrels_sha256", "b_sha256", "a_sha256", "c_sha256")
    assert list(tied_to) == ["level", "relevant_grade", "provisional", *hashes]
    rows = read(to_csv(measure_rows(study, MEASURES), stamp=tied_to))
    assert len(rows) == 3 * len(MEASURES)
    for row in rows:
        assert list(row)[-8:] == list(tied_to)
        assert (row["level"], row["relevant_grade"]) == ("0.95", "1")
        assert (row["provisional"], row["plan_sha256"]) == ("True", "")
        assert row["qrels_sha256"] == study.study.qrels_sha256
        assert [row[f"{run.name}_sha256"] for run in study.study.runs] == [run.sha256 for run in study.study.runs]


def test_means_as_csv_name_their_questions_their_seed_and_their_second_interval(study):
    rows = [
        MeanRow("all", "a", NDCG, study.mean("a", NDCG), study.beside("a", NDCG)),
        MeanRow("first two", "a", SUCCESS_1, study.mean("a", SUCCESS_1, names(2))),
    ]
    first, second = read(means_csv(rows, stamp(study)))
    mean, beside = study.mean("a", NDCG), study.beside("a", NDCG)
    assert (first["questions"], first["run"], first["measure"]) == ("all", "a", "nDCG@10")
    assert [float(first[x]) for x in ("value", "low", "high")] == [mean.value, mean.low, mean.high]
    assert [float(first[x]) for x in ("second_low", "second_high")] == [beside.low, beside.high]
    assert (first["seed"], first["resamples"], first["second_method"]) == ("20241009", "200", "t(n - 1)")
    assert first["basis"] == second["basis"] == "Measured, retrieval-only"
    # Wilson draws nothing
    assert (second["seed"], second["resamples"], second["second_low"]) == ("", "", "")
    assert (second["value"], second["n"], second["questions"]) == ("0.5", "2", "first two")


def test_pairs_as_csv_carry_label_reason_alpha_and_seed(study):
    pairs = [study.pair("b", "a", NDCG), study.pair("b", "a", SUCCESS_1)]
    first, second = read(pairs_csv(study, pairs, stamp(study)))
    for row, c in ((first, pairs[0]), (second, pairs[1])):
        assert {name: row[name] for name in pair_row(c)} == {
            name: "" if value is None else str(value) for name, value in pair_row(c).items()
        }
        assert (row["alpha"], row["n"], row["basis"]) == ("0.05", "8", "Measured, retrieval-only")
        assert row["reason"] == (c.reason or "")
    assert (first["seed"], second["seed"]) == ("20241009", "")


def test_pairs_as_csv_carry_the_second_interval_of_a_mean_and_none_of_a_hit_rate(study):
    pairs = [study.pair("b", "a", NDCG), study.pair("b", "a", SUCCESS_1)]
    first, second = read(pairs_csv(study, pairs, stamp(study)))
    beside = study.beside_pair("b", "a", NDCG)
    assert (first["second_low"], first["second_high"]) == tuple(
        "" if x is None else str(x) for x in (beside.low, beside.high)
    )
    assert first["second_method"] == "paired t(n - 1)"
    assert (second["second_low"], second["second_high"], second["second_method"]) == ("", "", "")


def test_no_rows_are_no_rows():
    assert read(to_csv([])) == []


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("a_b & 50 %", r"a\_b \& 50 \%"),
        ("$x^2$ {y}", r"\$x\textasciicircum{}2\$ \{y\}"),
        ("~#", r"\textasciitilde{}\#"),
        (r"\input{secret}", r"\textbackslash{}input\{secret\}"),
        ("[2em]", "{[}2em{]}"),
        ("*", "{*}"),
        ("plain-name", "plain-name"),
    ],
)
def test_what_latex_would_act_on_is_escaped(text, escaped):
    assert latex_text(text) == escaped


@given(st.text(st.sampled_from("ab\\{}$&#^_%~[]*"), max_size=12))
def test_no_active_character_of_a_name_is_left_in_latex(name):
    rest = latex_text(name)
    for known in (r"\textbackslash{}", r"\textasciicircum{}", r"\textasciitilde{}", "{[}", "{]}", "{*}"):
        rest = rest.replace(known, "")
    for known in (r"\&", r"\%", r"\$", r"\#", r"\_", r"\{", r"\}"):
        rest = rest.replace(known, "")
    assert set(rest) <= set("ab")


def test_the_latex_table_has_one_row_a_pair_with_its_numbers_and_its_files(study):
    text = pairs_latex(study, NDCG)
    rows = [line for line in text.splitlines() if "$-$" in line]
    assert len(rows) == 3
    assert all(row.count(" & ") == 7 and row.endswith(r" \\") for row in rows)
    c = study.pair("b", "a", NDCG)
    cells = rows[0].removesuffix(r" \\").split(" & ")
    assert cells[0] == "b $-$ a"
    assert cells[1] == f"${signed(c.difference.value)}$".replace("−", "-")
    assert cells[2] == f"[${number(c.difference.low)}$, ${number(c.difference.high)}$]".replace("−", "-")
    assert cells[3] == f"${c.d_z:.2f}$"
    assert cells[4] == f"{c.wins}/{c.ties}/{c.losses}"
    assert cells[5:] == [f"${p_value(c.p)}$", f"${p_value(c.p_holm)}$", "inconclusive"]
    assert "−" not in text
    for name, sha256 in stamp(study).items():
        assert (f"% {name} {sha256}" in text) is name.endswith("sha256")


def test_the_latex_table_says_below_it_what_it_is(study):
    first, second = (line for line in pairs_latex(study, NDCG).splitlines() if "multicolumn{8}" in line)
    assert "nDCG@10, n = 8 questions. Measured, retrieval-only; provisional: no person has reviewed" in first
    assert r"95 \% intervals: paired percentile bootstrap; tests: sign-flip, exact" in second
    assert "Holm over 3, alpha 0.05; seed 20241009, 200 resamples." in second


def test_the_latex_table_says_what_is_undefined_and_what_is_exploratory():
    same = compared(8, {"a_1": RUNS["a"], "b%2": RUNS["a"]})
    row = next(line for line in pairs_latex(same, NDCG).splitlines() if "$-$" in line)
    assert row.startswith(r"a\_1 $-$ b\%2 & $0.000$ & -- & -- & 0/8/0 & $1.000$ & $1.000$ & inconclusive")
    other = pairs_latex(same, MEASURES[1])
    assert "& $1.000$ & -- & exploratory" in other
    assert "provisional" not in other


def test_command_line_json_csv_report_and_the_pages_objects_agree_to_the_last_digit(textbook):
    options = [f"--run={name}={GOLD / 'runs' / name}.trec" for name in RANKERS]
    done = CliRunner().invoke(main, ["compare", "--qrels", str(GOLD / "qrels.trec"), *options, "--json"])
    assert done.exit_code == 0
    printed = json.loads(done.stdout)

    page = textbook.rankers
    assert printed == comparison_json(page)
    report = build_report(textbook, Corpus.load())
    assert {key: report[key] for key in printed} == printed
    assert {key: json.loads((GOLD / "report.json").read_text())[key] for key in printed} == printed

    measures = page.study.measures
    for rows, kept in (
        (measure_rows(page, measures), printed["measures"]),
        ([pair_row(c) for m in measures for c in page.pairs(m)], printed["pairs"]),
    ):
        parsed = read(to_csv(rows, stamp=stamp(page)))
        assert len(parsed) == len(kept)
        for cells, row in zip(parsed, kept, strict=True):
            for name, value in row.items():
                assert cells[name] == ("" if value is None else str(value))
            assert (cells["provisional"], cells["plan_sha256"]) == ("True", textbook.plan.sha256)


@pytest.mark.parametrize("name", RANKERS)
def test_a_number_of_the_json_is_the_number_of_the_page(textbook, name):
    page = textbook.rankers
    rows = {r["measure"]: r for r in comparison_json(page)["measures"] if r["run"] == name}
    for measure in page.study.measures:
        mean = page.mean(name, measure)
        row = rows[str(measure)]
        assert (row["value"], row["low"], row["high"]) == (mean.value, mean.low, mean.high)


def test_two_of_the_three_rankers_keep_the_numbers_that_they_have_among_three(textbook):
    two = textbook.compared(("hybrid", "bm25"))
    for measure in two.study.measures:
        assert two.mean("hybrid", measure) == textbook.rankers.mean("hybrid", measure)
        one, other = two.pair("bm25", "hybrid", measure), textbook.rankers.pair("bm25", "hybrid", measure)
        assert (one.difference, one.p, one.in_family) == (other.difference, other.p, other.in_family)

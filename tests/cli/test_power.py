import json

import pytest
from click.testing import CliRunner
from scipy.stats import binomtest

from evalcore.cli import main
from evalcore.evidence.rows import reasoned_row
from evalcore.goldset.schema import GOLD, GoldSet
from evalcore.planning import own as own_planning
from evalcore.planning.answers import answers_json
from evalcore.planning.export import gate_rows, half_width_rows, own_rows
from evalcore.planning.flips import SupposedFlips
from evalcore.planning.own import own_pairs
from evalcore.planning.questions import HitPlan, MeanPlan
from evalcore.planning.rates import GateChance, SupposedRate, half_width_table, rate_answers
from evalcore.planning.topics import Pilot, TopicPlan
from evalcore.textbook import Textbook
from tests.small import THREE, compared, names, places, qrels_text, run_text

FEW = 200
TWO_OF_GOLD = [f"--qrels={GOLD / 'qrels.trec'}", *(f"--run={n}={GOLD / 'runs' / n}.trec" for n in ("bm25", "hybrid"))]


def power(*options):
    return CliRunner().invoke(main, ["power", *options])


def printed(*options):
    done = power("--json", *options)
    assert (done.exit_code, done.exception) == (0, None)
    return json.loads(done.stdout)


def text(*options):
    done = power(*options)
    assert (done.exit_code, done.exception, done.stderr) == (0, None, "")
    return done.stdout.splitlines()


def refused(*options):
    """The lines of stderr of a command that was refused, and printed nothing else."""
    done = power(*options)
    assert (done.exit_code, done.stdout) == (2, "")
    assert isinstance(done.exception, SystemExit)
    return done.stderr.splitlines()


@pytest.fixture
def few_studies(monkeypatch):
    """Simulates 200 studies a size instead of 2,000."""
    monkeypatch.setattr(own_planning, "studies_for", lambda n, **asked: FEW)


@pytest.fixture
def own(tmp_path, few_studies):
    """Options that name the three runs of twelve questions."""
    (tmp_path / "qrels").write_text(qrels_text(names(12)))
    for name, run in THREE.items():
        (tmp_path / name).write_text(run_text(run))
    return [f"--qrels={tmp_path / 'qrels'}", *(f"--run={name}={tmp_path / name}" for name in THREE)]


def test_without_options_the_text_is_the_lessons_plan():
    lines = text()
    for line in (
        "  ± 0.1: 62 by the normal approximation, 60 by Wilson; 0.8 measured on 62 rules out a true rate below about "
        "0.700 by the normal approximation, 0.684 by Wilson",
        "  ± 0.05: 246 by the normal approximation, 245 by Wilson; 0.8 measured on 246 rules out a true rate below "
        "about 0.750 by the normal approximation, 0.746 by Wilson",
        "  ± 0.025: 984 by the normal approximation, 982 by Wilson; 0.8 measured on 984 rules out a true rate below "
        "about 0.775 by the normal approximation, 0.774 by Wilson",
        "If 32 of 40 questions hit",
        "  Wilson: 0.800, 95 % interval 0.652 to 0.895",
        "  One question moves the rate by: 0.025",
        "  Standard error, paired: 0.0322",
        "  Questions for one test: 63",
        "  Questions at Holm's first step of 3: 84",
        "  Power with 40 questions, one test: 0.603",
        "  Power with 40 questions, at Holm's first step of 3: 0.421",
        "  Detectable d_z with 40 questions, at Holm's first step of 3: 0.531",
        "  A d_z of 0.36 seen on 40 questions: 0.360, 95 % interval 0.038 to 0.678, if the differences are normal; "
        "with a long tail the interval of a d_z holds the truth less often than it says, and nothing better is "
        "simulated",
        "  Questions for one test: 168",
        "  Normal approximation, one test: 155",
        "  Power with that exact number, one test: 0.801",
        "  Exact power with the approximation's number: 0.762",
        "8 topics of 7 items, ICC 0.2, rate 0.8",
        "  Effective n: 25.5",
        "A gate at least 0.8 on 24 questions passes, at a true rate of",
        "  0.800: 0.460",
        "Widths and powers hold at the supposed values. If another value is measured the width is another one too, and "
        "about half of the studies come out wider than planned.",
    ):
        assert line in lines
    assert lines[-1] == "Everything here is assumed: it follows from the inputs."


def test_a_half_width_larger_than_the_rate_rules_nothing_out_by_the_normal_approximation():
    (line,) = [line for line in text("--rate=0.05", "--half-width=0.1") if line.startswith("  ± 0.1")]
    assert "by Wilson, none by the normal approximation. Trust Wilson's here: " in line


def test_with_too_few_questions_for_the_sign_flip_test_the_plan_says_so():
    lines = text("--questions=5", "--d-z=3", "--flips", "1", "0")
    assert "  Questions for one test: 6" in lines
    assert "  Questions at Holm's first step of 3: 7" in lines
    assert "  Power with 5 questions, one test: 0.000" in lines
    (detectable,) = [line for line in lines if line.startswith("  Detectable d_z with 5 questions, one test")]
    assert detectable.endswith(
        "not assessed, the sign-flip test of 5 questions has p 0.0625 at the least and cannot come below alpha 0.05; 6 "
        "questions can"
    )


def test_a_number_without_an_interval_says_why_only_where_the_reason_is_its_own():
    lines = text()
    (bootstrap,) = (line for line in lines if line.startswith("  The same, bootstrap"))
    assert "0.067 (no interval: only 4 of 60 questions differ" in bootstrap
    assert not any("there is no sample" in line for line in lines)


def test_the_json_is_that_of_the_objects_in_every_section():
    found = printed("--pilot", "7/7, 5/7;6/7 2/7")
    assert found == {
        "half_widths": half_width_rows(0.8, half_width_table(0.8)),
        "rate": answers_json(rate_answers(SupposedRate(32, 40))),
        "flips": answers_json(SupposedFlips.of(60, 4, 0, 0.75).answers()),
        "paired_mean": answers_json(MeanPlan(0.36, 0.05, 0.8, 3, 40).answers()),
        "hit_rates": answers_json(HitPlan(0.15, 0.05, 0.05, 0.8, 3, 40).answers()),
        "topics": answers_json(TopicPlan(8, 7, 0.2, 0.8).answers()),
        "pilot": answers_json(Pilot((7, 5, 6, 2), (7, 7, 7, 7)).answers()),
        "gate": gate_rows(GateChance(0.8, True, 24)),
        "own": [],
    }
    assert "pilot" not in printed()


def test_every_option_reaches_its_section():
    found = printed(
        *("--rate=0.67", "--half-width=0.2", "--half-width=0.3", "--questions=60", "--d-z=0.5", "--alpha=0.01"),
        *("--power=0.9", "--family=5", "--only-first=0.3", "--only-second=0.1", "--flips", "6", "2", "--both-hit=0.5"),
        *("--topics=4", "--items=3", "--icc=0.5", "--gate=0.1", "--at-most", "--gate-questions=84"),
    )
    assert found["half_widths"] == half_width_rows(0.67, half_width_table(0.67, (0.2, 0.3)))
    assert found["rate"] == answers_json(rate_answers(SupposedRate(40, 60)))
    assert found["flips"] == answers_json(SupposedFlips.of(60, 6, 2, 0.5).answers())
    assert found["paired_mean"] == answers_json(MeanPlan(0.5, 0.01, 0.9, 5, 60).answers())
    assert found["hit_rates"] == answers_json(HitPlan(0.3, 0.1, 0.01, 0.9, 5, 60).answers())
    assert found["topics"] == answers_json(TopicPlan(4, 3, 0.5, 0.67).answers())
    assert found["gate"] == gate_rows(GateChance(0.1, False, 84))


def test_every_number_of_the_json_is_assumed_or_not_assessed_with_a_reason():
    found = printed("--pilot=7/7 7/7", "--only-first=0.1", "--only-second=0.1", "--icc=0")
    sections = [s for s in found.values() if isinstance(s, dict)]
    rows = [row for section in sections for row in section.values()]
    assert len(rows) > 30
    for row in rows:
        assert row["basis"] == ("Not assessed" if row["value"] is None else "Assumed")
        assert row["low"] is not None or row["reason"]
    assert {row["basis"] for row in [*found["half_widths"], *found["gate"]]} == {"Assumed"}


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (
            ("--only-first=0.1", "--only-second=0.1"),
            "  Questions for one test: not assessed, equal shares are no difference to find",
        ),
        (
            ("--only-first=0.15", "--only-second=0.14"),
            "  Questions for one test: not assessed, these shares need more than 5,000 questions",
        ),
        (
            ("--d-z=0.001", "--power=0.95"),
            "  Questions for one test: not assessed, a d_z of 0.001 needs more than 10,000,000 questions",
        ),
        (
            ("--icc=0",),
            "  Effective n at most, however many items a topic: not assessed, with an ICC of 0 every item counts, so "
            "there is no ceiling",
        ),
        (
            ("--flips", "0", "0"),
            "  Questions an unpaired study needs in each of its two groups, for each paired one: not assessed, the "
            "paired standard error is 0",
        ),
        (
            ("--pilot=0/0",),
            "  Rate over items: not assessed, fewer than two topics: the spread between topics cannot be seen",
        ),
    ],
)
def test_what_cannot_be_planned_is_not_assessed_with_the_reason_and_the_rest_is_printed(options, line):
    lines = text(*options)
    assert line in lines
    assert lines[-1].startswith("Everything here is assumed")


def test_a_pilot_is_printed_with_both_intervals_at_a_hundred_per_cent():
    lines = text("--pilot", " ".join(["7/7"] * 8))
    at = lines.index("The pilot")
    assert lines[at + 1] == "  Rate over items: 1.000, 95 % interval 0.589 to 1.000"
    assert lines[at + 2] == "  The same, were all items independent: 1.000, 95 % interval 0.909 to 1.000"
    assert lines[at + 3].startswith("  ICC: not assessed, at 100 % the spread between topics cannot be seen")


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (("--flips", "50", "20"), "power: 50 + 20 questions change outcome, which is more than the 60 there are"),
        (("--flips", "3", "0", "--questions=2"), "power: 3 + 0 questions change outcome, which is more than the 2"),
        (("--pilot=7/7, 8/7",), "power: topic 2: 8 hits of 7 items"),
        (("--pilot=7/7; 6/7; six",), "power: topic 3: 'six' is not hits/items, for example 7/7"),
        (("--pilot=",), "power: no topic: write hits/items for each"),
        (("--only-first=0.7", "--only-second=0.4"), "power: the shares of questions that only one run hits"),
    ],
)
def test_inputs_that_contradict_each_other_are_bad_input_in_one_line(options, line):
    (said,) = refused(*options)
    assert said.startswith(line)


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("--alpha=0.6", "'--alpha': 0.6 is not in the range 0.0001<=x<=0.5"),
        ("--alpha=0", "'--alpha': 0.0 is not in the range 0.0001<=x<=0.5"),
        ("--rate=0", "'--rate': 0.0 is not in the range 0<x<1"),
        ("--rate=1", "'--rate': 1.0 is not in the range 0<x<1"),
        ("--power=1", "'--power'"),
        ("--questions=1", "'--questions'"),
        ("--family=0", "'--family'"),
        ("--topics=1", "'--topics'"),
        ("--icc=1.1", "'--icc'"),
        ("--half-width=0", "'--half-width'"),
        ("--d-z=0", "'--d-z'"),
        ("--gate-questions=0", "'--gate-questions'"),
        *((f"--worth={x}", "'--worth'") for x in ("1e-400", "inf", "nan")),
        ("--worth=0", "'--worth': 0.0 is not in the range 0<x<=1"),
        ("--worth=-0.1", "'--worth': -0.1 is not in the range 0<x<=1"),
        ("--worth=1.01", "'--worth': 1.01 is not in the range 0<x<=1"),
        ("--worth=1e26", "'--worth': 1e+26 is not in the range 0<x<=1"),
    ],
)
def test_an_input_off_its_scale_is_bad_input_that_names_the_option(option, said):
    assert said in refused(option)[-1]


def test_the_json_of_an_own_study_is_that_of_the_objects_and_nothing_else_is_on_stdout(own):
    done = power("--json", "--worth=0.2", *own)
    assert done.exit_code == 0
    assert "Resampling" in done.stderr
    assert "Resampling" not in done.stdout
    rows = json.loads(done.stdout)["own"]
    pairs = own_pairs(compared(12, THREE), 0.2)
    expected = own_rows([(pair, [pair.power(n) for n in pair.sizes]) for pair in pairs])
    # the intervals of the means are of more resamples here, which no row carries
    assert rows == expected
    assert [row["questions"] for row in rows] == [12, 18, 24, 36] * 3


def test_the_powers_of_an_own_study_stand_with_wilsons_limits_over_the_studies(own):
    rows = printed("--worth=0.1", *own)["own"]
    assert {row["studies"] for row in rows} == {FEW}
    assert {row["seed"] for row in rows} == {20241009}
    assert {(row["basis"], row["worth"]) for row in rows} == {("Assumed", 0.1)}
    for row in rows:
        for prefix in ("", "one_test_"):
            limits = binomtest(round(row[f"{prefix}value"] * FEW), FEW).proportion_ci(method="wilson")
            assert (row[f"{prefix}low"], row[f"{prefix}high"]) == pytest.approx((limits.low, limits.high), abs=1e-12)
        assert row["value"] <= row["one_test_value"]
        assert row["closed_form_family"] < row["closed_form_one_test"]


def test_the_textbooks_own_runs_bring_their_plan_and_are_simulated_two_thousand_times():
    done = power("--json", "--worth=0.05", *TWO_OF_GOLD)
    assert done.exit_code == 0
    assert "Of the declared family, absent here and counted as p = 1" in done.stderr
    rows = json.loads(done.stdout)["own"]
    assert [(r["first"], r["second"], r["questions"], r["studies"]) for r in rows] == [
        ("hybrid", "bm25", n, 2_000) for n in (40, 60, 80, 120)
    ]
    pair = next(p for p in own_pairs(Textbook(GoldSet()).rankers, 0.05) if (p.first, p.second) == ("hybrid", "bm25"))
    now = pair.power(40)
    assert {k: rows[0][k] for k in ("value", "low", "high")} == {
        k: reasoned_row(now.family)[k] for k in ("value", "low", "high")
    }
    assert rows[0]["one_test_value"] == now.one_test.value
    assert rows[0]["closed_form_family"] == pair.closed_form(40, 0.05 / 3).value
    powers = [row["value"] for row in rows]
    assert powers == sorted(powers)


def test_the_text_of_an_own_study_says_what_is_measured_provisional_and_assumed(few_studies):
    done = power("--worth=0.05", *TWO_OF_GOLD)
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    at = lines.index("hybrid - bm25, nDCG@10, worth having 0.05 (assumed)")
    ties = next(
        p for p in own_pairs(Textbook(GoldSet()).rankers, 0.05) if (p.first, p.second) == ("hybrid", "bm25")
    ).ties
    assert lines[at + 1] == f"  {ties} of 40 questions tie"
    assert lines[at + 2] == (
        "  standard deviation of the differences 0.167 (Measured, retrieval-only, provisional); d_z seen 0.307, "
        "95 % interval −0.013 to 0.622, if the differences are normal; with a long tail the interval of a d_z holds "
        "the truth less often than it says, and nothing better is simulated; d_z worth having 0.299"
    )
    for line, n in zip(lines[at + 3 : at + 7], (40, 60, 80, 120), strict=True):
        assert line.startswith(f"  {n} questions: power 0.")
        assert "at Holm's first step of 3 (95 % interval 0." in line
        assert "from 200 simulated studies); if ties stay ties 0." in line
        assert "; closed form 0." in line


def test_an_own_study_of_a_users_files_is_not_called_provisional(own):
    done = power("--worth=0.2", *own)
    assert "(Measured, retrieval-only);" in done.stdout
    assert "provisional" not in done.stdout


def test_alpha_reaches_the_own_study(own):
    strict, loose = (printed("--worth=0.1", f"--alpha={a}", *own)["own"] for a in (0.01, 0.2))
    assert all(a["one_test_value"] <= b["one_test_value"] for a, b in zip(strict, loose, strict=True))
    assert strict[0]["closed_form_one_test"] < loose[0]["closed_form_one_test"]


def test_a_primary_that_is_a_hit_rate_is_not_assessed_with_the_reason(own):
    reason = "a hit rate has no such differences: plan it from the questions that change outcome"
    done = power("--worth=0.1", "--primary=Success@1", *own)
    assert done.exit_code == 0
    assert done.stdout.count(f"  not assessed: {reason}") == 3
    rows = printed("--worth=0.1", "--primary=Success@1", *own)["own"]
    assert [row["spread"] for row in rows] == [None] * 3


def test_identical_runs_are_not_assessed_with_the_reason(own):
    twins = [own[0], own[1], own[1].replace("--run=bm25=", "--run=again=")]
    done = power("--worth=0.1", *twins)
    assert done.exit_code == 0
    assert "  not assessed: the differences do not vary, so they say nothing about other questions" in (
        done.stdout.splitlines()
    )


def test_a_study_of_one_question_is_not_assessed(tmp_path):
    (tmp_path / "qrels").write_text(qrels_text(names(1)))
    for name, place in (("a", 1), ("b", 2)):
        (tmp_path / name).write_text(run_text(places(place)))
    runs = [f"--run={name}={tmp_path / name}" for name in "ab"]
    done = power("--worth=0.1", f"--qrels={tmp_path / 'qrels'}", *runs)
    assert done.exit_code == 0
    assert "  not assessed: the differences do not vary" in done.stdout


def test_without_the_difference_worth_having_there_is_no_own_plan(own):
    assert refused(*own) == [
        "power: --worth is missing for a plan from your own runs; say which difference would be worth having, such as "
        "0.05"
    ]


def test_without_judgements_there_is_no_own_plan(own):
    assert refused("--worth=0.1", *own[1:]) == [
        "power: --qrels is missing for a plan from your own runs; name the judgements"
    ]


def test_one_run_is_no_pair(own):
    assert refused("--worth=0.1", *own[:2]) == ["--run: is there once; give two runs or more to compare"]


def test_a_run_that_is_not_there_is_named(own, tmp_path):
    (said,) = refused("--worth=0.1", *own[:2], f"--run=new={tmp_path / 'nowhere'}")
    assert "nowhere" in said


def test_a_measure_that_is_not_known_is_named(own):
    (said,) = refused("--worth=0.1", "--primary=speed", *own)
    assert said.startswith("--primary: ")
    assert "speed" in said

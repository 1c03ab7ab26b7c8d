import json
import shutil

import pytest

from evalcore.goldset.near_checks import (
    chosen_by_rule,
    controls_found,
    declared_first,
    near_the_text,
    packs_as_given,
    read_twice,
    scores_follow,
)
from evalcore.goldset.schema import GOLD, GoldSet
from evalcore.goldset.unanswerable import Slice
from evalcore.history import History, NoHistoryError
from evalcore.retrieval.corpus import Corpus
from tests.goldset.repository import commit, git, repository
from tests.goldset.rules import amend

ON_FILES = (packs_as_given, read_twice, controls_found, chosen_by_rule, near_the_text, scores_follow)
STEPS = (
    ("unanswerable/plan.toml",),
    ("unanswerable/drafts.jsonl", "unanswerable/off_topic.jsonl"),
    ("unanswerable/packs",),
    ("unanswerable/readings.jsonl", "unanswerable/questions.jsonl"),
    ("scores.csv", "off_topic_scores.csv"),
)


@pytest.fixture(scope="module")
def corpus():
    return Corpus.load()


@pytest.fixture
def gold(tmp_path):
    """A copy of the gold set, outside any repository."""
    folder = tmp_path / "gold"
    shutil.copytree(GOLD, folder)
    return folder


def red(folder, corpus, *checks):
    """The checks that fail, each with its faults: of those that read files, unless others are named."""
    found = {check.__name__: list(check(GoldSet(folder), corpus)) for check in checks or ON_FILES}
    return {name: faults for name, faults in found.items() if faults}


def rewrite(folder, name, changed):
    """Replaces each record of a file by what ``changed`` makes of it."""

    def lines(text):
        records = [changed(json.loads(line)) for line in text.splitlines()]
        return "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records)

    amend(folder, f"unanswerable/{name}", lines)


def where(record, wanted, **changes):
    """The record, with changes if it holds what is wanted."""
    return {**record, **changes} if wanted.items() <= record.items() else record


def reading(folder, question, reader, **changes):
    wanted = {"question": question, "reader": reader}
    rewrite(folder, "readings.jsonl", lambda r: where(r, wanted, **changes))


def cell(folder, question, column, change, name="scores.csv"):
    """Passes one cell of a score file through ``change``."""

    def changed(text):
        rows = [line.split(",") for line in text.splitlines()]
        place = rows[0].index(column)
        for row in rows:
            if row[0] == question:
                row[place] = change(row[place])
        return "".join(",".join(row) + "\n" for row in rows)

    amend(folder, name, changed)


@pytest.mark.parametrize("check", ON_FILES, ids=lambda check: check.__name__)
def test_the_real_gold_set_passes_every_check_that_reads_files(corpus, check):
    assert list(check(GoldSet(), corpus)) == []


def test_the_real_gold_set_came_in_its_order_where_there_is_a_history(corpus):
    try:
        History.of(GOLD)
    except NoHistoryError:
        with pytest.raises(NoHistoryError):
            list(declared_first(GoldSet(), corpus))
    else:
        assert list(declared_first(GoldSet(), corpus)) == []


@pytest.mark.parametrize("reader", ["a", "b"])
def test_a_chosen_question_that_a_reader_found_answered_is_found(gold, corpus, reader):
    reading(gold, "u01", reader, answered=True)
    assert red(gold, corpus) == {
        "read_twice": ["n01 was not read twice as unanswered"],
        "chosen_by_rule": ["questions.jsonl is not what the rule chooses from the drafts"],
    }


def test_a_chosen_question_that_one_reader_did_not_read_is_found(gold, corpus):
    amend(
        gold,
        "unanswerable/readings.jsonl",
        lambda t: "".join(
            line
            for line in t.splitlines(keepends=True)
            if not {"question": "u01", "reader": "b"}.items() <= json.loads(line).items()
        ),
    )
    assert red(gold, corpus)["read_twice"] == ["n01 was not read twice as unanswered"]


def test_a_quotation_that_stands_nowhere_is_found(gold, corpus):
    reading(gold, "u22", "a", quote="No histogram was ever drawn.")
    assert red(gold, corpus) == {"read_twice": ["u22: s07 does not say 'No histogram was ever drawn.'"]}


def test_a_quotation_from_another_section_than_those_named_is_found(gold, corpus):
    nowhere = next(s for s in corpus.texts if "Class width shapes what a histogram seems" not in corpus.texts[s])
    reading(gold, "u22", "a", sections=[nowhere])
    assert (
        f"u22: {nowhere} does not say 'Class width shapes what a histogram seems to say.'"
        in (red(gold, corpus)["read_twice"])
    )


def test_a_section_that_a_reader_did_not_read_is_found(gold, corpus):
    reading(gold, "u72", "b", sections_read=[s for s in corpus.texts if s != "s04"])
    assert red(gold, corpus) == {"read_twice": ["u72: reader b did not read every section"]}


def test_a_reading_of_another_item_is_found(gold, corpus):
    reading(gold, "u22", "a", item="a1-02")
    assert red(gold, corpus) == {"read_twice": ["u22: a1-02 is another question"]}


@pytest.mark.parametrize("changes", [{"nearest": ["s19"]}, {"sections_read": ["s01"]}])
def test_a_question_that_names_other_sections_than_its_readings_is_found(gold, corpus, changes):
    rewrite(gold, "questions.jsonl", lambda q: where(q, {"id": "n02"}, **changes))
    assert red(gold, corpus) == {"read_twice": ["n02 names other sections than its readings"]}


def test_a_draft_that_was_worded_anew_is_found(gold, corpus):
    rewrite(gold, "drafts.jsonl", lambda d: where(d, {"draft": "u01"}, text="what is coverage"))
    item = {question: item for item, question in Slice(gold / "unanswerable").items.items() if item[0] == "a"}["u01"]
    found = red(gold, corpus)
    assert set(found) == {"packs_as_given", "chosen_by_rule"}
    assert found["chosen_by_rule"] == ["questions.jsonl is not what the rule chooses from the drafts"]
    assert f"packs/{item.split('-')[0]}.md is not its questions and nothing else" in found["packs_as_given"]
    assert len(found["packs_as_given"]) == 2


@pytest.mark.parametrize("name", ["a1", "b3"])
def test_a_pack_with_a_line_more_is_found(gold, corpus, name):
    amend(gold, f"unanswerable/packs/{name}.md", lambda t: t + "- these are all unanswerable\n")
    assert red(gold, corpus) == {"packs_as_given": [f"packs/{name}.md is not its questions and nothing else"]}


def test_a_reader_who_was_not_given_a_draft_is_found(gold, corpus):
    path = gold / "unanswerable" / "packs" / "key.json"
    path.write_text(json.dumps({k: v for k, v in json.loads(path.read_text()).items() if k != "a1-01"}))
    found = red(gold, corpus)
    assert found["packs_as_given"] == [
        "packs/a1.md is not its questions and nothing else",
        "reader a was not given every draft once",
    ]
    assert found["read_twice"] == ["u22: a1-01 is another question"]


def test_a_question_out_of_the_rules_order_is_found(gold, corpus):
    def moved(text):
        first, second, *rest = text.splitlines(keepends=True)
        return "".join([second, first, *rest])

    amend(gold, "unanswerable/questions.jsonl", moved)
    assert red(gold, corpus, chosen_by_rule) == {
        "chosen_by_rule": ["questions.jsonl is not what the rule chooses from the drafts"]
    }


def test_a_later_draft_in_place_of_an_earlier_is_found(gold, corpus):
    later = next(d for d in Slice(gold / "unanswerable").drafts if d.draft == "u08")
    rewrite(gold, "questions.jsonl", lambda q: where(q, {"id": "n07"}, **later.model_dump()))
    assert (
        "questions.jsonl is not what the rule chooses from the drafts"
        in (red(gold, corpus, chosen_by_rule)["chosen_by_rule"])
    )


def test_another_number_of_questions_than_declared_is_found(gold, corpus):
    amend(gold, "unanswerable/plan.toml", lambda t: t.replace("count = 24", "count = 25"))
    assert red(gold, corpus) == {"chosen_by_rule": ["24 questions, declared 25"]}


def test_a_type_and_a_gap_below_their_minimum_are_found(gold, corpus):
    def raised(text):
        text = text.replace("at_least_of_each_type = 2", "at_least_of_each_type = 25")
        return text.replace("at_least_of_each_gap = 5", "at_least_of_each_gap = 25")

    amend(gold, "unanswerable/plan.toml", raised)
    faults = red(gold, corpus)["chosen_by_rule"]
    # as listed by hand: of n01 to n24, seven ask for a definition and six for a missing number
    assert "definition: 7 questions, at least 25 declared" in faults
    assert "missing number: 6 questions, at least 25 declared" in faults


@pytest.mark.parametrize("reader", ["a", "b"])
def test_a_control_that_a_reader_missed_is_found(gold, corpus, reader):
    reading(gold, "q03", reader, answered=False)
    assert red(gold, corpus) == {"controls_found": ["q03 is answered, and a reader did not find it"]}


def test_no_controls_at_all_are_found(gold, corpus):
    amend(
        gold,
        "unanswerable/readings.jsonl",
        lambda t: "".join(line for line in t.splitlines(keepends=True) if json.loads(line)["question"][0] != "q"),
    )
    assert red(gold, corpus) == {"controls_found": ["no answerable question was mixed in"]}


def test_an_off_topic_question_above_the_median_of_the_near_ones_is_found(gold, corpus):
    cell(gold, "o07", "dense_top1", lambda _: "0.999000", name="off_topic_scores.csv")
    found = red(gold, corpus)
    assert set(found) == {"near_the_text", "scores_follow"}
    (line,) = found["near_the_text"]
    assert line.startswith("the median top-1 cosine is 0.")
    assert line.endswith(", the highest off-topic one 0.999")
    (line,) = found["scores_follow"]
    assert line.startswith("off_topic_scores.csv: dense_top1 of o07 is 0.999, freshly computed 0.29399")


@pytest.mark.parametrize(
    "score", ["dense_top1", "best_sentence", "bm25_top1", "hybrid_top1", "dense_margin", "combined"]
)
def test_a_changed_score_is_found(gold, corpus, score):
    cell(gold, "n01", score, lambda value: f"{float(value) + 0.001:.6f}")
    ((name, (line,)),) = red(gold, corpus, scores_follow, near_the_text).items()
    assert name == "scores_follow"
    assert line.startswith(f"scores.csv: {score} of n01 is ")


def test_a_score_that_another_machine_rounds_otherwise_is_no_fault(gold, corpus):
    cell(gold, "n01", "dense_top1", lambda value: f"{float(value) + 0.00002:.6f}")
    assert red(gold, corpus, scores_follow) == {}


def test_a_wrong_label_is_found(gold, corpus):
    cell(gold, "q01", "answerable", lambda _: "0")
    assert red(gold, corpus, scores_follow) == {"scores_follow": ["scores.csv: q01 has the wrong label"]}


def test_a_question_without_a_score_is_found(gold, corpus):
    amend(gold, "scores.csv", lambda t: t[: t.rstrip("\n").rindex("\n") + 1])
    assert red(gold, corpus, scores_follow) == {"scores_follow": ["scores.csv holds other questions than the gold set"]}


def built(root, steps):
    """A repository whose commits add files of the real gold set step by step."""
    repository(root)
    for names in steps:
        for name in names:
            source, target = GOLD / name, root / "gold" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            (shutil.copytree if source.is_dir() else shutil.copyfile)(source, target)
        commit(root, *(f"gold/{name}" for name in names))
    return root


@pytest.fixture
def history(tmp_path, corpus):
    """Builds a repository from steps and gives back its gold set's faults of history."""

    def of(steps):
        root = built(tmp_path / "repository", steps)
        return lambda: list(declared_first(GoldSet(root / "gold"), corpus)), root

    return of


def test_steps_in_their_order_pass_and_readings_and_questions_may_share_a_commit(history):
    faults, _ = history(STEPS)
    assert faults() == []


def test_readings_and_questions_may_have_commits_of_their_own(history):
    faults, _ = history([*STEPS[:3], ("unanswerable/readings.jsonl",), ("unanswerable/questions.jsonl",), STEPS[4]])
    assert faults() == []


@pytest.mark.parametrize("name", ["plan.toml", "drafts.jsonl", "packs/b2.md"])
def test_a_plan_a_draft_or_a_pack_that_was_changed_after_its_commit_is_found_even_when_changed_back(history, name):
    faults, root = history(STEPS)
    path = f"gold/unanswerable/{name}"
    amend(root, path, lambda t: t + "\n")
    changed = commit(root, path)
    said = [f"{name.split('/')[0]} was changed after its first commit, in {changed[:10]}"]
    assert faults() == said
    shutil.copyfile(GOLD / "unanswerable" / name, root / path)
    commit(root, path)
    assert faults() == said


@pytest.mark.parametrize(
    ("order", "said"),
    [
        ((0, 1, 2, 4, 3), ["scores.csv did not come after questions.jsonl"]),
        ((1, 0, 2, 3, 4), ["drafts.jsonl did not come after plan.toml"]),
        ((0, 2, 1, 3, 4), ["packs did not come after drafts.jsonl"]),
        ((0, 1, 3, 2, 4), ["readings.jsonl did not come after packs"]),
    ],
)
def test_a_step_before_its_turn_is_found(history, order, said):
    faults, _ = history([STEPS[place] for place in order])
    assert faults() == said


def test_questions_before_the_readings_and_steps_in_one_commit_are_found(history):
    faults, _ = history([*STEPS[:3], ("unanswerable/questions.jsonl",), ("unanswerable/readings.jsonl",), STEPS[4]])
    assert faults() == ["questions.jsonl did not come after readings.jsonl"]


def test_the_plan_in_one_commit_with_the_drafts_is_found(history):
    faults, _ = history([(*STEPS[0], *STEPS[1]), *STEPS[2:]])
    assert faults() == ["drafts.jsonl did not come after plan.toml"]


def test_a_step_that_was_never_committed_is_found(history):
    faults, _ = history(STEPS[:4])
    assert faults() == ["scores.csv was never committed"]


def test_a_shallow_clone_or_none_is_not_assessed(history, tmp_path, gold, corpus):
    _, root = history(STEPS)
    git(tmp_path, "clone", "--quiet", "--depth=1", root.as_uri(), "shallow")
    for folder, reason in ((tmp_path / "shallow" / "gold", "shallow"), (gold, "there is no git history here")):
        with pytest.raises(NoHistoryError, match=reason):
            list(declared_first(GoldSet(folder), corpus))

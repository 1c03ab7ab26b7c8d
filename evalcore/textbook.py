"""The study that ships with the tool: the textbook's gold set under its plan."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from evalcore.comparison import Compared
from evalcore.files import BadInput, Problem, QrelsFile, RunFile, read_qrels, read_run, reading
from evalcore.goldset.build import SECTION_ARMS
from evalcore.goldset.schema import RANKERS, GoldSet, published_hashes
from evalcore.measures import Measure
from evalcore.plan import Plan, ascending, read_plan
from evalcore.study import join

SECTION_MEASURES = (Measure("Success", 1), Measure("Success", 3))


@dataclass(frozen=True)
class Textbook:
    """The gold set with everything that is computed from it; each part is read when it is first asked for."""

    gold: GoldSet

    @cached_property
    def plan(self) -> Plan:
        """The declared plan."""
        return read_plan(self.gold.folder / "plan.toml")

    @cached_property
    def qrels(self) -> QrelsFile:
        """Passage-level judgements."""
        return read_qrels(self.gold.folder / "qrels.trec", name="qrels.trec")

    @cached_property
    def section_plan(self) -> Plan:
        """The declared plan as it stands for the chunking comparison: its measures, and no family."""
        return replace(self.plan, primary=SECTION_MEASURES[0], measures=SECTION_MEASURES, family=())

    @cached_property
    def section_qrels(self) -> QrelsFile:
        """Section-level judgements."""
        return read_qrels(self.gold.folder / "section_qrels.trec", name="section_qrels.trec")

    @cached_property
    def rankers(self) -> Compared:
        """The three rankers on passages."""
        return self.compared(RANKERS)

    def compared(self, names: tuple[str, ...]) -> Compared:
        """Some of the rankers; the family keeps its declared size."""
        runs = [self._run(name) for name in names]
        study = join(self.qrels, runs, relevant_grade=self.plan.relevant_grade, measures=self.plan.measures)
        return Compared(study, self.plan, self.gold.provisional)

    @cached_property
    def chunking(self) -> Compared:
        """Whole sections against passages collapsed to sections, at the level of sections: exploratory."""
        runs = [replace(self._run(f"section-{arm}"), name=arm) for arm in SECTION_ARMS]
        plan = self.section_plan
        study = join(self.section_qrels, runs, relevant_grade=plan.relevant_grade, measures=plan.measures)
        return Compared(study, plan, self.gold.provisional)

    @cached_property
    def by_type(self) -> dict[str, list[str]]:
        """Question type to question ids, the most frequent type first."""
        groups: dict[str, list[str]] = defaultdict(list)
        for question in self.gold.questions:
            groups[question.type].append(question.id)
        return dict(sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])))

    def _run(self, name: str) -> RunFile:
        return read_run(self.gold.folder / "runs" / f"{name}.trec", name=name)


@dataclass(frozen=True, slots=True)
class Recognised:
    """The plan that judgements and runs bring, whether they are provisional, and what has to be said about it."""

    plan: Plan
    provisional: bool | None
    notes: tuple[str, ...] = ()


def provisional_scores(sha256: str, gold: GoldSet) -> bool | None:
    """Whether scores are the textbook's, known by their sha256, and no person has reviewed them; None for others."""
    return gold.provisional if sha256 == published_hashes(gold).get("gold/scores.csv") else None


def recognise(qrels: QrelsFile, runs: Sequence[RunFile], gold: GoldSet) -> Recognised:
    """Known by sha256: the textbook's judgements bring its plan, and its runs are the plan's whatever they are called.

    Other runs on the textbook's judgements make a family of their own, which is not the declared analysis.
    Judgements of sections bring the plan of the chunking comparison, in which everything is exploratory.
    """
    published, textbook = published_hashes(gold), Textbook(gold)
    if qrels.sha256 == published.get("gold/section_qrels.trec"):
        plan, names = textbook.section_plan, tuple(f"section-{arm}" for arm in SECTION_ARMS)
    elif qrels.sha256 == published.get("gold/qrels.trec"):
        plan, names = textbook.plan, RANKERS
    else:
        return _unpublished(qrels, textbook)
    _refuse_changed(gold, published)
    declared = {published.get(f"gold/runs/{name}.trec"): name for name in names}
    given = {declared.get(run.sha256): run.name for run in runs}
    if None in given or len(given) < len(runs):
        note = "These are not the plan's runs: the family is that of the runs given, not the declared analysis."
        return Recognised(replace(plan, family=None, sha256=None), gold.provisional, (note,))

    def called(name: str) -> str:
        return given.get(name, f"the plan's {name}")

    family = tuple(ascending(called(a), called(b)) for a, b in plan.family or ())
    absent = [f"{called(a)} and {called(b)}" for a, b in plan.family or () if a not in given or b not in given]
    notes = (f"Of the declared family, absent here and counted as p = 1: {', '.join(absent)}.",) if absent else ()
    return Recognised(replace(plan, family=family), gold.provisional, notes)


def _refuse_changed(gold: GoldSet, published: dict[str, str]) -> None:
    """Plan and review must be the published ones, or the label would be another's."""
    problems = []
    for name in ("plan.toml", "authoring.json"):
        path = gold.folder / name
        with reading(path):
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
        if digest != published.get(f"gold/{name}"):
            what = "is not the file that the published report was computed from"
            problems.append(
                Problem(f"gold/{name}", None, what, "restore it, or run: python -m evalcore report --write")
            )
    if problems:
        raise BadInput(problems)


def _unpublished(qrels: QrelsFile, textbook: Textbook) -> Recognised:
    """Judgements that the published report does not know: a user's own, or a file in gold/ that has changed since."""
    path = textbook.gold.folder / "qrels.trec"
    if not path.exists() or hashlib.sha256(path.read_bytes()).hexdigest() != qrels.sha256:
        return Recognised(Plan(), None)
    note = "These judgements lie in gold/ and are not those of the published report: not the declared analysis."
    return Recognised(replace(textbook.plan, family=None, sha256=None), textbook.gold.provisional, (note,))

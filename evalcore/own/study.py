"""A study of one's own files under what was declared, and whether that was changed after results were seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from evalcore.comparison import Compared
from evalcore.files import BadInput, Problem, QrelsFile, RunFile
from evalcore.files.from_table import remarks
from evalcore.files.problems import short
from evalcore.files.texts import Document, Question
from evalcore.goldset.schema import GoldSet, provisional_judgements
from evalcore.own.declaration import Declaration, Stamped
from evalcore.own.inputs import Input, Part
from evalcore.plan import MOST_RUNS_IN_ALL_PAIRS
from evalcore.study import join

CHANGED = "changed after results were seen: exploratory, not the declared analysis"
_ONCE = (Part.JUDGEMENTS, Part.QUESTIONS, Part.DOCUMENTS)


@dataclass(frozen=True)
class OwnStudy:
    """Files, the declaration as first made, and the declaration now.

    Raises:
        BadInput: no judgements or two files of them, or a declaration of other runs than the files hold.

    """

    inputs: tuple[Input, ...]
    declared: Stamped
    now: Stamped

    def __post_init__(self) -> None:
        for part in _ONCE:
            count = len(self._of(part))
            if count > 1 or (part is Part.JUDGEMENTS and not count):
                raise BadInput([Problem("the study", None, f"has {count} files of {part}", "give one")])
        held, named = tuple(run.name for run in self.runs), self.now.declaration.runs
        if held != named:
            what = f"declares other runs than its files hold ({', '.join(map(short, held[:3]))})"
            raise BadInput([Problem("the study", None, what, "declare it again")])

    @classmethod
    def begun(
        cls, inputs: tuple[Input, ...], declaration: Declaration, at: str, before: Stamped | None = None
    ) -> OwnStudy:
        """A study declared now.

        ``before`` is what was declared when results on the same judgements were shown already: anything else that is
        declared after it counts as changed.
        """
        now = declaration.stamped(inputs, at)
        first = before or now
        return cls(inputs, first, first if first.sha256 == now.sha256 else now)

    def redeclared(self, declaration: Declaration, at: str) -> OwnStudy:
        """The study under another declaration; the first one is kept, and is in force again when declared again."""
        again = declaration.stamped(self.inputs, at)
        return replace(self, now=self.declared if again.sha256 == self.declared.sha256 else again)

    @property
    def changed(self) -> bool:
        """Whether what is in force, files included, is not what was declared first."""
        return self.now.sha256 != self.declared.sha256

    @property
    def remark(self) -> str | None:
        """What must be said beside every result of a changed study."""
        return CHANGED if self.changed else None

    @cached_property
    def qrels(self) -> QrelsFile:
        """The judgements."""
        return self._of(Part.JUDGEMENTS)[0].judgements

    @cached_property
    def runs(self) -> tuple[RunFile, ...]:
        """All runs, in the order of the files."""
        return tuple(run for file in self._of(Part.RUN) for run in file.runs)

    @cached_property
    def questions(self) -> Mapping[str, Question]:
        """Questions by id; empty where no texts were given."""
        return {i: q for file in self._of(Part.QUESTIONS) for i, q in file.questions.questions.items()}

    @cached_property
    def documents(self) -> Mapping[str, Document]:
        """Documents by id; empty where no texts were given."""
        return {i: d for file in self._of(Part.DOCUMENTS) for i, d in file.documents.documents.items()}

    @property
    def leading(self) -> tuple[str, str]:
        """The pair that comes first: the two highest means, or the first-named run and the highest of the others."""
        ordered, first = self.compared.by_mean, self.now.declaration.first
        if first is None:
            return ordered[0], ordered[1]
        return first, next(name for name in ordered if name != first)

    @cached_property
    def remarks(self) -> list[str]:
        """What happens to judgements that may surprise."""
        return remarks(self.qrels)

    @cached_property
    def compared(self) -> Compared:
        """The comparison under the declaration now; its hash is None when that is not the declared one.

        Raises:
            BadInput: no judgement reaches the relevant grade, or a run shares no question with the judgements.

        """
        declaration = self.now.declaration
        plan = declaration.plan(None if self.changed else self.now.sha256)
        study = join(self.qrels, self.runs, relevant_grade=plan.relevant_grade, measures=plan.measures)
        if strangers := [run.name for run in study.runs if not run.evaluated]:
            what = f"shares no question with {short(self.qrels.name)} that has a relevant document"
            remedy = "check ids for another prefix, zero padding or case"
            raise BadInput([Problem(name, None, what, remedy) for name in strangers])
        many = len(self.runs) > MOST_RUNS_IN_ALL_PAIRS
        # the textbook's own judgements stay provisional under whatever name they come
        label = provisional_judgements(self.qrels.sha256, GoldSet())
        return Compared(study, plan, label, remark=self.remark, listed=declaration.pairs if many else None)

    def _of(self, part: Part) -> list[Input]:
        return [file for file in self.inputs if file.part is part]

"""One score on labelled questions, with everything that can be said of a threshold on it, as labelled numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from evalcore.abstention.cost import Costs, cost_per_1000, coverage_at, risk_coverage_area, unsupported_share
from evalcore.abstention.cuts import Cut, cuts
from evalcore.abstention.sweep import Counts, Flags, Floats, Sweep, sweep
from evalcore.evidence import Basis, Count, Estimate, Source
from evalcore.evidence.claims import number
from evalcore.files.scores import ScoreTable
from evalcore.gates import Gate
from evalcore.stats.auc import Auc, auc, auc_difference
from evalcore.stats.proportions import wilson
from evalcore.stats.result import Interval

RECALL, CORRECT, FALSE = "recall_at_5", "correct_abstention", "false_abstention"
SCOPE, GENERATED = "wrong_scope_served", "generated_answer_competence"
UNREAD = "no generated answer has been read"
_AT_A_MIX = "no interval is given at an assumed share of traffic"
VISITOR = "whoever set the controls"


@dataclass(frozen=True)
class Scored:
    """A score column of a table.

    ``basis`` is measured, retrieval-only for a file, and assumed for simulated scores; ``source`` then says who chose
    them. ``provisional`` is None for a user's own file. ``synthetic``: the questions and scores are invented.
    ``made_from_labels``: the score was itself fitted on these labels, if across folds.
    """

    table: ScoreTable
    column: str
    source: Source
    basis: Basis = Basis.RETRIEVAL
    provisional: bool | None = None
    synthetic: bool = False
    made_from_labels: bool = False

    @cached_property
    def sweep(self) -> Sweep:
        """All candidates with their counts."""
        return sweep(self.table.answerable, self.scores, self.table.scope_ok)

    @property
    def scores(self) -> Floats:
        """One score a question, shape (n,), by ascending question id."""
        return self.table.scores[self.column]

    @property
    def answerable(self) -> Flags:
        """Whether each question is answerable, shape (n,)."""
        return self.table.answerable

    @cached_property
    def pairs(self) -> Auc:
        """AUC with the pairs that it counts."""
        return auc(self.scores[self.answerable], self.scores[~self.answerable])

    @property
    def auc(self) -> Estimate:
        """How often an answerable question scores above an unanswerable one; a tie is half."""
        return self.measured(self.pairs.interval)

    def auc_minus(self, other: Scored) -> Estimate:
        """AUC of this score minus that of another on the same questions: exploratory."""
        return self.measured(auc_difference(self.scores, other.scores, self.answerable))

    def false_abstention(self, candidate: int) -> Estimate:
        """Answerable questions refused, over all answerable ones, with Wilson's interval."""
        return self.measured(wilson(int(self.sweep.refused_answerable[candidate]), self.sweep.answerable))

    def correct_abstention(self, candidate: int) -> Estimate:
        """Unanswerable questions refused, over all unanswerable ones, with Wilson's interval."""
        return self.measured(wilson(int(self.sweep.refused_unanswerable[candidate]), self.sweep.unanswerable))

    def coverage(self, candidate: int) -> Estimate:
        """Questions served, over all, at the file's own mix."""
        return self.measured(wilson(int(self.sweep.served[candidate]), self.sweep.n))

    def unsupported(self, candidate: int) -> Estimate:
        """Unanswerable questions among those served, at the file's own mix: a floor on selective risk."""
        served = int(self.sweep.served[candidate])
        if not served:
            return self._nothing("no question is served, so there is no share of served answers")
        return self.measured(wilson(int(self.sweep.served_unanswerable[candidate]), served))

    def unsupported_at(self, candidate: int, share: float, *, generation_error: float = 0.0) -> Estimate:
        """The same at a share of unanswerable traffic, and with wrong answers to answerable questions: assumed."""
        value = float(unsupported_share(self.sweep, share, generation_error=generation_error)[candidate])
        if value != value:
            return self._nothing("nothing is served at this mix, so there is no share of served answers")
        assumed = f"unanswerable share of traffic {number(share)}"
        if generation_error:
            assumed += f", generation error {number(generation_error)} on served answerable questions"
        return self._assumed(value, f"reweighted to an assumed {assumed}", assumed)

    def refused_at(self, candidate: int, share: float) -> Estimate:
        """Share of traffic refused at a share of unanswerable questions: the diagnostic to watch in live use."""
        value = float((1 - coverage_at(self.sweep, share))[candidate])
        assumed = f"unanswerable share of traffic {number(share)}"
        return self._assumed(value, f"share of questions refused at an assumed {assumed}", assumed)

    def cost(self, candidate: int, costs: Costs, share: float | None = None) -> Estimate:
        """Expected cost per 1,000 questions at a share of traffic; None is the file's own mix."""
        pi = self.sweep.share if share is None else share
        mix = f"the file's mix ({number(pi)})" if share is None else f"an assumed share of {number(pi)}"
        assumed = f"cost of an unsupported answer {costs.unsupported:g}, of a refusal {costs.refusal:g}, at {mix}"
        value = float(cost_per_1000(self.sweep, costs, pi)[candidate])
        return self._assumed(value, "expected cost per 1,000 questions", assumed)

    def area(self, share: float | None = None) -> Estimate:
        """Area under the risk-coverage curve; None is the file's own mix."""
        value = risk_coverage_area(self.sweep, self.sweep.share if share is None else share)
        method, reason = "area of steps under the risk-coverage curve", "no interval is defined for the area"
        if share is not None:
            return self._assumed(value, method, f"unanswerable share of traffic {number(share)}")
        return Estimate(
            value, None, None, None, self.sweep.n, method, self.basis, (self.source,), reason, self.provisional
        )

    def outcome(self, candidate: int, *, answerable: bool, served: bool) -> Count:
        """One of the four cells."""
        counts: dict[tuple[bool, bool], tuple[Counts, str]] = {
            (True, True): (self.sweep.served_answerable, "answerable questions served"),
            (True, False): (self.sweep.refused_answerable, "answerable questions refused"),
            (False, True): (self.sweep.served_unanswerable, "unanswerable questions served"),
            (False, False): (self.sweep.refused_unanswerable, "unanswerable questions refused"),
        }
        cell, what = counts[answerable, served]
        total = self.sweep.answerable if answerable else self.sweep.unanswerable
        return self._count(int(cell[candidate]), total, what)

    @property
    def recall(self) -> Estimate:
        """Answerable questions with a hit, whatever the threshold; not assessed without a column of hits."""
        if self.table.hit is None:
            return self._nothing("the file has no column hit")
        return self.measured(wilson(int((self.table.hit & self.answerable).sum()), self.sweep.answerable))

    def wrong_scope(self, candidate: int) -> Count:
        """Answerable questions served with a first passage of the wrong scope: a blocking count."""
        what = "answerable questions served from the wrong scope"
        if self.sweep.wrong_scope is None:
            reason = "the file has no column scope_ok"
            return Count(None, 0, what, Basis.NOT_ASSESSED, reason=reason, provisional=self.provisional)
        return self._count(int(self.sweep.wrong_scope[candidate]), self.sweep.answerable, what)

    def against(self, gates: Mapping[str, Gate], candidate: int) -> list[tuple[Gate, Estimate | Count]]:
        """Each gate with what was measured for it at a candidate; competence of answers is never measured here."""
        measured: dict[str, Estimate | Count] = {
            RECALL: self.recall,
            CORRECT: self.correct_abstention(candidate),
            FALSE: self.false_abstention(candidate),
            SCOPE: self.wrong_scope(candidate),
            GENERATED: self._nothing(UNREAD),
        }
        return [(gate, measured[name]) for name, gate in gates.items()]

    def measured(self, found: Interval) -> Estimate:
        """An interval from this score's questions, with the score's label; not assessed where nothing was observed."""
        if found.value is None:
            return self._nothing(found.reason or "nothing was observed", method=found.method)
        return found.estimate(self.basis, (self.source,), provisional=self.provisional)

    def _assumed(self, value: float, method: str, assumed: str) -> Estimate:
        sources = (self.source, Source(assumed, chosen_by=VISITOR))
        return Estimate(
            value, None, None, None, self.sweep.n, method, Basis.ASSUMED, sources, _AT_A_MIX, self.provisional
        )

    def _nothing(self, reason: str, *, method: str = "none") -> Estimate:
        return Estimate.not_assessed(reason, method=method, provisional=self.provisional)

    def _count(self, count: int, total: int, what: str) -> Count:
        return Count(count, total, what, self.basis, (self.source,), provisional=self.provisional)


def passing(scored: Scored, gates: Mapping[str, Gate]) -> Flags:
    """Which candidates meet every gate that was set and that the threshold can move, shape (k + 1,).

    Recall is no such gate: no threshold changes it.
    """
    swept = scored.sweep
    passed = np.ones(len(swept), dtype=bool)
    rates = {CORRECT: swept.correct_abstention, FALSE: swept.false_abstention}
    if swept.wrong_scope is not None:
        rates[SCOPE] = swept.wrong_scope.astype(float)
    for name, values in rates.items():
        if name in gates and gates[name].is_set:
            passed = passed & gates[name].met_by(values)
    return passed


def feasible(scored: Scored, gates: Mapping[str, Gate]) -> tuple[Cut, ...]:
    """The thresholds that meet every gate that was set and that the threshold can move."""
    return cuts(scored.sweep, passing(scored, gates))


def decides_nothing(scored: Scored, gates: Mapping[str, Gate]) -> str | None:
    """Why the abstention gates decide nothing: answering or refusing everything meets all of them; else None."""
    mine = {name: gate for name, gate in gates.items() if name in (CORRECT, FALSE) and gate.is_set}
    if not mine:
        return None
    met = passing(scored, mine)
    trivial = [said for said, end in (("answering everything", 0), ("refusing everything", -1)) if met[end]]
    verb = "pass" if len(trivial) > 1 else "passes"
    return f"{' and '.join(trivial)} {verb} the abstention gates that were set" if trivial else None

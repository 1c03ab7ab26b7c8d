"""Rankers compared on the same questions: the one computation behind the page, the command line and the report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

from evalcore.evidence import Basis, Comparison, Count, Estimate, Source, Verdict
from evalcore.measures import Floats, Measure, recall_ceiling
from evalcore.plan import Pair, Plan, ascending
from evalcore.stats.means import beside_percentile, bootstrap_mean
from evalcore.stats.multiplicity import holm
from evalcore.stats.paired import beside_paired, compare_hits, compare_means
from evalcore.stats.proportions import exact_rate, wilson
from evalcore.stats.result import Interval
from evalcore.study import RunOnStudy, Study

NOT_EVALUATED = "the run shares no question with the judgements: it was not evaluated, so it has not lost"


@dataclass(frozen=True, slots=True)
class Tied:
    """Questions with tied scores in the top ten, and the mean over the worst and the best orders of the ties."""

    questions: Count
    worst: Estimate
    best: Estimate


@dataclass(frozen=True)
class Compared:
    """A study under a plan. Every number of it is an evidence object; the properties compute when they are asked.

    ``remark`` must be said beside the results, in exports too. ``listed`` are the pairs that tables and exports hold,
    names ascending; None is all of them, of which fifty runs have 1,225.
    """

    study: Study
    plan: Plan
    provisional: bool | None = None
    remark: str | None = None
    listed: tuple[Pair, ...] | None = None

    @cached_property
    def family(self) -> tuple[Pair, ...]:
        """The pairs of the family, names ascending."""
        return self.plan.family_of([run.name for run in self.study.runs])

    def mean(self, run: str, measure: Measure, questions: Sequence[str] | None = None) -> Estimate:
        """A run's mean: percentile bootstrap, or Wilson for a hit rate. Over some questions only it is exploratory."""
        return self._kept_mean(run, measure, questions, self._mean_interval)

    def beside(self, run: str, measure: Measure, questions: Sequence[str] | None = None) -> Estimate:
        """The second interval of a mean: t(n - 1) below 30 questions, BCa from there on; Clopper-Pearson of hits."""
        return self._kept_mean(run, measure, questions, self._second_interval)

    def judged_at_10(self, run: str) -> Estimate:
        """Mean share of the returned top 10 that has a judgement."""
        values = self.study.judged_at_10(run)
        s = self.plan.settings
        interval = bootstrap_mean(values, level=s.level, seed=s.seed, resamples=s.resamples)
        if interval.value is None:
            return Estimate.not_assessed("the run returned nothing", method="judged@10", provisional=self.provisional)
        return self._estimate(interval, self._sources(run))

    def missing(self, run: str) -> Count:
        """Questions that the run does not return; they count as 0 in every mean."""
        return self._count(len(self.study.by_name[run].missing), len(self.study.questions), "questions", run)

    def unjudged_at_10(self, run: str) -> Count:
        """Returned, unjudged documents in the top 10 over all questions."""
        rankings = self.study.by_name[run].rankings.values()
        returned = sum(min(10, r.returned) for r in rankings)
        return self._count(self.study.unjudged_at_10(run), returned, "documents in the top 10", run)

    def tied(self, run: str, measure: Measure) -> Tied | None:
        """How far tied scores decide a mean; None when no question has a tie that counts."""
        audit = self.study.ties(run)[measure]
        if audit is None:
            return None
        questions = self._count(audit.questions, len(self.study.questions), "questions", run)
        return Tied(questions, self._bound(audit.worst, run), self._bound(audit.best, run))

    def ceiling(self, measure: Measure) -> Estimate | None:
        """The highest mean that R@k can reach on these questions; None for other measures or when it is 1."""
        if measure.kind != "R":
            return None
        study = self.study
        highest = recall_ceiling(study.qrels, study.questions, measure, study.relevant_grade)
        if highest >= 1:
            return None
        return Estimate(
            highest,
            None,
            None,
            None,
            len(study.questions),
            "mean of min(k, R) / R",
            Basis.RETRIEVAL,
            (Source(study.qrels_name, study.qrels_sha256),),
            reason="a property of the judgements, not an estimate",
            provisional=self.provisional,
        )

    def pairs(self, measure: Measure) -> tuple[Comparison, ...]:
        """The listed pairs of runs in the order in which the runs were given, first minus second."""
        pairs = combinations([run.name for run in self.study.runs], 2)
        listed = None if self.listed is None else set(self.listed)
        return tuple(self.pair(a, b, measure) for a, b in pairs if listed is None or ascending(a, b) in listed)

    def pair(self, first: str, second: str, measure: Measure) -> Comparison:
        """First minus second; computed with the names ascending, and negated when asked the other way round."""
        low, high = ascending(first, second)
        of_family = self._family.get((low, high)) if measure == self.plan.primary else None
        comparison = of_family or self._raw(low, high, measure)
        return comparison if (first, second) == (low, high) else comparison.reversed()

    def beside_pair(self, first: str, second: str, measure: Measure) -> Estimate | None:
        """The second interval of a mean difference; None for a hit rate, where nothing better is simulated."""
        low, high = ascending(first, second)
        values = self.study.values
        if measure.is_hit_rate or low not in values or high not in values:
            return None
        key = ("beside_pair", low, high, measure)
        if key not in self._kept:
            apart = values[low][measure] - values[high][measure]
            interval = beside_paired(apart, level=self.plan.settings.level)
            self._kept[key] = self._estimate(interval, self._sources(low, high))
        found = self._kept[key]
        return found if first == low else found.negated()

    def differences(self, first: str, second: str, measure: Measure) -> dict[str, float]:
        """Question id to the first run's value minus the second's."""
        values = self.study.values
        apart = values[first][measure] - values[second][measure]
        return dict(zip(self.study.questions, apart.tolist(), strict=True))

    @cached_property
    def by_mean(self) -> tuple[str, ...]:
        """Evaluated runs, the highest mean on the primary measure first, equals by name; an order, not a ranking."""
        means = {name: float(values[self.plan.primary].mean()) for name, values in self.study.values.items()}
        return tuple(sorted(means, key=lambda name: (-round(means[name], 9), name.encode())))

    @property
    def leader(self) -> str | None:
        """The run with the highest mean on the primary measure."""
        return self.by_mean[0] if self.by_mean else None

    def not_separated(self) -> tuple[str, ...]:
        """The leader and the runs that the family does not separate from it, in the order given."""
        if self.leader is None:
            return ()
        names = [run.name for run in self.study.runs if run.evaluated]
        return tuple(
            name
            for name in names
            if name == self.leader or self.pair(self.leader, name, self.plan.primary).verdict is not Verdict.GAIN
        )

    @cached_property
    def _family(self) -> dict[tuple[str, str], Comparison]:
        """The family's members with Holm-adjusted p and verdict; k is the declared number, present or not."""
        there = {run.name for run in self.study.runs}
        raw = {pair: self._raw(*pair, self.plan.primary) for pair in self.family if there.issuperset(pair)}
        adjusted = holm([c.p for c in raw.values()], k=len(self.family))
        return {
            pair: replace(c, in_family=True, p_holm=p, verdict=self._verdict(p))
            for (pair, c), p in zip(raw.items(), adjusted, strict=True)
        }

    @cached_property
    def _pairs(self) -> dict[tuple[str, str, Measure], Comparison]:
        """Pairs already computed. Of fifty runs there are 1,225, so each is computed when it is first asked for."""
        return {}

    def _raw(self, low: str, high: str, measure: Measure) -> Comparison:
        """A pair with its names ascending, before any adjustment."""
        key = (low, high, measure)
        if key not in self._pairs:
            self._pairs[key] = self._compared(*key)
        return self._pairs[key]

    def _verdict(self, p_holm: float | None) -> Verdict | None:
        if p_holm is None:
            return None
        if self.plan.tuned_on_these_questions:
            return Verdict.DEVELOPMENT
        return Verdict.GAIN if p_holm < self.plan.alpha else Verdict.INCONCLUSIVE

    def _compared(self, first: str, second: str, measure: Measure) -> Comparison:
        values = self.study.values
        if first not in values or second not in values:
            missing = Estimate.not_assessed(NOT_EVALUATED, method="paired difference", provisional=self.provisional)
            return Comparison(first, second, str(measure), missing, None, 0, 0, 0, None, "none")
        method = compare_hits if measure.is_hit_rate else compare_means
        settings = replace(self.plan.settings, sign_vectors=self.plan.sign_vectors(len(self.family)))
        found = method(values[first][measure], values[second][measure], settings)
        return Comparison(
            first,
            second,
            str(measure),
            self._estimate(found.interval, self._sources(first, second)),
            found.d_z,
            found.wins,
            found.ties,
            found.losses,
            found.test.p,
            found.test.method,
        )

    @cached_property
    def _kept(self) -> dict[tuple[object, ...], Estimate]:
        """Means already computed: a page asks for the same ones on every run."""
        return {}

    def _kept_mean(
        self,
        run: str,
        measure: Measure,
        questions: Sequence[str] | None,
        method: Callable[[Floats, Measure], Interval],
    ) -> Estimate:
        if not self.study.by_name[run].evaluated:
            return Estimate.not_assessed(NOT_EVALUATED, method="mean over questions", provisional=self.provisional)
        key = (method.__name__, run, measure, None if questions is None else tuple(questions))
        if key not in self._kept:
            values = self.study.values[run][measure]
            some = values if questions is None else values[self.study.only(questions)]
            self._kept[key] = self._estimate(method(some, measure), self._sources(run))
        return self._kept[key]

    def _mean_interval(self, values: Floats, measure: Measure) -> Interval:
        s = self.plan.settings
        if measure.is_hit_rate:
            return wilson(int(values.sum()), len(values), level=s.level)
        return bootstrap_mean(values, level=s.level, seed=s.seed, resamples=s.resamples)

    def _second_interval(self, values: Floats, measure: Measure) -> Interval:
        s = self.plan.settings
        if measure.is_hit_rate:
            return exact_rate(int(values.sum()), len(values), level=s.level)
        return beside_percentile(values, level=s.level, seed=s.seed, resamples=s.resamples)

    def _bound(self, value: float, run: str) -> Estimate:
        """A mean over the best or worst tie orders: an end of a range, not an estimate with an interval."""
        n, sources = len(self.study.questions), self._sources(run)
        reason = "an extreme over the orders of tied scores"
        return Estimate(
            *(value, None, None, None, n, "mean over tie orders", Basis.RETRIEVAL, sources),
            reason=reason,
            provisional=self.provisional,
        )

    def _sources(self, *runs: str) -> tuple[Source, ...]:
        files: list[RunOnStudy] = [self.study.by_name[name] for name in runs]
        judgements = Source(self.study.qrels_name, self.study.qrels_sha256)
        return (judgements, *(Source(run.name, run.sha256) for run in files))

    def _estimate(self, interval: Interval, sources: tuple[Source, ...]) -> Estimate:
        return interval.estimate(Basis.RETRIEVAL, sources, provisional=self.provisional)

    def _count(self, count: int, total: int, what: str, run: str) -> Count:
        return Count(count, total, what, Basis.RETRIEVAL, self._sources(run), provisional=self.provisional)

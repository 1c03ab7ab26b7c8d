"""The strongest sentences that a comparison supports, and what may not be said.

Sentences are built here and nowhere else, so the page, the report and the command line cannot word one result two ways.
Run names are data: whoever prints a sentence renders it as text.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal
from math import sqrt

from evalcore.evidence.types import Comparison, Estimate, Verdict

Naming = Callable[[str], str]
_NOTHING = 1e-9
_USUAL_ALPHA = 0.05


def number(value: float | None, digits: int = 3) -> str:
    """A number for reading: fixed digits, a real minus sign, a dash when undefined.

    A number that fixed digits would round to zero keeps one digit of its own: a limit of -0.0004 is not zero.
    """
    if value is None:
        return "–"
    # halves go up, as readers round; nine decimals first, so that 0.0375 stored as 0.03749999999999998 is a half
    shown = str(Decimal(f"{value:.9f}").quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP))
    if float(shown) == 0:
        shown = f"{0:.{digits}f}" if abs(value) < _NOTHING else f"{float(f'{value:.1g}'):.9f}".rstrip("0")
    return shown.replace("-", "−")


def signed(value: float | None, digits: int = 3) -> str:
    """A difference for reading, with its sign."""
    shown = number(value, digits)
    return f"+{shown}" if value is not None and value > _NOTHING else shown


def p_value(p: float | None) -> str:
    """A p-value for reading; small ones, and those that would round to 0.050, keep a digit more."""
    if p is None:
        return "–"
    if 0.0495 <= p < 0.0505 and p != _USUAL_ALPHA:
        return f"{p:.4f}"
    return f"{p:.3f}" if p >= 0.001 else f"{p:.1g}" if p < 0.0001 else f"{p:.4f}"


def interval(estimate: Estimate, digits: int = 3) -> str:
    """The limits for reading, or that there is none."""
    if estimate.low is None or estimate.level is None:
        return "no interval"
    low, high = number(estimate.low, digits), number(estimate.high, digits)
    return f"{100 * estimate.level:g} % interval {low} to {high}"


def headline(comparison: Comparison, name: Naming = str) -> str:
    """One sentence: who is ahead, by how much, whether the study can tell. ``name`` gives a run's name on screen."""
    c, first, second = comparison, name(comparison.first), name(comparison.second)
    if c.difference.value is None:
        return f"{first} and {second} could not be compared: {c.difference.reason}."
    if c.leader is None:
        return f"{first} and {second} have the same mean {c.measure}; that is not proof that they are equal."
    ahead, behind = (first, second) if c.leader == c.first else (second, first)
    lead = f"{ahead} is ahead of {behind} by {number(abs(c.difference.value))} {c.measure}"
    ending = {
        Verdict.GAIN: "a measured gain, still retrieval-only.",
        Verdict.INCONCLUSIVE: "but this study cannot separate them.",
        Verdict.DEVELOPMENT: "on the questions that the rankers were tuned on: development-grade.",
        None: "an exploratory figure without a verdict.",
    }[c.verdict]
    return f"{lead}, {ending}"


def finding(comparison: Comparison, *, k: int, alpha: float, name: Naming = str) -> str:
    """The figures behind the headline, the leader first: interval, p, adjusted p, verdict, questions that flipped."""
    c = comparison.reversed() if comparison.leader == comparison.second else comparison
    first, second = name(c.first), name(c.second)
    if c.difference.value is None:
        return f"Not assessed: {c.difference.reason}."
    n = c.difference.n
    parts = [f"{first} minus {second}: {signed(c.difference.value)} ({interval(c.difference)}, n = {n})."]
    if c.difference.low is None and c.difference.reason:
        parts.append(f"No interval: {c.difference.reason}.")
    if c.in_family:
        parts.append(
            f"The Holm-adjusted p over {_comparisons(k)} is {p_value(c.p_holm)} (raw {p_value(c.p)}), "
            f"against alpha {alpha:g}."
        )
        if c.verdict is Verdict.INCONCLUSIVE:
            parts.append('The verdict is inconclusive, which is not "no difference".')
        elif c.verdict is not None:
            parts.append(f"The verdict is: {c.verdict.value}.")
    else:
        parts.append(f"Raw p {p_value(c.p)}; outside the declared family, so exploratory and without a verdict.")
    parts.append(
        f"{c.flipped} of {n} questions differ: {c.wins} favour {first}, {c.losses} favour {second}, {c.ties} tie."
    )
    if warning := disagreement(c, alpha=alpha):
        parts.append(warning)
    return " ".join(parts)


def in_brief(comparison: Comparison) -> str:
    """Difference, interval, n and p in brackets, for a line that has room for no more."""
    c = comparison
    p = f"Holm-adjusted p {p_value(c.p_holm)}" if c.in_family else f"raw p {p_value(c.p)}"
    return f"({signed(c.difference.value)}, {interval(c.difference)}, n = {c.difference.n}, {p})"


def ends_at_zero(estimate: Estimate) -> bool:
    """Whether a resampled interval has a limit that another seed could move across zero.

    Twice the standard error of the limit, as for a normal distribution of resampled means: a quantile at level q has
    standard error sqrt(q (1 - q) / B) / density (Serfling 1980, section 2.3.3), 0.68 / sqrt(B) of the width at 95 %.
    """
    if estimate.low is None or estimate.high is None or estimate.resamples is None:
        return False
    error = 0.68 * (estimate.high - estimate.low) / sqrt(estimate.resamples)
    return min(abs(estimate.low), abs(estimate.high)) <= 2 * error


def disagreement(comparison: Comparison, *, alpha: float) -> str | None:
    """Said when the interval, which is unadjusted, and the verdict, which is adjusted, point different ways."""
    c, d = comparison, comparison.difference
    if c.verdict not in (Verdict.GAIN, Verdict.INCONCLUSIVE) or d.low is None or d.high is None or c.p is None:
        return None
    rule = "the declared rule is the adjusted p"
    if ends_at_zero(d):
        return f"The interval ends at zero, to within the error of resampling, and so decides nothing here; {rule}."
    excludes_zero = d.low > 0 or d.high < 0
    if excludes_zero and c.verdict is Verdict.INCONCLUSIVE:
        said = "The interval excludes zero and the verdict is still inconclusive: "
        if c.p < alpha:
            return said + "the interval is for this comparison alone, the verdict is adjusted for the whole family."
        return f"{said}interval and test are different methods, and {rule}."
    if not excludes_zero and c.verdict is Verdict.GAIN:
        return (
            "The interval reaches zero although the test does not: interval and test are different methods, and "
            f"{rule}."
        )
    return None


def may_not_be_said(comparison: Comparison, name: Naming = str) -> tuple[str, ...]:
    """What a reader may not conclude from this comparison."""
    said = []
    if comparison.verdict is Verdict.INCONCLUSIVE:
        if comparison.leader is not None:
            ahead, behind = comparison.leader, {comparison.first, comparison.second} - {comparison.leader}
            said.append(
                f"That {name(ahead)} ranks better than {name(*behind)} in general: the test cannot tell them apart."
            )
        said.append(
            f"That {name(comparison.first)} and {name(comparison.second)} are equal: any difference inside the "
            "interval is compatible with these questions."
        )
    if comparison.verdict is None and comparison.difference.value is not None:
        said.append("That either is better: this measure is outside the family that was declared beforehand.")
    if comparison.provisional:
        said.append("That the figures are final: no person has reviewed the questions and judgements yet.")
    said.append("That answers generated from these passages are right: only retrieval was measured.")
    return tuple(said)


def _comparisons(k: int) -> str:
    return "1 comparison" if k == 1 else f"{k} comparisons"

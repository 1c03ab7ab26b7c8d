"""What a plan lets one say, and what it does not."""

from __future__ import annotations

from evalcore.evidence import Estimate
from evalcore.evidence.claims import number
from evalcore.planning.questions import MeanPlan

WIDER = (
    "Widths and powers hold at the supposed values. If another value is measured the width is another one too, and "
    "about half of the studies come out wider than planned."
)
# the interval of a d_z is exact for normal differences only, which no ranker's are
IF_NORMAL = (
    "if the differences are normal; with a long tail the interval of a d_z holds the truth less often than it says, "
    "and nothing better is simulated"
)
WORDS_FOR = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five"}


def headline(plan: MeanPlan) -> str:
    """What the questions there are can find, and what a wanted effect takes."""
    needed = _needed(plan.for_the_family)
    return f"{plan.now} questions find {_found(plan)}; one of {plan.d_z:g} needs {needed}."


def below_the_headline(plan: MeanPlan) -> str:
    """The conditions of the headline."""
    family = WORDS_FOR.get(plan.family, str(plan.family))
    one, first = plan.power_now(plan.alpha), plan.power_now(plan.first_step)
    return (
        "Counted in standard deviations of the differences between two runs, question by question (d_z), and found in "
        f"{100 * plan.power:g} of 100 studies (power {plan.power:g}). The bound on p is the strictest of {family} "
        f"declared comparison{'' if plan.family == 1 else 's'}, alpha {plan.alpha:g} divided by their number: "
        f"{plan.first_step:.3g} (Holm's first step). One test alone, at alpha {plan.alpha:g}, needs "
        f"{_needed(plan.for_one_test)}; with {plan.now} questions, power at a d_z of {plan.d_z:g} is "
        f"{number(one.value, 2)} for one test and {number(first.value, 2)} at Holm's first step."
    )


def _found(plan: MeanPlan) -> str:
    detectable = plan.detectable(plan.first_step)
    if detectable.value is None:
        return f"nothing that chance would not ({detectable.reason})"
    return f"a mean difference of {number(detectable.value, 2)} standard deviations or more"


def _needed(estimate: Estimate) -> str:
    return str(estimate.reason) if estimate.value is None else number(estimate.value, 0)


def _missed(plan: MeanPlan) -> str:
    """How often an effect is missed: Holm's first step is the hardest one, so that its figure is the most."""
    one, first = (number(100 * (1 - (plan.power_now(a).value or 0)), 0) for a in (plan.alpha, plan.first_step))
    if plan.family == 1:
        return f"missed in {one} of 100 such studies"
    return f"missed in {one} of 100 such studies by one test alone, and in up to {first} of 100 at Holm's first step"


def may_not_be_said(plan: MeanPlan) -> tuple[str, ...]:
    """What a reader may not conclude from a plan."""
    return (
        "That a planned number was measured: it follows from inputs that somebody chose.",
        f"That an inconclusive comparison shows no difference: with {plan.now} questions a real d_z of {plan.d_z:g} is "
        f"{_missed(plan)}.",
        f"That power computed from an observed effect adds anything: a result with p = {plan.alpha:g} on {plan.now} "
        f"questions gives {number(plan.after_the_fact.value, 2)}, whatever is true.",
        f"That a d_z seen once is the true one: {plan.d_z:g} on {plan.now} questions is compatible with "
        f"{number(plan.d_z_seen.low, 2)} to {number(plan.d_z_seen.high, 2)}, {IF_NORMAL}.",
    )

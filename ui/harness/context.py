"""How the page's numbers are computed, the checks' published definitions, and what the numbers do not show."""

from __future__ import annotations

import streamlit as st

from evalcore.generation.checks import definitions
from evalcore.generation.limits import Limits
from evalcore.generation.rubric import TITLES, WORDING
from ui.harness.item import check_title
from ui.text import plain

WORDS = {
    "Pack, item, topic": "a topic's seven questions are its pack; each question with its answer is an item.",
    "Valid output": "a complete answer in the form asked for. A refusal, a cut-off answer or a wrong form counts "
    "against "
    "the model; a failure of key, network or service does not, and leaves the run incomplete.",
    "Support check": "citations, numbers, content words and key all pass; what agreement is measured on.",
    "Derived": "a number that follows from two stated ones; not a pass, counted apart.",
    "Blind": "rated before this person was shown what the checks say. Only blind ratings enter the agreement.",
    "Faithful": "everything that the question and its right answer state is supported by the cited passages.",
    "Among successful topics, over planned items": "of the items that there are; and of all that were asked for, in "
    "which a missing item has not passed.",
    "Cluster-adjusted Wilson, ICC, design effect": "items of one topic share passages and a call, so they count for "
    "less "
    "than as many independent ones: by the design effect, which grows with the ICC, their likeness.",
    "Raw agreement, kappa": "how often two verdicts are the same; and the same beyond what their shares of yes give by "
    "chance. Kappa is undefined where one side said one thing throughout.",
    "Sensitivity, specificity": "of the items that the person found faithful, how many pass; of those it said no to, "
    "how "
    "many do not pass.",
}


def how_computed() -> None:
    """Definitions, formulas and functions."""
    with st.expander("How this is computed", icon=":material/function:"):
        limits = Limits.of()
        st.markdown(
            f"**The checks**, with thresholds from the plan (sha256 {plain((limits.plan_sha256 or '')[:12])}…):"
        )
        st.markdown("\n".join(f"- **{check_title(c)}:** {plain(said)}" for c, said in definitions(limits).items()))
        st.markdown("**The rubric**, the same words for a person and for a judge that is a model:")
        st.markdown("\n".join(f"- **{TITLES[q]}:** {plain(said)}" for q, said in WORDING.items()))
        st.markdown(
            "- **Valid output:** topics ok of topics with an outcome of the model's own, Wilson's interval. "
            "`evalcore.generation.results.output`\n"
            "- **Rates:** Wilson at n over Kish's design effect, t(G − 1). At 0 % and 100 % the likeness of items "
            "cannot "
            "be seen, so both ends are given: topics as the sample, and items as independent. "
            "`evalcore.stats.clusters.cluster_rate`\n"
            "- **Kappa:** two intervals: topics resampled, and leave-one-topic-out jackknife with t(G − 1). "
            "`evalcore.stats.agreement.agreement`\n"
            "- **Two runs:** per-topic shares of planned items, t(G − 1) and an exact sign-flip test over topics. "
            "`evalcore.generation.results.comparison`\n"
            "- **Cost:** tokens as the service counted them, at dated list prices. `evalcore.generation.calls.prices`"
        )


def limits() -> None:
    """What the numbers do not show."""
    st.header("Limits", anchor=False)
    st.markdown(
        "- The checks match words and numbers. A sentence that turns a passage round with the same words passes; a "
        "right "
        "one in other words may fail. How often, is what the agreement is for.\n"
        "- Eight topics of one textbook, one call each: another call may answer otherwise, at temperature 0 too.\n"
        "- With eight topics every interval is wide, and kappa's do not keep their word (see Power and intervals).\n"
        "- Blind means that this page had not shown the checks to that name, or to another in that browser session "
        "before a reload. It cannot know "
        "what somebody saw elsewhere. Who starts a run knows its model.\n"
        "- The automatic support check and a judge are not people. Two models that agree are not human agreement.\n"
        "- Whoever has the address of a run can read and rate it. A run stays on this server's disk; on a host "
        "without a "
        "lasting disk a new version of the app ends it, so export what you want to keep.\n"
        "- Prices are list prices of a date; what is billed may differ. A refused or stopped call may be billed."
    )

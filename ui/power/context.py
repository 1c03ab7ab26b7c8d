"""How the page's numbers are computed, and what they do not show."""

from __future__ import annotations

import streamlit as st


def how_computed() -> None:
    """Formula, source and function of what the page shows."""
    with st.expander("How this is computed", icon=":material/function:"):
        st.markdown(
            "- **Wilson:** JASA 22, 1927. **Clopper-Pearson:** Biometrika 26, 1934. **Normal:** p ± z √(p(1 − p)/n), "
            "not clipped. `evalcore.stats.proportions`. **Bootstrap:** 10,000 resamples, seed 20241009. "
            "`evalcore.stats.means.bootstrap_mean`\n"
            "- **Questions for a half-width h:** z² p(1 − p)/h², rounded up; beside it the smallest n whose Wilson "
            "interval is as narrow. `evalcore.stats.widths`\n"
            "- **Gates:** the count of n independent questions is binomial. `evalcore.stats.widths.gate_passes`\n"
            "- **Paired standard error:** √((b + c)/n − ((b − c)/n)²)/√n, with n below the line (ddof 0), where d_z "
            "has n − 1. `evalcore.stats.flips.paired_error`\n"
            "- **Paired interval:** Newcombe, method 10 (Statistics in Medicine 17, 1998, 2635–2650); as if unpaired: "
            "his method 10 for two groups (same volume, 873–890). `evalcore.stats.proportions.newcombe_paired`, "
            "`newcombe_unpaired`\n"
            "- **Power of a mean:** noncentral t with n − 1 degrees of freedom and noncentrality d_z √n (Cohen 1988); "
            "0 where 2/2ⁿ, the sign-flip test's smallest p, is not below alpha. `evalcore.stats.power.paired_power`, "
            "`questions_needed`, `detectable_d_z`, `fewest_for_sign_flips`; interval of d_z by inverting it, "
            "`d_z_limits`\n"
            "- **Power of a hit rate:** McNemar's exact test, enumerated over the number of flips; normal "
            "approximation by Connor (Biometrics 43, 1987). `evalcore.stats.flips.mcnemar_power`, `mcnemar_questions`\n"
            "- **Topics:** design effect 1 + (m − 1) ICC (Kish 1965); ICC by analysis of variance; Wilson at n over "
            "the design effect with t(G − 1). `evalcore.stats.clusters.cluster_rate`\n"
            "- **Own differences:** drawn with replacement after being moved to the difference worth having, all of "
            "them or all but the ties; each study has the sign-flip test of the plan. "
            "`evalcore.stats.resampled_power.study_p_values`, `recentred`, `recentred_beside_ties`\n"
            "- **Coverage:** simulated on named populations; the lowest share is printed, for items in topics that of "
            "the nearest shape. `evalcore.stats.coverage`\n"
            "- The command line gives the same numbers: `python -m evalcore power`, `python -m evalcore coverage`."
        )


def limits() -> None:
    """What the numbers do not show."""
    st.header("Limits", anchor=False)
    st.markdown(
        "- **Assumed.** A plan is as good as its inputs: a d_z, a rate, shares of flips or an ICC that somebody "
        "supposed.\n- **Questions are taken as independent** of each other, but for section 3's topics. Five questions "
        "about one page are not five.\n"
        "- **Normal differences** in the closed form, which is the t test's; the sign-flip test, which gives the "
        "verdicts, agrees with it from about 20 questions on and finds less below that. Ties and long tails move it "
        "further.\n"
        "- **Section 4 draws moved differences**: values that were never seen, with the spread of those that were. "
        "Ties become differences there unless they are kept as ties, and no tail is longer than the sample's.\n"
        "- **Supposed values.** Widths and powers hold at the value that was supposed. If another one is measured the "
        "width is another one too: about half of the studies come out wider than planned. An ICC is itself estimated, "
        "from a few topics badly.\n"
        "- **More questions of the same kind** narrow an interval around the same bias: a set that is easy, or that "
        "one author wrote, stays so at any n.\n"
        "- **Holm's first step** is the hardest one: later comparisons of the family meet a milder bound, and power to "
        "find every real difference is lower than power to find one.\n"
        "- **Populations are ours.** An interval that keeps its word on the named ones can break it on others."
    )

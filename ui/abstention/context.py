"""How the page's numbers are computed, and what they do not show."""

from __future__ import annotations

import streamlit as st

from evalcore.studies import TEXTBOOK_TITLE
from ui import cached


def how_computed() -> None:
    """Formula, source and function of what the page shows."""
    study = cached.abstention(TEXTBOOK_TITLE)
    with st.expander("How this is computed", icon=":material/function:"):
        st.markdown(
            "- **Sweep:** served when score ≥ threshold; candidates are the distinct scores and *refuse everything*; "
            "a cut between two scores is the upper one. `evalcore.abstention.sweep.sweep`\n"
            "- **Correct and false abstention:** counts over counts, with Wilson's interval (JASA 22, 1927). "
            "`evalcore.abstention.scored.Scored`, `evalcore.stats.proportions.wilson`\n"
            "- **Cost per 1,000 questions:** 1000 (π c_u (1 − a_U) + (1 − π) c_a f_A), with π the unanswerable share, "
            "a_U correct and f_A false abstention. `evalcore.abstention.cost.cost_per_1000`, `cheapest`\n"
            "- **Unsupported share of served:** π (1 − a_U) / (π (1 − a_U) + (1 − π)(1 − f_A)); a generation error e "
            "adds e (1 − π)(1 − f_A) above the line. `evalcore.abstention.cost.unsupported_share`\n"
            "- **Risk-coverage area:** sum over candidates, highest score first, of the step in coverage times the "
            "unsupported share. `evalcore.abstention.cost.risk_coverage_area`\n"
            "- **AUC:** pairs won, a tie being half; interval by Newcombe's method 5 (Statistics in Medicine 25, 2006, "
            "559–573). `evalcore.stats.auc.auc`, `newcombe_auc`. Differences: stratified paired bootstrap, 10,000 "
            "resamples, seed 20241009. `auc_difference`\n"
            "- **q(s):** logistic regression, unpenalised maximum likelihood (statsmodels); isotonic as a check "
            "(SciPy); another mix by logit q′ = logit q + log((1 − π)/π) − log((1 − π₀)/π₀), π₀ the file's share. "
            "Reliability from cross-fitted q in stratified folds. `evalcore.abstention.calibration`, "
            "`evalcore.stats.logistic`\n- **Answer when cheaper:** q above c_u / (c_u + c_a). "
            "`evalcore.abstention.cost.Costs.answer_above`\n- **Scores of the textbook:** top-1 cosine, best-sentence "
            "cosine, BM25, fused and combined, from stored vectors. `evalcore.goldset.scores.candidates`; the command "
            "line gives the same numbers: `python -m evalcore sweep --scores gold/scores.csv --score best_sentence`"
        )
        st.caption("The files behind the numbers, with their sha256")
        toy = cached.toy()
        files = [(s.scores[s.primary].table.sha256, s.scores[s.primary].table.name) for s in (study, toy)]
        files += [(study.plan_sha256, "plan.toml"), (toy.plan_sha256, "toy/plan.toml")]
        st.code("\n".join(f"{sha}  {name}" for sha, name in files), language=None, wrap_lines=True)


def limits() -> None:
    """What the numbers do not show."""
    st.header("Limits", anchor=False)
    st.markdown(
        "- **Development only.** Every threshold here is chosen on the questions that measure it. Held-out: not "
        "assessed.\n- **Drafted and read by language models.** An author who saw titles and single words wrote the "
        "unanswerable questions; two readers of the whole text found no answer to any. Two model readers agreeing is "
        "not human agreement, and no person has reviewed them.\n"
        "- **Near, and not near enough.** All ten questions about an undefined term name one that the text never uses; "
        "none asks for a term that it uses and leaves undefined, which may be harder to refuse and was not measured.\n"
        "- **24 unanswerable questions.** One question moves correct abstention by 0.042, and at a "
        "true rate of exactly 0.80 a gate of 0.80 is passed 46 % of the time.\n"
        "- **The cheapest threshold moves.** Its interval is a thousandth wide and lies between the scores of two "
        "single questions; other questions would put it elsewhere, and no interval here shows how far.\n"
        "- **The combined score is pooled over folds,** each with a fit of its own, so that scores of two folds are "
        "not on quite the same scale.\n"
        "- **Costs and traffic are assumed.** No customer, ticket or patient was counted."
    )

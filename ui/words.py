"""The words of the pages, explained where they are used: a phone has no pointer to hover with."""

from __future__ import annotations

import streamlit as st

WORDS = {
    "nDCG@10": "rewards passages of a high grade near the top of the first ten; 1 is the best possible order.",
    "RR@10": "1 / rank of the first answer-bearing passage in the first ten, else 0; its mean is MRR@10.",
    "R@5, R@10": "share of all answer-bearing passages that is among the first 5 or 10.",
    "Success@k": "1 when at least one answer-bearing passage is among the first k, else 0; its mean is a hit rate.",
    "n": "number of questions.",
    "95 % interval": "limits from a method that holds the true value in about 95 of 100 such samples; the measured "
    "share stands under the cards.",
    "Percentile bootstrap, BCa, t(n − 1)": "three ways to such limits for a mean: quantiles of resampled means; the "
    "same, corrected for bias and skew; Student's t for few questions, whose limits may pass 0 or 1.",
    "Wilson, Newcombe": "such limits for a hit rate, and for the difference of two hit rates on the same questions.",
    "p (raw)": "how often a difference at least this large would appear if each question's sign were a coin flip.",
    "Family, Holm-adjusted p, alpha": "the comparisons declared before the data; the smallest p is multiplied by their "
    "number, the next by one less, and so on, none below the one before it; below alpha (0.05) a comparison is a "
    "measured gain.",
    "Inconclusive": "the declared test cannot tell the two apart on these questions; it does not say that they are "
    "equal.",
    "Exploratory": "outside the declared family: an interval and a p, but no verdict.",
    "d_z": "mean difference divided by the standard deviation of the differences; not Cohen's d of two groups.",
    "W / T / L": "questions on which the first ranker wins, ties or loses.",
    "Pool, span, grade": "the passages that any ranker put in its first ten; the words that answer; 2 answers, 1 is "
    "related, 0 is neither.",
    "judged@10": "share of the first ten that has a judgement; a passage without one counts as not relevant.",
    "Tie orders": "passages with one score can stand in any order; the best and the worst order bound the mean.",
    "Held the truth in simulation": "how often such intervals hold a known true value, over invented populations "
    "(skewed scores, high rates, many questions that differ); ± is the simulation's own error.",
    "Sign-flip, McNemar": "the exact or simulated test behind p: for means, and for hit rates.",
    "Provisional": "no person has reviewed the questions, spans and grades; language models made them.",
}


def words() -> None:
    """A closed panel with every term of the page."""
    with st.expander("The words on this page", icon=":material/menu_book:"):
        st.markdown("\n".join(f"- **{term}**: {meaning}" for term, meaning in WORDS.items()))

"""The words of the pages, explained where they are used: a phone has no pointer to hover with."""

from __future__ import annotations

from collections.abc import Mapping

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


ABSTENTION = {
    "Answerable, unanswerable": "whether anything in the text answers the question, as readers of the whole text "
    "found.",
    "Threshold, served, refused": "a question is served when its score is at or above the threshold, else refused.",
    "Correct abstention": "unanswerable questions refused, of all unanswerable ones: 2 of 3 is 0.667.",
    "False abstention": "answerable questions refused, of all answerable ones.",
    "Unsupported answer": "an unanswerable question that was served: whatever is answered, nothing in the text backs "
    "it.",
    "Unsupported share of served": "unsupported answers among all served; a floor on selective risk, the share of "
    "served answers that are wrong or unsupported.",
    "Generation error": "share of served answerable questions whose answer is wrong all the same; known only from "
    "reading.",
    "Coverage": "share of all questions that is served.",
    "Gate": "a bound written before the run. A gate that cannot be assessed is no pass.",
    "Cost ratio, c_u : c_a": "cost of an unsupported answer against the cost of refusing an answerable question.",
    "Traffic mix": "the share of unanswerable questions among live ones; the file's own share is whoever wrote it.",
    "Cheapest thresholds": "those of least expected cost; (0.52, 0.55] is every threshold above 0.52 up to 0.55.",
    "AUC": "how often an answerable question scores above an unanswerable one; 0.5 tells nothing, 1 separates.",
    "Wilson, Newcombe": "95 % intervals for a share, and for an AUC (Newcombe 2006, method 5).",
    "Pointwise": "each interval holds at one threshold, chosen beforehand; not for all at once, nor at the best.",
    "q(s), calibration": "the probability that a question with score s is answerable; whether such probabilities come "
    "true.",
    "Cross-fitted": "fitted on other questions than the one that it is used on.",
    "Isotonic": "the best-fitting shares that never fall as the score rises; no formula is assumed.",
    "Cosine, BM25": "closeness in meaning of question and passage or sentence; overlap in rare words.",
    "Fingerprint, stale": "a threshold means something on one score only: with another model, cutting or text it is "
    "stale.",
    "Provisional": "no person has reviewed the questions and readings; language models made them.",
}


PLANNING = {
    "Assumed": "what follows from numbers that somebody chose: no question was asked to find it.",
    "Half-width": "half the length of an interval: ± 0.10 is an interval 0.20 wide.",
    "Wilson, normal, bootstrap, Clopper-Pearson": "four intervals of a hit rate: from the score test; the rate plus "
    "and minus 1.96 standard errors; quantiles of resampled rates; exact binomial tails, which hold at least as often "
    "as they say and mostly more often.",
    "Flip": "a question that one run hits and the other misses; b and c count them in the two directions.",
    "Paired, unpaired": "the same questions for both runs, or as if two groups of questions had been asked.",
    "Standard error": "the standard deviation of a difference over repeated studies.",
    "McNemar's exact test": "how often a fair coin splits the flips at least as unevenly as this.",
    "d_z": "mean difference divided by the standard deviation of the differences; not Cohen's d of two groups.",
    "Power": "how often a study of this size finds a difference that is really there.",
    "Alpha": "how often a test finds a difference where there is none.",
    "Family, Holm's first step": "the comparisons declared together; the smallest p must be below alpha divided by "
    "their number.",
    "Noncentral t": "the distribution of the t statistic when the difference is real; power is read off it.",
    "Detectable": "the smallest true effect that a study of this size finds with the wanted power.",
    "ICC, design effect, effective n": "how alike the items of one topic are; how many clustered items tell as much as "
    "one independent item; the number of independent items that would tell as much.",
    "t(G − 1)": "Student's t with one degree of freedom less than there are topics.",
    "Recentred": "moved as a whole, so that the mean is the smallest difference worth having and the spread stays.",
    "Sign-flip test": "how often random signs make a sum of differences at least as large as the observed one.",
    "Keeps its word": "an interval that says 95 % and holds the truth in at least 94 % of simulated samples at every "
    "named population, also after two of the simulation's own errors are taken off. If even two errors more do not "
    "reach 94 % it does not; between the two it is too close to say. Where more than 5 % of samples at some "
    "population have no interval, it is “not for every sample”.",
    "Monte Carlo error": "the standard error of a simulated share; more simulations make it smaller.",
    "Provisional": "no person has reviewed the questions and judgements; language models made them.",
}


def words(terms: Mapping[str, str] = WORDS) -> None:
    """A closed panel with every term of the page."""
    with st.expander("The words on this page", icon=":material/menu_book:"):
        st.markdown("\n".join(f"- **{term}**: {meaning}" for term, meaning in terms.items()))

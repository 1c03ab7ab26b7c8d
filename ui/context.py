"""How the numbers of a comparison are computed, what they rest on, and what they do not show."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from evalcore.comparison import Compared
from evalcore.evidence.claims import interval, number
from evalcore.export import MeanRow, means_csv, stamp
from evalcore.measures import Measure
from ui.evidence import D_Z, HOLM, JUDGED, count_line, estimates_table
from ui.tables import download, table
from ui.text import plain
from ui.theme import label


def means_table(compared: Compared) -> None:
    """The primary means as a table with its download."""
    primary = compared.plan.primary
    means = [
        (run.name, compared.mean(run.name, primary), compared.beside(run.name, primary)) for run in compared.study.runs
    ]
    with st.expander("As a table", icon=":material/table:"):
        rows = [(str(primary), label(name), mean) for name, mean, _ in means]
        caption = "The three rankers on the primary measure."
        estimates_table(rows, ("Measure", "Ranker"), caption, [second for _, _, second in means])
        full = [MeanRow("all", name, primary, mean, second) for name, mean, second in means]
        download(means_csv(full, stamp(compared)), "means-primary.csv")


def how_computed(compared: Compared, plan: str = "plan.toml") -> None:
    """Formula, source and function of what the page shows, and the files behind it; ``plan`` names the declaration."""
    s, study = compared.plan.settings, compared.study
    formulas = "\n".join(f"- **{m}**, {m.title}: {m.formula}." for m in study.measures)
    with st.expander("How this is computed", icon=":material/function:"):
        st.markdown(
            f"{formulas}\n- **All measures:** relevant means grade {study.relevant_grade} or "
            "above; nDCG takes the grade as gain. Engine: pytrec_eval, from one ranking made once (scores as "
            "32-bit floats, ties by document id, descending). `evalcore.measures.score_questions`\n"
            f"- **Mean:** percentile bootstrap over questions, {s.resamples:,} resamples, seed {s.seed}; beside it "
            "BCa. A hit rate: Wilson. `evalcore.stats.means.bootstrap_mean`, `evalcore.stats.proportions.wilson`\n"
            "- **Difference:** paired bootstrap on the same resamples; for hit rates Newcombe's paired score interval, "
            "method 10 (Statistics in Medicine 17, 1998). `evalcore.stats.paired.compare_means`, `compare_hits`\n"
            f"- **p:** two-sided sign-flip test, {s.sign_vectors:,} draws, exact up to {s.exact_up_to} differing "
            "questions; McNemar's exact test for hit rates. `evalcore.stats.paired.sign_flip`\n"
            f"- **Holm:** over the {len(compared.family)} declared comparisons. {HOLM} "
            "`evalcore.stats.multiplicity.holm`\n"
            f"- **d_z:** {D_Z} `evalcore.stats.paired.d_z`\n"
            "- **Coverage in simulation:** `python -m evalcore coverage`; populations in `evalcore.stats.coverage`"
        )
        st.caption("The files behind the numbers, with their sha256")
        files = [(study.qrels_name, study.qrels_sha256), *((run.name, run.sha256) for run in study.runs)]
        lines = [
            f"{sha}  {name}"
            for name, sha in [*files, (plan, compared.plan.sha256 or "not the declared analysis, so without a hash:")]
        ]
        st.code("\n".join(lines), language=None, wrap_lines=True)


def judged_note(compared: Compared, runs: Sequence[str], measure: Measure) -> None:
    """Beside the means: how much was judged, how far ties decide, and the ceiling of a recall."""
    parts = []
    for run in runs:
        judged, tied = compared.judged_at_10(run), compared.tied(run, measure)
        part = f"{label(run)}: judged@10 {number(judged.value)}"
        if tied is not None:
            ends = f"{number(tied.worst.value)} to {number(tied.best.value)}"
            moved = (
                f"{measure} {ends} over their orders" if tied.worst != tied.best else f"which does not move {measure}"
            )
            part += f", tied scores in the top 10 of {count_line(tied.questions)} ({moved})"
        parts.append(part)
    ceiling = compared.ceiling(measure)
    if ceiling is not None:
        parts.append(f"{measure} cannot exceed {number(ceiling.value)} on these questions")
    st.caption(plain("; ".join(parts) + "."))


def limits(compared: Compared) -> None:
    """What the numbers do not show, and the state of the data behind them."""
    st.header("Limits", anchor=False)
    study = compared.study
    st.markdown(
        "- **Drafted by a language model and unreviewed:** questions, evidence and judgements. Every number is "
        "provisional.\n"
        "- **One register of English,** one author's way of asking, one textbook.\n"
        "- **Word overlap.** The questions were written from titles and topics, never from the passages, so lexical "
        "search has less of the advantage that copied wording gives; titles and topics still share words with the "
        "text, and four questions happen to use an example that the text uses too.\n"
        f"- **Wide at n = {len(study.questions)}.** A difference of a few hundredths cannot be told from none.\n"
        f"- **The plan was declared on {compared.plan.declared},** in a commit before any question, judgement or run; "
        "all of the study was made on that day.\n"
        "- **Not for legal, medical or policy conclusions.** The system ranks paragraphs for a reader."
    )


def state_of_runs(compared: Compared) -> None:
    """What of each run was judged, returned and tied."""
    study = compared.study
    st.header("Unjudged, unreturned and tied", anchor=False)
    table([_state_of(compared, run.name) for run in study.runs], f"Each ranker on these questions. {JUDGED}")


def _state_of(compared: Compared, run: str) -> dict[str, str]:
    judged, primary = compared.judged_at_10(run), compared.plan.primary
    tied = compared.tied(run, primary)
    return {
        "Ranker": label(run),
        "judged@10": f"{number(judged.value)} ({interval(judged)})",
        "Without a judgement": count_line(compared.unjudged_at_10(run)),
        "Returned nothing": f"{count_line(compared.missing(run))}, counted as 0",
        "Tied scores in the top 10": count_line(tied.questions) if tied else "none",
        f"{primary} over tie orders": f"{number(tied.worst.value)} to {number(tied.best.value)}" if tied else "–",
    }

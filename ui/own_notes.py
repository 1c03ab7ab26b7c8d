"""What is said beside every result on a visitor's own files."""

from __future__ import annotations

import streamlit as st

from evalcore.own import OwnStudy


def changed_note(study: OwnStudy) -> None:
    """That what is shown is not what was declared first."""
    if study.remark is not None:
        st.warning(f"This analysis was {study.remark}.", icon=":material/warning:")


def limits_of_own(study: OwnStudy) -> None:
    """What results on one's own files do not show."""
    st.header("Limits", anchor=False)
    n = len(study.compared.study.questions)
    st.markdown(
        "- **Your questions and judgements are taken as they are.** Whether they are good ones is not assessed.\n"
        f"- **n = {n}.** An interval tells of questions drawn like these, and of no others.\n"
        "- **A document without a judgement counts as not relevant;** judged@10 says how many there are.\n"
        "- **The declaration is as honest as you are.** Only what this visit has shown is known here.\n"
        "- **Retrieval only.** Abstention, planning and evidence on your own files are not assessed on this page."
    )

"""What the visitor chooses: study, score, threshold, gates, costs and traffic, all in the URL."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from evalcore.abstention.cost import Costs
from evalcore.abstention.mixes import SETTINGS
from evalcore.abstention.scored import CORRECT, FALSE, RECALL, Scored
from evalcore.abstention.sweep import Ruler, ruler
from evalcore.gates import Gate
from evalcore.studies import MEANINGS, TEXTBOOK_TITLE, TOY_TITLE, AbstentionStudy
from ui import cached
from ui.abstention.link import copy_link
from ui.controls import choose, enter, slide

_GATE_KEYS = {RECALL: "gate_recall", CORRECT: "gate_correct", FALSE: "gate_false"}
_UNSUPPORTED, _REFUSAL, _SHARE, _ERROR = "cost_unsupported", "cost_refusal", "share", "generation_error"


@dataclass(frozen=True, slots=True)
class Choice:
    """What the visitor chose."""

    study: AbstentionStudy
    column: str
    threshold: float
    gates: Mapping[str, Gate]
    costs: Costs
    share: float
    error: float

    @property
    def scored(self) -> Scored:
        """The chosen score."""
        return self.study.scores[self.column]

    @property
    def name(self) -> str:
        """The chosen score's name on screen."""
        return MEANINGS[self.column]

    @property
    def candidate(self) -> int:
        """The candidate that the threshold equals."""
        return self.scored.sweep.at(self.threshold)

    @property
    def reach(self) -> Ruler:
        """The range of the threshold."""
        return ruler(self.scored.sweep)

    @property
    def file(self) -> str:
        """The beginning of a download's name."""
        return "toy" if self.study.title == TOY_TITLE else self.column


def study_and_score() -> tuple[AbstentionStudy, str]:
    """Which labelled questions, and which score."""
    one, two = st.columns(2)
    with one:
        text = "The textbook's 40 answerable and 24 unanswerable questions, or the lesson's sixteen invented ones."
        study = cached.abstention(
            choose("Study", [TEXTBOOK_TITLE, TOY_TITLE], key="study", default=TEXTBOOK_TITLE, help=text)
        )
    columns = {MEANINGS[column]: column for column in study.scores}
    with two:
        if len(columns) == 1:
            (name,) = columns
            st.selectbox("Score", [name], help="The toy run has one score.", disabled=True)
        else:
            text = "What is compared with the threshold. The plan declares best-sentence cosine as the primary score."
            name = choose("Score", list(columns), key="score", default=MEANINGS[study.primary], help=text)
    return study, columns[name]


def threshold_of(study: AbstentionStudy, column: str) -> float:
    """The threshold, on the scale of its score; each score keeps its own."""
    reach = ruler(study.scores[column].sweep)
    return slide(
        "Threshold: serve at or above it",
        reach.low,
        reach.high,
        key=threshold_key(column),
        default=study.begin_at(column),
        step=reach.step,
        digits=reach.digits,
        help="Refuse every question whose score is lower. It begins where the plan's rule puts it. Arrow keys move it "
        "by one step.",
    )


def threshold_key(column: str) -> str:
    """The name of a score's threshold in the URL."""
    return "threshold" if column == "score" else f"threshold_{column}"


def rules(study: AbstentionStudy, column: str) -> tuple[dict[str, Gate], Costs, float, float]:
    """Gate levels, costs, share of traffic and generation error."""
    with st.container(border=True):
        st.markdown("**Gates, costs and traffic**")
        gates = _gates(study)
        one, two, three, four = st.columns(4, vertical_alignment="bottom")
        with one:
            unsupported = enter(
                "Cost of an unsupported answer",
                0.0,
                1000.0,
                key=_UNSUPPORTED,
                default=study.declared.costs.unsupported,
                step=1.0,
                help="c_u: serving an answer to a question that nothing in the text answers. Assumed.",
            )
        with two:
            refusal = enter(
                "Cost of a refusal",
                0.0,
                1000.0,
                key=_REFUSAL,
                default=study.declared.costs.refusal,
                step=1.0,
                help="c_a: refusing a question that the text answers. Assumed, in the same unit.",
            )
        with three:
            share = slide(
                "Unanswerable share of traffic",
                0.0,
                1.0,
                key=_SHARE,
                default=study.declared.unanswerable_share,
                step=0.005,
                digits=3,
                help="How many live questions nothing in the text answers. Assumed: the file's own share is a choice "
                "of whoever wrote it.",
            )
        with four:
            error = slide(
                "Generation error",
                0.0,
                1.0,
                key=_ERROR,
                default=0.0,
                step=0.01,
                digits=2,
                help="Share of served answerable questions whose answer is wrong all the same. Assumed: nothing here "
                "was generated.",
            )
        if unsupported == refusal == 0:
            st.caption("Both costs are 0, so there is nothing to weigh; the plan's costs are used.")
            costs = study.declared.costs
        else:
            costs = Costs(unsupported, refusal)
        _buttons(study, column)
    return gates, costs, share, error


def _gates(study: AbstentionStudy) -> dict[str, Gate]:
    labels = {
        RECALL: ("Hit in the top 5, at least", "Answerable questions with an answer among the first five passages."),
        CORRECT: ("Correct abstention, at least", "Unanswerable questions refused, of all unanswerable ones."),
        FALSE: ("False abstention, at most", "Answerable questions refused, of all answerable ones."),
    }
    gates = dict(study.gates)
    keys = {name: key for name, key in _GATE_KEYS.items() if study.gates[name].is_set}
    for area, (name, key) in zip(st.columns(len(keys)), keys.items(), strict=True):
        declared = study.gates[name]
        with area:
            title, text = labels[name]
            level = enter(title, 0.0, 1.0, key=key, default=declared.limit or 0.0, step=0.05, help=text)
        gates[name] = declared.at(level)
    return gates


def _buttons(study: AbstentionStudy, column: str) -> None:
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        for setting in SETTINGS:
            c = setting.costs
            st.button(
                f"{setting.name} {c.unsupported:g} : {c.refusal:g}",
                key=f"costs_{setting.name}",
                on_click=_price,
                args=(c,),
                help="A hypothetical cost ratio, unsupported answer to refusal.",
            )
        st.button(
            "Reset",
            icon=":material/undo:",
            key="reset",
            on_click=_reset,
            args=(study, column),
            help="Back to the plan's gates, costs and traffic, and to the threshold that its rule chooses.",
        )
        copy_link()


def _price(costs: Costs) -> None:
    st.session_state[_UNSUPPORTED], st.session_state[_REFUSAL] = costs.unsupported, costs.refusal


def _reset(study: AbstentionStudy, column: str) -> None:
    _price(study.declared.costs)
    st.session_state[_SHARE], st.session_state[_ERROR] = study.declared.unanswerable_share, 0.0
    st.session_state[threshold_key(column)] = study.begin_at(column)
    for name, key in _GATE_KEYS.items():
        if study.gates[name].is_set:
            st.session_state[key] = study.gates[name].limit

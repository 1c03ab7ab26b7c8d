"""Blind rating: one item at a time, passages beside it, every click saved before the next thing shows."""

from __future__ import annotations

import streamlit as st

from evalcore.generation.items import Item
from evalcore.generation.rubric import TITLES, WORDING, Sheet, questions_for, rate, raters
from evalcore.generation.store.events import Answer, Place, Question, Rated
from evalcore.generation.store.files import MOST_RATERS
from ui.harness import wiring
from ui.harness.item import checks_table, item_card, passages
from ui.harness.visit import Visit
from ui.text import plain

_AT, _SKIPPED = "harness_at", "harness_skipped"
_WORDS = {Answer.YES: "Yes", Answer.NO: "No", Answer.CANNOT_TELL: "Cannot tell"}
_ACCEPT = {Answer.YES: "Accept", Answer.NO: "Reject", Answer.CANNOT_TELL: "Cannot tell"}
_KEYS = {Answer.YES: "Y", Answer.NO: "N", Answer.CANNOT_TELL: "T"}


def rating_section(visit: Visit) -> None:
    """The item in hand."""
    st.header("Rate blind", anchor=False)
    if not visit.run.items:
        st.info("No item is ready to be rated yet.", icon=":material/hourglass_empty:")
        return
    known = raters(visit.run)
    if visit.rater not in known and len(known) >= MOST_RATERS:
        st.warning(f"This run has {len(known)} raters, which is as many as it takes.", icon=":material/group_off:")
        return
    order = visit.sheet.order
    done = sum(visit.sheet.done(item) for item in order)
    st.progress(done / len(order), text=f"{done} of {len(order)} items rated in full by {plain(visit.rater)}")
    item = _in_hand(visit)
    if item is None:
        st.success("Every item is rated. See the results.", icon=":material/task_alt:")
        _undo(visit)
        return
    item_card(item)
    # on a phone the columns stand below each other, and what is rated comes after what it is rated against
    left, right = st.columns([1, 1], gap="large")
    with left:
        st.markdown("**Passages of the topic, the cited ones first**")
        passages(item, visit.run.topics[item.topic])
    with right:
        _rubric(visit, item)
        _buttons(visit, item)
    _checks(visit, item)
    st.caption(
        "Keys: Y yes, N no, T cannot tell (for the first question without an answer), U take back, S skip, X for the "
        "next item. Each click is on the disk before anything else shows. Items come in an order shuffled over "
        "topics, the same for you whenever you return. The keys work once no field is being typed into. The first "
        "answer to “faithful” is the one that enters the agreement; a slip is taken back with U, before checks are "
        "shown."
    )


def _in_hand(visit: Visit) -> Item | None:
    """The item that was left open, else the first that is not rated in full, skipped ones last."""
    items = visit.run.items
    at = st.session_state.get(_AT, {}).get((visit.id, visit.rater))
    if at in items:
        return items[at]
    skipped = st.session_state.get(_SKIPPED, {}).get((visit.id, visit.rater), [])
    pending = [item for item in visit.sheet.order if not visit.sheet.done(item)]
    fresh = [item for item in pending if item.id not in skipped]
    return fresh[0] if fresh else pending[0] if pending else None


def _rubric(visit: Visit, item: Item) -> None:
    questions = questions_for(item)
    first_open = next((q for q in questions if visit.sheet.answer(item.id, q) is None), None)
    for question in questions:
        given = visit.sheet.answer(item.id, question)
        state = f" · {_word(question, given).lower()}" if given is not None else " · not rated"
        st.markdown(f"**{TITLES[question]}**{state}  \n:small[{plain(WORDING[question])}]")
        with st.container(horizontal=True, gap="small"):
            for answer in Answer:
                st.button(
                    _word(question, answer),
                    key=f"rate_{item.id}_{question.value}_{answer.name}",
                    type="primary" if answer is given else "secondary",
                    shortcut=_KEYS[answer] if question is first_open else None,
                    on_click=_rate,
                    args=(visit, item.id, question, answer),
                )


def _buttons(visit: Visit, item: Item) -> None:
    with st.container(horizontal=True, gap="small"):
        st.button(
            "Next item",
            key=f"next_{item.id}",
            icon=":material/arrow_forward:",
            type="primary",
            shortcut="X",
            disabled=not visit.sheet.done(item),
            on_click=_leave,
            args=(visit,),
        )
        _undo(visit)
        st.button(
            "Skip",
            key=f"skip_{item.id}",
            icon=":material/skip_next:",
            shortcut="S",
            on_click=_skip,
            args=(visit, item.id),
            help="Comes back after the others. Nothing is recorded.",
        )


def _undo(visit: Visit) -> None:
    last = visit.sheet.last
    st.button(
        "Take back the last answer",
        key="undo",
        icon=":material/undo:",
        shortcut="U",
        disabled=last is None,
        on_click=_take_back,
        args=(visit, last),
        help="Taken back, it is unrated again. An answer given after the checks were shown never becomes blind.",
    )


def _checks(visit: Visit, item: Item) -> None:
    if item.id in visit.sheet.seen:
        st.subheader("What the checks say", anchor=False)
        st.markdown(f"Written by: {plain(', '.join(_writer(visit, item)))}")
        checks_table(item, visit.run.findings.get(item.id, ()))
        return
    faithful = (item.id, Question.FAITHFUL) in visit.sheet.ratings
    st.button(
        "Show the checks and the model" if faithful else "Show checks first",
        key=f"show_{item.id}",
        icon=":material/visibility:",
        on_click=visit.show_checks,
        args=([item.id], Place.ITEM),
        help="The faithful answer that you gave stays the blind one. What you answer after this, such as “correct”, "
        "is not compared with a judge."
        if faithful
        else "Then this item is not rated blind, which is recorded, and it does not enter the agreement.",
    )


def _writer(visit: Visit, item: Item) -> list[str]:
    run = visit.run
    if run.began.written_for is not None:
        return [run.began.written_for]
    return [run.outcomes[item.topic].model or run.began.model]


def _word(question: Question, answer: Answer) -> str:
    return (_ACCEPT if question is Question.ACCEPT else _WORDS)[answer]


def _rate(visit: Visit, item: str, question: Question, answer: Answer) -> None:
    st.session_state.setdefault(_AT, {})[visit.id, visit.rater] = item
    # a second click of a double click says the same again, which is not another rating
    if _sheet_now(visit).answer(item, question) is not answer:
        rate(wiring.journal(), visit.id, visit.rater, item, question, answer)


def _sheet_now(visit: Visit) -> Sheet:
    """This rater's answers as the journal has them: a callback may belong to a page drawn before the last click."""
    return Sheet(wiring.read_run(visit.id), visit.rater)


def _take_back(visit: Visit, last: Rated | None) -> None:
    # the second click of a double click finds another answer last, and leaves it
    if last is not None and _sheet_now(visit).last == last:
        rate(wiring.journal(), visit.id, visit.rater, last.item, last.question, None)
        st.session_state.setdefault(_AT, {})[visit.id, visit.rater] = last.item


def _leave(visit: Visit) -> None:
    st.session_state.get(_AT, {}).pop((visit.id, visit.rater), None)


def _skip(visit: Visit, item: str) -> None:
    skipped = st.session_state.setdefault(_SKIPPED, {}).setdefault((visit.id, visit.rater), [])
    if item in skipped:
        skipped.remove(item)
    skipped.append(item)
    _leave(visit)

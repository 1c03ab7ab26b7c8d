"""Where a run comes from: the recorded sample, an exported file, or a new run with the visitor's key."""

from __future__ import annotations

import streamlit as st

from evalcore.evidence import Basis
from evalcore.files import BadInput
from evalcore.generation.calls import prompt
from evalcore.generation.calls.client import Model, takes_temperature
from evalcore.generation.calls.estimate import cost_range
from evalcore.generation.calls.prices import DATED
from evalcore.generation.limits import Limits
from evalcore.generation.sample import sample_run
from evalcore.generation.setup import (
    FEWEST_TOKENS,
    USUAL_AT_ONCE,
    USUAL_TOKENS,
    USUAL_USD,
    Settings,
    begin,
    packs_to_write,
    stored,
)
from evalcore.generation.store.events import MOST_AT_ONCE, MOST_TOKENS, MOST_USD
from evalcore.generation.store.files import MOST_BYTES, read_run_file
from evalcore.generation.store.run import Run
from evalcore.generation.words import SAMPLE
from ui.evidence import basis_badge
from ui.harness import wiring
from ui.harness.item import topic_passages
from ui.harness.keys import key, key_section, models
from ui.harness.visit import has_run, open_run
from ui.text import plain

_OPENED = "harness_opened"


def opening_section() -> None:
    """The three ways to a run."""
    st.header("Begin without a key", anchor=False)
    one, two = st.columns(2, gap="large")
    with one:
        st.markdown(f"**A sample to try everything on**: {SAMPLE}.")
        basis_badge(Basis.ASSUMED)
        st.button("Load the recorded sample", icon=":material/science:", on_click=_sample, key="load_sample")
    with two:
        _file()
    st.header("Run a model with your own key", anchor=False)
    key_section()
    _new_run()
    topics_section()


def topics_section() -> None:
    """The topics and the passages that each question to the model will carry."""
    st.header("What will be asked about", anchor=False)
    st.markdown(
        "Eight topics from the three parts of the text. Each is searched for by meaning (dense ranker, stored query "
        "vectors), and its first five passages go to the model, with the request for four multiple-choice and three "
        "short-answer questions."
    )
    for material in wiring.materials().by_topic.values():
        topic = material.topic
        with st.expander(f"{plain(topic.title)} · {plain(topic.area)}", icon=":material/menu_book:"):
            st.caption(f"Searched for: {plain(topic.query)}")
            topic_passages(stored(material))


def _sample() -> None:
    if has_run():
        return
    open_run(wiring.journal().begin(sample_run().events))


def _file() -> None:
    file = st.file_uploader(
        "Open an exported run (JSON)",
        type=["json"],
        key="run_file",
        max_upload_size=MOST_BYTES // 1_000_000,
        help="A file that this page exported. It becomes a run of its own here, with everything that was rated.",
    )
    if file is None:
        st.session_state.pop(_OPENED, None)
        return
    if st.session_state.get(_OPENED) == file.file_id:
        return
    try:
        run = read_run_file(file.getvalue(), file.name)
    except BadInput as problem:
        st.error("The file cannot be opened.", icon=":material/error:")
        st.code(str(problem), language=None, wrap_lines=True)
        return
    st.session_state[_OPENED] = file.file_id
    open_run(wiring.journal().begin(run.events))
    st.rerun()


def _new_run() -> None:
    held = key()
    if held is None:
        st.caption("The models that your key may use appear here once it is checked.")
        return
    listed = models()
    if not listed:
        st.warning("None of the models of this key answers by a schema, which the harness needs.")
        return
    names = {_name(model): model for model in listed}
    one, two = st.columns(2, gap="large")
    with one:
        chosen = names[
            st.selectbox(
                "Model",
                list(names),
                key="harness_model",
                help="As the service lists them for your key; only those that can answer by a schema.",
            )
        ]
        cap = st.number_input(
            "Output cap, tokens a topic",
            FEWEST_TOKENS,
            MOST_TOKENS,
            USUAL_TOKENS,
            1_000,
            key="harness_cap",
            help="The answer ends there, and a cut-off answer counts against the model. Thinking counts too, so models "
            "that think need room.",
        )
        st.text_input(
            "Temperature",
            "0, sent" if takes_temperature(chosen.id) else "not sent: this model takes none",
            disabled=True,
            key=f"harness_temperature_{chosen.id}",
            help="Fixed: 0 where the model is believed to accept one. If it is rejected, the call is repeated without, "
            "and the log says what was sent. 0 does not make a model repeat itself exactly.",
        )
    with two:
        capped = st.toggle("Stop before a sum of money", True, key="harness_capped")
        usd = st.number_input(
            "Spend cap, USD",
            0.01,
            MOST_USD,
            USUAL_USD,
            0.10,
            key="harness_usd",
            disabled=not capped,
            help="No call is sent that could take the run, at list price and with the output cap reached, past this "
            "sum. The judge counts too.",
        )
        at_once = st.number_input(
            "Calls side by side",
            1,
            MOST_AT_ONCE,
            USUAL_AT_ONCE,
            key="harness_at_once",
            help="More is faster, and more likely to meet the rate limit of your account.",
        )
    _estimate(chosen, int(cap), capped)
    settings = Settings(chosen.id, int(cap), float(usd) if capped else None, int(at_once))
    st.button(
        "Run eight topics", type="primary", icon=":material/play_arrow:", on_click=_begin, args=(settings,), key="begin"
    )


def _estimate(chosen: Model, cap: int, capped: bool) -> None:
    prompts = [len(prompt.SYSTEM) + len(prompt.user_prompt(stored(m))) for m in wiring.materials().by_topic.values()]
    found = cost_range(chosen.id, prompts, cap)
    basis_badge(Basis.ASSUMED)
    if found is None:
        also = " A spend cap cannot be kept for it: switch the cap off to run it." if capped else ""
        st.markdown(f"What it will cost is **unknown**: the list price of this model is not known here.{also}")
        return
    st.markdown(
        f"It will cost about **\\${found.low:.3f} to \\${found.high:.2f}** at list prices of {DATED}: from eight short "
        "answers to the output cap reached eight times. Calls that are repeated come on top."
    )
    if chosen.deprecated:
        st.warning(f"This model is deprecated{f' and retires on {chosen.retires}' if chosen.retires else ''}.")


def _begin(settings: Settings) -> None:
    held = key()
    # the second click of a double click must not begin, and pay for, a second run
    if held is None or has_run():
        return
    run = wiring.journal().begin([begin(settings, wiring.materials(), Limits.of())])
    open_run(run)
    wiring.under_way().start(run, held, packs_to_write(Run(wiring.journal().events(run))))


def _name(model: Model) -> str:
    return f"{model.title} ({model.id}){' · deprecated' if model.deprecated else ''}"

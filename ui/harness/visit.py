"""Which run this visit is about, who is rating, and what this browser session has been shown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import streamlit as st

from evalcore.generation.checking import missing_checks
from evalcore.generation.items import Item
from evalcore.generation.limits import Limits
from evalcore.generation.rubric import Sheet, reveal
from evalcore.generation.store.events import Place
from evalcore.generation.store.journal import NoSuchRun, is_run_id
from evalcore.generation.store.run import Run
from ui.harness import wiring

RUN, RATER = "run", "rater"
FIRST_RATER = "Rater 1"
_LONGEST_NAME = 40
_NAMES, _SHOWN = "harness_names", "harness_shown"


@dataclass(frozen=True)
class Visit:
    """A run as one rater sees it."""

    id: str
    run: Run
    rater: str

    @cached_property
    def sheet(self) -> Sheet:
        """This rater's answers."""
        return Sheet(self.run, self.rater)

    @property
    def hidden(self) -> list[str]:
        """Items whose checks and model this rater may not see yet."""
        return [item for item in self.run.items if not self.sheet.may_see(item)]

    @property
    def unnamed(self) -> list[str]:
        """Items, also those to come, for which this rater may not see the model's name yet."""
        return [item for item in self.run.possible_items if not self.sheet.may_see(item)]

    def show_checks(self, items: Iterable[str], place: Place) -> None:
        """Commits that this rater is shown the checks of these items."""
        reveal(wiring.journal(), self.id, self.rater, list(items), place)

    def show_all(self, place: Place) -> None:
        """Commits that this rater is shown the checks of every item, and the model's name: items to come included."""
        self.show_checks(self.run.possible_items, place)

    def all_shown(self, place: Place) -> Visit:
        """The visit in which every item has been committed as shown; what arrives meanwhile is taken in."""
        visit = self.now()
        while any(item not in visit.sheet.seen for item in visit.run.possible_items):
            visit.show_all(place)
            visit = visit.now()
        return visit

    def carried_over(self) -> Visit:
        """The visit in which all that was shown to any name of this browser session counts for the present one."""
        names: set[str] = st.session_state.setdefault(_NAMES, {}).setdefault(self.id, set())
        names.add(self.rater)
        # by what is written, so that a second copy of a run is not rated as if it were new
        shown: set[Item] = st.session_state.setdefault(_SHOWN, set())
        shown.update(item for name in names for item in map(self.run.items.get, Sheet(self.run, name).seen) if item)
        new = [name for name, item in self.run.items.items() if item in shown and name not in self.sheet.seen]
        if not new:
            return self
        self.show_checks(new, Place.ITEM)
        return self.now()

    def now(self) -> Visit:
        """The same visit with the run as the journal has it now."""
        return Visit(self.id, wiring.read_run(self.id), self.rater)


def open_run(run: str) -> None:
    """Makes a run the one that the page is about, in the address too."""
    st.session_state["harness_run"] = run
    st.query_params[RUN] = run


def has_run() -> bool:
    """Whether this browser session is about a run already."""
    return "harness_run" in st.session_state


def leave_run() -> None:
    """Goes back to where a run is chosen."""
    st.session_state.pop("harness_run", None)
    st.query_params.pop(RUN, None)


def current_run() -> tuple[str, Run] | None:
    """The run that the address or this session names; None where there is none, which is said if one was named."""
    named = st.query_params.get(RUN) or st.session_state.get("harness_run")
    if not named:
        return None
    if is_run_id(named):
        try:
            run = wiring.read_run(named)
        except NoSuchRun:
            pass
        else:
            open_run(named)
            return named, _with_checks(named, run)
    leave_run()
    st.warning(
        "There is no run under this address. A run lives on the server's disk: where that does not last, a new version "
        "of the app ends it. Open the file that you exported, or begin again.",
        icon=":material/search_off:",
    )
    return None


def _with_checks(named: str, run: Run) -> Run:
    """The run with the checks that a server which ended too early has not written."""
    if wiring.under_way().alive(named):
        return run
    missing = missing_checks(run, Limits.of())
    for checked in missing:
        wiring.journal().append(named, checked)
    return wiring.read_run(named) if missing else run


def rater_field() -> str:
    """Who is rating, in the address; an emptied field is the first rater."""
    typed = st.text_input(
        "Who is rating",
        FIRST_RATER,
        key=RATER,
        max_chars=_LONGEST_NAME,
        help="Ratings are kept under this name. Several people can rate one run, each under a name of their own.",
        bind="query-params",
        persist_state="session",
    )
    name = " ".join((typed or "").split())
    return name[:_LONGEST_NAME] or FIRST_RATER

"""Taking a run away: whoever does has been shown the checks of every item, which is recorded as it happens."""

from __future__ import annotations

from evalcore.generation.export import run_json
from evalcore.generation.store.events import Place
from evalcore.generation.store.files import to_json
from evalcore.generation.store.run import Run
from ui.harness.visit import Visit
from ui.tables import save


def save_run(visit: Visit) -> None:
    """The run as JSON, as it is when it is asked for."""
    save("Run, JSON", lambda: to_json(run_json(taken(visit))), "run.json", "application/json")


def taken(visit: Visit) -> Run:
    """The run as it is now, with its items marked as shown to this rater."""
    return visit.all_shown(Place.EXPORT).run

"""Two."""

from ui.harness.visit import Visit


def two_runs_section(visit: Visit) -> None:
    """x."""

"""Results."""

from ui.harness.visit import Visit


def results_section(visit: Visit) -> None:
    """x."""

"""The parts of the page Power and intervals."""

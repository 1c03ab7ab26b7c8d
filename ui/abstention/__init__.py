"""The parts of the page Abstention."""

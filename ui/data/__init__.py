"""The parts of the page Your data."""

"""Intervals, tests and multiplicity; frozen results with reasons. Knows nothing of retrieval."""

"""Intervals, tests and multiplicity. Knows nothing of retrieval; returns frozen results with reasons, never a bare tuple."""

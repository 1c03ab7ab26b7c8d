"""Labelled numbers and the sentences that may be built from them."""

from evalcore.evidence.types import Basis, Comparison, Count, Estimate, EvidenceError, Result, Source, Verdict

__all__ = ["Basis", "Comparison", "Count", "Estimate", "EvidenceError", "Result", "Source", "Verdict"]

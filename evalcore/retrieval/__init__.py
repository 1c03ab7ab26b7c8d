"""Chunking and the three rankers: BM25, dense and hybrid."""

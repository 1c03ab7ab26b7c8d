"""The gold set: its files, packs for blind judging, pooling, and the checks that it keeps its own rules."""

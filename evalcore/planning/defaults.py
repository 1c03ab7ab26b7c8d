"""What is assumed where nobody chose otherwise: the same on the page and on the command line."""

from __future__ import annotations

RATE = 0.8
QUESTIONS, PAIRED_QUESTIONS, QUESTIONS_NOW, GATE_QUESTIONS = 40, 60, 40, 24
"""Questions of a rate, of a supposed pair of runs (the lesson's), those there are, and those a gate is read on."""
FLIPS = (4, 0)
BOTH_HIT = 0.75
ALPHA, POWER, FAMILY = 0.05, 0.8, 3
D_Z = 0.36
ONLY_FIRST, ONLY_SECOND = 0.15, 0.05
TOPICS, ITEMS, ICC = 8, 7, 0.2
GATE = 0.8
WORTH = 0.05

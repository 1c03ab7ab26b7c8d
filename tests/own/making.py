"""Small studies of one's own."""

from evalcore.own import Declaration, Family, Input, OwnStudy, Part

AT, LATER = "2026-12-01T09:00:00+00:00", "2026-12-01T09:30:00+00:00"
QUESTIONS = [f"q{i}" for i in range(1, 9)]


def judgements(name="qrels.txt"):
    return Input(Part.JUDGEMENTS, name, "".join(f"{q} 0 a 2\n{q} 0 b 1\n{q} 0 c 0\n" for q in QUESTIONS).encode())


def run(name, lift):
    """A run that puts the best document first on the first ``lift`` questions."""
    rows = []
    for place, q in enumerate(QUESTIONS):
        order = "abc" if place < lift else "cba"
        rows += [f"{q} Q0 {d} {r} {9 - r} t\n" for r, d in enumerate(order, start=1)]
    return Input(Part.RUN, name, "".join(rows).encode())


def inputs(runs=2):
    return (judgements(), *(run(f"r{i}.trec", 8 - i % 8) for i in range(runs)))


def declaration(runs=2, **changes):
    names = tuple(f"r{i}" for i in range(runs))
    return Declaration(names, **changes)


def study(runs=2, **changes):
    return OwnStudy.begun(inputs(runs), declaration(runs, **changes), AT)


def against_first(runs):
    return study(runs, family=Family.FIRST, first="r0")

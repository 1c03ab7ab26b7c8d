"""What the tests of the gold set's checks share: the rules by their place, and how each came out."""

from evalcore.evidence import Result
from evalcore.goldset.checks import check_all
from evalcore.goldset.schema import GoldSet

PLAN, ORDER, QUOTAS, DRAFTS, SAMPLES, SPANS, SPANNED, READINGS, POOLED, SECTION_POOL, PACKS, JUDGEMENTS, QRELS = range(
    13
)
HISTORY = {PLAN, ORDER}


def outcomes(folder, corpus):
    return {place: check.result for place, check in enumerate(check_all(GoldSet(folder), corpus))}


def broken(folder, corpus):
    """The rules that fail, each with what broke it."""
    checks = check_all(GoldSet(folder), corpus)
    return {place: "\n".join(c.details) for place, c in enumerate(checks) if c.result is Result.FAIL}


def amend(folder, name, text):
    path = folder / name
    path.write_text(text(path.read_text(encoding="utf-8")), encoding="utf-8")

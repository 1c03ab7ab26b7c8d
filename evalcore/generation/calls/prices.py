"""List prices, dated, and what a call costs by them. A model that is not here has no known price, which is not 0."""

from __future__ import annotations

import re
from dataclasses import dataclass

from evalcore.generation.store.events import Usage

DATED = "2026-11-30"
_WRITE = 1.25
_LONG_PROMPT = 100_000


@dataclass(frozen=True, slots=True)
class Price:
    """USD per million tokens: input, output, and input read from a cache; with who says so."""

    into: float
    out: float
    cached: float
    source: str

    def cost(self, usage: Usage) -> float:
        """USD of one call. Writing to a cache costs 1.25 times the input."""
        return (
            usage.input_tokens * self.into
            + usage.cache_write_tokens * _WRITE * self.into
            + usage.cache_read_tokens * self.cached
            + usage.output_tokens * self.out
        ) / 1e6


_PAGE, _NOTES = "the maker's model pages", "launch notes of a third party that quote the list price"
_HAIKU_SHORT = Price(0.10, 0.50, 0.01, _PAGE)
_HAIKU_LONG = Price(0.50, 2.50, 0.05, _PAGE)
_PRICES = {
    "claude-fable-5-2": Price(8, 40, 0.20, _NOTES),
    "claude-fable-5-1": Price(10, 50, 0.25, _PAGE),
    "claude-fable-5": Price(10, 50, 1.00, _PAGE),
    "claude-opus-5-5": Price(4, 20, 0.20, _PAGE),
    "claude-opus-5": Price(5, 25, 0.50, _PAGE),
    "claude-opus-4-8": Price(5, 25, 0.50, _PAGE),
    "claude-opus-4-7": Price(5, 25, 0.50, _PAGE),
    "claude-opus-4-6": Price(5, 25, 0.50, _PAGE),
    "claude-opus-4-5": Price(5, 25, 0.50, _PAGE),
    "claude-sonnet-5-5": Price(2, 10, 0.10, _PAGE),
    "claude-sonnet-5": Price(2, 10, 0.20, _PAGE),
    "claude-sonnet-4-6": Price(3, 15, 0.30, _PAGE),
    "claude-sonnet-4-5": Price(3, 15, 0.30, _PAGE),
    "claude-haiku-5-5": _HAIKU_SHORT,
    "claude-haiku-4-5": Price(1, 5, 0.10, _PAGE),
}


def price(model: str, prompt_tokens: int = 0) -> Price | None:
    """The list price of a model, dated snapshots included; None when it is not known."""
    name = re.sub(r"-\d{8}$", "", model)
    if name == "claude-haiku-5-5" and prompt_tokens > _LONG_PROMPT:
        return _HAIKU_LONG
    return _PRICES.get(name)


def cost(model: str, usage: Usage | None) -> float | None:
    """USD of one call at list price; None when the price or the usage is not known."""
    if usage is None:
        return None
    known = price(model, usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens)
    return None if known is None else known.cost(usage)

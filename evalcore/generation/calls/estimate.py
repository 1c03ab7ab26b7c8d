"""What a run may cost, before it: a range, assumed, from the length of the prompts and the output cap."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from evalcore.generation.calls.prices import price
from evalcore.generation.store.events import Usage

# A token is some three to four characters of English; newer models count up to 30 % more for the same text.
_MOST_CHARACTERS, _FEWEST_CHARACTERS, _MORE = 4.0, 3.0, 1.3
# Added by the service for the schema of the answer.
_OVERHEAD = 600
SHORTEST_PACK = 700


@dataclass(frozen=True, slots=True)
class CostRange:
    """USD from ``low`` to ``high``: seven short items and no thinking, to the output cap reached on every topic."""

    low: float
    high: float


def most_of_call(model: str, prompt_characters: int, output_cap: int) -> float | None:
    """USD that one call can cost at most; None when the price is not known."""
    return _cost(model, Usage(input_tokens=_most_input(prompt_characters), output_tokens=output_cap))


def cost_range(model: str, prompts: Iterable[int], output_cap: int) -> CostRange | None:
    """Of a run with one call a prompt, given by its length in characters; None when the price is not known."""
    low, high = 0.0, 0.0
    for characters in prompts:
        least = Usage(input_tokens=int(characters / _MOST_CHARACTERS), output_tokens=min(SHORTEST_PACK, output_cap))
        one, other = _cost(model, least), most_of_call(model, characters, output_cap)
        if one is None or other is None:
            return None
        low, high = low + one, high + other
    return CostRange(low, high)


def _most_input(characters: int) -> int:
    return int(characters / _FEWEST_CHARACTERS * _MORE) + _OVERHEAD


def _cost(model: str, usage: Usage) -> float | None:
    known = price(model, usage.input_tokens)
    return None if known is None else known.cost(usage)

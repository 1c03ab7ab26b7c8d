"""Example shares of unanswerable questions in traffic, all hypothetical, and the costs of example settings."""

from __future__ import annotations

from dataclasses import dataclass

from evalcore.abstention.cost import Costs


@dataclass(frozen=True, slots=True)
class Mix:
    """A named share of unanswerable questions in traffic."""

    name: str
    share: float


@dataclass(frozen=True, slots=True)
class Setting:
    """A named cost ratio."""

    name: str
    costs: Costs


MIXES = (
    Mix("Software help centre", 0.05),
    Mix("Bank's internal policy assistant", 0.10),
    Mix("One question in five", 0.20),
    Mix("Open public chatbot", 0.50),
)
SETTINGS = (
    Setting("Help centre", Costs(1, 1)),
    Setting("Insurance", Costs(3, 1)),
    Setting("Clinical", Costs(20, 1)),
)

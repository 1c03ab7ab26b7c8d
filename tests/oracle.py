"""The worked cases that a correct program reproduces, read once."""

import json
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).parent / "oracles"
STATS: dict[str, Any] = json.loads((_FOLDER / "stats.json").read_text())
EXTRA: dict[str, Any] = json.loads((_FOLDER / "extra.json").read_text())
TOY: dict[str, Any] = json.loads((_FOLDER / "toy_run.json").read_text())

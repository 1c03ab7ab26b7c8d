"""``python -m evalcore``."""

from evalcore.cli import main

main()

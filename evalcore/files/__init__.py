"""Reading and writing files: every problem with its file, line and remedy, and no file half read."""

from evalcore.files.problems import BadInput, Problem, reading
from evalcore.files.trec import QrelsFile, RunFile, read_qrels, read_run, write_qrels, write_run

__all__ = [
    "BadInput",
    "Problem",
    "QrelsFile",
    "RunFile",
    "read_qrels",
    "read_run",
    "reading",
    "write_qrels",
    "write_run",
]

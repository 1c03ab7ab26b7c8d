"""Reading and writing files: every problem with its file, line and remedy, and no file half read."""

from evalcore.files.any_form import read_qrels_any, read_run_any
from evalcore.files.problems import BadInput, Problem, reading
from evalcore.files.trec import QrelsFile, RunFile, read_qrels, read_run, write_qrels, write_run

__all__ = [
    "BadInput",
    "Problem",
    "QrelsFile",
    "RunFile",
    "read_qrels",
    "read_qrels_any",
    "read_run",
    "read_run_any",
    "reading",
    "write_qrels",
    "write_run",
]

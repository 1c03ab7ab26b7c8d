"""The one entry for a run or judgements of any form: decide what the file is, then read it whole or refuse it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace

from evalcore.files.dictionaries import qrels_from_json, run_from_json
from evalcore.files.from_table import qrels_from_table, run_from_table
from evalcore.files.problems import BadInput
from evalcore.files.read_table import read_table
from evalcore.files.roles import Role
from evalcore.files.sniffing import Kind, sniff
from evalcore.files.trec import QrelsFile, RunFile, read_qrels, read_run
from evalcore.files.unpack import LIMITS, Limits, refusal, unpack


def read_run_any(
    raw: bytes, name: str, columns: Mapping[Role, str] | None = None, limits: Limits = LIMITS
) -> list[RunFile]:
    """The runs of a file: TREC, CSV, JSONL, Parquet or a JSON dictionary, each also as gzip.

    Args:
        raw: the bytes of the file.
        name: what errors call the file, and a run that has no name in it.
        columns: which column of a table is what; None takes the usual names.
        limits: how much is read.

    Returns:
        One run; several when a table has a run-name column, in the order in which they first occur.

    Raises:
        BadInput: it is none of these, or breaks a rule of its form.

    """
    kind = _kind(raw, name)
    if kind is Kind.RUN:
        return [_trec_run(raw, name, limits)]
    if kind is Kind.JSON:
        return [run_from_json(raw, name, limits)]
    if kind is Kind.QRELS:
        raise refusal(name, "holds TREC judgements (four columns), not a run", "give it as the judgements")
    return run_from_table(read_table(raw, name, limits), columns, name)


def read_qrels_any(
    raw: bytes, name: str, columns: Mapping[Role, str] | None = None, limits: Limits = LIMITS
) -> QrelsFile:
    """The judgements of a file: TREC, CSV, JSONL, Parquet or a JSON dictionary, each also as gzip.

    Raises:
        BadInput: it is none of these, or breaks a rule of its form.

    """
    kind = _kind(raw, name)
    if kind is Kind.QRELS:
        return _trec_qrels(raw, name, limits)
    if kind is Kind.JSON:
        return qrels_from_json(raw, name, limits)
    if kind is Kind.RUN:
        raise refusal(name, "holds a TREC run (six columns), not judgements", "give it as a run")
    return qrels_from_table(read_table(raw, name, limits), columns, name)


def _kind(raw: bytes, name: str) -> Kind | None:
    found = sniff(raw, name)
    if found.problem is not None:
        raise BadInput([found.problem])
    return found.kind


def _trec_run(raw: bytes, name: str, limits: Limits) -> RunFile:
    """Unpacked under the limit first; the run keeps the hash of the file as it was given."""
    inside = unpack(raw, name, limits)
    run = read_run(inside, name=name)
    return run if inside is raw else replace(run, sha256=hashlib.sha256(raw).hexdigest())


def _trec_qrels(raw: bytes, name: str, limits: Limits) -> QrelsFile:
    inside = unpack(raw, name, limits)
    qrels = read_qrels(inside, name=name)
    return qrels if inside is raw else replace(qrels, sha256=hashlib.sha256(raw).hexdigest())

"""A study in one file: a zip of its inputs as they were given, both declarations, and results to read.

Opening it computes everything again: what stands in ``results/`` is for a reader and is not trusted.
"""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from evalcore.export import comparison_json
from evalcore.files import BadInput, Problem
from evalcore.files.problems import short
from evalcore.files.roles import Role
from evalcore.files.unpack import LIMITS, Limits
from evalcore.measures import Measure
from evalcore.own.declaration import MOST_RUNS, Declaration, Family, Stamped
from evalcore.own.inputs import Input, Part
from evalcore.own.study import OwnStudy

PLAN, RESULTS, README = "plan.json", "results/comparison.json", "README.txt"
_AGAIN = "save the study again with Evidence Lab"
_SMALL = 4_000_000
_MOST_ENTRIES = MOST_RUNS + 6
_DATE = (1980, 1, 1, 0, 0, 0)
_STORED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class _Declared(_Strict):
    runs: list[str] = Field(max_length=MOST_RUNS)
    primary: str
    relevant_grade: int
    alpha: float
    family: str
    first: str | None
    seed: int


class _Stamp(_Strict):
    at: str = Field(max_length=40)
    sha256: str = Field(pattern="^[0-9a-f]{64}$")
    declaration: _Declared


class _File(_Strict):
    part: str
    name: str = Field(min_length=1, max_length=1000)
    sha256: str
    columns: dict[str, str] | None


class _PlanFile(_Strict):
    version: int
    files: dict[str, _File] = Field(max_length=MOST_RUNS + 3)
    declared: _Stamp
    now: _Stamp
    changed: bool
    remark: str | None


@dataclass(frozen=True)
class _Held:
    """The entries of a zip that was looked through, and how many bytes may still be unpacked."""

    file: str
    archive: zipfile.ZipFile
    entries: dict[str, zipfile.ZipInfo]

    def read(self, name: str, most: int) -> bytes:
        """One entry, counted while it is unpacked: what its header says of its size is not believed."""
        try:
            with self.archive.open(self.entries[name]) as stream:
                raw = stream.read(most + 1)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError) as error:
            raise _refusal(self.file, name, "is damaged") from error
        if len(raw) > most:
            raise _refusal(self.file, name, f"unpacks to more than {most:,} bytes", "save a smaller study")
        return raw


def save(study: OwnStudy) -> bytes:
    """The study as a zip; the same study gives the same bytes.

    Raises:
        BadInput: the study cannot be computed.

    """
    results = json.dumps(comparison_json(study.compared), indent=1)
    places = {_place(number, file): file for number, file in enumerate(study.inputs, start=1)}
    plan: dict[str, Any] = {
        "version": 1,
        "files": {place: file.record for place, file in places.items()},
        "declared": _stamp_record(study.declared),
        "now": _stamp_record(study.now),
        "changed": study.changed,
        "remark": study.remark,
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, raw in (
            (README, _readme(study).encode()),
            (PLAN, json.dumps(plan, indent=1).encode()),
            (RESULTS, results.encode()),
            *((place, file.raw) for place, file in places.items()),
        ):
            archive.writestr(zipfile.ZipInfo(name, _DATE), raw, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def open_study(raw: bytes, name: str = "the study", limits: Limits = LIMITS) -> OwnStudy:
    """The study of a file that ``save`` wrote; its results are computed again from its inputs.

    Args:
        raw: the bytes of the file.
        name: what errors call it.
        limits: how much is read and unpacked, all entries together.

    Raises:
        BadInput: no such file, too large, an entry that is damaged, missing or does not belong, or a plan that is not
            of these files.

    """
    if len(raw) > limits.raw:
        raise _refusal(name, None, f"has more than the {limits.raw:,} bytes read here", "save a smaller study")
    try:
        archive = zipfile.ZipFile(io.BytesIO(raw))
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise _refusal(name, None, "is no study that Evidence Lab saved (no zip, or damaged)") from error
    with archive:
        held = _Held(name, archive, _looked_through(archive, name))
        plan = _plan_of(held)
        expected = {PLAN, RESULTS, README, *plan.files}
        if odd := sorted(set(held.entries) ^ expected):
            missing = odd[0] in expected
            raise _refusal(name, odd[0], "is missing" if missing else "does not belong in a study")
        inputs = _inputs(held, plan, limits.unpacked)
    return _study(name, plan, inputs)


def _looked_through(archive: zipfile.ZipFile, name: str) -> dict[str, zipfile.ZipInfo]:
    found = archive.infolist()
    if len(found) > _MOST_ENTRIES:
        raise _refusal(name, None, f"holds {len(found):,} entries, more than {_MOST_ENTRIES}")
    entries: dict[str, zipfile.ZipInfo] = {}
    for entry in found:
        if entry.filename in entries:
            raise _refusal(name, entry.filename, "is there twice")
        if entry.flag_bits & 1 or entry.compress_type not in _STORED:
            raise _refusal(name, entry.filename, "is encrypted or packed in a way that is not read")
        entries[entry.filename] = entry
    if PLAN not in entries:
        raise _refusal(name, PLAN, "is missing")
    return entries


def _plan_of(held: _Held) -> _PlanFile:
    try:
        plan = _PlanFile.model_validate_json(held.read(PLAN, _SMALL))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))[:80]
        raise _refusal(
            held.file, PLAN, f"cannot be read ({where + ': ' if where else ''}{first['msg'][:80]})"
        ) from None
    if plan.version != 1:
        raise _refusal(held.file, PLAN, f"has version {plan.version}, not 1")
    return plan


def _inputs(held: _Held, plan: _PlanFile, most: int) -> tuple[Input, ...]:
    inputs = []
    for number, (place, file) in enumerate(plan.files.items(), start=1):
        try:
            columns = None if file.columns is None else {Role(role): head for role, head in file.columns.items()}
            given = Input(Part(file.part), file.name, held.read(place, most), columns)
        except ValueError as error:
            if isinstance(error, BadInput):
                raise
            raise _refusal(held.file, PLAN, f"says of {short(place)} what is not known ({error})") from error
        if place != _place(number, given):
            raise _refusal(held.file, place, "is not called as a study's files are")
        if given.sha256 != file.sha256:
            raise _refusal(held.file, place, "is not the file that the plan names (another sha256)")
        most -= len(given.raw)
        inputs.append(given)
    return tuple(inputs)


def _study(name: str, plan: _PlanFile, inputs: Sequence[Input]) -> OwnStudy:
    files = tuple(inputs)
    now = _stamped(name, plan.now)
    if now.sha256 != now.declaration.sha256(files):
        raise _refusal(name, PLAN, "has a declaration whose sha256 is not that of these files")
    declared = _stamped(name, plan.declared)
    if declared.declaration == now.declaration and declared.sha256 == now.sha256:
        # one declaration has one time: the first
        now = declared
    return OwnStudy(files, declared, now)


def _stamped(name: str, stamp: _Stamp) -> Stamped:
    d = stamp.declaration
    try:
        declaration = Declaration(
            tuple(d.runs), Measure.parse(d.primary), d.relevant_grade, d.alpha, Family(d.family), d.first, d.seed
        )
    except ValueError as error:
        if isinstance(error, BadInput):
            raise
        raise _refusal(name, PLAN, f"cannot be read ({str(error)[:120]})") from error
    return Stamped(declaration, stamp.at, stamp.sha256)


def _stamp_record(stamped: Stamped) -> dict[str, Any]:
    return {"at": stamped.at, "sha256": stamped.sha256, "declaration": stamped.declaration.record}


def _place(number: int, file: Input) -> str:
    """A name inside the zip that no file's own name can make unsafe."""
    return f"inputs/{number:02d}-{file.part}"


def _refusal(file: str, entry: str | None, what: str, remedy: str = _AGAIN) -> BadInput:
    return BadInput([Problem(file if entry is None else f"{file}, {short(entry)}", None, what, remedy)])


def _readme(study: OwnStudy) -> str:
    lines = [
        "A study saved by Evidence Lab. Open it again on the page Your data.",
        "",
        f"Declared {study.declared.at}, sha256 {study.declared.sha256}",
    ]
    if study.remark:
        lines.append(f"In force since {study.now.at}, sha256 {study.now.sha256}: {study.remark}")
    lines += [
        "",
        "The times are those of the server's clock when the study was declared; nothing in this file proves them.",
        f"{PLAN}: both declarations and the files, each with its own name, sha256 and columns.",
        f"{RESULTS}: the comparison, to read; whoever opens the study computes it again.",
        "inputs/: the files as they were given.",
        "",
    ]
    return "\n".join(lines)

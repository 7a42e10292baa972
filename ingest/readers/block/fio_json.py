"""`fio --output-format=json`: rate and latency of block requests, job by job.

Example:
    {
      "fio version" : "fio-3.33",
      "jobs" : [ { "jobname" : "randread", "read" : { "iops" : 13322.78, "bw_bytes" : 54570126,
                   "clat_ns" : { "mean" : 50682.2, "percentile" : { "99.000000" : 246784 }}}}]
    }

Directions that did nothing are left out. Every value cites the line where its job begins.
Source: fio's stat.c (add_ddir_status_json); fio(1), "JSON OUTPUT".
"""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, Any

from ingest.model.errors import MalformedInputError
from ingest.parsing.documents import number
from ingest.parsing.fact_reader import FactReader
from ingest.parsing.protocols import Start

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "fio-json"
VERSION = 2
TITLE = "fio (JSON)"
COMMAND = "fio --output-format=json ./randrw.fio"
EXAMPLE = '{\n  "fio version" : "fio-3.33",\n  "timestamp" : 1795248520,'

DIRECTIONS = ("read", "write", "trim")
PERCENTILES = frozenset((50.0, 90.0, 95.0, 99.0, 99.9, 99.99))
_VERSION = re.compile(r'^\s*"fio version"\s*:')


STARTS = (
    r'\s*\{.*"fio version"',
    Start((r"\s*\{\s*$",), near=(_VERSION.pattern,), within=1),
)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the document starts at `lines[at]`."""
    line = lines[at].strip()
    if line.startswith("{") and '"fio version"' in line:
        return True
    return line == "{" and at + 1 < len(lines) and bool(_VERSION.match(lines[at + 1]))


def continues(line: str) -> bool:
    """Return whether `line` can occur in a document."""
    return bool(re.match(r'^\s*["{}\[\]\d]', line))


def read(text: Text) -> Reading:
    """Read every job.

    Raises:
        MalformedInputError: The JSON is cut off or broken.
    """
    reader = FactReader(text)
    start = next((at for at, line in enumerate(text.lines) if line.lstrip().startswith("{")), 0)
    try:
        whole = "\n".join(text.lines[start:])
        document, end = json.JSONDecoder().raw_decode(whole.lstrip())
        jobs = [job for job in document["jobs"] if isinstance(job, dict)]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise MalformedInputError(f"this is no whole JSON of fio: {error}", line=text.first_line) from None
    last = text.first_line + start + whole.lstrip()[:end].count("\n")
    reader.skip_behind(last)
    at_lines = [number for number, line in enumerate(text.lines, text.first_line) if '"jobname"' in line]
    for ordinal, job in enumerate(jobs):
        line = at_lines[ordinal] if ordinal < len(at_lines) else text.first_line
        for direction in DIRECTIONS:
            done = job.get(direction)
            if isinstance(done, dict) and _number(done.get("total_ios")):
                labels = {"job": str(job.get("jobname", "")), "direction": direction}
                _read_direction(reader, done, line, labels)
    return reader.result()


def _number(value: Any) -> float | None:
    """Return a finite JSON number, None for anything else."""
    finite = number(value, default=math.nan)
    return None if math.isnan(finite) else finite


def _read_direction(reader: FactReader, done: dict[str, Any], line: int, labels: dict[str, str]) -> None:
    """Read one direction of one job; older fio prints `bw` in KiB/s and `clat` in microseconds."""
    bandwidth = _number(done.get("bw_bytes"))
    if bandwidth is None and (kib := _number(done.get("bw"))) is not None:
        bandwidth = kib * 1024
    for name, value, unit in (
        ("fio.requests", _number(done.get("total_ios")), "count"),
        ("fio.requests_per_second", _number(done.get("iops")), "per_second"),
        ("fio.bytes_per_second", bandwidth, "per_second"),
    ):
        if value is not None:
            reader.add(name, value, line, unit, labels)
    latency, scale = (done["clat_ns"], 1e-9) if "clat_ns" in done else (done.get("clat"), 1e-6)
    if not isinstance(latency, dict):
        return
    for name in ("mean", "max"):
        if (value := _number(latency.get(name))) is not None:
            reader.add(f"fio.latency.{name}_seconds", value * scale, line, "seconds", labels)
    percentiles = latency.get("percentile")
    for percent, value in percentiles.items() if isinstance(percentiles, dict) else ():
        if (
            re.fullmatch(r"\d+\.\d+", percent)
            and float(percent) in PERCENTILES
            and (seconds := _number(value)) is not None
        ):
            marked = {**labels, "percentile": f"{float(percent):g}"}
            reader.add("fio.latency.percentile_seconds", seconds * scale, line, "seconds", marked)

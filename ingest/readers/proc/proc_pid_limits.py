"""`/proc/PID/limits`: what the process may use, soft and hard.

Example:
    Limit                     Soft Limit           Hard Limit           Units
    Max open files            20000                20000                files

Source: proc_pid_limits in fs/proc/base.c.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from ingest.native.linear import Pattern
from ingest.parsing.fact_reader import FactReader, pid_labels
from ingest.parsing.shapes import Lines

if TYPE_CHECKING:
    from ingest.model.reading import Reading
    from ingest.model.section import Text

_HEAD = re.compile(r"^Limit\s+Soft Limit\s+Hard Limit\s+Units\s*$")
_ROW = Pattern(
    r"^Max (?P<what>[a-z ]+?)\s{2,}(?P<soft>\d+|unlimited)\s+(?P<hard>\d+|unlimited)(?:\s+(?P<unit>\w+))?\s*$"
)
_UNITS = {"bytes": "bytes", "seconds": "seconds", "us": "us"}


def _read(text: Text) -> Reading:
    """Read the soft limits: they are what the process runs into. `unlimited` is infinite."""
    reader = FactReader(text)
    labels = pid_labels(text.path)
    for line, entry in enumerate(text.lines, start=text.first_line):
        row = _ROW.match(entry)
        if not row:
            if entry.strip() and not _HEAD.match(entry):
                reader.skips.add("not a limit", line)
            continue
        unit = _UNITS.get(row["unit"] or "", "count")
        name = re.sub(r"[^a-z]+", "_", row["what"])
        suffix = "" if unit == "count" else f"_{unit}"
        value = math.inf if row["soft"] == "unlimited" else float(row["soft"])
        reader.add(f"process.limit.{name}{suffix}", value, line, unit, labels)
    return reader.result()


FORMAT = Lines(
    name="proc-pid-limits",
    title="/proc/PID/limits",
    example="Limit                     Soft Limit           Hard Limit           Units     \n"
    "Max open files            20000                20000                files     ",
    paths=("proc/*/limits",),
    first=_HEAD,
    shapes=(_HEAD, _ROW),
    read=_read,
)

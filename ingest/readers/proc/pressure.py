"""Pressure stall information: of the machine (`/proc/pressure/*`) or of a cgroup (`memory.pressure`).

Example:
    some avg10=66.35 avg60=34.64 avg300=12.93 total=48887424
    full avg10=24.09 avg60=14.24 avg300=5.74 total=22144927

The resource is in the path, or before the line, as `grep . /proc/pressure/*` prints it. Lines that do not
name it, as below `cat /proc/pressure/*`, are of the resource `unnamed`; of several files each has its number.
Source: psi_show in kernel/sched/psi.c; `full` of the machine's CPU is always 0.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader, cgroup_labels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "pressure"
VERSION = 2
TITLE = "Pressure stall information"
EXAMPLE = "some avg10=66.35 avg60=34.64 avg300=12.93 total=48887424"

RESOURCES = ("cpu", "memory", "io", "irq")
UNNAMED = "unnamed"

PATHS: tuple[str, ...] = tuple(f"proc/pressure/{name}" for name in RESOURCES) + tuple(
    f"{name}.pressure" for name in RESOURCES
)
COMMANDS: tuple[str, ...] = ()
HINTS: tuple[str, ...] = tuple(
    pattern
    for name in RESOURCES
    for pattern in (f"proc_pressure_{name}*", f"pressure_{name}*", f"{name}.pressure*")
)

_ENTRY = re.compile(
    r"^\s*(?P<kind>some|full) avg10=(?P<avg10>\d+(?:\.\d+)?) avg60=(?P<avg60>\d+(?:\.\d+)?)"
    r" avg300=(?P<avg300>\d+(?:\.\d+)?)"
    r" total=(?P<total>\d+)\b"
)
_GREPPED = re.compile(
    r"^(?:\S*/)?(?P<resource>cpu|memory|io|irq)(?:\.pressure)?:(?P<rest>\s*(?:some|full) avg10=.*)$"
)
_NAMED = re.compile(r"pressure[/_](?P<file>cpu|memory|io|irq)|(?P<suffixed>cpu|memory|io|irq)\.pressure")


STARTS = (_GREPPED.pattern, _ENTRY.pattern)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether a line that names its resource, or lines of `some` and `full`, are at `lines[at]`."""
    if _GREPPED.match(lines[at]):
        return True
    kinds = [found["kind"] for line in lines[at : at + 2] if (found := _ENTRY.match(line))]
    return kinds == ["some", "full"]


def continues(line: str) -> bool:
    """Return whether `line` is a line of pressure."""
    return bool(_GREPPED.match(line) or _ENTRY.match(line))


def read(text: Text) -> Reading:
    """Read averages as shares and totals as seconds."""
    reader = FactReader(text)
    source = text.path or text.filename
    named = _NAMED.search(source)
    resource = (named["file"] or named["suffixed"]) if named else ""
    labels = cgroup_labels(text.path)
    files = 0
    is_several = 1 < _unnamed_files(text) <= len(RESOURCES)
    for line, entry in reader.lines():
        grepped = _GREPPED.match(entry)
        if grepped:
            resource = grepped["resource"]
        found = _ENTRY.match(grepped["rest"] if grepped else entry)
        if not found:
            reader.skips.add("not a pressure line", line)
            continue
        files += found["kind"] == "some"
        if not resource and is_several:
            labels = {**labels, "file": str(files)}
        prefix = f"pressure.{resource or UNNAMED}.{found['kind']}"
        for window in ("avg10", "avg60", "avg300"):
            reader.add(f"{prefix}.{window}_share", float(found[window]) / 100, line, "share", labels)
        reader.add(f"{prefix}.total_seconds", float(found["total"]) / 1e6, line, "seconds", labels)
    return reader.result()


def _unnamed_files(text: Text) -> int:
    """Return how many files of pressure are in a text, none of which is named."""
    return sum((found := _ENTRY.match(line)) is not None and found["kind"] == "some" for line in text.lines)

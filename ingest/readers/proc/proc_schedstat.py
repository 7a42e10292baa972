"""`/proc/schedstat`: how long tasks ran and waited on each CPU since boot.

Example:
    version 15
    timestamp 15819019232
    cpu0 498494191 0 3533438552 2553969831 3853684107 2465731542 2045936778163039 343796328169361 4767485306
    domain0 00000000,00000003 212499247 210112015 1861015 1860405436 536440 369895 32599 210079416 …

The last three numbers of a CPU are nanoseconds that tasks ran, nanoseconds that they waited to run, and the
number of times that one began to run. The lines of scheduling domains count balancing and are left out.
Source: Documentation/scheduler/sched-stats.rst; show_schedstat in kernel/sched/stats.c.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "proc-schedstat"
VERSION = 1
TITLE = "/proc/schedstat"
EXAMPLE = (
    "version 15\n"
    "timestamp 15819019232\n"
    "cpu0 498494191 0 3533438552 2553969831 3853684107 2465731542 2045936778163039 343796328169361 4767485306"
)

PATHS: tuple[str, ...] = ("proc/schedstat",)
COMMANDS: tuple[str, ...] = ()
HINTS: tuple[str, ...] = ()

VERSIONS = frozenset(range(15, 18))
"""Versions whose lines of CPUs have these nine numbers, with times in nanoseconds."""

_VERSION = re.compile(r"^version (?P<version>\d{1,3})\s*$")
_STAMP = re.compile(r"^timestamp \d{1,20}\s*$")
_CPU = re.compile(r"^cpu(?P<cpu>\d{1,5})(?P<counts>(?: \d{1,20}){9})\s*$")
_DOMAIN = re.compile(r"^domain\d{1,2} (?:\w{1,20} )?[0-9a-f,]{1,2048}(?: \d{1,20}){8,60}\s*$")

STARTS = (r"version \d+\s*$",)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the file starts at `lines[at]`: its version, then the time."""
    return bool(_VERSION.match(lines[at]) and at + 1 < len(lines) and _STAMP.match(lines[at + 1]))


def continues(line: str) -> bool:
    """Return whether `line` can occur in the file."""
    return any(shape.match(line) for shape in (_VERSION, _STAMP, _CPU, _DOMAIN))


def read(text: Text) -> Reading:
    """Read run time, waiting time and time slices of every CPU."""
    reader = FactReader(text)
    is_known = True
    for line, entry in reader.lines():
        if version := _VERSION.match(entry):
            is_known = int(version["version"]) in VERSIONS
            if not is_known:
                reader.skips.add("a version of schedstat whose numbers are not known", line)
        elif cpu := _CPU.match(entry):
            if not is_known:
                reader.skips.add("a CPU of a version that is not known", line)
                continue
            *_, run, wait, slices = cpu["counts"].split()
            labels = {"cpu": cpu["cpu"]}
            reader.add("schedstat.run_seconds", round(float(run) / 1e9, 6), line, "seconds", labels)
            reader.add("schedstat.wait_seconds", round(float(wait) / 1e9, 6), line, "seconds", labels)
            reader.add("schedstat.timeslices", float(slices), line, "count", labels)
        elif _DOMAIN.match(entry):
            reader.skips.add("balancing of a scheduling domain", line)
        elif not _STAMP.match(entry):
            reader.skips.add("not a CPU of schedstat", line)
    return reader.result()

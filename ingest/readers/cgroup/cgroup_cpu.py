"""CPU share of a cgroup: quota and throttling, versions 1 and 2.

Examples:
    200000 100000            cpu.max: two CPUs; `max 100000` is no quota
    nr_throttled 12          cpu.stat
    throttled_usec 250000    version 2, microseconds
    throttled_time 250000000 version 1, nanoseconds

Sources: cpu_max_show and cpu_cfs_stat_show in kernel/sched/core.c.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader, cgroup_labels, number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "cgroup-cpu"
VERSION = 2
TITLE = "Cgroup: CPU quota and throttling"
EXAMPLE = "usage_usec 9120000\nnr_periods 120\nnr_throttled 12\nthrottled_usec 250000"

PATHS: tuple[str, ...] = ("cpu.stat", "cpu.max", "cpu.cfs_quota_us", "cpu.cfs_period_us")
COMMANDS: tuple[str, ...] = ()
HINTS: tuple[str, ...] = ("cpu.stat", "cpu.max", "cpu.cfs_quota_us", "cpu.cfs_period_us")

SECONDS = {
    "usage_usec": ("cgroup.cpu.usage_seconds", 1e-6),
    "user_usec": ("cgroup.cpu.user_seconds", 1e-6),
    "system_usec": ("cgroup.cpu.system_seconds", 1e-6),
    "throttled_usec": ("cgroup.cpu.throttled_seconds", 1e-6),
    "throttled_time": ("cgroup.cpu.throttled_seconds", 1e-9),
}

_ENTRY = re.compile(
    r"^\s*(?P<key>usage_usec|user_usec|system_usec|nice_usec|core_sched\.force_idle_usec|nr_periods|nr_throttled|"
    r"throttled_usec|throttled_time|nr_bursts|burst_usec|burst_time|wait_sum) \d+\s*$"
)
_KEY = re.compile(r"[a-z][a-z0-9_.]*$")
_FIRST = ("usage_usec", "nr_periods")
"""Versions 2 and 1 begin with these; the next two lines are of the same file."""

_OWN = ("nr_throttled", "throttled_usec", "throttled_time")
"""Keys that no other file has: each is recognised alone, as after `grep throttled`."""

LEAST = 3
STARTS = (r"\s*(?:usage_usec|nr_periods|nr_throttled|throttled_usec|throttled_time) \d",)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether cpu.stat starts at `lines[at]`, without the name of its file."""
    found = [_ENTRY.match(line) for line in lines[at : at + LEAST]]
    if found[0] and found[0]["key"] in _OWN:
        return True
    return len(found) == LEAST and all(found) and bool(found[0] and found[0]["key"] in _FIRST)


def continues(line: str) -> bool:
    """Return whether `line` is one of its entries."""
    return bool(_ENTRY.match(line))


def read(text: Text) -> Reading:
    """Read whichever of the files it is."""
    reader = FactReader(text)
    file = (text.path or text.filename).rsplit("/", 1)[-1]
    file = file if file in PATHS else "cpu.stat"
    labels = cgroup_labels(text.path)
    for line, entry in reader.lines():
        parts = entry.split()
        is_entry = len(parts) == 2 and _KEY.match(parts[0])
        if file == "cpu.stat" and is_entry and (value := number(parts[1])) is not None:
            name, factor = SECONDS.get(parts[0], (f"cgroup.cpu.{parts[0]}", 1.0))
            reader.add(name, value * factor, line, "seconds" if parts[0] in SECONDS else "count", labels)
        elif file == "cpu.max" and len(parts) >= 2 and (period := number(parts[1])):
            quota = number(parts[0])
            if quota is None:
                reader.skips.add("not a quota", line)
            else:
                reader.add("cgroup.cpu.quota_cpus", quota / period, line, "count", labels)
            reader.add("cgroup.cpu.period_us", period, line, "us", labels)
        elif file == "cpu.cfs_quota_us" and number(parts[0]) == -1:
            reader.add("cgroup.cpu.quota_cpus", math.inf, line, "count", labels)
        elif file.startswith("cpu.cfs_") and (value := number(parts[0])) is not None:
            reader.add(f"cgroup.cpu.{file.removeprefix('cpu.cfs_')}", value, line, "us", labels)
        else:
            reader.skips.add("not an entry of this file", line)
    return reader.result()

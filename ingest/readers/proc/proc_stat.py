"""`/proc/stat`: where CPU time went since boot, and counters of the scheduler.

Example:
    cpu  106532 0 53211 8811 12 0 4421 901 0 0
    procs_running 24

Ticks are of USER_HZ, 100 in a second on every architecture that matters. Source: show_stat in fs/proc/stat.c.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader, number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "proc-stat"
VERSION = 1
TITLE = "/proc/stat"
EXAMPLE = "cpu  106532 0 53211 8811 12 0 4421 901 0 0\nctxt 8812333\nprocs_running 24"

PATHS: tuple[str, ...] = ("proc/stat",)
COMMANDS: tuple[str, ...] = ()
HINTS: tuple[str, ...] = ("proc_stat*",)
BEGINS_ONCE = True

USER_HZ = 100
FIELDS = ("user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal")
COUNTERS = frozenset(("ctxt", "btime", "processes", "procs_running", "procs_blocked"))

_CPU = re.compile(r"^cpu\d*$")
_LINE = re.compile(r"^(?:cpu\d*|intr|ctxt|btime|processes|procs_running|procs_blocked|softirq) +\d")


STARTS = (r"cpu {2,3}\d",)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the file starts at `lines[at]`: the sum of all CPUs, then the first CPU."""
    is_sum = re.match(r"^cpu {2,3}\d+(?: \d+){6,}\s*$", lines[at])  # lxcfs prints three blanks
    return bool(is_sum and at + 1 < len(lines) and re.match(r"^cpu\d+ \d+", lines[at + 1]))


def continues(line: str) -> bool:
    """Return whether `line` is an entry of the file."""
    return bool(_LINE.match(line))


def read(text: Text) -> Reading:
    """Read CPU seconds of the whole machine and the counters; single CPUs are left to their sum."""
    reader = FactReader(text)
    cpus = 0
    for line, key, printed in reader.pairs("not `key numbers`"):
        if _CPU.match(key):
            cpus += key != "cpu"
            if key == "cpu":
                for name, ticks in zip(FIELDS, printed.split(), strict=False):
                    if (counted := number(ticks)) is None:
                        reader.skips.add("not a number of ticks", line)
                    else:
                        reader.add(f"stat.cpu.{name}_seconds", counted / USER_HZ, line, "seconds")
        elif key in COUNTERS and (counted := number(printed.split()[0])) is not None:
            reader.add(f"stat.{key}", counted, line, "count")
        elif key not in {"intr", "softirq"}:
            reader.skips.add("not an entry of /proc/stat", line)
    if cpus:
        reader.add("cpu.online", float(cpus), text.first_line, "count")
    return reader.result()

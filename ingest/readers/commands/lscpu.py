"""CPUs and NUMA nodes: `lscpu`, `/proc/cpuinfo`.

Examples:
    On-line CPU(s) list:                     0-3
    NUMA node(s):                            1
    processor	: 3

Sources: util-linux lscpu.c; show_cpuinfo in arch/*/kernel/cpu/proc.c.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.native.linear import Pattern
from ingest.parsing.fact_reader import FactReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "lscpu"
VERSION = 3
TITLE = "CPUs (lscpu, /proc/cpuinfo)"
EXAMPLE = "Architecture:            x86_64\nCPU(s):                  4\nOn-line CPU(s) list:     0-3"

PATHS: tuple[str, ...] = ("sos_commands/*/lscpu", "proc/cpuinfo")
COMMANDS: tuple[str, ...] = (r"lscpu",)
HINTS: tuple[str, ...] = ("lscpu*", "proc_cpuinfo*")

TEXTS = {
    "Architecture": "cpu.architecture",
    "Model name": "cpu.model",
    "Hypervisor vendor": "host.hypervisor",
}
_ENTRY = Pattern(r"^\s*(?P<key>[A-Z][\w() -]*?)\s*:\s+(?P<value>\S.*?)\s*$")
_CPUINFO = Pattern(r"^(?P<key>[a-z][\w ]*?)\s*:\s*(?P<value>.*?)\s*$")


STARTS = (
    r"\s*Architecture:",
    "processor\t: 0",
)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether lscpu or cpuinfo starts at `lines[at]`."""
    if re.match(r"^\s*Architecture:\s+\w+\s*$", lines[at]):
        return any("CPU(s):" in line or "CPU op-mode" in line for line in lines[at + 1 : at + 5])
    return bool(re.match(r"^processor\t: 0$", lines[at]))


def continues(line: str) -> bool:
    """Return whether `line` is an entry of either."""
    return bool(not line.strip() or _ENTRY.match(line) or ("\t" in line and _CPUINFO.match(line)))


def _count(ranges: str) -> float | None:
    """Return how many CPUs `0-3,8` names, None for anything else."""
    if not re.fullmatch(r"\d{1,6}(?:-\d{1,6})?(?:,\d{1,6}(?:-\d{1,6})?)*", ranges):
        return None
    pairs = (part.partition("-") for part in ranges.split(","))
    return float(sum(int(high or low) - int(low) + 1 for low, _, high in pairs))


def read(text: Text) -> Reading:
    """Read CPUs on-line, nodes, model and hypervisor; other entries are not needed."""
    reader = FactReader(text)
    processors = 0
    is_listed = any("On-line CPU(s) list" in entry for entry in text.lines)
    for line, entry in enumerate(text.lines, start=text.first_line):
        cpuinfo = _CPUINFO.match(entry)
        found = _ENTRY.match(entry)
        if cpuinfo and cpuinfo["key"] == "processor":
            processors += 1
        elif found and found["key"] == "On-line CPU(s) list" and (count := _count(found["value"])):
            reader.add("cpu.online", count, line, "count")
        elif found and found["key"] == "CPU(s)" and not is_listed and found["value"].isdecimal():
            # A filter took the list away; of the CPUs of a host, few are ever off-line.
            reader.add("cpu.online", float(found["value"]), line, "count")
        elif found and found["key"] == "NUMA node(s)" and found["value"].isdecimal():
            reader.add("numa.nodes", float(found["value"]), line, "count")
        elif found and found["key"] in TEXTS:
            reader.add(TEXTS[found["key"]], found["value"], line)
        elif entry.strip() and not found and not cpuinfo:
            reader.skips.add("not `key: value`", line)
    if processors:
        reader.add("cpu.online", float(processors), text.first_line, "count")
    return reader.result()

"""Kernel settings: `sysctl -a`, or one file below `/proc/sys`.

Example:
    kernel.numa_balancing = 1
    vm.zone_reclaim_mode = 0

The name is the path below proc/sys with dots.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.native.linear import Pattern
from ingest.parsing.fact_reader import FactReader, number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "sysctl"
VERSION = 2
TITLE = "Kernel settings (sysctl)"
EXAMPLE = "kernel.numa_balancing = 1\nvm.swappiness = 60\nvm.zone_reclaim_mode = 0"

PATHS: tuple[str, ...] = (
    "sos_commands/*/sysctl_-a",
    "proc/sys/vm/*",
    *(
        f"proc/sys/kernel/{name}"
        for name in (
            "hung_task_*",
            "numa_*",
            "perf_event_*",
            "sched_*",
            "softlockup_*",
            "tainted",
            "watchdog*",
        )
    ),
    "proc/sys/fs/file-nr",
    "proc/sys/kernel/split_lock_mitigate",
    "proc/sys/net/netfilter/nf_conntrack_count",
    "proc/sys/net/netfilter/nf_conntrack_max",
    "proc/sys/net/ipv4/neigh/default/gc_thresh*",
    *(f"proc/sys/net/ipv4/{name}" for name in ("tcp_max_orphans", "tcp_mem", "udp_mem")),
)
"""A report may hold all of proc/sys as single files beside `sysctl -a`; these few are worth a row alone."""

COMMANDS: tuple[str, ...] = (r"sysctl (?:-a|[a-z][\w./-]+)(?: .*)?",)
HINTS: tuple[str, ...] = ("sysctl_-a*", "sysctl*")

_ENTRY = Pattern(r"^\s*(?P<key>[a-z][\w-]*(?:[./][\w@:*-]+)+)\s*=\s?(?P<value>.*?)\s*$")
MIN_LINES = 5
ROOTS = frozenset(
    ("abi", "crypto", "debug", "dev", "fs", "fscache", "kernel", "net", "sunrpc", "user", "vm", "xen")
)
"""Directories of /proc/sys; `self.name = name` of a program has none of them."""


LIMITED = frozenset(("fs.file-nr", "net.netfilter.nf_conntrack_count", "net.netfilter.nf_conntrack_max"))
"""Settings that are pasted alone, in any order."""

THRESHOLDS = {
    "net.ipv4.tcp_mem": ("low", "pressure", "high"),
    "net.ipv4.udp_mem": ("low", "pressure", "high"),
}
"""Settings of several numbers, in pages, and what each of them is called (tcp(7))."""

STARTS = (rf"\s*(?:{'|'.join(ROOTS)})[./]\S*\s*= ",)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether sysctl's output starts at `lines[at]`: five settings in a row, or a use of a limit."""
    following = lines[at : at + MIN_LINES]
    return (len(following) == MIN_LINES and all(map(_is_setting, following))) or _is_limited(lines[at])


def _is_limited(line: str) -> bool:
    """Return whether a line alone says how much is used of a limit: `fs.file-nr = 812233 0 812000`."""
    found = _ENTRY.match(line)
    return bool(found and found["key"].replace("/", ".") in LIMITED and found["value"][:1].isdigit())


def _is_setting(line: str) -> bool:
    found = _ENTRY.match(line) if " = " in line else None
    return found is not None and found["key"].replace("/", ".").partition(".")[0] in ROOTS


def continues(line: str) -> bool:
    """Return whether `line` is a setting."""
    return bool(_ENTRY.match(line)) or line.startswith("sysctl: ")


TAINTS = {4: "M", 5: "B", 7: "D", 9: "W", 14: "L"}
"""Bits of /proc/sys/kernel/tainted that say what happened since boot, and their letter.

Source: Documentation/admin-guide/tainted-kernels.rst.
"""


def read(text: Text) -> Reading:
    """Read every setting: a number where it is one number, else text."""
    reader = FactReader(text)
    _, is_file, inside = f"/{text.path}".partition("/proc/sys/")
    for line, entry in enumerate(text.lines, start=text.first_line):
        if not entry.strip():
            continue
        found = _ENTRY.match(entry)
        if is_file and not found:
            key, printed = inside.replace("/", "."), entry.strip()
        elif found:
            key, printed = found["key"].replace("/", "."), found["value"]
        else:
            reader.skips.add("not `name = value`", line)
            continue
        value = number(printed)
        reader.add(f"sysctl.{key}", printed if value is None else value, line)
        if key == "kernel.tainted" and value is not None:
            for bit, flag in TAINTS.items():
                if int(value) >> bit & 1:
                    reader.add("kernel.tainted", 1.0, line, "count", {"flag": flag})
        for part, digits in zip(THRESHOLDS.get(key, ()), printed.split(), strict=False):
            if (pages := number(digits)) is not None:
                reader.add(f"sysctl.{key}.{part}", pages, line)
    return reader.result()

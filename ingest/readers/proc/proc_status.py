"""`/proc/<pid>/status`: state, threads and memory of one process.

Example:
    Name:	rss_drift
    State:	S (sleeping)
    VmRSS:	  156432 kB

RSS here is a sum of per-CPU counters, exact or not by kernel version; `smaps_rollup` counts pages.
Source: proc_pid_status in fs/proc/array.c.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.native.linear import Pattern
from ingest.parsing.fact_reader import BYTES_PER_KIB, FactReader, pid_labels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "proc-status"
VERSION = 3
TITLE = "/proc/PID/status"
EXAMPLE = "Name:\trss_drift\nState:\tS (sleeping)\nVmRSS:\t  156432 kB\nThreads:\t801"

PATHS: tuple[str, ...] = ("proc/*/status", "proc/*/task/*/status")
COMMANDS: tuple[str, ...] = ()
HINTS: tuple[str, ...] = ("proc_pid_status*",)

SIZES = {"VmRSS": "rss.status"} | {
    key: key.lower()
    for key in ("VmHWM", "VmSize", "VmPeak", "VmSwap", "VmPTE", "VmData", "RssAnon", "RssFile", "RssShmem")
}
_SWITCHES = ("voluntary_ctxt_switches", "nonvoluntary_ctxt_switches")
_READ = frozenset((*SIZES, *_SWITCHES, "Name", "State", "Threads", "Mems_allowed_list"))
_UNREAD = frozenset(
    """CapAmb CapBnd CapEff CapInh CapPrm CoreDumping Cpus_allowed Cpus_allowed_list FDSize Gid Groups
    HugetlbPages Kthread Mems_allowed NSpgid NSpid NSsid NStgid Ngid NoNewPrivs PPid Seccomp
    Seccomp_filters ShdPnd SigBlk SigCgt SigIgn SigPnd SigQ SpeculationIndirectBranch
    Speculation_Store_Bypass THP_enabled Tgid TracerPid Uid Umask VmExe
    VmLck VmLib VmPMD VmPin VmStk untag_mask""".split()  # noqa: SIM905 - many words
)
"""Entries that nobody asks for: most lines of a file that a report has of each process."""

_SIZE = re.compile(r"^(?P<value>\d{1,20}) kB\b")
_ENTRY = Pattern(r"^\s*(?P<key>[A-Za-z][\w:]*?):(?:\s+(?P<value>\S.*?))?\s*$")
_ALONE = re.compile(r"^\s*Vm(?:RSS|HWM|Size|Swap):\s+\d+ kB\b")


_LIST = re.compile(r"^\d{1,5}(?:-\d{1,5})?(?:,\d{1,5}(?:-\d{1,5})?)*$")


def _length(listed: str) -> int:
    """Return how many numbers `0-3,8` names."""
    ranges = (part.partition("-") for part in listed.split(","))
    return sum(int(last or first) - int(first) + 1 for first, _, last in ranges)


_NAME = re.compile(r"^Name:(?:\t|\s{2,})\S")
_BELOW_NAME = re.compile(r"^(?:Umask|State):(?:\t|\s{2,})\S")
_BLANKS = re.compile(r":(?:\t|\s{2,})")
"""A terminal turns the tab behind a key into blanks."""

STARTS = (
    _ALONE.pattern,
    "Name:[\t ]",
)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the file starts at `lines[at]`: `Name:`, then `Umask:` or `State:`; or only `VmRSS:`."""
    line = lines[at]
    if _ALONE.match(line):
        return True
    return bool(_NAME.match(line)) and any(
        _BELOW_NAME.match(following) for following in lines[at + 1 : at + 3]
    )


def continues(line: str) -> bool:
    """Return whether `line` is an entry."""
    return bool(_ENTRY.match(line)) and bool(_BLANKS.search(line) or _ALONE.match(line))


def _labels(text: Text, pid: str) -> dict[str, str]:
    return {"pid": pid} if pid else pid_labels(text.path)


def _is_unread(line: str) -> bool:
    """Return whether a line is an entry as the kernel writes it, of those that nobody asks for."""
    key, tab, _ = line.partition(":\t")
    return bool(tab) and key in _UNREAD


def _entry(line: str) -> tuple[str, str] | None:
    """Return key and value of a line without blanks around it, None for another line."""
    key, _, value = line.partition(":")
    bare = value.lstrip("\t ")
    if bare != value and key.isidentifier() and key.isascii() and key[0] != "_" and not bare[:1].isspace():
        return key, bare
    found = _ENTRY.match(line)
    return (found["key"], found["value"] or "") if found else None


def read(text: Text) -> Reading:
    """Read what is known of the process; the file again is the next snapshot."""
    reader = FactReader(text)
    entries: list[tuple[int, str, str]] = []
    pid = ""
    for line, entry in reader.lines(_is_unread):
        if (found := _entry(entry)) is None:
            reader.skips.add("not `Key: value`", line)
        elif found[0] in _READ:
            entries.append((line, *found))
        elif found[0] == "Pid":
            pid = pid or found[1]
    labels = _labels(text, pid)
    for line, key, value in entries:
        if key in SIZES and (size := _SIZE.match(value)):
            resident_bytes = float(size["value"]) * BYTES_PER_KIB
            reader.add(f"process.{SIZES[key]}_bytes", resident_bytes, line, "bytes", labels)
        elif key == "Name":
            reader.add("process.name", value, line, "", labels)
        elif key == "State":
            reader.add("process.state", value[:1], line, "", labels)
        elif key == "Threads" and value.isdecimal():
            reader.add("process.threads", float(value), line, "count", labels)
        elif key == "Mems_allowed_list" and _LIST.match(value):
            reader.add("process.mems_allowed", float(_length(value)), line, "count", labels)
        elif key in _SWITCHES and value.isdecimal():
            reader.add(f"process.{key}", float(value), line, "count", labels)
    return reader.result()

"""What a recording of `perf record` cannot show: other processes, and functions without names.

part_of("/usr/bin/perf record -F 99 -p 3236 -g")  ->  "process 3236"
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from signatures.overview.scope_evidence import ScopeEvidence
    from signatures.overview.stacks import Stacks

NAMES = "sudo perf record -a -g -F 99 -- sleep 30 && sudo perf script"
"""As root and on the machine itself: its addresses are hidden from others, and perf.data has no names."""

OPENED = "perf report --stdio --no-children -g caller | head -200"
OPENED_ASKS = "who calls it: the call chains that are recorded already"
"""For a screen of perf whose rows are closed."""

_OF_PROGRAMS = re.compile(r":[pP]*u[pP]*$|/u[pP]*$")
"""The modifier of an event that counts in user mode alone: `cycles:u`, `cpu/cycles/u`; perf-list(1)."""

_PARTS = {
    "-p": "process",
    "--pid": "process",
    "-t": "thread",
    "--tid": "thread",
    "-u": "user",
    "--uid": "user",
}
_VALUED = frozenset((
    "-e", "--event", "-c", "--count", "-F", "--freq", "-m", "--mmap-pages", "-o", "--output", "-C", "--cpu",
    "-G", "--cgroup", "-j", "--branch-filter", "-D", "--delay", "-k", "--clockid", "--call-graph", "--filter",
    "--max-size", "--switch-max-files", "-r", "--realtime",
))  # fmt: skip
"""Options with a value of their own; `perf record --help`."""

_ALL = re.compile(r"--all-cpus|-[b-zA-Z]*a[a-zA-Z]*")


def is_of_programs(event: str) -> bool:
    """Return whether an event counts in user mode alone, and a profile of it leaves the kernel out."""
    return bool(_OF_PROGRAMS.search(event))


def part_of(command: str) -> str:
    """Return which part of the machine a `perf record` command recorded; "" for all of it, or unknown."""
    words = command.split()
    options = words[words.index("record") + 1 :] if "record" in words else []
    part = ""
    at = 0
    while at < len(options):
        word = options[at]
        name, _, value = word.partition("=")
        if name in _PARTS:
            part = f"{_PARTS[name]} {value or next(iter(options[at + 1 : at + 2]), '')}".strip()
            at += not value
        elif word == "--" or not word.startswith("-"):
            program = next((one for one in options[at:] if one != "--"), "")
            return part or (f"the command {program.rsplit('/', 1)[-1]}" if program else "")
        elif _ALL.fullmatch(name):
            return ""
        elif name in _VALUED and not value:
            at += 1
        at += 1
    return part


def recorded_part(evidence: ScopeEvidence, stacks: Stacks) -> str:
    """Return what the profile is of, when it is not of the whole machine: `process 3236`."""
    commands = (one for one in evidence.facts("perf.cmdline") if one.item.evidence == stacks.item.evidence)
    return next((part for one in commands if (part := part_of(str(one.fact.value)))), "")


def is_nameless(stacks: Stacks) -> bool:
    """Return whether most samples end in an address."""
    return float(stacks.leaf_weight[stacks.unnamed].sum()) > stacks.total / 2

"""Facts about the machine that lines of its log state.

Examples:
    Linux version 6.1.0-18-amd64 (debian-kernel@lists.debian.org) …
    Kernel command line: BOOT_IMAGE=/boot/vmlinuz-6.1.0-18-amd64 root=UUID=… ro quiet
    smp: Brought up 1 node, 8 CPUs
    CPU: 3 PID: 12 Comm: x Tainted: G        W   6.1.0-18-amd64 #1
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ingest.readers.logs.kernel_log import trace

if TYPE_CHECKING:
    from collections.abc import Iterator

_BUILD = re.compile(r"^Linux version (?P<release>\S+) ")
_CMDLINE = re.compile(r"^(?:Kernel command line|Command line): (?P<cmdline>.+)$")
_BROUGHT_UP = re.compile(r"^smp: Brought up \d+ nodes?, (?P<online>\d+) CPUs?")
_ALLOWING = re.compile(r"^(?:smpboot: )?Allowing (?P<possible>\d+) (?:present )?CPUs")
_STATING = ("Linux version ", "Kernel command line", "Command line", "smp: ", "smpboot: ", "Allowing ")
"""How lines that state facts about the machine begin; most lines do not."""

RANDOM_READY = ("random: crng init done", "random: nonblocking pool is initialized")
"""The kernel has random numbers from here on; drivers/char/random.c."""

NOTABLE = tuple(f"^{beginning}" for beginning in (*_STATING, *RANDOM_READY))
"""How such lines begin; `trace.NOTABLE` has those that state the taint."""


class Stated(NamedTuple):
    """Name, value and unit of a fact."""

    name: str
    value: float | str
    unit: str = ""


def stated(text: str) -> Iterator[Stated]:
    """Yield the facts that a message states."""
    if "ainted" in text and (found := trace.RELEASE.search(text)):
        yield Stated("kernel.release", found["release"])
    elif not text.startswith(_STATING):
        return
    elif found := _BUILD.match(text):
        yield Stated("kernel.release", found["release"])
        yield Stated("kernel.build_text", text)
    elif found := _CMDLINE.match(text):
        yield Stated("boot.cmdline", found["cmdline"])
    elif found := _BROUGHT_UP.match(text):
        yield Stated("cpu.online", float(found["online"]), "count")
    elif found := _ALLOWING.match(text):
        yield Stated("cpu.possible", float(found["possible"]), "count")

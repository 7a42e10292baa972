"""All capture commands, and those that cannot run on this machine."""

from __future__ import annotations

import os
import re
import shutil
from typing import TYPE_CHECKING

from signatures.document.catalog import load_catalog
from signatures.reporting.next_captures import WHICH_HOST

if TYPE_CHECKING:
    from signatures.language.model import Capture

CATALOG = load_catalog()
CAPTURES = {capture.run: capture for capture in (*CATALOG.captures, WHICH_HOST)}
CAPTURES |= {c.run: c for s in CATALOG.signatures for row in s.next.values() for c in row}


def missing(run: str) -> str:
    """Return what this machine lacks for a capture, "" for nothing."""
    tools = ("strace", *re.findall(r"timeout -s KILL \d+ ([\w-]+)", run))
    absent = [tool for tool in tools if shutil.which(tool) is None]
    if absent:
        return f"{', '.join(dict.fromkeys(absent))} is not installed here"
    if os.geteuid() != 0 and re.search(r"\b(?:perf|bpftrace|dmesg)\b", run):
        return "needs root"
    return ""


RUNS: dict[str, tuple[Capture, str]] = {
    f"{capture.name or capture.title}-{at}": (capture, run)
    for capture in CAPTURES.values()
    if capture.os == "linux"
    for at, run in enumerate((capture.run, *capture.alternatives))
}
NOT_RUN = {name: reason for name, (_, run) in RUNS.items() if (reason := missing(run))}
RUNNABLE = {name: entry for name, entry in RUNS.items() if name not in NOT_RUN}

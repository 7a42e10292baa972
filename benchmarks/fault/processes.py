"""Processes of an instance that outlived what started them.

A process belongs to an instance if its data directory is in its command line, or in its environment. It is an
orphan if this process is not among its ancestors any more: that it ran below the supervisor is lost then.

Sources: proc_pid_cmdline(5), proc_pid_environ(5), proc_pid_stat(5)
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

from backend.core.supervisor.processes import start_ticks

if TYPE_CHECKING:
    from collections.abc import Iterator

PROC = Path("/proc")
INIT = 1


def orphans_of(data_dir: Path, *, within_seconds: float) -> list[int]:
    """Return the orphans of the instance at `data_dir`: those that are still there after so many seconds."""
    deadline = time.monotonic() + within_seconds
    while True:
        found = [pid for pid in _processes_of(data_dir) if not _is_below(pid, os.getpid())]
        if not found or time.monotonic() > deadline:
            return found
        time.sleep(0.1)


def parent_of(pid: int) -> int:
    """Return the parent of a process (field 4 of /proc/PID/stat); 0 when it has ended."""
    try:
        stat = (PROC / str(pid) / "stat").read_text(encoding="utf-8", errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return int(stat.rpartition(")")[2].split()[1])


def _processes_of(data_dir: Path) -> Iterator[int]:
    name = os.fsencode(data_dir)
    for entry in PROC.iterdir():
        if not entry.name.isdigit():
            continue
        try:
            words = (entry / "cmdline").read_bytes() + (entry / "environ").read_bytes()
        except OSError:
            continue
        if name in words and start_ticks(int(entry.name)):
            yield int(entry.name)


def _is_below(pid: int, ancestor: int) -> bool:
    while pid > INIT:
        if pid == ancestor:
            return True
        pid = parent_of(pid)
    # It has ended meanwhile, or was adopted by init.
    return pid == 0

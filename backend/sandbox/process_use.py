"""What a process of the sandbox uses: processor time, memory, and bytes written and stored."""

from __future__ import annotations

import os
from pathlib import Path


def cpu_seconds(pid: int) -> float:
    """Return the processor time of a process and its threads; 0 when it has ended."""
    try:
        behind_name = (
            Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2]
        )
        user, system = behind_name.split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError):
        return 0.0


def resident_bytes(pid: int) -> int:
    """Return the resident memory of a process; 0 when it has ended."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) * os.sysconf(
            "SC_PAGESIZE"
        )
    except (OSError, IndexError):
        return 0


def written_bytes(pid: int) -> int:
    """Return how much a process has written to disks, also to files that it removed and keeps open."""
    try:
        lines = Path(f"/proc/{pid}/io").read_text(encoding="ascii").splitlines()
        return next(int(line.partition(": ")[2]) for line in lines if line.startswith("write_bytes: "))
    except (OSError, ValueError, StopIteration):
        return 0


def used_bytes(directory: Path) -> int:
    """Return the size of all files below `directory`."""
    total = 0
    for folder, _, names in os.walk(directory):
        for name in names:
            try:
                total += Path(folder, name).lstat().st_size
            except FileNotFoundError:
                continue
    return total

"""Child processes of a test process."""

from __future__ import annotations

from pathlib import Path

# Python's own helper of `multiprocessing`; it ends with the process.
PYTHONS_OWN = "multiprocessing.resource_tracker"


def children() -> dict[int, str]:
    """Return the command line of every child process by its PID; that of a zombie is empty."""
    pids = [
        pid for task in Path("/proc/self/task").iterdir() for pid in (task / "children").read_text().split()
    ]
    commands = {int(pid): _command(int(pid)) for pid in pids}
    return {pid: command for pid, command in commands.items() if PYTHONS_OWN not in command}


def _command(pid: int) -> str:
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return ""
    return words.replace(b"\0", b" ").decode(errors="replace").strip()

"""The forks that compute at the moment."""

from __future__ import annotations

from pathlib import Path

from backend.sandbox import fork_server


def pids_of_forks() -> set[int]:
    """Return the process ids of all forks of the fork server of this process."""
    [forker] = fork_server._forkers.values()
    server = forker._process.pid
    return {int(pid) for pid in Path(f"/proc/{server}/task/{server}/children").read_text().split()}

"""Paths on a mount whose server is gone: any look at one waits for ever, also that for its size.

answers("/mnt/backup")  ->  False
"""

from __future__ import annotations

import os
import re
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from typing import Any

SECONDS = 2.0
"""A server that is slower than this with the attributes of one file is not read from."""

PAUSE_SECONDS = 0.002

WITH_SERVER = ("fuse", "nfs", "cifs", "smb", "ceph", "9p", "afs", "lustre")
"""Beginnings of types of file systems that wait for another program or machine."""

LOCAL = (
    *("bpf", "cgroup", "cgroup2", "configfs", "debugfs", "devpts", "devtmpfs", "efivarfs", "fusectl"),
    *("hugetlbfs", "mqueue", "nsfs", "proc", "pstore", "securityfs", "sysfs", "tracefs"),
    *("btrfs", "exfat", "ext2", "ext3", "ext4", "f2fs", "iso9660", "overlay", "ramfs", "rootfs", "squashfs"),
    *("tmpfs", "vfat", "xfs", "zfs"),
)
"""Types of file systems of which none waits: where there are no others, nobody has to look first."""

OF_THE_KERNEL = ("/proc/", "/sys/")
"""Below these systemd mounts by demand, and no server is."""

POINT = 4
"""Place of the mount point in a line of mountinfo."""

_ESCAPED = re.compile(r"\\([0-7]{3})")


def answers(path: str, seconds: float = SECONDS) -> bool:
    """Return whether the file system of `path` answers; a path that does not exist is an answer.

    A child looks: what waits for a server in the kernel can hold up the end of its own process alone.
    """
    if _all_are_local():
        return True
    child = os.fork()
    if not child:
        _look(path)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if os.waitpid(child, os.WNOHANG)[0]:
            return True
        time.sleep(PAUSE_SECONDS)
    os.kill(child, signal.SIGKILL)
    return False


def _all_are_local() -> bool:
    """Return whether every file system of this process is one that answers."""
    mounts = _mounts()
    return bool(mounts) and all(kind in LOCAL or point.startswith(OF_THE_KERNEL) for point, kind in mounts)


def stuck_below(directory: str) -> str:
    """Return the first mount point below a directory whose server does not answer, "" where all do.

    Only file systems with a server are looked at. Walking the directory would wait at it for ever.
    """
    root = f"{os.path.realpath(directory).rstrip(os.sep)}{os.sep}"
    for point, kind in _mounts():
        if point.startswith(root) and kind.startswith(WITH_SERVER) and not answers(point):
            return point
    return ""


def _mounts() -> list[tuple[str, str]]:
    """Return mount point and type of each mount of this process."""
    try:
        lines = (
            Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="surrogateescape").splitlines()
        )
    except OSError:
        return []
    found = []
    for line in lines:
        before, _, after = line.partition(" - ")
        words, kind = before.split(" "), after.split(" ", 1)[0]
        if len(words) > POINT:
            found.append((_ESCAPED.sub(lambda one: chr(int(one[1], 8)), words[POINT]), kind))
    return found


def _look(path: str) -> None:
    """Look at a path and its first entry, and end the process."""
    try:
        if Path(path).is_dir():
            with os.scandir(path) as entries:
                next(entries, None)
        os.close(os.open(path, os.O_PATH))
    except OSError:
        pass
    finally:
        os._exit(0)


class EvidencePath(click.Path):
    """A path that exists and answers, or `-`."""

    def __init__(self) -> None:
        """Allow standard input."""
        super().__init__(exists=True, allow_dash=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path.

        Raises:
            UsageError: It does not exist, or its file system does not answer.
        """
        if value != "-" and not answers(os.fspath(value)):
            self.fail(
                f"{value!r} does not answer within {SECONDS:g} s: the server of its mount is gone or stuck",
                param,
                ctx,
            )
        if value != "-" and Path(value).is_dir() and (point := stuck_below(os.fspath(value))):
            self.fail(
                f"{point!r} below {value!r} does not answer within {SECONDS:g} s: the server of its mount "
                "is gone or stuck; name the files and directories beside it",
                param,
                ctx,
            )
        return super().convert(value, param, ctx)

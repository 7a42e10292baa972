"""Files of the running kernel below /proc and /sys: those that are read, and those that never end.

    captured_root("/proc/812")          ->  "proc/812"
    reason_not_to_read("proc/kmsg")     ->  "the kernel's log, which reading takes away: dmesg"

Reading a file there may block, never end, take away what others wait for, or touch a device. So of a
directory only files are opened that a reader knows by their path, and a file by name only where it ends.
"""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING, Protocol

from ingest.sections.captured_files import reader_of_path
from ingest.tables import files, table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

ROOTS = ("/proc", "/sys")
MOST_FILES = 20_000
"""Of one directory: a host with a hundred thousand threads has more."""


class LiveReads(Protocol):
    """Reads files of the running kernel; whoever limits their time and number decides when that is enough."""

    def content(self, path: Path) -> bytes:
        """Return the content of a file.

        Raises:
            OSError: It cannot be read, or not in time.
        """

    def why_spent(self) -> str:
        """Return why no further file is read, "" while the limits allow it."""


class WholeReads:
    """Reads every file whole, without a limit of time."""

    def content(self, path: Path) -> bytes:
        """Return the content of a file.

        Raises:
            OSError: It cannot be read.
        """
        return path.read_bytes()

    def why_spent(self) -> str:
        """Return "": there is no limit."""
        return ""


WHOLE = WholeReads()


def captured_root(directory: Path) -> str | None:
    """Return where a directory or file of the running kernel stands, without slash; None for others."""
    whole = os.path.realpath(directory)
    is_live = whole in ROOTS or whole.startswith(tuple(f"{root}/" for root in ROOTS))
    return whole.lstrip("/") if is_live else None


def known_files(directory: str) -> Iterator[str]:
    """Yield the paths of the files below a directory of the running kernel that a reader knows."""
    count = 0
    for where, directories, names in os.walk(f"/{directory}"):
        directories[:] = sorted(name for name in directories if name not in _rows()["closed"])
        for name in sorted(names):
            path = f"{where}/{name}".lstrip("/")
            if reader_of_path(path) is None or reason_not_to_read(path):
                continue
            count += 1
            if count > MOST_FILES:
                return
            yield path


def is_of_process(path: str) -> bool:
    """Return whether a file of the running kernel is of one process: reading it may wait for that one."""
    first, _, rest = path.partition("/")
    return first == "proc" and rest.partition("/")[0].isdigit()


def reason_not_to_read(path: str) -> str:
    """Return why a file of the running kernel is not read, and what shows its content; "" where it ends."""
    endless: Mapping[str, str] = _rows()["endless"]
    name = path.rpartition("/")[2]
    return endless.get(name, "") if path.startswith(("proc/", "sys/")) else ""


@cache
def _rows() -> Mapping[str, Mapping[str, str]]:
    rows: Mapping[str, Mapping[str, str]] = table(files("ingest.catalogue") / "live_files.yaml")
    return rows

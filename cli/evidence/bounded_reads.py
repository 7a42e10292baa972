"""Reads that end: a file that does not answer in time is given up, as on a mount whose server is gone.

    content_of(Path("/proc/812/comm"))  ->  b"nginx"

A read of /proc may wait for a lock of the process that it tells about, and an open for the other end of a
pipe. A thread reads; it stays behind where it waits, and ends with the process.
"""

from __future__ import annotations

import errno
import time
from dataclasses import dataclass, field
from threading import Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

SECONDS = 2.0
"""For one file: those of /proc are written out in milliseconds."""

ALL_SECONDS = 120.0
"""For one directory: `/proc` of a host with thousands of processes takes half a minute."""

MOST_STUCK = 5
"""Reads of one directory that may be given up: then what they wait for holds up all."""

MOST_BYTES = 64 * 1024 * 1024
"""Of one file: the largest, a smaps of a process with a hundred thousand mappings, has that much."""

CHUNK = 1024 * 1024


class StuckReadError(OSError):
    """A read did not end in time; `strerror` states the limit."""


def content_of(path: Path, seconds: float = SECONDS, most: int = MOST_BYTES) -> bytes:
    """Return the content of a file, at most `most` bytes of it.

    Raises:
        StuckReadError: It did not end within `seconds`.
        OSError: It cannot be opened or read.
    """
    answer: list[bytes | OSError] = []
    reader = Thread(target=_read, args=(path, most, answer), daemon=True)
    reader.start()
    reader.join(seconds)
    if not answer:
        raise StuckReadError(
            errno.ETIMEDOUT, f"reading it did not end within {seconds:g} s: it waits for a lock or a server"
        )
    if isinstance(answer[0], OSError):
        raise answer[0]
    return answer[0]


def _read(path: Path, most: int, answer: list[bytes | OSError]) -> None:
    pieces, size = [], 0
    try:
        with path.open("rb", buffering=0) as file:
            while size < most and (piece := file.read(min(CHUNK, most - size))):
                pieces.append(piece)
                size += len(piece)
    except OSError as error:
        answer.append(error)
        return
    answer.append(b"".join(pieces))


@dataclass(slots=True)
class BoundedReads:
    """The reads of one directory: each within a limit, and all within one of time and of patience.

    Attributes:
        seconds: For all files.
        each_seconds: For one file.
        most_stuck: Reads that may be given up.
    """

    seconds: float = ALL_SECONDS
    each_seconds: float = SECONDS
    most_stuck: int = MOST_STUCK
    _stuck: int = 0
    _begun: float = field(default_factory=time.monotonic)

    def content(self, path: Path) -> bytes:
        """Return the content of a file.

        Raises:
            OSError: It cannot be opened or read, or did not end in time.
        """
        try:
            return content_of(path, self.each_seconds)
        except StuckReadError:
            self._stuck += 1
            raise

    def why_spent(self) -> str:
        """Return why no further file is read, "" while there is time."""
        if self._stuck >= self.most_stuck:
            return f"the reads of {self._stuck} files did not end; the others may wait for the same"
        if time.monotonic() - self._begun > self.seconds:
            return f"the files before it took {self.seconds:g} s"
        return ""

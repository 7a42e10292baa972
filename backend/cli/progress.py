"""How far a long input is read: one line on the terminal, rewritten, and none anywhere else.

reading perf.script.gz: 312 of 900 MB
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

LONG_BYTES = 16 << 20
"""Shorter input is read before anybody looks."""

INTERVAL_SECONDS = 0.2
MEGABYTE = 1_000_000


class Progress:
    """Tells stderr how much of one file was read; `done` wipes the line away."""

    def __init__(self, name: str, size_bytes: int) -> None:
        """Name the file and its stored size."""
        self._name = name
        self._size = size_bytes
        self._told_at = time.monotonic()
        self._width = 0

    def __call__(self, read_bytes: int) -> None:
        """Hear how many stored bytes were read so far."""
        now = time.monotonic()
        if now - self._told_at < INTERVAL_SECONDS:
            return
        self._told_at = now
        line = f"reading {self._name}: {read_bytes // MEGABYTE:,} of {self._size // MEGABYTE:,} MB"
        self._write(line)
        self._width = len(line)

    def done(self) -> None:
        """Leave nothing on the line."""
        if self._width:
            self._write("")

    def _write(self, line: str) -> None:
        sys.stderr.write(f"\r{line.ljust(self._width)}\r{line}")
        sys.stderr.flush()


def progress_of(path: Path) -> Progress | None:
    """Return who tells about the reading of `path`: nobody for short files, or without a terminal."""
    stderr = getattr(sys, "stderr", None)
    if stderr is None or not stderr.isatty() or not path.is_file():
        return None
    size = path.stat().st_size
    return Progress(path.name, size) if size >= LONG_BYTES else None


def watched(path: Path) -> tuple[Callable[[int], None] | None, Callable[[], None]]:
    """Return what hears the progress of `path`, None when nobody should, and what ends it."""
    told = progress_of(path)
    return told, (told.done if told else _nothing)


def _nothing() -> None:
    """End nothing."""

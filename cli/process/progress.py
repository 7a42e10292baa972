"""Progress of long input: one rewritten terminal line; elsewhere only completed steps.

reading perf.script.gz: 312 of 900 MB
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

LONG_BYTES = 16 << 20
"""Shorter input is read before anybody looks."""

INTERVAL_SECONDS = 0.2
MEGABYTE = 1_000_000
PACE_SECONDS = 8.0
"""Averaging window of the rate."""


class Progress:
    """Reports the reading progress of one file on stderr; `done` clears the line."""

    def __init__(self, name: str, size_bytes: int) -> None:
        """Name the file and its stored size."""
        self._name = name
        self._size = size_bytes
        self._reported_at = time.monotonic()
        self._width = 0

    def __call__(self, read_bytes: int) -> None:
        """Record the number of stored bytes read."""
        now = time.monotonic()
        if now - self._reported_at < INTERVAL_SECONDS:
            return
        self._reported_at = now
        line = f"reading {self._name}: {read_bytes // MEGABYTE:,} of {self._size // MEGABYTE:,} MB"
        self.write(line)

    def write(self, line: str) -> None:
        """Rewrite the line."""
        self._write(line)
        self._width = len(line)

    def done(self) -> None:
        """Leave nothing on the line."""
        if self._width:
            self._write("")

    def _write(self, line: str) -> None:
        sys.stderr.write(f"\r{line.ljust(self._width)}\r{line}")
        sys.stderr.flush()


class ProgressLine:
    """One rewritten terminal line; where stderr is no terminal, only completed steps."""

    def __init__(self) -> None:
        """Start with an empty line."""
        self.is_terminal = sys.stderr.isatty()
        self._width = 0
        self._reported_at = 0.0
        self._marks: list[tuple[float, int]] = []

    def sending(self, name: str, sent: int, size: int) -> None:
        """Show the progress of a file with rate and remaining time."""
        now = time.monotonic()
        if self._marks and sent < self._marks[-1][1]:
            self._marks = []
        self._marks = [mark for mark in self._marks if now - mark[0] < PACE_SECONDS] + [(now, sent)]
        if now - self._reported_at < 0.2:
            return
        self._reported_at = now
        self.show(f"{name}: {sent // MEGABYTE:,} of {size // MEGABYTE:,} MB{self._pace(size)}")

    def _pace(self, size: int) -> str:
        (began, first), (now, sent) = self._marks[0], self._marks[-1]
        if now - began < 1 or sent == first:
            return ""
        rate = (sent - first) / (now - began)
        minutes, seconds = divmod(round((size - sent) / rate), 60)
        remaining = f"{minutes} min {seconds} s" if minutes else f"{seconds} s"
        return f", {rate / MEGABYTE:.1f} MB/s, {remaining} left"

    def show(self, text: str) -> None:
        """Show a line until the next one."""
        if self.is_terminal:
            sys.stderr.write(f"\r{text.ljust(self._width)}")
            sys.stderr.flush()
            self._width = len(text)

    def step(self, step: str, done: int, total: int) -> None:
        """Show how much of a step is done."""
        self.show(f"{step}: {done:,} of {total:,}")

    def clear(self) -> None:
        """Leave nothing on the line."""
        if self._width:
            self.show("")
            sys.stderr.write("\r")
            self._width = 0

    def done(self, text: str) -> None:
        """Print a permanent line."""
        self.show(text)
        self._width = 0
        self._marks = []
        click.echo("" if self.is_terminal else text, err=True)


def progress_of(path: Path) -> Progress | None:
    """Return the progress reporter of `path`; None for short files, or without a terminal."""
    stderr = getattr(sys, "stderr", None)
    if stderr is None or not stderr.isatty() or not path.is_file():
        return None
    size = path.stat().st_size
    return Progress(path.name, size) if size >= LONG_BYTES else None


def watched(path: Path) -> tuple[Callable[[int], None] | None, Callable[[], None]]:
    """Return the progress callback of `path`, if any, and its finisher."""
    progress = progress_of(path)
    return progress, (progress.done if progress else _nothing)


def _nothing() -> None:
    """Do nothing."""


def counted(name: str) -> tuple[Callable[[int], None], Callable[[], None]]:
    """Return what hears how many files of a directory are read, and what ends the line."""
    line, last = Progress(name, 0), [time.monotonic()]

    def on_file(count: int) -> None:
        if time.monotonic() - last[0] >= INTERVAL_SECONDS and sys.stderr.isatty():
            last[0] = time.monotonic()
            line.write(f"reading {name}: {count:,} {'file' if count == 1 else 'files'}")

    return on_file, line.done

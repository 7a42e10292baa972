"""Lines of a log as entries, wrapped lines joined.

A line without a prefix, in a log whose lines have one, belongs to the line above: a part of a report, or the
rest of a message that a terminal or mailer wrapped.
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING, cast

from ingest.readers.logs.kernel_log import prefix, quiet, trace
from ingest.readers.logs.kernel_log.classes import is_unmistakable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.model.reading import SkipCounter
    from ingest.native._core import LogEntry
    from ingest.readers.logs.kernel_log.prefix import Entry

WRAPPED_LENGTH = 60
"""A line shorter than this was not wrapped by a terminal or mailer."""

MAIL_WIDTH = 72
"""Mailers wrap where the next word would go beyond."""

_TERMINAL_WIDTHS = frozenset({80, 100, 120, 132, 140, 160, 200})


def _indent_of(lines: Sequence[str]) -> str:
    """Return the blanks before a stamp or the first line: pasted logs are indented as a whole."""
    stamped = (line for line in lines if line.startswith(" ") and prefix.is_stamped(line.lstrip(" ")))
    first = next(stamped, None) or next((line for line in lines if line.strip()), "")
    return first[: len(first) - len(first.lstrip(" "))]


_HANGING = re.compile(r"^WARNING: (?:\S.* )?at(?: \S+:\d+)?$")
"""A warning whose function stands on the next line, as a frame of a call trace would."""


_AFTER_BLANK = re.compile(r"^ [^\s<]")
"""The rest of a message that a terminal wrapped before a blank."""


def _is_first_of_next(line: str, width: int) -> bool:
    """Return whether the first word of a line did not fit behind the line above it, which is `width` long."""
    return width + 1 + len(line.split(None, 1)[0]) > MAIL_WIDTH


def _is_common(row: LogEntry | None) -> bool:
    return row is not None


def _is_untimed(row: LogEntry) -> bool:
    """Return whether a line is the kernel's and has no time at all."""
    _, _, _, uptime, at, _, is_kernel, _, _, _, _, clock = row
    return uptime is None and is_kernel and at is None and clock is None


class Entries:
    """Takes lines in order and yields an entry when the next begins.

    Attributes:
        untimed: The first line of an unknown form without a time, 0 without one.
    """

    def __init__(self, head: Sequence[str], skips: SkipCounter) -> None:
        """Read a log that begins with the lines `head`; count lines of none in `skips`."""
        self._has_prefixes = any(prefix.is_stamped(line) for line in head)
        self._indent = "" if self._has_prefixes else _indent_of(head)
        self._skips = skips
        self._open: Entry | None = None
        self._width = 0
        self.untimed = 0

    def feed(self, lines: Sequence[str], first_line: int) -> Iterator[Entry | Sequence[LogEntry]]:
        """Yield the entries that end in `lines`, those of a common form by the run."""
        if any("\\[" in line for line in lines):
            lines = [prefix.unescaped(line) for line in lines]
        if self._indent:
            yield from self._one_by_one(lines, first_line)
            return
        at = 0
        for rows in quiet.rows(lines, first_line):
            end = at + len(rows)
            for is_common, group in groupby(rows, key=_is_common):
                run = list(group)
                if is_common:
                    yield from self._run(cast("list[LogEntry]", run), lines[at + len(run) - 1])
                else:
                    yield from self._one_by_one(lines[at : at + len(run)], first_line + at)
                at += len(run)
            at = end

    def _run(self, run: Sequence[LogEntry], last: str) -> Iterator[Entry | Sequence[LogEntry]]:
        """Yield lines with a prefix, the last of which may go on; its text is `last`."""
        if self._open is not None:
            yield self._open
        if len(run) > 1:
            yield run[:-1]
        self._open, self._width = prefix.Entry._make(run[-1]), prefix.width(last)
        if not self.untimed:
            self.untimed = next((row[1] for row in run if _is_untimed(row)), 0)

    def _one_by_one(self, lines: Sequence[str], first_line: int) -> Iterator[Entry]:
        """Yield the entries of lines of any form."""
        for number, line in enumerate(lines, start=first_line):
            found = prefix.entry(line.removeprefix(self._indent), number)
            before = self._open
            if not self.untimed and prefix.is_untimed(line):
                self.untimed = number
            if before is not None and not found.has_prefix and _HANGING.match(before.text) and line.strip():
                self._join(line.strip(), number, " ")
                continue
            if found.has_prefix or not self._has_prefixes or before is None or is_unmistakable(line):
                pass
            elif not line.strip():
                # What comes behind an empty line is no rest of a wrapped message.
                self._width = 0
                continue
            elif self._width in _TERMINAL_WIDTHS and _AFTER_BLANK.match(line) and not trace.frames(line, 0):
                self._join(line, number, "")
                continue
            elif line[0].isspace() or trace.BODY.match(line):
                found = found._replace(
                    uptime=before.uptime, at=before.at, level=before.level, clock=before.clock
                )
            elif self._width >= WRAPPED_LENGTH or _is_first_of_next(line, self._width):
                glue = "" if self._width in _TERMINAL_WIDTHS or before.text.endswith(" ") else " "
                self._join(line, number, glue)
                continue
            else:
                self._skips.add("not a log line", number)
                continue
            if before is not None:
                yield before
            self._open, self._width = found, prefix.width(line)

    def _join(self, line: str, number: int, glue: str) -> None:
        """Add the rest of a wrapped message to the open entry."""
        if self._open is not None:
            joined = self._open._replace(text=self._open.text + glue + line, last_line=number)
            self._open = joined._replace(is_quiet=False, class_number=prefix.UNKNOWN_CLASS)
            self._width = len(line)

    def finish(self) -> Iterator[Entry]:
        """Yield the last entry."""
        if self._open is not None:
            yield self._open
        self._open = None

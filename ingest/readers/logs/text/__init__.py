"""Text that no other format recognises: stored, searchable, citable.

Examples:
    [Tue Sep 24 21:20:54 2024] [info] Memcached operation exceeded 20ms :operation="set" latency="1354.68"
    2026-11-21T10:00:01.250Z WARN query took 812 ms
    ps aux hangs since ten, top works

Prose is not interpreted, except for which tool a person reports as hanging (`hangs`), kernel messages that a
short text quotes (`quoted`), durations in logs of applications (`latencies`), pauses of garbage
collectors (`pauses`), plain statements of tools that
have no reader of their own (`outcomes`), which questions a short text states numbers about
(`unread_values`), tables, keys and status lines of tools that nobody listed (`split_rows`), what it looks
like where none of these has a known meaning (`shape`), and its largest quantities (`stated`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ingest.containers.text_decoding import lines_of
from ingest.model.section import Text
from ingest.parsing import outcomes
from ingest.readers.logs.text import hangs, latencies, pauses, quoted, shape, stated
from ingest.readers.logs.text.split_rows import SplitRows
from ingest.readers.logs.text.unread_values import MOST_LINES, UnreadValues

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.model.facts import Fact
    from ingest.model.reading import Reading

NAME = "text"
VERSION = 8
TITLE = "Text"
EXAMPLE = "It got slow after Tuesday's deploy. ps aux hangs."


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether there is text at all."""
    return bool(lines[at].strip())


def continues(line: str) -> bool:
    """Say that any line is text."""
    del line
    return True


def read(text: Text) -> Reading:
    """Return hanging tools, quoted kernel messages, durations and what tools state."""
    whole = Stream(text.first_line)
    whole.take(text)
    return whole.finish()


class Stream:
    """A text that is read piece by piece."""

    def __init__(self, first_line: int) -> None:
        """Begin at line `first_line`."""
        self._first_line = self._next_line = first_line
        self._head: list[str] = []
        self._command = ""
        self._told: list[Fact] = []
        self._quoted: list[Fact] = []
        self._count = 0
        self._stated = latencies.Latencies()
        self._pauses = pauses.Pauses()
        self._unread = UnreadValues()
        self._split = SplitRows(first_line)

    def feed(self, text: bytes) -> None:
        """Read more whole lines."""
        self.take(Text(lines_of(text), self._next_line))

    def take(self, text: Text) -> None:
        """Read more lines."""
        self._next_line = text.first_line + len(text.lines)
        self._told += (*hangs.read(text).facts, *outcomes.read(text).facts)
        self._count += len(text.lines)
        self._quoted = [*self._quoted, *quoted.read(text).facts] if self._count <= quoted.MOST_LINES else []
        self._stated.take(text)
        self._pauses.take(text)
        self._unread.take(text)
        self._command = self._command or text.command
        self._head += text.lines[: MOST_LINES - len(self._head)]
        self._split.take(text)

    def finish(self) -> Reading:
        """Return everything read."""
        reading = self._stated.result()
        split = self._split.result()
        has_meaning = self._split.has_meaning
        description = () if has_meaning else described(self._head, self._first_line, self._command)
        return replace(
            reading,
            facts=(
                *self._told,
                *self._quoted,
                *reading.facts,
                *self._pauses.facts(),
                *self._unread.facts(),
                *description,
            ),
            row_sets=(*reading.row_sets, *split.row_sets),
            skipped=(*reading.skipped, *split.skipped),
        )


def described(lines: Sequence[str], first_line: int, command: str = "") -> Iterator[Fact]:
    """Yield what lines that no reader takes look like, and the largest quantities in them."""
    looks = shape.shape_of(lines)
    found = list(stated.facts_of(lines, looks, first_line))
    if looks is None and found and not shape.is_prose(lines):
        looks = shape.unshaped(lines)
    if looks is not None:
        yield looks.fact(first_line, command)
        yield from found


def stream(first_line: int) -> Stream:
    """Begin a text at line `first_line`."""
    return Stream(first_line)

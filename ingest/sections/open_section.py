"""A section whose end is not reached: a stream takes its lines, other formats have them held."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from ingest.model.errors import IngestError, contained
from ingest.model.reading import Reading, SkipCounter
from ingest.native import _core
from ingest.paste.annotations import without_annotations
from ingest.readers import STREAMS
from ingest.readers.logs import text as plain
from ingest.sections.read_part import REFUSED, finished, read_part
from ingest.sections.recognise import RECOGNISED

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ingest.model.limits import Limits
    from ingest.native.foreign_lines import Run
    from ingest.parsing.protocols import CapturedFile, Format, StreamFormat
    from ingest.sections.part import Part
    from ingest.sections.read_part import ReadPart


FIRST_LINES = 64
"""Lines at the beginning of a section among which its heads are."""


def opened(part: Part, limits: Limits) -> OpenStream | HeldSection:
    """Return the section that begins with `part`."""
    stream = plain if part.reader is plain else STREAMS.get(part.reader.NAME)
    return OpenStream(part, stream) if stream else HeldSection(part, limits.buffered_bytes)


class OpenStream:
    """A section of a format that reads streams.

    Attributes:
        reader: The format.
        format: The format, None for unknown text.
        foreign: Finds lines that are not of the format; None when recognition must look at all lines.
    """

    def __init__(self, part: Part, reader: StreamFormat) -> None:
        """Begin with the lines of `part`."""
        self.reader: Format | CapturedFile = reader
        self.format = None if reader is plain else reader
        self.foreign: Callable[[bytes, int], list[Run]] | None = getattr(reader, "foreign", None)
        self._part = part
        self._skips = SkipCounter()
        self._ellipsis = 0
        self._next_line = part.text.first_line
        self._last_line = part.last_line
        self._error: IngestError | None = None
        self._stream = reader.stream(part.text.first_line)
        self.take(part)

    def take(self, part: Part) -> None:
        """Read the lines of `part`."""
        text = part.text
        if self.reader is not plain:
            text, annotations, ellipsis = without_annotations(text)
            self._ellipsis = self._ellipsis or ellipsis
            for skipped in annotations:
                self._skips.add(skipped.reason, skipped.first_line, skipped.count)
        joined = "\n".join(text.lines) + "\n"
        self.feed(joined.encode("utf-8", "replace"), text.first_line)

    def feed(self, text: bytes, first_line: int) -> None:
        """Read whole lines; blank ones may be missing between them and the lines before."""
        filled = text.rstrip()
        if filled:
            self._last_line = first_line + _core.line_ends(filled)
        self._try(lambda: self._stream.feed(b"\n" * (first_line - self._next_line) + text))
        self._next_line = first_line + _core.line_ends(text)

    def finish(self) -> ReadPart:
        """Return the section with what was read of it; the reason when its reader refused it."""
        readings: list[Reading] = []
        self._try(lambda: readings.append(self._stream.finish()))
        part = replace(self._part, last_line=self._last_line)
        if self._error:
            lines = self._last_line - part.text.first_line + 1
            self._skips.add(f"{REFUSED} {self.reader.NAME}: {self._error}", part.text.first_line, lines)
            return finished(replace(part, reader=plain), Reading(skipped=self._skips.result()), 0)
        reading = readings[0]
        reading = replace(reading, skipped=(*reading.skipped, *self._skips.result()))
        return finished(part, reading, self._ellipsis)

    def _try(self, step: Callable[[], None]) -> None:
        """Do one step of the reader; after an error there is none."""
        if self._error is not None:
            return
        try:
            with contained(self.reader.NAME):
                step()
        except IngestError as error:
            self._error = error


class HeldSection:
    """A section of a format that must see all its lines.

    Attributes:
        reader: Who reads it.
        format: The format that recognises its lines, None when a captured path does.
        last_line: Last line that is held.
        lines_beyond: Lines that are not held, because there are too many.
    """

    def __init__(self, part: Part, most_bytes: int) -> None:
        """Begin with the lines of `part`, and hold at most `most_bytes`."""
        self.reader = part.reader
        self.format = next((one for one in RECOGNISED if one is part.reader), None)
        self.last_line = part.text.first_line - 1
        self.lines_beyond = 0
        self._part = part
        self._next_line = part.text.first_line
        self._lines: list[Sequence[str]] = []
        # Of heads that a tool prints above each report one is enough.
        self._first = {line: line for line in part.text.lines[:FIRST_LINES]}
        self._bytes_left = most_bytes
        self.take(part)

    def take(self, part: Part) -> None:
        """Hold the lines of `part`."""
        text = part.text
        blank = text.first_line - self._next_line
        self._next_line = part.last_line + 1
        if self._bytes_left <= 0:
            self.lines_beyond += blank + len(text.lines)
            return
        lines = list(map(self._first.get, text.lines, text.lines))
        self._lines += [[""] * blank, lines]
        self._bytes_left -= sum(map(len, text.lines)) + len(text.lines)
        self.last_line = part.last_line

    def finish(self) -> ReadPart:
        """Read the lines that are held."""
        text = replace(self._part.text, lines=list(chain.from_iterable(self._lines)))
        return read_part(replace(self._part, text=text, last_line=self.last_line))

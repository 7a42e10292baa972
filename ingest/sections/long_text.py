"""Text longer than `Limits.sectioned_bytes`, split window by window and read to its end in bounded memory.

    dmesg, then 100 MB of perf script, then dmesg  ->  kernel-log, perf-script, kernel-log

The last section of a window stays open: the next window may continue it. Formats that read streams take
their lines at once; lines of others are held up to `Limits.buffered_bytes`. Unknown lines at the end of a
window are looked at again with the next, since a format may begin among them. Where a native search tells
which lines are foreign to an open stream, nothing else looks at the others.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ingest.containers.text_decoding import HEAD_BYTES, lines_of
from ingest.model.reading import SkipCounter
from ingest.native import _core
from ingest.paste.prompt import BANNER, prompt_at
from ingest.sections.blocks import Opening
from ingest.sections.log_prefixes import LogPrefixes
from ingest.sections.open_section import HeldSection, OpenStream, opened
from ingest.sections.read_part import TextReading, read_part
from ingest.sections.recognise import RESIDUE_LINES, Beginnings
from ingest.sections.split import split_window

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.model.limits import Limits
    from ingest.native.foreign_lines import Run
    from ingest.sections.part import Part
    from ingest.sections.read_part import ReadPart

BEYOND = "beyond what is held of text that is not read as a stream"

LOOK_BACK_LINES = 400
"""No format looks further ahead to tell whether it begins."""

LOOK_AHEAD_BYTES = 64 << 10
"""So much behind a foreign line decides what it is."""

MOST_RUNS = 4096
"""Foreign runs that are looked at one by one; later ones must be longer than a residue."""


def read(chunks: Iterator[bytes], path: str, limits: Limits, lines_above: int = 0) -> TextReading:
    """Read UTF-8 with LF line ends, captured at `path`; that many lines above it are left out."""
    text = LongText(path, limits, lines_above)
    held: list[bytes] = []
    size = undecided = 0
    for chunk in chunks:
        held.append(chunk)
        size += len(chunk)
        while size >= undecided + text.window_bytes:
            whole = b"".join(held)
            end = len(whole) if text.is_streaming else undecided + text.window_bytes
            rest = text.take(whole[:end], is_last=False)
            held = [rest, whole[end:]]
            undecided, size = len(rest), len(rest) + len(whole) - end
    text.take(b"".join(held), is_last=True)
    return text.finish()


class LongText:
    """Takes a text piece by piece."""

    def __init__(self, path: str, limits: Limits, lines_above: int = 0) -> None:
        """Begin below `lines_above` lines of a text captured at `path`, "" when unknown."""
        self._path = path
        self._limits = limits
        self._line = lines_above + 1
        self._is_begun = False
        self._opening = Opening()
        self._open: OpenStream | HeldSection | None = None
        self._prefixes = LogPrefixes()
        self._asked = 0
        self._parts: list[ReadPart] = []
        self._skips = SkipCounter()
        if lines_above:
            self._skips.add("text above the first kernel message, not recognised", 1, lines_above)

    @property
    def is_streaming(self) -> bool:
        """Whether a section is open that takes lines without recognition."""
        return isinstance(self._open, OpenStream) and self._open.foreign is not None

    @property
    def window_bytes(self) -> int:
        """How much text is taken at once, at least."""
        if self.is_streaming:
            return 1
        # A short first window: a long text of one format needs no more to be recognised.
        most = self._limits.sectioned_bytes
        return most if self._is_begun else min(HEAD_BYTES, most)

    def take(self, text: bytes, *, is_last: bool) -> bytes:
        """Read the whole lines of `text`; return what only the lines behind it can decide."""
        self._is_begun = True
        end = len(text) if is_last else _cut(text)
        text, rest = text[:end], text[end:]
        if text and self.is_streaming:
            text, is_foreign = self._stream(text, is_last=is_last)
            if not is_foreign:
                return text + rest
        if text:
            text = self._window(text, is_last=is_last)
        return text + rest

    def finish(self) -> TextReading:
        """Close the open section and return everything."""
        self._close()
        return TextReading(tuple(self._parts), self._line - 1, self._skips.result())

    def _stream(self, text: bytes, *, is_last: bool) -> tuple[bytes, bool]:
        """Feed the open stream; return what is left, and whether another output begins with it."""
        section = self._open
        if not isinstance(section, OpenStream) or section.foreign is None:
            return text, True
        while text:
            runs = section.foreign(text, MOST_RUNS)
            for run in runs:
                is_open = run.end == len(text) and len(text) - run.start < LOOK_AHEAD_BYTES
                if is_open and not is_last:
                    return self._fed(section, text, run.start), False
                if self._asked >= MOST_RUNS and run.line_count <= RESIDUE_LINES:
                    continue
                self._asked += 1
                start = self._other_output(section, text, run)
                if start is not None:
                    rest = self._fed(section, text, start)
                    self._close()
                    return rest, True
            text = self._fed(section, text, runs[-1].end if len(runs) >= MOST_RUNS else len(text))
        return b"", False

    def _fed(self, section: OpenStream, text: bytes, end: int) -> bytes:
        """Feed `text` up to `end`; return the rest."""
        section.feed(text[:end], self._line)
        self._line += _lines(text[:end])
        return text[end:]

    def _other_output(self, section: OpenStream, text: bytes, run: Run) -> int | None:
        """Return the byte at which another output begins in foreign lines, None when none does."""
        raw = text[run.start : max(run.end, run.start + LOOK_AHEAD_BYTES)].split(b"\n")
        lines = [line.decode("utf-8", "replace") for line in raw]
        beginnings = Beginnings(lines)
        at = run.start
        for number, line in enumerate(raw):
            if at >= run.end:
                break
            is_opener = BANNER.match(lines[number]) or prompt_at(lines, number)
            found = None if is_opener else beginnings.claim(number)
            if found is section.reader:
                return None
            if is_opener or found:
                return at
            at += len(line) + 1
        return None

    def _window(self, text: bytes, *, is_last: bool) -> bytes:
        """Split a window, read its closed sections and keep the last one open; return what is undecided."""
        lines = lines_of(text)
        current = self._open.format if self._open else None
        splitting = split_window(
            lines,
            self._prefixes,
            path=self._path,
            opening=self._opening,
            current=current,
            is_last=is_last,
        )
        parts, taken = (splitting.parts, len(lines)) if is_last else _decided(splitting.parts, len(lines))
        if splitting.parts and not (splitting.is_continued and self._continues(splitting.parts[0])):
            self._close()
        for number, part in enumerate(parts):
            placed = _moved(part, self._line - 1)
            if self._open and number == 0:
                self._open.take(placed)
                if len(parts) > 1:
                    self._close()
            elif is_last or number < len(parts) - 1:
                self._parts.append(read_part(placed))
            else:
                self._open = opened(placed, self._limits)
        for skipped in splitting.skipped:
            self._skips.add(skipped.reason, skipped.first_line + self._line - 1, skipped.count)
        self._opening = splitting.opening
        self._line += taken
        return b"\n".join(text.split(b"\n")[taken:]) if taken < len(lines) else b""

    def _continues(self, part: Part) -> bool:
        return self._open is not None and part.reader is self._open.reader

    def _close(self) -> None:
        """Read out the open section."""
        section, self._open = self._open, None
        if section is None:
            return
        self._asked = 0
        self._parts.append(section.finish())
        if isinstance(section, HeldSection) and section.lines_beyond:
            self._skips.add(BEYOND, section.last_line + 1, section.lines_beyond)


def _lines(text: bytes) -> int:
    """Count the lines; an unfinished last one counts."""
    return _core.line_ends(text) + (bool(text) and not text.endswith(b"\n"))


def _cut(text: bytes) -> int:
    """Return where whole lines end, before a blank line if one is near."""
    blank = text.rfind(b"\n\n", max(0, len(text) - LOOK_AHEAD_BYTES))
    return (blank if blank >= 0 else text.rfind(b"\n")) + 1


def _decided(parts: Sequence[Part], lines: int) -> tuple[tuple[Part, ...], int]:
    """Return the parts and the number of lines without the last unknown ones, in which a format may begin."""
    if not parts or parts[-1].is_recognised:
        return tuple(parts), lines
    *before, last = parts
    kept = len(last.text.lines) - LOOK_BACK_LINES
    if kept <= 0:
        return tuple(before), last.text.first_line - 1
    shorter = replace(last.text, lines=last.text.lines[:kept])
    end = last.text.first_line + kept - 1
    return (*before, replace(last, text=shorter, last_line=end)), end


def _moved(part: Part, lines: int) -> Part:
    """Return the part as it stands that many lines further down."""
    text, *later = (
        replace(text, first_line=text.first_line + lines)
        for text in (part.text, *(output.text for output in part.outputs))
    )
    outputs = tuple(output._replace(text=moved) for output, moved in zip(part.outputs, later, strict=True))
    return replace(
        part,
        text=text,
        first_line=part.first_line + lines,
        last_line=part.last_line + lines,
        outputs=outputs,
    )

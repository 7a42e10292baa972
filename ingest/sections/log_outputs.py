"""The outputs of a command that prints the end of the kernel log again and again, as one section.

    root@web12:~# dmesg | tail -2
    [  812.400131] eth0: Link is Up
    [  930.118840] eth0: Link is Down
    root@web12:~# dmesg | tail -2
    [  930.118840] eth0: Link is Down
    [ 1002.771402] eth0: Link is Up

is one excerpt of one log: three records, each at the line that shows it first. Outputs are of one log when
the same prompt printed them, nothing else is between them, every line has a time, and the times rise.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from ingest.model.reading import Skipped
from ingest.paste.annotations import without_annotations
from ingest.paste.prompt import is_excerpt, is_filter
from ingest.readers.logs import kernel_log
from ingest.readers.logs.kernel_log.outputs import Output
from ingest.readers.logs.kernel_log.prefix import entry

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.sections.part import Part

REPEATED = "line that a command above printed, too"
_COMMAND = re.compile(r"(?:sudo )?(?:dmesg|journalctl)\b")


class Stamp(NamedTuple):
    """Time of a line: the clock that it is of, and its value."""

    clock: str
    value: float


class Printed(NamedTuple):
    """What one command printed of a log.

    Attributes:
        prompt: The line of the command up to the command.
        qualities: Whether the command drops lines by content, and by position.
        stamps: Times of its lines.
    """

    part: Part
    prompt: str
    qualities: tuple[bool, bool]
    stamps: tuple[Stamp, ...]


class _Log:
    """The outputs of one log so far."""

    def __init__(self, printed: Printed) -> None:
        self._first = printed
        self._last_line = printed.part.last_line
        self._last_text = printed.part.text.lines[-1]
        self._latest = printed.stamps[-1]
        self._counts = Counter(printed.part.text.lines)
        self._outputs: list[Output] = []
        self._repeated: Skipped | None = None

    def part(self) -> Part:
        """Return the outputs as one part."""
        if self._last_line == self._first.part.last_line:
            return self._first.part
        return replace(
            self._first.part,
            last_line=self._last_line,
            outputs=tuple(self._outputs),
            repeated=self._repeated,
        )

    def take(self, printed: Printed, lines: Sequence[str]) -> bool:
        """Add what another command printed; return whether it is of this log."""
        part, first = printed.part, self._first
        is_near = not any(line.strip() for line in lines[self._last_line : part.first_line - 1])
        if not is_near or (printed.prompt, printed.qualities) != (first.prompt, first.qualities):
            return False
        text = part.text
        counts: Counter[str] = Counter()
        new = []
        for at, line in enumerate(text.lines):
            counts[line] += 1
            if counts[line] > self._counts[line]:
                new.append(at)
        begin = new[0] if new else len(text.lines)
        if new:
            stamp = printed.stamps[begin]
            is_later = stamp.clock == self._latest.clock and stamp.value >= self._latest.value
            if len(new) != len(text.lines) - begin or not is_later:
                return False
            goes_on = begin > 0 and text.lines[begin - 1] == self._last_text
            unseen = replace(text, lines=text.lines[begin:], first_line=text.first_line + begin)
            self._outputs.append(Output(unseen, goes_on))
            self._last_text, self._latest = text.lines[-1], printed.stamps[-1]
            self._counts.update(unseen.lines)
        if begin:
            known = self._repeated or Skipped(REPEATED, 0, text.first_line)
            self._repeated = replace(known, count=known.count + begin)
        self._last_line = part.last_line
        return True


def joined(parts: Sequence[Part], lines: Sequence[str]) -> list[Part]:
    """Return the parts, those with outputs of one log as one.

    Args:
        parts: Parts in order.
        lines: The lines of the text that they are of.
    """
    found: list[Part] = []
    log: _Log | None = None
    for part in parts:
        printed = _printed(part, lines)
        if log is not None and printed is not None and log.take(printed, lines):
            continue
        if log is not None:
            found.append(log.part())
        log = _Log(printed) if printed is not None else None
        if log is None:
            found.append(part)
    if log is not None:
        found.append(log.part())
    return found


def read(part: Part) -> Reading:
    """Read the outputs of a part."""
    reading = kernel_log.read_outputs((Output(part.text, goes_on=False), *part.outputs))
    repeated = (part.repeated,) if part.repeated else ()
    return replace(reading, skipped=(*reading.skipped, *repeated))


def _printed(part: Part, lines: Sequence[str]) -> Printed | None:
    """Return what a command printed of a kernel log, None for other parts and when a line has no time."""
    text = part.text
    qualities = (is_filter(text.command), is_excerpt(text.command))
    if part.reader is not kernel_log or not _COMMAND.match(text.command) or not any(qualities):
        return None
    prompt, found, _ = lines[part.first_line - 1].partition(text.command.split("\n", 1)[0])
    if not found or without_annotations(text).skipped:
        return None
    stamps = [stamp for line in text.lines if (stamp := _stamp(line)) is not None]
    if not stamps or len(stamps) != len(text.lines):
        return None
    return Printed(part, prompt, qualities, tuple(stamps))


def _stamp(line: str) -> Stamp | None:
    """Return the time of a line of a log, None when it has none."""
    found = entry(line, 0)
    for clock in ("uptime", "at", "clock") if found.has_prefix else ():
        value = getattr(found, clock)
        if value is not None:
            return Stamp(clock, value)
    return None

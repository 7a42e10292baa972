"""Records of the journal with one field to a line: `journalctl -o export`, `verbose` and `json-pretty`.

Examples:
    __REALTIME_TIMESTAMP=1763683187006452
    _TRANSPORT=kernel
    MESSAGE=nvme nvme0: I/O 12 QID 5 timeout, aborting

    Sat 2026-11-21 05:00:19.621988 UTC [s=1;i=2;b=3]
        _TRANSPORT=kernel
        MESSAGE=nvme nvme0: I/O 12 QID 5 timeout, aborting

    {
            "_TRANSPORT" : "kernel",
            "MESSAGE" : "nvme nvme0: I/O 12 QID 5 timeout, aborting"
    }

A record ends with a blank line, a brace, the head of the next or a field that it has already; so a piece cut
out of the middle still reads.

Source: systemd docs/JOURNAL_EXPORT_FORMATS.md; output_verbose and output_json in src/shared/logs-show.c.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ingest.native.linear import Pattern
from ingest.readers.logs.kernel_log.levels import level_of
from ingest.readers.logs.kernel_log.prefix import Entry

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.model.reading import SkipCounter

_NAME = r"(?:_[A-Z0-9_]{1,63}|MESSAGE(?:_ID)?|PRIORITY|SYSLOG_[A-Z_]{1,32}|TID)"
_LINE = Pattern(rf"^\s*(?P<name>{_NAME})=(?P<value>.*)$")
_JSON_LINE = Pattern(rf'^\s*"(?P<name>{_NAME})"\s*:\s*(?P<value>.*?),?\s*$')
_HEAD = Pattern(r"^[A-Z][a-z]{2} \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{1,9} \S{1,8} \[s=\w+;.*\]\s*$")
_BRACES = frozenset(("{", "}", "},", "[", "]", "},{", "}, {", "\x1e{"))

KERNEL = (r"\s*_TRANSPORT=kernel\s*$", r'\s*"_TRANSPORT"\s*:\s*"kernel"')
FIELDS = (rf"\s*{_NAME}=", rf'\s*"{_NAME}"\s*:', r"[A-Z][a-z]{2} \d{4}-\d\d-\d\d .*\[s=\w")
"""How lines of such records begin; they are the kernel's when one of `KERNEL` is near."""

CONTINUES = (rf"\s+{_NAME}=", rf"{_NAME}=[^\s$#]*(?: .*)?$", rf'\s+"{_NAME}"\s*:')
"""Fields that surely continue a log: no prompt begins so."""

WITHIN = 40
"""A record of the kernel has some twenty fields."""


def is_field(line: str) -> bool:
    """Return whether the line is a field or the head of a record."""
    return bool(_LINE.match(line) or _JSON_LINE.match(line) or _HEAD.match(line))


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether fields of a record of the kernel start at `lines[at]`."""
    if not is_field(lines[at]) and lines[at].strip() not in _BRACES:
        return False
    near = lines[at : at + WITHIN]
    return any(_is_kernel(line.strip()) for line in near if "_TRANSPORT" in line) and any(
        map(is_field, near[:3])
    )


def _is_kernel(line: str) -> bool:
    if line == "_TRANSPORT=kernel":
        return True
    found = _JSON_LINE.match(line)
    return bool(found and (found["name"], found["value"]) == ("_TRANSPORT", '"kernel"'))


class Entries:
    """Takes lines in order and yields a record when it ends."""

    def __init__(self, skips: SkipCounter) -> None:
        """Count lines of no record in `skips`."""
        self._skips = skips
        self._fields: dict[str, str] = {}
        self._first = self._last = self._message = 0

    def feed(self, lines: Sequence[str], first_line: int) -> Iterator[Entry]:
        """Yield the records that end in `lines`."""
        for number, line in enumerate(lines, start=first_line):
            field = _field(line)
            bare = line.strip()
            if field is None:
                if not bare or bare in _BRACES or _HEAD.match(line):
                    yield from self.finish()
                elif line[:1].isspace() and self._message:
                    # `verbose` prints further lines of a message below its first.
                    self._fields["MESSAGE"] += f" {bare}"
                else:
                    self._skips.add("not a field of a journal record", number)
                continue
            name, value = field
            if name in self._fields:
                yield from self.finish()
            self._first = self._first or number
            self._last = number
            self._fields[name] = value
            if name == "MESSAGE":
                self._message = number

    def finish(self) -> Iterator[Entry]:
        """Yield the open record, if it has a message."""
        fields, message = self._fields, self._message
        first = self._first
        self._fields, self._first, self._message = {}, 0, 0
        if not fields:
            return
        if not message:
            self._skips.add("journal record without a message", first)
            return
        yield Entry(
            text=fields["MESSAGE"],
            line=message,
            last_line=message,
            uptime=_seconds(fields.get("_SOURCE_MONOTONIC_TIMESTAMP")),
            at=_seconds(fields.get("__REALTIME_TIMESTAMP")),
            host=fields.get("_HOSTNAME", ""),
            is_kernel=fields.get("_TRANSPORT", "kernel") == "kernel",
            level=level_of(fields.get("PRIORITY")),
        )


def _field(line: str) -> tuple[str, str] | None:
    """Return name and value of a field, None for another line."""
    if found := _LINE.match(line):
        return found["name"], found["value"]
    found = _JSON_LINE.match(line)
    if not found:
        return None
    try:
        value = json.loads(found["value"], strict=False)
    except (ValueError, RecursionError):
        return found["name"], found["value"].lstrip('"')
    return found["name"], str(value)


def _seconds(microseconds: str | None) -> float | None:
    return float(microseconds) / 1e6 if microseconds and microseconds.isdecimal() else None

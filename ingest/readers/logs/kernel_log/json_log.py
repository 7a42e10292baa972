"""`dmesg -J` and `journalctl -k -o json`.

Examples:
    {
       "dmesg": [
          {
             "pri": 6,
             "time":  2228.006184,
             "msg": "Memory cgroup stats for /lakehouse-oom:"
          },{

    {"MESSAGE":"oom-kill:…","_TRANSPORT":"kernel","__REALTIME_TIMESTAMP":"1763683187006452","_HOSTNAME":"db-02"}

Both are read line by line, so a piece cut out of the middle still reads.

Source: print_record in util-linux sys-utils/dmesg.c; systemd.journal-fields(7).
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from ingest.native.linear import Pattern
from ingest.readers.logs.kernel_log.levels import level_of
from ingest.readers.logs.kernel_log.prefix import Entry, entry, is_stamped

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.model.reading import SkipCounter

_FIELD = Pattern(r'^\s*"(?P<name>fac|pri|time|caller|msg)":\s*(?P<value>.*?),?\s*$')
_FRAME = Pattern(r'^\s*(?:[{}\[\]]|\},\{|\}\s*,\s*\{|"dmesg":\s*\[|\]\s*\}|,)*\s*$')
_HEAD = re.compile(r'^\s*"dmesg":\s*\[\s*$')


JOURNAL = (
    r'\{.*"_TRANSPORT"\s*:\s*"kernel".*"MESSAGE"',
    r'\{.*"MESSAGE".*"_TRANSPORT"\s*:\s*"kernel"',
)
"""Kernel records of `journalctl -o json`."""


def is_dmesg(line: str) -> bool:
    """Return whether the line can occur in `dmesg -J` output."""
    return bool(_FIELD.match(line) or _HEAD.match(line) or (line.strip() and _FRAME.match(line)))


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether `dmesg -J` or a journal in JSON starts here."""
    if is_journal(lines[at]):
        return True
    if is_container(lines[at]):
        text = _loaded(lines[at])
        return isinstance(text, dict) and is_stamped(str(text.get("log", "")).rstrip("\n"))
    nearby = [line for line in lines[at : at + 6] if line.strip()]
    if not nearby or not is_dmesg(nearby[0]):
        return False
    if any(_HEAD.match(line) for line in nearby[:2]):
        return True
    names = {found["name"] for found in map(_FIELD.match, nearby) if found}
    return len(names & {"pri", "time", "msg"}) > 1


def is_container(line: str) -> bool:
    """Return whether the line is of the log that docker's json-file driver writes."""
    return line.startswith('{"log":"')


def is_journal(line: str) -> bool:
    """Return whether the line is a kernel record of `journalctl -o json`."""
    return (
        line.startswith("{")
        and '"MESSAGE"' in line
        and bool(re.search(r'"(?:_TRANSPORT|SYSLOG_IDENTIFIER)"\s*:\s*"kernel"', line))
    )


class Entries:
    """Takes lines of either shape in order and yields their records."""

    def __init__(self, skips: SkipCounter) -> None:
        """Count lines of no record in `skips`."""
        self._skips = skips
        self._stamp: float | None = None
        self._level: int | None = None

    def feed(self, lines: Sequence[str], first_line: int) -> Iterator[Entry]:
        """Yield the records that end in `lines`."""
        for number, line in enumerate(lines, start=first_line):
            if line.startswith("{") and '"MESSAGE"' in line:
                record = _loaded(line)
                if isinstance(record, dict) and isinstance(record.get("MESSAGE"), str):
                    yield _journal(record, number)
                else:
                    self._skips.add("unfinished JSON object", number)
            elif is_container(line):
                yield from self._container(_loaded(line), number)
            elif found := _FIELD.match(line):
                yield from self._field(found["name"], _loaded(found["value"]), number)
            elif line.strip() and not _FRAME.match(line):
                self._skips.add("not a JSON record", number)

    def _container(self, record: Any, number: int) -> Iterator[Entry]:
        """Take a line that a container printed."""
        if isinstance(record, dict) and isinstance(record.get("log"), str):
            yield entry(record["log"].rstrip("\n"), number)
        else:
            self._skips.add("unfinished JSON object", number)

    def _field(self, name: str, value: Any, number: int) -> Iterator[Entry]:
        """Take one field of `dmesg -J`; its message ends a record."""
        if name == "time":
            self._stamp = value if isinstance(value, float) else None
        elif name == "pri":
            self._level = _level(value)
        elif name == "msg" and isinstance(value, str):
            yield Entry(value, number, number, self._stamp, level=self._level)
            self._stamp = self._level = None
        elif value is None:
            self._skips.add("unfinished JSON object", number)

    def finish(self) -> Iterator[Entry]:
        """Yield nothing: a record ends on its own line."""
        return iter(())


def _loaded(text: str) -> Any:
    """Return the JSON value, None when it is cut."""
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None


def _level(value: Any) -> int | None:
    """Return the level of a priority: a number, a number in a text, or a word."""
    text = str(value)
    return level_of(text) if text.isdecimal() and len(text) <= 3 else level_of(None, text)


def _journal(record: dict[str, Any], line: int) -> Entry:
    """Read one record of the journal; times are microseconds in texts."""
    uptime, at = (record.get(name) for name in ("_SOURCE_MONOTONIC_TIMESTAMP", "__REALTIME_TIMESTAMP"))
    host = record.get("_HOSTNAME", "")
    return Entry(
        text=record["MESSAGE"],
        line=line,
        last_line=line,
        uptime=float(uptime) / 1e6 if isinstance(uptime, str) and uptime.isdecimal() else None,
        at=float(at) / 1e6 if isinstance(at, str) and at.isdecimal() else None,
        host=host if isinstance(host, str) else "",
        is_kernel=record.get("_TRANSPORT", "kernel") == "kernel",
        level=_level(record.get("PRIORITY", "")),
    )

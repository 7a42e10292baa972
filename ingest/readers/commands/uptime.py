"""How long the machine runs: `uptime`, `w`, `/proc/uptime`.

Examples:
     00:11:39 up 28 min,  0 user,  load average: 19.22, 21.68, 14.72
    1739.47 1123.30

Source: uptime(1); uptime_proc_show in fs/proc/uptime.c: seconds since boot, and idle seconds of all CPUs.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.native.linear import Pattern
from ingest.parsing.fact_reader import FactReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "uptime"
VERSION = 1
TITLE = "uptime"
EXAMPLE = " 00:11:39 up 28 min,  0 user,  load average: 19.22, 21.68, 14.72"

PATHS: tuple[str, ...] = ("proc/uptime", "sos_commands/*/uptime")
COMMANDS: tuple[str, ...] = (r"uptime(?: .*)?", r"w(?: -.*)?")
HINTS: tuple[str, ...] = ("proc_uptime*",)

_PRINTED = Pattern(
    r"^\s*\d\d?:\d\d(?::\d\d)?(?:\s?[ap]m)?\s+up\s+(?P<up>.*?),\s+(?:\d+ users?,\s+)?"
    r"load average: (?P<one>\d+[.,]\d+), (?P<five>\d+[.,]\d+), (?P<fifteen>\d+[.,]\d+)\s*$"
)
_PROC = re.compile(r"^(?P<up>\d+\.\d+) (?P<idle>\d+\.\d+)\s*$")
_DAYS = re.compile(r"(\d{1,6}) days?")
_HOURS = re.compile(r"(?:^|\s)(\d{1,3}):(\d\d)$")
_MINUTES = re.compile(r"(\d{1,4}) min")


STARTS = (r"\s*\d\d?:\d\d.*\sup\s",)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether `lines[at]` is the line of `uptime`."""
    return bool(_PRINTED.match(lines[at]))


def continues(line: str) -> bool:
    """Return whether `line` is another one."""
    return bool(_PRINTED.match(line))


def seconds_up(text: str) -> float:
    """Return seconds of `3 days,  4:05` or `28 min`."""
    days, hours, minutes = _DAYS.search(text), _HOURS.search(text), _MINUTES.search(text)
    seconds = 86400.0 * int(days[1]) if days else 0.0
    seconds += 3600.0 * int(hours[1]) + 60.0 * int(hours[2]) if hours else 0.0
    return seconds + (60.0 * int(minutes[1]) if minutes else 0.0)


def read(text: Text) -> Reading:
    """Read the time since boot and, as printed, the load."""
    reader = FactReader(text)
    for line, entry in enumerate(text.lines, start=text.first_line):
        if found := _PRINTED.match(entry):
            reader.add("host.uptime_seconds", seconds_up(found["up"]), line, "seconds")
            for name, part in (("1m", "one"), ("5m", "five"), ("15m", "fifteen")):
                reader.add(f"loadavg.{name}", float(found[part].replace(",", ".")), line, "count")
        elif found := _PROC.match(entry):
            reader.add("host.uptime_seconds", float(found["up"]), line, "seconds")
            reader.add("host.idle_seconds", float(found["idle"]), line, "seconds")
        elif entry.strip():
            reader.skips.add("not a line of uptime", line)
    return reader.result()

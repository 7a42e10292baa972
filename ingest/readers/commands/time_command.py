"""Output of `time`: wall, user and system seconds of one command.

Examples:
    real    0m0.153s
    user    0m0.000s
    sys     0m0.152s

    0.15user 0.00system 0:00.16elapsed 98%CPU (0avgtext+0avgdata 2048maxresident)k
    0inputs+0outputs (0major+89minor)pagefaults 0swaps

    cat memory.stat > /dev/null  0.00s user 0.15s system 99% cpu 0.153 total

Shells: bash and ksh (tab or blanks, decimal comma in some locales), POSIX `time -p`, zsh, GNU time with and
without `-v`. The command comes from the prompt, from zsh's own line, or from GNU time -v.

Sources: bash TIMEFORMAT; POSIX time; GNU time 1.9 src/time.c; zshparam(1) TIMEFMT.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ingest.model.reading import Reading, RowSet
from ingest.native.linear import Pattern
from ingest.paste.transcript import decimal, transcript

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Cell
    from ingest.model.section import Text

NAME = "time-command"
VERSION = 1
TITLE = "time of a command"
COMMAND = "time cat /proc/stat"
EXAMPLE = "real\t0m0.153s\nuser\t0m0.000s\nsys\t0m0.152s"

COLUMNS = ("command", "real_s", "user_s", "sys_s")

_SECONDS = r"\d{1,12}(?:[.,]\d{1,12})?"
_CLOCK = rf"(?:\d{{1,6}}:){{0,2}}{_SECONDS}"
_PART = re.compile(
    rf"^\s*(?P<part>real|user|sys)\s+(?:(?P<minutes>\d+)m\s?)?(?P<seconds>{_SECONDS})(?P<unit>s?)\s*$"
)
_GNU = re.compile(
    rf"^\s*(?P<user>{_SECONDS})user\s+(?P<sys>{_SECONDS})system\s+(?P<real>{_CLOCK})elapsed\s+(?:\d+|\?)%CPU"
)
_GNU_REST = re.compile(r"^\s*\d+inputs\+\d+outputs ")
_ZSH = Pattern(
    rf"^(?P<command>.*?)\s*\b(?P<user>{_SECONDS})s user\s+(?P<sys>{_SECONDS})s system\s+\d+%\s+cpu\s+"
    rf"(?P<real>{_CLOCK}) total\s*$"
)
_VERBOSE = re.compile(r'^\s*Command being timed: "(?P<command>.*)"\s*$')
_VERBOSE_ITEM = Pattern(
    r"^\s+(?P<name>[A-Z][A-Za-z ()/]+?)(?: \((?:seconds|kbytes|bytes|h:mm:ss or m:ss)\))*: (?P<value>\S+)\s*$"
)
_WHOLE_CLOCK = re.compile(rf"^{_CLOCK}$")
_VERBOSE_PARTS = {
    "User time": "user",
    "System time": "sys",
    "Elapsed (wall clock) time": "real",
}
_TIMED = Pattern(r"(?s)^(?:\S*/)?(?:sudo\s+)?(?:\S*/)?time\s+(?:-[pvf]\s+|--\S+\s+)*(?P<command>\S.*)$")


@dataclass(slots=True)
class _Open:
    """The times of one command as far as they were read."""

    line: int
    command: str
    seconds: dict[str, float]


STARTS = (
    r"\s*[\d.,]+user\s.*elapsed",
    r".*s user\s.* total\s*$",
    _VERBOSE.pattern,
    r"\s*real\s+\d",
)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the output of `time` starts at `lines[at]`: at least two lines, except for zsh."""
    line = lines[at]
    if "elapsed" in line or " total" in line or "being timed" in line:
        return any(shape.match(line) for shape in (_GNU, _ZSH, _VERBOSE))
    found = _PART.match(line)
    if not found or found["part"] != "real":
        return False
    following = [_PART.match(ahead) for ahead in lines[at + 1 : at + 4]]
    return any(part and part["part"] in {"user", "sys"} for part in following)


def continues(line: str) -> bool:
    """Return whether `line` can occur among the times of commands."""
    if not line.strip():
        return True
    return any(shape.match(line) for shape in (_PART, _GNU, _GNU_REST, _ZSH, _VERBOSE, _VERBOSE_ITEM))


def read(text: Text) -> Reading:
    """Read every timed command as one row."""
    pasted = transcript(text)
    rows: list[tuple[Cell, ...]] = []
    row_lines: list[int] = []
    current: _Open | None = None

    def close() -> None:
        nonlocal current
        if current and "real" in current.seconds:
            seconds = current.seconds
            rows.append((current.command, seconds["real"], seconds.get("user"), seconds.get("sys")))
            row_lines.append(current.line)
        elif current:
            pasted.skips.add("times without the wall clock", current.line)
        current = None

    for number, line, command in pasted.lines:
        if found := _PART.match(line):
            if current is None or found["part"] in current.seconds:
                close()
                current = _Open(number, timed(command), {})
            current.seconds[found["part"]] = 60 * float(found["minutes"] or 0) + decimal(found["seconds"])
        elif found := _GNU.match(line) or _ZSH.match(line):
            close()
            named = found.groupdict().get("command") or timed(command)
            parts = {"user": decimal(found["user"]), "sys": decimal(found["sys"])}
            current = _Open(number, named, {**parts, "real": clock(found["real"])})
            close()
        elif found := _VERBOSE.match(line):
            close()
            current = _Open(number, found["command"], {})
        elif found := _VERBOSE_ITEM.match(line):
            part = _VERBOSE_PARTS.get(found["name"])
            if current and part and _WHOLE_CLOCK.match(found["value"]):
                current.seconds[part] = clock(found["value"])
        elif line.strip() and not _GNU_REST.match(line):
            pasted.skips.add("not a time", number)
    close()
    sets = (RowSet.of_rows("time_command", COLUMNS, tuple(rows), tuple(row_lines)),) if rows else ()
    return Reading(row_sets=sets, skipped=pasted.skips.result(), quality=tuple(pasted.quality))


def timed(command: str) -> str:
    """Return the command that `time` ran: `cat x` for `time cat x`."""
    found = _TIMED.match(command.strip())
    return found["command"] if found else command.strip()


def clock(text: str) -> float:
    """Return seconds of `0.153`, `0:00.16` or `1:02:03`."""
    seconds = 0.0
    for part in text.split(":"):
        seconds = 60 * seconds + decimal(part)
    return seconds

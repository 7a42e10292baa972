r"""`lsof`: open files of processes; how many each has, and deleted ones that still occupy space.

Example:
    COMMAND    PID  TID    USER   FD      TYPE             DEVICE  SIZE/OFF       NODE NAME
    rsyslogd  1207         root    8u      REG              253,0      4096   16777634 /tmp/ffiO (deleted)

Threads of a process share its descriptors: lines of threads are counted as skipped. A file that several
descriptors have open is one by device and inode. `cwd`, `txt`, `mem` and the like are no descriptors.
`SIZE/OFF` is taken for a size alone, not where lsof prints an offset (`0t…`).
Source: lsof(8), section OUTPUT; print.c and proto.h of lsof.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.model.citation import Lines
from ingest.model.facts import Fact
from ingest.model.reading import Reading
from ingest.native.linear import Pattern
from ingest.parsing.series import Rows
from ingest.paste.transcript import transcript

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.model.section import Text

NAME = "lsof"
VERSION = 1
TITLE = "lsof"
COMMAND = "sudo lsof -nP"
EXAMPLE = (
    "COMMAND  PID  TID  USER   FD      TYPE  DEVICE  SIZE/OFF       NODE NAME\n"
    "tuned   1207       root    8u      REG   253,0      4096   16777634 /tmp/ffiOEEtFw (deleted)"
)

PROCESSES = 50
"""Processes whose descriptors are facts: those with the most."""

_HEAD = re.compile(
    r"^\s*COMMAND\s+(?:PID|PGID)\s+(?:TID\s+|TASKCMD\s+|PGID\s+|PPID\s+|ZONE\s+){0,5}USER\s+FD\s+TYPE\s+DEVICE\s+"
    r"SIZE(?:/OFF)?\s+(?:NLINK\s+)?NODE\s+NAME\s*$"
)
_FD = (
    r"(?P<fd>cwd|rtd|txt|mem|mmap|DEL|NOFD|err|jld|ltx|pd|tr|v86|m86|ctty|L[0-9][0-9]|[0-9]+[rwu-]?[a-zA-Z]?)"
)
_ROW = Pattern(
    r"^\s*(?P<comm>\S+)\s+(?P<pid>[0-9]+)\s+(?:(?P<ids>[0-9]+(?:\s+[0-9]+){0,2})\s+)?"
    rf"(?:(?P<task>\S+)\s+)?(?P<user>\S+)\s+{_FD}\s+(?P<type>[A-Za-z_][A-Za-z0-9_]+|[0-9]{{4}})(?:\s+(?P<rest>\S.*))?$"
)
_REGULAR = Pattern(
    r"^(?P<device>[0-9]+,[0-9]+)\s+(?P<size>[0-9]{1,19}|0t[0-9]+)\s+(?:(?P<links>[0-9]+)\s+)?(?P<node>[0-9]+)\s+"
    r"(?P<name>/.*)$"
)
_NO_DESCRIPTORS = Pattern(r"^\s*\S+\s+[0-9]+\s.*\sNOFD\s+/proc/")
_DENIED = Pattern(r"\((?:readlink|opendir|stat|fdinfo): Permission denied\)\s*$")
_WARNING = re.compile(r"^\s*lsof: (?:WARNING|no pwd entry|can't)|^\s+Output information may be incomplete\.")
_DELETED = " (deleted)"
NOT_ALLOWED = "a file that lsof may not look at"

STARTS = (r"\s*COMMAND\s+(?:PID|PGID)\s.*\sFD\s+TYPE\s+DEVICE\s",)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the head of the table is at `lines[at]`."""
    return bool(_HEAD.match(lines[at]))


def continues(line: str) -> bool:
    """Return whether `line` is a head, an open file or a warning."""
    return any(shape.match(line) for shape in (_HEAD, _ROW, _NO_DESCRIPTORS, _WARNING))


def read(text: Text) -> Reading:
    """Read the descriptors of the processes with the most, and every deleted file that is open."""
    pasted = transcript(text)
    descriptors: dict[tuple[str, str], list[int]] = {}
    deleted: dict[tuple[str, str], dict[tuple[str, str], tuple[float, int]]] = {}
    rows = Rows("deleted_open_files")
    has_threads = False
    for number, line, _ in pasted.lines:
        if not line.strip():
            continue
        if _HEAD.match(line):
            has_threads = " TID " in line
            continue
        row = _ROW.match(line)
        if row is None:
            pasted.skips.add(_reason(line), number)
            continue
        if has_threads and row["ids"]:
            pasted.skips.add("a thread, which shares the files of its process", number)
            continue
        rest = row["rest"] or ""
        process = (row["comm"], row["pid"])
        if _DENIED.search(rest):
            pasted.skips.add(NOT_ALLOWED, number)
        elif row["fd"][0].isdigit():
            descriptors.setdefault(process, []).append(number)
        found = _REGULAR.match(rest)
        if found is None or not found["name"].endswith(_DELETED) or row["type"] != "REG":
            continue
        size = None if found["size"].startswith("0t") else float(found["size"])
        file = (found["device"], found["node"])
        if file in deleted.setdefault(process, {}):
            continue
        deleted[process][file] = (size or 0.0, number)
        path = found["name"].removesuffix(_DELETED)
        cells = {
            "comm": row["comm"],
            "pid": float(row["pid"]),
            "fd": row["fd"],
            "size_bytes": size,
            "path": path,
        }
        rows.add(number, cells)
    return Reading(
        facts=(*_counted(descriptors), *_deleted(deleted)),
        row_sets=rows.sets(),
        skipped=pasted.skips.result(),
        quality=tuple(pasted.quality),
    )


def _reason(line: str) -> str:
    """Return why a line that is no open file is skipped."""
    if _NO_DESCRIPTORS.match(line):
        return NOT_ALLOWED
    return "a message of lsof" if _WARNING.match(line) else "not an open file"


def _counted(descriptors: dict[tuple[str, str], list[int]]) -> Iterator[Fact]:
    """Yield the number of descriptors of the processes with the most."""
    most = sorted(descriptors.items(), key=lambda one: -len(one[1]))[:PROCESSES]
    for (comm, pid), at in most:
        labels = {"comm": comm, "pid": pid}
        yield Fact("process.open_descriptors", float(len(at)), Lines(at[0], at[-1]), "count", labels)


def _deleted(deleted: dict[tuple[str, str], dict[tuple[str, str], tuple[float, int]]]) -> Iterator[Fact]:
    """Yield the sum of the sizes of the deleted files that a process has open."""
    for (comm, pid), files in deleted.items():
        lines = Lines(min(at for _, at in files.values()), max(at for _, at in files.values()))
        total = sum(size for size, _ in files.values())
        labels = {"comm": comm, "pid": pid}
        yield Fact("process.deleted_open_bytes", total, lines, "bytes", labels)

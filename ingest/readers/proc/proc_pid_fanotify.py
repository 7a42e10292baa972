"""`grep fanotify /proc/[0-9]*/fdinfo/*`: who listens to fanotify, and who answers before a file is opened.

Example:
    /proc/812/fdinfo/3:fanotify flags:4 event-flags:8000
    /proc/812/fdinfo/3:fanotify mnt_id:1b mflags:0 mask:10000 ignored_mask:0

A mark whose mask has a permission event makes the task that opens or reads the file wait for the listener.
Source: show_mark_fhandle, fanotify_fdinfo in fs/notify/fdinfo.c; FAN_OPEN_PERM, FAN_ACCESS_PERM,
FAN_OPEN_EXEC_PERM and FAN_PRE_ACCESS in include/uapi/linux/fanotify.h.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader
from ingest.parsing.shapes import Lines, Meaning

if TYPE_CHECKING:
    from ingest.model.reading import Reading
    from ingest.model.section import Text

PERMISSION = 0x10000 | 0x20000 | 0x40000 | 0x100000
"""Open, access, open to execute, and access before the content is there."""

_LINE = re.compile(
    r"^/proc/(?P<pid>\d{1,10})/fdinfo/\d{1,10}:fanotify (?:flags:[0-9a-f]{1,8} event-flags:[0-9a-f]{1,8}"
    r"|(?:\w+:[0-9a-f]+ )+mask:(?P<mask>[0-9a-f]{1,16}) ignored_mask:[0-9a-f]{1,16}(?: .*)?)\s*$"
)


def _read(text: Text) -> Reading:
    """Read how many marks each process has, and how many of them wait for its answer."""
    reader = FactReader(text)
    marks: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    lines: dict[str, int] = {}
    for line, entry in reader.lines():
        found = _LINE.match(entry)
        if found is None:
            reader.skips.add("not a line of fanotify", line)
            continue
        pid = found["pid"]
        if found["mask"]:
            is_asked = bool(int(found["mask"], 16) & PERMISSION)
            marks[pid] += 1
            asked[pid] += is_asked
            lines[pid] = line if is_asked else lines.get(pid, line)
        else:
            lines.setdefault(pid, line)
    for pid, line in lines.items():
        reader.add("process.fanotify_marks", float(marks[pid]), line, "count", {"pid": pid})
        reader.add("process.fanotify_permission_marks", float(asked[pid]), line, "count", {"pid": pid})
    return reader.result()


FACTS = {
    "process.fanotify_marks": Meaning(
        "files, mounts and file systems that a process watches", "count", ("pid",)
    ),
    "process.fanotify_permission_marks": Meaning(
        "those of them whose files are opened only when the process has answered", "count", ("pid",)
    ),
}
FORMAT = Lines(
    name="proc-pid-fanotify",
    title="/proc/PID/fdinfo of fanotify",
    example=(
        "/proc/812/fdinfo/3:fanotify flags:4 event-flags:8000\n"
        "/proc/812/fdinfo/3:fanotify mnt_id:1b mflags:0 mask:10000 ignored_mask:0"
    ),
    command="grep fanotify /proc/[0-9]*/fdinfo/*",
    first=_LINE,
    shapes=(_LINE,),
    read=_read,
)

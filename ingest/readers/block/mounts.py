"""`mount`, `/proc/mounts` and `/proc/PID/mountinfo`: mounted file systems and whether they can be written.

Examples:
    /dev/md0 on /mnt/data type ext4 (ro,relatime,errors=continue)
    /dev/md0 /mnt/data ext4 ro,relatime,errors=continue 0 0
    65 39 9:0 / /mnt/data rw,relatime shared:44 - ext4 /dev/md0 ro,errors=remount-ro

Only mountinfo tells the options of the mount from those of the file system. A mount with `rw` of a file
system with `ro` was mounted for writing: the file system became read-only later, as after an error, for
`mount -o remount,ro` sets both (do_remount in fs/namespace.c). `rw` tells nothing: ext4 of Debian's
6.1.192 still shows it in both places after `EXT4-fs: Remounting filesystem read-only` (recorded).
Source: fs/proc_namespace.c; proc_pid_mountinfo(5); print_table of util-linux sys-utils/mount.c.
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

NAME = "mounts"
VERSION = 1
TITLE = "mount, /proc/mounts, mountinfo"
EXAMPLE = "proc on /proc type proc (rw,relatime)\n/dev/vda on / type ext4 (rw,relatime,errors=remount-ro)"

PATHS: tuple[str, ...] = (
    *("proc/mounts", "proc/*/mounts", "proc/*/mountinfo", "etc/mtab"),
    *("sos_commands/filesys/mount_-l", "sos_commands/filesys/mount"),
)
COMMANDS: tuple[str, ...] = (r"mount(?: -l)?(?: -t \S+)?",)
HINTS: tuple[str, ...] = ("proc_mounts*", "mountinfo*")

_OPTIONS = r"(?P<options>(?:rw|ro)(?:,[^\s()]+)*)"
_PRINTED = Pattern(
    rf"^\s*(?P<device>\S.*?) on (?P<mount>/.*?) type (?P<type>[\w.-]{{1,40}}) \({_OPTIONS}\)(?: \[.*\])?\s*$"
)
_TABLE = Pattern(rf"^\s*(?P<device>\S+) (?P<mount>/\S*) (?P<type>[\w.-]{{1,40}}) {_OPTIONS} \d+ \d+\s*$")
_INFO = Pattern(
    r"^\s*\d+ \d+ \d+:\d+ (?P<root>\S+) (?P<mount>/\S*) (?P<options>(?:rw|ro)(?:,\S+)?)"
    r"(?: [a-z_]+(?::\d+)?)* - "
    r"(?P<type>[\w.-]{1,40}) (?P<device>\S+) (?P<super>(?:rw|ro)(?:,\S+)?)\s*$"
)
_ESCAPE = re.compile(r"\\(?P<octal>[0-7]{3})")

STARTS = (
    r"\s*\S.* on /.* type [\w.-]+ \((?:rw|ro)[,)]",
    r"\s*\S+ /\S* [\w.-]+ (?:rw|ro)\S* \d+ \d+\s*$",
    r"\s*\d+ \d+ \d+:\d+ \S+ /\S* (?:rw|ro)\S* (?:.* )?- ",
)


def _row(line: str) -> dict[str, str | None] | None:
    for shape in (_PRINTED, _TABLE, _INFO):
        if found := shape.match(line):
            return found.groupdict()
    return None


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether a mounted file system is at `lines[at]`."""
    return _row(lines[at]) is not None


def continues(line: str) -> bool:
    """Return whether `line` is a mounted file system."""
    return _row(line) is not None


def read(text: Text) -> Reading:
    """Read of every mount whether it, and where it is printed its file system, is read-only."""
    reader = FactReader(text)
    for line, entry in reader.lines():
        row = _row(entry)
        if row is None:
            reader.skips.add("not a mounted file system", line)
            continue
        labels = {key: _plain(row[key] or "") for key in ("mount", "device", "type")}
        options = (row["options"] or "").split(",")
        reader.add("mount.is_read_only", options[0] == "ro", line, labels=labels)
        if row.get("super"):
            above = (row["super"] or "").split(",")
            reader.add("mount.filesystem_is_read_only", above[0] == "ro", line, labels=labels)
            options += above
        for name in ("emergency_ro", "shutdown"):
            if name in options:
                reader.add(f"mount.{name}", value=True, line=line, labels=labels)
    return reader.result()


def _plain(printed: str) -> str:
    r"""Return a name whose blanks are printed as `\040`."""
    return _ESCAPE.sub(lambda found: chr(int(found["octal"], 8)), printed)

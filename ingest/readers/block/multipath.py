"""`multipath -ll`: multipath devices and the state of each path.

Example:
    mpatha (0x5000c50015ea71aa) dm-0 QEMU,QEMU HARDDISK
    size=128M features='0' hwhandler='0' wp=rw
    |-+- policy='service-time 0' prio=1 status=active
    | `- 0:0:3:0 sdd 8:48 active ready running
    `-+- policy='service-time 0' prio=0 status=enabled
      `- 1:0:0:0 sde 8:64 failed faulty offline

The three words of a path are its states for the device mapper, the checker and the kernel; releases before
0.4.9 print them in brackets. Source: libmultipath/print.c (PRINT_PATH_INDENT); multipath(8).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.native.linear import Pattern
from ingest.parsing.fact_reader import FactReader
from ingest.parsing.protocols import Start

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "multipath"
VERSION = 1
TITLE = "multipath -ll"
EXAMPLE = (
    "mpatha (0x5000c50015ea71aa) dm-0 QEMU,QEMU HARDDISK\n"
    "size=128M features='0' hwhandler='0' wp=rw\n"
    "`-+- policy='service-time 0' prio=1 status=active\n"
    "  `- 0:0:3:0 sdd 8:48 active ready running"
)

PATHS: tuple[str, ...] = ("sos_commands/multipath/multipath_-*ll",)
COMMANDS: tuple[str, ...] = (r"multipath (?:-\S+ )*-ll(?: .*)?", r"multipathd show (?:maps )?topology")
HINTS: tuple[str, ...] = ()

_MAP = Pattern(
    r"^(?:(?:create|reload|reject|unchanged|switchpg|rename): )?(?P<map>[\w.:-]{1,128})"
    r"(?: (?:\((?P<wwid>[^)]{1,128})\)|"
    r"(?P<rest>\d{8,32})))? (?P<device>dm-\d{1,6})(?: .*)?$"
)
_SIZE = re.compile(r"^\s*\[?size=\d")
_GROUP = Pattern(r"^[|` \t]*(?:[|`]-\+-|\\_) (?:policy=|\S+ \d+ \[prio=).*$")
_PATH = Pattern(
    r"^[|` \t]*(?:[|`]-|\\_) (?P<address>[#\d]+:[#\d]+:[#\d]+:[#\d]+)\s+"
    r"(?P<disk>\S{1,32})\s+"
    r"(?P<number>[\d#]+:[\d#]+)\s+"
    r"\[?(?P<mapper>active|failed|undef)[\s\]\[]+"
    r"(?P<checker>ready|ghost|faulty|shaky|undef|delayed|down|up|i/o pending|i/o timeout)[\s\]]*"
    r"(?P<kernel>\w*)\s*$"
)
_LIST = re.compile(
    r"^=+ paths list =+|^\s*uuid\s+hcil|^\s+\d+:\d+:\d+:\d+ "
    r"|^\w{3} +\d+ \d\d:\d\d:\d\d \| |^sd\w+: |^\*word "
)

STARTS = (Start((r"\S.*dm-\d",), near=(r"\s*\[?size=\d",), within=1),)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether a device with its size starts at `lines[at]`."""
    return bool(_MAP.match(lines[at]) and at + 1 < len(lines) and _SIZE.match(lines[at + 1]))


def continues(line: str) -> bool:
    """Return whether `line` is of a device."""
    return any(shape.match(line) for shape in (_MAP, _SIZE, _GROUP, _PATH))


def read(text: Text) -> Reading:
    """Read the number of paths of every device, those that work, and those that do not by name."""
    reader = FactReader(text)
    labels: dict[str, str] = {}
    paths: dict[str, list[bool]] = {}
    first: dict[str, int] = {}
    for line, entry in enumerate(text.lines, start=text.first_line):
        if found := _MAP.match(entry):
            labels = {"map": found["map"]}
            paths.setdefault(found["map"], [])
            first.setdefault(found["map"], line)
        elif labels and (path := _PATH.match(entry)):
            failed = path["mapper"] == "failed" or path["checker"] in {
                "faulty",
                "shaky",
                "down",
                "i/o timeout",
            }
            paths[labels["map"]].append(failed)
            if failed:
                state = " ".join(word for word in (path["mapper"], path["checker"], path["kernel"]) if word)
                reader.add("multipath.failed_path", state, line, labels=labels | {"device": path["disk"]})
        elif entry.strip() and not any(one.match(entry) for one in (_SIZE, _GROUP, _LIST)):
            reader.skips.add("not a line of multipath -ll", line)
    for name, failures in paths.items():
        own = {"map": name}
        reader.add("multipath.paths", float(len(failures)), first[name], "count", own)
        reader.add("multipath.failed_paths", float(sum(failures)), first[name], "count", own)
    return reader.result()

"""The `format` file of a tracepoint: proof that this kernel has it.

Example:
    name: inode_switch_wbs
    ID: 886
    format:
        field:unsigned short common_type;   offset:0;   size:2; signed:0;

        field:ino_t ino;    offset:40;  size:8; signed:0;

    print fmt: "bdi %s: ino=%lu old_cgroup_ino=%lu …

The ID is assigned at boot and differs between kernels.

Source: kernel/trace/trace_events.c (f_show).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.model.citation import Lines
from ingest.model.facts import Fact
from ingest.model.reading import Reading
from ingest.paste.transcript import transcript

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.section import Text

NAME = "tracepoint-format"
VERSION = 1
TITLE = "Tracepoint format"
COMMAND = "cat /sys/kernel/tracing/events/writeback/inode_switch_wbs/format"
EXAMPLE = (
    "name: inode_switch_wbs\nID: 886\nformat:\n"
    "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;"
)

_NAME = re.compile(r"^\s*name: (?P<name>\w+)\s*$")
_ID = re.compile(r"^\s*ID: \d+\s*$")
_FORMAT = re.compile(r"^\s*format:\s*$")
_FIELD = re.compile(r"^\s+field:.+;\s*offset:\d+;\s*size:\d+;(?:\s*signed:[01];)?\s*$")
_PRINT = re.compile(r"^\s*print fmt: ")
_SYSTEM = re.compile(r"(?:^|/)events/(?P<system>\w+)/\w+/format$")


STARTS = (_NAME.pattern,)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether a format file starts at `lines[at]`: a name, then an ID."""
    if not _NAME.match(lines[at]):
        return False
    following = [line for line in lines[at + 1 : at + 4] if line.strip()]
    return bool(following) and bool(_ID.match(following[0]))


def continues(line: str) -> bool:
    """Return whether `line` can occur in a format file."""
    if not line.strip():
        return True
    return any(shape.match(line) for shape in (_ID, _FORMAT, _FIELD, _PRINT))


def read(text: Text) -> Reading:
    """Read the names of the tracepoints; the system is known only from a captured path."""
    pasted = transcript(text)
    system = _SYSTEM.search(text.path)
    facts: list[Fact] = []
    for number, line, _ in pasted.lines:
        if found := _NAME.match(line):
            labels = {"name": found["name"]}
            if system:
                labels["system"] = system["system"]
            facts.append(Fact("feature.tracepoint", True, Lines.at(number), labels=labels))
        elif not continues(line):
            pasted.skips.add("not a line of a tracepoint's format", number)
    return Reading(facts=tuple(facts), skipped=pasted.skips.result(), quality=tuple(pasted.quality))

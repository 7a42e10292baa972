"""`/proc/mdstat`: software RAID arrays, their members, and resyncs.

Example:
    md0 : active raid1 sdc[2] sda[0] sdb[1](F)
          261120 blocks super 1.2 [2/1] [U_]
          [==>..................]  recovery = 12.6% (37043392/292945152) finish=127.5min speed=33440K/sec

A mail wraps the line of an array with many members; its parts are one line again.
`[2/1]` is devices that the array wants and devices that are in sync. Source: md_seq_show and status_resync in
drivers/md/md.c.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.native.linear import Pattern
from ingest.parsing.fact_reader import FactReader

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "mdstat"
VERSION = 2
TITLE = "/proc/mdstat"
EXAMPLE = "md0 : active raid1 sdb[1] sda[0]\n      261120 blocks super 1.2 [2/2] [UU]"

PATHS: tuple[str, ...] = ("proc/mdstat",)
COMMANDS: tuple[str, ...] = ()
HINTS: tuple[str, ...] = ("mdstat*",)

_ARRAY = Pattern(
    r"^\s*(?P<array>md[\w.-]{0,40}) : (?P<state>active|inactive|broken)(?: \((?P<mode>[a-z -]{1,20})\))*"
    r"(?: (?P<level>raid\d{1,2}|linear|faulty|multipath|container))?"
    r"(?P<members>(?: \S+\[\d+\](?:\([A-Z]\))*)*)\s*$"
)
_FAILED = re.compile(r" (\S+)\[\d+\](?:\([A-Z]\))*\(F\)")
_BLOCKS = Pattern(
    r"^\s*(?P<blocks>\d{1,20}) blocks(?: [^\[]*)?"
    r"(?:\[(?P<wanted>\d{1,5})/(?P<active>\d{1,5})\] \[(?P<map>[U_.]+)\])?.*$"
)
_PROGRESS = Pattern(
    r"^\s*(?:\[[=>.]+\]\s+)?(?P<what>resync|recovery|reshape|check|repair)\s*=\s*"
    r"(?P<percent>\d{1,3}(?:\.\d+)?)%(?: .*)?$"
)
_WAITING = re.compile(r"^\s*(?P<what>resync|recovery|reshape|check)\s*=\s*(?:DELAYED|PENDING|REMOTE)")
_OTHER = re.compile(r"^\s*(?:Personalities\s*:|read_ahead |unused devices:|bitmap: \d|journal: )")

_NAME = re.compile(r"^\s*md[\w.-]{0,40} :\s*$")
_STATE = re.compile(r"^\s*(?:active|inactive|broken) ")
_MEMBERS = re.compile(
    r"^\s*(?P<members>\S+\[\d+\](?:\([A-Z]\))*(?: \S+\[\d+\](?:\([A-Z]\))*)*)(?P<blocks> \d{1,20} blocks.*)?$"
)

STARTS = (r"\s*md\S* :\s*$", r"\s*md\S* : (?:active|inactive|broken)", r"\s*Personalities\s*: \[")


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the file, or an array of it, starts at `lines[at]`."""
    if _NAME.match(lines[at]):
        return at + 1 < len(lines) and bool(_STATE.match(lines[at + 1]))
    return bool(_ARRAY.match(lines[at]) or lines[at].lstrip().startswith("Personalities : ["))


def continues(line: str) -> bool:
    """Return whether `line` is of an array or of the file's frame."""
    return any(
        shape.match(line) for shape in (_ARRAY, _BLOCKS, _PROGRESS, _WAITING, _OTHER, _NAME, _STATE, _MEMBERS)
    )


def _unwrapped(lines: Sequence[str], first: int) -> Iterator[tuple[int, str]]:
    """Yield the lines with their numbers, those of an array that a mail wrapped as one."""
    held, at = "", first
    for number, line in enumerate(lines, first):
        more = _MEMBERS.match(line) or _STATE.match(line)
        if held and more:
            has_blocks = "blocks" in more.groupdict() and more["blocks"]
            held += f" {more['members'] if has_blocks else line.strip()}"
            if has_blocks:
                yield at, held
                held, at = has_blocks.strip(), number
            continue
        if held:
            yield at, held
        held, at = line.rstrip(), number
    if held:
        yield at, held


def read(text: Text) -> Reading:
    """Read state, level, wanted and active devices, failed members, and the progress of a resync."""
    reader = FactReader(text)
    labels: dict[str, str] = {}
    for line, entry in _unwrapped(text.lines, text.first_line):
        if found := _ARRAY.match(entry):
            labels = {"array": found["array"]} | ({"level": found["level"]} if found["level"] else {})
            reader.add("md.array.state", found["state"], line, labels=labels)
            failed = _FAILED.findall(found["members"] or "")
            reader.add("md.array.failed_members", float(len(failed)), line, "count", labels)
        elif labels and (blocks := _BLOCKS.match(entry)):
            if blocks["wanted"]:
                reader.add("md.array.devices", float(blocks["wanted"]), line, "count", labels)
                reader.add("md.array.active_devices", float(blocks["active"]), line, "count", labels)
        elif labels and (progress := _PROGRESS.match(entry)):
            share = round(float(progress["percent"]) / 100, 6)
            reader.add(f"md.array.{progress['what']}_share", share, line, "share", labels)
        elif entry.strip() and not _OTHER.match(entry) and not _WAITING.match(entry):
            reader.skips.add("not a line of mdstat", line)
    return reader.result()

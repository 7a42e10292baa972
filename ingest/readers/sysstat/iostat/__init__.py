"""`iostat`: CPU shares and block devices over time; as tables (-x, -s, -h, --pretty, --dec) and as JSON.

Examples:
    avg-cpu:  %user   %nice %system %iowait  %steal   %idle
              32.64    9.45   24.29    0.56    0.65   32.41

    Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wkB/s  …  aqu-sz  %util
    vda            138.06  24902.84    22.33  13.92    6.44   180.38  128.38  16243.89  …    1.27  10.44

The first report is the average since boot: it is left out when another follows, and remarked on when alone.
One report of a command with an interval, without the line of the host above it, is one of a longer run.
Source: sysstat iostat.c; iostat(1).
"""

from __future__ import annotations

import re
from array import array
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from ingest.model.reading import Reading
from ingest.native.line_starts import LineStarts
from ingest.parsing import sysstat_json
from ingest.parsing.documents import mapping, number, objects
from ingest.parsing.looks import facts_of, row_sets_of
from ingest.parsing.series import BANNER, banner_facts
from ingest.paste.transcript import spanned_by, transcript
from ingest.readers.sysstat.iostat.interval import interval_of
from ingest.readers.sysstat.iostat.tables import (
    CPU_HEAD,
    CPU_ROW,
    DEVICE_ALONE,
    DEVICE_HEAD,
    DEVICE_NAME,
    HEAD_REST,
    LONE_DEVICE,
    PRETTY_HEAD,
    PRETTY_ROW,
    ROW,
    ROW_BELOW,
    ROW_REST,
    STAMP,
    VALUE,
    Tables,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.section import Text

NAME = "iostat"
VERSION = 5
TITLE = "iostat"
COMMAND = "iostat -x 1"
EXAMPLE = (
    "avg-cpu:  %user   %nice %system %iowait  %steal   %idle\n"
    "          32.64    9.45   24.29    0.56    0.65   32.41"
)

MOST_DEVICES = 100
"""Lines above a name in which its head is looked for."""

_JSON_COLUMNS = {"util": "%util"}
"""Columns of JSON that have another name in the tables."""


_OMITS_FIRST = re.compile(r"\biostat\b[^|]*\s-[a-zA-Z]*y")
"""`iostat -y` leaves the report since boot out."""

CONTINUES = (
    rf"(?:{DEVICE_NAME})?[ \t]*{VALUE}(?:[ \t]+{VALUE}){{3,}}[ \t]*$",
    CPU_HEAD.pattern,
    DEVICE_HEAD.pattern,
)
RESUMES = (CPU_HEAD.pattern, DEVICE_HEAD.pattern)
STARTS = (
    BANNER.pattern,
    r'\{\s*"sysstat"',
    "avg-cpu:",
    r"(?:Device:?|Disk)\s",
    PRETTY_HEAD.pattern,
)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether iostat output starts at `lines[at]`: a header, or the host line above one."""
    line = lines[at]
    if _is_head(line):
        return True
    if BANNER.match(line):
        return any(map(_is_head, lines[at + 1 : at + 5]))
    return sysstat_json.begins(line) and sysstat_json.tool_of(lines, at) == NAME


def _is_head(line: str) -> bool:
    return bool(CPU_HEAD.match(line) or DEVICE_HEAD.match(line) or PRETTY_HEAD.match(line))


def continues(line: str) -> bool:
    """Return whether `line` is a header, a row or the time of a report."""
    shapes = (CPU_ROW, ROW, PRETTY_ROW, STAMP, HEAD_REST, ROW_REST, LONE_DEVICE, ROW_BELOW, BANNER)
    return _is_head(line) or any(shape.match(line) for shape in shapes) or sysstat_json.continues(line)


def read(text: Text) -> Reading:
    """Read the means of all reports but the first as facts, and every report as rows of `iostat`."""
    pasted = transcript(text)
    lines, numbers = _unwrapped(pasted.texts, pasted.numbers)
    tables = Tables()
    document: list[tuple[int, str]] = []
    at = 0
    while at < len(lines):
        line, number = lines[at], numbers[at]
        if document:
            document.append((number, line))
        elif (end := tables.stretch(lines, at, numbers)) > at:
            at = end
            continue
        elif not line or tables.is_head(line):
            pass
        elif (end := tables.rows(lines, at, numbers)) > at:
            at = end
            continue
        elif sysstat_json.begins(line):
            document.append((number, line))
        elif STAMP.match(line):
            tables.time = line.strip()
        elif not line.strip() or tables.begins(line):
            pass
        elif stated := banner_facts(line, number):
            tables.facts.extend(stated)
        elif not tables.is_odd_row(line, number):
            pasted.skips.add("not a row of iostat", number)
        at += 1
    if document and not _read_json(document, tables):
        pasted.skips.add("not the JSON of iostat, or cut off", document[0][0], len(document))
    blocks, last, facts, is_timed = (
        tables.blocks(),
        max(tables.reports.values()),
        tables.facts,
        bool(tables.time),
    )
    # What it holds is as large as the blocks, which are copied below.
    del tables
    if last == 1 and blocks:
        is_of_run = not facts and _repeats(pasted.command)
        since_boot = ("since_boot", "the only report is the average since boot, not a look at now")
        first = min(int(block.lines[0]) for block in blocks)
        pasted.remark(*(("few_samples", "one report of a run") if is_of_run else since_boot), first)
    # A paste that begins anywhere has no line of the host, and then the first report is as good as any.
    is_since_boot = last > 1 and bool(facts) and not _OMITS_FIRST.search(pasted.command)
    if is_since_boot:
        blocks = [block.chosen(np.fromiter(block.beside["report"], dtype=np.float64) > 1) for block in blocks]
    looks = last - is_since_boot
    spans = spanned_by(pasted.command, looks)
    if spans is None and looks > 1 and not is_timed and (interval := interval_of(lines)):
        spans = interval * (looks - 1)
    return Reading(
        facts=(*facts, *facts_of(blocks, "device")),
        row_sets=row_sets_of("iostat", blocks, spans),
        skipped=pasted.skips.result(),
        quality=tuple(pasted.quality),
    )


def _repeats(command: str) -> bool:
    """Return whether a command prints more than one report: it ends with an interval, and no count of 1."""
    *_, before, last = ("", "", *command.split())
    return last.isdecimal() and not (before.isdecimal() and last == "1")


def _unwrapped(lines: list[str], numbers: array[int]) -> tuple[list[str], array[int]]:
    """Return lines and line numbers; heads and rows that a mailer or a long name wrapped are one again.

    A page may break the table instead: the rest of the head stands below the row, that of the row below it.
    """
    # Most are the rows of CPUs.
    rests = [at for at in _rests().scan(lines)[0] if not (at and lines[at - 1].startswith("avg-cpu:"))]
    if not rests:
        return lines, numbers
    whole: list[str] = []
    kept = array("i")
    is_wrapped = is_broken = False
    done = 0
    for at in rests:
        whole += lines[done:at]
        kept += numbers[done:at]
        done = at + 1
        line, above = lines[at], whole[-1] if whole else ""
        if len(whole) > 1 and ROW.match(above):
            head = whole[-2]
            if DEVICE_HEAD.match(head) and HEAD_REST.match(line):
                whole[-2], is_broken = f"{head.rstrip()} {line.strip()}", True
                continue
            if is_broken and ROW_REST.match(line):
                whole[-1], is_broken = f"{above.rstrip()} {line.strip()}", False
                continue
        if DEVICE_HEAD.match(above) and HEAD_REST.match(line):
            is_wrapped = True
        elif not (
            (is_wrapped and ROW.match(above) and ROW_REST.match(line))
            or (ROW_BELOW.match(line) and _is_device(above, len(line.split()), whole))
        ):
            whole.append(line)
            kept.append(numbers[at])
            continue
        whole[-1] = f"{above.rstrip()} {line.strip()}"
    return whole + lines[done:], kept + numbers[done:]


def _is_device(line: str, cells: int, above: list[str]) -> bool:
    """Return whether a line is a name alone, with as many values below it as the last head has columns."""
    if LONE_DEVICE.match(line):
        return True
    heads = (DEVICE_HEAD.match(one) for one in reversed(above[-MOST_DEVICES:]))
    head = next(filter(None, heads), None) if DEVICE_ALONE.match(line) else None
    return head is not None and len(head["columns"].split()) == cells


@cache
def _rests() -> LineStarts:
    """Return what finds lines that may be the rest of the line above."""
    return LineStarts([(0, tuple(shape.pattern for shape in (HEAD_REST, ROW_REST, ROW_BELOW)), (), 0)])


def _read_json(document: Sequence[tuple[int, str]], tables: Tables) -> int:
    """Read `-o JSON`; return the number of reports, 0 when it is no such document."""
    cpu, disk = (sysstat_json.Citations(document, key) for key in ("avg-cpu", "disk_device"))
    for host in sysstat_json.hosts(document):
        tables.facts.extend(sysstat_json.host_facts(host, document))
        for report in objects(host.get("statistics")):
            tables.reports = {"cpu": tables.reports["disk"] + 1, "disk": tables.reports["disk"] + 1}
            if shares := mapping(report.get("avg-cpu")):
                printed = {f"%{name}": repr(number(value)) for name, value in shares.items()}
                tables.take("cpu", printed, cpu.next(), "")
            for device in objects(report.get("disk")):
                line = disk.next()
                printed = {
                    _JSON_COLUMNS.get(name, name): repr(number(value))
                    for name, value in device.items()
                    if name != "disk_device"
                }
                tables.take("disk", printed, line, str(device.get("disk_device")))
    return tables.reports["disk"]

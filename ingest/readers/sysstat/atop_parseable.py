"""`atop -P`: one line per label and sample, with fields by their place.

Example:
    RESET
    CPU vm 1795892951 2026/11/28 19:09:11 49436 100 2 1052125 2942495 4410244 1426126 21205 0 14173 4741 0
    SEP
    CPU vm 1795892952 2026/11/28 19:09:12 1 100 2 22 17 97 59 0 0 0 0 0

The fields are label, host, seconds since 1970, date, time, seconds of the interval, and those of the label.
What stands below `RESET` is counted since boot: it is left out when other samples follow. Counts of an
interval become rates. Process labels, NFS, GPUs and interfaces are not read.
Source: atop(1), PARSEABLE OUTPUT.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ingest.engines.series.model import looks_column
from ingest.model.reading import Reading, SkipCounter
from ingest.parsing.series import Quantity, Rows, Series
from ingest.parsing.shapes import Lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.model.reading import Cell
    from ingest.model.section import Text

_LABELS = (
    "CPU|cpu|CPL|GPU|MEM|SWP|PAG|PSI|LVM|MDD|DSK|NFM|NFC|NFS|NET|IFB|LLC|NUM|NUC|PRG|PRC|PRE|PRM|PRD|PRN"
)
_ROW = re.compile(
    rf"^(?P<label>{_LABELS}) \S{{1,64}} \d{{9,11}} \d{{4}}/\d\d/\d\d (?P<time>\d\d:\d\d:\d\d)"
    r" (?P<seconds>\d{1,9})(?P<fields>(?: \S+)+)\s*$"
)
_MARK = re.compile(r"^(?P<mark>RESET|SEP)\s*$")
_FIRST = re.compile(f"{_MARK.pattern}|{_ROW.pattern}".replace("?P<fields>", "").replace("?P<label>", ""))

_MODES = ("system", "user", "nice", "idle", "iowait", "irq", "softirq", "steal")
"""What the ticks from the third field of a line of CPUs on are spent in; together they are all."""

_PSI = {
    4: "sar.scpu_share",
    8: "sar.smem_share",
    12: "sar.fmem_share",
    16: "sar.sio_share",
    20: "sar.fio_share",
}
_RATES = {
    "CPL": {
        4: Quantity("system.context_switches_per_second", "per_second"),
        5: Quantity("system.interrupts_per_second", "per_second"),
    },
    "PAG": {
        4: Quantity("sar.pswpin_per_second", "per_second"),
        5: Quantity("sar.pswpout_per_second", "per_second"),
    },
    "PSI": {place: Quantity(fact, "share", 1e-6) for place, fact in _PSI.items()},
    "DSK": {
        1: Quantity("disk.util_share", "share", 1e-3),
        2: Quantity("disk.reads_per_second", "per_second"),
        4: Quantity("disk.writes_per_second", "per_second"),
    },
}
"""By label and place, what is counted in an interval and divided by its seconds."""
_DISKS = frozenset({"DSK", "LVM", "MDD"})

_GAUGES = {
    "CPL": {
        0: Quantity("cpu.online", "count"),
        1: Quantity("loadavg.1m", "count"),
        2: Quantity("loadavg.5m", "count"),
        3: Quantity("loadavg.15m", "count"),
    },
}
_PAGES = {
    "MEM": {
        1: "free.mem.total_bytes",
        2: "free.mem.free_bytes",
        3: "free.mem.cache_bytes",
        4: "free.mem.buffers_bytes",
    },
    "SWP": {1: "free.swap.total_bytes", 2: "free.swap.free_bytes"},
}
"""Sizes in pages, whose size is the first field."""


class _Look(NamedTuple):
    """One line of a sample."""

    sample: int
    line: int
    time: str
    label: str
    seconds: float
    fields: list[str]


def read(text: Text) -> Reading:
    """Read the means of all intervals as facts, and every line as a row."""
    skips = SkipCounter()
    looks: list[_Look] = []
    sample, since_boot = 0, -1
    for number, line in enumerate(text.lines, start=text.first_line):
        if mark := _MARK.match(line):
            sample += 1
            since_boot = sample if mark["mark"] == "RESET" else since_boot
        elif row := _ROW.match(line):
            fields = row["fields"].split()
            looks.append(_Look(sample, number, row["time"], row["label"], float(row["seconds"]), fields))
        elif line.strip():
            skips.add("not a line of atop -P", number)
    first = [one for one in looks if one.sample == since_boot]
    if first and len(first) < len(looks):
        skips.add("average since boot", first[0].line, len(first))
        looks = [one for one in looks if one.sample != since_boot]
    series, rows = Series(), Rows("atop-parseable")
    for look in looks:
        labels = _subject(look)
        cells: dict[str, Cell] = {"time_text": look.time, **labels}
        for quantity, value in _values(look):
            series.add(quantity, value, look.line, labels)
            cells[looks_column(quantity.fact)] = round(value * quantity.factor, 6)
        if len(cells) > 1 + len(labels):
            rows.add(look.line, cells)
    return Reading(facts=tuple(series.facts()), row_sets=rows.sets(), skipped=skips.result())


def _subject(look: _Look) -> dict[str, str]:
    if look.label in _DISKS:
        return {"device": look.fields[0]}
    return {"cpu": look.fields[1]} if look.label == "cpu" and len(look.fields) > 1 else {}


def _values(look: _Look) -> Iterator[tuple[Quantity, float]]:
    """Yield the quantities of a line; none of a line whose fields are no numbers."""
    numbers = [float(one) if re.fullmatch(r"-?\d{1,20}(?:\.\d{1,9})?", one) else -1.0 for one in look.fields]
    if look.label in {"CPU", "cpu"}:
        ticks = numbers[2 : 2 + len(_MODES)]
        if (whole := sum(ticks)) > 0 and len(ticks) == len(_MODES) and min(ticks) >= 0:
            for name, count in zip(_MODES, ticks, strict=True):
                yield Quantity(f"cpu.{name}_share", "share"), count / whole
        return
    label = "DSK" if look.label in _DISKS else look.label
    for place, quantity in _GAUGES.get(label, {}).items():
        if place < len(numbers) and numbers[place] >= 0:
            yield quantity, numbers[place]
    for place, fact in _PAGES.get(label, {}).items():
        if place < len(numbers) and numbers[place] >= 0:
            yield Quantity(fact, "bytes", numbers[0]), numbers[place]
    for place, quantity in _RATES.get(label, {}).items() if look.seconds else ():
        if place < len(numbers) and numbers[place] >= 0:
            yield quantity, numbers[place] / look.seconds


FORMAT = Lines(
    name="atop-parseable",
    title="atop -P",
    example="RESET\n"
    "CPU vm 1795892951 2026/11/28 19:09:11 49436 100 2 1052125 2942495 4410244 1426126 21205 0 14173 4741 0\n"
    "SEP\n"
    "CPU vm 1795892952 2026/11/28 19:09:12 1 100 2 22 17 97 59 0 0 0 0 0",
    command="atop -P CPU,cpu,CPL,MEM,SWP,PAG,DSK 1 5",
    first=_FIRST,
    below=_FIRST,
    shapes=(_ROW, _MARK),
    read=read,
)

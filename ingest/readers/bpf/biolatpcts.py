"""biolatpcts of bcc: percentiles of the time that a block device takes for requests.

Examples:
    nvme0n1    p1    p5   p10   p16   p25   p50   p75   p84   p90   p95   p99  p100
    read     95us 175us 305us 515us 895us 985us 995us 1.5ms 2.5ms 3.5ms 4.5ms  10ms
    discard     -     -     -     -     -     -     -     -     -     -     -     -

    {"read": {"50": 0.000355, "99": 0.0025, "100": 0.0235}, "write": {"50": 2.5e-05, …

A dash, in JSON a zero, stands for requests of which there were none. Of several intervals the longest time of
each percentile is the fact; the percentile is named without `p` and final zeros.
Source: tools/biolatpcts.py in iovisor/bcc.
"""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING

from ingest.model.citation import Lines
from ingest.model.facts import Fact
from ingest.model.reading import Reading
from ingest.native.linear import Pattern
from ingest.parsing.series import Rows
from ingest.paste.transcript import transcript

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ingest.model.section import Text

NAME = "biolatpcts"
VERSION = 1
PRIORITY = 59
TITLE = "biolatpcts (bcc)"
COMMAND = "biolatpcts /dev/nvme0n1"
EXAMPLE = "nvme0n1    p1   p50   p99  p100\nread     95us 985us 4.5ms  10ms\nwrite     5us 135us 965us 1.5ms"

KINDS = ("read", "write", "discard", "flush")
_PERCENTILE = r"p?[0-9]{1,3}(?:\.[0-9]{1,4})?"
_HEAD = Pattern(rf"^(?P<device>[A-Za-z][A-Za-z0-9_.:!-]*|[0-9]+:[0-9]+)(?P<names>(?:\s+{_PERCENTILE})+)\s*$")
_ROW = Pattern(
    r"^(?P<kind>read|write|discard|flush)(?P<times>(?:\s+(?:-|[0-9]{1,9}(?:\.[0-9]{1,3})?(?:us|ms|s)))+)\s*$"
)
_OBJECT = re.compile(r'^\{"read": \{"\d{1,3}(?:\.\d{1,4})?": ')
_DEVICE = Pattern(
    r"(?:^|\s)(?:/dev/)?(?P<device>(?:nvme\d+n\d+|[sv]d[a-z]+|xvd[a-z]+|dm-\d+|md\d+|mmcblk\d+))\b"
)
_UNITS = {"us": 1e-6, "ms": 1e-3, "s": 1.0}
_TIME = re.compile(r"^(?P<amount>\d+(?:\.\d+)?)(?P<unit>us|ms|s)$")

STARTS = (rf"[\w.:!-]+(?:\s+{_PERCENTILE})+\s*$", r'\{"read": \{"\d')


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether a table or an object starts at `lines[at]`."""
    if _OBJECT.match(lines[at]):
        return True
    return bool(_HEAD.match(lines[at])) and at + 1 < len(lines) and bool(_ROW.match(lines[at + 1]))


def continues(line: str) -> bool:
    """Return whether `line` is a head, the times of one kind of request, or an object."""
    return bool(_ROW.match(line) or _HEAD.match(line) or _OBJECT.match(line))


def read(text: Text) -> Reading:
    """Read the longest time of each percentile by kind of request; every look is a row."""
    pasted = transcript(text)
    rows = Rows("block_latency_percentiles")
    longest: dict[tuple[str, str, str], tuple[float, int]] = {}
    found = _DEVICE.search(pasted.command)
    device, names = found["device"] if found else "", []
    looks: list[tuple[int, str, Mapping[str, float]]] = []
    for number, line, _ in pasted.lines:
        if head := _HEAD.match(line):
            device, names = head["device"], [_percentile(one) for one in head["names"].split()]
        elif row := _ROW.match(line):
            times = row["times"].split()
            if len(times) == len(names):
                looks.append((number, row["kind"], dict(_timed(names, times))))
            else:
                pasted.skips.add("not as many times as percentiles", number)
        elif _OBJECT.match(line):
            looks.extend((number, kind, times) for kind, times in _object(line))
            if not looks or looks[-1][0] != number:
                pasted.skips.add("an object that is cut off or has no time", number)
        elif line.strip():
            pasted.skips.add("not a percentile of biolatpcts", number)
    for number, kind, by_name in looks:
        if not by_name:
            continue
        rows.add(
            number,
            {"device": device or None, "kind": kind, **{f"p{one}": time for one, time in by_name.items()}},
        )
        for name, time in by_name.items():
            key = (device, kind, name)
            longest[key] = max(longest.get(key, (time, number)), (time, number))
    return Reading(
        facts=tuple(_facts(longest)),
        row_sets=rows.sets(),
        skipped=pasted.skips.result(),
        quality=tuple(pasted.quality),
    )


def _facts(longest: Mapping[tuple[str, str, str], tuple[float, int]]) -> Iterator[Fact]:
    for (device, kind, name), (time, number) in longest.items():
        labels = {"percentile": name, **({"device": device} if device else {})}
        yield Fact(f"disk.latency.{kind}_seconds", round(time, 9), Lines.at(number), "seconds", labels)


def _percentile(printed: str) -> str:
    """Return the percentile as a number without final zeros: `99.9` of `p99.90`."""
    return f"{float(printed.lstrip('p')):g}"


def _timed(names: Sequence[str], times: Sequence[str]) -> Iterator[tuple[str, float]]:
    """Yield each percentile with its time in seconds; none where there was no request."""
    for name, printed in zip(names, times, strict=True):
        if time := _TIME.match(printed):
            yield name, float(time["amount"]) * _UNITS[time["unit"]]


def _object(line: str) -> Iterator[tuple[str, dict[str, float]]]:
    """Yield the times of each kind of request of an object; none of what is no such object."""
    try:
        content = json.loads(line)
    except (ValueError, RecursionError):
        return
    for kind in KINDS:
        times = content.get(kind)
        if not isinstance(times, dict):
            continue
        by_name = {}
        for name, time in times.items():
            is_time = isinstance(time, (int, float)) and not isinstance(time, bool) and 0 < time < math.inf
            if is_time and re.fullmatch(r"\d{1,3}(?:\.\d{1,4})?", name):
                by_name[_percentile(name)] = float(time)
        if by_name:
            yield kind, by_name

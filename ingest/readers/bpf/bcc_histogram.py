"""Histograms of bcc and libbpf-tools: runqlat, biolatency, funclatency, cpudist, ext4dist.

Examples:
    Tracing run queue latency... Hit Ctrl-C to end.

    pid = 55 kworker/0:1H
         usecs               : count    distribution
             0 -> 1          : 191      |***************                         |
             2 -> 3          : 122      |*********                               |

A bucket `2 -> 3` holds 2 and 3: its upper bound is 4. A line `key = value` above a histogram is its key.
Source: bcc's src/python/bcc/table.py (_print_log2_hist, _print_linear_hist), libbpf-tools/trace_helpers.c.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ingest.model.histogram import Histogram
from ingest.model.reading import Reading
from ingest.native.linear import Pattern
from ingest.parsing.protocols import Start
from ingest.paste.transcript import transcript

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.section import Text

NAME = "bcc-histogram"
VERSION = 3
PRIORITY = 60
TITLE = "Histograms of bcc tools"
COMMAND = "runqlat"
EXAMPLE = (
    "     usecs               : count    distribution\n"
    "         0 -> 1          : 191      |***************                         |\n"
    "         2 -> 3          : 122      |*********                               |"
)

UNITS = {
    "usecs": "us",
    "usec": "us",
    "us": "us",
    "msecs": "ms",
    "msec": "ms",
    "ms": "ms",
    "nsecs": "ns",
    "nsec": "ns",
    "secs": "s",
    "bytes": "bytes",
    "kbytes": "KiB",
    "Kbytes": "KiB",
}
_HEAD = Pattern(r"^\s*(?P<what>[A-Za-z][\w() ./-]*?)\s*: count\s+distribution\s*$")
_BUCKET = Pattern(r"^\s*(?P<low>\d+)(?: -> (?P<high>\d+))?\s*: (?P<count>\d+)\s+\|(?P<bar>[* +]*)\|?\s*$")
_KEY = re.compile(r"^\s*(?P<key>[A-Za-z][\w ]{0,30}?)(?: =|:) (?P<value>.(?:.{0,118}\S)?)\s*+$")
_BANNER = re.compile(r"^(?:Tracing|Sampling|Summarizing)\b.*(?:Hit|Ctrl-C)")
_TRACED = re.compile(r"functions? for \"?(?P<what>[\w:*.]+)\"?|^Tracing (?P<one>[a-z_][\w:]*)\.\s+Hit")
_ARGUMENT = re.compile(r"\bfunclatency\S*(?:\s+-\S+(?:\s+\d+)?)*\s+(?P<what>[A-Za-z_][\w:*.]*)")
"""The function that a command of funclatency names: a paste may lack the banner."""
_FUNCTION_KEY = "Function"
"""Key of a histogram of funclatency -F, or of a pattern of functions."""
_PRINTED_BYTES = re.compile(r"^b'(.*)'$")
_CLOCK = re.compile(r"^\s*\d\d:\d\d:\d\d\s*$")
_AVERAGE = re.compile(r"^\s*avg = \d+ \w+, total: \d+")
KEY_DISTANCE = 2
NO_HISTOGRAM = "a key without a histogram"
TOOLS = {"run queue latency": "runqlat", "block device I/O": "biolatency", "on-CPU time": "cpudist"}
"""What a banner says is traced, and the tool that prints it: a paste may lack its command."""


class _Bucket(NamedTuple):
    low: float
    high: float
    held_count: float
    line: int


_KEY_START = r"\s*[A-Za-z][\w ]*(?: =|:) "
STARTS = (
    _HEAD.pattern,
    Start((_BANNER.pattern, _KEY_START), near=(_HEAD.pattern,), within=8),
)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether a histogram starts at `lines[at]`: its header, or the banner or key above it."""
    if _HEAD.match(lines[at]):
        return True
    if not (_BANNER.match(lines[at]) or _KEY.match(lines[at])):
        return False
    ahead = [line for line in lines[at + 1 : at + 9] if line.strip()]
    while ahead and (_CLOCK.match(ahead[0]) or _KEY.match(ahead[0])) and not _HEAD.match(ahead[0]):
        ahead.pop(0)
    return bool(ahead and _HEAD.match(ahead[0]))


def continues(line: str) -> bool:
    """Return whether `line` can occur among histograms."""
    return any(shape.match(line) for shape in (_HEAD, _BUCKET, _KEY, _BANNER, _CLOCK, _AVERAGE))


def read(text: Text) -> Reading:
    """Read every histogram with its key; the tool's name in the prompt or its banner names it."""
    pasted = transcript(text)
    found: list[Histogram] = []
    buckets: list[_Bucket] = []
    typed = re.match(r"(?:sudo )?(?:\S*/)?(\w[\w-]*)", pasted.command)
    name = typed[1] if typed else ""
    title, unit, key, key_at, is_used = "", "", "", 0, True
    argument = _ARGUMENT.search(pasted.command)
    probe, function = argument["what"] if argument else "", ""

    def close() -> None:
        if buckets:
            lows, highs, counts, lines = zip(*buckets, strict=True)
            traced = function or probe
            found.append(Histogram(name or title, unit, lows, highs, counts, lines, key=key, probe=traced))
            buckets.clear()

    for number, line, _ in pasted.lines:
        if head := _HEAD.match(line):
            close()
            is_used = True
            title = head["what"].strip()
            unit = UNITS.get(title, "")
            if key_at and number - key_at > KEY_DISTANCE:
                key = function = ""
        elif bucket := _BUCKET.match(line):
            low = float(bucket["low"])
            high = float(bucket["high"]) + 1 if bucket["high"] else low + 1
            buckets.append(_Bucket(low, high, float(bucket["count"]), number))
        elif _BANNER.match(line):
            close()
            banner = _TRACED.search(line)
            probe = (banner["what"] or banner["one"]) if banner else ""
            name = name or next((tool for words, tool in TOOLS.items() if words in line), "")
        elif _AVERAGE.match(line) or _CLOCK.match(line):
            close()
        elif keyed := _KEY.match(line):
            close()
            if not is_used:
                pasted.skips.add(NO_HISTOGRAM, key_at)
            is_used = False
            key, key_at, function = f"{keyed['key'].strip()} = {keyed['value'].strip()}", number, ""
            if keyed["key"].strip() == _FUNCTION_KEY:
                key, function = "", _PRINTED_BYTES.sub(r"\1", keyed["value"].split()[0])
        elif line.strip():
            pasted.skips.add("not a bucket", number)
    close()
    if not is_used:
        pasted.skips.add(NO_HISTOGRAM, key_at)
    return Reading(histograms=tuple(found), skipped=pasted.skips.result(), quality=tuple(pasted.quality))

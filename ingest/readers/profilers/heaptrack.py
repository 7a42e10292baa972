"""Text of `heaptrack_print`: what the heap held at its peak and what was never freed, by function.

Example:
    PEAK MEMORY CONSUMERS
    8.19M peak memory consumed over 2000 calls from
    leak_cache
      at /src/ht.c:3
      in /src/ht
    8.19M consumed over 2000 calls from:
        work
          at /src/ht.c:4
          in /src/ht

    peak heap memory consumption: 8.26M
    total memory leaked: 8.19M

Of each function its first stack names the callers. Sizes are powers of 1000. What the recording lists as
leaked was not freed when it ended, which of a program that still runs is also what it uses.
Source: src/analyze/print/heaptrack_print.cpp of KDE/heaptrack.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ingest.native.linear import Pattern
from ingest.parsing.fact_reader import FactReader
from ingest.parsing.shapes import Lines, Meaning

if TYPE_CHECKING:
    import re

    from ingest.model.reading import Reading
    from ingest.model.section import Text

_SIZE = r"(?P<size>-?\d{1,12}(?:\.\d{1,4})?)(?P<suffix>[KMGTP]?)B?"
_HELD = _SIZE.replace("size", "held").replace("suffix", "unit")
_BANNER = Pattern(
    r'^(?:reading (?:diff )?file ".*" - please wait, this might take some time\.\.\.|Debuggee command was: .*'
    r"|finished reading file, now analyzing data:)\s*$"
)
_TITLE = Pattern(
    r"^(?:MOST CALLS TO ALLOCATION FUNCTIONS|PEAK MEMORY CONSUMERS|MEMORY LEAKS|MOST TEMPORARY ALLOCATIONS"
    r"|MOST BYTES ALLOCATED OVER TIME .*)\s*$"
)
_SITE = Pattern(
    rf"^(?:{_SIZE} (?P<what>peak memory consumed|leaked) over (?P<calls>\d{{1,15}}) calls from"
    rf"|(?P<often>\d{{1,15}}) calls to allocation functions with {_HELD} peak consumption from"
    r"|\d{1,15} temporary allocations of \d{1,15} allocations in total.* from"
    r"|\S{1,20} allocated over \d{1,15} calls from)\s*$"
)
_STACK = Pattern(
    r"^(?:\S{1,20} (?:consumed|leaked|allocated) over \d{1,15} calls from:|\d{1,15} calls with .* from:"
    r"|\d{1,15} temporary allocations of .* from:|and \S{1,20} from \d{1,9} other places)\s*$"
)
_PLACE = Pattern(r"^\s+(?:at|in) \S.*$")
_CALLER = Pattern(r"^    (?P<name>\S.*)$")
_FUNCTION = Pattern(
    r"^(?P<name>0x[0-9a-f]{1,16}"
    r"|(?:operator |non-virtual thunk to )?[A-Za-z_~(<][\w:~.$@]*(?:[<(\[].*)?)\s*$"
)
_TOTALS = {
    "peak heap memory consumption": "heap.total_peak_bytes",
    "peak RSS (including heaptrack overhead)": "heap.peak_rss_bytes",
    "total memory leaked": "heap.total_leaked_bytes",
}
_TOTAL = Pattern(
    r"^(?P<name>peak heap memory consumption|peak RSS \(including heaptrack overhead\)|total memory leaked): "
    rf"{_SIZE}\s*$"
)
_COUNT = Pattern(
    r"^(?:total runtime|calls to allocation functions|temporary (?:memory )?allocations|suppressed leaks): "
)
_SUMMARY = Pattern(
    r"^(?:total runtime: [\d.]{1,20}s\.|calls to allocation functions: \d{1,15} \(-?\d{1,15}/s\))\s*$"
)
_FACTORS = {"": 1.0, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15}
MOST_CALLERS = 2
"""Of the stack of a function, that are kept."""

MOST_NAME = 200


class _Site(NamedTuple):
    """A function that allocates, with what is said of it; `callers` are those of its first stack."""

    line: int
    what: str
    size: float
    calls: float
    callers: list[str]


def read(text: Text) -> Reading:
    """Read totals and, by function, bytes at the peak and bytes that were not freed."""
    reader = FactReader(text)
    site: _Site | None = None
    function, stacks = "", 0
    for line, entry in enumerate(text.lines, text.first_line):
        if not entry.strip():
            continue
        if found := _SITE.match(entry):
            _add(reader, site, function)
            site, function, stacks = None, "", 0
            if found["what"]:
                site = _Site(line, found["what"], _bytes(found), float(found["calls"]), [])
            elif found["often"]:
                held = float(found["held"]) * _FACTORS[found["unit"]]
                site = _Site(line, "called", float(round(held)), float(found["often"]), [])
        elif _STACK.match(entry):
            stacks += 1
        elif total := _TOTAL.match(entry):
            _add(reader, site, function)
            site = None
            reader.add(_TOTALS[total["name"]], _bytes(total), line, "bytes")
        elif _TITLE.match(entry):
            _add(reader, site, function)
            site = None
        elif _BANNER.match(entry) or _COUNT.match(entry) or _PLACE.match(entry):
            continue
        elif caller := _CALLER.match(entry):
            if site is not None and stacks == 1 and len(site.callers) < MOST_CALLERS:
                site.callers.append(caller["name"].strip()[:MOST_NAME])
        elif named := _FUNCTION.match(entry):
            function = function or named["name"].strip()[:MOST_NAME]
        else:
            reader.skips.add("not of a report of heaptrack", line)
    _add(reader, site, function)
    return reader.result()


def _add(reader: FactReader, site: _Site | None, function: str) -> None:
    """Add what is said of a function."""
    if site is None or not function:
        return
    labels = {"function": function}
    if callers := [one for one in site.callers if one != function]:
        labels["caller"] = " ← ".join(callers)
    what = {"leaked": "leaked", "called": "often_called"}.get(site.what, "peak")
    reader.add(f"heap.{what}_bytes", site.size, site.line, "bytes", labels)
    reader.add(f"heap.{what}_calls", site.calls, site.line, "count", labels)


def _bytes(found: re.Match[str]) -> float:
    return float(round(float(found["size"]) * _FACTORS[found["suffix"]]))


FACTS = {
    "heap.leaked_bytes": Meaning(
        "bytes of the heap that a function allocated and that were not freed when the recording ended",
        "bytes",
        ("function", "caller"),
        "heap.leaked_bytes = 8190000",
    ),
    "heap.leaked_calls": Meaning(
        "allocations of them", "count", ("function", "caller"), "heap.leaked_calls = 2000"
    ),
    "heap.often_called_bytes": Meaning(
        "bytes at its peak of a function that allocates often",
        "bytes",
        ("function", "caller"),
        "heap.often_called_bytes = 8190000",
    ),
    "heap.often_called_calls": Meaning(
        "allocations of a function", "count", ("function", "caller"), "heap.often_called_calls = 2000"
    ),
    "heap.peak_bytes": Meaning(
        "bytes that a function had allocated when the heap was largest",
        "bytes",
        ("function", "caller"),
        "heap.peak_bytes = 8190000",
    ),
    "heap.peak_calls": Meaning(
        "allocations of them", "count", ("function", "caller"), "heap.peak_calls = 2000"
    ),
    "heap.peak_rss_bytes": Meaning(
        "resident memory at its peak, with that of heaptrack", "bytes", (), "heap.peak_rss_bytes = 12100000"
    ),
    "heap.total_leaked_bytes": Meaning(
        "bytes of the heap that were not freed when the recording ended",
        "bytes",
        (),
        "heap.total_leaked_bytes = 8190000",
    ),
    "heap.total_peak_bytes": Meaning(
        "bytes of the heap when it was largest", "bytes", (), "heap.total_peak_bytes = 8260000"
    ),
}

FORMAT = Lines(
    name="heaptrack",
    title="heaptrack_print",
    command="heaptrack_print -l 1 heaptrack.PROGRAM.PID.zst",
    example=(
        "PEAK MEMORY CONSUMERS\n"
        "8.19M peak memory consumed over 2000 calls from\n"
        "leak_cache\n"
        "  at /src/ht.c:3\n"
        "  in /src/ht"
    ),
    first=Pattern("|".join(one.pattern.removeprefix("^") for one in (_BANNER, _TITLE, _SUMMARY))),
    shapes=(_BANNER, _TITLE, _SITE, _STACK, _PLACE, _CALLER, _TOTAL, _COUNT, _FUNCTION),
    read=read,
)

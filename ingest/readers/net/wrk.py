"""`wrk` and `wrk2`: rate and latency of HTTP requests.

Example:
    Running 3s test @ http://127.0.0.1:18555/runqlat.txt
      1 threads and 4 connections
      Thread Stats   Avg      Stdev     Max   +/- Stdev
        Latency    10.97ms   18.03ms 144.80ms   87.82%
      Latency Distribution
         50%    1.65ms
    Requests/sec:    950.02

Percentiles come from all requests of the run; wrk does not correct them for requests it could not send.
Source: https://github.com/wg/wrk src/wrk.c.
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

NAME = "wrk"
VERSION = 1
TITLE = "wrk"
COMMAND = "wrk --duration 3s --latency http://127.0.0.1:8080/"
EXAMPLE = "Running 3s test @ http://127.0.0.1:18555/runqlat.txt\n  1 threads and 4 connections"

SECONDS = {"us": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}
SCALES = {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9}
_HEAD = re.compile(r"^Running (?P<for>\S+) test @ (?P<url>\S+)\s*$")
_TIME = r"(?P<{0}>\d+(?:\.\d+)?)(?P<{0}_unit>us|ms|s|m|h)"
_LATENCY = re.compile(
    rf"^\s+Latency\s+{_TIME.format('mean')}\s+{_TIME.format('deviation')}\s+{_TIME.format('longest')}\s+[\d.]+%"
)
_PERCENTILE = re.compile(rf"^\s+(?P<percent>\d+(?:\.\d+)?)%\s+{_TIME.format('latency')}\s*$")
_TOTAL = Pattern(
    r"^\s+(?P<requests>\d+) requests in (?P<seconds>\d+(?:\.\d+)?)(?P<unit>us|ms|s|m|h), [\d.]+\w+ read\s*$"
)
_RATE = re.compile(r"^Requests/sec:\s+(?P<rate>\d+(?:\.\d+)?)\s*$")
_ERRORS = re.compile(r"^\s+Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)\s*$")
_OTHER = re.compile(
    r"^\s+\d+ threads and \d+ connections|^\s+Thread Stats|^\s+Req/Sec|^\s+Latency Distribution"
    r"|^Transfer/sec:"
    r"|^\s+Non-2xx or 3xx responses|^\s+Thread calibration"
)


STARTS = (_HEAD.pattern,)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether output of wrk starts at `lines[at]`."""
    return bool(_HEAD.match(lines[at]))


def continues(line: str) -> bool:
    """Return whether `line` can occur in it."""
    shapes = (_HEAD, _LATENCY, _PERCENTILE, _TOTAL, _RATE, _ERRORS, _OTHER)
    return any(shape.match(line) for shape in shapes)


def read(text: Text) -> Reading:
    """Read rate, mean, maximum and the stated percentiles, in seconds."""
    reader = FactReader(text)
    for line, entry in enumerate(text.lines, start=text.first_line):
        if found := _LATENCY.match(entry):
            for group, name in (("mean", "mean"), ("longest", "max"), ("deviation", "stdev")):
                seconds = float(found[group]) * SECONDS[found[f"{group}_unit"]]
                reader.add(f"http.latency.{name}_seconds", round(seconds, 9), line, "seconds")
        elif found := _PERCENTILE.match(entry):
            seconds = float(found["latency"]) * SECONDS[found["latency_unit"]]
            labels = {"percentile": found["percent"]}
            reader.add("http.latency.percentile_seconds", round(seconds, 9), line, "seconds", labels)
        elif found := _TOTAL.match(entry):
            reader.add("http.requests", float(found["requests"]), line, "count")
            seconds = float(found["seconds"]) * SECONDS[found["unit"]]
            reader.add("http.elapsed_seconds", seconds, line, "seconds")
        elif found := _RATE.match(entry):
            reader.add("http.requests_per_second", float(found["rate"]), line, "per_second")
        elif found := _ERRORS.match(entry):
            for name, count in zip(("connect", "read", "write", "timeout"), found.groups(), strict=True):
                reader.add(f"http.errors.{name}", float(count), line, "count")
        elif entry.strip() and not _OTHER.match(entry) and not _HEAD.match(entry):
            reader.skips.add("not a line of wrk", line)
    return reader.result()

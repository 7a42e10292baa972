"""`perf sched latency` and `perf sched timehist`: how long tasks waited for a CPU.

Examples:
      Task                  |   Runtime ms  | Switches | Avg delay ms    | Max delay ms    | Max delay …
      sleep:467             |    282.442 ms |        2 | avg:   1.128 ms | max:   2.257 ms | max start …

               time    cpu  task name                       wait time  sch delay   run time
                            [tid/pid]                          (msec)     (msec)     (msec)
         729.583167 [0000]  migration/0[21]                     0.000      0.097      1.775

        arrow-read-00[22954/22952]   22952        225       43.327      0.007       0.192       1.178   6.2  0

The last is a row of `timehist --summary`: parent, switches, run time, min, average and longest run.
Source: tools/perf/builtin-sched.c (output_lat_thread, timehist_print_sample, timehist_print_summary).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.model.reading import Reading
from ingest.native.linear import Pattern
from ingest.parsing.series import Quantity, Rows, Series
from ingest.paste.transcript import transcript

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.model.reading import Cell
    from ingest.model.section import Text

NAME = "perf-sched"
VERSION = 1
TITLE = "perf sched"
COMMAND = "perf sched latency"
EXAMPLE = (
    "           time    cpu  task name                       wait time  sch delay   run time\n"
    "                        [tid/pid]                          (msec)     (msec)     (msec)\n"
    "     729.583167 [0000]  migration/0[21]                     0.000      0.097      1.775 "
)

_LATENCY_HEAD = re.compile(r"^\s*Task\s+\|\s+Runtime ms\s+\|\s+(?:Switches|Count)\s+\|")
_LATENCY = re.compile(
    r"^\s*(?P<comm>\S.*?):(?:\((?P<merged>\d+)\)|(?P<tid>-?\d+))\s*\|\s*(?P<run>\d+\.\d+) ms"
    r" \|\s*(?P<switches>\d+) \|"
    r"\s*avg:\s*(?P<average>\d+\.\d+) ms \|\s*max:\s*(?P<longest>\d+\.\d+) ms \|"
    r"(?:\s*max (?:start|at):\s*(?P<start>\d+\.\d+) s)?"
)
_TOTAL = re.compile(r"^\s*TOTAL:\s*\|")
_RULE = re.compile(r"^[\s-]{10,}$")
_HIST_HEAD = re.compile(r"^\s+time\s+cpu\s+(?:\S+\s+)?task name\s+wait time\s+sch delay\s+run time")
_HIST_UNITS = re.compile(r"^\s+\[tid/pid\]\s+\(msec\)")
_TASK = r"(?P<comm>\S.*?)(?:\[(?P<tid>\d+)(?:/(?P<pid>\d+))?\]?)?"
_HIST = Pattern(
    rf"^\s*(?P<time>\d+\.\d+) \[(?P<cpu>\d+)\]\s+{_TASK}\s+(?P<wait>\d+\.\d+)\s+(?P<delay>\d+\.\d+)\s+"
    rf"(?P<run>\d+\.\d+)(?:\s.*)?$"
)
_SUMMARY = Pattern(
    rf"^\s*{_TASK}\s+(?P<parent>-?\d+)\s+(?P<switches>\d+)\s+(?P<run>\d+\.\d+)\s+(?P<least>\d+\.\d+)\s+(?P<mean>\d+\.\d+)"
    r"\s+(?P<longest>\d+\.\d+)\s+(?P<deviation>\d+\.\d+)\s+(?P<migrations>\d+)\s*$"
)
_NOTE = re.compile(
    r"^\s*(?:Runtime summary|Wait-time summary|comm\s+parent\s+sched-in|\(count\)|Terminated"
    r" tasks:|Idle stats:"
    r"|CPU\s+\d+ idle|Total number of|Total run time|Total scheduling time|<no |Samples do"
    r" not have callchains)"
)


STARTS = (
    _LATENCY_HEAD.pattern,
    _HIST_HEAD.pattern,
    _RULE.pattern,
    r"\s*\d+\.\d+ \[\d+\]\s",
    r".*\s\d+\.\d+\s+\d+\.\d+\s+\d+\.\d+\s+\d+\s*$",
)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether one of the tables starts at `lines[at]`."""
    line = lines[at]
    if _LATENCY_HEAD.match(line) or _HIST_HEAD.match(line):
        return True
    if "[" in line and (_SUMMARY.match(line) or _HIST.match(line)):
        following = lines[at + 1] if at + 1 < len(lines) else ""
        return bool(_SUMMARY.match(following) or _HIST.match(following))
    return _RULE.match(line) is not None and at + 1 < len(lines) and bool(_LATENCY_HEAD.match(lines[at + 1]))


def continues(line: str) -> bool:
    """Return whether `line` belongs to one of the tables."""
    shapes = (_LATENCY_HEAD, _LATENCY, _TOTAL, _RULE, _HIST_HEAD, _HIST_UNITS, _HIST, _SUMMARY, _NOTE)
    return any(shape.match(line) for shape in shapes)


def _unwrapped(lines: Sequence[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Yield the lines; a row that a mailer wrapped is one again."""
    at = 0
    while at < len(lines):
        number, line = lines[at]
        at += 1
        if at < len(lines) and not continues(line):
            whole = f"{line.rstrip()} {lines[at][1].strip()}"
            if _LATENCY.match(whole) or _HIST.match(whole):
                line, at = whole, at + 1
        yield number, line


def read(text: Text) -> Reading:
    """Read every row, and the longest delay seen as a fact."""
    pasted = transcript(text)
    latency, history, summary = Rows("sched_latency"), Rows("sched_timehist"), Rows("sched_summary")
    delays: list[tuple[float, int]] = []
    times: list[float] = []
    for number, line in _unwrapped([(number, line) for number, line, _ in pasted.lines]):
        if found := _LATENCY.match(line):
            delays.append((float(found["longest"]), number))
            latency.add(number, _latency(found))
        elif found := _HIST.match(line):
            times.append(float(found["time"]))
            if found["comm"] != "<idle>":
                delays.append((float(found["delay"]), number))
            history.add(number, _history(found))
        elif found := _SUMMARY.match(line):
            summary.add(number, _summary(found))
        elif _TOTAL.match(line) or _NOTE.match(line):
            pasted.skips.add("summary of perf sched", number)
        elif line.strip() and not any(
            shape.match(line) for shape in (_RULE, _LATENCY_HEAD, _HIST_HEAD, _HIST_UNITS)
        ):
            pasted.skips.add("not a row of perf sched", number)
    series = Series()
    if delays:
        longest, at = max(delays)
        series.add(Quantity("sched.max_delay_seconds", "seconds", 1e-3), longest, at)
    span = max(times) - min(times) if len(times) > 1 else None
    return Reading(
        facts=tuple(series.facts()),
        row_sets=(*latency.sets(), *history.sets(span), *summary.sets()),
        skipped=pasted.skips.result(),
        quality=tuple(pasted.quality),
    )


def _latency(found: re.Match[str]) -> dict[str, Cell]:
    return {
        "comm": found["comm"],
        "tid": float(found["tid"]) if found["tid"] else None,
        "merged": float(found["merged"]) if found["merged"] else None,
        "run_ms": float(found["run"]),
        "switches": float(found["switches"]),
        "average_delay_ms": float(found["average"]),
        "max_delay_ms": float(found["longest"]),
        "max_delay_at_s": float(found["start"]) if found["start"] else None,
    }


def _history(found: re.Match[str]) -> dict[str, Cell]:
    return {
        "time_s": float(found["time"]),
        "cpu": float(found["cpu"]),
        "comm": found["comm"],
        "tid": float(found["tid"]) if found["tid"] else None,
        "pid": float(found["pid"] or found["tid"]) if found["tid"] else None,
        "wait_ms": float(found["wait"]),
        "delay_ms": float(found["delay"]),
        "run_ms": float(found["run"]),
    }


def _summary(found: re.Match[str]) -> dict[str, Cell]:
    return {
        "comm": found["comm"],
        "tid": float(found["tid"]) if found["tid"] else None,
        "pid": float(found["pid"] or found["tid"]) if found["tid"] else None,
        "switches": float(found["switches"]),
        "run_ms": float(found["run"]),
        "longest_run_ms": float(found["longest"]),
        "migrations": float(found["migrations"]),
    }

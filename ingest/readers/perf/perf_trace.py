"""`perf trace`: system calls, tracepoints and page faults as they happen, and the table of `-s`.

Examples:
     1234.567 ( 0.012 ms): java/4242 read(fd: 7, buf: 0x7f, count: 4096)                    = 4096
     0.000 arrow-read-26/22980 vmscan:mm_vmscan_memcg_reclaim_begin(gfp_flags: 1125450)
                                           try_to_free_mem_cgroup_pages ([kernel.kallsyms])
     18446744073709.551 ( 0.000 ms): arrow-read-00/22954 majfault [walk_file_pages+0x35] => 0x7ffae1a56000

     sleep (16181), 242 events, 10.0%
       syscall            calls  errors  total       min       avg       max       stddev
       clock_nanosleep        1      0  2017.048  2017.048  2017.048  2017.048      0.00%

A time of 18446744073709.551 is a wrapped zero, no time. `...` behind a call: it has not returned; nor
has the one in which the last line stops.
Source: tools/perf/builtin-trace.c (trace__fprintf_*, thread__dump_stats).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ingest.model.citation import Lines
from ingest.model.facts import Fact
from ingest.model.profile import Frame, Thread
from ingest.model.reading import Reading
from ingest.native.frame_kind import classify
from ingest.native.linear import Pattern
from ingest.parsing.profile_builder import PlacedFrame, StackBuilder
from ingest.parsing.series import Rows
from ingest.paste.transcript import transcript

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Cell
    from ingest.model.section import Text

NAME = "perf-trace"
VERSION = 2
TITLE = "perf trace"
COMMAND = "perf trace -s -p 1"
EXAMPLE = " 1234.567 ( 0.012 ms): java/4242 read(fd: 7, buf: 0x7f0000001000, count: 4096)      = 4096"

WRAPPED_MS = 18446744073709.0
"""A 64-bit time just below zero, in milliseconds."""

_WHEN = r"^\s*(?:(?P<at>\d+\.\d{3})|\?)\s+(?:\(\s*(?:(?P<ms>\d+\.\d{3}) ms)?\s*\):\s+)?"
_WHO = r"(?:(?P<comm>\S.*?)/(?P<tid>\d+)\s+)?"
_FAULT = Pattern(rf"{_WHEN}{_WHO}(?P<fault>minfault|majfault) \[(?P<where>[^\]]*)\] => (?P<target>\S+)")
_CALL = Pattern(
    rf"{_WHEN}{_WHO}(?:\.\.\. \[continued\]: )?(?P<call>[a-z_]\w*)\((?P<args>.*?)\)(?P<end>\s+\.\.\."
    rf"|\s*=\s(?P<result>.*?))?\s*$"
)
_CUT = Pattern(rf"{_WHEN}{_WHO}(?P<call>[a-z_]\w*)\((?P<args>[^)]*)(?P<end>)$")
_EVENT = Pattern(rf"{_WHEN}{_WHO}(?P<event>[a-z_]\w*:[a-z_]\w*)\((?P<args>.*)\)\s*$")
_FRAME = re.compile(r"^\s{20,}(?P<name>\S.*?) \((?P<module>[^()]+)\)\s*$")
_OFFSET = re.compile(r"\+0x[0-9a-f]+$")
_THREAD = re.compile(r"^\s*(?P<comm>\S.*?) \((?P<tid>\d+)\), (?P<events>\d+) events, [\d.]+%\s*$")
_TABLE_HEAD = re.compile(r"^\s*syscall\s+calls\s+(?:errors\s+)?total\s+min\s+avg\s+max\s+stddev\s*$")
_TABLE = Pattern(
    r"^\s+(?P<call>[a-z_]\w*)\s+(?P<calls>\d+)\s+(?:(?P<errors>\d+)\s+)?(?P<total>\d+\.\d{3})\s+(?P<least>\d+\.\d{3})"
    r"\s+(?P<mean>\d+\.\d{3})\s+(?P<longest>\d+\.\d{3})\s+(?P<deviation>[\d.]+%)?\s*$"
)
_RULE = Pattern(r"^\s*(?:Summary of events:|\(msec\)[\s()msec%]*|-{5,}[\s-]*)$")
_LOST = re.compile(r"^LOST (?P<lost>\d+) events!")


class _Shown(NamedTuple):
    """A stack being read: where it began and who ran."""

    line: int
    event: str
    thread: Thread


STARTS = (
    r"\s*Summary of events:",
    r"\s*\S.*\(\d+\), \d+ events, ",
    r"\s*(?:\d+\.\d{3}|\?)\s",
)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether output of perf trace starts at `lines[at]`."""
    line = lines[at]
    if line.strip() == "Summary of events:":
        return True
    if _THREAD.match(line):
        return any(_TABLE_HEAD.match(ahead) for ahead in lines[at + 1 : at + 4])
    if _FAULT.match(line):
        return True
    call = _CALL.match(line)
    if call:
        return "ms):" in line and (bool(call["tid"]) or call["end"] is not None)
    return bool(_EVENT.match(line)) and "/" in line.split(":")[0]


def continues(line: str) -> bool:
    """Return whether `line` can occur in such output."""
    shapes = (_FAULT, _CALL, _EVENT, _FRAME, _THREAD, _TABLE_HEAD, _TABLE, _RULE, _LOST)
    return any(shape.match(line) for shape in shapes)


class _Trace:
    """Collects calls, stacks and totals."""

    def __init__(self) -> None:
        """Start empty."""
        self.rows = Rows("perf_trace")
        self.summary = Rows("perf_trace_summary")
        self.stacks: dict[str, StackBuilder] = {}
        self.times: list[float] = []
        self._shown: _Shown | None = None
        self._frames: list[PlacedFrame] = []
        self._who: dict[str, Cell] = {}
        self._totals: dict[str, list[float]] = {}
        self._lines: dict[str, list[int]] = {}

    def event(self, found: re.Match[str], number: int, *, is_cut: bool = False) -> None:
        """Record one call, tracepoint or fault; one that is cut never returned as far as is shown."""
        self.close()
        groups = found.groupdict()
        at = float(found["at"]) if found["at"] else None
        if at is not None and at < WRAPPED_MS:
            self.times.append(at / 1000)
        else:
            at = None
        name = groups.get("call") or groups.get("event") or groups.get("fault") or ""
        comm, tid = groups.get("comm") or "", groups.get("tid")
        self.rows.add(
            number,
            {
                "time_s": None if at is None else at / 1000,
                "comm": comm,
                "tid": float(tid) if tid else None,
                "call": name,
                "args": groups.get("args") or groups.get("target") or "",
                "result": groups.get("result"),
                "duration_s": float(found["ms"]) / 1000 if found["ms"] else None,
                "where": _OFFSET.sub("", groups["where"]) if groups.get("where") else None,
                "is_unfinished": float(is_cut or (groups.get("end") or "").strip() == "..."),
            },
        )
        self._shown = _Shown(number, name, Thread(comm, -1, int(tid or -1)))

    def frame(self, found: re.Match[str], number: int) -> bool:
        """Record one frame below an event; False if there is no event."""
        if self._shown is None:
            return False
        name = _OFFSET.sub("", found["name"])
        frame = Frame(name, found["module"], classify(name, found["module"]))
        self._frames.append(PlacedFrame(frame, number))
        return True

    def close(self) -> None:
        """End the open stack."""
        if self._shown and self._frames:
            builder = self.stacks.setdefault(self._shown.event, StackBuilder())
            builder.add(self._frames, line=self._shown.line, thread=self._shown.thread)
        self._shown, self._frames = None, []

    def thread(self, found: re.Match[str]) -> None:
        """Record the process whose table follows."""
        self._who = {"comm": found["comm"], "tid": float(found["tid"])}

    def total(self, found: re.Match[str], number: int) -> None:
        """Record one row of the table of -s."""
        cells: dict[str, Cell] = {
            **self._who,
            "call": found["call"],
            "calls": float(found["calls"]),
            "errors": float(found["errors"]) if found["errors"] else None,
            "total_ms": float(found["total"]),
            "average_ms": float(found["mean"]),
            "max_ms": float(found["longest"]),
        }
        self.summary.add(number, cells)
        sums = self._totals.setdefault(found["call"], [0.0, 0.0, 0.0])
        for at, value in enumerate((found["calls"], found["errors"] or 0, found["total"])):
            sums[at] += float(value)
        self._lines.setdefault(found["call"], []).append(number)

    def facts(self) -> tuple[Fact, ...]:
        """Return totals per call, over all threads."""
        facts = []
        for call, (calls, errors, total_ms) in self._totals.items():
            lines, labels = Lines(self._lines[call][0], self._lines[call][-1]), {"call": call}
            facts.append(Fact("syscall.count", calls, lines, "count", labels))
            facts.append(Fact("syscall.errors", errors, lines, "count", labels))
            facts.append(Fact("syscall.seconds", round(total_ms / 1000, 9), lines, "seconds", labels))
        return tuple(facts)


def read(text: Text) -> Reading:
    """Read every line; stacks below events become one profile per event."""
    pasted = transcript(text)
    trace = _Trace()
    for number, line, _ in pasted.lines:
        if (frame := _FRAME.match(line)) and trace.frame(frame, number):
            continue
        if not line.strip() or _RULE.match(line) or _TABLE_HEAD.match(line):
            continue
        if found := _FAULT.match(line) or _EVENT.match(line):
            trace.event(found, number)
        elif thread := _THREAD.match(line):
            trace.thread(thread)
        elif total := _TABLE.match(line):
            trace.total(total, number)
        elif found := _CALL.match(line):
            trace.event(found, number)
        elif lost := _LOST.match(line):
            pasted.remark("lost_events", f"perf trace lost {lost['lost']} events", number)
        elif number == pasted.lines[-1].number and (found := _CUT.match(line)):
            trace.event(found, number, is_cut=True)
            pasted.remark("cut_off", f"the last line stops inside {found['call']}", number)
        else:
            pasted.skips.add("not a line of perf trace", number)
    trace.close()
    span = max(trace.times) - min(trace.times) if len(trace.times) > 1 else None
    profiles = tuple(
        builder.build(event=event, unit="count", what="event", has_weights=True)
        for event, builder in trace.stacks.items()
    )
    return Reading(
        profiles=profiles,
        facts=trace.facts(),
        row_sets=(*trace.rows.sets(span), *trace.summary.sets()),
        skipped=pasted.skips.result(),
        quality=tuple(pasted.quality),
    )

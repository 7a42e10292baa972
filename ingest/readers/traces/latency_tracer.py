"""Latency tracers of ftrace: irqsoff, preemptoff, wakeup, hwlat, osnoise and timerlat.

Examples:
    # tracer: irqsoff
    # latency: 259 us, #4/4, CPU#2 | (M:preempt VP:0, KP:0, SP:0 HP:0 #P:4)
    #    | task: ps-6143 (uid:0 nice:0 policy:0 rt_prio:0)
    #  => started at: __lock_task_sighand
    #  => ended at:   _raw_spin_unlock_irqrestore
          ps-6143    2d..1  259us+: trace_hardirqs_on <-_raw_spin_unlock_irqrestore

    # tracer: hwlat
       <...>-1729  [001] d...   678.473449: #1     inner/outer(us):   11/12    ts:1581527483.343962693 count:6

    # tracer: osnoise
         <...>-859   [000] ....    81.637220: 1000000     190  99.98100       9   18    0   1007   18    1

    # tracer: timerlat
        <idle>-0     [000] d.h1    54.029328: #1     context    irq timer_latency       932 ns

The first kind keeps the longest time that interrupts or preemption were off, or that a task waited after it
was woken. osnoise states run time and noise in microseconds, the share of the CPU that was left, and the
longest single noise. Source: Documentation/trace/ftrace.rst, hwlat_detector.rst, osnoise-tracer.rst,
timerlat-tracer.rst; kernel/trace/trace_output.c.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ingest.model.profile import Frame
from ingest.model.reading import Reading
from ingest.native.linear import Pattern
from ingest.parsing.fact_reader import FactReader
from ingest.parsing.profile_builder import PlacedFrame, StackBuilder

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ingest.model.profile import Profile
    from ingest.model.section import Text

NAME = "latency-tracer"
VERSION = 1
TITLE = "Latency tracers of ftrace"
COMMAND = "cat /sys/kernel/tracing/trace"
EXAMPLE = (
    "# tracer: irqsoff\n#\n# irqsoff latency trace v1.1.5 on 3.8.0-test+\n"
    "# latency: 259 us, #4/4, CPU#2 | (M:preempt VP:0, KP:0, SP:0 HP:0 #P:4)\n"
    "#  => started at: __lock_task_sighand\n#  => ended at:   _raw_spin_unlock_irqrestore"
)

_TRACER = re.compile(
    r"^# tracer: (?P<tracer>irqsoff|preemptoff|preemptirqsoff|wakeup(?:_rt|_dl)?|hwlat|osnoise|timerlat)\s*$"
)
_LATENCY = re.compile(r"^# latency: (?P<us>\d{1,15}) us, #\d+/\d+, CPU#(?P<cpu>\d+) \|")
_TASK = Pattern(r"^#\s+\| task: (?P<task>\S.{0,63}?) \(uid:")
_PLACE = re.compile(r"^#\s+=> (?P<which>started|ended) at:\s+(?P<function>[\w.]+)")
_NOTE = re.compile(r"^\s*#")
_STEP = Pattern(r"^\s*\S.{0,40}?-\d{1,10}\s+\d{1,4}[A-Za-z.#0-9]{3,8}\s+\d+us[\s$@*#!+]?\s?:\s(?P<rest>.*)$")
_EVENT = r"^\s*\S.{0,40}?-\d{1,10}\s+\[(?P<cpu>\d{3,4})\]\s+[.\w]{4,8}\s+\d+\.\d{6}: "
_HWLAT = Pattern(_EVENT + r"#\d+\s+inner/outer\(us\):\s*(?P<inner>\d{1,12})/(?P<outer>\d{1,12})\s.*$")
_TIMERLAT = Pattern(
    _EVENT + r"#\d+\s+context\s+(?P<context>irq|thread|user-ret)\s+timer_latency\s+(?P<ns>\d{1,15}) ns\s*$"
)
_OSNOISE = Pattern(
    _EVENT
    + r"(?P<runtime>\d{1,12})\s+(?P<noise>\d{1,12})\s+(?P<left>\d{1,3}\.\d{1,6})\s+(?P<single>\d{1,12})"
    r"(?:\s+\d{1,12}){4,6}\s*$"
)
_FRAME = re.compile(
    r"^\s*=> (?P<function>[\w.]+)(?:\+0x[0-9a-f]+(?:/0x[0-9a-f]+)?)?(?: \[(?P<module>[\w-]+)\])?\s*$"
)
_SHAPES = (_NOTE, _STEP, _HWLAT, _TIMERLAT, _OSNOISE, _FRAME)

STARTS = (r"# tracer: (?:irqsoff|preempt\w*off|wakeup|hwlat|osnoise|timerlat)",)


class _Longest(NamedTuple):
    seconds: float
    line: int


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the head of one of the tracers is at `lines[at]`."""
    return bool(_TRACER.match(lines[at]))


def continues(line: str) -> bool:
    """Return whether `line` can occur in a trace of these."""
    return any(shape.match(line) for shape in _SHAPES)


def read(text: Text) -> Reading:
    """Read the longest latency, where it began and ended, and the stack at its end."""
    trace = _Trace(text)
    for line, entry in enumerate(text.lines, start=text.first_line):
        trace.take(line, entry)
    return trace.result()


class _Trace:
    """What one trace shows."""

    def __init__(self, text: Text) -> None:
        self._reader = FactReader(text)
        self._tracer = ""
        self._longest: dict[tuple[tuple[str, str], ...], _Longest] = {}
        self._left: dict[str, list[tuple[float, int]]] = {}
        self._frames: list[PlacedFrame] = []
        self._stacks = StackBuilder()
        self._first_stack = 0

    def take(self, line: int, entry: str) -> None:
        """Take one line."""
        if frame := _FRAME.match(entry):
            module = frame["module"] or ""
            kind = "module" if module else "kernel"
            self._frames.append(PlacedFrame(Frame(frame["function"], module, kind), line))
            return
        self._end_stack()
        if entry.startswith("#"):
            self._head(line, entry)
        elif found := _HWLAT.match(entry):
            self._latency(max(float(found["inner"]), float(found["outer"])) / 1e6, line)
        elif found := _TIMERLAT.match(entry):
            self._latency(float(found["ns"]) / 1e9, line, {"context": found["context"]})
        elif found := _OSNOISE.match(entry):
            self._latency(float(found["single"]) / 1e6, line)
            self._left.setdefault(str(int(found["cpu"])), []).append((float(found["left"]), line))
        elif entry.strip() and not _STEP.match(entry):
            self._reader.skips.add("not a line of the trace", line)

    def _head(self, line: int, entry: str) -> None:
        if found := _TRACER.match(entry):
            self._tracer = found["tracer"]
        elif found := _LATENCY.match(entry):
            self._latency(float(found["us"]) / 1e6, line)
        elif found := _TASK.match(entry):
            self._reader.add("ftrace.latency.task", found["task"], line, labels=self._labels())
        elif found := _PLACE.match(entry):
            name = f"ftrace.latency.{found['which']}_at"
            self._reader.add(name, found["function"], line, labels=self._labels())

    def _labels(self) -> dict[str, str]:
        return {"tracer": self._tracer} if self._tracer else {}

    def _latency(self, seconds: float, line: int, labels: Mapping[str, str] | None = None) -> None:
        """Note a latency; the longest of each kind is a fact."""
        key = tuple(sorted((self._labels() | dict(labels or {})).items()))
        known = self._longest.get(key)
        if known is None or seconds > known.seconds:
            self._longest[key] = _Longest(seconds, line)

    def _end_stack(self) -> None:
        if self._frames:
            self._first_stack = self._first_stack or self._frames[0].line
            self._stacks.add(self._frames, line=self._frames[0].line)
            self._frames = []

    def result(self) -> Reading:
        """Return everything read."""
        self._end_stack()
        reader = self._reader
        for key, longest in self._longest.items():
            reader.add("ftrace.latency.longest_seconds", longest.seconds, longest.line, "seconds", dict(key))
        for cpu, looks in self._left.items():
            least, line = min(looks)
            share = round(1 - least / 100, 6)
            reader.add("ftrace.osnoise.most_noise_share", share, line, "share", {"cpu": cpu})
        profiles: tuple[Profile, ...] = ()
        if len(self._stacks):
            detail = "stacks at the end of latencies: they show presence, not shares"
            reader.remark("no_weights", detail, self._first_stack)
            profiles = (self._stacks.build(event="", unit="count", what="bare", has_weights=False),)
        read_out = reader.result()
        return Reading(
            profiles=profiles, facts=read_out.facts, skipped=read_out.skipped, quality=read_out.quality
        )

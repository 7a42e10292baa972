"""ftrace: `trace` of the function tracers and of events, and `trace-cmd report`.

Examples:
    # tracer: function
    # entries-in-buffer/entries-written: 620/620   #P:4
                bash-264     [000] .....   818.953178: vfs_open <-path_openat

     1)               |  vfs_write() {
     1)   4.000 us    |    rw_verify_area();
     1) + 44.560 us   |  }

              dd-307   [002]  1144.735422: funcgraph_exit:       + 22.179 us  |  }

A function's duration stands at its end. Events whose fields the library knows are rows. The head counts
entries of the ring buffer that were overwritten.
Source: Documentation/trace/ftrace.rst; kernel/trace/trace_output.c, trace_functions_graph.c.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from ingest.model.profile import Frame, Thread
from ingest.native.linear import Pattern
from ingest.parsing.event_pairs import EventPairs
from ingest.parsing.event_rows import EventRows
from ingest.parsing.fact_reader import FactReader
from ingest.parsing.profile_builder import UNNAMED, PlacedFrame, StackBuilder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "ftrace"
VERSION = 3
TITLE = "ftrace, trace-cmd report"
COMMAND = "cat /sys/kernel/tracing/trace"
EXAMPLE = (
    "# tracer: function\n#\n# entries-in-buffer/entries-written: 620/620   #P:4\n#\n"
    "            bash-264     [000] .....   818.953178: vfs_open <-path_openat"
)

MOST_NAMES = 50
"""Functions and events that are facts: those with the longest total, then the most calls."""

_TRACER = re.compile(r"^# tracer: (?!irqsoff|preempt\w*off|wakeup|hwlat|osnoise|timerlat)(?P<tracer>\w+)\s*$")
_ENTRIES = re.compile(r"^# entries-in-buffer/entries-written: (?P<kept>\d+)/(?P<written>\d+)")
_LOST = re.compile(r"^\s*CPU:\d+ \[LOST (?P<count>\d+) EVENTS\]")
_NOTE = re.compile(r"^\s*(?:#|cpus=\d+\s*$|version = \d)")
_EVENT = Pattern(
    r"^\s*(?P<comm>\S.*?)-(?P<pid>\d{1,10})\s+(?:\(\s*(?:\d+|-+)\)\s+)?\[(?P<cpu>\d{3,4})\]\s+"
    r"(?:[.\w#+-]{4,6}\s+)?(?P<at>\d+\.\d{6,9}):\s(?P<rest>.*)$"
)
_CALLED = re.compile(r"^\s*(?P<function>[\w.]+)(?: \[\S+\])?\s+<-\S+")
_NAMED = re.compile(r"^\s*(?P<event>[A-Za-z_]\w*):(?P<rest>.*)$")
_STACK = re.compile(r"^\s*(?:<stack trace>|kernel_stack:\s+<stack trace.*>)\s*$")
_FRAME = re.compile(
    r"^\s*=> (?P<function>[\w.]+)(?:\+0x[0-9a-f]+(?:/0x[0-9a-f]+)?)?(?: \[(?P<module>[\w-]+)\])?"
    r"(?: \([0-9a-f]+\))?\s*$"
)
_DURATION = r"(?:[$@*#!+]\s*)?(?:(?P<us>\d+(?:\.\d+)?)\sus)?\s*\|\s*(?P<call>.*?)\s*$"
_GRAPH = Pattern(r"^\s*(?:\d+\.\d{6,9}\s+\|\s+)?(?P<cpu>\d{1,4})\)\s+(?:\S.*?-\d{1,10}\s+\|\s+)?" + _DURATION)
_GRAPH_EVENT = Pattern(r"^\s*" + _DURATION)
_CALL = re.compile(r"^(?P<function>[\w.]+)(?: \[[\w-]+\])?\(\)(?P<end>;| \{)")
_END = re.compile(r"^\}(?: /\* (?P<function>[\w.]{1,256})(?![\w.]).*\*/)?$")
_SWITCH = re.compile(r"^\s*(?:-{20,}|\d+\)\s+\S.*? => \S.*|\d+\)\s+[=<>|-]{6,}.*)\s*$")

STARTS = (
    r"# tracer: \w",
    r"\s*\S.*-\d+\s+(?:\(\s*(?:\d+|-+)\)\s+)?\[\d{3,4}\]\s.*\d\.\d{6,9}:\s",
    r"\s*(?:\d+\.\d{6,9}\s+\|\s+)?\d+\)\s.*\|",
)


class _Open(NamedTuple):
    """A function that has not returned, and the line of its call."""

    function: str
    line: int


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the head of a tracer, an event with a name, or a call of the graph is at `lines[at]`."""
    if _TRACER.match(lines[at]):
        return True
    if found := _EVENT.match(lines[at]):
        rest = found["rest"]
        return bool(_CALLED.match(rest) or _NAMED.match(rest))
    found = _GRAPH.match(lines[at])
    return bool(found and (_CALL.match(found["call"]) or _END.match(found["call"])))


def continues(line: str) -> bool:
    """Return whether `line` can occur in a trace."""
    shapes = (_EVENT, _FRAME, _GRAPH, _NOTE, _LOST, _SWITCH)
    return any(shape.match(line) for shape in shapes)


def read(text: Text) -> Reading:
    """Read calls and durations by function, events by name, and stacks."""
    trace = _Trace(text)
    for line, entry in enumerate(text.lines, start=text.first_line):
        trace.take(line, entry)
    return trace.result()


class _Trace:
    """Counts of one trace."""

    def __init__(self, text: Text) -> None:
        """Begin at the first line of `text`."""
        self._reader = FactReader(text)
        self._calls: Counter[str] = Counter()
        self._events: Counter[str] = Counter()
        self._seconds: dict[str, float] = {}
        self._longest: dict[str, tuple[float, int]] = {}
        self._first: dict[str, int] = {}
        self._open: dict[str, list[_Open]] = {}
        self._rows = EventRows()
        self._pairs = EventPairs()
        self._stacks = StackBuilder()
        self._frames: list[PlacedFrame] = []
        self._thread = UNNAMED
        self._lost = 0
        self._lost_line = 0

    def take(self, line: int, entry: str) -> None:
        """Take one line."""
        if frame := _FRAME.match(entry):
            module = frame["module"] or ""
            kind = "module" if module else "kernel"
            self._frames.append(PlacedFrame(Frame(frame["function"], module, kind), line))
            return
        self._end_stack()
        if found := _EVENT.match(entry):
            self._event(line, found)
        elif lost := _LOST.match(entry):
            self._lost, self._lost_line = self._lost + int(lost["count"]), self._lost_line or line
            self._open.clear()
            self._pairs.lose()
        elif entries := _ENTRIES.match(entry):
            beyond = int(entries["written"]) - int(entries["kept"])
            if beyond > 0:
                self._lost, self._lost_line = self._lost + beyond, self._lost_line or line
        elif _SWITCH.match(entry):
            self._open.clear()
        elif found := _GRAPH.match(entry):
            self._graph(line, found["cpu"], found["us"], found["call"])
        elif entry.strip() and not _NOTE.match(entry):
            self._reader.skips.add("not a line of ftrace", line)

    def _event(self, line: int, found: re.Match[str]) -> None:
        rest = found["rest"]
        self._thread = Thread(found["comm"].strip(), int(found["pid"]), -1)
        if called := _CALLED.match(rest):
            self._count(self._calls, called["function"], line)
        elif _STACK.match(rest):
            return
        elif named := _NAMED.match(rest):
            event, details = named["event"], named["rest"]
            graph = _GRAPH_EVENT.match(details) if event.startswith("funcgraph_") else None
            if graph:
                self._graph(line, f"{found['pid']}", graph["us"], graph["call"])
            elif event == "function" and (name := details.split()):
                self._count(self._calls, name[0], line)
            else:
                self._count(self._events, event, line)
                self._rows.add(event, float(found["at"]), details, line, int(found["pid"]))
                self._pairs.take(event, int(found["pid"]), self._thread.comm, float(found["at"]), line)
        else:
            self._reader.skips.add("event without a name", line)

    def _graph(self, line: int, key: str, printed: str | None, call: str) -> None:
        """Take a call or a return of the function graph; `key` is the CPU or the thread it is of."""
        seconds = float(printed) * 1e-6 if printed else None
        stack = self._open.setdefault(key, [])
        if found := _CALL.match(call):
            self._count(self._calls, found["function"], line)
            if found["end"] != ";":
                stack.append(_Open(found["function"], line))
            elif seconds is not None:
                self._lasted(found["function"], seconds, line)
        elif found := _END.match(call):
            opened = stack.pop() if stack else None
            function = found["function"] or (opened.function if opened else "")
            if function and seconds is not None:
                self._lasted(function, seconds, line)
        elif not call.startswith("/*"):
            self._reader.skips.add("not a call of the function graph", line)

    def _lasted(self, function: str, seconds: float, line: int) -> None:
        self._seconds[function] = self._seconds.get(function, 0.0) + seconds
        self._longest[function] = max(self._longest.get(function, (0.0, line)), (seconds, line))

    def _count(self, counts: Counter[str], name: str, line: int) -> None:
        counts[name] += 1
        self._first.setdefault(name, line)

    def _end_stack(self) -> None:
        if self._frames:
            self._stacks.add(self._frames, line=self._frames[0].line, thread=self._thread)
            self._frames = []

    def result(self) -> Reading:
        """Return facts and stacks."""
        self._end_stack()
        add = self._reader.add
        ranked = sorted(self._calls, key=lambda name: (-self._seconds.get(name, 0.0), -self._calls[name]))
        ranked += sorted(self._longest.keys() - self._calls.keys(), key=lambda name: -self._seconds[name])
        for name in ranked[:MOST_NAMES]:
            labels = {"function": name}
            if name in self._calls:
                add("ftrace.function.calls", float(self._calls[name]), self._first[name], "count", labels)
            if name in self._longest:
                longest, line = self._longest[name]
                total = round(self._seconds[name], 9)
                add("ftrace.function.total_seconds", total, line, "seconds", labels)
                add("ftrace.function.longest_seconds", round(longest, 9), line, "seconds", labels)
        for name, count in self._events.most_common(MOST_NAMES):
            add("ftrace.events", float(count), self._first[name], "count", {"event": name})
        if self._lost:
            self._reader.remark("lost_events", f"{self._lost:,} entries were overwritten", self._lost_line)
        read = self._reader.result()
        found = replace(read, facts=(*read.facts, *self._pairs.facts()), row_sets=self._rows.result())
        if not len(self._stacks):
            return found
        return replace(
            found, profiles=(self._stacks.build(event="", unit="count", what="bare", has_weights=False),)
        )

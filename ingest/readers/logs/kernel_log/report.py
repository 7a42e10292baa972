"""The report that is open: its kind, its fields, and the traces inside it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ingest.catalogue.log_classes import UNCLASSIFIED
from ingest.catalogue.log_classes.taint import FOREIGN, letters
from ingest.model.citation import Lines
from ingest.model.reading import NO_FIELDS, LogRecord
from ingest.parsing.profile_builder import UNNAMED
from ingest.readers.logs.kernel_log import guilty, trace
from ingest.readers.logs.kernel_log.call_path import asker_of, path_from, path_of
from ingest.readers.logs.kernel_log.trace_printers import missing_class
from ingest.readers.logs.kernel_log.waits import askers, probable_path, wait_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ingest.catalogue.log_classes import LogClass
    from ingest.model.profile import Thread
    from ingest.model.reading import Cell, SkipCounter
    from ingest.native._core import LogEntry
    from ingest.readers.logs.kernel_log.prefix import Entry
    from ingest.readers.logs.kernel_log.trace import TraceFrame

CUT_HERE = "cut_here"
"""Kind of a report whose first line is the scissors; the next lines say what it is."""

OOM = frozenset({"oom_kill", "oom_invoked", "oom_task_table"})
"""Kinds of an out-of-memory report, whole or in part."""

LISTING = frozenset({"lockdep_deadlock", "suspicious_rcu", "task_stack", CUT_HERE, *OOM})
"""Kinds of reports that print other frames before their own trace."""


ALLOCATION = "page_allocation_failure"
"""Its trace begins in the allocator, which says nothing: its caller does."""

VARIABLE = "The buggy address belongs to the variable"
"""KASAN names a variable on the line below, with an offset as that of a frame."""

MOST_TRACES = 8
"""Traces of a report that are looked at for its function."""

_OF_WORKERS = frozenset({"hung_task", "soft_lockup", "hard_lockup", "rcu_stall"})
_WORK = re.compile(r"^\s*Workqueue: (?P<queue>\S+) (?P<function>\S+)")


class Trace(NamedTuple):
    """One call trace, innermost frame first, and who it is of."""

    frames: tuple[TraceFrame, ...]
    thread: Thread
    line: int


@dataclass(slots=True)
class Report:
    """The record that is open; `module_flags` are the taints of modules, as far as the log stated them."""

    kind: str
    entry: Entry
    module_flags: dict[str, str]
    log_class: LogClass | None = None
    fields: dict[str, Cell] = field(default_factory=dict)
    message: str = ""
    last_line: int = 0
    last_uptime: float | None = None
    foreign: int = 0
    thread: Thread = UNNAMED
    frames: list[TraceFrame] = field(default_factory=list)
    doubtful: list[str] = field(default_factory=list)
    pointer: TraceFrame | None = None
    has_modules: bool = False
    is_tracing: bool = False
    has_code: bool = False
    has_trace: bool = False
    has_scissors: bool = False
    is_at_variable: bool = False
    stack_modules: dict[str, str] = field(default_factory=dict)
    named: list[str] = field(default_factory=list)
    traces: list[tuple[TraceFrame, ...]] = field(default_factory=list)

    @property
    def is_oom(self) -> bool:
        """An OOM report, with or without the killed process."""
        return self.kind in OOM

    def record(self) -> LogRecord:
        """Return the record of the whole report."""
        self._name_foreign_modules()
        self._name_guilty()
        if not self.is_oom and self.pointer and (path := path_of([self.pointer.name])):
            # The trace is cut off or was never printed: only the instruction pointer is known.
            self.fields.setdefault("stack", path)
        lines = Lines(self.entry.line, self.last_line)
        return record_of(
            self.entry, self.log_class, self.fields, lines, (self.message or self.entry.text).strip()
        )

    def _name_guilty(self) -> None:
        """Name the function that the failure is named after."""
        traces = self.traces or ([(self.pointer,)] if self.pointer else [])
        found = guilty.function_of(self.kind, self.fields, self.named, traces)
        if not found:
            return
        self.fields["guilty"] = found
        if guilty.is_innermost(self.kind):
            paths = (path_from(found, [frame.name for frame in one]) for one in traces)
            self.fields["stack"] = next(filter(None, paths), self.fields.get("stack", found))

    def note_named(self, text: str) -> None:
        """Take the function that a line names besides the traces."""
        if " in " in text or "last function" in text or "corrupted in" in text:
            self.named += [name for found in guilty.NAMED.finditer(text) for name in found.groups() if name]

    def note_work(self, text: str) -> None:
        """Take the work of a worker that hangs, or keeps a CPU."""
        if self.kind in _OF_WORKERS and (found := _WORK.match(text)):
            self.fields.setdefault("work", f"{found['function']} of {found['queue']}")

    def note_task(self, thread: Thread) -> None:
        """Take the task that a trace is of; a crash is of the first."""
        self.thread = thread
        if self.log_class is not None and self.log_class.subsystem == "crash":
            self.fields.setdefault("comm", thread.comm)

    def note_taint(self, text: str) -> None:
        """Take the taint flags and the flags of modules that a line states."""
        if "ainted" in text and (found := trace.RELEASE.search(text)) and found["taint"]:
            self.fields.setdefault("taint", letters(found["taint"]))
        self.has_modules |= "Modules linked in" in text
        self.module_flags.update(trace.module_flags(text))

    def follow(self, entry: Entry, skips: SkipCounter) -> Trace | None:
        """Follow the call trace; return one that ends with this line."""
        text = entry.text
        is_variable, self.is_at_variable = self.is_at_variable, text.startswith(VARIABLE)
        if is_variable:
            return None
        if trace.START.match(text):
            leaf = self.frames[-1:] if not self.is_tracing else []
            ended = self.end_trace()
            self.frames, self.is_tracing, self.has_trace, self.has_code = leaf, True, True, False
            return ended
        self.has_code = self.has_code or text.lstrip().startswith("Code:")
        if at_rip := trace.interrupted(text, entry.line):
            # Behind `Code:` the oops repeats where it began; before it an interrupt hit this function.
            if not self.is_tracing:
                self.frames = [at_rip]
                self.pointer = self.pointer or at_rip
            elif not self.has_code:
                self.frames.append(at_rip)
            return None
        if found := trace.frames(text, entry.line):
            self.take(found, skips)
        elif self.is_tracing and not trace.is_inside(text):
            return self.end_trace()
        return None

    def take(self, found: tuple[TraceFrame, ...], skips: SkipCounter) -> None:
        """Add the frames of one line, innermost first; a line with a doubtful frame has no other."""
        if found[0].is_doubtful:
            self.doubtful.append(found[0].name)
            skips.add("doubtful frame behind `?`", found[0].line)
        elif self.is_tracing or self._begins_bare(found):
            self.is_tracing = self.has_trace = True
            last_frame = self.frames[-1].name if self.frames else ""
            is_repeated = found[0].name == last_frame and (len(found) > 1 or len(self.frames) == 1)
            self.frames.extend(found[1:] if is_repeated else found)

    def _begins_bare(self, found: tuple[TraceFrame, ...]) -> bool:
        """Return whether frames begin a trace without `Call Trace:` above them, as people cut it."""
        if self.kind == "call_trace":
            return True
        # A frame of ARM names its caller, so it is no line of a list that only looks like one.
        return not self.has_trace and (self.kind not in LISTING or len(found) > 1) and bool(found)

    def end_trace(self) -> Trace | None:
        """Return the open trace, if it has frames, and note what it shows."""
        ended = None
        if self.kind == "call_trace" and self.is_tracing:
            self._name_printer([one.name for one in self.frames] or self.doubtful)
        if self.is_tracing and self.frames:
            ended = Trace(tuple(self.frames), self.thread, self.frames[0].line)
            if len(self.traces) < MOST_TRACES:
                self.traces.append(ended.frames)
            self.fields.setdefault("leaf", self.frames[0].name)
            self._note_path()
            self.stack_modules |= {frame.module: frame.flags for frame in self.frames if frame.module}
            self._note_wait()
        elif self.is_tracing and "stack" not in self.fields and (path := probable_path(self._asking())):
            self.fields["stack"] = f"probably {path}"
        self.frames, self.doubtful, self.is_tracing = [], [], False
        return ended

    def _name_printer(self, functions: Sequence[str]) -> None:
        """Take the class of the line that is missing above the trace, where its printer is in the trace."""
        if found := missing_class(functions):
            self.kind, self.log_class = found.name, found

    def _asking(self) -> Sequence[str]:
        """Return the doubtful functions of the trace; of one that slept from what asked for it."""
        is_printed = self.log_class is not None and self.log_class.printed_by
        return askers(self.doubtful) if is_printed else self.doubtful

    def _note_path(self) -> None:
        """Say in which functions it happened, by the first trace that shows some."""
        if self.is_oom or "stack" in self.fields:
            return
        path = _path_of(tuple(frame.name for frame in self.frames))
        if self.kind == ALLOCATION:
            path = asker_of((frame.name, frame.module) for frame in self.frames) or path
        if path:
            self.fields["stack"] = path

    def _note_wait(self) -> None:
        """Say in which function a hung task waits, and what for."""
        if self.kind != "hung_task" or "place" in self.fields:
            return
        if wait := wait_of(frame.name for frame in self.frames):
            self.fields["place"] = wait.place
            if wait.waits_for:
                self.fields["waits_for"] = wait.waits_for

    def _name_foreign_modules(self) -> None:
        """Name the modules of the traces that are not of the kernel's own source."""
        failed = self.pointer.module if self.pointer else ""
        if failed:
            self.stack_modules.setdefault(failed, "")
        foreign = [
            name
            for name, flags in self.stack_modules.items()
            if FOREIGN & set(flags or self.module_flags.get(name, ""))
        ]
        if foreign:
            self.fields["out_of_tree"] = ", ".join(foreign)
        elif failed and not self.has_modules and FOREIGN & set(str(self.fields.get("taint", ""))):
            # Which modules taint the kernel is in a list that the paste lacks.
            self.fields["failed_module"] = failed


@lru_cache(maxsize=4096)
def _path_of(names: tuple[str, ...]) -> str:
    """Return the path of a trace; a dump of all tasks repeats traces."""
    return path_of(names)


def record_of(
    entry: Entry,
    log_class: LogClass | None = None,
    fields: Mapping[str, Cell] = NO_FIELDS,
    lines: Lines | None = None,
    message: str | None = None,
) -> LogRecord:
    """Return the record of one line, or of `lines`."""
    return LogRecord(
        log_class.name if log_class else UNCLASSIFIED,
        entry.text.strip() if message is None else message,
        lines or Lines(entry.line, entry.last_line),
        fields,
        entry.uptime,
        entry.at,
        entry.level,
        log_class.subsystem if log_class else "",
        log_class.severity if log_class else "",
        entry.clock,
    )


def quiet_records(run: Sequence[LogEntry]) -> list[LogRecord]:
    """Return the records of quiet lines, each of one line.

    Nine of ten lines of a log come through here, so the tuples are made without their constructors.
    """
    new = tuple.__new__
    return [
        new(
            LogRecord,
            (
                UNCLASSIFIED,
                text.strip(),
                new(Lines, (line, last)),
                NO_FIELDS,
                uptime,
                at,
                level,
                "",
                "",
                clock,
            ),
        )
        for text, line, last, uptime, at, _, _, _, level, _, _, clock in run
    ]

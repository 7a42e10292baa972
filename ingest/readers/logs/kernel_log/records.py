"""Lines to records: a multi-line report is one record, even if other lines interleave.

A report (a lockup, a hung task, an oops, an OOM) stays open while lines that belong to reports follow; a few
foreign lines in between are records of their own and do not end it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from ingest.model.citation import Lines
from ingest.model.profile import Thread
from ingest.model.reading import LogRecord
from ingest.native.linear import Pattern
from ingest.parsing.profile_builder import UNNAMED
from ingest.readers.logs.kernel_log import oom, trace
from ingest.readers.logs.kernel_log.kinds import REPORTS, classify

if TYPE_CHECKING:
    from ingest.model.reading import Cell, SkipCounter
    from ingest.readers.logs.kernel_log.kinds import Classified
    from ingest.readers.logs.kernel_log.prefix import Entry
    from ingest.readers.logs.kernel_log.trace import TraceFrame

MAX_FOREIGN = 3
"""Foreign lines in a row that end an open report."""

MAX_GAP_SECONDS = 30.0
"""A later stamp than this is not the same report."""

_CUT_HERE = re.compile(r"^-+\[ cut here \]-+$")
_END_TRACE = re.compile(r"^---\[ end ")
_BLOCKER = Pattern(
    r"(?:is|<(?:reader|writer)>) blocked on (?P<lock>an? [\w-]+) likely (?:owned|last held) "
    r"by task (?P<comm>.+):(?P<pid>\d+)"
)
_RCU_CPU = re.compile(r"^(?:rcu:)?\s*(?P<cpu>\d+)-[.!O?]+:")
_RCU_JIFFIES = re.compile(r"\(?(?:detected by (?P<by>\d+), )?t=(?P<jiffies>\d+) jiffies")
_WORKERS = re.compile(r"\b(in-flight|pending|delayed|inactive): (.*)$")


class Trace(NamedTuple):
    """One call trace, innermost frame first, and who it is of."""

    frames: tuple[TraceFrame, ...]
    thread: Thread
    line: int


@dataclass(slots=True)
class Report:
    """The record that is open."""

    kind: str
    entry: Entry
    fields: dict[str, Cell] = field(default_factory=dict)
    message: str = ""
    last_line: int = 0
    last_uptime: float | None = None
    foreign: int = 0
    thread: Thread = UNNAMED
    frames: list[TraceFrame] = field(default_factory=list)
    is_tracing: bool = False
    has_code: bool = False
    has_trace: bool = False

    @property
    def is_oom(self) -> bool:
        """An OOM report, with or without the killed process."""
        return self.kind.startswith("oom_")


class Recorder:
    """Takes entries in order; `records`, `traces` and `tasks` are the results."""

    def __init__(self, skips: SkipCounter) -> None:
        """Count doubtful frames in `skips`."""
        self.records: list[LogRecord] = []
        self.traces: list[Trace] = []
        self.tasks: list[tuple[tuple[str, ...], tuple[Cell, ...], int]] = []
        self._skips = skips
        self._open: Report | None = None
        self._table: tuple[str, ...] = ()

    def feed(self, entry: Entry) -> None:
        """Take one line."""
        self._end_when_late(entry)
        found = classify(entry.text)
        report = self._open
        if report is None:
            self._start(entry, found)
        elif found is None:
            self._inside(report, entry)
        elif report.is_oom and found.kind.startswith("oom_"):
            self._oom(report, entry, found)
        elif self._goes_on(report, entry, found):
            self._adopt(report, entry, found)
        elif found.kind in REPORTS or found.kind.startswith("oom_"):
            self.close()
            self._start(entry, found)
        else:
            self._single(entry, found.kind, dict(found.fields))

    @property
    def unfinished_oom(self) -> Report | None:
        """The open OOM report without a kill."""
        report = self._open
        return report if report and report.kind in {"oom_invoked", "oom_task_table"} else None

    def close(self) -> None:
        """End the open report."""
        report, self._open = self._open, None
        if report is None:
            return
        self._end_trace(report)
        kind = "other" if report.kind == "cut_here" else report.kind
        lines = Lines(report.entry.line, report.last_line)
        message = report.message or report.entry.text
        self.records.append(
            LogRecord(kind, message, lines, report.fields, report.entry.uptime, report.entry.at)
        )

    def _end_when_late(self, entry: Entry) -> None:
        report = self._open
        if not report or entry.uptime is None or report.last_uptime is None:
            return
        if not -1 <= entry.uptime - report.last_uptime <= MAX_GAP_SECONDS:
            self.close()

    def _single(self, entry: Entry, kind: str, fields: dict[str, Cell]) -> None:
        lines = Lines(entry.line, entry.last_line)
        self.records.append(LogRecord(kind, entry.text.strip(), lines, fields, entry.uptime, entry.at))

    def _start(self, entry: Entry, found: Classified | None) -> None:
        """Open a report, or take the line as a record of its own."""
        kind, fields = (found.kind, dict(found.fields)) if found else ("other", {})
        starts_trace = bool(trace.WHO.search(entry.text) or trace.frames(entry.text, 0))
        if found is None and (starts_trace or _CUT_HERE.match(entry.text)):
            kind = "call_trace" if starts_trace else "cut_here"
        if kind.startswith("oom_"):
            fields = oom.fields(entry.text) | ({} if kind == "oom_kill" else fields)
        elif kind not in REPORTS and kind != "cut_here":
            self._single(entry, kind, fields)
            return
        if kind == "rcu_stall":
            fields["is_self"] = "yes" if "self-detected" in entry.text else "no"
        self._open = report = Report(kind, entry, fields, last_line=entry.last_line, last_uptime=entry.uptime)
        if isinstance(fields.get("pid"), float) and not report.is_oom:
            report.thread = Thread(str(fields.get("comm", "")), int(float(str(fields["pid"]))), -1)
        self._absorb(report, entry)
        if kind == "oom_kill" and oom.is_killed(entry.text):
            self.close()

    def _goes_on(self, report: Report, entry: Entry, found: Classified) -> bool:
        """Return whether a line that could open a report belongs to the open one."""
        if found.kind == "call_trace":
            return True
        if report.kind == "cut_here":
            return found.kind in {"warn", "oops"}
        is_untraced_oops = report.kind == "oops" and found.kind == "oops" and not report.has_trace
        is_rcu_thread = report.kind == found.kind == "rcu_stall" and " kthread " in entry.text
        return is_untraced_oops or is_rcu_thread

    def _adopt(self, report: Report, entry: Entry, found: Classified) -> None:
        """Take a line that classifies by itself into the open report."""
        if report.kind == "cut_here":
            report.kind, report.message = found.kind, entry.text
            report.fields |= found.fields
        self._absorb(report, entry)

    def _oom(self, report: Report, entry: Entry, found: Classified) -> None:
        """Take a line of an OOM report; `Killed process` ends it, another `invoked` starts the next."""
        is_next = found.kind == "oom_invoked" and "invoked oom-killer" in entry.text
        if is_next or (oom.is_summary(entry.text) and report.kind == "oom_kill"):
            self.close()
            self._start(entry, found)
            return
        if found.kind == "oom_kill":
            report.kind = "oom_kill"
        report.fields |= oom.fields(entry.text)
        self._absorb(report, entry)
        if oom.is_killed(entry.text):
            self.close()

    def _inside(self, report: Report, entry: Entry) -> None:
        """Take an unclassified line into the open report when it belongs there."""
        text = entry.text
        belongs = bool(trace.BODY.match(text)) or bool(trace.frames(text, 0))
        if report.is_oom:
            belongs = belongs or bool(oom.BODY.match(text))
            report.fields |= oom.fields(text)
        if belongs:
            self._absorb(report, entry)
            if _END_TRACE.match(text):
                self.close()
            return
        report.foreign += 1
        if report.foreign > MAX_FOREIGN:
            self.close()
        if _CUT_HERE.match(text) or trace.WHO.search(text):
            self.close()
            self._start(entry, None)
        else:
            self._single(entry, "other", {})

    def _absorb(self, report: Report, entry: Entry) -> None:
        """Add a line to the open report: frames, who ran, fields of its kind."""
        text = entry.text
        report.last_line, report.foreign = entry.last_line, 0
        report.last_uptime = entry.uptime if entry.uptime is not None else report.last_uptime
        if who := trace.WHO.search(text) or trace.TASK.match(text):
            self._end_trace(report)
            report.thread = Thread(who["comm"], int(who["pid"]), -1)
        self._trace(report, entry)
        if report.is_oom:
            self._task(text, entry.line)
        elif report.kind == "hung_task" and (found := _BLOCKER.search(text)):
            report.fields |= {
                "blocker": found["comm"],
                "blocker_pid": float(found["pid"]),
                "lock": found["lock"],
            }
        elif report.kind == "rcu_stall":
            if found := _RCU_CPU.match(text):
                report.fields.setdefault("cpu", float(found["cpu"]))
            if found := _RCU_JIFFIES.search(text):
                report.fields.setdefault("jiffies", float(found["jiffies"]))
        elif report.kind == "workqueue_lockup" and (found := _WORKERS.search(text)):
            name = found[1].replace("-", "_")
            existing = report.fields.get(name)
            report.fields[name] = f"{existing}, {found[2]}" if existing else found[2]

    def _trace(self, report: Report, entry: Entry) -> None:
        """Follow a call trace."""
        if trace.START.match(entry.text):
            leaf = report.frames[-1:] if not report.is_tracing else []
            self._end_trace(report)
            report.frames, report.is_tracing, report.has_trace = leaf, True, True
            report.has_code = False
            return
        report.has_code = report.has_code or entry.text.lstrip().startswith("Code:")
        if at_rip := trace.interrupted(entry.text, entry.line):
            # Behind `Code:` the oops repeats where it began; before it an interrupt hit this function.
            if not report.is_tracing:
                report.frames = [at_rip]
            elif not report.has_code:
                report.frames.append(at_rip)
            return
        found = trace.frames(entry.text, entry.line)
        doubtful = [frame for frame in found if frame.is_doubtful]
        if doubtful:
            self._skips.add("doubtful frame behind `?`", entry.line, len(doubtful))
        elif found and (report.is_tracing or report.kind == "call_trace"):
            report.is_tracing = report.has_trace = True
            last_frame = report.frames[-1].name if report.frames else ""
            is_repeated = found[0].name == last_frame and (len(found) > 1 or len(report.frames) == 1)
            report.frames.extend(found[1:] if is_repeated else found)
        elif not found and report.is_tracing and not trace.is_inside(entry.text):
            self._end_trace(report)

    def _end_trace(self, report: Report) -> None:
        """Keep the open trace, if it has frames."""
        if report.is_tracing and report.frames:
            self.traces.append(Trace(tuple(report.frames), report.thread, report.frames[0].line))
            report.fields.setdefault("leaf", report.frames[0].name)
        report.frames, report.is_tracing = [], False

    def _task(self, text: str, line: int) -> None:
        """Read the head or a row of the task table."""
        if head := oom.TABLE_HEAD.match(text):
            self._table = oom.columns(head)
        elif self._table and (found := oom.TABLE_ROW.match(text)):
            row = oom.row(found, self._table)
            if row is None:
                self._skips.add("row that does not fit the OOM task table", line)
            else:
                self.tasks.append((self._table, row, line))

"""Lines to records: a multi-line report is one record, even if other lines interleave.

A report (a lockup, a hung task, an oops, an OOM) stays open while lines that belong to reports follow; a few
foreign lines in between are records of their own and do not end it.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from ingest.catalogue.log_classes import UNCLASSIFIED, classes_by_name
from ingest.model.profile import Thread
from ingest.model.reading import NO_FIELDS
from ingest.readers.logs.kernel_log import oom, oom_memory, same_report, stall, trace
from ingest.readers.logs.kernel_log.classes import Classified, classified, classify
from ingest.readers.logs.kernel_log.prefix import Entry
from ingest.readers.logs.kernel_log.report import ALLOCATION, CUT_HERE, OOM, Report, quiet_records, record_of
from ingest.readers.logs.kernel_log.trace import TraceFrame

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Cell, LogRecord, SkipCounter
    from ingest.native._core import LogEntry
    from ingest.readers.logs.kernel_log.report import Trace

MAX_FOREIGN = 3
"""Foreign lines in a row that end an open report with a trace."""

MAX_FOREIGN_BEFORE = 24
"""Foreign lines in a row that end an open report whose trace is still to come."""

MAX_GAP_SECONDS = 30.0
"""A later stamp than this is not the same report."""

MOST_UNCLASSIFIED = 200_000
"""Records of no class that are kept of one log."""

MOST_OF_A_CLASS = 50_000
"""Records of one class, and call traces, that are kept of one log."""

_CUT_HERE = re.compile(r"^-+\[ cut here \]-+$")
NOTABLE = (_CUT_HERE.pattern,)
"""What begins a report though it is of no class; `trace.NOTABLE` has the rest."""

_TIMEOUT = "hung_task_timeout_secs"
"""In the line that hung_task prints above the state of the task."""

_END_TRACE = re.compile(r"^---\[ end ")


class Recorder:
    """Takes entries in order; `records`, `traces` and `tasks` are the results."""

    def __init__(self, skips: SkipCounter) -> None:
        """Count doubtful frames in `skips`."""
        self.records: list[LogRecord] = []
        self.traces: list[Trace] = []
        self.tasks: list[tuple[tuple[str, ...], tuple[Cell, ...], int]] = []
        self._skips = skips
        self._open: Report | None = None
        self._asked: Entry | None = None
        self._table: tuple[str, ...] = ()
        self._module_flags: dict[str, str] = {}
        self._counts: Counter[str] = Counter()

    def feed(self, entry: Entry, frame: TraceFrame | None = None) -> None:
        """Take one line, which may be the `frame` of a trace and nothing else."""
        if entry.is_quiet and self._open is None:
            self._record(record_of(entry))
            return
        self._end_when_late(entry)
        report = self._open
        if frame and report is not None and not report.is_oom:
            report.last_line, report.foreign = entry.last_line, 0
            report.last_uptime = entry.uptime if entry.uptime is not None else report.last_uptime
            report.take((TraceFrame(frame.name, frame.module, entry.line, frame.is_doubtful),), self._skips)
            return
        found = classified(entry) or _indented(entry)
        if report is None:
            self._start(entry, found)
        elif found is None or same_report.is_inside(report, found):
            self._inside(report, entry)
        elif report.is_oom and found.kind in OOM:
            self._oom(report, entry, found)
        elif same_report.goes_on(report, entry, found):
            self._adopt(report, entry, found)
        elif same_report.is_panic_of(report, found):
            self._single(entry, found)
            self._absorb(report, entry)
        elif found.log_class.is_report or found.kind in OOM:
            self.close()
            self._start(entry, found)
        else:
            self._single(entry, found)

    def feed_quiet(self, run: Sequence[LogEntry]) -> None:
        """Take lines that are records and nothing else, unless a report is open, to which they may belong."""
        for at, row in enumerate(run):
            if self._open is None:
                self._keep_quiet(run[at:])
                return
            self.feed(Entry._make(row))

    def _keep_quiet(self, run: Sequence[LogEntry]) -> None:
        before = self._counts[UNCLASSIFIED]
        self._counts[UNCLASSIFIED] += len(run)
        kept = run[: max(0, MOST_UNCLASSIFIED - before)]
        self.records += quiet_records(kept)
        if len(kept) < len(run):
            self._skip(UNCLASSIFIED, MOST_UNCLASSIFIED, run[len(kept)][1], len(run) - len(kept))

    @property
    def unfinished_oom(self) -> Report | None:
        """The open OOM report without a kill."""
        report = self._open
        return report if report and report.kind in {"oom_invoked", "oom_task_table"} else None

    def close(self) -> None:
        """End the open report."""
        report, self._open = self._open, None
        if report is not None:
            self._keep(report.end_trace())
            self._record(report.record())

    def _record(self, record: LogRecord) -> None:
        """Keep a record, or count it when there are too many of its class."""
        self._counts[record.kind] += 1
        most = MOST_OF_A_CLASS if record.subsystem else MOST_UNCLASSIFIED
        if self._counts[record.kind] <= most:
            self.records.append(record)
        else:
            self._skip(record.kind, most, record.lines.first)

    def _skip(self, kind: str, most: int, line: int, count: int = 1) -> None:
        self._skips.add(f"record of {kind} beyond the first {most:,}", line, count)

    def _keep(self, ended: Trace | None) -> None:
        if ended is None:
            return
        if len(self.traces) < MOST_OF_A_CLASS:
            self.traces.append(ended)
        else:
            self._skips.add(f"call trace beyond the first {MOST_OF_A_CLASS:,}", ended.line)

    def _end_when_late(self, entry: Entry) -> None:
        report = self._open
        if not report or entry.uptime is None or report.last_uptime is None:
            return
        if not -1 <= entry.uptime - report.last_uptime <= MAX_GAP_SECONDS:
            self.close()

    def _single(self, entry: Entry, found: Classified | None) -> None:
        log_class, fields = found or (None, NO_FIELDS)
        if found and found.kind == "sysrq":
            self._asked = entry
        if found and found.kind == "module_taint" and "out-of-tree" in entry.text:
            self._module_flags.setdefault(str(fields["module"]), "O")
        self._record(record_of(entry, log_class, fields))

    def _start(self, entry: Entry, found: Classified | None) -> None:
        """Open a report, or take the line as a record of its own."""
        has_scissors = False
        if found is None:
            if trace.who(entry.text) or trace.frames(entry.text, 0):
                found = Classified(classes_by_name()["call_trace"], {})
            else:
                has_scissors = bool(_CUT_HERE.match(entry.text))
        if not has_scissors and (found is None or not (found.log_class.is_report or found.kind in OOM)):
            self._single(entry, found)
            return
        kind = found.kind if found else CUT_HERE
        report = Report(kind, entry, self._module_flags, has_scissors=has_scissors)
        if found and found.kind == "call_trace" and self._is_asked_for(entry):
            found = Classified(classes_by_name()["task_stack"], found.fields)
            report.kind = found.kind
        if found and found.kind == "task_stack" and self.records and _TIMEOUT in self.records[-1].message:
            # The first line of the report is cut off.
            found = Classified(classes_by_name()["hung_task"], found.fields)
            report.kind = found.kind
        if found:
            report.log_class, report.fields = found
        if report.is_oom:
            report.fields = {} if report.kind == "oom_kill" else report.fields
            self._note_oom(report, entry)
        elif report.kind == "rcu_stall":
            report.fields["is_self"] = "yes" if "self-detected" in entry.text else "no"
        report.last_line, report.last_uptime = entry.last_line, entry.uptime
        if isinstance(pid := report.fields.get("pid"), float) and not report.is_oom:
            report.thread = Thread(str(report.fields.get("comm", "")), int(pid), -1)
        self._open = report
        self._absorb(report, entry)
        if report.kind == "oom_kill" and oom.is_killed(entry.text):
            self.close()

    def _is_asked_for(self, entry: Entry) -> bool:
        """Return whether a stack is of the dump that sysrq printed last."""
        if self._asked is None:
            return False
        if entry.uptime is None or self._asked.uptime is None:
            return True
        return 0 <= entry.uptime - self._asked.uptime <= MAX_GAP_SECONDS

    def _adopt(self, report: Report, entry: Entry, found: Classified) -> None:
        """Take a line that classifies by itself into the open report."""
        if report.kind == CUT_HERE or same_report.is_told_later(report, found):
            report.kind, report.message, report.log_class = found.kind, entry.text, found.log_class
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
            report.kind, report.log_class = found.kind, found.log_class
        self._note_oom(report, entry)
        self._absorb(report, entry)
        if oom.is_killed(entry.text):
            self.close()

    def _note_oom(self, report: Report, entry: Entry) -> None:
        """Take what a line of an OOM report states, and keep the lines that decide it."""
        stated = oom.deciding(report.fields, entry.text, entry.line)
        report.fields |= oom.fields(entry.text) | stated
        if "killed_line" in stated and oom.is_fragment(report.entry.text):
            # The beginning is cut off: the first line is one of its counters, which says nothing alone.
            report.message = entry.text.strip()

    def _inside(self, report: Report, entry: Entry) -> None:
        """Take an unclassified line into the open report when it belongs there."""
        text = entry.text
        belongs = bool(trace.BODY.match(text)) or bool(trace.frames(text, 0))
        if report.is_oom:
            belongs = belongs or bool(oom.BODY.match(text))
            self._note_oom(report, entry)
            report.fields |= oom_memory.fields(report.fields, text)
        if belongs:
            self._absorb(report, entry)
            if _END_TRACE.match(text):
                self.close()
            return
        if report.kind == CUT_HERE and "reason" not in report.fields and not _CUT_HERE.match(text):
            # WARN(…, format) and BUG print their text between the scissors and the line that says where.
            report.fields["reason"] = text.strip()
            self._absorb(report, entry)
            return
        report.foreign += 1
        if report.foreign > (MAX_FOREIGN if report.has_trace else MAX_FOREIGN_BEFORE):
            self.close()
        if _CUT_HERE.match(text) or trace.who(text):
            self.close()
            self._start(entry, None)
        else:
            self._single(entry, None)

    def _absorb(self, report: Report, entry: Entry) -> None:
        """Add a line to the open report: frames, who ran, fields of its kind."""
        text = entry.text
        report.last_line, report.foreign = entry.last_line, 0
        report.last_uptime = entry.uptime if entry.uptime is not None else report.last_uptime
        if who := trace.who(text) or trace.TASK.match(text):
            self._keep(report.end_trace())
            report.note_task(Thread(who["comm"], int(who["pid"]), -1))
        report.note_taint(text)
        report.note_named(text)
        report.note_work(text)
        self._keep(report.follow(entry, self._skips))
        if report.is_oom:
            self._task(text, entry.line)
        else:
            stall.add(report.fields, report.kind, text)
            if report.kind == ALLOCATION:
                report.fields |= oom_memory.cma_share(text)

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


def _indented(entry: Entry) -> Classified | None:
    """Return the class of an indented line of a log without stamps; of stamped logs blanks mean something."""
    is_indented = not entry.has_prefix and entry.text.startswith(" ")
    return classify(entry.text.lstrip(" ")) if is_indented else None

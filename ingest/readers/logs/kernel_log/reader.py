"""One pass over the lines of a kernel log."""

from __future__ import annotations

import re
from functools import lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from ingest.containers.text_decoding import lines_of
from ingest.model.citation import Lines
from ingest.model.facts import Fact
from ingest.model.profile import Frame
from ingest.model.reading import Quality, Reading, RowSet, SkipCounter
from ingest.parsing.profile_builder import PlacedFrame, StackBuilder
from ingest.readers.logs.kernel_log import journal_fields, json_log, machine_facts, prefix, trace
from ingest.readers.logs.kernel_log.entries import Entries
from ingest.readers.logs.kernel_log.events import with_events
from ingest.readers.logs.kernel_log.prefix import Entry
from ingest.readers.logs.kernel_log.records import Recorder
from ingest.readers.logs.kernel_log.task_dump import TaskDump

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ingest.model.profile import Profile
    from ingest.model.reading import Cell
    from ingest.native._core import LogEntry

_LINE: Final = 1
_UPTIME: Final = 3
_HOST: Final = 5
_IS_KERNEL: Final = 6
_IS_QUIET: Final = 9
_CUT_STAMP = re.compile(r"^(?:<\d*>?|<\d+>)?\[\s*\d+(?:\.\d*)?$")
_CUT_FRAME = re.compile(r"[\w.]\+0?x?[0-9a-f]*(?:/0?x?)?$")


@lru_cache(maxsize=65_536)
def _frame(name: str, module: str) -> Frame:
    return Frame(name, module, "module" if module else "kernel")


class Reader:
    """Reads the lines of one section in order."""

    def __init__(self, first_line: int) -> None:
        """Begin at line `first_line`; call `finish` once."""
        self._next_line = first_line
        self._last_text, self._last_line = "", first_line
        self._entries: Entries | json_log.Entries | journal_fields.Entries | None = None
        self._skips = SkipCounter()
        self._recorder = Recorder(self._skips)
        self._task_dump = TaskDump()
        self._quality: list[Quality] = []
        self._facts: dict[tuple[str, float | str], Fact] = {}
        self._uptimes: list[tuple[float, int]] = []
        self._hosts: dict[str, int] = {}
        self._boots: list[int] = []

    def feed(self, text: bytes) -> None:
        """Read more whole lines."""
        self.feed_lines(lines_of(text))

    def feed_lines(self, lines: Sequence[str]) -> None:
        """Read more lines."""
        if not lines:
            return
        if self._entries is None:
            self._entries = self._entries_of(lines)
        self._take(self._entries.feed(lines, self._next_line))
        self._next_line += len(lines)
        self._last_text, self._last_line = lines[-1], self._next_line - 1

    def begin_output(self, first_line: int, *, goes_on: bool) -> None:
        """Turn to line `first_line`, where another command prints the log.

        Lines of the log are missing between the outputs unless it `goes_on`.
        """
        self._next_line = first_line
        if self._entries is None or goes_on:
            return
        self._take(self._entries.finish())
        self._entries = None
        if not any(remark.name == "cut_off" for remark in self._quality):
            self._note_cut()
        self._recorder.close()
        self._task_dump.end()

    def _entries_of(self, head: Sequence[str]) -> Entries | json_log.Entries | journal_fields.Entries:
        """Return what takes records out of lines that begin so."""
        first = range(min(len(head), 3))
        if any(json_log.begins(head, at) for at in first):
            return json_log.Entries(self._skips)
        if any(journal_fields.begins(head, at) for at in first):
            return journal_fields.Entries(self._skips)
        return Entries(head, self._skips)

    def _take(self, entries: Iterable[Entry | Sequence[LogEntry]]) -> None:
        for one in entries:
            if isinstance(one, Entry):
                self._take_entry(one)
            else:
                self._take_run(one)

    def _take_run(self, run: Sequence[LogEntry]) -> None:
        """Take lines of a common form, the quiet ones of them at once."""
        loud = [at for at, row in enumerate(run) if not row[_IS_QUIET]]
        start = 0
        for at in loud:
            self._take_quiet(run[start:at])
            self._take_entry(Entry._make(run[at]))
            start = at + 1
        self._take_quiet(run[start:])

    def _take_quiet(self, run: Sequence[LogEntry]) -> None:
        """Take lines that are records and nothing else, or another program's."""
        for host in {row[_HOST] for row in run}.difference(self._hosts, ("",)):
            self._hosts[host] = next(row[_LINE] for row in run if row[_HOST] == host)
        stamped = [(row[_UPTIME], row[_LINE]) for row in run if row[_UPTIME] is not None]
        # The first stamp, the least and the greatest; of equal ones the lines decide.
        for uptime, line in (stamped[0], min(stamped), max(stamped)) if stamped else ():
            self._note_uptime(uptime, line)
        kernel = [row for row in run if row[_IS_KERNEL]]
        if len(kernel) < len(run):
            first = next(row[_LINE] for row in run if not row[_IS_KERNEL])
            self._skips.add("line of another program", first, len(run) - len(kernel))
        if kernel:
            self._recorder.feed_quiet(kernel)
            self._task_dump.note_foreign(len(kernel))

    def _take_entry(self, entry: Entry) -> None:
        if entry.uptime is not None:
            self._note_uptime(entry.uptime, entry.line)
        if entry.host:
            self._hosts.setdefault(entry.host, entry.line)
        if not entry.is_kernel:
            self._skips.add("line of another program", entry.line)
        elif entry.is_quiet:
            self._recorder.feed(entry)
            self._task_dump.note_foreign()
        elif frame := trace.plain(entry.text):
            self._recorder.feed(entry, frame)
            self._task_dump.note_frame(entry)
        elif entry.text.strip():
            self._state(entry)
            self._recorder.feed(entry)
            self._task_dump.feed(entry)

    def _note_uptime(self, uptime: float, line: int) -> None:
        """Keep the first stamp of the log, the least and the greatest."""
        stamp = (uptime, line)
        if not self._uptimes:
            self._uptimes = [stamp] * 3
        elif uptime < self._uptimes[1][0]:
            self._uptimes[1] = stamp
        elif uptime >= self._uptimes[2][0]:
            self._uptimes[2] = stamp

    def finish(self) -> Reading:
        """Return everything read."""
        if self._entries is not None:
            self._take(self._entries.finish())
        self._note_cut()
        self._note_mixed()
        if isinstance(self._entries, Entries) and self._entries.untimed:
            detail = "the prefix of this line states no known time: lines have an order, and no distance"
            self._quality.append(Quality("no_times", detail, self._entries.untimed))
        self._recorder.close()
        profiles = self._profiles()
        return Reading(
            profiles=profiles,
            facts=(*self._facts.values(), *self._log_facts()),
            log_records=with_events(sorted(self._recorder.records, key=attrgetter("lines"))),
            row_sets=(*self._tasks(), *self._task_dump.row_sets()),
            skipped=self._skips.result(),
            quality=tuple(self._quality),
        )

    def _state(self, entry: Entry) -> None:
        """Record facts about the machine, each value at its first line."""
        for name, value, unit in machine_facts.stated(entry.text):
            if name == "kernel.build_text":
                self._boots.append(entry.line)
            self._fact(name, value, entry.line, unit)
        if entry.uptime is not None and entry.text.startswith(machine_facts.RANDOM_READY):
            self._fact("log.random_ready_seconds", entry.uptime, entry.line, "seconds")

    def _fact(self, name: str, value: float | str, line: int, unit: str = "") -> None:
        self._facts.setdefault((name, value), Fact(name, value, Lines.at(line), unit))

    def _log_facts(self) -> Iterator[Fact]:
        """Yield the time the log spans, and its host when it is one."""
        if self._uptimes:
            for name, (uptime, line) in zip(("first", "last"), self._uptimes[1:], strict=True):
                yield Fact(f"log.{name}_uptime_seconds", uptime, Lines.at(line), "seconds")
        if len(self._hosts) == 1:
            host, line = next(iter(self._hosts.items()))
            yield Fact("host.name", host, Lines.at(line))

    def _note_mixed(self) -> None:
        """Add a quality remark if the log mixes hosts or boots."""
        if len(self._hosts) > 1:
            names = sorted(self._hosts, key=self._hosts.__getitem__)
            shown = ", ".join(names[:3]) + (" and more" if len(names) > 3 else "")
            self._quality.append(Quality("mixed_hosts", f"lines of {shown}", self._hosts[names[1]]))
        restarts = [
            line for line in self._boots if self._uptimes and line > min(self._uptimes[0][1], self._boots[0])
        ]
        if restarts:
            detail = (
                "the kernel starts here: what stands above is of an earlier boot, or the log stands twice"
            )
            self._quality.append(Quality("mixed_boots", detail, restarts[0]))

    def _note_cut(self) -> None:
        """Say when the log stops in the middle of something."""
        if report := self._recorder.unfinished_oom:
            detail = "the OOM report ends before it says who was killed"
            self._quality.append(Quality("cut_off", detail, report.last_line))
        last = self._last_text
        is_cut = bool(_CUT_STAMP.match(last)) or bool(_CUT_FRAME.search(last) and not trace.frames(last, 0))
        if is_cut and (prefix.is_stamped(last) or _CUT_STAMP.match(last)):
            self._quality.append(Quality("cut_off", "the last line is not finished", self._last_line))

    def _profiles(self) -> tuple[Profile, ...]:
        """Return the call traces as one profile without weights."""
        builder = StackBuilder()
        for one in self._recorder.traces:
            frames_of = [PlacedFrame(_frame(frame.name, frame.module), frame.line) for frame in one.frames]
            builder.add(frames_of, line=one.line, thread=one.thread)
        if not len(builder):
            return ()
        count = len(builder)
        noun = "one call trace" if count == 1 else f"{count} call traces"
        line = self._recorder.traces[0].line
        self._quality.append(Quality("no_weights", f"{noun}: shows presence, not shares", line))
        return (builder.build(event="", unit="count", what="bare", has_weights=False),)

    def _tasks(self) -> tuple[RowSet, ...]:
        """Return the rows of OOM task tables, one set for each head."""
        sets: dict[tuple[str, ...], list[tuple[tuple[Cell, ...], int]]] = {}
        for columns, row, line in self._recorder.tasks:
            sets.setdefault(columns, []).append((row, line))
        return tuple(
            RowSet.of_rows(
                "oom_task_table", columns, tuple(row for row, _ in rows), tuple(line for _, line in rows)
            )
            for columns, rows in sets.items()
        )

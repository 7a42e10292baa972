"""One pass over the lines of a kernel log."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.model.citation import Lines
from ingest.model.facts import Fact
from ingest.model.profile import Frame
from ingest.model.reading import Quality, Reading, RowSet, SkipCounter
from ingest.parsing.profile_builder import PlacedFrame, StackBuilder
from ingest.readers.logs.kernel_log import json_log, prefix, trace
from ingest.readers.logs.kernel_log.classes import is_unmistakable
from ingest.readers.logs.kernel_log.records import Recorder
from ingest.readers.logs.kernel_log.task_dump import TaskDump

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.model.profile import Profile
    from ingest.model.reading import Cell
    from ingest.model.section import Text
    from ingest.readers.logs.kernel_log.prefix import Entry

WRAPPED_LENGTH = 60
"""A line shorter than this was not wrapped by a terminal or mailer."""

_TERMINAL_WIDTHS = frozenset({80, 100, 120, 132, 140, 160, 200})
_BUILD = re.compile(r"^Linux version (?P<release>\S+) ")
_CMDLINE = re.compile(r"^(?:Kernel command line|Command line): (?P<cmdline>.+)$")
_BROUGHT_UP = re.compile(r"^smp: Brought up \d+ nodes?, (?P<online>\d+) CPUs?")
_ALLOWING = re.compile(r"^(?:smpboot: )?Allowing (?P<possible>\d+) (?:present )?CPUs")
_STATING = ("Linux version ", "Kernel command line", "Command line", "smp: ", "smpboot: ", "Allowing ")
"""How lines that state facts about the machine begin; most lines do not."""

_CUT_STAMP = re.compile(r"^(?:<\d*>?|<\d+>)?\[\s*\d+(?:\.\d*)?$")
_CUT_FRAME = re.compile(r"[\w.]\+0?x?[0-9a-f]*(?:/0?x?)?$")


def _indent_of(lines: Sequence[str]) -> str:
    """Return the blanks before the first line: pasted logs are indented as a whole."""
    first = next((line for line in lines if line.strip()), "")
    return first[: len(first) - len(first.lstrip(" "))]


class Reader:
    """Reads the lines of one section in order."""

    def __init__(self, text: Text) -> None:
        """Read `text`; call `result` once."""
        self._text = text
        self._skips = SkipCounter()
        self._recorder = Recorder(self._skips)
        self._task_dump = TaskDump()
        self._quality: list[Quality] = []
        self._facts: dict[tuple[str, float | str], Fact] = {}
        self._uptimes: list[tuple[float, int]] = []
        self._hosts: dict[str, int] = {}
        self._boots: list[int] = []

    def result(self) -> Reading:
        """Read everything."""
        for entry in self._entries():
            if entry.uptime is not None:
                self._uptimes.append((entry.uptime, entry.line))
            if entry.host:
                self._hosts.setdefault(entry.host, entry.line)
            if not entry.is_kernel:
                self._skips.add("line of another program", entry.line)
            elif entry.text.strip():
                self._state(entry)
                self._recorder.feed(entry)
                self._task_dump.feed(entry)
        self._note_cut()
        self._note_mixed()
        self._recorder.close()
        profiles = self._profiles()
        return Reading(
            profiles=profiles,
            facts=(*self._facts.values(), *self._log_facts()),
            log_records=tuple(sorted(self._recorder.records, key=lambda record: record.lines)),
            row_sets=(*self._tasks(), *self._task_dump.row_sets()),
            skipped=self._skips.result(),
            quality=tuple(self._quality),
        )

    def _entries(self) -> Iterator[Entry]:
        """Yield the entries, wrapped lines joined."""
        lines = self._text.lines
        if any(json_log.begins(lines, at) for at in range(min(len(lines), 3))):
            yield from json_log.entries(lines, self._text.first_line, self._skips)
            return
        has_prefixes = any(prefix.is_stamped(line) for line in lines)
        indent = "" if has_prefixes else _indent_of(lines)
        open_entry: prefix.Entry | None = None
        width = 0
        for number, line in enumerate(lines, start=self._text.first_line):
            found = prefix.entry(line.removeprefix(indent), number)
            if found.has_prefix or not has_prefixes or open_entry is None or is_unmistakable(line):
                pass
            elif not line.strip():
                continue
            elif line[0].isspace() or trace.BODY.match(line):
                found = found._replace(uptime=open_entry.uptime, at=open_entry.at, level=open_entry.level)
            elif width >= WRAPPED_LENGTH:
                glue = "" if width in _TERMINAL_WIDTHS or open_entry.text.endswith(" ") else " "
                open_entry = open_entry._replace(text=open_entry.text + glue + line, last_line=number)
                width = len(line)
                continue
            else:
                self._skips.add("not a log line", number)
                continue
            if open_entry is not None:
                yield open_entry
            open_entry, width = found, len(line)
        if open_entry is not None:
            yield open_entry

    def _state(self, entry: Entry) -> None:
        """Record facts about the machine, each value at its first line."""
        text = entry.text
        if "ainted" in text and (found := trace.RELEASE.search(text)):
            self._fact("kernel.release", found["release"], entry.line)
        elif not text.startswith(_STATING):
            return
        elif found := _BUILD.match(text):
            self._boots.append(entry.line)
            self._fact("kernel.release", found["release"], entry.line)
            self._fact("kernel.build_text", text, entry.line)
        elif found := _CMDLINE.match(text):
            self._fact("boot.cmdline", found["cmdline"], entry.line)
        elif found := _BROUGHT_UP.match(text):
            self._fact("cpu.online", float(found["online"]), entry.line, "count")
        elif found := _ALLOWING.match(text):
            self._fact("cpu.possible", float(found["possible"]), entry.line, "count")

    def _fact(self, name: str, value: float | str, line: int, unit: str = "") -> None:
        self._facts.setdefault((name, value), Fact(name, value, Lines.at(line), unit))

    def _log_facts(self) -> Iterator[Fact]:
        """Yield the time the log spans, and its host when it is one."""
        if self._uptimes:
            for name, (uptime, line) in (("first", min(self._uptimes)), ("last", max(self._uptimes))):
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
        before = [line for _, line in self._uptimes]
        restarts = [line for line in self._boots if before and line > min(before[0], self._boots[0])]
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
        lines = self._text.lines
        last = lines[-1] if lines else ""
        is_cut = bool(_CUT_STAMP.match(last)) or bool(_CUT_FRAME.search(last) and not trace.frames(last, 0))
        if is_cut and (prefix.is_stamped(last) or _CUT_STAMP.match(last)):
            line = self._text.first_line + len(lines) - 1
            self._quality.append(Quality("cut_off", "the last line is not finished", line))

    def _profiles(self) -> tuple[Profile, ...]:
        """Return the call traces as one profile without weights."""
        builder = StackBuilder()
        for one in self._recorder.traces:
            frames_of = [
                PlacedFrame(
                    Frame(frame.name, frame.module, "module" if frame.module else "kernel"), frame.line
                )
                for frame in one.frames
            ]
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
            RowSet("oom_task_table", columns, tuple(row for row, _ in rows), tuple(line for _, line in rows))
            for columns, rows in sets.items()
        )

"""From lines to symbol tables: one per screen of perf top, per event of perf report, per bare excerpt."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from ingest.model.citation import Lines
from ingest.model.facts import Fact
from ingest.model.profile import Symbol, SymbolTable
from ingest.model.reading import Reading
from ingest.paste.transcript import transcript
from ingest.readers.perf.perf_table import header, profiles, rows, trees
from ingest.readers.perf.perf_table.called import called, callers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.model.profile import Profile
    from ingest.model.section import Text

FEW_SAMPLES = 200
"""Below this a share of 5 % is ten samples; the judge's usual least number."""

FEW_INTERRUPTS = 50
"""A screen of fewer interrupts per second states no kernel share: its standard error is up to ± 7 %."""

OPEN_SHARE = 0.01
"""Share of stacks without callers above which the table gets a quality remark, as perf script does."""

MANY_UNNAMED = 0.30
"""Share of rows that are addresses above which the table gets a quality remark."""

TIMER_EVENTS = ("cpu-clock", "task-clock")

_RULER = re.compile(r"^[\s#_.-]*$")
_OLD_COLUMNS = re.compile(r"^\s*samples\s+pcnt\s+function")


class _Table:
    """One table that is being read."""

    def __init__(self, line: int, events: tuple[str, ...] = ("",), samples: float | None = None) -> None:
        self.line = line
        self.events = events
        self.samples = samples
        self.lost = 0.0
        self.screen: header.Screen | None = None
        self.has_header = False
        self.columns: tuple[str, ...] = ()
        self.rows: list[tuple[int, rows.Row]] = []
        self.trees: list[trees.Tree] = []

    def name_whole(self) -> None:
        """Give rows that a screen cut the names that the trees below them spell out."""
        self.rows = [
            (line, row._replace(name=tree.whole_name(row.name)) if tree else row)
            for (line, row), tree in zip(self.rows, self.trees, strict=True)
        ]

    def tables(self) -> list[SymbolTable]:
        """Return one table per event."""
        return [self._table(event, index) for index, event in enumerate(self.events)]

    @property
    def can_have_stacks(self) -> bool:
        """Whether the trees below its rows are stacks of one event, and how many samples it has is known."""
        return self.least_samples is not None and len(self.events) == 1

    @property
    def least_samples(self) -> float | None:
        """How many samples the shares are of; of a screen those of one second, since older ones fade."""
        return max(self.screen.irqs_per_second, 1.0) if self.screen else self.samples

    @cached_property
    def profile(self) -> Profile | None:
        """The stacks below the rows, None when there are none."""
        if self.least_samples is None or not self.can_have_stacks:
            return None
        entries = [(line, row, tree) for (line, row), tree in zip(self.rows, self.trees, strict=True)]
        has_children = all(len(row.shares) > 1 for _, row, _ in entries)
        return profiles.profile(self.events[0], self.least_samples, entries, has_children=has_children)

    def _table(self, event: str, index: int) -> SymbolTable:
        symbols: list[Symbol] = []
        for line, row in self.rows:
            self_share, total_share = self._shares(row.shares, index)
            symbols.append(Symbol(row.name, self_share, total_share, row.module, row.kind, row.comm, line))
        symbols += self._called()
        return SymbolTable(
            event=event,
            symbols=tuple(symbols),
            samples=self.samples,
            kernel_share=self.screen.kernel_share if self.screen else None,
            has_header=self.has_header,
            lost=self.lost,
        )

    @cached_property
    def has_called(self) -> bool:
        """Whether trees of an excerpt show what calls what."""
        return any(True for _ in self._called())

    def _called(self) -> Iterator[Symbol]:
        """Yield what the only row with a tree calls, or what calls the rows; of excerpts without a header."""
        if len(self.events) > 1 or self.screen or self.profile:
            return
        open_rows = [
            (line, row, tree) for (line, row), tree in zip(self.rows, self.trees, strict=True) if tree
        ]
        if len(open_rows) == 1 and len(open_rows[0][1].shares) > 1:
            yield from called(open_rows[0][1], open_rows[0][2])
        elif open_rows:
            yield from callers(open_rows)

    def _shares(self, printed: tuple[float, ...], index: int) -> tuple[float, float | None]:
        """Return self and total share: `Children Self`, one column, or one column per event of a group."""
        if len(self.events) > 1:
            per_event = len(printed) // len(self.events)
            if per_event == 2:
                return printed[2 * index + 1], printed[2 * index]
            return printed[min(index, len(printed) - 1)], None
        if len(printed) > 1:
            return printed[1], printed[0]
        return printed[0], None


class Reader:
    """Reads one section."""

    def __init__(self, text: Text) -> None:
        """Read `text` line by line."""
        self._transcript = transcript(text)
        self._tables: list[_Table] = []
        self._facts: list[Fact] = []
        self._closed: list[int] = []
        self._open: _Table | None = None
        self._lost = 0.0
        self._screens = 0
        for number, line, _ in self._transcript.lines:
            self._take(number, line.rstrip(rows.SCROLL_BAR))
        self._close()

    def result(self) -> Reading:
        """Return what was read."""
        return Reading(
            profiles=tuple(
                found for table_reader in self._tables if (found := table_reader.profile) is not None
            ),
            tables=tuple(table for table_reader in self._tables for table in table_reader.tables()),
            facts=(*self._facts, *self._closed_rows()),
            skipped=self._transcript.skips.result(),
            quality=tuple(self._transcript.quality),
        )

    def _take(self, number: int, line: str) -> None:
        if _RULER.match(line) or _OLD_COLUMNS.match(line):
            return
        if rows.is_row(line):
            self._take_row(number, line)
        elif screen := header.screen(line):
            self._start_screen(number, screen)
        elif population := header.population(line):
            self._start(number, population.events, population.samples)
        elif columns := header.columns(line):
            self._take_columns(number, columns)
        elif lost := header.TOTAL_LOST.match(line):
            self._lost = float(lost["count"])
        elif line.startswith("#"):
            self._take_comment(number, line)
        elif header.KEYS.match(line):
            self._transcript.skips.add("perf top's key help", number)
        elif self._open and self._open.rows and rows.is_tree(line):
            self._take_tree(self._open, number, line)
        elif root := rows.root(line):
            table = self._open or self._start(number, ("",), None)
            table.rows.append((number, root))
            table.trees.append(trees.Tree())
        else:
            self._transcript.skips.add("not a row of a symbol table", number)

    def _take_row(self, number: int, line: str) -> None:
        if self._open is None:
            self._open = _Table(number)
        row = rows.read(line, self._open.columns)
        if row is None:
            self._transcript.skips.add("not a row of a symbol table", number)
        elif row.is_branch:
            self._transcript.skips.add("branch from one symbol to another, not a sample", number)
        else:
            self._open.rows.append((number, row))
            self._open.trees.append(trees.Tree())
            if line.lstrip().startswith("+"):
                self._closed.append(number)

    def _take_tree(self, table: _Table, number: int, line: str) -> None:
        if len(table.events) > 1:
            self._transcript.skips.add("call tree of a table without stacks of its own", number)
        elif not table.trees[-1].take(line, number):
            self._transcript.skips.add("call tree line", number)

    def _take_columns(self, number: int, columns: tuple[str, ...]) -> None:
        if self._open is None or self._open.rows:
            self._start(number, ("",), None)
        if self._open is not None:
            self._open.columns = columns
            self._open.has_header = self._open.has_header or bool(self._open.events[0])

    def _take_comment(self, number: int, line: str) -> None:
        found = header.PROPERTY.match(line)
        if not found:
            return
        value, lines = found["value"], Lines.at(number)
        if found["name"] == "hostname":
            self._facts.append(Fact("host.name", value, lines))
        elif found["name"] == "os release":
            self._facts.append(Fact("kernel.release", value, lines))
        elif found["name"] == "nrcpus online" and value.isdecimal():
            self._facts.append(Fact("cpu.online", float(value), lines, "count"))
        elif found["name"] == "cmdline":
            self._facts.append(Fact("perf.cmdline", value, lines))

    def _start(self, number: int, events: tuple[str, ...], samples: float | None) -> _Table:
        self._close()
        self._open = _Table(number, events, samples)
        self._open.has_header = bool(events[0])
        self._open.lost = self._lost
        return self._open

    def _start_screen(self, number: int, screen: header.Screen) -> None:
        opened = self._start(number, (screen.event,), None)
        opened.screen, opened.has_header, opened.lost = screen, True, screen.lost
        if screen.irqs_per_second >= FEW_INTERRUPTS:
            lines, snapshot = Lines.at(number), self._screens
            kernel = Fact("perf.top.kernel_share", screen.kernel_share, lines, "share", snapshot=snapshot)
            self._facts.append(kernel)
            self._facts.append(Fact("perf.top.lost", screen.lost, lines, "count", snapshot=snapshot))
            self._screens += 1

    def _close(self) -> None:
        """End the open table; one without rows is counted, not stored."""
        table, self._open = self._open, None
        if table is None:
            return
        if not table.rows:
            reason = "perf top screen without samples" if table.screen else "table without rows"
            self._transcript.skips.add(reason, table.line)
            return
        if table.screen:
            table.name_whole()
        self._tables.append(table)
        self._judge(table)

    def _closed_rows(self) -> Iterator[Fact]:
        """Yield how many rows have a call chain that the screen of perf does not show (`+`)."""
        if self._closed:
            lines = Lines(self._closed[0], self._closed[-1])
            yield Fact("perf.closed_rows", float(len(self._closed)), lines, "count")

    def _judge(self, table: _Table) -> None:
        """Note what weakens one table."""
        note = self._transcript.remark
        if not table.has_header:
            lacks = "no `Samples` line above the table" if table.columns else "rows without a header"
            note("no_header", f"{lacks}: population and event are not known", table.line)
            note("excerpt", f"{lacks}: how many are left out is not known", table.line)
        if table.events[0].startswith(TIMER_EVENTS):
            detail = "a timer event: samples land where interrupts are enabled again, not where time went"
            note("skid", detail, table.line)
        elif table.screen and table.screen.exact_share == 0 and table.screen.event:
            note("skid", "no sample is exact: the named function may be a neighbour", table.line)
        if table.lost:
            note("lost_events", f"{table.lost:.0f} lost samples are stated", table.line)
        count = table.screen.irqs_per_second if table.screen else table.samples
        if count is not None and count < FEW_SAMPLES:
            unit = "interrupts per second" if table.screen else "samples"
            note("few_samples", f"{count:.0f} {unit}: small shares are noise", table.line)
        if table.profile and (share := profiles.open_share(table.profile)) > OPEN_SHARE:
            detail = f"{share:.0%} of the table has callers or callees left out; perf omits those below 0.5 %"
            note("truncated_stacks", detail, table.line)
        elif any(table.trees) and not table.profile and not table.has_called:
            self._transcript.skips.add("call trees that do not say which end is the caller's", table.line)
        unnamed = sum(row.shares[-1] for _, row in table.rows if rows.is_unnamed(row.name))
        named = sum(row.shares[-1] for _, row in table.rows)
        if named and unnamed / named > MANY_UNNAMED:
            note("unknown_frames", f"{unnamed / named:.0%} of the table are addresses", table.line)

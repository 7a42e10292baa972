"""A reading: everything parsed from one section, its skipped lines and its quality."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, overload

from ingest.model.citation import Lines
from ingest.model.row_columns import Cell, Column, Mixed, column_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ingest.model.facts import Fact
    from ingest.model.histogram import Histogram
    from ingest.model.profile import Profile, SymbolTable

__all__ = ["Cell", "LogRecord", "Quality", "Reading", "RowSet", "SkipCounter", "Skipped"]


@dataclass(frozen=True, slots=True)
class Skipped:
    """Lines a parser did not understand: never silent, never fatal."""

    reason: str
    count: int
    first_line: int


class Quality(NamedTuple):
    """One thing that weakens this evidence.

    `name` is one of: `excerpt`, `filtered`, `no_weights`, `no_header`, `few_samples`, `since_boot`,
    `too_short`, `mostly_idle`, `skid`, `frequency_mode`, `lost_events`, `unknown_frames`, `truncated_stacks`,
    `user_only`, `cut_off`, `mixed_hosts`, `mixed_boots`, `assumed_path`,
    `assumed_unit`, `no_times`.
    `detail` is one sentence for a person. `line` is where it shows.
    """

    name: str
    detail: str
    line: int


DECIDING = ("reached_line", "killed_line")
"""Fields of records that hold the number of a line."""

NO_FIELDS: Mapping[str, Cell] = MappingProxyType({})


class LogRecord(NamedTuple):
    """One classified kernel log record.

    Attributes:
        kind: The class: `oom_kill`, `nvme_timeout`, `hung_task`, `soft_lockup`…; `other` when unclassified.
        message: The text after the prefix.
        lines: All lines of the record.
        fields: Named parts: `function`, `count`, `pid`, `comm`, `cgroup`, `constraint`, `seconds`…
        uptime: Seconds since boot, when printed.
        at: Epoch seconds UTC, when printed with a date.
        level: 0 (emergency) to 7 (debug), of the first line, when printed.
        subsystem: `nvme`, `ext4`, `oom`…; "" when unclassified.
        severity: `critical`, `error`, `warning`, `notice`; "" when unclassified.
        clock: Seconds since the beginning of the year, of a stamp without one (`Feb 11 18:58:28`).
    """

    kind: str
    message: str
    lines: Lines
    fields: Mapping[str, Cell] = NO_FIELDS
    uptime: float | None = None
    at: float | None = None
    level: int | None = None
    subsystem: str = ""
    severity: str = ""
    clock: float | None = None

    @property
    def deciding(self) -> tuple[Lines, ...]:
        """The lines that decide a report, as far as it names them; else all of its lines."""
        named = (self.fields.get(name) for name in DECIDING)
        return tuple(Lines.at(int(line)) for line in named if isinstance(line, float)) or (self.lines,)


class Rows(Sequence["tuple[Cell, ...]"]):
    """The rows of columns, each made when it is asked for."""

    __slots__ = ("_cells", "_size")

    def __init__(self, cells: tuple[Column, ...], size: int) -> None:
        """Take the columns of `size` rows."""
        self._cells, self._size = cells, size

    def __len__(self) -> int:
        """Return the number of rows."""
        return self._size

    @overload
    def __getitem__(self, at: int) -> tuple[Cell, ...]: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[tuple[Cell, ...]]: ...
    def __getitem__(self, at: int | slice) -> tuple[Cell, ...] | Sequence[tuple[Cell, ...]]:
        """Return a row, or those of a slice."""
        if isinstance(at, slice):
            return Rows(tuple(column[at] for column in self._cells), len(range(self._size)[at]))
        at = range(self._size)[at]
        return tuple(column[at] for column in self._cells)

    def __iter__(self) -> Iterator[tuple[Cell, ...]]:
        """Yield the rows."""
        if not self._cells:
            return iter([()] * self._size)
        return zip(*self._cells, strict=True)

    def __eq__(self, other: object) -> bool:
        """Return whether `other` holds equal rows."""
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]  # rows are many


@dataclass(frozen=True, slots=True)
class RowSet:
    """Event rows of one shape: R rows of C columns, held by column.

    Attributes:
        name: `memcg_reclaim_end`, `mmap_lock_hold`, `packet_rows`, `strace`…; see `docs/formats.md`.
        columns: C names, the unit last (`elapsed_ns`, `duration_us`, `real_s`).
        cells: C columns of R cells; None where a row has no such cell.
        row_lines: R 1-based lines.
        duration: Seconds the rows span when known, else None: without it a count is not a rate.
    """

    name: str
    columns: tuple[str, ...]
    cells: tuple[Column, ...]
    row_lines: array[int]
    duration: float | None = None

    @classmethod
    def of_rows(
        cls,
        name: str,
        columns: Sequence[str],
        rows: Iterable[Sequence[Cell]],
        row_lines: Iterable[int],
        duration: float | None = None,
    ) -> RowSet:
        """Return the set of rows that are tuples of a cell per column.

        Raises:
            ValueError: The rows have different lengths.
        """
        cells = tuple(column_of(column) for column in zip(*rows, strict=True))
        return cls(
            name, tuple(columns), cells or (Mixed(()),) * len(columns), array("i", row_lines), duration
        )

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.row_lines)

    @property
    def rows(self) -> Rows:
        """The rows, each a tuple of C cells; long tables are read by column."""
        return Rows(self.cells, len(self.row_lines))

    def column(self, name: str) -> Column | None:
        """Return a column by name, None when there is none."""
        return self.cells[self.columns.index(name)] if name in self.columns else None


@dataclass(frozen=True, slots=True)
class Reading:
    """Everything one parser read out of one section."""

    profiles: tuple[Profile, ...] = ()
    tables: tuple[SymbolTable, ...] = ()
    facts: tuple[Fact, ...] = ()
    histograms: tuple[Histogram, ...] = ()
    log_records: tuple[LogRecord, ...] = ()
    row_sets: tuple[RowSet, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    quality: tuple[Quality, ...] = ()

    @property
    def quality_names(self) -> frozenset[str]:
        """The names of all quality remarks."""
        return frozenset(remark.name for remark in self.quality)


MAX_REASONS = 200
"""Reasons state figures, so an archive may have as many of them as members."""


class SkipCounter:
    """Collects skipped lines by reason, keeping the first line of each."""

    def __init__(self) -> None:
        """Begin with nothing skipped."""
        self._by_reason: dict[str, list[int]] = {}

    def add(self, reason: str, line: int, count: int = 1) -> None:
        """Count `count` lines skipped for `reason`, the first of them at `line`."""
        if reason not in self._by_reason and len(self._by_reason) >= MAX_REASONS:
            reason = "other reasons"
        entry = self._by_reason.setdefault(reason, [0, line])
        entry[0] += count
        entry[1] = min(entry[1], line)

    def result(self) -> tuple[Skipped, ...]:
        """Return what was skipped, in the order of first lines."""
        rows = (Skipped(reason, count, first) for reason, (count, first) in self._by_reason.items())
        return tuple(sorted(rows, key=lambda row: row.first_line))

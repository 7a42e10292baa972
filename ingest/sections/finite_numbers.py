"""Numbers of a reading that no machine prints: NaN, infinities and hundreds of digits become "no number".

Text decides every number, so each may be `nan`, `-inf` or have 400 digits. Such a number has no place in an
order, a total or JSON. It is removed here, for all readers, and counted with the line where it stands:

    facts             the fact is left out; of an impossible time only the time is; a limit may be infinite
    labels            a PID, TID or CPU that is none is left out
    rows              the cell is empty
    log records       the field, or the time, is left out
    histograms        the bucket is left out; an open bound stays infinite
    profiles          the sample is left out
    symbol tables     the row is left out
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ingest.model.profile import Thread
from ingest.model.reading import SkipCounter
from ingest.model.row_columns import Numbers, Words, column_of, numbers

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ingest.model.facts import Fact
    from ingest.model.histogram import Histogram
    from ingest.model.profile import Profile, Symbol, SymbolTable
    from ingest.model.reading import Cell, LogRecord, Reading, RowSet
    from ingest.model.row_columns import Column

LARGEST = 1e30
"""Above every counter of 64 bits in the smallest unit, 2^64 × 10^9; a sum of 10^9 of them is finite."""

MOST_PIDS = 1 << 31
"""A signed 32-bit `pid_t`; Linux stays below PID_MAX_LIMIT, 2^22, Windows numbers in steps of four."""

MOST_CPUS = 1 << 16
"""Above NR_CPUS of every build, 8,192 on x86-64."""

IDENTIFIERS = {"pid": MOST_PIDS, "tid": MOST_PIDS, "ppid": MOST_PIDS, "cpu": MOST_CPUS}
"""Labels and columns that name an entity, with the first number that is none."""

LIMITS = ("limit", "quota", "high_bytes", ".max")
"""Parts of the names of facts for which infinity means `max` or `unlimited`."""

REASON = "no number: not finite, or too large to be measured"


def with_finite_numbers(reading: Reading) -> Reading:
    """Return the reading without impossible numbers, each of them counted; the same object if it has none."""
    skips = SkipCounter()
    clean = {
        "facts": _unchanged(reading.facts, [_fact(fact, skips) for fact in reading.facts]),
        "row_sets": _unchanged(reading.row_sets, [_rows(rows, skips) for rows in reading.row_sets]),
        "log_records": _records(reading.log_records, skips),
        "histograms": _unchanged(reading.histograms, [_histogram(one, skips) for one in reading.histograms]),
        "profiles": _unchanged(reading.profiles, [_profile(one, skips) for one in reading.profiles]),
        "tables": _unchanged(reading.tables, [_table(one, skips) for one in reading.tables]),
    }
    counted = skips.result()
    return replace(reading, **clean, skipped=(*reading.skipped, *counted)) if counted else reading


def is_number(value: float) -> bool:
    """Return whether a machine may have measured `value`: finite and below 10^30."""
    return -LARGEST < value < LARGEST


def _unchanged(before: tuple[Any, ...], after: list[Any]) -> tuple[Any, ...]:
    """Return `after` without what was left out; `before` when it holds the same objects."""
    if len(before) == len(after) and all(old is new for old, new in zip(before, after, strict=True)):
        return before
    return tuple(one for one in after if one is not None)


def _fact(fact: Fact, skips: SkipCounter) -> Fact | None:
    value = fact.value
    if isinstance(value, float | int) and not is_number(value) and not _is_unlimited(fact):
        skips.add(REASON, fact.lines.first)
        return None
    if fact.at is not None and not is_number(fact.at):
        skips.add(REASON, fact.lines.first)
        fact = replace(fact, at=None)
    wrong = [name for name, text in fact.labels.items() if name in IDENTIFIERS and _is_no_id(name, text)]
    if wrong:
        skips.add(REASON, fact.lines.first, len(wrong))
        fact = replace(fact, labels={name: text for name, text in fact.labels.items() if name not in wrong})
    return fact


def _is_unlimited(fact: Fact) -> bool:
    return fact.value == math.inf and any(part in fact.name for part in LIMITS)


def _is_no_id(name: str, text: str) -> bool:
    """Return whether a label is a number, but none of a process, thread or CPU; other words are names."""
    try:
        number = float(text)
    except ValueError:
        return False
    return not (number < IDENTIFIERS[name] and number > -IDENTIFIERS[name] and number.is_integer())


def _rows(rows: RowSet, skips: SkipCounter) -> RowSet:
    duration = rows.duration if rows.duration is None or is_number(rows.duration) else None
    wrong: dict[int, int] = {}
    cells = tuple(
        _column(column, float(IDENTIFIERS.get(name, LARGEST)), wrong)
        for name, column in zip(rows.columns, rows.cells, strict=True)
    )
    for at in sorted(wrong):
        skips.add(REASON, rows.row_lines[at], wrong[at])
    return replace(rows, cells=cells, duration=duration) if wrong or duration != rows.duration else rows


def _column(column: Column, limit: float, wrong: dict[int, int]) -> Column:
    """Return the column without what is no number, each counted by its row; the same if there is none."""
    if isinstance(column, Numbers):
        values = column.array
        # The comparison is false for NaN, which is a cell that is none.
        places = np.flatnonzero(np.abs(values) >= limit).tolist()
        clean: Column = numbers(np.where(np.abs(values) >= limit, np.nan, values)) if places else column
    elif isinstance(column, Words) and not any(_is_wrong_cell(name, limit) for name in column.names):
        places, clean = [], column
    else:
        places = [at for at, cell in enumerate(column) if _is_wrong_cell(cell, limit)]
        kept = [None if _is_wrong_cell(cell, limit) else cell for cell in column] if places else []
        clean = column_of(kept) if places else column
    for at in places:
        wrong[at] = wrong.get(at, 0) + 1
    return clean


def _is_wrong_cell(cell: Cell, limit: float) -> bool:
    if isinstance(cell, float):
        return not -limit < cell < limit
    if isinstance(cell, str) and limit < LARGEST:
        return cell.isdecimal() and not float(cell) < limit
    return False


def _records(records: Sequence[LogRecord], skips: SkipCounter) -> tuple[LogRecord, ...]:
    """Return the records without impossible numbers; most have no fields, and a time that one pass proves."""
    # Zero stands for a time that is not printed; the comparison is false for NaN.
    at = [
        place
        for place, (_, _, _, fields, uptime, at, _, _, _, clock) in enumerate(records)
        if fields
        or not (
            -LARGEST < (uptime or 0.0) < LARGEST
            and -LARGEST < (at or 0.0) < LARGEST
            and -LARGEST < (clock or 0.0) < LARGEST
        )
    ]
    clean = tuple(_record(records[place], skips) for place in at)
    if all(records[place] is one for place, one in zip(at, clean, strict=True)):
        return tuple(records)
    found = list(records)
    for place, one in zip(at, clean, strict=True):
        found[place] = one
    return tuple(found)


def _record(record: LogRecord, skips: SkipCounter) -> LogRecord:
    wrong = {
        name: None
        for name in ("uptime", "at", "clock")
        if (value := getattr(record, name)) is not None and not is_number(value)
    }
    fields: Mapping[str, Cell] = record.fields
    if any(isinstance(cell, float) and not is_number(cell) for cell in fields.values()):
        kept = {name: cell for name, cell in fields.items() if not isinstance(cell, float) or is_number(cell)}
        skips.add(REASON, record.lines.first, len(fields) - len(kept))
        record = record._replace(fields=kept)
    if wrong:
        skips.add(REASON, record.lines.first, len(wrong))
        record = record._replace(**wrong)  # type: ignore[arg-type]  # each takes None
    return record


def _histogram(histogram: Histogram, skips: SkipCounter) -> Histogram:
    rows = list(zip(histogram.lows, histogram.highs, histogram.counts, histogram.bucket_lines, strict=True))
    kept = [
        row
        for row in rows
        if is_number(row[2]) and row[2] >= 0 and not math.isnan(row[0]) and not math.isnan(row[1])
    ]
    if len(kept) == len(rows):
        return histogram
    skips.add(REASON, next(row[3] for row in rows if row not in kept), len(rows) - len(kept))
    lows, highs, counts, lines = zip(*kept, strict=True) if kept else ((), (), (), ())
    return replace(histogram, lows=lows, highs=highs, counts=counts, bucket_lines=lines)


def _profile(profile: Profile, skips: SkipCounter) -> Profile:
    threads = tuple(_thread(thread) for thread in profile.threads)
    if threads != profile.threads:
        skips.add(REASON, int(profile.sample_line[0]) if len(profile.sample_line) else 1)
        profile = replace(profile, threads=threads)
    # The comparisons are false for NaN.
    good = (profile.sample_weight < LARGEST) & (profile.sample_count < LARGEST)
    good &= (profile.sample_weight >= 0) & (profile.sample_count >= 0)
    if profile.sample_time is not None:
        good &= np.abs(profile.sample_time) < LARGEST
    if good.all():
        return profile
    skips.add(REASON, int(profile.sample_line[~good][0]), int((~good).sum()))
    return replace(
        profile,
        sample_node=profile.sample_node[good],
        sample_weight=profile.sample_weight[good],
        sample_count=profile.sample_count[good],
        sample_time=None if profile.sample_time is None else profile.sample_time[good],
        sample_cpu=None if profile.sample_cpu is None else profile.sample_cpu[good],
        sample_thread=profile.sample_thread[good],
        sample_line=profile.sample_line[good],
    )


def _thread(thread: Thread) -> Thread:
    if thread.pid < MOST_PIDS and thread.tid < MOST_PIDS:
        return thread
    return Thread(
        thread.comm,
        thread.pid if thread.pid < MOST_PIDS else -1,
        thread.tid if thread.tid < MOST_PIDS else -1,
    )


def _table(table: SymbolTable, skips: SkipCounter) -> SymbolTable:
    kept = tuple(symbol for symbol in table.symbols if _is_share(symbol))
    numbers = {
        name: value
        for name in ("samples", "kernel_share")
        if (value := getattr(table, name)) is not None and not is_number(value)
    }
    if len(kept) < len(table.symbols):
        first = next(symbol.line for symbol in table.symbols if not _is_share(symbol))
        skips.add(REASON, first, len(table.symbols) - len(kept))
        table = replace(table, symbols=kept)
    if numbers or not is_number(table.lost):
        skips.add(REASON, kept[0].line if kept else 1)
        table = replace(
            table,
            samples=None if "samples" in numbers else table.samples,
            kernel_share=None if "kernel_share" in numbers else table.kernel_share,
            lost=table.lost if is_number(table.lost) else 0.0,
        )
    return table


def _is_share(symbol: Symbol) -> bool:
    return is_number(symbol.self_share) and (symbol.total_share is None or is_number(symbol.total_share))

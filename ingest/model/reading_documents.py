"""Everything of a reading but profiles and rows, as JSON documents and back."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ingest.model.citation import Lines
from ingest.model.facts import Fact
from ingest.model.histogram import Histogram
from ingest.model.profile import Symbol, SymbolTable
from ingest.model.reading import LogRecord, Quality, Reading, RowSet, Skipped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ingest.model.profile import Profile


def plain(value: Any) -> Any:
    """Return a value JSON can hold: numbers that JSON lacks become `{"float": "inf"}`."""
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": str(value)}
    return value


def value_of(entry: Any) -> Any:
    """Undo `plain`."""
    return float(entry["float"]) if isinstance(entry, dict) else entry


def many(values: Iterable[Any]) -> list[Any]:
    """Return values JSON can hold."""
    return [plain(value) for value in values]


def values_of(entries: Iterable[Any]) -> tuple[Any, ...]:
    """Undo `many`."""
    return tuple(value_of(entry) for entry in entries)


def documents(reading: Reading) -> dict[str, list[Any]]:
    """Return the documents of `reading` by column name."""
    return {
        "facts": [_fact(fact) for fact in reading.facts],
        "histograms": [_histogram(histogram) for histogram in reading.histograms],
        "log_records": [_log_record(record) for record in reading.log_records],
        "quality": [list(remark) for remark in reading.quality],
        "skipped": [[row.reason, row.count, row.first_line] for row in reading.skipped],
        "tables": [_table(table) for table in reading.tables],
    }


def reading(
    document: Callable[[str], list[Any]], profiles: tuple[Profile, ...], row_sets: tuple[RowSet, ...]
) -> Reading:
    """Return the reading; `document` returns a document by column name."""
    return Reading(
        profiles=profiles,
        tables=tuple(_to_table(entry) for entry in document("tables")),
        facts=tuple(_to_fact(entry) for entry in document("facts")),
        histograms=tuple(_to_histogram(entry) for entry in document("histograms")),
        log_records=tuple(_to_log_record(entry) for entry in document("log_records")),
        row_sets=row_sets,
        skipped=tuple(Skipped(*entry) for entry in document("skipped")),
        quality=qualities(document),
    )


def qualities(document: Callable[[str], list[Any]]) -> tuple[Quality, ...]:
    """Return the remarks on the quality of a reading; `document` returns a document by column name."""
    return tuple(Quality(*entry) for entry in document("quality"))


def _fact(fact: Fact) -> list[Any]:
    value, at = plain(fact.value), plain(fact.at)
    return [fact.name, value, list(fact.lines), fact.unit, dict(fact.labels), fact.snapshot, at]


def _to_fact(entry: list[Any]) -> Fact:
    name, value, lines, unit, labels, snapshot, at = entry
    return Fact(name, value_of(value), Lines(*lines), unit, labels, snapshot, value_of(at))


def _histogram(histogram: Histogram) -> dict[str, Any]:
    return {
        "name": histogram.name,
        "unit": histogram.unit,
        "key": histogram.key,
        "probe": histogram.probe,
        "lows": many(histogram.lows),
        "highs": many(histogram.highs),
        "counts": many(histogram.counts),
        "bucket_lines": list(histogram.bucket_lines),
    }


def _to_histogram(entry: dict[str, Any]) -> Histogram:
    return Histogram(
        name=entry["name"],
        unit=entry["unit"],
        lows=values_of(entry["lows"]),
        highs=values_of(entry["highs"]),
        counts=values_of(entry["counts"]),
        bucket_lines=tuple(entry["bucket_lines"]),
        key=entry["key"],
        probe=entry["probe"],
    )


def _log_record(record: LogRecord) -> list[Any]:
    fields = {name: plain(value) for name, value in record.fields.items()}
    where = [
        record.kind,
        record.message,
        list(record.lines),
        fields,
        plain(record.uptime),
        plain(record.at),
    ]
    return [*where, record.level, record.subsystem, record.severity, plain(record.clock)]


def _to_log_record(entry: list[Any]) -> LogRecord:
    kind, message, lines, fields, uptime, at, *classified = entry
    read_fields = {name: value_of(value) for name, value in fields.items()}
    return LogRecord(kind, message, Lines(*lines), read_fields, value_of(uptime), value_of(at), *classified)


def _table(table: SymbolTable) -> dict[str, Any]:
    return {
        "event": table.event,
        "symbols": [many(symbol) for symbol in table.symbols],
        "samples": plain(table.samples),
        "kernel_share": plain(table.kernel_share),
        "has_header": table.has_header,
        "lost": plain(table.lost),
    }


def _to_table(entry: dict[str, Any]) -> SymbolTable:
    return SymbolTable(
        event=entry["event"],
        symbols=tuple(Symbol(*values_of(symbol)) for symbol in entry["symbols"]),
        samples=value_of(entry["samples"]),
        kernel_share=value_of(entry["kernel_share"]),
        has_header=entry["has_header"],
        lost=value_of(entry["lost"]),
    )

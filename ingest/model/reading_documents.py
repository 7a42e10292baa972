"""Everything of a reading but profiles, as JSON documents and back."""

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


def _plain(value: Any) -> Any:
    """Return a value JSON can hold: numbers that JSON lacks become `{"float": "inf"}`."""
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": str(value)}
    return value


def _value(plain: Any) -> Any:
    """Undo `_plain`."""
    return float(plain["float"]) if isinstance(plain, dict) else plain


def _many(values: Iterable[Any]) -> list[Any]:
    return [_plain(value) for value in values]


def _values(plain: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(_value(value) for value in plain)


def documents(reading: Reading) -> dict[str, list[Any]]:
    """Return the documents of `reading` by column name."""
    return {
        "facts": [_fact(fact) for fact in reading.facts],
        "histograms": [_histogram(histogram) for histogram in reading.histograms],
        "log_records": [_log_record(record) for record in reading.log_records],
        "quality": [list(remark) for remark in reading.quality],
        "row_sets": [_row_set(rows) for rows in reading.row_sets],
        "skipped": [[row.reason, row.count, row.first_line] for row in reading.skipped],
        "tables": [_table(table) for table in reading.tables],
    }


def reading(document: Callable[[str], list[Any]], profiles: tuple[Profile, ...]) -> Reading:
    """Return the reading; `document` returns a document by column name."""
    return Reading(
        profiles=profiles,
        tables=tuple(_to_table(entry) for entry in document("tables")),
        facts=tuple(_to_fact(entry) for entry in document("facts")),
        histograms=tuple(_to_histogram(entry) for entry in document("histograms")),
        log_records=tuple(_to_log_record(entry) for entry in document("log_records")),
        row_sets=tuple(_to_row_set(entry) for entry in document("row_sets")),
        skipped=tuple(Skipped(*entry) for entry in document("skipped")),
        quality=qualities(document),
    )


def qualities(document: Callable[[str], list[Any]]) -> tuple[Quality, ...]:
    """Return the remarks on the quality of a reading; `document` returns a document by column name."""
    return tuple(Quality(*entry) for entry in document("quality"))


def _fact(fact: Fact) -> list[Any]:
    value, at = _plain(fact.value), _plain(fact.at)
    return [fact.name, value, list(fact.lines), fact.unit, dict(fact.labels), fact.snapshot, at]


def _to_fact(entry: list[Any]) -> Fact:
    name, value, lines, unit, labels, snapshot, at = entry
    return Fact(name, _value(value), Lines(*lines), unit, labels, snapshot, _value(at))


def _histogram(histogram: Histogram) -> dict[str, Any]:
    return {
        "name": histogram.name,
        "unit": histogram.unit,
        "key": histogram.key,
        "probe": histogram.probe,
        "lows": _many(histogram.lows),
        "highs": _many(histogram.highs),
        "counts": _many(histogram.counts),
        "bucket_lines": list(histogram.bucket_lines),
    }


def _to_histogram(entry: dict[str, Any]) -> Histogram:
    return Histogram(
        name=entry["name"],
        unit=entry["unit"],
        lows=_values(entry["lows"]),
        highs=_values(entry["highs"]),
        counts=_values(entry["counts"]),
        bucket_lines=tuple(entry["bucket_lines"]),
        key=entry["key"],
        probe=entry["probe"],
    )


def _log_record(record: LogRecord) -> list[Any]:
    fields = {name: _plain(value) for name, value in record.fields.items()}
    where = [
        record.kind,
        record.message,
        list(record.lines),
        fields,
        _plain(record.uptime),
        _plain(record.at),
    ]
    return [*where, record.level, record.subsystem, record.severity, _plain(record.clock)]


def _to_log_record(entry: list[Any]) -> LogRecord:
    kind, message, lines, fields, uptime, at, *classified = entry
    read_fields = {name: _value(value) for name, value in fields.items()}
    return LogRecord(kind, message, Lines(*lines), read_fields, _value(uptime), _value(at), *classified)


def _row_set(rows: RowSet) -> dict[str, Any]:
    return {
        "name": rows.name,
        "columns": list(rows.columns),
        "cells": [_many(column) for column in zip(*rows.rows, strict=True)],
        "row_lines": list(rows.row_lines),
        "duration": _plain(rows.duration),
    }


def _to_row_set(entry: dict[str, Any]) -> RowSet:
    columns = [_values(column) for column in entry["cells"]]
    rows = tuple(zip(*columns, strict=True)) if columns else tuple(() for _ in entry["row_lines"])
    return RowSet(
        name=entry["name"],
        columns=tuple(entry["columns"]),
        rows=rows,
        row_lines=tuple(entry["row_lines"]),
        duration=_value(entry["duration"]),
    )


def _table(table: SymbolTable) -> dict[str, Any]:
    return {
        "event": table.event,
        "symbols": [_many(symbol) for symbol in table.symbols],
        "samples": _plain(table.samples),
        "kernel_share": _plain(table.kernel_share),
        "has_header": table.has_header,
        "lost": _plain(table.lost),
    }


def _to_table(entry: dict[str, Any]) -> SymbolTable:
    return SymbolTable(
        event=entry["event"],
        symbols=tuple(Symbol(*_values(symbol)) for symbol in entry["symbols"]),
        samples=_value(entry["samples"]),
        kernel_share=_value(entry["kernel_share"]),
        has_header=entry["has_header"],
        lost=_value(entry["lost"]),
    )

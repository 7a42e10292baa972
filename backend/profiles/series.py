"""Time series and histograms of a case: row sets, repeated facts, pressure."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any
from uuid import UUID

from backend.core.errors import NotFoundError, UnsupportedQueryError
from backend.evidence import readings
from backend.profiles import queries_series as queries
from ingest.export import distribution
from ingest.export import series as rows_export
from ingest.export.columns import number

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sqlalchemy.orm import Session

    from backend.core.storage.object_store import Store
    from backend.models.case import Case
    from backend.profiles.queries_series import Measured, SeriesPlace
    from ingest.model.reading import RowSet

WINDOW = re.compile(r"^pressure\.(?P<resource>\w+)\.(?P<kind>some|full)\.avg(?P<seconds>\d+)_share$")
FIRST_ROWS = 50


def histograms(session: Session, store: Store, case: Case) -> bytes:
    """Return the histograms of the case with statistics."""
    documents = []
    for row, place in queries.histograms(session, case):
        histogram = readings.load(store, place.store_key, place.digest).histograms[row.ordinal]
        documents.append({"id": str(row.id), **_place(place), **distribution.distribution(histogram)})
    return _whole(documents)


def listed(session: Session, store: Store, case: Case) -> bytes:
    """Return the available series: rows, facts, pressure."""
    entries: list[dict[str, Any]] = []
    for row, place in queries.row_sets(session, case):
        rows = _rows(store, place, row.ordinal)
        shape = rows_export.shape(rows.columns, rows.rows[:FIRST_ROWS])
        if shape.values:
            axis = "seconds" if shape.time else "order"
            values = [{"name": name, "unit": rows_export.unit_of(name)} for name in shape.values]
            entries.append(
                _entry(f"rows:{row.id}", row.name, axis, values, shape.labels, row.row_count) | _place(place)
            )
    for resource, points in queries.pressures(session, case):
        values = [{"name": kind, "unit": "share"} for kind in ("some", "full")]
        entries.append(
            _entry(f"pressure:{resource}", f"pressure of {resource}", "window_seconds", values, (), points)
        )
    for name, unit, points in queries.repeated_facts(session, case):
        entries.append(_entry(f"fact:{name}", name, "order", [{"name": name, "unit": unit}], (), points))
    return _whole(entries)


def lines(  # noqa: PLR0917 - whose, which and what of it
    session: Session, store: Store, case: Case, series_id: str, value: str, by: Sequence[str], limit: int
) -> bytes:
    """Return one series as lines.

    Raises:
        NotFoundError: The case has no such series.
        UnsupportedQueryError: The series has no such column.
    """
    kind, _, name = series_id.partition(":")
    if kind == "rows":
        document = _rows_lines(session, store, case, name, value, by, limit)
    elif kind == "pressure":
        document = _pressure_lines(
            queries.measured(session, case, f"pressure.{name}.", is_prefix=True), value, limit
        )
    elif kind == "fact":
        document = _fact_lines(queries.measured(session, case, name), name, limit)
    else:
        raise NotFoundError(f"unknown series {series_id}; an id begins with rows:, fact: or pressure:")
    if not document["lines"]:
        raise NotFoundError(f"case {case.number} has no values of {series_id}")
    return _json({"id": series_id, **document})


def _rows_lines(  # noqa: PLR0917 - same
    session: Session, store: Store, case: Case, name: str, value: str, by: Sequence[str], limit: int
) -> dict[str, Any]:
    try:
        row, place = queries.row_set(session, case, UUID(name))
    except ValueError:
        raise NotFoundError(f"the id of a row set is a UUID, not {name!r}") from None
    rows = _rows(store, place, row.ordinal)
    shape = rows_export.shape(rows.columns, rows.rows)
    if not shape.values:
        raise UnsupportedQueryError(f"{row.name} has no numbers to plot")
    value = value or shape.values[0]
    if value not in shape.values:
        raise UnsupportedQueryError(f"{row.name} measures {', '.join(shape.values)}, not {value}")
    if unknown := [label for label in by if label not in shape.labels]:
        raise UnsupportedQueryError(f"{row.name} is grouped by {', '.join(shape.labels)}, not {unknown[0]}")
    axis, origin, found, left_out = rows_export.lines(rows, value, by, limit=limit)
    where = {"evidence_id": str(place.evidence_id), "evidence_name": place.evidence_name}
    return {
        "name": row.name,
        "value": value,
        "unit": rows_export.unit_of(value),
        "axis": axis,
        "origin": origin,
        "lines": [{**line, **where} for line in found],
        "left_out": left_out,
    }


def _fact_lines(measured: Iterable[Measured], name: str, limit: int) -> dict[str, Any]:
    """Return one line per subject of a fact, by clock time if known for all, else by capture order."""
    found: dict[tuple[Any, ...], list[Measured]] = {}
    for one in measured:
        found.setdefault((one.host_id, tuple(sorted(one.fact.labels.items()))), []).append(one)
    repeated = [points for points in found.values() if len(points) > 1]
    has_clock = all(one.fact.at_s is not None for points in repeated for one in points)
    candidates: list[dict[str, Any]] = [
        {
            "label": points[0].fact.labels,
            "evidence_id": str(points[0].evidence_id),
            "evidence_name": points[0].evidence_name,
            "time": [
                number((one.fact.at_s or 0.0) - (points[0].fact.at_s or 0.0)) if has_clock else position
                for position, one in enumerate(points)
            ],
            "value": [number(one.fact.number or 0.0) for one in points],
            "line": [one.fact.first_line for one in points],
        }
        for points in repeated
    ]
    heaviest = sorted(candidates, key=lambda line: -sum(line["value"]) / len(line["value"]))
    return {
        "name": name,
        "value": name,
        "unit": repeated[0][0].fact.unit if repeated else "",
        "axis": "seconds" if has_clock else "order",
        "origin": None,
        "lines": heaviest[:limit],
        "left_out": max(0, len(heaviest) - limit),
    }


def _pressure_lines(measured: Iterable[Measured], value: str, limit: int) -> dict[str, Any]:
    """Return pressure over the last 300, 60 and 10 seconds, one line per capture."""
    found: dict[tuple[Any, ...], dict[str, Any]] = {}
    for one in measured:
        window = WINDOW.match(one.fact.name)
        if not window or (value and window["kind"] != value):
            continue
        key = (one.evidence_id, window["kind"], one.fact.snapshot, tuple(sorted(one.fact.labels.items())))
        line = found.setdefault(
            key,
            {
                "label": {"kind": window["kind"], **one.fact.labels},
                "evidence_id": str(one.evidence_id),
                "evidence_name": one.evidence_name,
                "points": [],
            },
        )
        line["points"].append((int(window["seconds"]), number(one.fact.number or 0.0), one.fact.first_line))
    candidates = []
    for line in found.values():
        points = sorted(line.pop("points"), reverse=True)
        time, values, at = (list(column) for column in zip(*points, strict=True))
        candidates.append({**line, "time": time, "value": values, "line": at})
    heaviest = sorted(candidates, key=lambda line: -sum(line["value"]) / len(line["value"]))
    return {
        "name": "pressure",
        "value": value or "some, full",
        "unit": "share",
        "axis": "window_seconds",
        "origin": None,
        "lines": heaviest[:limit],
        "left_out": max(0, len(heaviest) - limit),
    }


def _rows(store: Store, place: SeriesPlace, ordinal: int) -> RowSet:
    return readings.load(store, place.store_key, place.digest).row_sets[ordinal]


def _place(place: SeriesPlace) -> dict[str, Any]:
    return {
        "evidence_id": str(place.evidence_id),
        "evidence_name": place.evidence_name,
        "section": place.section,
    }


def _entry(  # noqa: PLR0917 - one row of the list
    series_id: str, name: str, axis: str, values: list[dict[str, str]], labels: Sequence[str], points: int
) -> dict[str, Any]:
    return {
        "id": series_id,
        "name": name,
        "evidence_id": None,
        "evidence_name": "",
        "section": None,
        "axis": axis,
        "values": values,
        "labels": list(labels),
        "points": points,
    }


def _whole(items: list[dict[str, Any]]) -> bytes:
    return _json({"items": items, "next_cursor": None})


def _json(document: Any) -> bytes:
    return json.dumps(document, separators=(",", ":"), allow_nan=False, ensure_ascii=False).encode(
        "utf-8", "replace"
    )

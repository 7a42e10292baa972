"""Questions about row sets and histograms of stored readings."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from backend.sandbox.computations.outcomes import AbsentError, DamagedFolderError
from backend.sandbox.computations.profile_views import to_json
from ingest.export import distribution
from ingest.export import series as rows_export
from ingest.model.errors import UnsupportedQueryError

if TYPE_CHECKING:
    from collections.abc import Callable

    from backend.sandbox.computations.kept_readings import Readings

FIRST_ROWS = 50


def row_sets(readings: Readings, question: dict[str, Any]) -> bytes:
    """Return the columns of each row set: what is measured, what labels a row, whether rows have a time."""

    def described(place: dict[str, Any]) -> dict[str, Any]:
        rows = readings.documents(place["folder"]).row_sets[place["ordinal"]]
        shape = rows_export.shape(rows.columns, rows.rows[:FIRST_ROWS])
        values = [{"name": name, "unit": rows_export.unit_of(name)} for name in shape.values]
        return {"has_time": bool(shape.time), "values": values, "labels": list(shape.labels)}

    return _each(question["places"], described)


def histograms(readings: Readings, question: dict[str, Any]) -> bytes:
    """Return the statistics of each histogram."""

    def described(place: dict[str, Any]) -> dict[str, Any]:
        histogram = readings.documents(place["folder"]).histograms[place["ordinal"]]
        return distribution.distribution(histogram)

    return _each(question["places"], described)


def row_lines(readings: Readings, question: dict[str, Any]) -> bytes:
    """Return one measured column of a row set as lines, grouped by label columns."""
    name, value, by = question["name"], question["value"], question["by"]
    rows = readings.documents(question["place"]["folder"]).row_sets[question["place"]["ordinal"]]
    shape = rows_export.shape(rows.columns, rows.rows)
    if not shape.values:
        raise UnsupportedQueryError(f"{name} has no numbers to plot")
    value = value or shape.values[0]
    if value not in shape.values:
        raise UnsupportedQueryError(f"{name} measures {', '.join(shape.values)}, not {value}")
    if unknown := [label for label in by if label not in shape.labels]:
        raise UnsupportedQueryError(f"{name} is grouped by {', '.join(shape.labels)}, not {unknown[0]}")
    axis, origin, found, left_out = rows_export.lines(rows, value, by, limit=question["limit"])
    if not found:
        raise AbsentError(question["absent"])
    return to_json(
        {
            **question["head"],
            "name": name,
            "value": value,
            "unit": rows_export.unit_of(value),
            "axis": axis,
            "origin": origin,
            "lines": [{**line, **question["where"]} for line in found],
            "left_out": left_out,
        }
    )


QUESTIONS: dict[str, Callable[[Readings, dict[str, Any]], bytes]] = {
    "row sets": row_sets,
    "histograms": histograms,
    "row lines": row_lines,
}


def _each(places: list[dict[str, Any]], describe: Callable[[dict[str, Any]], dict[str, Any]]) -> bytes:
    """Return a description for each place, null where the folder is damaged: the rest stands."""
    found: list[dict[str, Any] | None] = []
    for place in places:
        try:
            found.append(describe(place))
        except DamagedFolderError:
            found.append(None)
    return json.dumps(found, separators=(",", ":"), allow_nan=False).encode()

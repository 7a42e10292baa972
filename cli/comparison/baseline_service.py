"""Baselines in a service: points sent to it, its series and trends, points for a comparison."""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING, Any

from cli.comparison.baseline_directory import BaselineError, Point, Series

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cli.comparison.runs import NamedRun
    from cli.service.connection import Connection
    from ingest.comparison.costs import Run

FORMAT = 1
MAX_BODY_BYTES = 1_000_000
"""Of a point as JSON; the service takes 1 MiB."""

LATEST_POINTS = 50
"""Points of a series that a build is compared with."""

MAX_SERIES = 20
NAMES = ("project", "benchmark", "machine", "kernel")


def add(connection: Connection, point: Point, runs: Sequence[NamedRun]) -> dict[str, Any]:
    """Add a point and return the answer; it has the same id when the recordings are there already.

    Raises:
        BaselineError: It is larger than the service takes.
    """
    from ingest.comparison import stacks_document  # noqa: PLC0415 - a list needs no numbers

    document = _document(point, runs)
    rows = stacks_document.MAX_ROWS
    while rows >= 1:
        document["stacks"] = stacks_document.to_document(point.runs, max_rows=rows)
        if len(json.dumps(document).encode()) <= MAX_BODY_BYTES:
            added: dict[str, Any] = connection.change("POST", "baselines", document)
            return added
        rows //= 2
    raise BaselineError(f"{len(runs)} runs with their functions are more than {MAX_BODY_BYTES:,} bytes")


def series(connection: Connection, **names: str | None) -> list[dict[str, Any]]:
    """Return the series with these names."""
    known: dict[str, Any] = {name: value for name, value in names.items() if value is not None}
    return list(connection.items("baselines", **known))


def trend(connection: Connection, baseline_id: str, measure: str) -> dict[str, Any]:
    """Return the trend of one series."""
    found: dict[str, Any] = connection.get(f"baselines/{baseline_id}", measure=measure)
    return found


def points(connection: Connection, **names: str | None) -> list[Point]:
    """Return the latest points of every series with these names, oldest first.

    Raises:
        BaselineError: A point is of another format.
    """
    found: list[Point] = []
    for one in islice(series(connection, **names), MAX_SERIES):
        latest = connection.get(f"baselines/{one['id']}")["trend"][-LATEST_POINTS:]
        found += [_point(connection, one, summary) for summary in latest]
    return found


def _point(connection: Connection, one: dict[str, Any], summary: dict[str, Any]) -> Point:
    from ingest.comparison.costs_document import CostsDocumentError  # noqa: PLC0415 - a list needs no numbers

    document = connection.get(f"baselines/{one['id']}/points/{summary['id']}")
    try:
        return Point(
            Series(*(one[name] for name in NAMES)),
            commit=document["commit"],
            at=document["measured_at"],
            is_work_known=document["is_work_known"],
            comms=tuple(document["comms"]),
            runs=tuple(map(_run, document["runs"])),
            digests=frozenset(digest for run in document["runs"] for digest in run["sha256"]),
        )
    except (CostsDocumentError, KeyError, TypeError) as error:
        raise BaselineError(f"point {summary['id']} of the service cannot be read: {error}") from None


def _run(document: dict[str, Any]) -> Run:
    from ingest.comparison import costs_document  # noqa: PLC0415 - a list needs no numbers
    from ingest.comparison.costs import Run  # noqa: PLC0415 - same

    return Run(costs_document.from_document(document["costs"]), float(document["work"]))


def _document(point: Point, runs: Sequence[NamedRun]) -> dict[str, Any]:
    from ingest.comparison import costs_document  # noqa: PLC0415 - a list needs no numbers

    return {
        "format": FORMAT,
        **{name: getattr(point.series, name) for name in NAMES},
        "commit": point.commit,
        "measured_at": point.at,
        "is_work_known": point.is_work_known,
        "comms": list(point.comms),
        "runs": [
            {
                "sha256": sorted(run.digests),
                "work": run.run.work,
                "costs": costs_document.to_document(run.run.costs),
            }
            for run in runs
        ],
    }
